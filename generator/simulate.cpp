#include "simulate.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <vector>

#include "build_cache.hpp"
#include "cli.hpp"
#include "emit/generate.hpp"
#include "emit/manifest.hpp"
#include "emit/sha256.hpp"
#include "core/process.hpp"
#include "verif/common/run/report.hpp"

namespace macrame {

namespace fs = std::filesystem;

std::optional<emit::OutputSet> files_of(const Design& design, const emit::Assets& assets) {
    Diags diags;
    emit::OutputSet set = emit::generate(design, assets, diags);
    // Names of the user's choice make lines longer.
    const bool named = design.names.prefix || design.names.top;
    const Diags faults = named ? set.check(std::string::npos) : set.check();
    diags.insert(diags.end(), faults.begin(), faults.end());
    if (report(diags)) return std::nullopt;
    return set;
}

std::optional<Testbench> testbench_of(const Design& design, const emit::OutputSet& set,
                                      const verif::run::Options& options) {
    const Interrupts interrupts;
    Diags diags;
    std::optional<Testbench> testbench;
    std::optional<fs::path> out = options.build_folder;
    if (options.build_folder.empty()) {
        const std::string digest = emit::sha256(emit::manifest(design, set));
        out = cache_folder(diags);
        if (out) *out /= fmt::format("{}-{}", design.name, digest.substr(0, 12));
    }
    if (out) testbench = build_testbench(set, *out, !options.wave.empty(), diags);
    report(diags);
    return testbench;
}

std::vector<std::string> testbench_arguments(const Family& family, verif::run::Options& options) {
    using verif::run::Offered;
    using verif::run::offered;
    const Simulator& simulator = family.simulator;
    const auto fresh = simulator.make_options();
    return verif::run::to_arguments(offered(simulator.option_rows(options), Offered::delivered),
                                    offered(simulator.option_rows(*fresh), Offered::delivered));
}

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
    std::optional<Testbench> testbench = testbench_of(design, set, options);
    if (!testbench) return kUserError;
    std::vector<std::string> command = testbench_arguments(design.family, options);
    command.insert(command.begin(), testbench->path.string());
    const std::string error = become(testbench->program, command);
    report({{fmt::format("{}: cannot run: {}", testbench->path.string(), error)}});
    return kUserError;
}

}  // namespace macrame
