#include "compiler/systolic/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "compiler/dump.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"
#include "compiler/systolic/dump.hpp"
#include "compiler/systolic/memory.hpp"
#include "compiler/systolic/parts.hpp"

namespace macrame::systolic::compiler {

namespace {

using macrame::compiler::LayerReport;
using macrame::compiler::Pass;

/// Instructions that only pass tokens on from the layer before: they are not counted.
constexpr std::size_t kPassed = 256;
constexpr std::size_t kMostOfLayer = kMostInstructions - kPassed;

/// Of parts of a layer so many instructions of a tiling are tried: there are many parts.
constexpr std::size_t kTrialOfPart = 1 << 14;

constexpr const char* kTooSmall =
    "no tile of it fits into the buffers: want larger ibuf-entries, wbuf-entries or obuf-entries";

/// Writes layer after layer; begins a new program where the count of instructions ends.
class ProgramWriter {
public:
    ProgramWriter(const Lowering& lowering, const Architecture& architecture,
                  std::int64_t constants, Choices& choices)
        : lowering_(lowering),
          architecture_(architecture),
          constants_(constants),
          choices_(choices),
          stream_(architecture) {}

    /// Layers that have no place are left out: they are told of.
    std::vector<macrame::compiler::Refusal> run() {
        std::vector<macrame::compiler::Refusal> out;
        for (std::size_t i = 0; i < lowering_.operations.size(); ++i) {
            const Operation& operation = lowering_.operations[i];
            const std::string problem = write(static_cast<int>(i));
            if (!problem.empty())
                out.push_back(
                    {operation.node, fmt::format("layer {}: {}", operation.name(), problem)});
        }
        end_program();
        return out;
    }

    std::vector<Program> take_programs() { return std::move(programs_); }
    const Constants& constants() const { return constants_; }

private:
    void place(TensorLayout& surface, int area) const {
        surface.base += lowering_.areas[at(area)].address;
    }

    std::string write(int index) {
        const Operation& operation = lowering_.operations[at(index)];
        constants_.begin_layer();
        trial_ = kMostInstructions;
        if (const auto* conv = std::get_if<ConvLayer>(&operation.layer)) {
            ConvLayer layer = *conv;
            place(layer.input, operation.reads[0]);
            place(layer.output, operation.writes);
            if (layer.operand) place(layer.operand->matrix, operation.reads[1]);
            return write(index, layer);
        }
        AluLayer layer = std::get<AluLayer>(operation.layer);
        for (std::size_t i = 0; i < layer.inputs.size(); ++i)
            place(layer.inputs[i], operation.reads[i]);
        place(layer.output, operation.writes);
        return write(index, layer);
    }

    std::string write(int index, const ConvLayer& layer) {
        const Choice& choice = choices_.best(architecture_, layer, trial_);
        if (choice.tiling.cover.empty()) return kTooSmall;
        if (choice.instructions > kMostOfLayer)
            return write_parts(index, layer, choice.instructions);
        make_room(choice.instructions);
        write_conv(stream_, constants_, layer, choice.tiling);
        note_layer(index);
        return "";
    }

    std::string write(int index, const AluLayer& layer) {
        Stream trial(architecture_);
        trial.only_count();
        Constants none(0);
        const std::string problem = write_alu_layer(trial, none, layer);
        if (!problem.empty()) return problem;
        if (trial.size() > kMostOfLayer) return write_parts(index, layer, trial.size());
        make_room(trial.size());
        write_alu_layer(stream_, constants_, layer);
        note_layer(index);
        return "";
    }

    /// Each part begins where there is room, in this program or the next one.
    template <typename Layer>
    std::string write_parts(int index, const Layer& layer, std::size_t instructions) {
        constants_.share();
        trial_ = kTrialOfPart;
        const auto parts = cut(layer, static_cast<int>(instructions / kMostOfLayer) + 1);
        if (parts.size() < 2)
            return fmt::format(
                "{} instructions, a program has at most {}, and there are no rows to cut it into: "
                "larger ibuf-entries, wbuf-entries and obuf-entries take fewer",
                instructions, kMostInstructions);
        for (const Layer& part : parts)
            if (const std::string problem = write(index, part); !problem.empty()) return problem;
        return "";
    }

    /// Of a layer is what was written since the last call.
    void note_layer(int index) {
        const std::size_t layer = at(index), now = stream_.program().size();
        if (now == noted_) return;
        if (layers_.empty() || layers_.back().layer != layer) layers_.push_back({layer, 0});
        layers_.back().instructions += now - noted_;
        noted_ = now;
    }

