/// The golden model of the family inside the program.

#include <algorithm>

#include "core/design.hpp"
#include "emit/sizes.hpp"
#include "families/dla/config.hpp"
#include "families/dla/family.hpp"
#include "runtime/play/run_inputs.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame::dla {

namespace {

constexpr std::string_view kPicture = "verif/dla/stimulus/knot.ppm";

std::shared_ptr<verif::run::Options> make_options() {
    return std::make_shared<run::SimulateOptions>();
}

verif::run::OptionRows option_rows(verif::run::Options& options) {
    return run::option_rows(static_cast<run::SimulateOptions&>(options));
}

int run_model(const Design& design, const verif::run::Options& options) {
    run::Platform platform =
        run::make_platform(design.name, model::architecture_of(emit::numbers(design)));
    platform.program = "macrame";
    platform.parameters = design.program_parameters();
    platform.run_inputs = program::run_inputs;
    platform.picture_ppm = bundled_picture();
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform);
}

std::string objection(const Design& design, const verif::run::Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    return run::objection(
        static_cast<const run::SimulateOptions&>(options),
        {config.memory_bus != "native", !has_system_top(config) || config.bus_clock == "own",
         config.secondary_memif_enable});
}

}  // namespace

std::string bundled_picture() {
    const AssetList& files = assets();
    const auto at = std::find_if(files.begin(), files.end(),
                                 [](const Asset& file) { return file.path == kPicture; });
    return std::string(at->bytes);
}

const Simulator& simulator() {
    static const Simulator kSimulator{make_options, option_rows, run_model, objection};
    return kSimulator;
}

}  // namespace macrame::dla
