#include "explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>

#include "cli.hpp"
#include "emit/generate.hpp"
#include "emit/units.hpp"
#include "resolve.hpp"
#include "value_set.hpp"

namespace macrame {

namespace {

/// Values to try for a parameter, as the user writes them; those of a range are in number_items().
std::vector<std::string> candidates(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) return {"true", "false"};
    std::vector<std::string> out(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices)
        out.push_back(fmt::to_string(number));
    if (allowed.power_of_two) {
        for (std::int64_t value = allowed.low; value <= allowed.high; value *= 2)
            out.push_back(fmt::to_string(value));
    }
    if (allowed.or_none) out.emplace_back("none");
    return out;
}

bool is_range(const Param& param) {
    const Allowed& allowed = param.allowed;
    return !param.is_flag() && !allowed.power_of_two && allowed.choices.empty() &&
           allowed.words.empty();
}

/// What was asked for with one more setting, which overrides the others.
Settings changed(const Settings& asked, const Param& param, const std::string& value) {
    Settings more = asked;
    Diags diags;
    apply_setting(more, param.key, value, {Origin::Level::kFlag, "--" + flag_name(param.key)},
                  diags);
    apply_derived_defaults(more);
    return more;
}

/// The values of `param` that `good` likes, in words; empty if there are none.
template <typename Good>
std::string values_that(const Param& param, Good good) {
    const Allowed& allowed = param.allowed;
    const std::vector<std::string> all = candidates(param);
    std::vector<std::string> out;
    if (is_range(param)) {
        out = number_items(allowed.low, allowed.high,
                           [&](std::int64_t number) { return good(fmt::to_string(number)); });
        if (out.size() == 1 && all.empty()) return out[0];
    }
    const std::size_t numbers = out.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), good);
    if (!is_range(param) && out.size() == all.size()) return allowed_text(param);
    const bool open = numbers > 0 && out[numbers - 1] == kAmongOthers;
    if (!open) return join_or(out);
    out.erase(out.begin() + static_cast<std::ptrdiff_t>(numbers) - 1);
    return fmt::format("{}, {}", join_or(out), kAmongOthers);
}

bool same(const Violation& a, const Violation& b) { return a.param == b.param && a.rule == b.rule; }

bool contains(const std::vector<Violation>& list, const Violation& wanted) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Violation& v) { return same(v, wanted); });
}

/// The parameter, its value in the configuration asked for, and what else it could be there.
std::string explain_param(const Param& param, const Request& request, const emit::Assets& assets) {
    Diags diags;
    const Settings settings = resolve(request, assets, diags);
    const Family& family = settings.design.family;
    const std::string values = accepted_values(param, request, assets);
    const std::string flag = flag_name(param.key);
    const std::string unit = param.unit.empty() ? "" : fmt::format(" [{}]", param.unit);
    return fmt::format("{}: {}\n  values   {}{}\n  default  {}\n  flag     --{}\n  file key {}\n",
                       flag, param.doc, allowed_text(param), unit,
                       value_text(family.defaults, param), flag, param.key) +
           fmt::format("  here     {} ({})\n  accepted {}\n", value_text(settings.config(), param),
                       settings.origin(param).where,
                       values.empty() ? "nothing: something else is wrong" : values);
}

/// What a name can stand for, in the families that the request leaves open.
struct Names {
    std::vector<const Family*> families;
    std::vector<std::string> all;

    Names(const Request& request, const emit::Assets& assets, const Family& chosen) {
        for (const Family* family : assets.families()) {
            if (request.family && family != &chosen) continue;
            families.push_back(family);
            for (const std::string& preset : preset_names(*family, assets))
                all.push_back(preset);
            for (const PlannedPreset& preset : family->planned)
                all.emplace_back(preset.name);
            for (const Unit* unit : family->units)
                all.emplace_back(unit->name);
            for (const Param& param : family->params)
                all.push_back(flag_name(param.key));
        }
    }
};

/// The text about a name in a family; empty if it has none of that name. `status`: exit status.
std::string explain_in(const Family& family, const std::string& name, Request request,
                       const emit::Assets& assets, int& status) {
    request.family = std::string(family.name);
    if (const Param* param = find_param(family.params, name))
        return explain_param(*param, request, assets);
    if (const Unit* unit = family.find_unit(name)) {
        Diags diags;
        const Settings settings = resolve(request, assets, diags);
        if (diags.empty()) diags = check(settings);
        if (!report(diags)) return explain_unit(*unit, settings.design, assets);
        status = kUserError;
        return fmt::format("{}: {}\n", unit->name, unit->doc);
    }
    const std::vector<std::string> presets = preset_names(family, assets);
    const auto& planned = family.planned;
    if (std::find(presets.begin(), presets.end(), name) == presets.end() &&
        std::none_of(planned.begin(), planned.end(),
                     [&](const PlannedPreset& row) { return row.name == name; })) {
        return "";
    }
    request.preset = name;
    bool accepted = false;
    const std::string text = explain_configuration(request, assets, accepted);
    if (!accepted) status = kUserError;
    return text;
}

