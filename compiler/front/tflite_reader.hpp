#pragma once
/// Reader of TFLite files, in parts: tflite.cpp reads tensors, tflite_table.cpp has the operators,
/// tflite_operators.cpp and tflite_choice.cpp, tflite_layout.cpp, tflite_made.cpp,
/// tflite_places.cpp, tflite_repeat.cpp translate them, tflite_ends.cpp reads inputs and outputs,
/// tflite_sparse.cpp constants that are sparse, tflite_variables.cpp knows what a network keeps,
/// tflite_branches.cpp takes the branch of an IF.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/front/building.hpp"
#include "compiler/front/front.hpp"
#include "compiler/graph/graph.hpp"
#include "tflite_generated.h"

namespace macrame::front {

/// An operator of the file, its tensors in range.
struct TfliteOperator {
    const schema::Operator* table = nullptr;
    schema::BuiltinOperator code = schema::BuiltinOperator::ADD;
    std::string where, kind;
    std::vector<graph::TensorId> inputs;  ///< kNone: left out
    std::vector<graph::TensorId> outputs;
};

/// Reads one file. Every function may throw a Refusal.
class TfliteReader {
public:
    TfliteReader(const std::string& name, const std::vector<std::uint8_t>& bytes,
                 Shapes shapes = {}, Fixed fixed = {});
    ReadResult run();

private:
    friend struct TfliteImporters;
    friend class ResultShapes;

    // ---- the file
    const schema::Model& verified() const;
    void read_tensors(const schema::Model& model, const schema::SubGraph& subgraph);
    void read_data(const schema::Model& model, const schema::Tensor& from, graph::Tensor& to);
    /// Makes float32 of float16, which is read as int16.
    void widen(graph::Tensor& tensor);
    /// Makes int8 of int4.
    void unpack(graph::Tensor& tensor);
    void read_quantisation(const schema::Quantisation& from, graph::Tensor& to);
    /// Which reference the file is for: that of the TensorFlow that wrote it, as far as told.
    void read_version(const schema::Model& model);
    /// Makes a constant whose zeros the file leaves out whole.
    void fill(const schema::Sparsity& sparsity, graph::Tensor& tensor);
    /// Results of DENSIFY.
    std::set<graph::TensorId> filled(const schema::Model& model,
                                     const schema::SubGraph& subgraph) const;
    void read_ends(const schema::SubGraph& subgraph);
    void shape_input(const schema::Tensor& from, graph::Tensor& to);
    /// Makes a constant of an input whose value is given; false: it is not.
    bool fix_input(const schema::Tensor& from, graph::Tensor& to);
    /// After errors: inputs have open axes, which may be why.
    void tell_open();
    void read_operators(const schema::Model& model, const schema::SubGraph& subgraph);
    void read_operator(const schema::Model& model, const schema::Operator& op, std::size_t number);
    TfliteOperator view_of(const schema::Model& model, const schema::Operator& op,
                           std::size_t number);
    /// The same without tensors.
    TfliteOperator named(const schema::Model& model, const schema::Operator& op,
                         std::size_t number) const;
    /// The first `most` of them.
    std::vector<graph::TensorId> ids(const flatbuffers::Vector<std::int32_t>* from, bool optional,
                                     std::size_t most = std::numeric_limits<std::size_t>::max());
    /// Their shapes, data and scales.
    void check_tensors(const std::vector<graph::TensorId>& tensors) const;
    /// Of each operator: what it writes is read, or it does something else beside writing.
    std::vector<bool> needed(const schema::Model& model, const schema::SubGraph& subgraph) const;

    // ---- variables: what the network keeps from one run to the next
    /// Something that is assigned, and read in the same run or in the next one.
    struct Variable {
        std::string name;
        graph::Tensor first;                    ///< constant: its value in the first run
        bool assigned = false;                  ///< by a run
        graph::TensorId before = graph::kNone;  ///< the value of the run before
        graph::TensorId value = graph::kNone;   ///< where the reader has come to
    };
    /// Names them, with the values that CALL_ONCE assigns.
    void find_variables(const schema::Model& model, const schema::SubGraph& subgraph);
    void find_first_values(const schema::Model& model, const TfliteOperator& call);
    /// A handle for the variable with the name in the options.
    std::size_t variable_of(const TfliteOperator& handle);
    /// False: the operator has nothing to do with variables.
    bool read_variable(const schema::Model& model, const schema::Operator& op, std::size_t number);
    void read_value(const TfliteOperator& op, Variable& variable);
    void assign(const TfliteOperator& op, Variable& variable);
    /// What is in `before` at the beginning is kept in `after` for the next run.
    void keep(graph::TensorId before, graph::TensorId after, graph::Data first);
    /// Makes variables inputs and outputs.
    void add_states();

