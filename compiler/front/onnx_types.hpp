#pragma once
/// Types of elements in ONNX files.

#include <string>

#include "compiler/graph/graph.hpp"

namespace macrame::front {

/// Numbers of types in the file.
enum OnnxType {
    kFloat = 1,
    kUint8 = 2,
    kInt8 = 3,
    kUint16 = 4,
    kInt16 = 5,
    kInt32 = 6,
    kInt64 = 7,
    kBool = 9,
    kHalf = 10,
    kDouble = 11,
    kBfloat16 = 16,
    kUint4 = 21,
    kInt4 = 22
};

/// Type in the graph, of `from` in the file: uint8 become int8, uint16 of quantisation int16,
/// other floating-point types float32, 4 bits of constants int8. False: there is none.
bool convert(int from, graph::Type& to);

/// What to say of a type that there is none for.
std::string type_problem(int type);

}  // namespace macrame::front