/// The one known name that is or starts with `word`; otherwise `word` itself.
std::string unique_name(const std::string& word, const std::vector<std::string>& known) {
    std::set<std::string> found;
    for (const std::string& name : known) {
        if (name == word) return word;
        if (name.compare(0, word.size(), word) == 0) found.insert(name);
    }
    return found.size() == 1 ? *found.begin() : word;
}

constexpr std::size_t kNameColumns = 36;
constexpr std::size_t kColumns = 100;

std::string heading(std::string_view text) { return fmt::format("  {}\n", text); }

std::string row(std::string_view name, std::string_view text) {
    return fmt::format("    {:<{}}{}{}\n", name, text.empty() ? 0 : kNameColumns - 4,
                       text.empty() ? "" : "  ", text);
}

/// A name and a list in the second column, of several lines if it is long.
std::string list_row(std::string_view name, const std::vector<std::string_view>& items) {
    std::string out;
    std::string line;
    for (const std::string_view item : items) {
        if (!line.empty() && kNameColumns + 2 + line.size() + 2 + item.size() > kColumns) {
            out += row(out.empty() ? name : "", line + ",");
            line.clear();
        }
        line += fmt::format("{}{}", line.empty() ? "" : ", ", item);
    }
    return out + row(out.empty() ? name : "", line);
}

/// "REGISTER.FIELD" names as a row per register.
std::string fields_text(std::string_view title, const std::vector<std::string_view>& names) {
    std::vector<std::pair<std::string_view, std::vector<std::string_view>>> registers;
    for (const std::string_view name : names) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        const std::string_view reg = name.substr(0, dot);
        auto at = std::find_if(registers.begin(), registers.end(),
                               [&](const auto& entry) { return entry.first == reg; });
        if (at == registers.end()) at = registers.insert(at, {reg, {}});
        if (dot < name.size()) at->second.push_back(name.substr(dot + 1));
    }
    std::string out = registers.empty() ? "" : heading(title);
    for (const auto& [name, fields] : registers)
        out += list_row(name, fields);
    return out;
}

/// Register pages of a unit, and the fields that are ports of its register files.
std::string registers_text(const Unit& unit, const Design& design) {
    std::vector<const regs::RegisterMap*> maps;
    const auto add = [&](std::string_view name) {
        const regs::RegisterMap* map = design.registers().find(name);
        if (map == nullptr) map = design.family.registers.find(name);  // of an absent unit
        if (std::find(maps.begin(), maps.end(), map) == maps.end()) maps.push_back(map);
    };
    std::string fields;
    for (const RegUse& use : unit.regs) {
        add(use.map.empty() ? use.unit : use.map);
        fields += fields_text("fields that it uses, written by software", use.outputs);
        fields += fields_text("fields that it sets, read by software", use.inputs);
        fields += fields_text("registers of which it sees each write", use.strobes);
    }
    for (const std::string_view name : unit.maps)
        add(name);
    std::string out = maps.empty() ? "" : heading("registers");
    for (const regs::RegisterMap* map : maps) {
        const std::string base = map->base ? fmt::format(" at {:#07x}", *map->base) : "";
        out += row(fmt::format("{}{}", map->unit, base),
                   fmt::format("{} registers, {}", map->registers.size(), map->doc));
    }
    return out + fields;
}

int smallest(const Param& param) {
    return is_range(param) ? param.allowed.low : std::stoi(candidates(param).front());
}

/// What a flag or a text may be set to; of a number that may be none the smallest.
std::vector<ParamValue> values_of(const Param& param) {
    if (param.is_flag()) return {false, true};
    std::vector<ParamValue> values;
    if (param.allowed.or_none) values.emplace_back(smallest(param));
    for (const std::string_view word : param.allowed.words)
        values.emplace_back(std::string(word));
    return values;
}

/// Why a unit is not there: the flags and words that alone would bring it.
std::string absence_text(const Unit& unit, const Design& design) {
    std::string wanted;
    for (const Param& param : design.family.params) {
        for (const ParamValue& value : values_of(param)) {
            AnyConfig other = design.config;
            param.set(other, value);
            if (unit.is_in(other))
                wanted += fmt::format("{}{} = {}", wanted.empty() ? ": want " : " or ",
                                      flag_name(param.key), value_text(other, param));
        }
    }
    return fmt::format("  not in {}{}\n", design.name, wanted);
}

/// What made an emitted file, as its first line says.
std::string source_of(const emit::OutputFile& file) {
    constexpr std::string_view kFrom = " from ";
    const std::string line = file.bytes.substr(0, file.bytes.find('\n'));
    const std::size_t from = line.find(kFrom);
    return from == line.npos ? "" : line.substr(from + kFrom.size());
}

}  // namespace

