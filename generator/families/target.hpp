#pragma once
/// What the program wants of a family that networks run on. A family derives from one of the two
/// classes at the end; README.md beside this file tells what to write.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/real_products.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/sums.hpp"
#include "compiler/program/program.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame {

struct Design;

/// What makes a unit faster: parameters that are raised together, those that are not 0.
struct Suggestion {
    std::string_view limiter;  ///< as in compiler::LayerReport
    std::vector<std::string_view> params;
    std::string_view per_cycle;  ///< what the parameters count: "elements"
};

/// The memory behind all ports together.
struct MemorySpeed {
    std::optional<int> latency;  ///< cycles until it answers; none: as the family has it
    double bytes_per_cycle = 0;  ///< most that it moves, read and written; 0: what the ports do
};

/// A program on the golden model, for as many runs as one likes.
class ModelRun {
public:
    using Inputs = std::vector<graph::Bytes>;  ///< elements of each, row by row
    using Outputs = std::vector<graph::Bytes>;
    /// Runs operator `number` of the host on the program's memory; false: it failed.
    using Host = std::function<bool(std::uint32_t number, std::uint8_t* memory)>;

    virtual ~ModelRun() = default;
    /// Outputs for inputs. A run that fails leaves a line or more in `errors`.
    virtual Outputs run(const Inputs& inputs, const Host& host,
                        std::vector<std::string>& errors) = 0;
    /// Values that the number format did not hold, of all runs by layer; empty: nobody counts them.
    virtual std::vector<std::uint64_t> saturated() const { return {}; }
    /// The program in the languages of the family's other players, files by name, with what the
    /// last run has made of these inputs.
    virtual std::map<std::string, std::string> traces(const std::string& /*name*/,
                                                      const Inputs& /*inputs*/) const {
        return {};
    }
};

/// Of several in the same memory.
struct SharedProgram {
    std::string name;
    const compiler::Compiled* compiled = nullptr;
};

/// How networks run on the designs of a family.
class Target {
public:
    using Files = std::map<std::string, std::string>;  ///< by name
    using Bytes = graph::Bytes;

    virtual ~Target() = default;

    /// Program, bounds and exactness, or messages. The graph has passed graph::check().
    virtual compiler::Compiled compile(const Design& design, const graph::Graph& graph,
                                       const compiler::Options& options) const = 0;
    /// Names for compiler::Options::dump, in order.
    virtual std::vector<std::string> passes() const = 0;
    /// What the hardware that the family follows is called in --for, "original" or a name beside
    /// that; empty: there is none, or programs for it are no others.
    virtual std::string_view original() const { return {}; }
    /// What compiler::Options::strategy may be.
    virtual std::vector<std::string_view> strategies() const { return {}; }
    /// Its estimates know compiler::Options::memory_latency.
    virtual bool takes_latency() const { return false; }
    /// Networks may have elements of uint8; else they get int8 in their place.
    virtual bool takes_uint8() const { return false; }
    /// How it writes sums of int32; Sums::whole: the host computes them.
    virtual graph::Sums sums(const Design& /*design*/) const { return graph::Sums::whole; }
    /// Convolutions of numbers as the design has them, where it does; beside products of int8 those
    /// of float32, unless options.exact. True: there are some of these, and results are near.
    bool split_sums(graph::Graph& graph, const Design& design, compiler::Options options) const {
        options.no_host = options.reports_alone = true;
        options.host_commands = options.keep_tensors = false;
        options.own_begin.reset();
        options.there = nullptr;
        options.dump.clear();
        const graph::TakesSums takes = [&](const graph::Graph& alone) {
            const compiler::Compiled made = compile(design, alone, options);
            return made.ok() && !made.on_host(0);
        };
        graph::split_sums(graph, sums(design), takes);
        if (options.exact || !graph::split_real_products(graph, sums(design), takes)) return false;
        graph::split_sums(graph, sums(design), takes);
        return true;
    }
    virtual std::vector<Suggestion> suggestions() const { return {}; }

