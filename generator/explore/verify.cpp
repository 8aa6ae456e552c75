#include "explore/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/process.hpp"
#include "emit/file_io.hpp"
#include "explore/output.hpp"
#include "text/xml.hpp"

namespace macrame::explore {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "verified.txt";
constexpr const char* kResults = "verified.json";

fs::path this_program() {
    std::error_code code;
    return fs::read_symlink("/proc/self/exe", code);
}

/// "12,345 (+0.3 %)": predicted is so much off.
std::string beside(std::int64_t predicted, std::int64_t measured) {
    const double off =
        measured == 0
            ? 0.0
            : 100.0 * (static_cast<double>(predicted) / static_cast<double>(measured) - 1);
    return fmt::format("{} ({:+.1f} %)", measured, off);
}

std::string cell(const std::string& text) { return "<td class=\"n\">" + text + "</td>"; }

std::string rows_of(const Verified& one, const Scored& point, const Outcome& outcome) {
    const Area& area = point.result.area;
    const std::map<std::string, std::int64_t> sizes = {
        {"luts", area.luts}, {"ffs", area.ffs}, {"dsps", area.dsps}, {"brams", area.brams}};
    std::string predicted, measured;
    for (const char* key : {"luts", "ffs", "dsps", "brams"}) {
        const auto found = one.area.find(key);
        predicted += cell(fmt::format("{}", sizes.at(key)));
        measured += cell(found == one.area.end() ? "" : beside(sizes.at(key), found->second));
    }
    for (std::size_t n = 0; n < outcome.networks.size(); ++n) {
        const auto cycles = static_cast<std::int64_t>(point.result.networks[n].cycles);
        const auto found = one.cycles.find(outcome.networks[n].name);
        predicted += cell(fmt::format("{}", cycles));
        measured += cell(found == one.cycles.end() ? "" : beside(cycles, found->second));
    }
    std::string errors;
    for (const std::string& error : one.errors)
        errors += (errors.empty() ? "" : "; ") + text::xml_escaped(error);
    return fmt::format(
        "<tr><th>{}</th><td>predicted</td>{}<td></td></tr>\n"
        "<tr><th></th><td>measured</td>{}<td class=\"why\">{}</td></tr>\n",
        one.name, predicted, measured, errors);
}

}  // namespace

fs::path verify_script(Diags& diags) {
    const fs::path script =
        this_program().parent_path().parent_path() / "scripts" / "explore" / "verify.py";
    std::error_code code;
    if (!fs::exists(script, code))
        diags.push_back({fmt::format(
            "--verify: {}: no such file: want macrame in the build folder of a checkout",
            script.string())});
    return script;
}

std::vector<Verified> verified_of(const std::string& json) {
    std::vector<Verified> out;
    for (const nlohmann::json& one : nlohmann::json::parse(json)) {
        Verified point{one.at("name"), {}, one.at("cycles"), one.at("errors")};
        if (one.contains("area")) point.area = one.at("area");
        out.push_back(std::move(point));
    }
    return out;
}

std::vector<Verified> verify(const fs::path& script, const fs::path& folder, int points,
                             Diags& diags) {
    fmt::print("verify: {} points, {}\n", points, (folder / kLog).string());
    std::fflush(stdout);
    const Interrupts interrupts;
    const Ended ended =
        run_logged({"python3", script.string(), "--macrame", this_program().string(), "--points",
                    fmt::format("{}", points), folder.string()},
                   folder / kLog, emit::Descriptor());
    fmt::print("{}", emit::read_file(folder / kLog).bytes);
    if (!ended.error.empty())
        diags.push_back({fmt::format("--verify: python3: {}", ended.error)});
    else if (ended.status != 0)
        diags.push_back({fmt::format("--verify: {}: exit status {}: want 0",
                                     (folder / kLog).string(), ended.status)});
    const emit::FileText results = emit::read_file(folder / kResults);
    try {
        return results.missing ? std::vector<Verified>() : verified_of(results.bytes);
    } catch (const nlohmann::json::exception& error) {
        diags.push_back({fmt::format("{}: {}: want what verify.py writes",
                                     (folder / kResults).string(), error.what())});
        return {};
    }
}

std::string verified_section(const Outcome& outcome) {
    std::string rows;
    for (const Scored* point : front_of(outcome.points)) {
        const auto one =
            std::find_if(outcome.verified.begin(), outcome.verified.end(),
                         [&](const Verified& v) { return v.name == point->point.name; });
        if (one != outcome.verified.end()) rows += rows_of(*one, *point, outcome);
    }
    if (rows.empty()) return "";
    std::string heads;
    for (const NetworkFile& network : outcome.networks)
        heads += fmt::format("<th class=\"n\">{}, cycles</th>", text::xml_escaped(network.name));
    return fmt::format(
        "<h2>Measured</h2>\n<p class=\"dim\">LUTs and the like by synthesis of all units, cycles "
        "of "
        "the Verilated design, which wrote every byte of the golden model; in brackets what was "
        "predicted is off.</p>\n<div class=\"scroll\"><table><thead><tr><th>configuration</th>"
        "<th></th><th class=\"n\">LUT</th><th class=\"n\">FF</th><th class=\"n\">DSP</th>"
        "<th class=\"n\">block RAM</th>{}<th></th></tr></thead>\n{}</table></div>\n",
        heads, rows);
}

}  // namespace macrame::explore