    void make_room(std::size_t instructions) {
        if (stream_.program().size() + instructions + kPassed > kMostInstructions) end_program();
    }

    void end_program() {
        if (layers_.empty()) return;
        programs_.emplace_back(stream_.program(), std::move(layers_));
        stream_.clear();
        layers_.clear();
        noted_ = 0;
    }

    const Lowering& lowering_;
    const Architecture& architecture_;
    Constants constants_;
    Choices& choices_;
    Stream stream_;
    std::size_t trial_ = kMostInstructions;  ///< instructions of a tiling that are tried
    std::vector<files::NetworkLayer> layers_;
    std::size_t noted_ = 0;  ///< instructions of these
    std::vector<Program> programs_;
};

/// Planes, lines, pixels of a line in one piece.
macrame::compiler::MemoryArea memory_area(const TensorLayout& s) {
    macrame::compiler::MemoryArea out;
    const auto bytes = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    out.offset = bytes(s.base + s.first / s.block * s.plane);
    out.surfaces = bytes(ceil_div(s.first % s.block + s.channels, s.block));
    out.surface_stride = bytes(s.plane);
    out.lines = bytes(s.height);
    out.line_stride = bytes(s.line);
    out.line_bytes = bytes((s.width - 1) * s.pixel + std::int64_t{s.block} * s.element);
    return out;
}

LayerReport report_of(const Lowering& lowering, const Operation& operation) {
    LayerReport out;
    TensorLayout output = std::visit([](const auto& own) { return own.output; }, operation.layer);
    output.base += lowering.areas[at(operation.writes)].address;
    out.output = memory_area(output);
    out.name = operation.name();
    out.node = operation.node;
    const auto* conv = std::get_if<ConvLayer>(&operation.layer);
    out.unit = conv != nullptr ? "array" : "ALU";
    if (conv != nullptr) out.macs = static_cast<std::uint64_t>(conv->macs());
    out.units = {{out.unit, 0}};
    return out;
}

/// Cycles of modules and bytes of an instruction, in the report of its layer.
void count(const Architecture& architecture, const Instruction& instruction, std::int64_t busy,
           LayerReport& report) {
    const auto cycles = static_cast<std::uint64_t>(busy);
    if (instruction.module == Module::gemm) report.mac_cycles += cycles;
    if (instruction.module == Module::alu) report.post_cycles += cycles;
    if (is_nop(instruction)) return;
    const auto bytes = static_cast<std::uint64_t>(moved_bytes(architecture, instruction));
    if (instruction.module == Module::load) {
        report.read_bytes += bytes;
        report.memory_cycles += cycles;
    }
    if (instruction.module == Module::store) report.write_bytes += bytes;
}

std::vector<LayerReport> reports(const Lowering& lowering, const SystolicProgram& program) {
    std::vector<LayerReport> out;
    for (const Operation& operation : lowering.operations)
        out.push_back(report_of(lowering, operation));
    for (const Program& one : program.programs) {
        const std::vector<Instruction> instructions = one.instructions();
        const Estimate estimated = estimate(program.architecture, instructions);
        std::vector<std::int64_t> ends(out.size(), 0);
        std::size_t n = 0;
        for (const files::NetworkLayer& own : one.layers) {
            for (const std::size_t end = n + own.instructions; n < end; ++n) {
                ends[own.layer] = std::max(ends[own.layer], estimated.ends[n]);
                count(program.architecture, instructions[n], estimated.busy_of[n], out[own.layer]);
            }
        }
        std::int64_t before = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (ends[i] == 0) continue;
            out[i].cycles +=
                static_cast<std::uint64_t>(std::max<std::int64_t>(0, ends[i] - before));
            before = std::max(before, ends[i]);
        }
    }
    for (LayerReport& report : out)
        report.limiter = report.memory_cycles == report.bound() ? "memory"
                         : report.mac_cycles == report.bound()  ? "MAC array"
                                                                : "ALU";
    return out;
}

std::vector<Port> ports(const graph::Graph& graph, const Lowering& lowering,
                        const std::vector<graph::TensorId>& tensors) {
    std::vector<Port> out;
    for (const graph::TensorId id : tensors) {
        const Value& value = lowering.value(id);
        Port port{graph.tensor(id).name, id, value.surface};
        port.surface.base += lowering.areas[at(value.area)].address;
        out.push_back(std::move(port));
    }
    return out;
}

macrame::compiler::BufferReport report_of(const Area& area) {
    return {area.name,
            static_cast<std::uint64_t>(area.address),
            static_cast<std::uint64_t>(area.bytes),
            area.first,
            area.last,
            area.keep,
            false};
}

/// A network while it becomes a program.
struct State {
    const graph::Graph& graph;
    Lowering lowering;
    bool keep_tensors = false;
    std::optional<std::uint64_t> own_begin;
    Choices& choices;
    std::int64_t constants = 0;  ///< address
    SystolicProgram program;
    macrame::compiler::Compiled result;

