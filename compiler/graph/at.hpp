#pragma once
/// Sizes and places of graphs are int, those of the library are not.

#include <cstddef>

namespace macrame {

/// An int as an index.
inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace macrame
