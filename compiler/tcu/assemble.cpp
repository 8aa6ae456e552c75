#include "compiler/tcu/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/tcu/plan.hpp"
#include "compiler/tcu/strides.hpp"
#include "compiler/tcu/uses.hpp"

namespace macrame::tcu::compiler {

namespace {

Instruction move(Move kind) {
    Instruction out;
    out.opcode = kDataMove;
    out.flags = kind;
    return out;
}

class Assembler {
public:
    Assembler(const Layers& layers, const Architecture& architecture, const Placement& placement,
              const Strategy& strategy, int beats)
        : layers_(layers),
          architecture_(architecture),
          placement_(placement),
          strategy_(strategy),
          beats_(beats),
          strides_(architecture) {
        out_.instructions = Instructions(architecture);
    }

    Assembled run();

private:
    /// A layer with its part of the memories.
    struct Work {
        const Layer& layer;
        Groups groups;
        Plan plan;
        Ring weights, data, staging, accumulators;
        std::vector<bool> begun;  ///< by output: its accumulator has a sum
        Uses uses;                ///< of a tile of sums
    };
    using Pairs = std::vector<Strides::Pair>;

    void emit_layer(const Layer& layer);
    bool add_step_constants(const Layer& layer);
    void emit_tile(Work& work, int group, int first);
    void emit_sums(Work& work, const std::vector<int>& outputs, int accumulators);
    void add_inputs(const std::vector<Use>& uses, std::vector<VectorId>& to) const;
    void emit_set(Work& work, int set, const std::vector<int>& outputs, int accumulators);
    void emit_copies(Work& work, const std::vector<int>& outputs, int accumulators);
    void emit_choice(Work& work, const std::vector<int>& outputs, int accumulators);
    void emit_steps(const Layer& layer, int group, int accumulators, int count);
    void emit_step(const Step& step, int group, int accumulators, int count);
    void save(Work& work, const std::vector<int>& outputs, int accumulators);

    void load(Ring& ring, std::vector<VectorId> wanted);
    void load_weights(Ring& ring, const std::vector<int>& sets, const Layer& layer);
    int local_of(const Ring& ring, VectorId id) const;
    void simd(int op, int left, int right, int dest, int read, int write);
    void set_register(int accumulator);
    void set_address0(std::size_t number, int address) {
        Instruction instruction = out_.instructions[number];
        instruction.address0 = static_cast<std::uint64_t>(address);
        out_.instructions.set(number, instruction);
    }
    void move_pairs(Move kind, const Pairs& pairs) {
        strides_.append(out_.instructions, move(kind), pairs);
    }

