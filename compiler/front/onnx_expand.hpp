#pragma once
/// Operators of ONNX that are others put together.

#include <string>
#include <vector>

#include "compiler/front/building.hpp"
#include "onnx.pb.h"

namespace macrame::front {

/// Replaces them by what they are made of. Operators have their place and version.
void expand_operators(onnx_schema::Model& model, Budget& budget);
/// Their names and formats.
std::vector<KnownOperator> expanded_operators();

}  // namespace macrame::front
