#pragma once
/// Sizes of the published configurations.

#include <string>
#include <vector>

#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::published {

struct Config {
    const char* name;
    model::Architecture sizes;
};

/// The published configurations. EW, its table and the second port come together in them.
inline std::vector<Config> configs() {
    std::vector<Config> out = {{"nv_small", {}},
                               {"nv_small_256", {32, 8, 8, 32, 32, 128, 32}},
                               {"nv_small_256_full", {32, 8, 8, 32, 32, 128, 32}},
                               {"nv_medium_512", {32, 16, 16, 32, 32, 512, 64}},
                               {"nv_medium_1024_full", {32, 32, 32, 32, 32, 512, 64}},
                               {"nv_large", {64, 32, 32, 64, 16, 512, 64}}};
    for (Config& c : out) {
        const std::string name = c.name;
        c.sizes.pdp = c.sizes.cdp = true;
        c.sizes.sdp_ew = c.sizes.sdp_lut = c.sizes.secondary =
            name == "nv_large" || name.find("full") != std::string::npos;
    }
    return out;
}

/// The first, fixed design: everything.
inline model::Architecture nv_full() {
    model::Architecture sizes{64, 32, 32, 128, 16, 256, 64};
    sizes.int16 = sizes.fp16 = sizes.v1_map = true;
    sizes.winograd = sizes.batch = sizes.compression = true;
    sizes.max_batch = 32;
    sizes.bdma = sizes.rubik_contract = sizes.rubik_reshape = true;
    sizes.pdp = sizes.cdp = sizes.sdp_ew = sizes.sdp_lut = sizes.secondary = true;
    return sizes;
}

/// Small configurations of other types and modes, beside the full design.
inline std::vector<Config> types16_configs() {
    model::Architecture integers{16, 16, 16, 32, 32, 512, 32};
    integers.int16 = integers.pdp = integers.cdp = true;
    integers.sdp_ew = integers.sdp_lut = true;
    model::Architecture floats{8, 8, 16, 16, 32, 512, 32};
    floats.int8 = false;
    floats.fp16 = floats.pdp = floats.cdp = floats.sdp_ew = floats.sdp_lut = true;
    model::Architecture winograd{64, 32, 32, 128, 16, 256, 64};
    winograd.int16 = winograd.winograd = winograd.pdp = winograd.cdp = true;
    model::Architecture compression;
    compression.compression = compression.pdp = compression.cdp = true;
    return {{"nv_full", nv_full()},
            {"int8 and int16", integers},
            {"fp16", floats},
            {"Winograd without batch", winograd},
            {"compression alone", compression}};
}

}  // namespace macrame::dla::published
