#pragma once
/// Published architectures, and those of the conformance data, typed in from the facts.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::test {

inline Architecture architecture(DataType type, int size, std::int64_t dram0, std::int64_t dram1,
                                 int local, int accumulators, int registers = 1, int stride0 = 8,
                                 int stride1 = 8) {
    Architecture a;
    a.data_type = type;
    a.array_size = size;
    a.dram0_depth = dram0;
    a.dram1_depth = dram1;
    a.local_depth = local;
    a.accumulator_depth = accumulators;
    a.simd_registers_depth = registers;
    a.stride0_depth = stride0;
    a.stride1_depth = stride1;
    return a;
}

// clang-format off
inline const std::map<std::string, Architecture>& architectures() {
    constexpr auto fp8 = DataType::fp8bp4;
    constexpr auto fp16 = DataType::fp16bp8;
    constexpr auto fp18 = DataType::fp18bp10;
    constexpr auto fp32 = DataType::fp32bp16;
    static const std::map<std::string, Architecture> all = {
        {"cmoda7",       architecture(fp16, 4, 4096, 32768, 4096, 4096)},
        {"artya7100t",   architecture(fp16, 8, 1048576, 1048576, 8192, 2048)},
        {"pynqz1",       architecture(fp16, 8, 1048576, 1048576, 8192, 2048)},
        {"speech_robot", architecture(fp16, 8, 131072, 131072, 8192, 2048)},
        {"custom_perf",  architecture(fp16, 12, 1048576, 1048576, 8192, 2048)},
        {"ultra96v2",    architecture(fp16, 16, 2097152, 2097152, 20480, 4096)},
        {"zcu104",       architecture(fp16, 32, 2097152, 2097152, 16384, 4096)},
        {"zcu104_uram",  architecture(fp16, 32, 2097152, 2097152, 49152, 20480)},
        {"n2_fp16bp8",   architecture(fp16, 2, 128, 64, 32, 16, 1, 2, 2)},
        {"n4_fp8bp4",    architecture(fp8, 4, 160, 64, 48, 24, 2, 4, 4)},
        {"n8_fp16bp8",   architecture(fp16, 8, 192, 128, 64, 32)},
        {"n8_fp18bp10",  architecture(fp18, 8, 192, 96, 40, 64, 3, 1, 8)},
        {"n16_fp32bp16", architecture(fp32, 16, 128, 64, 40, 20, 4, 8, 2)},
        {"n32_fp16bp8",  architecture(fp16, 32, 128, 64, 48, 24)},
    };
    return all;
}
// clang-format on

/// With lookup tables, no SIMD registers, and other sizes that no board has.
inline std::vector<Architecture> odd_architectures() {
    std::vector<Architecture> out;
    out.push_back(architecture(DataType::fp16bp8, 2, 5, 3, 3, 2, 0, 1, 1));
    out.push_back(
        architecture(DataType::fp32bp16, 256, std::int64_t{1} << 32, 2, 65536, 65536, 16, 16, 16));
    out.push_back(architecture(DataType::fp18bp10, 6, 100, 5000, 300, 77, 5, 3, 5));
    out.push_back(architectures().at("n4_fp8bp4"));
    out.back().lut_tables = 2;
    out.back().lut_depth = 5;
    return out;
}

}  // namespace macrame::tcu::test
