#pragma once
/// Arrays in NumPy's file format, .npy.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::network {

struct Array {
    enum class Type { int8, uint8, float32, int16, int32, int64 };
    Type type = Type::int8;
    std::vector<std::size_t> shape;
    std::string_view data;  ///< of the file: elements in order (the last axis first), little-endian
    std::string error;      ///< what was found, what was wanted; then there is nothing else

    std::size_t elements() const;
};

/// Bytes of an element.
std::size_t size_of(Array::Type type);
/// "int8", ...
std::string_view name_of(Array::Type type);

/// Versions 1 to 3 of the format. The data are as long as the shape says.
Array parse_npy(std::string_view file);

/// A file of version 1: elements in order, little-endian, as many as the shape says.
std::string npy_text(Array::Type type, const std::vector<std::size_t>& shape,
                     std::string_view data);

/// "49x10x1"; "scalar" without axes.
std::string shape_text(const std::vector<std::size_t>& shape);

}  // namespace macrame::network
