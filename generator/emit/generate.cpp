#include "emit/generate.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "core/version.hpp"
#include "emit/manifest.hpp"
#include "emit/testbench.hpp"
#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"
#include "regs/to_cpp.hpp"
#include "regs/to_docs.hpp"
#include "regs/to_verilog.hpp"
#include "text/template.hpp"

namespace macrame::emit {

namespace {

/// Appends `words` as comment lines of at most 100 columns.
void comment(std::string& out, const std::vector<std::string>& words) {
    std::string line = "//";
    for (const std::string& word : words) {
        if (line.size() + 1 + word.size() > 98) {
            out += line + "\n";
            line = "//";
        }
        line += " " + word;
    }
    if (line != "//") {
        out += line + "\n";
    }
}

/// First lines of an emitted file: what made it, and the values it depends on.
std::string file_header(const std::string& source, const text::Scope& scope,
                        const std::set<std::string>& used) {
    std::string out = "// Made by macrame " + std::string(kVersion) + " from " + source + "\n";
    std::vector<std::string> words;
    for (const std::string& name : used) {
        const text::Value* value = scope.find(name);
        if (const auto* number = std::get_if<std::int64_t>(&value->data)) {
            words.push_back(name + "=" + std::to_string(*number));
        }
    }
    if (!words.empty()) {
        words.insert(words.begin(), "with");
    }
    comment(out, words);
    return out + "\n";
}

void add_templates(OutputSet& set, const Unit& unit, const Assets& assets, const text::Scope& scope,
                   Diags& diags) {
    for (const std::string_view name : unit.templates) {
        // "mcif/dla_mcif.v": template of another unit, emitted with this unit's name in its place.
        const std::size_t slash = name.find('/');
        const std::string folder(slash == name.npos ? unit.name : name.substr(0, slash));
        std::string file(slash == name.npos ? name : name.substr(slash + 1));
        const std::string path = "templates/dla/" + folder + "/" + file;
        if (slash != name.npos) file.replace(file.find(folder), folder.size(), unit.name);
        const std::optional<std::string> source = assets.read(path);
        if (!source) {
            diags.push_back({assets.display_name(path) + ": want this template"});
            continue;
        }
        try {
            std::set<std::string> used;
            const std::string body = text::render(*source, assets.display_name(path), scope, &used);
            set.add("rtl/" + file, file_header(path, scope, used) + body);
        } catch (const text::TemplateError& e) {
            diags.push_back({e.what()});
        }
    }
}

void add_register_files(OutputSet& set, const Unit& unit, const Config& config, Diags& diags) {
    for (RegUse use : unit.regs) {
        for (const dla::RamType& row : dla::ram_types(use.unit, config)) {
            use.outputs.push_back(row.field);
        }
        const regs::RegisterMap* map = dla::find_register_map(use.unit);
        const std::string name = "dla_" + std::string(use.unit) + "_regs.v";
        if (map == nullptr) {
            diags.push_back({std::string(unit.name) + ": no registers of that name"});
            continue;
        }
        try {
            const std::string header =
                file_header("the register table of " + std::string(map->unit), {}, {});
            set.add("rtl/" + name, header + regs::to_verilog(*map, use));
        } catch (const std::invalid_argument& e) {
            diags.push_back({std::string(unit.name) + ": " + e.what()});
        }
    }
}

/// True if `word` occurs in `text` as a whole identifier.
bool mentions(std::string_view text, std::string_view word) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
            return true;
        }
    }
    return false;
}

/// Verilog without its comments.
std::string code_only(std::string_view text) {
    std::string code;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        code.append(line.substr(0, line.find("//"))).append("\n");
    }
    return code;
}

/// Adds the library cells that the files so far instantiate, and the cells inside those.
void add_cells(OutputSet& set, const Assets& assets) {
    constexpr std::string_view kLib = "templates/lib/";
    std::vector<std::string> pending;
    for (const OutputFile& file : set.files()) {
        pending.push_back(code_only(file.bytes));
    }
    std::vector<std::string_view> left = assets.list(kLib);
    while (!pending.empty()) {
        const std::string code = std::move(pending.back());
        pending.pop_back();
        const auto unused =
            std::stable_partition(left.begin(), left.end(), [&](std::string_view path) {
                const std::string_view name = path.substr(kLib.size());
                return name.size() < 3 || !mentions(code, name.substr(0, name.size() - 2));
            });
        for (auto it = unused; it != left.end(); ++it) {
            const std::string bytes = assets.read(*it).value_or("");
            pending.push_back(code_only(bytes));
            set.add("rtl/" + std::string(it->substr(kLib.size())), bytes);
        }
        left.erase(unused, left.end());
    }
}

/// Paths of the Verilog files, one per line, for every tool.
std::string file_list(const OutputSet& set) {
    std::string list;
    for (const OutputFile& file : set.files()) {
        list += file.path + "\n";
    }
    return list;
}

/// Register maps of the units that are built, in page order.
std::vector<const regs::RegisterMap*> built_maps(const Config& config) {
    std::set<const regs::RegisterMap*> used;
    for (const Unit* unit : dla::units()) {
        if (unit->enabled != nullptr && !unit->enabled(config)) {
            continue;
        }
        used.insert(dla::find_register_map(unit->name));
        for (const RegUse& use : unit->regs) {
            used.insert(dla::find_register_map(use.unit));
        }
        if (unit->name == "cmac") {
            used.insert(dla::find_register_map("cmac_b"));
        }
    }
    std::vector<const regs::RegisterMap*> maps;
    for (const regs::RegisterMap* map : dla::all_register_maps()) {
        if (used.count(map) != 0) {
            maps.push_back(map);
        }
    }
    return maps;
}

