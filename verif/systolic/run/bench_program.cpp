#include "verif/systolic/run/bench_program.hpp"

#include <algorithm>
#include <string>

#include "verif/systolic/cycles/control.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::run {

using cycles::Control;
using verif::run::BenchLine;

std::vector<BenchLine> bench_lines(const std::vector<performance::PlacedProgram>& programs,
                                   std::uint32_t config_address, std::uint32_t identity) {
    constexpr std::uint64_t kAll = 0xffffffff, kEnableAtReset = Control::kEvents;
    const auto at = [&](Control::Register word, std::uint32_t byte = 0) -> std::uint64_t {
        return config_address + static_cast<std::uint32_t>(word) * kWordBytes + byte;
    };
    const std::uint64_t status = at(Control::Register::status);
    std::vector<BenchLine> lines = {
        {'r', at(Control::Register::identity), identity, kAll, 0, "IDENTITY"},
        {'r', at(Control::Register::status, 4), kEnableAtReset, kAll, 0, "INTERRUPT_ENABLE"}};
    for (const performance::PlacedProgram& program : programs) {
        lines.push_back({'w', status, Control::kEvents, 0, 0, "STATUS"});
        lines.push_back(
            {'w', at(Control::Register::program), program.address, 0, 0, "PROGRAM_ADDRESS"});
        lines.push_back({'w', at(Control::Register::program, 4), program.instructions.size(), 0, 0,
                         "PROGRAM_COUNT"});
        lines.push_back({'w', at(Control::Register::command), 1, 0, 0, "GO"});
        lines.push_back({'v', 1, 1, 1, 0, "irq"});
        lines.push_back({'r', status, Control::kDone, kAll, 0, "STATUS"});
        for (const Module module : kModules) {
            const auto ended =
                std::count_if(program.instructions.begin(), program.instructions.end(),
                              [&](const Instruction& i) { return i.module == module; });
            lines.push_back(
                {'r', at(Control::Register::ended, 4 * static_cast<std::uint32_t>(number(module))),
                 static_cast<std::uint64_t>(ended), kAll, 0,
                 std::string(module_name(module)) + "_ENDED"});
        }
    }
    return lines;
}

}  // namespace macrame::systolic::run
