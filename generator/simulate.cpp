#include "simulate.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>
#include <vector>

#include "build_cache.hpp"
#include "core/derived.hpp"
#include "emit/manifest.hpp"
#include "emit/sha256.hpp"
#include "process.hpp"
#include "verif/dla/run/platform.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;

constexpr int kUserError = 2;
constexpr const char* kPicture = "verif/dla/stimulus/knot.ppm";

/// The sizes of the golden model and of the testbench; dla_params.hpp has them for a design.
dla::model::DeviceSizes device_sizes(const Config& config, const Derived& derived) {
    dla::model::DeviceSizes out;
    out.cfgrom_derived = config.cfgrom_words == "derived";
    out.atomic_c = derived.atomic_c;
    out.atomic_k = derived.atomic_k;
    out.atom_bytes = derived.atom_bytes;
    out.cbuf_banks = derived.cbuf_banks;
    out.entry_bytes = derived.entry_bytes;
    out.cbuf_depth = derived.cbuf_depth;
    out.bus_bytes = derived.bus_bytes;
    out.memif_latency = config.primary_memif_latency;
    out.max_burst = derived.max_burst;
    out.addr_w = derived.addr_w;
    out.sdp_lut = config.sdp_lut_enable;
    out.sdp_bs = config.sdp_bs_enable;
    out.sdp_bn = config.sdp_bn_enable;
    out.sdp_ew = config.sdp_ew_enable;
    out.sdp_bs_throughput = config.sdp_bs_throughput;
    out.sdp_bn_throughput = config.sdp_bn_throughput;
    out.sdp_ew_throughput = config.sdp_ew_throughput;
    out.pdp_throughput = config.pdp_throughput;
    out.cdp_throughput = config.cdp_throughput;
    out.image = config.image_enable;
    out.pdp = config.pdp_enable;
    out.cdp = config.cdp_enable;
    out.secondary = config.secondary_memif_enable;
    out.secondary_bus_bytes = config.secondary_memif_width / 8;
    out.secondary_latency = config.secondary_memif_latency;
    out.secondary_max_burst = config.secondary_memif_max_burst_length;
    return out;
}

}  // namespace

int simulate_model(const Config& config, const dla::run::SimulateOptions& options,
                   const emit::Assets& assets) {
    dla::run::Platform platform =
        dla::run::make_platform(config.name, device_sizes(config, derive(config)));
    platform.picture_ppm = assets.read(kPicture).value_or("");
    return dla::run::simulate(options, platform);
}

int simulate_design(const Config& config, const emit::OutputSet& set,
                    const dla::run::SimulateOptions& options, const std::string& folder) {
    std::optional<Testbench> testbench;
    {
        const Interrupts interrupts;
        Diags diags;
        std::optional<fs::path> out = folder;
        if (folder.empty()) {
            const std::string digest = emit::sha256(emit::manifest(config, set));
            out = cache_folder(diags);
            if (out) *out /= fmt::format("{}-{}", config.name, digest.substr(0, 12));
        }
        if (out) testbench = build_testbench(set, *out, !options.wave.empty(), diags);
        for (const Diag& diag : diags)
            fmt::print(stderr, "macrame: {}\n", diag.text);
    }
    if (!testbench) return kUserError;
    std::vector<std::string> command = dla::run::to_arguments(options);
    command.insert(command.begin(), testbench->path.string());
    const std::string error = become(testbench->program, command);
    fmt::print(stderr, "macrame: {}: cannot run: {}\n", testbench->path.string(), error);
    return kUserError;
}

}  // namespace macrame
