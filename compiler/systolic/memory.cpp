#include "compiler/systolic/memory.hpp"

#include <cstddef>
#include <cstdint>

#include "compiler/memory.hpp"

namespace macrame::systolic::compiler {

namespace {

constexpr std::uint64_t kAreaAlignment = 64;

void find_uses(std::vector<Area>& areas, const std::vector<Operation>& operations) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
        std::vector<int> used = operations[i].reads;
        used.push_back(operations[i].writes);
        for (const int index : used) {
            Area& area = areas[static_cast<std::size_t>(index)];
            if (area.first < 0) area.first = static_cast<int>(i);
            area.last = static_cast<int>(i);
        }
    }
    for (Area& area : areas) {
        if (!area.keep) continue;
        area.first = 0;
        area.last = static_cast<int>(operations.size());
    }
}

}  // namespace

macrame::compiler::Ends place_areas(std::vector<Area>& areas,
                                    const std::vector<Operation>& operations,
                                    std::optional<std::uint64_t> own_begin) {
    find_uses(areas, operations);
    std::vector<macrame::compiler::Block> blocks;
    std::vector<bool> own;
    for (const Area& area : areas) {
        blocks.push_back(
            {static_cast<std::uint64_t>(area.bytes), kAreaAlignment, area.first, area.last, 0});
        own.push_back(area.bordered);
    }
    macrame::compiler::Ends ends;
    if (own_begin)
        ends = macrame::compiler::plan_apart(blocks, own, *own_begin);
    else
        ends.own = macrame::compiler::plan(blocks);
    for (std::size_t i = 0; i < areas.size(); ++i)
        areas[i].address = static_cast<std::int64_t>(blocks[i].offset);
    const auto aligned = [](std::uint64_t end) {
        return (end + kAreaAlignment - 1) / kAreaAlignment * kAreaAlignment;
    };
    return {aligned(ends.shared), aligned(ends.own)};
}

}  // namespace macrame::systolic::compiler