    // ---- branches: what an IF does
    /// The subgraph that is taken becomes a part of the graph, or both.
    void take_branch(const TfliteOperator& op);
    void take_both(const TfliteOperator& op, const std::vector<graph::TensorId>& inputs,
                   const int (&ways)[2]);
    /// Reads a subgraph whose inputs are like these, as a graph of its own.
    void read_branch(const schema::SubGraph& subgraph, const std::vector<graph::Tensor>& inputs);
    graph::Graph inner_graph(int number, const std::vector<graph::TensorId>& inputs);
    void adopt(const TfliteOperator& op, const std::vector<graph::TensorId>& inputs,
               graph::Graph branch);
    void take_composite(const TfliteOperator& op);
    void repeat(const TfliteOperator& op);

    // ---- building the graph
    /// Gives outputs the shapes that follow from the inputs, where that can be told. The shape of
    /// one that has no elements, whatever the file says, or none.
    std::vector<int> shape_outputs(const TfliteOperator& op);
    void translate(const TfliteOperator& op);
    /// Checks the nodes from `first` on; those of constants are executed.
    void settle(std::size_t first);

    // ---- for importers
    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    graph::TensorId input(const TfliteOperator& op, std::size_t i) const;
    graph::TensorId output(const TfliteOperator& op, std::size_t i = 0) const;
    void add(const TfliteOperator& op, graph::Operator what, std::vector<graph::TensorId> inputs,
             std::vector<graph::TensorId> outputs);
    /// A window over more than one picture as one over each; false: there is only one.
    bool add_batch(const TfliteOperator& op, const graph::Operator& what,
                   const std::vector<graph::TensorId>& inputs, graph::TensorId output);
    /// A tensor like `model` with another shape.
    graph::TensorId add_tensor(const graph::Tensor& model, std::vector<int> shape);
    /// The table with the options, verified.
    template <typename Table>
    const Table& options(const TfliteOperator& op, schema::OptionsType type) const;
    /// The same where the reference does without it: its defaults then.
    template <typename Table>
    const Table& options_or_none(const TfliteOperator& op, schema::OptionsType type) const;

    std::string name_;
    bool rounds_once_ = false;  ///< the reference does, in fully connected layers
    int depth_ = 0;             ///< of branches in branches
    const std::vector<std::uint8_t>& bytes_;
    Shapes shapes_;                  ///< given and not used yet
    Fixed fixed_;                    ///< the same
    std::vector<std::string> open_;  ///< inputs with open axes that no shape is given for
    graph::Graph graph_;
    std::vector<std::string> errors_;
    std::vector<std::string> defects_;  ///< of tensors, told where they are used
    std::vector<bool> written_;
    std::vector<Variable> variables_;
    struct Kept {
        graph::TensorId before, after;
        graph::Data first;
    };
    std::vector<Kept> kept_;
    std::vector<bool> is_truth_;                      ///< BOOL, int8 of a scale of 1 in the graph
    std::vector<bool> is_complex_;                    ///< COMPLEX64, pairs of float32 in the graph
    std::vector<bool> is_variable_;                   ///< a tensor that an operator changes
    std::map<graph::TensorId, std::size_t> handles_;  ///< of variables, by tensor
    std::map<std::pair<const std::uint8_t*, std::uint64_t>, graph::Data> read_;  ///< places of data
    /// Constants of subgraphs that are there, by their data; no constant has none.
    struct Adopted {
        graph::TensorId id = graph::kNone;
    };
    std::map<const std::uint8_t*, Adopted> adopted_;
    Budget budget_;
};

template <typename Table>
const Table& TfliteReader::options(const TfliteOperator& op, schema::OptionsType type) const {
    if (op.table->options() == nullptr || op.table->options_type() != type)
        throw Refusal{"options of another operator, or none: want its own"};
    const auto* table = reinterpret_cast<const Table*>(op.table->options());
    flatbuffers::Verifier verifier(bytes_.data(), bytes_.size());
    if (!table->Verify(verifier)) throw Refusal{"damaged options: want a table"};
    return *table;
}

template <typename Table>
const Table& TfliteReader::options_or_none(const TfliteOperator& op,
                                           schema::OptionsType type) const {
    if (op.table->options() != nullptr && op.table->options_type() == type)
        return options<Table>(op, type);
    // A table without fields: sizes of its vtable and of itself, and where the vtable is.
    alignas(8) static constexpr std::uint8_t kEmpty[] = {4, 0, 4, 0, 4, 0, 0, 0};
    return *reinterpret_cast<const Table*>(kEmpty + 4);
}

/// False: no type of a graph.
bool convert(schema::TensorType from, graph::Type& to);
/// An activation inside an operator.
graph::Activation activation_of(schema::Activation activation);
/// Codes below 127 are in an older field of one byte.
schema::BuiltinOperator code_of(const schema::OperatorCode& code);
/// A size from the file that must be at least 1.
int positive(int value, const char* what);

}  // namespace macrame::front
