/// macrame: parse -> resolve -> check -> generate -> write -> report.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "emit/folder_lock.hpp"
#include "emit/generate.hpp"
#include "emit/write.hpp"
#include "explain.hpp"
#include "families/dla/units.hpp"
#include "process.hpp"
#include "simulate.hpp"

namespace {

using namespace macrame;

constexpr int kUserError = 2;
constexpr int kInternalError = 3;

/// Prints the messages; true if there is one.
bool report(const Diags& diags) {
    for (const Diag& diag : diags) {
        std::cerr << "macrame: " << diag.text << "\n";
    }
    return !diags.empty();
}

/// The configuration asked for, if it is legal and built; messages are printed.
std::optional<Config> configuration(const Request& request, const emit::Assets& assets) {
    Diags diags;
    const Settings settings = resolve(request, assets, diags);
    if (diags.empty()) {
        const Diags more = check(settings);
        diags.insert(diags.end(), more.begin(), more.end());
    }
    if (report(diags)) {
        return std::nullopt;
    }
    return settings.config;
}

/// All files of the configuration, checked; messages are printed.
std::optional<emit::OutputSet> output(const Config& config, const emit::Assets& assets) {
    Diags diags;
    emit::OutputSet set = emit::generate(config, assets, diags);
    const Diags faults = set.check();
    diags.insert(diags.end(), faults.begin(), faults.end());
    if (report(diags)) {
        return std::nullopt;
    }
    return set;
}

int run_generate(const Request& request) {
    const emit::Assets assets(request.templates_folder);
    const std::optional<Config> config = configuration(request, assets);
    if (!config) {
        return kUserError;
    }
    const std::optional<emit::OutputSet> files = output(*config, assets);
    if (!files) {
        return kUserError;
    }
    const emit::OutputSet& set = *files;
    emit::WriteReport written;
    {
        const Interrupts interrupts;
        const auto lock = emit::FolderLock::take(request.out, written.diags);
        if (lock != nullptr) written = emit::write(set, *lock);
        if (report(written.diags)) return kUserError;
    }
    fmt::print("{}: {} files, {} written, {} unchanged", request.out, set.files().size(),
               written.written, written.unchanged);
    if (written.removed != 0) fmt::print(", {} removed", written.removed);
    fmt::print("\n");
    return 0;
}

int run_simulate(const Request& request) {
    const emit::Assets assets(request.templates_folder);
    for (const std::string& trace : request.simulate.traces) {  // before the long build
        if (!std::filesystem::exists(trace)) {
            std::cerr << "macrame: " << trace << ": no such file or folder (--trace)\n";
            return kUserError;
        }
    }
    const std::optional<Config> config = configuration(request, assets);
    if (!config) {
        return kUserError;
    }
    if (request.simulate.subject == dla::run::Subject::model) {
        return simulate_model(*config, request.simulate, assets);
    }
    const std::optional<emit::OutputSet> set = output(*config, assets);
    return set ? simulate_design(*config, *set, request.simulate, request.simulate.build_folder)
               : kUserError;
}

/// Two columns.
void row(const std::string& name, const std::string& text) {
    std::cout << name << std::string(34 - std::min<std::size_t>(name.size(), 32), ' ') << text
              << "\n";
}

int run_list(const std::string& subject) {
    if (subject == "presets") {
        const emit::Assets assets;
        for (const std::string& name : preset_names(assets)) {
            Request request;
            request.preset = name;
            Diags diags;
            const Settings settings = resolve(request, assets, diags);
            row(name, check(settings).empty() ? size_text(settings.config) : "refused");
        }
    } else if (subject == "params") {
        for (const Param& param : params()) {
            row(flag_name(param.key), allowed_text(param));
        }
    } else {
        for (const Unit* unit : dla::units()) {
            row(std::string(unit->name), std::string(unit->doc));
        }
    }
    return 0;
}

int run(const std::vector<std::string>& arguments) {
    int exit_status = 0;
    const Request request = parse_command_line(arguments, exit_status);
    if (request.command.empty()) return exit_status;
    if (request.command == "generate") return run_generate(request);
    if (request.command == "list") return run_list(request.subject);
    return request.command == "explain" ? run_explain(request) : run_simulate(request);
}

}  // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write()
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& error) {
        fmt::print(stderr, "macrame: internal error: {}\n", error.what());
        return kInternalError;
    }
}