std::string explain_unit(const Unit& unit, const Design& design, const emit::Assets& assets) {
    std::string out = fmt::format("{}: {}\n", unit.name, unit.doc);
    if (!unit.is_in(design.config)) return out + absence_text(unit, design);
    emit::OutputSet set;
    Diags diags;
    std::set<std::string> used;
    emit::add_unit(set, unit, design, assets, emit::base_scope(design), diags, &used);
    report(diags);
    out += heading("files");
    for (const emit::OutputFile& file : set.files())
        out += row(file.path, source_of(file));
    out += registers_text(unit.with_options(design.config), design);
    std::string rows;
    for (const Param& param : design.family.params) {
        if (used.count(std::string(param.key)) != 0)
            rows += row(flag_name(param.key), value_text(design.config, param));
    }
    if (!rows.empty()) out += heading("parameters of its templates") + rows;
    rows.clear();
    for (const Size& size : design.family.sizes(design.sizes())) {
        const bool is_param = find_param(design.family.params, size.name) != nullptr;
        if (!is_param && used.count(std::string(size.name)) != 0)
            rows += row(size.name, fmt::to_string(size.value));
    }
    if (!rows.empty()) out += heading("derived sizes of its templates") + rows;
    return out;
}

std::string accepted_values(const Param& param, const Request& request,
                            const emit::Assets& assets) {
    Diags diags;
    const Settings asked = resolve_given(request, assets, diags);
    return values_that(param, [&](const std::string& value) {
        return violations(changed(asked, param, value)).empty();
    });
}

std::vector<Repair> repairs(const Request& request, const emit::Assets& assets,
                            const Violation& violation) {
    Diags diags;
    const Settings asked = resolve_given(request, assets, diags);
    Settings settings = asked;
    apply_derived_defaults(settings);
    const std::vector<Violation> before = violations(settings);
    std::vector<Repair> out;
    for (const Param& param : asked.params()) {
        const std::string values = values_that(param, [&](const std::string& value) {
            const auto after = violations(changed(asked, param, value));
            return !contains(after, violation) &&
                   std::all_of(after.begin(), after.end(),
                               [&](const Violation& v) { return contains(before, v); });
        });
        if (values.empty()) continue;
        out.push_back({&param, values});
    }
    // Its own, then what the user wrote.
    const auto rank = [&](const Repair& repair) {
        if (repair.param == violation.param) return 0;
        return asked.origin(*repair.param).is_explicit() ? 1 : 2;
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const Repair& a, const Repair& b) { return rank(a) < rank(b); });
    return out;
}

std::string explain_configuration(const Request& request, const emit::Assets& assets,
                                  bool& accepted) {
    Diags diags;
    const Settings settings = resolve(request, assets, diags);
    const Design& design = settings.design;
    const std::vector<Violation> wrong = violations(settings);
    accepted = diags.empty() && wrong.empty();
    std::string out;
    if (accepted) {
        for (const Param& param : settings.params()) {
            out += fmt::format("{:<32}  {:<10}  {}\n", flag_name(param.key),
                               value_text(settings.config(), param), settings.origin(param).where);
        }
        return out + fmt::format("{}: accepted; {}\n", design.name,
                                 design.family.size_text(settings.config()));
    }
    for (const Diag& diag : diags)
        out += diag.text + "\n";
    for (const Violation& violation : wrong) {
        out += violation.text + "\n";
        const std::vector<Repair> repaired = repairs(request, assets, violation);
        for (const Repair& repair : repaired) {
            out += fmt::format("    {} {} = {}\n",
                               &repair == &repaired.front() ? "accepted:" : "or       ",
                               flag_name(repair.param->key), repair.values);
        }
        if (repaired.empty()) out += "    no change of one parameter alone is accepted\n";
    }
    const std::size_t reasons = diags.size() + wrong.size();
    return out +
           fmt::format("{}: refused, {} reason{}\n", design.name, reasons, reasons == 1 ? "" : "s");
}

int run_explain(Request request, const emit::Assets& assets) {
    Diags diags;
    const Family& chosen = choose_family(request, assets, diags);
    if (report(diags)) return kUserError;
    if (request.subject.empty()) {
        bool accepted = false;
        fmt::print("{}", explain_configuration(request, assets, accepted));
        return accepted ? kPassed : kUserError;
    }
    const Names names(request, assets, chosen);
    const std::string name = unique_name(request.subject, names.all);
    int status = kPassed;
    bool found = false;
    for (const Family* family : names.families) {
        const std::string text = explain_in(*family, name, request, assets, status);
        if (text.empty()) continue;
        found = true;
        fmt::print("{}{}", names.families.size() > 1 ? fmt::format("{}: ", family->name) : "",
                   text);
    }
    if (found) return status;
    report({{fmt::format("{}: want a parameter, a preset or a unit{}", name,
                         suggestion(name, names.all))}});
    return kUserError;
}

}  // namespace macrame
