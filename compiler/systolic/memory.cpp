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

std::int64_t place_areas(std::vector<Area>& areas, const std::vector<Operation>& operations) {
    find_uses(areas, operations);
    std::vector<macrame::compiler::Block> blocks;
    for (const Area& area : areas)
        blocks.push_back(
            {static_cast<std::uint64_t>(area.bytes), kAreaAlignment, area.first, area.last, 0});
    const std::uint64_t end = macrame::compiler::plan(blocks);
    for (std::size_t i = 0; i < areas.size(); ++i)
        areas[i].address = static_cast<std::int64_t>(blocks[i].offset);
    return static_cast<std::int64_t>((end + kAreaAlignment - 1) / kAreaAlignment * kAreaAlignment);
}

}  // namespace macrame::systolic::compiler
