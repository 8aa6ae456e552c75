#include "emit/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <set>
#include <stdexcept>

#include "core/version.hpp"
#include "emit/port_rules.hpp"
#include "emit/wiring.hpp"
#include "text/template.hpp"

namespace macrame::emit {

namespace {

constexpr std::size_t kCommentColumns = 98;

/// Appends `words` as comment lines of at most 100 columns.
void comment(std::string& out, const std::vector<std::string>& words) {
    std::string line = "//";
    for (const std::string& word : words) {
        if (line.size() + 1 + word.size() > kCommentColumns) {
            out += line + "\n";
            line = "//";
        }
        line += " " + word;
    }
    if (line != "//") out += line + "\n";
}

/// First lines of an emitted file: what made it, and the values it depends on.
std::string file_header(std::string_view source, const text::Scope& scope,
                        const std::set<std::string>& used) {
    std::string out = fmt::format("// Made by macrame {} from {}\n", kVersion, source);
    std::vector<std::string> words;
    for (const std::string& name : used) {
        const text::Value* value = scope.find(name);
        if (const auto* number = std::get_if<std::int64_t>(&value->data))
            words.push_back(fmt::format("{}={}", name, *number));
    }
    if (!words.empty()) words.insert(words.begin(), "with");
    comment(out, words);
    return out + "\n";
}

void add_templates(OutputSet& set, const Unit& unit, const Family& family, const Assets& assets,
                   const text::Scope& scope, Diags& diags, std::set<std::string>* all_used) {
    const auto fragments = [&](std::string_view name) -> std::optional<text::Fragment> {
        const std::string path = fmt::format("templates/{}/{}", family.name, name);
        std::optional<std::string> bytes = assets.read(path);
        if (!bytes) return std::nullopt;
        return text::Fragment{assets.display_name(path), std::move(*bytes)};
    };
    const std::string unit_file = module_name(family, unit.name) + ".v";
    for (const std::string_view name : unit.templates) {
        const std::string path = fmt::format("templates/{}/{}/{}", family.name, unit.name, name);
        const std::optional<std::string> source = assets.read(path);
        if (!source) {
            diags.push_back({assets.display_name(path) + ": want this template"});
            continue;
        }
        try {
            std::set<std::string> used;
            const std::string body =
                text::render(*source, assets.display_name(path), scope, &used, fragments);
            const std::string header = file_header(path, scope, used);
            // The ports of a top are those of its units.
            const bool rules = name == unit_file && unit.name != "top";
            set.add(fmt::format("rtl/{}", name), header + (rules ? with_port_rules(body) : body));
            if (all_used != nullptr) all_used->insert(used.begin(), used.end());
        } catch (const text::TemplateError& e) {
            diags.push_back({e.what()});
        }
    }
}

void add_register_files(OutputSet& set, const Unit& unit, const Design& design, Diags& diags) {
    const Family& family = design.family;
    for (const RegUse& use : unit.regs) {
        const regs::RegisterMap* map =
            design.registers().find(use.map.empty() ? use.unit : use.map);
        if (map == nullptr) {
            diags.push_back({fmt::format("{}: no registers of that name", unit.name)});
            continue;
        }
        try {
            const std::string header =
                file_header(fmt::format("the register table of {}", map->unit), {}, {});
            const std::string module = module_name(family, use.unit) + "_regs";
            set.add(fmt::format("rtl/{}.v", module),
                    header + family.register_file(*map, use, module));
        } catch (const std::invalid_argument& e) {
            diags.push_back({fmt::format("{}: {}", unit.name, e.what())});
        }
    }
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

/// Paths of the library cells: those that there are, and those of the program, which a folder of
/// the user may lack.
std::vector<std::string> known_cells(const Assets& assets, std::string_view lib) {
    std::vector<std::string> cells = assets.list(lib);
    for (const Asset& asset : shared_assets()) {
        if (asset.path.substr(0, lib.size()) == lib) cells.emplace_back(asset.path);
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

}  // namespace

bool mentions(std::string_view text, std::string_view word) {
    const auto is_word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
            return true;
    }
    return false;
}

namespace {

/// Is it a file for templates to include?
bool is_fragment(std::string_view file) {
    return file.size() > 3 && file.substr(file.size() - 3) == ".vh";
}

/// Is it a file of an option?
bool is_optional(const Unit& unit, std::string_view file) {
    return std::any_of(unit.options.begin(), unit.options.end(), [&](const UnitOption& option) {
        const auto& files = option.templates;
        return std::find(files.begin(), files.end(), file) != files.end();
    });
}

/// The modules of all designs of the family.
std::set<std::string> modules_of(const Family& family) {
    std::set<std::string> modules;
    const auto add = [&modules](const std::vector<std::string_view>& files) {
        for (const std::string_view file : files)
            modules.emplace(file.substr(0, file.rfind('.')));
    };
    for (const Unit* unit : family.units) {
        add(unit->templates);
        for (const UnitOption& option : unit->options)
            add(option.templates);
    }
    return modules;
}

}  // namespace

std::vector<Unit> with_templates(std::vector<Unit> rows, std::string_view family,
                                 const AssetList& assets) {
    for (Unit& row : rows) {
        const std::string folder = fmt::format("templates/{}/{}/", family, row.name);
        for (const Asset& file : assets) {
            if (file.path.substr(0, folder.size()) != folder) continue;
            const std::string_view name = file.path.substr(folder.size());
            if (!is_fragment(name) && !is_optional(row, name)) row.templates.push_back(name);
        }
    }
    return rows;
}

std::vector<const Unit*> built(const std::vector<Unit>& rows) {
    std::vector<const Unit*> list;
    for (const Unit& row : rows) {
        if (!row.templates.empty()) list.push_back(&row);
    }
    return list;
}

std::string module_name(const Family& family, std::string_view unit) {
    return fmt::format("{}_{}", family.name, unit);
}

std::string top_module(const Design& design) {
    const auto& units = design.family.units;
    const auto top = std::find_if(units.rbegin(), units.rend(),
                                  [&](const Unit* unit) { return unit->is_in(design.config); });
    assert(top != units.rend());
    return module_name(design.family, (*top)->name);
}

void add_unit(OutputSet& set, const Unit& unit, const Design& design, const Assets& assets,
              const text::Scope& base, Diags& diags, std::set<std::string>* used) {
    text::Scope scope = base;
    if (unit.scope) scope.merge(unit.scope(design.config, design.sizes()));
    if (unit.wiring)
        scope.merge(wiring_scope(unit.wiring(design.config, design.sizes()), set,
                                 modules_of(design.family), diags));
    const Unit chosen = unit.with_options(design.config);
    add_register_files(set, chosen, design, diags);
    add_templates(set, chosen, design.family, assets, scope, diags, used);
}

void add_cells(OutputSet& set, const Assets& assets, Diags& diags, std::string_view folder) {
    std::vector<std::string> pending;
    std::set<std::string> there;
    for (const OutputFile& file : set.files()) {
        there.insert(file.path);
        if (file.path.substr(0, 4) == "rtl/") pending.push_back(code_only(file.bytes));
    }
    std::vector<std::string> left = known_cells(assets, folder);
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](const std::string& path) {
                                  return there.count("rtl/" + path.substr(folder.size())) != 0;
                              }),
               left.end());
    while (!pending.empty()) {
        const std::string code = std::move(pending.back());
        pending.pop_back();
        const auto unused =
            std::stable_partition(left.begin(), left.end(), [&](const std::string& path) {
                const std::string name = path.substr(folder.size());
                return name.size() < 3 || !mentions(code, name.substr(0, name.size() - 2));
            });
        for (auto it = unused; it != left.end(); ++it) {
            const std::optional<std::string> bytes = assets.read(*it);
            if (!bytes) {
                diags.push_back(
                    {fmt::format("{}: want this library cell", assets.display_name(*it))});
                continue;
            }
            pending.push_back(code_only(*bytes));
            set.add("rtl/" + it->substr(folder.size()), *bytes);
        }
        left.erase(unused, left.end());
    }
}

}  // namespace macrame::emit
