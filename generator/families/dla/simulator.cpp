/// The golden model of the family inside the program.

#include <algorithm>

#include "core/design.hpp"
#include "families/dla/derived.hpp"
#include "families/dla/family.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame::dla {

namespace {

constexpr std::string_view kPicture = "verif/dla/stimulus/knot.ppm";

/// The sizes of the golden model and of the testbench; dla_params.hpp has them for a design.
model::DeviceSizes device_sizes(const Config& config, const Derived& derived) {
    model::DeviceSizes out;
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

std::string picture() {
    const AssetList& files = assets();
    const auto at = std::find_if(files.begin(), files.end(),
                                 [](const Asset& file) { return file.path == kPicture; });
    return std::string(at->bytes);
}

std::shared_ptr<verif::run::Options> make_options() {
    return std::make_shared<run::SimulateOptions>();
}

verif::run::OptionRows option_rows(verif::run::Options& options) {
    return run::option_rows(static_cast<run::SimulateOptions&>(options));
}

int run_model(const Design& design, const verif::run::Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    run::Platform platform =
        run::make_platform(design.name, device_sizes(config, derive(config)));
    platform.program = "macrame";
    platform.picture_ppm = picture();
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform);
}

}  // namespace

const Simulator& simulator() {
    static const Simulator kSimulator{make_options, option_rows, run_model};
    return kSimulator;
}

}  // namespace macrame::dla
