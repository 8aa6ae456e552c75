#pragma once
/// From operators to layers of the hardware. operators.hpp has a function for each of them.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/builder.hpp"
#include "compiler/dla/context.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/location.hpp"
#include "compiler/dla/plan.hpp"

namespace macrame::dla::compiler {

/// The tensors of a network while it gets its layers, and what the host does of it.
class Lowering {
public:
    /// `precise`: operators that are to be exact whatever the options say. `searches` has to stay.
    Lowering(const graph::Graph& graph, const model::Architecture& sizes,
             const macrame::compiler::Options& options, Searches& searches,
             std::set<int> precise = {});

    /// Everything up to the operators that the host has to run behind it.
    void run();

    const Context context;
    Plan plan;
    Builder build;
    std::vector<macrame::compiler::HostOperator> host;  ///< without places
    std::vector<int> host_first, host_nodes;            ///< in front of the program, behind it
    std::vector<graph::TensorId> program_inputs;
    std::vector<std::string> errors;
    std::vector<macrame::compiler::Refusal> refused;  ///< what the host does, or wants to
    std::vector<graph::TensorId> outputs;

    // What operators are lowered with.
    const graph::Node& node(int index) const { return context.node(index); }
    const graph::Tensor& tensor(graph::TensorId id) const { return context.tensor(id); }
    bool exact_at(int index) const { return context.exact_at(index); }
    /// What the layers of a node write.
    graph::TensorId result_of(int index) const { return plan.result_of(context, index); }
    /// Some channels of a cube, from a whole atom on.
    Cube block(const Cube& cube, int first, int channels) const {
        return compiler::block(context.sizes, cube, first, channels);
    }
    /// Some lines and columns of a cube; its strides stay.
    Cube part_of(const Cube& cube, int y, int x, int height, int width) const {
        return compiler::part_of(context.sizes, cube, y, x, height, width);
    }

    /// Where a tensor lies that an operator reads; throws Unsupported where the hardware has not
    /// got it.
    const Location& location_of(graph::TensorId id) const;
    bool is_placed(graph::TensorId id) const { return locations_.count(id) != 0; }
    /// Of what an operator writes, which has a place already.
    Location& output_of(graph::TensorId id);
    /// Of what gets its place now.
    Location& new_location(graph::TensorId id) { return locations_[id]; }
    /// A cube for the result of an operator, or its part of that of a concat.
    Location& add_output(int index, int width, int height, int channels);
    /// The cube of a concat; not before somebody asks for it.
    const Cube& gathered(graph::TensorId id);
    /// Does it lie as the cube that it was before it was flattened? The order of its elements is
    /// that of the cube: lines, columns, channels.
    bool is_flattened(graph::TensorId id) const;

    /// What there was at some time, for what is tried and then undone.
    struct Snapshot {
        Builder::Snapshot build;
        std::map<graph::TensorId, Location> locations;
        std::map<graph::TensorId, Cube> gathered;
    };
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

private:
    /// Lowers an operator; the message if that cannot be done, then nothing is left of it.
    std::string try_lower(int index);
    void lower_planned(int index);
    void lower_alone(int index);
    /// Gives it to the host, if that has or finds what it reads.
    bool give_to_host(int index);
    /// Does it change some rows of an input that nobody else reads, and is an output? Then this has
    /// the place of the input.
    bool stays_in_place(int index) const;
    /// Lets the host give what the operator reads the shape that it wants; false: that is no help.
    bool unflatten(int index);
    static bool takes_any_order(const graph::Operator& op);
    /// What is too large about the network; empty: nothing.
    std::string size_problem() const;
    void place_inputs();

    std::set<graph::TensorId> on_host_;  ///< outputs of operators of the host
    std::map<graph::TensorId, Location> locations_;
    std::map<graph::TensorId, Cube> gathered_;
    std::int64_t wanted_buffer_ = 0;  ///< of the operator that was refused last
};

}  // namespace macrame::dla::compiler