/// Headers and documentation for software. The headers name all registers of the map, the
/// documentation those of the units that are built.
void add_register_documents(OutputSet& set, const Config& config) {
    constexpr auto kMap = regs::MapVersion::later;
    const auto& all = dla::all_register_maps();
    const auto built = built_maps(config);
    set.add("include/dla_regs.h", regs::to_c(all, kMap, "dla"));
    set.add("include/dla_regs.hpp", regs::to_cpp(all, "dla"));
    set.add("doc/registers.md", regs::to_markdown(built, kMap));
    set.add("doc/registers.json", regs::to_json(built, kMap));
}

/// All sizes as C++ constants, for testbenches.
std::string params_header(const Config& config, const Derived& derived) {
    std::string out = "#pragma once\n/// Sizes of this configuration, made by macrame " +
                      std::string(kVersion) + ".\n\nnamespace dla_params {\n\n";
    out += "inline constexpr const char* name = \"" + config.name + "\";\n";
    for (const auto& [key, value] :
         {std::pair("image_enable", config.image_enable),
          std::pair("sdp_bs_enable", config.sdp_bs_enable),
          std::pair("sdp_bn_enable", config.sdp_bn_enable),
          std::pair("sdp_ew_enable", config.sdp_ew_enable),
          std::pair("sdp_lut_enable", config.sdp_lut_enable),
          std::pair("secondary_memif_enable", config.secondary_memif_enable),
          std::pair("pdp_enable", config.pdp_enable), std::pair("cdp_enable", config.cdp_enable),
          std::pair("cfgrom_derived", config.cfgrom_words == "derived")}) {
        out += "inline constexpr bool " + std::string(key) + (value ? " = true;\n" : " = false;\n");
    }
    for (const auto& [key, value] :
         {std::pair("secondary_bus_bytes", config.secondary_memif_width / 8),
          std::pair("secondary_max_burst", config.secondary_memif_max_burst_length),
          std::pair("secondary_memif_latency", config.secondary_memif_latency),
          std::pair("primary_memif_latency", config.primary_memif_latency),
          std::pair("sdp_bs_throughput", config.sdp_bs_throughput),
          std::pair("sdp_bn_throughput", config.sdp_bn_throughput),
          std::pair("sdp_ew_throughput", config.sdp_ew_throughput),
          std::pair("pdp_throughput", config.pdp_throughput),
          std::pair("cdp_throughput", config.cdp_throughput)}) {
        out += "inline constexpr int " + std::string(key) + " = " + std::to_string(value) + ";\n";
    }
    for (const DerivedField& field : derived_fields()) {
        out += "inline constexpr int " + std::string(field.name) + " = " +
               std::to_string(derived.*field.member) + ";\n";
    }
    return out + "\n}  // namespace dla_params\n";
}

}  // namespace

text::Scope base_scope(const Config& config, const Derived& derived) {
    text::Scope scope;
    for (const Param& param : params()) {
        if (const auto* flag = std::get_if<bool Config::*>(&param.member)) {
            scope.set(param.key, config.*(*flag));
        } else if (const auto* number = std::get_if<int Config::*>(&param.member)) {
            scope.set(param.key, config.*(*number));
        } else {
            scope.set(param.key, config.*std::get<std::string Config::*>(param.member));
        }
    }
    for (const DerivedField& field : derived_fields()) {
        scope.set(field.name, derived.*field.member);
    }
    scope.set("version", kVersion);
    return scope;
}

/// The unit with the options that the configuration has.
Unit with_options(const Unit& unit, const Config& config) {
    using Names = std::vector<std::string_view>;
    const auto append = [](Names& to, const Names& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    Unit out = unit;
    for (const UnitOption& option : unit.options) {
        if (!option.enabled(config)) continue;
        append(out.templates, option.templates);
        RegUse& use = out.regs.front();
        append(use.outputs, option.outputs);
        append(use.inputs, option.inputs);
        append(use.strobes, option.strobes);
    }
    return out;
}

OutputSet generate(const Config& config, const Assets& assets, Diags& diags) {
    const Derived derived = derive(config);
    const text::Scope base = base_scope(config, derived);
    OutputSet set;
    for (const Unit* unit : dla::units()) {
        if (unit->enabled != nullptr && !unit->enabled(config)) {
            continue;
        }
        text::Scope scope = base;
        if (unit->scope != nullptr) {
            scope.merge(unit->scope(config, derived));
        }
        scope.set("ram_types", dla::ram_type_list(unit->name, config));
        scope.set("gclk", config.clock_gating ? "gclk" : "clk");  // of the datapath
        const Unit chosen = with_options(*unit, config);
        add_register_files(set, chosen, config, diags);
        add_templates(set, chosen, assets, scope, diags);
    }
    add_cells(set, assets);
    set.add("filelist.f", file_list(set));
    set.add("include/dla_params.hpp", params_header(config, derived));
    add_register_documents(set, config);
    add_testbench(set, assets, base, diags);
    set.add(kManifest, manifest(config, set));
    return set;
}

}  // namespace macrame::emit
