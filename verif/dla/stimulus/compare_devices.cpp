#include "compare_devices.hpp"

#include <algorithm>

#include "verif/common/run/compare_memory.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::stimulus {

namespace text = verif::text;

/// Registers whose value depends on cycles, not on the program.
static bool depends_on_time(const std::string& reg) {
    for (const char* part : {"STALL", "LATENCY", "MCIF.STATUS", "CVIF.STATUS"}) {
        if (reg.find(part) != std::string::npos) return true;
    }
    return false;
}

void compare_runs(const Played& a, const Played& b, std::vector<std::string>& out) {
    if (a.reads.size() != b.reads.size()) out.push_back("different numbers of register reads");
    for (std::size_t i = 0; i < std::min(a.reads.size(), b.reads.size()); ++i) {
        const trace::RegisterRead &left = a.reads[i], &right = b.reads[i];
        if (left.value == right.value || depends_on_time(left.name)) continue;
        out.push_back("read " + text::shortest(i) + ", " + left.name + ": " + a.name + " " +
                      text::hex(left.value) + ", " + b.name + " " + text::hex(right.value));
    }
    verif::run::compare_memory({a.name, a.primary}, {b.name, b.primary}, out);
    verif::run::compare_memory({a.name, a.secondary}, {b.name, b.secondary}, out);
}

std::vector<std::string> compare_devices(const trace::Trace& program, Side a, Side b,
                                         const trace::PlayOptions& options) {
    std::vector<std::string> out;
    const auto reads = [&](const Side& side) {
        side.primary.log_writes(true);
        side.secondary.log_writes(true);
        const trace::PlayResult result =
            trace::play(program, side.device, side.primary, side.secondary, options);
        for (const std::string& failure : result.failures)
            out.push_back(side.name + ": " + failure);
        return result.reads;
    };
    const auto reads_a = reads(a), reads_b = reads(b);
    compare_runs({a.name, reads_a, a.primary, a.secondary},
                 {b.name, reads_b, b.primary, b.secondary}, out);
    return out;
}

}  // namespace macrame::dla::stimulus
