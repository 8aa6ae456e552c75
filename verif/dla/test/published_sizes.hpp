#pragma once
/// Sizes of the published configurations.

#include <string>
#include <vector>

#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::published {

struct Config {
    const char* name;
    model::DeviceSizes sizes;
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

}  // namespace macrame::dla::published
