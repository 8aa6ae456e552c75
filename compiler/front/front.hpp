#pragma once
/// Reads a network file of any format.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::front {

/// Outcome of reading: a graph that has passed graph::check(), or messages.
struct ReadResult {
    graph::Graph graph;
    /// Numbers of inputs that are float32 in the file and integers, quantised, in the graph.
    std::vector<std::size_t> real_inputs;
    std::vector<std::size_t> real_outputs;  ///< the same of outputs
    std::vector<std::string> errors;        ///< "file: what was found: what was wanted"
    bool ok() const { return errors.empty(); }
};

/// Shapes of inputs by their names, where the file leaves axes open.
using Shapes = std::map<std::string, std::vector<int>>;

/// Elements of inputs by their names, as the file has them, which become constants: one for all of
/// an input's, or each.
using Fixed = std::map<std::string, std::vector<std::string>>;

/// TFLite flatbuffer. The bytes are verified before anything is used.
ReadResult read_tflite(const std::string& name, const std::vector<std::uint8_t>& bytes,
                       const Shapes& shapes = {}, const Fixed& fixed = {});

/// ONNX protobuf.
ReadResult read_onnx(const std::string& name, const std::vector<std::uint8_t>& bytes,
                     const Shapes& shapes = {}, const Fixed& fixed = {});

/// A complete ONNX file, whatever its first field is.
bool is_onnx(const std::vector<std::uint8_t>& bytes);

/// An operator that a reader knows.
struct KnownOperator {
    std::string name;
    std::string format;  ///< "TFLite", "ONNX", "ONNX com.microsoft"
};
/// All of them, from the tables that the readers use: those of TFLite, then of ONNX, by name.
std::vector<KnownOperator> known_operators();

/// By the contents of the file. Files above 1 GiB are refused.
ReadResult read(const std::string& path, const Shapes& shapes = {}, const Fixed& fixed = {});

}  // namespace macrame::front