    void refuse(const std::vector<macrame::compiler::Refusal>& found) {
        for (const macrame::compiler::Refusal& one : found)
            result.refuse(graph, one.node, one.reason);
    }
};

void lower(State& state) {
    state.lowering.run(state.keep_tensors);
    state.refuse(state.lowering.refused);
}

void place_areas(State& state) {
    Lowering& lowering = state.lowering;
    const macrame::compiler::Ends ends =
        place_areas(lowering.areas, lowering.operations, state.own_begin);
    state.constants = static_cast<std::int64_t>(ends.own);
    state.result.shared_end = program_begin(ends.shared);
    for (const Area& area : lowering.areas)
        state.result.buffers.push_back(report_of(area));
}

/// Instructions, and the memory in front of a run.
void write_instructions(State& state) {
    const Lowering& lowering = state.lowering;
    SystolicProgram& program = state.program;
    ProgramWriter writer(lowering, program.architecture, state.constants, state.choices);
    state.refuse(writer.run());
    if (!state.result.ok()) return;
    program.programs = writer.take_programs();
    for (const Area& area : lowering.areas)
        if (area.bordered)
            program.memory.fills.push_back({static_cast<std::uint64_t>(area.address),
                                            static_cast<std::uint64_t>(area.bytes),
                                            static_cast<std::uint8_t>(area.fill)});
    program.memory.constants_begin = static_cast<std::uint64_t>(state.constants);
    program.memory.constants = writer.constants().bytes();
    state.result.buffers.push_back({"weights and scales", program.memory.constants_begin,
                                    program.memory.constants.size(), 0,
                                    static_cast<int>(lowering.operations.size()), true, true});
    program.inputs = ports(state.graph, lowering, lowering.inputs);
    program.outputs = ports(state.graph, lowering, lowering.outputs);
}

void estimate(State& state) {
    state.result.layers = reports(state.lowering, state.program);
    state.result.macs_per_cycle =
        state.program.architecture.rows * state.program.architecture.columns;
    state.result.bytes_per_cycle = state.program.architecture.bus_bytes;
}

Choices& kept(macrame::compiler::Memo& memo) {
    if (memo.kept == nullptr) memo.kept = std::make_shared<Choices>();
    return dynamic_cast<Choices&>(*memo.kept);
}

std::string layers_text(const State& state) { return text_of(state.lowering); }

std::string memory_text(const State& state) {
    return macrame::compiler::memory_picture(state.result.buffers,
                                             static_cast<int>(state.lowering.operations.size()));
}

std::string instructions_text(const State& state) { return text_of(state.lowering, state.program); }

std::string times_text(const State& state) {
    return macrame::compiler::times_table(state.result.layers, "ALU");
}

constexpr std::array<Pass<State>, 4> kPasses = {{
    {"lowering", lower, layers_text},
    {"memory", place_areas, memory_text},
    {"schedule", write_instructions, instructions_text},
    {"timing", estimate, times_text},
}};

}  // namespace

std::vector<std::string> pass_names() { return macrame::compiler::names(kPasses); }

CompiledSystolic compile(const graph::Graph& graph, const Architecture& architecture,
                         bool keep_tensors, const std::string& dump,
                         std::optional<std::uint64_t> own_begin, macrame::compiler::Memo* memo) {
    Choices own;
    State state{graph,
                Lowering(graph, architecture),
                keep_tensors,
                own_begin,
                memo == nullptr ? own : kept(*memo),
                0,
                {},
                {}};
    state.program.architecture = architecture;
    state.program.own_begin = own_begin.value_or(0);
    macrame::compiler::run(kPasses, state, dump);
    if (!state.result.ok()) return {std::move(state.result), {}};
    Lowering& lowering = state.lowering;
    macrame::compiler::Compiled& result = state.result;
    result.own_end = program_begin(image_bytes(state.program));
    result.exactness = std::move(lowering.exactness);
    result.exact_otherwise = architecture.exact;
    result.host_first = std::move(lowering.host_first);
    result.host_nodes = std::move(lowering.host_nodes);
    result.inputs = std::move(lowering.inputs);
    result.outputs = std::move(lowering.outputs);
    return {std::move(result), std::move(state.program)};
}

}  // namespace macrame::systolic::compiler
