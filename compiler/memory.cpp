#include "compiler/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace macrame::compiler {

namespace {

bool at_once(const Block& a, const Block& b) { return a.first <= b.last && b.first <= a.last; }

bool share_bytes(const Block& a, const Block& b) {
    return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// Indices in an order of blocks.
template <class Before>
std::vector<std::size_t> sorted(const std::vector<Block>& blocks, const Before& before) {
    std::vector<std::size_t> order(blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return before(blocks[a], blocks[b]); });
    return order;
}

/// The lowest place for `block` beside these, which are in the order of their offsets.
std::uint64_t lowest(Block block, const std::vector<const Block*>& placed) {
    block.offset = 0;
    for (const Block* other : placed) {
        if (!at_once(block, *other) || !share_bytes(block, *other)) continue;
        const std::uint64_t behind = other->offset + other->bytes;
        block.offset = (behind + block.alignment - 1) / block.alignment * block.alignment;
    }
    return block.offset;
}

}  // namespace

std::uint64_t plan(std::vector<Block>& blocks) {
    std::vector<const Block*> placed;
    std::uint64_t end = 0;
    for (const std::size_t index :
         sorted(blocks, [](const Block&a, const Block&b) { return a.bytes > b.bytes; })) {
        Block& block = blocks[index];
        block.offset = lowest(block, placed);
        const auto behind =
            std::upper_bound(placed.begin(), placed.end(), &block,
                             [](const Block* a, const Block* b) { return a->offset < b->offset; });
        placed.insert(behind, &block);
        end = std::max(end, block.offset + block.bytes);
    }
    if (const auto found = clash(blocks))
        throw std::logic_error(
            fmt::format("memory: blocks {} and {} are in use at the same time: want other places",
                        found->first, found->second));
    return end;
}

Ends plan_apart(std::vector<Block>& blocks, const std::vector<bool>& own, std::uint64_t begin) {
    const auto plan_those = [&](bool wanted, std::uint64_t base) {
        std::vector<Block> some;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (own[i] == wanted) some.push_back(blocks[i]);
        const std::uint64_t end = plan(some);
        std::size_t next = 0;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (own[i] == wanted) blocks[i].offset = base + some[next++].offset;
        return base + end;
    };
    Ends ends;
    ends.shared = plan_those(false, 0);
    std::uint64_t alignment = 1;
    for (const Block& block : blocks)
        alignment = std::max(alignment, block.alignment);
    const std::uint64_t behind = (ends.shared + alignment - 1) / alignment * alignment;
    ends.own = plan_those(true, std::max(begin, behind));
    return ends;
}

std::optional<std::pair<std::size_t, std::size_t>> clash(const std::vector<Block>& blocks) {
    const std::vector<std::size_t> order =
        sorted(blocks, [](const Block& a, const Block& b) { return a.offset < b.offset; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Block& block = blocks[order[i]];
        for (std::size_t n = i + 1; n < order.size(); ++n) {
            const Block& next = blocks[order[n]];
            if (next.offset >= block.offset + block.bytes) break;
            if (at_once(block, next) && share_bytes(block, next))
                return std::make_pair(order[i], order[n]);
        }
    }
    return std::nullopt;
}

}  // namespace macrame::compiler
