#pragma once
/// Operators as calls of the functions of runtime/host/.

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::compiler::host_c {

/// Arrays of the C file; equal ones are there once.
class Constants {
public:
    /// `prefix` of all names.
    explicit Constants(std::string prefix) : prefix_(std::move(prefix)) {}

    /// Name of an array of these elements.
    std::string add(graph::Type type, const graph::Bytes& bytes);
    /// The same of elements that are told as text in C.
    std::string add(const std::string& type, const std::vector<std::string>& elements);
    std::string add(const std::vector<std::int32_t>& values);
    std::string add(const std::vector<float>& values);

    /// All definitions.
    const std::string& text() const { return text_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    std::string prefix_, text_;
    std::map<std::string, std::string> names_;  ///< by what they hold
    std::uint64_t bytes_ = 0;
};

/// A tensor, or memory that is used while an operator runs alone.
struct Operand {
    graph::TensorId id = graph::kNone;
    int scratch = -1;  ///< number of such memory
};

/// function(operands, &with);
struct Call {
    std::string function;  ///< macrame_host_... without that beginning; also the name of its file
    std::vector<Operand> operands;
    std::string with;       ///< initialiser of its struct,
    std::string type;       ///< which is called as the function where this is empty
    bool can_fail = false;  ///< returns not 0 for a value that it cannot take
};

/// An operator.
struct Calls {
    std::vector<Call> calls;
    std::vector<std::uint64_t> scratch;  ///< bytes
    std::string problem;  ///< why there is no function for it; then there is nothing else
};

Calls calls_of(const graph::Graph& graph, const graph::Node& node, Constants& constants);

/// A tensor as codes, in the first scratch memory, and back.
Calls encoding_of(const graph::Graph& graph, graph::TensorId id, const CodedTensor& coded,
                  Constants& constants);
Calls decoding_of(const graph::Graph& graph, graph::TensorId id, const CodedTensor& coded,
                  Constants& constants);

/// Of a value as C has it: exactly this one.
std::string c_text(float value);
std::string c_text(double value);
std::string_view c_type(graph::Type type);
/// MACRAME_HOST_INT8, ...
std::string_view c_element(graph::Type type);

}  // namespace macrame::compiler::host_c
