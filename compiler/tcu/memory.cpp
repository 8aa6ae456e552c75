#include "compiler/tcu/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>

#include "compiler/graph/at.hpp"

namespace macrame::tcu::compiler {

namespace {

/// Free ranges, first fit.
class Heap {
public:
    Heap(int first, int end) { free_[first] = end; }

    /// The first of `count` addresses; -1: there is no room.
    int take(int count) {
        for (auto range = free_.begin(); range != free_.end(); ++range) {
            const auto [first, end] = *range;
            if (end - first < count) continue;
            free_.erase(range);
            if (first + count < end) free_[first + count] = end;
            return first;
        }
        return -1;
    }
    void give(int address) {
        auto [range, fresh] = free_.emplace(address, address + 1);
        if (!fresh) return;
        const auto next = std::next(range);
        if (next != free_.end() && next->first == range->second) {
            range->second = next->second;
            free_.erase(next);
        }
        if (range == free_.begin()) return;
        const auto before = std::prev(range);
        if (before->second == range->first) {
            before->second = range->second;
            free_.erase(range);
        }
    }

private:
    std::map<int, int> free_;
};

/// Those that outputs have stay, and with `kept` those of Layers::kept.
std::vector<int> last_uses(const Layers& layers, bool kept) {
    std::vector<int> last = last_reads(layers);
    const auto stay = [&](const std::vector<std::vector<VectorId>>& tensors) {
        for (const std::vector<VectorId>& ids : tensors)
            for (const VectorId id : ids)
                if (id != kZeros)
                    last[at(layers.at(id).index)] = static_cast<int>(layers.layers.size());
    };
    stay(layers.outputs);
    if (kept) stay(layers.kept);
    return last;
}

/// Gives every variable an address; false if there is no room. `dram`: of the memory that holds
/// what is kept, outputs first.
bool allocate(const Layers& layers, Heap& heap, bool dram, std::vector<int>& addresses, int& used) {
    addresses.assign(at(layers.variables), -1);
    const std::vector<int> last = last_uses(layers, dram);
    std::vector<std::vector<int>> ends(layers.layers.size() + 1);
    const auto add = [&](const std::vector<VectorId>& ids, int layer) {
        std::vector<int> fresh;
        for (const VectorId id : ids)
            if (addresses[at(layers.at(id).index)] < 0) fresh.push_back(layers.at(id).index);
        std::sort(fresh.begin(), fresh.end());
        fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
        std::vector<int> ordered;
        for (const VectorId id : ids)
            if (std::binary_search(fresh.begin(), fresh.end(), layers.at(id).index))
                ordered.push_back(layers.at(id).index);
        if (ordered.empty()) return true;
        const int first = heap.take(static_cast<int>(ordered.size()));
        if (first < 0) return false;
        used = std::max(used, first + static_cast<int>(ordered.size()));
        for (std::size_t i = 0; i < ordered.size(); ++i) {
            addresses[at(ordered[i])] = first + static_cast<int>(i);
            ends[at(std::max(last[at(ordered[i])], layer))].push_back(ordered[i]);
        }
        return true;
    };
    for (const auto& input : layers.inputs)
        if (!add(input, 0)) return false;
    for (const auto& output : layers.outputs)
        if (dram && !add(output, 0)) return false;
    for (std::size_t i = 0; i < layers.layers.size(); ++i) {
        std::vector<VectorId> ids;
        for (const Output& output : layers.layers[i].outputs)
            ids.push_back(output.vector);
        if (!add(ids, static_cast<int>(i))) return false;
        for (const int variable : ends[i])
            heap.give(addresses[at(variable)]);
    }
    return true;
}

}  // namespace

std::vector<int> last_reads(const Layers& layers) {
    std::vector<int> last(at(layers.variables), -1);
    for (std::size_t i = 0; i < layers.layers.size(); ++i) {
        const auto use = [&](VectorId id) {
            if (id != kZeros && !layers.at(id).constant)
                last[at(layers.at(id).index)] = static_cast<int>(i);
        };
        for (const Output& output : layers.layers[i].outputs)
            for (const Term& term : output.terms)
                use(term.source);
        for (const WeightSet& set : layers.layers[i].sets)
            for (int row = 0; row < set.vectors(); ++row)
                use(set.first + row);
    }
    return last;
}

namespace {

/// The last vectors are the driver's.
int local_end_of(const Architecture& architecture) { return architecture.local_depth - 1; }
int dram0_end_of(const Architecture& architecture) {
    return static_cast<int>(std::min<std::int64_t>(architecture.dram0_depth, 1 << 30)) - 2;
}

}  // namespace

std::int64_t most_variables(const Architecture& architecture) {
    return std::max(local_end_of(architecture), dram0_end_of(architecture));
}

Placement place(const Layers& layers, const Architecture& architecture, const Strategy& strategy) {
    Placement out;
    const int local_end = local_end_of(architecture), dram0_end = dram0_end_of(architecture);
    if (layers.constant_count() > architecture.dram1_depth)
        out.errors.push_back(fmt::format("{} vectors of constants: want at most {} (dram1_depth)",
                                         layers.constant_count(), architecture.dram1_depth));
    if (strategy.local_constants) {
        out.local_first = layers.constant_count();
        if (out.local_first > local_end)
            out.errors.push_back(
                fmt::format("constants in local memory: {} vectors: want at most {}",
                            out.local_first, local_end));
    }
    out.local.assign(at(layers.variables), -1);
    if (out.errors.empty() && strategy.local_variables) {
        const int room = local_end - out.local_first;
        Heap heap(out.local_first, local_end);
        if (!allocate(layers, heap, false, out.local, out.local_first))
            out.errors.push_back(
                fmt::format("variables in local memory: want room for more than {} vectors", room));
    }
    Heap heap(0, std::max(dram0_end, 0));
    if (strategy.local_variables) {
        out.dram0.assign(at(layers.variables), -1);
        for (const auto* of : {&layers.inputs, &layers.outputs, &layers.kept})
            for (const auto& ids : *of)
                for (const VectorId id : ids) {
                    if (id == kZeros) continue;
                    int& address = out.dram0[at(layers.at(id).index)];
                    if (address < 0) address = out.dram0_used++;
                }
        if (out.dram0_used > dram0_end)
            out.errors.push_back(
                fmt::format("{} vectors of inputs and outputs: want at most {} "
                            "(dram0_depth)",
                            out.dram0_used, dram0_end));
    } else if (!allocate(layers, heap, true, out.dram0, out.dram0_used)) {
        out.errors.push_back(
            fmt::format("variables: want room for more than {} vectors (dram0_depth)", dram0_end));
    }
    return out;
}

// ---------------------------------------------------------------- ring

void Ring::forget(int from, int count) {
    for (int i = from; i < from + count; ++i) {
        VectorId& id = held_[at(i)];
        if (id != kZeros) address_.erase(id);
        id = kZeros;
    }
}

int Ring::take(int count) {
    if (next_ + count > size_) next_ = 0;
    const int first = next_;
    forget(first, count);
    next_ += count;
    return base_ + first;
}

int Ring::find(VectorId id) const {
    const auto found = address_.find(id);
    return found == address_.end() ? -1 : found->second;
}

std::vector<VectorId> Ring::want(const std::vector<VectorId>& wanted) {
    std::vector<VectorId> missing;
    for (const VectorId id : wanted)
        if (find(id) < 0) missing.push_back(id);
    if (missing.empty()) return missing;
    const auto count = static_cast<int>(missing.size());
    const int first = next_ + count > size_ ? 0 : next_;
    const bool disturbs = std::any_of(wanted.begin(), wanted.end(), [&](VectorId id) {
        const int address = find(id);
        return address >= 0 && address - base_ >= first && address - base_ < first + count;
    });
    if (disturbs) {
        for (const VectorId id : wanted)
            if (const int address = find(id); address >= 0) forget(address - base_, 1);
        missing = wanted;
    }
    int address = take(static_cast<int>(missing.size()));
    for (const VectorId id : missing) {
        held_[at(address - base_)] = id;
        address_[id] = address++;
    }
    return missing;
}

}  // namespace macrame::tcu::compiler
