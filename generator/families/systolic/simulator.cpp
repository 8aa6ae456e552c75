/// The golden model of the family inside the program.

#include "core/design.hpp"
#include "families/systolic/derived.hpp"
#include "families/systolic/family.hpp"
#include "verif/systolic/run/simulate.hpp"

namespace macrame::systolic {

namespace {

std::shared_ptr<verif::run::Options> make_options() {
    return std::make_shared<run::SimulateOptions>();
}

verif::run::OptionRows option_rows(verif::run::Options& options) {
    return run::option_rows(static_cast<run::SimulateOptions&>(options));
}

int run_model(const Design& design, const verif::run::Options& options) {
    run::Platform platform;
    platform.program = "macrame";
    platform.name = design.name;
    platform.identity = {design.identity(), design.program_parameters()};
    const Config& config = std::any_cast<const Config&>(design.config);
    platform.architecture = architecture_of(config);
    platform.config_address = static_cast<std::uint32_t>(config.config_address);
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform);
}

}  // namespace

const Simulator& simulator() {
    static const Simulator kSimulator{make_options, option_rows, run_model};
    return kSimulator;
}

}  // namespace macrame::systolic
