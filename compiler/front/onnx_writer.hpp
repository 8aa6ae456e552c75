#pragma once
/// Writes a float network as an ONNX file, for tools that read no other format.

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::front {

/// Bytes of the file, or what of the network has no form there.
struct WrittenOnnx {
    std::vector<std::uint8_t> bytes;
    std::string error;  ///< "operator 3 (...), tensor t: what was found: what was wanted"
};

/// The graph is float32 throughout. Inputs and outputs keep their names, shapes and order of
/// elements; between them pictures are N x C x H x W, as ONNX has them. Operators of version 17.
WrittenOnnx write_onnx(const graph::Graph& graph);

}  // namespace macrame::front
