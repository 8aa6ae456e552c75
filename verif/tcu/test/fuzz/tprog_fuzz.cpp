/// Programs of any bytes run to their end on the golden model, and are the same through their text.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/test/architectures.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::tcu;
    static const Architecture kArchitecture = test::architectures().at("n2_fp16bp8");
    static const Layout kLayout = layout_of(kArchitecture);
    const auto bytes = static_cast<std::size_t>(kLayout.bytes);
    const std::vector<std::uint8_t> program(data, data + size / bytes * bytes);
    std::vector<std::string> errors;
    const auto again = assemble(kLayout, disassemble(kLayout, program), "f.tasm", errors);
    if (again != program) std::abort();
    macrame::verif::Memory dram0, dram1;
    run::GoldenModel model(kArchitecture, {dram0, dram1}, 1);
    model.send({data, data + size});
    if (!model.run(0)) std::abort();
    return 0;
}
