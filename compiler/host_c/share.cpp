#include "compiler/host_c/share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/memory.hpp"

namespace macrame::compiler::host_c {

using graph::TensorId;

namespace {

constexpr std::uint64_t kAlignment = 8;  // of the largest elements

class Maker {
public:
    Maker(const graph::Graph& graph, const std::vector<Part>& parts, Constants& constants)
        : graph_(graph), parts_(parts), constants_(constants) {}

    Share run() {
        for (const Part& part : parts_) {
            if (part.hardware)
                add_program(part);
            else
                add_host(part.nodes);
        }
        if (!share_.problem.empty()) return std::move(share_);
        find_residents();
        place_ends();
        place_rest();
        return std::move(share_);
    }

private:
    static std::vector<int> whole(const Part& part, const std::vector<int>& nodes) {
        std::vector<int> out;
        for (const int node : nodes)
            out.push_back(part.cut.nodes[at(node)]);
        return out;
    }
    static std::vector<TensorId> whole_tensors(const Part& part, const std::vector<TensorId>& ids) {
        std::vector<TensorId> out;
        for (const TensorId id : ids)
            out.push_back(part.cut.whole(id));
        return out;
    }

    void add_program(const Part& part) {
        add_host(whole(part, part.compiled.host_first));
        Step step;
        step.part = &part;
        step.inputs = whole_tensors(part, part.compiled.inputs);
        step.outputs = whole_tensors(part, part.compiled.outputs);
        for (const TensorId id : step.inputs)
            use(id);
        if (const OwnProgram* program = part.compiled.own.get()) {
            const std::vector<CodedTensor> in = program->coded_inputs(),
                                           out = program->coded_outputs();
            for (std::size_t i = 0; i < in.size(); ++i)
                step.encoded.push_back(
                    coding(encoding_of(graph_, step.inputs[i], in[i], constants_), in[i], time_++));
            for (std::size_t i = 0; i < out.size(); ++i)
                step.decoded.push_back(
                    coding(decoding_of(graph_, step.outputs[i], out[i], constants_), out[i], 0));
            // One after the other behind the program, when all outputs have to have their memory.
            for (const TensorId id : step.inputs)
                use(id);
        }
        ++time_;
        for (const program::Command& command : part.compiled.program.commands) {
            if (command.code != program::Code::host) continue;
            const HostOperator& own = part.compiled.host[command.value];
            Operation operation = made(part.cut.nodes[at(own.node)]);
            operation.number = static_cast<int>(command.value);
            const auto moved = [&](const std::vector<HostOperator::Value>& values) {
                std::vector<Transfer> out;
                for (const HostOperator::Value& value : values)
                    out.push_back({part.cut.whole(value.id), value.place});
                return out;
            };
            operation.reads = moved(own.reads);
            operation.writes = moved(own.writes);
            step.operations.push_back(std::move(operation));
        }
        for (const TensorId id : step.outputs)
            use(id);
        for (const Coding& coding : step.decoded) {
            for (const std::uint64_t block : coding.scratch)
                blocks_[block].first = blocks_[block].last = time_;
        }
        ++time_;
        share_.steps.push_back(std::move(step));
        add_host(whole(part, part.compiled.host_nodes));
    }

    void add_host(const std::vector<int>& nodes) {
        if (nodes.empty()) return;
        if (share_.steps.empty() || share_.steps.back().part != nullptr)
            share_.steps.emplace_back();
        for (const int node : nodes)
            share_.steps.back().operations.push_back(made(node));
    }

    Operation made(int index) {
        const graph::Node& node = graph_.nodes[at(index)];
        Operation out;
        out.node = index;
        Calls calls = calls_of(graph_, node, constants_);
        if (!calls.problem.empty() && share_.problem.empty())
            share_.problem =
                fmt::format("{}: {}: {}", node.where, graph::name_of(node.op), calls.problem);
        out.calls = std::move(calls.calls);
        for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
            for (const TensorId id : *ids)
                if (id != graph::kNone) use(id);
        }
        for (const std::uint64_t bytes : calls.scratch) {
            out.scratch.push_back(blocks_.size());  // an offset later
            blocks_.push_back({bytes, kAlignment, time_, time_, 0});
        }
        ++time_;
        return out;
    }

