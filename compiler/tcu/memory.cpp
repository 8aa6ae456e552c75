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

/// A memory for variables.
struct Bank {
    Heap heap;
    std::vector<int> addresses;  ///< as in Placement
    int used;

    Bank(int first, int end) : heap(first, end), used(first) {}
};

/// When those of the program get a place: before all else or with the layer that begins to write
/// them, all at once as files have them; or as what any layer makes.
enum class Outputs { first, late, anywhere };

/// `in_place`: results may take the place of what they are made of.
struct Way {
    Outputs outputs;
    bool in_place;
};

/// Gives every variable an address in one of the banks.
class Allocation {
public:
    /// What stays to the end of the program (`last` is the number of layers) lies in the first
    /// bank.
    Allocation(const Layers& layers, const std::vector<int>& last, std::vector<Bank>& banks)
        : layers_(layers),
          last_(last),
          banks_(banks),
          ends_(layers.layers.size() + 1),
          replaced_(at(layers.variables)) {}

    /// False if there is no room.
    bool run(const Way& way) {
        for (const auto& input : layers_.inputs)
            if (!add(input, 0, 1)) return false;
        for (const auto& output : layers_.outputs)
            if (way.outputs == Outputs::first && !add(output, 0, 1)) return false;
        for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
            const auto number = static_cast<int>(i);
            std::vector<VectorId> ids;
            for (const Output& output : layers_.layers[i].outputs)
                ids.push_back(output.vector);
            if (way.outputs == Outputs::late && !add_outputs(ids, number)) return false;
            if (!(way.in_place && replace(number)) && !add(ids, number, banks_.size()))
                return false;
            for (const int variable : ends_[i])
                if (!replaced_[at(variable)]) give(variable);
        }
        return true;
    }

