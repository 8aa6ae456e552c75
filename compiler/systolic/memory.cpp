#include "compiler/systolic/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace macrame::systolic::compiler {

namespace {

constexpr std::int64_t kAlignment = 64;

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
    std::vector<std::size_t> order(areas.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return areas[a].bytes > areas[b].bytes;
    });
    std::int64_t end = 0;
    std::vector<const Area*> placed;  // by address
    for (const std::size_t index : order) {
        Area& area = areas[index];
        // The first gap.
        for (const Area* other : placed) {
            if (other->last < area.first || other->first > area.last) continue;
            if (other->address >= area.address + area.bytes) break;
            const std::int64_t behind = other->address + other->bytes;
            area.address = std::max(area.address, (behind + kAlignment - 1) / kAlignment * kAlignment);
        }
        placed.push_back(&area);
        std::sort(placed.begin(), placed.end(),
                  [](const Area* a, const Area* b) { return a->address < b->address; });
        end = std::max(end, area.address + area.bytes);
    }
    return (end + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace macrame::systolic::compiler
