#pragma once
/// What programs of a tensor unit depend on: the keys of a .tarch file and the lookup tables.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace macrame::tcu {

/// Fixed-point format of every scalar: weights, activations, accumulators, SIMD registers.
enum class DataType { fp8bp4, fp16bp8, fp18bp10, fp32bp16 };

/// Two's complement with `width` bits, the last `binary_point` of them a fraction.
struct DataTypeInfo {
    DataType type;
    std::string_view name;  ///< as in .tarch
    int width;
    int binary_point;
    int storage_bytes;  ///< of a scalar in DRAM, little-endian; unused high bits are zero
};

/// In the order of the enumeration.
inline constexpr std::array<DataTypeInfo, 4> kDataTypes = {{
    {DataType::fp8bp4, "FP8BP4", 8, 4, 1},
    {DataType::fp16bp8, "FP16BP8", 16, 8, 2},
    {DataType::fp18bp10, "FP18BP10", 18, 10, 4},
    {DataType::fp32bp16, "FP32BP16", 32, 16, 4},
}};

constexpr const DataTypeInfo& info(DataType type) {
    return kDataTypes[static_cast<std::size_t>(type)];
}

/// Null if there is none of that name.
constexpr const DataTypeInfo* find_data_type(std::string_view name) {
    for (const DataTypeInfo& type : kDataTypes)
        if (type.name == name) return &type;
    return nullptr;
}

/// Depths in vectors of array_size scalars. The defaults are those of the PYNQ-Z1 board.
struct Architecture {
    DataType data_type = DataType::fp16bp8;
    int array_size = 8;
    std::int64_t dram0_depth = 1048576;
    std::int64_t dram1_depth = 1048576;
    int local_depth = 8192;
    int accumulator_depth = 2048;
    int simd_registers_depth = 1;
    int stride0_depth = 8;  ///< strides 2^0 .. 2^(depth-1) of operand 0; the same for operand 1
    int stride1_depth = 8;
    int number_of_threads = 1;   ///< no effect: kept for files
    int thread_queue_depth = 8;  ///< no effect: kept for files
    int lut_tables = 0;          ///< value tables; 0: no LoadLUT, no Lookup, 4-bit SIMD operations
    int lut_depth = 0;           ///< entries of each table and of the keys

    int vector_bytes() const { return array_size * info(data_type).storage_bytes; }
};

constexpr bool operator==(const Architecture& a, const Architecture& b) {
    return a.data_type == b.data_type && a.array_size == b.array_size &&
           a.dram0_depth == b.dram0_depth && a.dram1_depth == b.dram1_depth &&
           a.local_depth == b.local_depth && a.accumulator_depth == b.accumulator_depth &&
           a.simd_registers_depth == b.simd_registers_depth && a.stride0_depth == b.stride0_depth &&
           a.stride1_depth == b.stride1_depth && a.number_of_threads == b.number_of_threads &&
           a.thread_queue_depth == b.thread_queue_depth && a.lut_tables == b.lut_tables &&
           a.lut_depth == b.lut_depth;
}

}  // namespace macrame::tcu
