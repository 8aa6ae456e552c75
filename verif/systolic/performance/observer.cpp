#include "verif/systolic/performance/observer.hpp"

#include <algorithm>

#include "verif/common/text.hpp"
#include "verif/systolic/isa/assembly.hpp"

namespace macrame::systolic::performance {

namespace {

using verif::text::pad_left;
using verif::text::pad_right;
using verif::text::shortest;

constexpr std::size_t kNameColumns = 14, kNumberColumns = 12;

std::uint64_t sum_of(const ActivityCycles& cycles) {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : cycles)
        sum += one;
    return sum;
}

}  // namespace

Observer::Observer(const std::vector<Instruction>& program) : instructions_(program.size()) {
    for (std::size_t i = 0; i < program.size(); ++i)
        of_module_[number(program[i].module)].push_back(i);
}

void Observer::before(const cycles::Top& machine, const cycles::WriteAnswer& store) {
    if (!machine.busy()) return;
    for (const Module module : kModules) {
        const cycles::Top::Doing doing = machine.doing(module, store);
        const std::size_t m = number(module), activity = cycles::number(doing.activity);
        ++modules_[m][activity];
        if (doing.instruction)
            ++instructions_[of_module_[m][*doing.instruction]].cycles[activity];
    }
    ++cycle_;
}

void Observer::after(const cycles::Top& machine) {
    const cycles::Resolver::Progress& now = machine.progress();
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        const auto note = [&](std::size_t& seen, std::size_t count,
                              std::uint64_t InstructionTimes::*time) {
            if (seen != count) instructions_[of_module_[m][seen]].*time = cycle_;
            seen = count;
        };
        note(seen_.queued[m], now.queued[m], &InstructionTimes::queued);
        note(seen_.begun[m], now.begun[m], &InstructionTimes::begun);
        note(seen_.ended[m], now.ended[m], &InstructionTimes::ended);
    }
}

std::string times_csv(const std::vector<Instruction>& program, const Observer& observer) {
    std::string out = "index,module,instruction,queued,begun,ended";
    for (const std::string_view name : cycles::kActivityNames)
        out += "," + std::string(name);
    out += "\n";
    for (std::size_t i = 0; i < program.size(); ++i) {
        const InstructionTimes& times = observer.instructions()[i];
        out += shortest(i) + "," + std::string(module_name(program[i].module)) + "," +
               assembly_text(program[i]);
        for (const std::uint64_t time : {times.queued, times.begun, times.ended})
            out += "," + shortest(time);
        for (const std::uint64_t cycles : times.cycles)
            out += "," + shortest(cycles);
        out += "\n";
    }
    return out;
}

std::vector<std::string> activity_table(const Observer& observer) {
    std::string head = pad_right("cycles of", kNameColumns);
    for (const Module module : kModules)
        head += pad_left(std::string(module_name(module)), kNumberColumns);
    std::vector<std::string> lines = {head};
    std::string all = pad_right("all", kNameColumns);
    for (std::size_t a = 0; a < cycles::kActivities; ++a) {
        std::string line = pad_right(std::string(cycles::kActivityNames[a]), kNameColumns);
        bool some = false;
        for (const ActivityCycles& module : observer.modules()) {
            line += pad_left(shortest(module[a]), kNumberColumns);
            some = some || module[a] != 0;
        }
        if (some) lines.push_back(line);
    }
    for (const ActivityCycles& module : observer.modules())
        all += pad_left(shortest(sum_of(module)), kNumberColumns);
    lines.push_back(all);
    return lines;
}

}  // namespace macrame::systolic::performance