    /// Programs are register writes, with a listing and traces; else instructions.
    virtual bool writes_registers() const = 0;
    /// What `macrame compile` writes.
    virtual Files files(const compiler::Compiled& compiled, const std::string& name) const = 0;
    /// The same, file after file in pieces; false: one was not taken.
    using Write = std::function<bool(const std::string& file, std::string_view piece)>;
    virtual bool write_files(const compiler::Compiled& compiled, const std::string& name,
                             const Write& write) const {
        const Files all = files(compiled, name);
        return std::all_of(all.begin(), all.end(),
                           [&](const auto& file) { return write(file.first, file.second); });
    }
    /// The same of programs that share memory, each with its name; files of all are called `name`.
    virtual Files files(const std::vector<SharedProgram>& programs,
                        const std::string& name) const = 0;
    /// Of the one of `files` that the simulator of the family takes as program.
    virtual std::string_view program_ending() const = 0;
    /// The arguments have to stay.
    virtual std::unique_ptr<ModelRun> load(const Design& design, const graph::Graph& graph,
                                           const compiler::Compiled& compiled) const = 0;

    // What the simulator of the family reads and writes, of one run.
    virtual Bytes encode_inputs(const graph::Graph& graph, const compiler::Compiled& compiled,
                                const std::vector<Bytes>& inputs) const = 0;
    virtual std::vector<Bytes> decode_outputs(const graph::Graph& graph,
                                              const compiler::Compiled& compiled,
                                              const Bytes& outputs) const = 0;
    virtual std::size_t output_bytes(const compiler::Compiled& compiled) const = 0;

    /// When each layer was done, of the times that the simulator has seen (Row::moved).
    virtual std::vector<std::uint64_t> layer_ends(
        const Design& /*design*/, const compiler::Compiled& /*compiled*/,
        const std::vector<std::uint64_t>& /*moved*/) const {
        return {};
    }
    /// There is model_ends().
    virtual bool has_cycle_model() const { return false; }
    /// When each layer is done and, behind these, the program, in cycles from its start: what the
    /// design takes, without a design. One line in `error` if it fails.
    virtual std::vector<std::uint64_t> model_ends(const compiler::Compiled& /*compiled*/,
                                                  const MemorySpeed& /*memory*/,
                                                  std::string& /*error*/) const {
        return {};
    }
};

/// Of machines whose programs are register writes: Compiled::program.
class RegisterTarget : public Target {
public:
    bool writes_registers() const final { return true; }
    Files files(const compiler::Compiled& compiled, const std::string& name) const final;
    Files files(const std::vector<SharedProgram>& programs, const std::string& name) const final;
    std::string_view program_ending() const final { return ".program"; }
    std::unique_ptr<ModelRun> load(const Design& design, const graph::Graph& graph,
                                   const compiler::Compiled& compiled) const final;
    Bytes encode_inputs(const graph::Graph& graph, const compiler::Compiled& compiled,
                        const std::vector<Bytes>& inputs) const final;
    std::vector<Bytes> decode_outputs(const graph::Graph& graph, const compiler::Compiled& compiled,
                                      const Bytes& outputs) const final;
    std::size_t output_bytes(const compiler::Compiled& compiled) const final;

    /// The golden model on this memory.
    virtual std::unique_ptr<verif::Device> make_model(const Design& design,
                                                      verif::Memory& memory) const = 0;
    /// As ModelRun::traces(): `after` is the memory behind the run, where the program lies at
    /// `block`.
    virtual Files traces(const program::Program& program, const std::string& name,
                         const std::vector<Bytes>& inputs, const verif::Memory& after,
                         std::uint64_t block) const = 0;
};

/// Of machines with programs in a form of their own: Compiled::own.
class InstructionTarget : public Target {
public:
    bool writes_registers() const final { return false; }
    std::unique_ptr<ModelRun> load(const Design& design, const graph::Graph& graph,
                                   const compiler::Compiled& compiled) const final;

    /// Outputs of the program on the golden model; one line in `error` if it fails. What saturates
    /// is added to `saturated`, by layer.
    virtual std::vector<Bytes> run_model(const graph::Graph& graph,
                                         const compiler::Compiled& compiled,
                                         const std::vector<Bytes>& inputs,
                                         std::vector<std::uint64_t>& saturated,
                                         std::string& error) const = 0;
};

}  // namespace macrame
