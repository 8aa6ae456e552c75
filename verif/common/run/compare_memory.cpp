#include "verif/common/run/compare_memory.hpp"

#include <set>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr std::size_t kMaxDifferences = 10;

std::string byte_text(const Memory& memory, std::uint64_t addr) {
    return text::hex_digits(memory.peek(addr), 2) +
           (memory.was_written(addr) ? "" : " (not written)");
}

}  // namespace

void compare_memory(const Memory& design, const Memory& model, std::vector<std::string>& out) {
    std::set<std::uint64_t> seen;
    for (const auto& [memory, other] : {std::pair(&design, &model), std::pair(&model, &design)}) {
        for (const MemoryRange& range : memory->written()) {
            for (std::uint64_t i = 0; i < range.size && seen.size() < kMaxDifferences; ++i) {
                const std::uint64_t addr = range.addr + i;
                if (other->was_written(addr) && memory->peek(addr) == other->peek(addr)) continue;
                if (!seen.insert(addr).second) continue;
                out.push_back(design.name() + " byte " + text::hex(addr) + ": design " +
                              byte_text(design, addr) + ", model " + byte_text(model, addr));
            }
        }
    }
}

}  // namespace macrame::verif::run
