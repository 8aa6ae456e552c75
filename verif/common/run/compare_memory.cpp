#include "verif/common/run/compare_memory.hpp"

#include <set>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr std::size_t kMaxDifferences = 10;

std::string byte_text(const WrittenMemory& side, std::uint64_t addr) {
    return std::string(side.device) + " " + text::hex_digits(side.memory.peek(addr), 2) +
           (side.memory.was_written(addr) ? "" : " (not written)");
}

}  // namespace

std::optional<std::uint64_t> compare_memory(const WrittenMemory& a, const WrittenMemory& b,
                                            std::vector<std::string>& out) {
    std::set<std::uint64_t> seen;
    for (const auto& [memory, other] :
         {std::pair(&a.memory, &b.memory), std::pair(&b.memory, &a.memory)}) {
        for (const MemoryRange& range : memory->written()) {
            for (std::uint64_t i = 0; i < range.size && seen.size() < kMaxDifferences; ++i) {
                const std::uint64_t addr = range.addr + i;
                if (other->was_written(addr) && memory->peek(addr) == other->peek(addr)) continue;
                if (!seen.insert(addr).second) continue;
                out.push_back(a.memory.name() + " byte " + text::hex(addr) + ": " +
                              byte_text(a, addr) + ", " + byte_text(b, addr));
            }
        }
    }
    if (seen.empty()) return std::nullopt;
    return *seen.begin();
}

}  // namespace macrame::verif::run
