/// Assembly text of any kind ends in a program, which is the same through its text and its words,
/// or in messages. Programs come to an end on verifier and model.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/model/simulator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::systolic;
    Architecture architecture;
    architecture.rows = 3;
    architecture.columns = 5;
    std::vector<std::string> errors;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto program = assemble(text, "f.sasm", nullptr, errors);
    if (program.has_value() != errors.empty()) std::abort();
    if (!program) return 0;
    const std::string hex = files::hex_text(*program);
    const auto again = assemble(disassemble(*program), "f.sasm", nullptr, errors);
    const auto words = files::parse_hex(hex, "f.hex", nullptr, errors);
    if (!again || files::hex_text(*again) != hex) std::abort();
    if (!words || files::hex_text(*words) != hex) std::abort();
    const auto found = check::check_program(architecture, *program);
    macrame::verif::Memory memory;
    const std::string problem = model::Simulator(architecture, *program, memory, size).run();
    if (found.empty() && !problem.empty()) std::abort();
    return 0;
}
