#pragma once
/// Where tensors lie in memory.

#include <optional>
#include <vector>

#include "compiler/dla/layer.hpp"

namespace macrame::dla::compiler {

/// How a pixel of the network lies in an image: as columns of so many bytes.
struct PixelForm {
    int components = 1;  ///< bytes of a column: 1 or 4, of which the last may mean nothing
    int columns = 1;
};

/// Where a tensor lies; `form` if the first layer reads it as pixels.
struct Location {
    Cube cube;
    Pixels pixels;
    std::optional<PixelForm> form;
    std::vector<int> writers;  ///< layers
};

}  // namespace macrame::dla::compiler