private:
    int variable(VectorId id) const { return layers_.at(id).index; }
    bool is_variable(VectorId id) const { return id != kZeros && !layers_.at(id).constant; }
    bool has_place(int variable) const {
        return std::any_of(banks_.begin(), banks_.end(),
                           [&](const Bank& bank) { return bank.addresses[at(variable)] >= 0; });
    }
    bool stays(int variable) const {
        return last_[at(variable)] >= static_cast<int>(layers_.layers.size());
    }
    void give(int variable) {
        for (Bank& bank : banks_)
            if (const int address = bank.addresses[at(variable)]; address >= 0)
                bank.heap.give(address);
    }
    void put(Bank& bank, int variable, int address, int layer) {
        bank.addresses[at(variable)] = address;
        bank.used = std::max(bank.used, address + 1);
        ends_[at(std::max(last_[at(variable)], layer))].push_back(variable);
    }

    /// Outputs of the program that a layer begins to write.
    bool add_outputs(const std::vector<VectorId>& ids, int layer) {
        std::vector<bool> written(at(layers_.variables));
        for (const VectorId id : ids)
            written[at(variable(id))] = true;
        for (const auto& output : layers_.outputs) {
            const bool begins = std::any_of(output.begin(), output.end(), [&](VectorId id) {
                return id != kZeros && written[at(variable(id))];
            });
            if (begins && !add(output, layer, 1)) return false;
        }
        return true;
    }

    /// Those of a layer that have no place yet, in the first of so many banks that has room.
    bool add(const std::vector<VectorId>& ids, int layer, std::size_t banks) {
        std::vector<int> fresh;
        for (const VectorId id : ids)
            if (!has_place(variable(id))) fresh.push_back(variable(id));
        std::sort(fresh.begin(), fresh.end());
        fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
        std::vector<int> ordered;
        for (const VectorId id : ids)
            if (std::binary_search(fresh.begin(), fresh.end(), variable(id)))
                ordered.push_back(variable(id));
        if (ordered.empty()) return true;
        if (std::any_of(ordered.begin(), ordered.end(), [&](int v) { return stays(v); })) banks = 1;
        for (std::size_t b = 0; b < banks; ++b) {
            int address = banks_[b].heap.take(static_cast<int>(ordered.size()));
            if (address < 0) continue;
            for (const int variable : ordered)
                put(banks_[b], variable, address++, layer);
            return true;
        }
        return false;
    }

    /// Where each output of a layer reads one vector of those that lie one behind the other and
    /// nobody reads later, outputs take the places of these.
    bool replace(int layer) {
        const std::vector<Output>& outputs = layers_.layers[at(layer)].outputs;
        if (std::any_of(outputs.begin(), outputs.end(),
                        [&](const Output& one) { return has_place(variable(one.vector)); }))
            return false;
        for (std::size_t b = 0; b < banks_.size(); ++b) {
            for (const Term term : outputs[0].terms) {
                if (!is_variable(term.source)) continue;
                const int first = banks_[b].addresses[at(variable(term.source))];
                if (first < 0 || !may_replace(layer, b, first)) continue;
                take_places(layer, banks_[b], first);
                return true;
            }
        }
        return false;
    }

    bool may_replace(int layer, std::size_t number, int first) const {
        const Layer& of = layers_.layers[at(layer)];
        const Bank& bank = banks_[number];
        const auto count = static_cast<int>(of.outputs.size());
        // -1: not among the places.
        const auto place = [&](VectorId id) {
            if (!is_variable(id)) return -1;
            const int address = bank.addresses[at(variable(id))];
            return address >= first && address < first + count ? address - first : -1;
        };
        for (int i = 0; i < count; ++i) {
            const Output& output = of.outputs[at(i)];
            if (number > 0 && stays(variable(output.vector))) return false;
            bool found = false;
            for (const Term term : output.terms) {
                const int at_place = place(term.source);
                if (at_place < 0) continue;
                if (at_place != i || last_[at(variable(term.source))] != layer) return false;
                found = true;
            }
            if (!found) return false;
        }
        for (const WeightSet& set : of.sets)
            for (int row = 0; row < set.vectors(); ++row)
                if (place(set.first + row) >= 0) return false;
        return true;
    }

    void take_places(int layer, Bank& bank, int first) {
        for (const Output& output : layers_.layers[at(layer)].outputs) {
            for (const Term term : output.terms)
                if (is_variable(term.source) && bank.addresses[at(variable(term.source))] == first)
                    replaced_[at(variable(term.source))] = true;
            put(bank, variable(output.vector), first++, layer);
        }
    }

    const Layers& layers_;
    const std::vector<int>& last_;
    std::vector<Bank>& banks_;
    std::vector<std::vector<int>> ends_;  ///< variables by their last layer
    std::vector<bool> replaced_;          ///< by variable: others have its place
};

/// Banks with addresses in them, as they are where there is no room. What fits without them does
/// without the later ways, and without other banks than the first.
std::vector<Bank> allocate(const Layers& layers, const std::vector<Bank>& empty, bool dram,
                           bool& fits) {
    using Ways = std::vector<Way>;
    const Ways ways =
        dram ? Ways{{Outputs::first, false}, {Outputs::first, true}, {Outputs::late, true}}
             : Ways{{Outputs::anywhere, false}, {Outputs::anywhere, true}};
    const std::vector<int> last = last_uses(layers, dram);
    for (const Way& way : ways) {
        std::vector<Bank> banks = empty;
        if (!way.in_place) banks.erase(banks.begin() + 1, banks.end());
        for (Bank& bank : banks)
            bank.addresses.assign(at(layers.variables), -1);
        fits = Allocation(layers, last, banks).run(way);
        if (!fits) continue;
        banks.insert(banks.end(), empty.begin() + static_cast<std::ptrdiff_t>(banks.size()),
                     empty.end());
        return banks;
    }
    return empty;
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
            for (const Term term : output.terms)
                use(term.source);
        for (const WeightSet& set : layers.layers[i].sets)
            for (int row = 0; row < set.vectors(); ++row)
                use(set.first + row);
    }
    return last;
}

