#include "explore/units.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "emit/generate.hpp"
#include "emit/sha256.hpp"
#include "emit/units.hpp"
#include "families/family.hpp"

namespace macrame::explore {

namespace {

constexpr std::size_t kKeyDigits = 16;

using Modules = std::map<std::string, std::string, std::less<>>;  ///< code by name

/// Calls `each` with every line.
template <class Each>
void for_each_line(std::string_view text, const Each& each) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        each(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// The module that a line of code instantiates; empty: none.
std::string_view instance_in(std::string_view line, const Modules& modules) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(begin);
    std::size_t end = 0;
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
        ++end;
    const auto found = modules.find(line.substr(0, end));
    if (found == modules.end()) return {};
    line.remove_prefix(end);
    const std::size_t next = line.find_first_not_of(' ');
    if (next == std::string_view::npos || (line[next] != '#' && line.substr(next, 2) != "u_"))
        return {};
    return found->first;
}

std::vector<std::string_view> instances(const Modules& modules, std::string_view module) {
    std::vector<std::string_view> out;
    for_each_line(modules.find(module)->second, [&](std::string_view line) {
        const std::string_view found = instance_in(line, modules);
        if (!found.empty()) out.push_back(found);
    });
    return out;
}

std::string key_of(const Modules& modules, std::string_view module) {
    std::set<std::string_view> names;
    std::vector<std::string_view> waiting = {module};
    while (!waiting.empty()) {
        const std::string_view name = waiting.back();
        waiting.pop_back();
        if (!names.insert(name).second) continue;
        for (const std::string_view more : instances(modules, name))
            waiting.push_back(more);
    }
    std::string text;
    for (const std::string_view name : names)
        text += modules.find(name)->second;
    return emit::sha256(text).substr(0, kKeyDigits);
}

/// Code of all modules of a design.
Modules modules_of(const Design& design, const emit::Assets& assets, Diags& diags) {
    const text::Scope base = emit::base_scope(design);
    emit::OutputSet set;
    for (const Unit* unit : design.family.units)
        if (unit->is_in(design.config)) emit::add_unit(set, *unit, design, assets, base, diags);
    emit::add_cells(set, assets, diags);
    Modules out;
    for (const emit::OutputFile& file : set.files()) {
        const std::size_t slash = file.path.rfind('/') + 1, dot = file.path.rfind('.');
        if (file.path.substr(dot) == ".v")
            out.emplace(file.path.substr(slash, dot - slash), code_of(file.bytes));
    }
    return out;
}

}  // namespace

std::string code_of(std::string_view verilog) {
    std::string out;
    for_each_line(verilog, [&](std::string_view line) {
        line = line.substr(0, line.find("//"));
        const std::size_t last = line.find_last_not_of(" \t\r");
        if (last == std::string_view::npos) return;
        out.append(line.substr(0, last + 1)).append("\n");
    });
    return out;
}

std::vector<UnitText> units_of(const Design& design, const emit::Assets& assets, Diags& diags) {
    const Modules modules = modules_of(design, assets, diags);
    const std::string top = emit::top_module(design);
    if (!diags.empty() || modules.count(top) == 0) return {};
    const std::string start = std::string(design.family.name) + "_";
    std::vector<UnitText> out;
    for (const std::string_view module : instances(modules, top)) {
        if (module.substr(0, start.size()) != start) continue;
        const std::string name(module.substr(start.size()));
        const auto same = std::find_if(out.begin(), out.end(),
                                       [&](const UnitText& unit) { return unit.name == name; });
        if (same != out.end())
            ++same->copies;
        else
            out.push_back({name, key_of(modules, module), 1});
    }
    return out;
}

}  // namespace macrame::explore
