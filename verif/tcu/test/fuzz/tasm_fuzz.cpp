/// Assembly text of any kind ends in a program, which is the same through its text, or in messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/test/architectures.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::tcu;
    static const Layout kLayout = layout_of(test::odd_architectures().back());  // with tables
    std::vector<std::string> errors;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto program = assemble(kLayout, text, "f.tasm", errors);
    if (program.has_value() != errors.empty()) std::abort();
    if (!program) return 0;
    const auto again = assemble(kLayout, disassemble(kLayout, *program), "f.tasm", errors);
    if (again != program) std::abort();
    return 0;
}
