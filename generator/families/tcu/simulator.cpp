/// The golden model of the family inside the program.

#include <fmt/format.h>

#include "runtime/play/tcu/driver.hpp"
#include "core/design.hpp"
#include "families/tcu/derived.hpp"
#include "families/tcu/family.hpp"
#include "families/tcu/platform.hpp"
#include "verif/tcu/run/simulate.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu {

namespace {

std::shared_ptr<verif::run::Options> make_options() {
    return std::make_shared<run::SimulateOptions>();
}

verif::run::OptionRows option_rows(verif::run::Options& options) {
    return run::option_rows(static_cast<run::SimulateOptions&>(options));
}

int run_model(const Design& design, const verif::run::Options& options) {
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform_of(design));
}

std::string objection(const Design& design, const verif::run::Options& options) {
    const auto& asked = static_cast<const run::SimulateOptions&>(options);
    const bool samples = asked.sample_interval > 0 || !asked.samples.empty();
    if (!samples || std::any_cast<const Config&>(design.config).sample_block_size > 0) return "";
    return fmt::format("--{}: {} has no sample port: want sample-block-size, too",
                       asked.samples.empty() ? "sample-interval" : "samples", design.name);
}

}  // namespace

run::Platform platform_of(const Design& design) {
    const Config& config = std::any_cast<const Config&>(design.config);
    run::Platform platform;
    platform.program = "macrame";
    platform.name = design.name;
    platform.architecture = architecture_of(config);
    platform.control_port = config.control_port;
    platform.identity = design.identity();
    platform.beat_bytes = config.axi_data_width / 8;
    platform.validates = config.validate_instructions;
    platform.sample_block = config.sample_block_size;
    platform.timeout = config.decoder_timeout;
    platform.drive = play::drive_job;
    return platform;
}

const Simulator& simulator() {
    static const Simulator kSimulator{make_options, option_rows, run_model, objection};
    return kSimulator;
}

}  // namespace macrame::tcu
