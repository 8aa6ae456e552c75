/// macrame: parse -> resolve -> check -> generate -> write -> report.

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "cli.hpp"
#include "core/process.hpp"
#include "emit/folder_lock.hpp"
#include "emit/generate.hpp"
#include "emit/names.hpp"
#include "emit/write.hpp"
#include "explain.hpp"
#include "list.hpp"
#include "resolve.hpp"
#include "simulate.hpp"

namespace macrame {

namespace {

/// The configuration asked for, if it is legal and built; messages are printed.
std::optional<Design> design_of(const Request& request, const emit::Assets& assets) {
    Diags diags;
    if (const std::string problem = assets.problem(); !problem.empty()) diags.push_back({problem});
    const Settings settings = resolve(request, assets, diags);
    for (const Diags& more : {check(settings), emit::check(request.names)})
        diags.insert(diags.end(), more.begin(), more.end());
    if (report(diags)) return std::nullopt;
    return settings.design;
}

/// All files of the design, checked; messages are printed.
std::optional<emit::OutputSet> output(const Design& design, const emit::Assets& assets) {
    Diags diags;
    emit::OutputSet set = emit::generate(design, assets, diags);
    // Names of the user's choice make lines longer.
    const bool named = design.names.prefix || design.names.top;
    const Diags faults = named ? set.check(std::string::npos) : set.check();
    diags.insert(diags.end(), faults.begin(), faults.end());
    if (report(diags)) return std::nullopt;
    return set;
}

int run_generate(const Request& request, const emit::Assets& assets) {
    const std::optional<Design> design = design_of(request, assets);
    if (!design) return kUserError;
    const std::optional<emit::OutputSet> files = output(*design, assets);
    if (!files) return kUserError;
    emit::WriteReport written;
    {
        const Interrupts interrupts;
        const auto lock = emit::FolderLock::take(request.out, written.diags);
        if (lock != nullptr) written = emit::write(*files, *lock);
        if (report(written.diags)) return kUserError;
    }
    fmt::print("{}: {} files, {} written, {} unchanged", request.out, files->files().size(),
               written.written, written.unchanged);
    if (written.removed != 0) fmt::print(", {} removed", written.removed);
    fmt::print("\n");
    return kPassed;
}

int run_simulate(const Request& request, const emit::Assets& assets) {
    const verif::run::Options& options = *request.simulate;
    for (const std::string& trace : options.traces) {  // before the long build
        std::error_code code;
        if (std::filesystem::exists(trace, code)) continue;
        report({{fmt::format("{}: no such file or folder (--trace)", trace)}});
        return kUserError;
    }
    const std::optional<Design> design = design_of(request, assets);
    if (!design) return kUserError;
    if (options.subject == verif::run::Subject::model)
        return design->family.simulator.run_model(*design, options);
    const std::optional<emit::OutputSet> set = output(*design, assets);
    return set ? simulate_design(*design, *set, *request.simulate) : kUserError;
}

}  // namespace

int run(const std::vector<std::string>& arguments, const Families& families) {
    int exit_status = kPassed;
    const Request request = parse_command_line(arguments, emit::Assets("", families), exit_status);
    if (request.command.empty()) return exit_status;
    const emit::Assets assets(request.templates_folder, families);
    if (request.command == "generate") return run_generate(request, assets);
    if (request.command == "list") return run_list(request, assets);
    if (request.command == "explain") return run_explain(request, assets);
    return run_simulate(request, assets);
}

}  // namespace macrame
