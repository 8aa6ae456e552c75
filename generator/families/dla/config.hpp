#pragma once

#include <string>
#include <string_view>

namespace macrame::dla {

/// Scalability parameters of one accelerator, named as in the published configuration files.
/// The defaults are those of nv_small. `0` stands for "not applicable" in optional sizes.
/// Ranges, units and explanations: params.cpp.
struct Config {
    std::string feature_data_types = "INT8";
    std::string weight_data_types = "INT8";
    bool weight_compression_enable = false;
    bool winograd_enable = false;
    bool batch_enable = false;
    bool secondary_memif_enable = false;
    bool sdp_lut_enable = false;
    bool sdp_bs_enable = true;
    bool sdp_bn_enable = true;
    bool sdp_ew_enable = false;
    bool bdma_enable = false;
    bool rubik_enable = false;
    bool rubik_contract_enable = false;
    bool rubik_reshape_enable = false;
    bool row_enable = false;
    bool image_enable = true;
    bool pdp_enable = true;
    bool cdp_enable = true;
    bool retiming_enable = false;
    int mac_atomic_c_size = 8;
    int mac_atomic_k_size = 8;
    int memory_atomic_size = 8;
    int max_batch_size = 0;
    int cbuf_bank_number = 32;
    int cbuf_bank_width = 8;
    int cbuf_bank_depth = 512;
    int sdp_bs_throughput = 1;
    int sdp_bn_throughput = 1;
    int sdp_ew_throughput = 0;
    int pdp_throughput = 1;
    int cdp_throughput = 1;
    int row_throughput = 1;
    int row_length = 0;
    int primary_memif_latency = 64;
    int secondary_memif_latency = 0;
    int primary_memif_max_burst_length = 1;
    int primary_memif_width = 64;
    int secondary_memif_max_burst_length = 0;
    int secondary_memif_width = 0;
    int mem_address_width = 32;
    int num_dma_read_clients = 7;
    int num_dma_write_clients = 3;

    bool clock_gating = false;
    std::string register_map = "later";
    std::string cfgrom_words = "reference";

    std::string control_bus = "csb";
    std::string memory_bus = "native";
    int memory_bus_width = 0;
    std::string bus_clock = "core";
};

/// True if the configuration has the element type "INT8", "INT16" or "FP16".
inline bool has_type(const Config& config, std::string_view type) {
    const std::string list = "," + config.feature_data_types + ",";
    return list.find("," + std::string(type) + ",") != std::string::npos;
}

/// Element types of two bytes.
inline bool has_types16(const Config& config) {
    return has_type(config, "INT16") || has_type(config, "FP16");
}

inline bool has_fp16(const Config& config) { return has_type(config, "FP16"); }

/// Elements of one and of two bytes: a layer says which.
inline bool has_both_widths(const Config& config) {
    return has_types16(config) && has_type(config, "INT8");
}

/// More than one element type.
inline bool has_mixed_types(const Config& config) {
    return has_both_widths(config) || (has_type(config, "INT16") && has_type(config, "FP16"));
}

/// 16-bit types, and integers among the types.
inline bool has_integers16(const Config& config) {
    return has_types16(config) && (has_type(config, "INT8") || has_type(config, "INT16"));
}

/// Bytes of the narrowest and of the widest element type.
inline int narrowest_bytes(const Config& config) { return has_type(config, "INT8") ? 1 : 2; }
inline int widest_bytes(const Config& config) { return has_types16(config) ? 2 : 1; }

/// True if the registers are those of the first, fixed design.
inline bool has_v1_map(const Config& config) { return config.register_map == "v1"; }

/// True if bridges go around the core: the top is dla_axi then.
inline bool has_system_top(const Config& config) {
    return config.control_bus != "csb" || config.memory_bus != "native";
}

}  // namespace macrame::dla
