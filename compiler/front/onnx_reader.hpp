#pragma once
/// Reader of ONNX files, in parts: onnx.cpp reads what is in the file, onnx_constants.cpp its
/// constants, onnx_values.cpp keeps values and their layout, onnx_table.cpp has the operators,
/// onnx_operators.cpp and its neighbours translate them.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/front/building.hpp"
#include "compiler/front/front.hpp"
#include "compiler/front/onnx_form.hpp"
#include "compiler/graph/graph.hpp"
#include "onnx.pb.h"

namespace macrame::front {

/// How the elements of a value lie in its tensor.
enum class Form {
    plain,  ///< as the file has them
    image,  ///< N x H x W x C; the file has N x C x H x W
    flat    ///< a row in the order H, W, C; the file has one in the order C, H, W
};

/// What a name of the file stands for.
struct OnnxValue {
    graph::TensorId id = graph::kNone;
    std::vector<int> shape;  ///< as the file has it
    Form form = Form::plain;
    std::array<int, 3> chw{};  ///< of Form::flat
    bool real = false;  ///< stands for the real values; a tensor of integers is then dequantised
    /// Elements are uint8 in the file, in the tensor int8: less by 128; or uint16, and int16.
    bool shifted = false;
};

/// What follows a result: an activation, a quantisation.
struct Ending {
    graph::Activation activation = graph::Activation::none;
    std::optional<graph::Quantisation> quantisation;
    bool shifted = false;    ///< the integers are uint8 in the file
    std::string name;        ///< of the value behind what is a part of the operator
    std::vector<int> nodes;  ///< that become a part of it
};

/// An operator of the file.
struct OnnxOperator {
    const onnx_schema::Node* node = nullptr;
    int index = 0;
    std::int64_t version = 0;  ///< of the operator set
    std::string where;
    mutable std::vector<std::string> asked;  ///< attributes that were looked for

    bool domain_is_own() const { return node->domain().empty(); }
    std::size_t inputs() const { return static_cast<std::size_t>(node->input_size()); }
    std::size_t outputs() const { return static_cast<std::size_t>(node->output_size()); }
    const std::string& type() const { return node->op_type(); }
    const onnx_schema::Attribute* find(const char* name) const;
    // Values of attributes; `otherwise` if there is none.
    std::int64_t integer(const char* name, std::int64_t otherwise) const;
    float real(const char* name, float otherwise) const;
    std::string text(const char* name, const char* otherwise) const;
    std::vector<std::int64_t> integers(const char* name) const;
};

/// Reads one file. Every function may throw a Refusal.
class OnnxReader {
public:
    /// `taken`: branches that are known from an earlier reading.
    OnnxReader(const std::string& name, const std::vector<std::uint8_t>& bytes, Shapes shapes,
               Fixed fixed, Branches taken);
    ReadResult run();
    /// These, and others whose condition is a constant.
    const Branches& branches() const { return branches_; }

private:
    friend struct OnnxImporters;

    // ---- the file
    onnx_schema::Model parsed() const;
    void read_versions(const onnx_schema::Model& model);
    void read_nodes_of_values();
    void read_constant(const std::string& name, const onnx_schema::Tensor& from);
    void read_initialisers();
    std::map<std::string, int> named_sizes() const;
    std::vector<int> input_shape(const onnx_schema::ValueInfo& input,
                                 const std::map<std::string, int>& named);
    void read_inputs();
    /// Makes constants of the inputs whose values are given, in the file as it was read.
    void fix_inputs();
    void read_operator(int index);
    void read_outputs();
    void name_values();
    OnnxOperator view_of(int index) const;
    void translate(const OnnxOperator& op);
    /// Refuses attributes that no operator has with this value (onnx_attributes.cpp).
    void want_attributes(const OnnxOperator& op) const;
    void want_window(const OnnxOperator& op) const;
    void want_directions(const OnnxOperator& op) const;

    // ---- values
    void define(const std::string& name, OnnxValue value);
    const OnnxValue& value_of(const std::string& name) const;
    bool has(const OnnxOperator& op, std::size_t i) const;
    /// An input that is there and has no elements.
    bool is_empty(const OnnxOperator& op, std::size_t i) const {
        return empty_.count(op.node->input(static_cast<int>(i))) != 0;
    }
    const OnnxValue& value(const OnnxOperator& op, std::size_t i) const;
    bool is_output(const std::string& name) const { return outputs_.count(name) != 0; }
    /// The value as the result of an operator.
    void give(const OnnxOperator& op, std::size_t i, OnnxValue value);
    /// The same behind an activation that has become a part of the operator.
    void give(const OnnxOperator& op, const Ending& ending, OnnxValue value);

    // ---- tensors
    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    graph::TensorId add_tensor(graph::Tensor tensor);
    graph::TensorId add_tensor(const std::string& name, graph::Type type, std::vector<int> shape,
                               graph::Quantisation quantisation = {});
    /// A constant of int64.
    OnnxValue integers_value(const std::string& name, const std::vector<std::int64_t>& values,
                             std::vector<int> shape);
    graph::TensorId add_real(const std::string& name, float value);
    /// Adds a node; one of constants is executed instead.
    void add(const OnnxOperator& op, graph::Operator what, std::vector<graph::TensorId> inputs,
             std::vector<graph::TensorId> outputs);
    /// A window over more than one picture as one over each; false: there is only one.
    bool add_batch(const OnnxOperator& op, const graph::Operator& what,
                   const std::vector<graph::TensorId>& inputs,
                   const std::vector<graph::TensorId>& outputs);
    /// Adds a node that moves elements; its result has the type of its input, and its scales, along
    /// `axis` if there are several.
    graph::TensorId add_move(const OnnxOperator& op, graph::Operator what, graph::TensorId input,
                             std::vector<int> shape, int axis = 0);

