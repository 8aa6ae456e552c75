#pragma once
/// What a back end makes of a network, for all families.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/pass.hpp"
#include "compiler/program/program.hpp"

namespace macrame::compiler {

/// What a back end keeps from one configuration to the next: its struct has this as base.
struct Kept {
    virtual ~Kept() = default;
};

/// Of networks that are compiled for many configurations of a family, in one thread at a time.
struct Memo {
    std::shared_ptr<Kept> kept;  ///< made by the back end
};

/// What lies in memory already, of programs that share it.
struct Shared {
    /// An input that is an output, too, in its place: what it is from run to run.
    struct State {
        std::string name;
        std::uint64_t offset = 0, bytes = 0;
    };
    std::vector<program::Segment> contents;  ///< that no program changes
    std::vector<State> states;
};

struct Options {
    /// What the hardware cannot do is an error; else the host does it (parts.hpp).
    bool no_host = false;
    /// Programs may call the host between their layers, where the family's can: it does what would
    /// be refused.
    bool host_commands = false;
    /// Values as the reference has them even where that is slower; else a few may differ by one.
    bool exact = false;
    /// For the hardware that the family follows, where that takes another program.
    bool for_original = false;
    /// One of what the family offers; empty: its first.
    std::string strategy;
    /// Cycles until memory answers, of the estimate alone: programs do not depend on it. None: as
    /// the family has it.
    std::optional<int> memory_latency;
    /// Every tensor that lies in memory at the end of a layer stays there until the end of the
    /// program, as one of its outputs, behind those of the network.
    bool keep_tensors = false;
    /// Of a program that shares memory with others (Compiled::shared_end): what keeps its contents
    /// lies from this address on, behind all else, in the units of the family.
    std::optional<std::uint64_t> own_begin;
    /// With that: constants that are there already, and states of the same name, are not there
    /// again. Null: there is nothing.
    const Shared* there = nullptr;
    /// A pass, or kAllPasses: what it has made is told in Compiled::dumps.
    std::string dump;
    /// Of other configurations; null: there are none. Results are the same.
    Memo* memo = nullptr;
    /// Reports are all that is wanted: the program may lack what they do not need.
    bool reports_alone = false;
};

/// Bytes in the block of a program: lines of surfaces, strides in bytes.
struct MemoryArea {
    std::uint64_t offset = 0;
    std::uint64_t surfaces = 1, surface_stride = 1;
    std::uint64_t lines = 1, line_stride = 1;
    std::uint64_t line_bytes = 0;

    bool holds(std::uint64_t byte) const {
        if (byte < offset) return false;
        const std::uint64_t at = byte - offset;
        return at / surface_stride < surfaces && at % surface_stride / line_stride < lines &&
               at % surface_stride % line_stride < line_bytes;
    }
};

/// A unit that a layer keeps busy, and which of its register groups holds the layer.
struct UnitUse {
    std::string unit;  ///< "conv", "SDP", "PDP"
    int group = 0;
};

/// A run of the hardware: a part of an operator, or all of it.
struct LayerReport {
    std::string name;
    std::string unit;  ///< "conv", "SDP", "PDP", "CDP", "RUBIK", "ROW"
    int node = 0;      ///< of the graph
    std::uint64_t macs = 0;
    // Cycles that each resource takes; the largest is the bound.
    std::uint64_t mac_cycles = 0, post_cycles = 0, memory_cycles = 0;
    std::uint64_t cycles = 0;  ///< estimated, from the end of the layer before to its own
    std::uint64_t read_bytes = 0, write_bytes = 0;
    MemoryArea output;
    std::vector<UnitUse> units;
    std::string limiter;  ///< what the largest of the cycles above belongs to: "MAC array", "SDP"
    std::string choice;   ///< which way it is done, where cycles decide between several

