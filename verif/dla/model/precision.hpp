#pragma once
/// Element types, coded as in the fields IN_PRECISION, PROC_PRECISION and OUT_PRECISION.

#include <cstdint>

namespace macrame::dla::model {

enum class Precision { int8 = 0, int16 = 1, fp16 = 2 };

/// Type of a field; the code without a type (3) acts as fp16.
inline Precision precision_of(std::uint32_t field) {
    return field == 0 ? Precision::int8 : field == 1 ? Precision::int16 : Precision::fp16;
}

/// Bytes of an element in memory.
inline int bytes_of(Precision precision) { return precision == Precision::int8 ? 1 : 2; }

}  // namespace macrame::dla::model