    // ---- layout
    /// The tensor in the form that is wanted.
    graph::TensorId plain(const OnnxOperator& op, const OnnxValue& value);
    graph::TensorId image(const OnnxOperator& op, const OnnxValue& value);
    /// A tensor whose elements are in the order of the file, of whatever shape; kNone if that takes
    /// a transposition.
    graph::TensorId ordered(const OnnxValue& value) const;
    graph::TensorId reshaped(const OnnxOperator& op, graph::TensorId id, std::vector<int> shape);
    graph::TensorId permuted(const OnnxOperator& op, graph::TensorId id,
                             const std::vector<int>& order);

    // ---- numbers
    /// Constant integers: an input, or an attribute in older versions.
    std::vector<std::int64_t> constants(const OnnxOperator& op, std::size_t i) const;
    std::vector<float> reals(const OnnxOperator& op, std::size_t i) const;
    std::vector<float> reals_of(const std::string& name) const;

    // ---- quantisation (onnx_quantised.cpp)
    struct Parameters {
        graph::Quantisation quantisation;
        bool shifted = false;
        bool wide = false;  ///< to 16 bits
    };
    /// Scale and zero point at two inputs; nothing if they are no constants. `shifted`: type of a
    /// zero point that is left out.
    std::optional<Parameters> parameters_of(const onnx_schema::Node& node, int scale,
                                            bool shifted) const;
    Parameters want_parameters(const OnnxOperator& op, int scale, bool shifted = true) const;
    /// Whether nothing but QuantizeLinear and DequantizeLinear reads a value.
    bool only_dequantised(const std::string& name) const;
    /// What all readers of a value make of it, if that is one quantisation.
    std::optional<Parameters> quantised_by_all(const std::string& name) const;
    /// What follows the first result; an activation only where the operator can have one. `folded`:
    /// a node behind it that is a part of the operator already.
    Ending ending(const OnnxOperator& op, bool activation, std::optional<int> folded = {}) const;
    /// The only reader of a value, if this is its first input.
    std::optional<int> reader_of(const std::string& name, int behind) const;
    std::optional<graph::Activation> activation_of(const onnx_schema::Node& node) const;
    std::pair<float, float> clip_bounds(const OnnxOperator& op) const;
    /// Real values in a tensor of int8 with one scale.
    bool is_quantised(const OnnxValue& value) const;
    /// An integer value with its scale and zero point, as real values.
    OnnxValue dequantised(OnnxValue value, const Parameters& parameters);
    /// A constant with other scales; the same for all that want these.
    graph::TensorId with_scales(graph::TensorId constant, graph::Quantisation quantisation);
    /// A constant of one real element as 1 or -1 of a scale of its own, which is exact. Others
    /// stay.
    OnnxValue as_step(OnnxValue value);
    /// A value as float32.
    OnnxValue in_float(const OnnxOperator& op, OnnxValue value);
    /// Whether an operator computes with integers: all its inputs are quantised, and so is what
    /// follows it. Else they become float32.
    bool in_integers(const OnnxOperator& op, const std::vector<OnnxValue*>& inputs, Ending& ending);
    /// A tensor for a result of real values.
    graph::TensorId add_result(const Ending& ending, std::vector<int> shape);
    void spread_scales();
    /// What only brings inputs into another form goes in front of all other nodes.
    void inputs_first();

    std::string name_;
    Shapes shapes_;  ///< given and not used yet
    Fixed fixed_;    ///< the same
    const std::vector<std::uint8_t>& bytes_;
    Budget budget_;
    onnx_schema::Model model_;
    std::map<std::string, std::int64_t> versions_;  ///< of operator sets
    graph::Graph graph_;
    std::vector<std::size_t> real_inputs_, real_outputs_;  ///< as those of ReadResult
    /// How many rows of a result there are: outputs behind those of the file.
    std::vector<graph::TensorId> counts_;
    std::vector<std::string> errors_;
    std::map<std::string, OnnxValue> values_;
    std::map<std::string, std::string> defects_;  ///< of constants, told where they are used
    std::map<std::string, std::vector<OnnxValue>> sequences_;
    std::set<std::string> four_bits_;                  ///< constants of 4 bits
    std::set<std::string> empty_;                      ///< values without elements
    std::map<std::string, std::vector<int>> readers_;  ///< nodes that read a value
    std::set<std::string> outputs_;
    std::set<int> done_;  ///< nodes that became a part of others
    /// Transpositions and reshapes that are there: of a tensor, by their order or shape.
    std::map<std::pair<graph::TensorId, std::vector<int>>, graph::TensorId> permuted_, reshaped_;
    std::map<graph::TensorId, std::pair<graph::TensorId, std::vector<int>>> permuted_from_;
    std::map<graph::TensorId, graph::TensorId> reshaped_from_;
    std::map<graph::TensorId, std::vector<graph::TensorId>>
        scaled_;  ///< constants with other scales
    Branches branches_;
    std::set<std::string> unknown_;  ///< results of operators that were refused
};

/// Sizes of a file as the graph has them.
int size_of(std::int64_t value, const char* what);
/// N x C x H x W as N x H x W x C.
std::vector<int> image_shape(const std::vector<int>& shape);
/// Number of an axis of N x C x H x W in N x H x W x C.
int image_axis(int axis);
/// Elements of a shape; at most 2^30.
std::int64_t elements_of(const std::vector<int>& shape);

}  // namespace macrame::front