    std::uint64_t bound() const { return std::max({mac_cycles, post_cycles, memory_cycles}); }
};

/// How the integers of an operator compare with those of the reference.
struct Exactness {
    int node = 0;
    std::string mapping;  ///< "fine", ...
    int channels = 0, proved = 0;
    std::int64_t values = 0, reachable = 0;  ///< accumulators that differ, of all
    int most = 0;                            ///< largest difference of the output
};

/// An operator that the hardware does not do.
struct Refusal {
    int node = 0;  ///< of the graph
    std::string reason;
    /// Bytes of the buffer on the chip with which it would do; 0: that would not help, or is
    /// unknown.
    std::int64_t buffer_bytes = 0;
};

/// An operator that the host runs; `reads` and `writes` are those of its tensors that lie in the
/// program's memory, the others pass between operators of the host.
struct HostOperator {
    struct Value {
        graph::TensorId id = graph::kNone;
        program::Tensor place;
    };
    int node = 0;  ///< of the graph
    std::vector<Value> reads, writes;
};

/// A piece of the program's memory.
struct BufferReport {
    std::string name;
    std::uint64_t offset = 0, bytes = 0;
    int first = 0, last = 0;  ///< layers that use it; what is kept is there all the time
    bool keep = false;        ///< inputs, outputs, constants
    bool constant = false;
};

/// An input or output of a program as codes in vectors: the real values times `factor` in fixed
/// point. Pixels begin with a vector of their own, `pack` of them in a row together.
struct CodedTensor {
    int height = 1, width = 1, channels = 1, pack = 1;
    std::uint64_t pixel_codes = 1;  ///< from one such group of pixels to the next
    std::uint64_t vectors = 0;
    int code_bytes = 1, code_bits = 8;
    double factor = 1, one = 1;  ///< `one`: the code of 1.0
};

/// Programs in an image of memory, which a driver starts one after the other.
struct ImageProgram {
    struct Start {
        std::uint64_t offset = 0, count = 0;  ///< in the image; instructions
    };
    /// Elements of a byte; those of a pixel lie in planes of `group` channels.
    struct Tensor {
        std::uint64_t offset = 0;
        int height = 1, width = 1, channels = 1, group = 1, first = 0;
        std::uint64_t pixel_stride = 0, line_stride = 0, plane_stride = 0;
    };
    std::uint32_t identity = 0;
    int address_bits = 32;
    std::uint64_t bytes = 0;  ///< up to the end of its own part of the image
    std::uint64_t begin = 0;  ///< of that; what networks share lies in front
    std::vector<Start> starts;
    std::vector<Tensor> inputs, outputs;
};

/// A program in a form that one family alone has: its struct has this as base.
struct OwnProgram {
    virtual ~OwnProgram() = default;
    /// Of all inputs and outputs where the driver of the family takes vectors of codes.
    virtual std::vector<CodedTensor> coded_inputs() const { return {}; }
    virtual std::vector<CodedTensor> coded_outputs() const { return {}; }
    /// Where the driver of the family takes that.
    virtual std::optional<ImageProgram> image() const { return std::nullopt; }
};

struct Compiled {
    /// Register writes and memory; families with a form of their own have that in `own`, and here
    /// names alone.
    program::Program program;
    std::shared_ptr<const OwnProgram> own;
    /// As the struct of the family that has made it. Throws std::logic_error for another family's.
    template <class P>
    const P& own_as() const {
        const auto* found = dynamic_cast<const P*>(own.get());
        if (found == nullptr) throw std::logic_error("want a program of this family");
        return *found;
    }
    /// With Options::own_begin: where the memory ends that other programs may use, too, and where
    /// its own does.
    std::uint64_t shared_end = 0, own_end = 0;
    /// With Options::own_begin: what of it others may use as it lies there.
    Shared kept;
    /// Commands that do the same and avoid what the hardware that the family follows does wrong,
    /// and what of it they cannot avoid.
    std::vector<program::Command> commands_for_original;
    /// The same with the addresses of all maps, for traces, which name registers.
    std::vector<program::Command> trace;
    std::vector<std::string> original_warnings;
    std::vector<BufferReport> buffers;
    int macs_per_cycle = 0, bytes_per_cycle = 0;  ///< most that MAC array and memory port do
    std::vector<LayerReport> layers;              ///< as Program::layers
    std::vector<Exactness> exactness;
    /// Operators that `exactness` does not name have the integers of the reference, too.
    bool exact_otherwise = false;
    /// Operators that the hardware does not do; if there are errors, these are why.
    std::vector<Refusal> refused;
    std::vector<HostOperator> host;        ///< for the host commands of the program, by number
    std::vector<int> host_first;           ///< of the graph, run in front of the program, in order
    std::vector<int> host_nodes;           ///< the same behind it
    std::vector<graph::TensorId> inputs;   ///< the graph's tensors in Program::inputs
    std::vector<graph::TensorId> outputs;  ///< the graph's tensors in Program::outputs
    std::vector<PassText> dumps;           ///< of passes, up to an error
    std::vector<std::string> errors;       ///< then there is nothing else
    bool ok() const { return errors.empty(); }
    /// Refuses an operator, which is an error; once is enough.
    void refuse(const graph::Graph& graph, int node, const std::string& reason,
                std::int64_t buffer_bytes = 0) {
        for (const Refusal& other : refused)
            if (other.node == node) return;
        refused.push_back({node, reason, buffer_bytes});
        errors.push_back(graph.nodes[static_cast<std::size_t>(node)].where + ": " + reason);
    }
    /// Does the host run this node?
    bool on_host(int node) const {
        const auto in = [node](const std::vector<int>& nodes) {
            return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
        };
        return in(host_first) || in(host_nodes) ||
               std::any_of(host.begin(), host.end(),
                           [node](const HostOperator& op) { return op.node == node; });
    }
    /// Estimated, of all layers.
    std::uint64_t cycles() const {
        std::uint64_t sum = 0;
        for (const LayerReport& layer : layers)
            sum += layer.cycles;
        return sum;
    }
};

}  // namespace macrame::compiler