namespace {

int end_of(std::int64_t depth, int of_driver) {
    return static_cast<int>(std::min<std::int64_t>(depth, 1 << 30)) - of_driver;
}
int local_end_of(const Architecture& architecture) {
    return end_of(architecture.local_depth, kLocalOfDriver);
}
int dram0_end_of(const Architecture& architecture) {
    return std::max(end_of(architecture.dram0_depth, kDram0OfDriver), 0);
}
int dram1_end_of(const Architecture& architecture) { return end_of(architecture.dram1_depth, 0); }

/// Where variables stay in local memory, DRAM0 has what files have.
void place_files(const Layers& layers, int end, Placement& out) {
    for (const auto* of : {&layers.inputs, &layers.outputs, &layers.kept})
        for (const auto& ids : *of)
            for (const VectorId id : ids) {
                if (id == kZeros) continue;
                int& address = out.dram0[at(layers.at(id).index)];
                if (address < 0) address = out.dram0_used++;
            }
    if (out.dram0_used > end)
        out.errors.push_back(
            fmt::format("{} vectors of inputs and outputs: want at most {} (dram0_depth); a larger "
                        "dram0-depth, or a network for smaller inputs would do",
                        out.dram0_used, end));
}

}  // namespace

std::int64_t most_variables(const Architecture& architecture, bool shared) {
    const std::int64_t dram1 = shared ? 0 : dram1_end_of(architecture);
    return std::max<std::int64_t>(local_end_of(architecture), dram0_end_of(architecture) + dram1);
}

Placement place(const Layers& layers, const Architecture& architecture, const Strategy& strategy,
                bool shared) {
    Placement out;
    const int local_end = local_end_of(architecture), dram0_end = dram0_end_of(architecture);
    const int dram1_end = dram1_end_of(architecture), constants = layers.constant_count();
    if (constants > dram1_end)
        out.errors.push_back(
            fmt::format("{} vectors of constants: want at most {} (dram1_depth); a larger "
                        "dram1-depth or array-size would do",
                        constants, dram1_end));
    if (strategy.local_constants) {
        out.local_first = constants;
        if (out.local_first > local_end)
            out.errors.push_back(
                fmt::format("constants in local memory: {} vectors: want at most {}; another "
                            "--strategy or a larger local-depth would do",
                            out.local_first, local_end));
    }
    out.dram1_used = constants;
    if (!out.errors.empty()) return out;
    bool fits = true;
    if (strategy.local_variables) {
        const int room = local_end - out.local_first;
        Bank local =
            std::move(allocate(layers, {Bank(out.local_first, local_end)}, false, fits)[0]);
        out.local = std::move(local.addresses);
        out.local_first = local.used;
        if (!fits)
            out.errors.push_back(
                fmt::format("variables in local memory: want room for more than {} vectors; "
                            "another --strategy or a larger local-depth would do",
                            room));
        out.dram0.assign(at(layers.variables), -1);
        place_files(layers, dram0_end, out);
        return out;
    }
    std::vector<Bank> banks = {Bank(0, dram0_end)};
    if (!shared) banks.emplace_back(constants, dram1_end);
    banks = allocate(layers, banks, true, fits);
    out.dram0 = std::move(banks[0].addresses);
    out.dram0_used = banks[0].used;
    if (!shared) {
        out.dram1 = std::move(banks[1].addresses);
        out.dram1_used = banks[1].used;
    }
    if (!fits)
        out.errors.push_back(fmt::format(
            "variables: want room for more than {} vectors (dram0_depth) and {}", dram0_end,
            shared ? "none in DRAM1, which has the constants of several networks: a program of its "
                     "own for each network, or a larger dram0-depth would do"
                   : fmt::format("{} behind the constants (dram1_depth): a larger dram0-depth, "
                                 "dram1-depth or array-size, or a network for smaller inputs would "
                                 "do",
                                 dram1_end - constants)));
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
