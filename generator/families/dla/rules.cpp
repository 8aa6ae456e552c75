#include <fmt/format.h>

#include <algorithm>

#include "families/dla/derived.hpp"
#include "families/dla/tables.hpp"

namespace macrame::dla {

namespace {

std::string number(int value) { return fmt::to_string(value); }

/// Elements of a memory atom, of the widest type.
int fewest_elements(const Config& c) { return c.memory_atomic_size / widest_bytes(c); }

constexpr int kAxi3Beats = 16;

/// Beats of the memory bus for the longest burst of a memory port.
int longest_bus_burst(const Config& c) {
    if (c.memory_bus_width == 0) return 1;
    const auto beats = [&](int width, int burst) { return burst * width / c.memory_bus_width; };
    return std::max(beats(c.primary_memif_width, c.primary_memif_max_burst_length),
                    beats(c.secondary_memif_width, c.secondary_memif_max_burst_length));
}

}  // namespace

const std::vector<Rule>& rules() {
    using C = const Config&;
    static const std::vector<Rule> kRules = {
        // Sizes that belong together.
        {"memory_atomic_size", "mac_atomic_k_size",
         [](C c) { return c.memory_atomic_size == c.mac_atomic_k_size * narrowest_bytes(c); },
         [](C c) {
             const std::string kernels = number(c.mac_atomic_k_size);
             return (has_type(c, "INT8") ? "mac-atomic-k-size (" : "twice mac-atomic-k-size (") +
                    kernels + ")";
         }},
        {"mac_atomic_c_size", "memory_atomic_size",
         [](C c) {
             const int bytes = c.mac_atomic_c_size * widest_bytes(c);
             return bytes % c.memory_atomic_size == 0 && bytes / c.memory_atomic_size <= 4;
         },
         [](C c) {
             return std::string(has_types16(c) ? "1, 2 or 4 times half of" : "1, 2 or 4 times") +
                    " memory-atomic-size (" + number(c.memory_atomic_size) + ")";
         }},
        {"cbuf_bank_width", "mac_atomic_c_size",
         [](C c) { return c.cbuf_bank_width == c.mac_atomic_c_size * widest_bytes(c); },
         [](C c) {
             return std::string(has_types16(c) ? "twice " : "") + "mac-atomic-c-size (" +
                    number(c.mac_atomic_c_size) + ")";
         }},
        {"cbuf_bank_depth", "cbuf_bank_width",
         [](C c) {
             const int bytes = c.cbuf_bank_depth * c.cbuf_bank_width;
             return bytes >= 512 && bytes <= 32 * 1024;
         },
         [](C c) {
             return "a bank of 512 to 32768 bytes, not " +
                    number(c.cbuf_bank_depth * c.cbuf_bank_width);
         }},
        {"primary_memif_width", "memory_atomic_size",
         [](C c) { return c.primary_memif_width >= 8 * c.memory_atomic_size; },
         [](C c) {
             return "at least one memory atom, " + number(8 * c.memory_atomic_size) + " bits";
         }},
        {"secondary_memif_width", "memory_atomic_size",
         [](C c) {
             return !c.secondary_memif_enable ||
                    c.secondary_memif_width >= 8 * c.memory_atomic_size;
         },
         [](C c) {
             return "at least one memory atom, " + number(8 * c.memory_atomic_size) + " bits";
         }},
        {"secondary_memif_latency", "",
         [](C c) { return !c.secondary_memif_enable || c.secondary_memif_latency != 0; },
         [](C) { return std::string("a number, as secondary-memif-enable is true"); }},
        {"secondary_memif_max_burst_length", "",
         [](C c) { return !c.secondary_memif_enable || c.secondary_memif_max_burst_length != 0; },
         [](C) { return std::string("1, 4, 8 or 16, as secondary-memif-enable is true"); }},
        {"sdp_bs_throughput", "memory_atomic_size",
         [](C c) { return c.sdp_bs_throughput <= fewest_elements(c); },
         [](C c) {
             return "at most " + number(fewest_elements(c)) + ", the elements of a memory atom";
         }},
        {"sdp_bn_throughput", "memory_atomic_size",
         [](C c) { return c.sdp_bn_throughput <= fewest_elements(c); },
         [](C c) {
             return "at most " + number(fewest_elements(c)) + ", the elements of a memory atom";
         }},
        {"sdp_ew_throughput", "memory_atomic_size",
         [](C c) { return c.sdp_ew_throughput <= fewest_elements(c); },
         [](C c) {
             return "at most " + number(fewest_elements(c)) + ", the elements of a memory atom";
         }},
        {"sdp_bs_throughput", "", [](C c) { return c.sdp_bs_throughput != 0 || !c.sdp_bs_enable; },
         [](C) { return std::string("a number, as sdp-bs-enable is true"); }},
        {"sdp_bn_throughput", "", [](C c) { return c.sdp_bn_throughput != 0 || !c.sdp_bn_enable; },
         [](C) { return std::string("a number, as sdp-bn-enable is true"); }},
        {"sdp_ew_throughput", "", [](C c) { return c.sdp_ew_throughput != 0 || !c.sdp_ew_enable; },
         [](C) { return std::string("a number, as sdp-ew-enable is true"); }},
        {"sdp_lut_enable", "", [](C c) { return !c.sdp_lut_enable || c.sdp_ew_enable; },
         [](C) { return std::string("false, as sdp-ew-enable is false"); }},
        {"num_dma_read_clients", "",
         [](C c) { return c.num_dma_read_clients == dma_read_clients(c); },
         [](C c) {
             return number(dma_read_clients(c)) + ", the read clients of the enabled units";
         }},
        {"num_dma_write_clients", "",
         [](C c) { return c.num_dma_write_clients == dma_write_clients(c); },
         [](C c) {
             return number(dma_write_clients(c)) + ", the write clients of the enabled units";
         }},
        {"memory_bus_width", "",
         [](C c) { return c.memory_bus_width == 0 || c.memory_bus != "native"; },
         [](C) { return std::string("none, as memory-bus is native"); }},
        {"memory_bus_width", "",
         [](C c) { return c.memory_bus != "axi3" || longest_bus_burst(c) <= kAxi3Beats; },
         [](C c) {
             return "a wider bus or shorter bursts: AXI3 has 16 beats, here are " +
                    number(longest_bus_burst(c));
         }},
        {"bus_clock", "", [](C c) { return c.bus_clock == "core" || has_system_top(c); },
         [](C) { return std::string("core, as control-bus is csb and memory-bus is native"); }},

        // A position is a beat of each input, and CACC has places for twice as many.
        {"max_batch_size", "mac_atomic_k_size",
         [](C c) { return !c.batch_enable || c.max_batch_size <= c.mac_atomic_k_size; },
         [](C c) {
             return "at most mac-atomic-k-size (" + number(c.mac_atomic_k_size) +
                    "), as batch-enable is true";
         }},
        {"max_batch_size", "", [](C c) { return !c.batch_enable || c.max_batch_size != 0; },
         [](C) { return std::string("a number, as batch-enable is true"); }},
        // Its addresses and strides have no bits below those of 32 bytes, its banks 4 bits.
        {"register_map", "memory_atomic_size",
         [](C c) { return !has_v1_map(c) || c.memory_atomic_size == 32; },
         [](C c) {
             return "later, as memory-atomic-size is " + number(c.memory_atomic_size) + ", not 32";
         }},
        {"register_map", "cbuf_bank_number",
         [](C c) { return !has_v1_map(c) || c.cbuf_bank_number <= 16; },
         [](C c) {
             return "later, as cbuf-bank-number is " + number(c.cbuf_bank_number) +
                    ", more than 16";
         }},
        {"weight_data_types", "feature_data_types",
         [](C c) { return c.weight_data_types == c.feature_data_types; },
         [](C c) { return "those of feature-data-types (" + c.feature_data_types + ")"; }},
        {"pdp_throughput", "", [](C c) { return c.pdp_throughput >= widest_bytes(c); },
         [](C) { return std::string("at least 2: bytes per cycle, an element has two"); }},
        {"cdp_throughput", "", [](C c) { return c.cdp_throughput >= widest_bytes(c); },
         [](C) { return std::string("at least 2: bytes per cycle, an element has two"); }},
        {"rubik_enable", "",
         [](C c) { return !c.rubik_enable || c.rubik_contract_enable || c.rubik_reshape_enable; },
         [](C) {
             return std::string(
                 "false, as rubik-contract-enable and rubik-reshape-enable are false");
         }},
        {"rubik_contract_enable", "",
         [](C c) { return !c.rubik_contract_enable || c.rubik_enable; },
         [](C) { return std::string("false, as rubik-enable is false"); }},
        {"rubik_reshape_enable", "", [](C c) { return !c.rubik_reshape_enable || c.rubik_enable; },
         [](C) { return std::string("false, as rubik-enable is false"); }},
        {"row_enable", "feature_data_types",
         [](C c) { return !c.row_enable || has_type(c, "INT8"); },
         [](C c) { return "false, as feature-data-types is " + c.feature_data_types; }},
        {"row_length", "row_enable", [](C c) { return (c.row_length != 0) == c.row_enable; },
         [](C c) {
             return std::string(c.row_enable ? "a number, as row-enable is true"
                                             : "none, as row-enable is false");
         }},
        // An entry is a tile of 4 x 4 pixels with 8 bytes of each.
        {"winograd_enable", "cbuf_bank_width",
         [](C c) { return !c.winograd_enable || c.cbuf_bank_width == 128; },
         [](C c) {
             return "false, as cbuf-bank-width is " + number(c.cbuf_bank_width) + ", not 128";
         }},
        {"winograd_enable", "image_enable",
         [](C c) { return !c.winograd_enable || c.image_enable; },
         [](C) { return std::string("false, as image-enable is false"); }},
        {"weight_compression_enable", "feature_data_types",
         [](C c) { return !c.weight_compression_enable || has_types16(c); },
         [](C) { return std::string("false, as feature-data-types is INT8"); }},
    };
    return kRules;
}

}  // namespace macrame::dla
