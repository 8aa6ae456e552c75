/// macrame: parse -> resolve -> check -> generate -> write -> report.

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stdexcept>

#include "cli.hpp"
#include "explain.hpp"
#include "explore/explore.hpp"
#include "fpga/board.hpp"
#include "fpga/host/board_link.hpp"
#include "fpga/project.hpp"
#include "fpga/support.hpp"
#include "list.hpp"
#include "network/commands.hpp"
#include "resolve.hpp"
#include "simulate.hpp"
#include "write_folder.hpp"

namespace macrame {

namespace {

/// Brings the folder to this state and says what was done.
int write_out(const emit::OutputSet& files, const std::string& out) {
    const std::optional<emit::WriteReport> written = write_folder(files, out);
    if (!written) return kUserError;
    fmt::print("{}: {} files, {} written, {} unchanged", out, files.files().size(),
               written->written, written->unchanged);
    if (written->removed != 0) fmt::print(", {} removed", written->removed);
    fmt::print("\n");
    return kPassed;
}

int run_generate(const Request& request, const emit::Assets& assets) {
    const std::optional<Design> design = design_of(request, assets);
    if (!design) return kUserError;
    const std::optional<emit::OutputSet> files = files_of(*design, assets);
    return files ? write_out(*files, request.out) : kUserError;
}

/// The board asked for; messages are printed.
std::optional<fpga::Board> board_of(const Request& request, const emit::Assets& assets) {
    Diags diags;
    std::optional<fpga::Board> board =
        fpga::find_board(request.board, request.board_folder, assets, diags);
    report(diags);
    return board;
}

int run_fpga(const Request& request, const emit::Assets& assets) {
    const std::optional<fpga::Board> board = board_of(request, assets);
    if (!board) return kUserError;
    const std::optional<Design> asked = design_of(request, assets);
    if (!asked) return kUserError;
    const Design design = fpga::on_board(*asked, *board);
    const fpga::ProjectOptions options{request.core_mhz};
    Diags diags = fpga::refusal(design, *board, options);
    if (report(diags)) return kUserError;
    const emit::OutputSet files = fpga::project(design, *board, options, assets, diags);
    const Diags faults = files.check();
    diags.insert(diags.end(), faults.begin(), faults.end());
    return report(diags) ? kUserError : write_out(files, request.out);
}

int run_soc(const Request& request, const emit::Assets& assets) {
    const std::optional<Design> asked = design_of(request, assets);
    if (!asked) return kUserError;
    const Design design = fpga::on_board(*asked, fpga::soc());
    Diags diags = fpga::refusal(design, fpga::soc(), {});
    if (report(diags)) return kUserError;
    emit::OutputSet files = fpga::soc_project(design, assets, diags);
    if (report(diags) || !network::add_firmware(request, design, files)) return kUserError;
    return report(files.check()) ? kUserError : write_out(files, request.out);
}

/// Before anything long begins; messages are printed.
bool traces_exist(const verif::run::Options& options) {
    Diags diags;
    for (const std::string& trace : options.traces) {
        std::error_code code;
        if (!std::filesystem::exists(trace, code))
            diags.push_back({fmt::format("{}: no such file or folder (--trace)", trace)});
    }
    return !report(diags);
}

/// The preset that a board holds, for a message; empty if it is none.
std::string preset_on_board(std::uint32_t id, const Design& wanted, const emit::Assets& assets) {
    for (const std::string& name : preset_names(wanted.family, assets)) {
        Request request;
        request.family = std::string(wanted.family.name);
        request.preset = name;
        Diags diags;
        const Settings settings = resolve(request, assets, diags);
        if (check(settings).empty() && fpga::design_id(settings.design) == id) return name;
    }
    return "";
}

int run_host(const Request& request, const emit::Assets& assets) {
    const std::optional<Design> design = design_of(request, assets);
    if (!design || !traces_exist(*request.simulate)) return kUserError;
    const fpga::BoardSupport* support = design->family.boards;
    if (support == nullptr) {
        report({{fmt::format("the family {} is not built for boards", design->family.name)}});
        return kUserError;
    }
    try {
        fpga::SerialPort port(request.port, request.baud);
        fpga::BoardLink link(port);
        const std::uint32_t id = link.read_reg(fpga::board_reg::kDesign);
        if (id != fpga::design_id(*design)) {
            const std::string found = preset_on_board(id, *design, assets);
            throw fpga::BoardError(fmt::format("{}: the board holds {}: want {}", port.path(),
                                               found.empty() ? "another configuration" : found,
                                               design->name));
        }
        return support->play(*design, *request.simulate, link);
    } catch (const std::runtime_error& error) {
        report({{error.what()}});
        return kUserError;
    }
}

using NetworkCommand = int (*)(const Request&, const Design&, const emit::Assets&);

int run_networks(const Request& request, const emit::Assets& assets, NetworkCommand command) {
    const std::optional<Design> design = design_of(request, assets);
    return design ? command(request, *design, assets) : kUserError;
}

/// On the board that is named; what the command says of clock and memory stays.
int run_estimate(Request request, const emit::Assets& assets) {
    if (!request.board.empty()) {
        const std::optional<fpga::Board> board = board_of(request, assets);
        if (!board) return kUserError;
        if (request.mhz == 0) request.mhz = board->core_mhz;
        if (request.memory_bytes_per_cycle == 0)
            request.memory_bytes_per_cycle = board->memory_bytes_per_cycle;
    }
    return run_networks(request, assets, network::run_estimate);
}

int run_simulate(const Request& request, const emit::Assets& assets) {
    const verif::run::Options& options = *request.simulate;
    if (!traces_exist(options)) return kUserError;
    const std::optional<Design> design = design_of(request, assets);
    if (!design) return kUserError;
    if (options.subject == verif::run::Subject::model)
        return design->family.simulator.run_model(*design, options);
    const std::optional<emit::OutputSet> set = files_of(*design, assets);
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
    if (request.command == "fpga") return run_fpga(request, assets);
    if (request.command == "soc") return run_soc(request, assets);
    if (request.command == "host") return run_host(request, assets);
    if (request.command == "compile") return run_networks(request, assets, network::run_compile);
    if (request.command == "run") return run_networks(request, assets, network::run_network);
    if (request.command == "estimate") return run_estimate(request, assets);
    if (request.command == "explore") return explore::run_explore(request, assets);
    if (request.command == "quantise") return network::run_quantise(request, assets, design_of);
    return run_simulate(request, assets);
}

}  // namespace macrame