    Coding coding(Calls calls, const CodedTensor& coded, int time) {
        Coding out;
        if (!calls.problem.empty() && share_.problem.empty()) share_.problem = calls.problem;
        out.calls = std::move(calls.calls);
        out.vectors = coded.vectors;
        for (const std::uint64_t bytes : calls.scratch) {
            out.scratch.push_back(blocks_.size());  // an offset later
            blocks_.push_back({bytes, kAlignment, time, time, 0});
        }
        return out;
    }

    /// Memory of a tensor is its own from the first time on to the last.
    void use(TensorId id) {
        if (graph_.tensor(id).constant) return;
        const auto [found, added] = uses_.try_emplace(id, std::make_pair(time_, time_));
        if (!added) found->second.second = time_;
    }

    Place constant(TensorId id) {
        return {Place::Kind::constant, 0,
                constants_.add(graph_.tensor(id).type, graph_.tensor(id).data.bytes())};
    }

    std::uint64_t keep(std::uint64_t bytes) {
        const std::uint64_t offset = share_.arena_bytes;
        share_.arena_bytes = (offset + bytes + kAlignment - 1) / kAlignment * kAlignment;
        return offset;
    }

    /// What the caller has memory for, and states.
    void place_ends() {
        std::map<TensorId, Place>& places = share_.places;
        for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
            const TensorId id = graph_.inputs[i];
            if (i < graph_.own_inputs()) {
                places[id] = {Place::Kind::input, i, ""};
                continue;
            }
            if (resident_.count(id) != 0) continue;
            const graph::Data& first = graph_.states[i - graph_.own_inputs()];
            places[id] = {Place::Kind::arena, keep(first.size()), ""};
            share_.states.push_back(
                {places[id],
                 {Place::Kind::constant, 0, constants_.add(graph_.tensor(id).type, first.bytes())},
                 first.size()});
        }
        for (std::size_t i = 0; i < graph_.own_outputs(); ++i) {
            const TensorId id = graph_.outputs[i];
            const Place place = {Place::Kind::output, i, ""};
            const bool is_constant = graph_.tensor(id).constant;
            if (!is_constant && places.try_emplace(id, place).second) continue;
            share_.behind.push_back(
                {place, is_constant ? constant(id) : places.at(id), graph_.tensor(id).bytes()});
        }
        // A state that is the one before of another is copied aside first.
        std::vector<Copy> last;
        for (std::size_t i = graph_.own_outputs(); i < graph_.outputs.size(); ++i) {
            const TensorId id = graph_.outputs[i];
            if (resident_.count(id) != 0) continue;
            const std::size_t bytes = graph_.tensor(id).bytes();
            const Place to =
                places.at(graph_.inputs[graph_.own_inputs() + i - graph_.own_outputs()]);
            Place from;
            if (graph_.tensor(id).constant) {
                from = constant(id);
            } else if (const auto found = places.find(id); found != places.end()) {
                from = {Place::Kind::arena, keep(bytes), ""};
                share_.behind.push_back({from, found->second, bytes});
            } else {
                from = {Place::Kind::arena, keep(bytes), ""};
                places[id] = from;
            }
            last.push_back({to, from, bytes});
        }
        share_.behind.insert(share_.behind.end(), last.begin(), last.end());
    }

    /// States that one program has as input and output in the same place, where its host puts rows
    /// into them, and that nobody else reads.
    void find_residents() {
        std::map<TensorId, int> readers;
        for (const graph::Node& node : graph_.nodes)
            for (const TensorId id : node.inputs)
                ++readers[id];
        for (std::size_t i = 0; i < graph_.states.size(); ++i) {
            const TensorId before = graph_.inputs[graph_.own_inputs() + i];
            const TensorId after = graph_.outputs[graph_.own_outputs() + i];
            if (readers[before] != 1 || host_reads(after)) continue;
            for (std::size_t s = 0; s < share_.steps.size(); ++s)
                for (const Operation& operation : share_.steps[s].operations)
                    add_resident(i, s, operation, before, after);
        }
    }

