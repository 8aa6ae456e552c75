#include "core/design.hpp"
#include "families/mini/config.hpp"
#include "families/mini/family.hpp"
#include "verif/mini/simulate.hpp"

namespace macrame::mini {

namespace {

std::shared_ptr<verif::run::Options> make_options() {
    return std::make_shared<verif::run::Options>();
}

int run_model(const Design& design, const verif::run::Options& options) {
    const Config& config = std::any_cast<const Config&>(design.config);
    return simulate(options, {design.name, config.lanes, config.width, nullptr});
}

}  // namespace

const Simulator& simulator() {
    static const Simulator kSimulator{make_options, verif::run::option_rows, run_model};
    return kSimulator;
}

}  // namespace macrame::mini
