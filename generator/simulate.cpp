#include "simulate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "build_cache.hpp"
#include "cli.hpp"
#include "emit/manifest.hpp"
#include "emit/sha256.hpp"
#include "core/process.hpp"
#include "verif/common/run/report.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;

/// The arguments of the delivered simulator that make these options.
std::vector<std::string> arguments(const Family& family, verif::run::Options& options) {
    using verif::run::Offered;
    using verif::run::offered;
    const Simulator& simulator = family.simulator;
    const auto fresh = simulator.make_options();
    return verif::run::to_arguments(offered(simulator.option_rows(options), Offered::delivered),
                                    offered(simulator.option_rows(*fresh), Offered::delivered));
}

}  // namespace

int simulate_design(const Design& design, const emit::OutputSet& set,
                    verif::run::Options& options) {
    const Simulator& simulator = design.family.simulator;
    Diags early;  // told before the long build
    for (const std::string& text : verif::run::check_outputs(simulator.option_rows(options)))
        early.push_back({text});
    if (simulator.objection != nullptr) {
        const std::string text = simulator.objection(design, options);
        if (!text.empty()) early.push_back({text});
    }
    if (report(early)) return kUserError;
    std::optional<Testbench> testbench;
    {
        const Interrupts interrupts;
        Diags diags;
        std::optional<fs::path> out = options.build_folder;
        if (options.build_folder.empty()) {
            const std::string digest = emit::sha256(emit::manifest(design, set));
            out = cache_folder(diags);
            if (out) *out /= fmt::format("{}-{}", design.name, digest.substr(0, 12));
        }
        if (out) testbench = build_testbench(set, *out, !options.wave.empty(), diags);
        report(diags);
    }
    if (!testbench) return kUserError;
    std::vector<std::string> command = arguments(design.family, options);
    command.insert(command.begin(), testbench->path.string());
    const std::string error = become(testbench->program, command);
    report({{fmt::format("{}: cannot run: {}", testbench->path.string(), error)}});
    return kUserError;
}

}  // namespace macrame