    bool host_reads(TensorId id) const {
        for (const Step& step : share_.steps)
            for (const Operation& operation : step.operations)
                for (const TensorId input : graph_.nodes[at(operation.node)].inputs)
                    if (input == id) return true;
        return false;
    }

    void add_resident(std::size_t state, std::size_t step, const Operation& operation,
                      TensorId before, TensorId after) {
        const graph::Node& node = graph_.nodes[at(operation.node)];
        const auto* op = std::get_if<graph::PutRows>(&node.op);
        const Part* part = share_.steps[step].part;
        if (op == nullptr || part == nullptr || node.inputs[0] != before ||
            node.outputs[0] != after)
            return;
        const auto index = [](const std::vector<TensorId>& ids, TensorId id) {
            return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
        };
        Resident out;
        out.step = step;
        out.input = index(share_.steps[step].inputs, before);
        out.output = index(share_.steps[step].outputs, after);
        const program::Program& program = part->compiled.program;
        if (out.input >= program.inputs.size() || out.output >= program.outputs.size()) return;
        out.place = program.inputs[out.input];
        if (out.place.offset != program.outputs[out.output].offset) return;
        const std::vector<int>& shape = graph_.tensor(before).shape;
        const std::uint64_t inner =
            std::accumulate(shape.begin() + op->axis + 1, shape.end(), std::uint64_t{1},
                            [](std::uint64_t all, int size) { return all * at(size); });
        const std::uint64_t sizes[] = {out.place.height, out.place.width, out.place.channels};
        std::uint64_t inside = 1;
        for (int axis = 3; axis-- > 0; inside *= sizes[axis]) {
            if (inside != inner || sizes[axis] != at(shape[at(op->axis)])) continue;
            out.axis = axis;
            out.node = operation.node;
            const graph::Data& first = graph_.states[state];
            out.first = {Place::Kind::constant, 0,
                         constants_.add(graph_.tensor(before).type, first.bytes())};
            share_.residents.push_back(out);
            resident_.insert({before, after});
            return;
        }
    }

    void place_rest() {
        const std::size_t scratch = blocks_.size();
        std::vector<TensorId> ids;
        for (const auto& [id, times] : uses_) {
            if (share_.places.count(id) != 0 || resident_.count(id) != 0) continue;
            ids.push_back(id);
            blocks_.push_back(
                {graph_.tensor(id).bytes(), kAlignment, times.first, times.second, 0});
        }
        const std::uint64_t base = share_.arena_bytes;
        share_.arena_bytes += (plan(blocks_) + kAlignment - 1) / kAlignment * kAlignment;
        for (std::size_t i = 0; i < ids.size(); ++i)
            share_.places[ids[i]] = {Place::Kind::arena, base + blocks_[scratch + i].offset, ""};
        const auto settle = [&](std::vector<std::uint64_t>& offsets,
                                const std::vector<Call>& calls) {
            for (std::uint64_t& offset : offsets)
                offset = base + blocks_[offset].offset;
            for (const Call& call : calls) {
                for (const Operand& operand : call.operands) {
                    if (operand.id == graph::kNone || share_.places.count(operand.id) != 0 ||
                        resident_.count(operand.id) != 0)
                        continue;
                    share_.places[operand.id] = constant(operand.id);
                }
            }
        };
        for (Step& step : share_.steps) {
            for (Operation& operation : step.operations)
                settle(operation.scratch, operation.calls);
            for (std::vector<Coding>* codings : {&step.encoded, &step.decoded})
                for (Coding& coding : *codings)
                    settle(coding.scratch, coding.calls);
        }
    }

    const graph::Graph& graph_;
    const std::vector<Part>& parts_;
    Constants& constants_;
    Share share_;
    int time_ = 0;
    std::set<TensorId> resident_;  ///< states that no memory of the host has
    std::map<TensorId, std::pair<int, int>> uses_;
    std::vector<Block> blocks_;
};

}  // namespace

Share share_of(const graph::Graph& graph, const std::vector<Part>& parts, Constants& constants) {
    return Maker(graph, parts, constants).run();
}

}  // namespace macrame::compiler::host_c
