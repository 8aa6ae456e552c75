#include "explain.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

#include "core/derived.hpp"
#include "families/dla/units.hpp"

namespace macrame {

namespace {

constexpr int kUserError = 2;
constexpr int kManyValues = 64;  ///< ranges with more are tried at both ends only

/// True for a range too long to try every value.
bool ends_only(const Allowed& allowed) {
    return !allowed.power_of_two && allowed.high - allowed.low >= kManyValues;
}

/// The text with blanks behind it: at least `width` columns and two blanks.
std::string padded(const std::string& text, std::size_t width) {
    return text + std::string(std::max(width, text.size() + 2) - text.size(), ' ');
}

/// Values to try for a parameter, as the user writes them.
std::vector<std::string> candidates(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) return {"true", "false"};
    std::vector<std::string> out(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices)
        out.push_back(std::to_string(number));
    if (out.empty()) {
        for (int value = allowed.low; value <= allowed.high;) {
            out.push_back(std::to_string(value));
            const bool jump = ends_only(allowed) && value == allowed.low;
            value = allowed.power_of_two ? 2 * value : jump ? allowed.high : value + 1;
        }
    }
    if (allowed.or_none) out.emplace_back("none");
    return out;
}

/// The request with one more setting, which overrides the others.
Settings changed(const Request& request, const emit::Assets& assets, const Param& param,
                 const std::string& value) {
    Request more = request;
    more.values.emplace_back(param.key, value);
    Diags diags;
    return resolve(more, assets, diags);
}

/// The values of `param` that `good` likes, in words; empty if there are none.
template <typename Good>
std::string values_that(const Param& param, Good good) {
    const std::vector<std::string> all = candidates(param);
    std::vector<std::string> out;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), good);
    if (out.size() == all.size()) return allowed_text(param);
    if (ends_only(param.allowed) && out.size() == 2) return "a number in " + out[0] + ".." + out[1];
    return join_or(out);
}

bool same(const Violation& a, const Violation& b) { return a.param == b.param && a.rule == b.rule; }

bool contains(const std::vector<Violation>& list, const Violation& wanted) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Violation& v) { return same(v, wanted); });
}

std::string explain_param(const Param& param) {
    return flag_name(param.key) + ": " + std::string(param.doc) + "\n  values   " +
           allowed_text(param) + (param.unit.empty() ? "" : " [" + std::string(param.unit) + "]") +
           "\n  default  " + value_text(Config{}, param) + "\n  flag     --" +
           flag_name(param.key) + "\n  file key " + std::string(param.key) + "\n";
}

std::string explain_unit(const Unit& unit) {
    std::string out = std::string(unit.name) + ": " + std::string(unit.doc) + "\n";
    for (const std::string_view file : unit.templates)
        out += "  rtl/" + std::string(file.substr(file.find('/') + 1)) + "\n";
    return out;
}

/// Value of the parameter in the configuration asked for, and what else it could be there.
std::string explain_here(const Request& request, const emit::Assets& assets, const Param& param) {
    Diags diags;
    const Settings settings = resolve(request, assets, diags);
    const std::string values = values_that(param, [&](const std::string& value) {
        return check(changed(request, assets, param, value)).empty();
    });
    return "  here     " + value_text(settings.config, param) + " (" +
           settings.origin(param).where + ")\n  accepted " +
           (values.empty() ? "nothing: something else is wrong" : values) + "\n";
}

/// The one known name that is or starts with `word`; otherwise `word` itself.
std::string unique_name(const std::string& word, const std::vector<std::string>& known) {
    std::vector<std::string> found;
    for (const std::string& name : known) {
        if (name == word) return word;
        if (name.compare(0, word.size(), word) == 0) found.push_back(name);
    }
    return found.size() == 1 ? found[0] : word;
}

}  // namespace

std::vector<Repair> repairs(const Request& request, const emit::Assets& assets,
                            const Violation& violation) {
    Diags diags;
    const std::vector<Violation> before = violations(resolve(request, assets, diags));
    std::vector<Repair> out;
    for (const Param& param : params()) {
        const std::string values = values_that(param, [&](const std::string& value) {
            const auto after = violations(changed(request, assets, param, value));
            return !contains(after, violation) &&
                   std::all_of(after.begin(), after.end(),
                               [&](const Violation& v) { return contains(before, v); });
        });
        if (values.empty()) continue;
        out.insert(&param == violation.param ? out.begin() : out.end(), {&param, values});
    }
    return out;
}

std::string explain_configuration(const Request& request, const emit::Assets& assets,
                                  bool& accepted) {
    Diags diags;
    const Settings settings = resolve(request, assets, diags);
    accepted = false;
    std::string out;
    if (!diags.empty()) {
        for (const Diag& diag : diags)
            out += diag.text + "\n";
        return out + "refused\n";
    }
    const std::vector<Violation> wrong = violations(settings);
    if (wrong.empty()) {
        accepted = true;
        for (const Param& param : params()) {
            out += padded(flag_name(param.key), 34) +
                   padded(value_text(settings.config, param), 12) + settings.origin(param).where +
                   "\n";
        }
        return out + settings.config.name + ": accepted; " + size_text(settings.config) + "\n";
    }
    for (const Violation& violation : wrong) {
        out += violation.text + "\n";
        const std::vector<Repair> repaired = repairs(request, assets, violation);
        for (const Repair& repair : repaired) {
            out += (&repair == &repaired.front() ? "    accepted: " : "    or        ") +
                   flag_name(repair.param->key) + " = " + repair.values + "\n";
        }
        if (repaired.empty()) out += "    no change of one parameter alone is accepted\n";
    }
    return out + settings.config.name + ": refused, " + std::to_string(wrong.size()) +
           (wrong.size() == 1 ? " reason\n" : " reasons\n");
}

std::string size_text(const Config& config) {
    const Derived derived = derive(config);
    std::string out = std::to_string(derived.mac_count) + " MACs, " +
                      std::to_string(derived.cbuf_bytes / 1024) + " KiB buffer, " +
                      std::to_string(derived.bus_bits) + "-bit memory port";
    if (config.secondary_memif_enable) {
        out += ", " + std::to_string(config.secondary_memif_width) + "-bit second port";
    }
    return out;
}

int run_explain(Request request) {
    const emit::Assets assets(request.templates_folder);
    const std::vector<std::string> presets = preset_names(assets);
    std::vector<std::string> known = presets;
    for (const Unit* unit : dla::units())
        known.emplace_back(unit->name);
    for (const Param& param : params())
        known.push_back(flag_name(param.key));
    const std::string name = unique_name(request.subject, known);
    if (const Param* param = find_param(name)) {
        std::cout << explain_param(*param) << explain_here(request, assets, *param);
        return 0;
    }
    for (const Unit* unit : dla::units()) {
        if (unit->name != name) continue;
        std::cout << explain_unit(*unit);
        return 0;
    }
    if (name.empty() || std::find(presets.begin(), presets.end(), name) != presets.end()) {
        if (!name.empty()) request.preset = name;
        bool accepted = false;
        std::cout << explain_configuration(request, assets, accepted);
        return accepted ? 0 : kUserError;
    }
    const std::string like = closest(name, known);
    std::cerr << "macrame: " << name << ": want a parameter, a preset or a unit"
              << (like.empty() ? "" : "; did you mean " + like + "?") << "\n";
    return kUserError;
}

}  // namespace macrame