    const Layers& layers_;
    const Architecture& architecture_;
    const Placement& placement_;
    const Strategy& strategy_;
    int beats_;
    Strides strides_;
    Assembled out_;
    std::vector<VectorId> step_constants_;  ///< of the layer, by place at the end of accumulators
    bool at_end_ = false;                   ///< of local memory, the next layer
    int register_ = -1;                     ///< accumulator that register 1 holds a copy of
};

constexpr int kZeroRegister = -2;

// ---------------------------------------------------------------- places

bool is_local(const Layers& layers, const Strategy& strategy, VectorId id) {
    return layers.at(id).constant ? strategy.local_constants : strategy.local_variables;
}

int Assembler::local_of(const Ring& ring, VectorId id) const {
    const Vector& vector = layers_.at(id);
    if (!is_local(layers_, strategy_, id)) return ring.find(id);
    return vector.constant ? vector.index : address_of(placement_.local, vector.index);
}

void Assembler::load(Ring& ring, std::vector<VectorId> wanted) {
    wanted.erase(std::remove_if(
                     wanted.begin(), wanted.end(),
                     [&](VectorId id) { return id == kZeros || is_local(layers_, strategy_, id); }),
                 wanted.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    Pairs from0, from1;
    for (const VectorId id : ring.want(wanted)) {
        const Vector& vector = layers_.at(id);
        const int own = vector.constant ? -1 : placement_.dram0[at(vector.index)];
        if (own >= 0)
            from0.push_back({ring.find(id), own});
        else
            from1.push_back({ring.find(id), vector.constant
                                                ? vector.index
                                                : address_of(placement_.dram1, vector.index)});
    }
    strides_.append_any_order(out_.instructions, move(kDram0ToLocal), from0);
    strides_.append_any_order(out_.instructions, move(kDram1ToLocal), from1);
}

void Assembler::load_weights(Ring& ring, const std::vector<int>& sets, const Layer& layer) {
    std::vector<VectorId> wanted;
    for (const int set : sets)
        for (int row = 0; row < layer.sets[at(set)].vectors(); ++row)
            wanted.push_back(layer.sets[at(set)].first + row);
    load(ring, std::move(wanted));
}

// ---------------------------------------------------------------- SIMD

void Assembler::simd(int op, int left, int right, int dest, int read, int write) {
    Instruction out;
    out.opcode = kSimd;
    out.simd_op = op;
    out.simd_left = left;
    out.simd_right = right;
    out.simd_dest = dest;
    if (read >= 0) {
        out.flags |= kSimdRead;
        out.address1 = static_cast<std::uint64_t>(read);
    }
    if (write >= 0) {
        out.flags |= kSimdWrite;
        out.address0 = static_cast<std::uint64_t>(write);
    }
    if (dest != 0) register_ = -1;
    out_.instructions.push_back(out);
}

void Assembler::set_register(int accumulator) {
    if (register_ == accumulator) return;
    if (accumulator == kZeroRegister) {
        simd(kSimdZero, 0, 0, 1, -1, -1);
    } else {
        simd(kSimdMove, 0, 0, 1, accumulator, -1);
    }
    register_ = accumulator;
}

void Assembler::emit_step(const Step& step, int group, int accumulators, int count) {
    int constant = kZeroRegister;
    if (!step.constants.empty()) {
        const auto found =
            std::find(step_constants_.begin(), step_constants_.end(), step.constants[at(group)]);
        constant = architecture_.accumulator_depth - static_cast<int>(step_constants_.size()) +
                   static_cast<int>(found - step_constants_.begin());
    }
    for (int i = accumulators; i < accumulators + count; ++i) {
        set_register(constant);
        switch (step.kind) {
            case StepKind::relu:
            case StepKind::maximum:
                simd(kSimdMax, 0, 1, 0, i, i);
                break;
            case StepKind::minimum:
                simd(kSimdMin, 0, 1, 0, i, i);
                break;
            case StepKind::multiply:
                simd(kSimdMultiply, 0, 1, 0, i, i);
                break;
            case StepKind::leaky:
                simd(kSimdMultiply, 0, 1, 1, i, -1);
                simd(kSimdMax, 0, 1, 0, i, i);
                break;
        }
    }
}

void Assembler::emit_steps(const Layer& layer, int group, int accumulators, int count) {
    for (const Step& step : layer.steps)
        emit_step(step, group, accumulators, count);
}

// ---------------------------------------------------------------- sums

void Assembler::emit_set(Work& work, int set, const std::vector<int>& outputs, int accumulators) {
    const WeightSet& weights = work.layer.sets[at(set)];
    Instruction shift;
    shift.opcode = kLoadWeights;
    shift.size = static_cast<std::uint64_t>(weights.vectors());
    shift.address0 = static_cast<std::uint64_t>(local_of(work.weights, weights.first));
    out_.instructions.push_back(shift);
    if (!weights.bias) {
        shift = {};
        shift.opcode = kLoadWeights;
        shift.flags = kLoadWeightsZeroes;
        out_.instructions.push_back(shift);
    }
    // The terms with this set: the first of each output, then the second, ...
    for (int pass = 0;; ++pass) {
        Pairs fresh, more, zeros;
        for (const Use& use : work.uses.of(set)) {
            if (use.before != pass) continue;
            const int accumulator = accumulators + use.output;
            const std::size_t output = at(outputs[at(use.output)]);
            const bool first = !work.begun[output];
            work.begun[output] = true;
            if (use.source == kZeros)
                zeros.push_back({0, accumulator});
            else
                (first ? fresh : more).push_back({local_of(work.data, use.source), accumulator});
        }
        if (fresh.empty() && more.empty() && zeros.empty()) break;
        Instruction product;
        product.opcode = kMatMul;
        strides_.append(out_.instructions, product, fresh);
        product.flags = kMatMulAccumulate;
        strides_.append(out_.instructions, product, more);
        product.flags = kMatMulZeroes;
        // Address 0 counts for nothing: any stride does.
        for (std::size_t i = 0; i < zeros.size(); ++i)
            zeros[i].address0 = static_cast<int>(i);
        const std::size_t before = out_.instructions.size();
        strides_.append(out_.instructions, product, zeros);
        for (std::size_t i = before; i < out_.instructions.size(); ++i)
            set_address0(i, 0);
    }
}

/// What is loaded for them, with what is there already: ascending, each once.
void Assembler::add_inputs(const std::vector<Use>& uses, std::vector<VectorId>& to) const {
    const auto before = static_cast<std::ptrdiff_t>(to.size());
    for (const Use& use : uses)
        if (use.source != kZeros && !is_local(layers_, strategy_, use.source))
            to.push_back(use.source);
    if (!std::is_sorted(to.begin() + before, to.end())) std::sort(to.begin() + before, to.end());
    std::inplace_merge(to.begin(), to.begin() + before, to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
}

void Assembler::emit_sums(Work& work, const std::vector<int>& outputs, int accumulators) {
    // The set that begins all sums, then the others in their order.
    work.uses.note(outputs);
    std::vector<int> sets = work.uses.sets();
    const auto begin =
        std::find(sets.begin(), sets.end(), work.layer.outputs[at(outputs[0])].terms[0].set);
    std::rotate(sets.begin(), begin, begin + 1);
    // Sets one behind the other: few, so that the array begins soon, and less than fit, so that
    // more are loaded while it works.
    const int most_weights = std::min(work.plan.weights / 2, 4 * architecture_.array_size);
    for (std::size_t first = 0; first < sets.size();) {
        std::vector<int> chunk;
        std::vector<VectorId> data;
        int vectors = 0;
        for (std::size_t i = first; i < sets.size(); ++i) {
            vectors += work.layer.sets[at(sets[i])].vectors();
            std::vector<VectorId> more = data;
            add_inputs(work.uses.of(sets[i]), more);
            const bool fits = (work.weights.size() == 0 || vectors <= most_weights) &&
                              static_cast<int>(more.size()) <= work.plan.data;
            if (!chunk.empty() && !fits) break;
            chunk.push_back(sets[i]);
            data = std::move(more);
        }
        load_weights(work.weights, chunk, work.layer);
        load(work.data, std::move(data));
        for (const int set : chunk)
            emit_set(work, set, outputs, accumulators);
        first += chunk.size();
    }
}

// ---------------------------------------------------------------- others

void Assembler::emit_copies(Work& work, const std::vector<int>& outputs, int accumulators) {
    std::vector<VectorId> data;
    for (const int output : outputs)
        data.push_back(work.layer.outputs[at(output)].terms[0].source);
    load(work.data, data);
    Pairs pairs;
    for (std::size_t i = 0; i < data.size(); ++i)
        pairs.push_back({local_of(work.data, data[i]), accumulators + static_cast<int>(i)});
    move_pairs(kLocalToAccumulator, pairs);
}

void Assembler::emit_choice(Work& work, const std::vector<int>& outputs, int accumulators) {
    std::vector<VectorId> data;
    for (const int output : outputs)
        for (const Term term : work.layer.outputs[at(output)].terms)
            data.push_back(term.source);
    std::sort(data.begin(), data.end());
    data.erase(std::unique(data.begin(), data.end()), data.end());
    load(work.data, data);
    const int base = work.accumulators.take(static_cast<int>(data.size()));
    Pairs pairs;
    for (std::size_t i = 0; i < data.size(); ++i)
        pairs.push_back({local_of(work.data, data[i]), base + static_cast<int>(i)});
    move_pairs(kLocalToAccumulator, pairs);
    const auto place = [&](VectorId id) {
        return base +
               static_cast<int>(std::lower_bound(data.begin(), data.end(), id) - data.begin());
    };
    const Combine combine = work.layer.combine;
    const int op = combine == Combine::maximum   ? kSimdMax
                   : combine == Combine::minimum ? kSimdMin
                                                 : kSimdMultiply;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = work.layer.outputs[at(outputs[i])];
        const int to = accumulators + static_cast<int>(i);
        if (output.terms.size() == 1) {
            simd(kSimdMove, 0, 0, 0, place(output.terms[0].source), to);
            continue;
        }
        int first = place(output.terms[0].source);
        if (!work.layer.before.empty()) {
            const Step scale{StepKind::multiply, work.layer.before};
            emit_step(scale, output.group, first, 1);
            set_address0(out_.instructions.size() - 1, to);
            first = to;
        }
        simd(kSimdMove, 0, 0, 1, first, -1);
        for (std::size_t term = 1; term < output.terms.size(); ++term) {
            const bool last = term + 1 == output.terms.size();
            simd(op, 0, 1, last ? 0 : 1, place(output.terms[term].source), last ? to : -1);
        }
    }
    register_ = -1;
}

// ---------------------------------------------------------------- layers

void Assembler::save(Work& work, const std::vector<int>& outputs, int accumulators) {
    Pairs to_local, to_dram0, to_dram1;
    int staging = -1;
    if (!strategy_.local_variables) staging = work.staging.take(static_cast<int>(outputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const int variable = layers_.at(work.layer.outputs[at(outputs[i])].vector).index;
        const int local =
            staging < 0 ? placement_.local[at(variable)] : staging + static_cast<int>(i);
        to_local.push_back({local, accumulators + static_cast<int>(i)});
        const int dram0 = address_of(placement_.dram0, variable);
        const int dram1 = address_of(placement_.dram1, variable);
        if (dram0 >= 0) to_dram0.push_back({local, dram0});
        if (dram1 >= 0) to_dram1.push_back({local, dram1});
    }
    move_pairs(kAccumulatorToLocal, to_local);
    move_pairs(kLocalToDram0, to_dram0);
    move_pairs(kLocalToDram1, to_dram1);
}

void Assembler::emit_tile(Work& work, int group, int first) {
    const std::vector<int>& all = work.groups.outputs[at(group)];
    const int end = std::min(first + work.plan.tile, static_cast<int>(all.size()));
    if (first >= end) return;
    const std::vector<int> outputs(all.begin() + first, all.begin() + end);
    const auto count = static_cast<int>(outputs.size());
    const int accumulators = work.accumulators.take(count);
    switch (work.layer.combine) {
        case Combine::sum:
            emit_sums(work, outputs, accumulators);
            break;
        case Combine::copy:
            emit_copies(work, outputs, accumulators);
            break;
        default:
            emit_choice(work, outputs, accumulators);
            break;
    }
    emit_steps(work.layer, group, accumulators, count);
    save(work, outputs, accumulators);
}

bool Assembler::add_step_constants(const Layer& layer) {
    step_constants_.clear();
    const auto add = [&](const std::vector<VectorId>& ids) {
        for (const VectorId id : ids)
            if (std::count(step_constants_.begin(), step_constants_.end(), id) == 0)
                step_constants_.push_back(id);
    };
    for (const Step& step : layer.steps)
        add(step.constants);
    add(layer.before);
    register_ = -1;
    return static_cast<int>(step_constants_.size()) < architecture_.accumulator_depth / 2;
}

void Assembler::emit_layer(const Layer& layer) {
    Room room;
    const int local_end = architecture_.local_depth - 1;
    const bool fits = add_step_constants(layer);
    const auto constants = static_cast<int>(step_constants_.size());
    room.local = local_end - placement_.local_first - (strategy_.local_constants ? 0 : constants);
    room.accumulators = architecture_.accumulator_depth - constants;
    room.beats = beats_;
    room.swap = architecture_.array_size + 1;
    room.weights_local =
        std::all_of(layer.sets.begin(), layer.sets.end(),
                    [&](const WeightSet& set) { return is_local(layers_, strategy_, set.first); });
    room.data_local = strategy_.local_variables;
    for (const Output& output : layer.outputs)
        for (const Term term : output.terms)
            if (term.source != kZeros && !is_local(layers_, strategy_, term.source))
                room.data_local = false;
    Groups groups = groups_of(layer);
    const std::optional<Plan> found = fits ? plan(layer, groups, room) : std::nullopt;
    if (!found) {
        out_.refused.push_back(
            {layer.node,
             fmt::format("layer {}: one output at a time takes more than {} vectors of local "
                         "memory and {} accumulators: want a larger local-depth or "
                         "accumulator-depth",
                         layer.name, room.local, room.accumulators)});
        return;
    }
    // Layers lie at either end in turns, so that the next one can load in advance.
    const int own =
        (strategy_.local_constants ? 0 : constants) + found->weights + found->data + found->staging;
    int local = at_end_ ? local_end - own : placement_.local_first;
    at_end_ = !at_end_;
    const auto take = [&](int count) {
        const int first = local;
        local += count;
        return first;
    };
    Ring small(strategy_.local_constants ? 0 : take(constants), constants);
    if (constants > 0) {
        std::vector<VectorId> wanted = step_constants_;
        load(small, wanted);
        Pairs pairs;
        for (int i = 0; i < constants; ++i)
            pairs.push_back({local_of(small, step_constants_[at(i)]),
                             architecture_.accumulator_depth - constants + i});
        move_pairs(kLocalToAccumulator, pairs);
    }
    const int weights = take(found->weights), data = take(found->data);
    Work work{layer,
              std::move(groups),
              *found,
              Ring(weights, found->weights),
              Ring(data, found->data),
              Ring(take(found->staging), found->staging),
              Ring(0, room.accumulators),
              std::vector<bool>(layer.outputs.size()),
              Uses(layer)};
    const auto group_count = static_cast<int>(work.groups.outputs.size());
    const int positions = work.groups.positions;
    if (found->groups_outside) {
        for (int group = 0; group < group_count; ++group)
            for (int first = 0; first < positions; first += found->tile)
                emit_tile(work, group, first);
    } else {
        for (int first = 0; first < positions; first += found->tile)
            for (int group = 0; group < group_count; ++group)
                emit_tile(work, group, first);
    }
}

Assembled Assembler::run() {
    out_.errors = placement_.errors;
    if (!out_.errors.empty()) return std::move(out_);
    Pairs inputs;
    // Where outputs are views of inputs, nothing has to be moved.
    if (strategy_.local_variables && !layers_.layers.empty()) {
        for (const auto& input : layers_.inputs)
            for (const VectorId id : input)
                inputs.push_back({placement_.local[at(layers_.at(id).index)],
                                  placement_.dram0[at(layers_.at(id).index)]});
        move_pairs(kDram0ToLocal, inputs);
    }
    for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
        emit_layer(layers_.layers[i]);
        out_.layers.resize(out_.instructions.size(), static_cast<int>(i));
    }
    return std::move(out_);
}

}  // namespace

Assembled assemble(const Layers& layers, const Architecture& architecture,
                   const Placement& placement, const Strategy& strategy, int beats) {
    return Assembler(layers, architecture, placement, strategy, beats).run();
}

}  // namespace macrame::tcu::compiler
