#pragma once
/// The order in which the parts of a convolution are computed.

#include <vector>

#include "compiler/systolic/tiling.hpp"

namespace macrame::systolic::compiler {

/// What is done between two changes of what lies in the buffers: a part of the folds of an image,
/// for a group of folds of filters and one of channels.
struct Step {
    int tile = 0, filters = 0, channels = 0, image = 0, part = 0;
    bool last = false;  ///< of its tile and filters
};

/// Of all products, in their order. With Tiling::snake each loop goes back the way it came.
std::vector<Step> steps(const Plan& plan);

}  // namespace macrame::systolic::compiler
