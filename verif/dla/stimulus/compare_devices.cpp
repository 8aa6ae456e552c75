#include "compare_devices.hpp"

#include <algorithm>
#include <utility>

namespace macrame::dla::stimulus {

std::vector<std::string> compare_devices(const trace::Program& program, Side a, Side b,
                                         const trace::PlayOptions& options) {
    constexpr std::size_t kMaxMessages = 20;
    std::vector<std::string> out;
    std::vector<trace::RegisterRead> reads[2];
    int side_number = 0;
    for (const Side* side : {&a, &b}) {
        side->primary.log_writes(true);
        side->secondary.log_writes(true);
        trace::PlayResult result =
            trace::play(program, side->device, side->primary, side->secondary, options);
        for (const std::string& f : result.failures)
            out.push_back(side->name + ": " + f);
        reads[side_number++] = std::move(result.reads);
    }
    if (reads[0].size() != reads[1].size()) out.push_back("different numbers of register reads");
    for (std::size_t i = 0; i < std::min(reads[0].size(), reads[1].size()); ++i) {
        const std::string& name = reads[0][i].name;
        const bool timing =
            name.find("STALL") != std::string::npos || name.find("LATENCY") != std::string::npos;
        if (timing || reads[0][i].value == reads[1][i].value || out.size() >= kMaxMessages) {
            continue;
        }
        out.push_back("read " + std::to_string(i) + ", " + reads[0][i].name + ": " + a.name + " " +
                      std::to_string(reads[0][i].value) + ", " + b.name + " " +
                      std::to_string(reads[1][i].value));
    }
    for (const auto& [left, right] :
         {std::pair(&a.primary, &b.primary), std::pair(&a.secondary, &b.secondary)}) {
        for (const verif::Memory* memory : {left, right}) {
            for (const verif::MemoryRange& range : memory->written()) {
                for (std::uint64_t i = 0; i < range.size && out.size() < kMaxMessages; ++i) {
                    const std::uint64_t addr = range.addr + i;
                    if (left->was_written(addr) && right->was_written(addr) &&
                        left->peek(addr) == right->peek(addr)) {
                        continue;
                    }
                    const auto value = [addr](const verif::Memory& m) {
                        return std::to_string(m.peek(addr)) +
                               (m.was_written(addr) ? "" : " (not written)");
                    };
                    out.push_back("byte at " + std::to_string(addr) + ": " + a.name + " " +
                                  value(*left) + ", " + b.name + " " + value(*right));
                }
            }
        }
    }
    return out;
}

}  // namespace macrame::dla::stimulus
