#include "emit/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "emit/verilog_text.hpp"

namespace macrame::emit {

namespace {

/// One of the patterns of a list.
struct Pattern {
    std::string text;
    int breaks = 0;      // 1: its first pin begins a line, 2: each
    bool loose = false;  // out of the column
    bool none = false;   // names that the list lacks
};

std::vector<Pattern> patterns_of(const Patterns& list) {
    std::vector<Pattern> patterns;
    Pattern next;
    for (const char c : list + " ") {
        if (c == '|')
            ++next.breaks;
        else if (c == '~')
            next.loose = true;
        else if (c == '-')
            next.none = true;
        else if (c != ' ')
            next.text += c;
        else if (!next.text.empty())
            patterns.push_back(std::exchange(next, {}));
    }
    return patterns;
}

/// Does `name` have the form of `pattern`, in which * is any text?
bool fits(std::string_view name, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == pattern.npos) return name == pattern;
    if (name.substr(0, star) != pattern.substr(0, star)) return false;
    const std::string_view rest = pattern.substr(star + 1);
    for (std::size_t at = star; at <= name.size(); ++at) {
        if (fits(name.substr(at), rest)) return true;
    }
    return false;
}

std::optional<std::size_t> place_of(std::string_view name, const std::vector<Pattern>& patterns) {
    const auto fit = [&](const Pattern& p) { return p.text != "*" && fits(name, p.text); };
    auto found = std::find_if(patterns.begin(), patterns.end(), fit);
    if (found == patterns.end())
        found = std::find_if(patterns.begin(), patterns.end(),
                             [](const Pattern& p) { return p.text == "*"; });
    if (found == patterns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - patterns.begin());
}

std::vector<Port> ports_of(const OutputSet& set, const std::string& module) {
    std::vector<Port> ports;
    for (const OutputFile& file : set.files()) {
        if (file.path != fmt::format("rtl/{}.v", module)) continue;
        for (PortGroup& group : port_groups(file.bytes))
            std::move(group.ports.begin(), group.ports.end(), std::back_inserter(ports));
    }
    return ports;
}

std::string net_of(const std::string& port, const Joint& joint) {
    for (const auto& [from, to] : joint.nets) {
        if (port.compare(0, from.size(), from) == 0) return to + port.substr(from.size());
    }
    return port;
}

struct Pin {
    std::string port, net;
    const Pattern* pattern;
};

/// The pins in the order of the patterns.
std::vector<Pin> pins_of(const Joint& joint, const std::vector<Port>& ports,
                         const std::vector<Pattern>& patterns, Diags& diags) {
    std::vector<std::vector<Pin>> of_pattern(patterns.size());
    for (const Port& port : ports) {
        const std::optional<std::size_t> at = place_of(port.name, patterns);
        if (!at) {
            diags.push_back(
                {fmt::format("{}: no link of the top has its port {}", joint.module, port.name)});
            continue;
        }
        of_pattern[*at].push_back({port.name, net_of(port.name, joint), &patterns[*at]});
    }
    std::vector<Pin> pins;
    for (const std::vector<Pin>& some : of_pattern)
        pins.insert(pins.end(), some.begin(), some.end());
    return pins;
}

/// A pin per line, nets in a column.
text::List column(const std::vector<Pin>& pins) {
    std::size_t width = 0;
    for (const Pin& pin : pins) {
        if (!pin.pattern->loose) width = std::max(width, pin.port.size());
    }
    text::List lines;
    for (const Pin& pin : pins) {
        lines.emplace_back(fmt::format(".{:<{}} ({}){}", pin.port,
                                       pin.pattern->loose ? pin.port.size() : width, pin.net,
                                       &pin == &pins.back() ? "" : ","));
    }
    return lines;
}

/// As many pins in a line as there is room for; the template indents by eight.
text::List filled(const std::vector<Pin>& pins, int columns) {
    text::List lines;
    std::string line;
    const Pattern* last = nullptr;
    for (const Pin& pin : pins) {
        const std::string next = fmt::format(".{}({}),", pin.port, pin.net);
        const bool full = 8 + line.size() + 1 + next.size() > static_cast<std::size_t>(columns);
        const int breaks = pin.pattern->breaks;
        if (!line.empty() && (full || breaks == 2 || (breaks == 1 && pin.pattern != last)))
            lines.emplace_back(std::exchange(line, ""));
        line += (line.empty() ? "" : " ") + next;
        last = pin.pattern;
    }
    if (!line.empty()) lines.emplace_back(line.substr(0, line.size() - 1));
    return lines;
}

/// The nets that fit the patterns, in their order; `all`: every one, as a port.
text::List nets_of(const Patterns& list, const std::vector<Port>& all) {
    const std::vector<Pattern> patterns = patterns_of(list);
    std::vector<text::List> of_pattern(patterns.size());
    std::set<std::string> seen;
    for (const Port& net : all) {
        const std::optional<std::size_t> at = place_of(net.name, patterns);
        if (!at || patterns[*at].none || !seen.insert(net.name).second) continue;
        of_pattern[*at].push_back(text::Scope{{"name", net.name},
                                              {"bits", net.bits},
                                              {"ranged", !net.msb.empty()},
                                              {"loose", patterns[*at].loose}});
    }
    text::List nets;
    for (const text::List& some : of_pattern)
        nets.insert(nets.end(), some.begin(), some.end());
    return nets;
}

/// The nets of all joints, as ports.
std::vector<Port> all_nets(const Wiring& wiring, const OutputSet& set) {
    std::vector<Port> nets;
    for (const JointGroup& group : wiring.groups) {
        for (const Joint& joint : group.joints) {
            for (Port port : ports_of(set, joint.module)) {
                port.name = net_of(port.name, joint);
                nets.push_back(port);
            }
        }
    }
    return nets;
}

/// Records {module, name, lines} of the units that the design has.
text::List units_of(const JointGroup& group, int columns, const OutputSet& set, Diags& diags) {
    text::List units;
    for (const Joint& joint : group.joints) {
        const std::vector<Pattern> patterns = patterns_of(joint.pins);
        const std::vector<Pin> pins = pins_of(joint, ports_of(set, joint.module), patterns, diags);
        if (pins.empty()) continue;
        units.push_back(text::Scope{{"module", joint.module},
                                    {"name", joint.name},
                                    {"lines", columns > 0 ? filled(pins, columns) : column(pins)}});
    }
    return units;
}

}  // namespace

text::Scope wiring_scope(const Wiring& wiring, const OutputSet& set,
                         const std::set<std::string>& known, Diags& diags) {
    for (const JointGroup& group : wiring.groups) {
        for (const Joint& joint : group.joints) {
            if (known.count(joint.module) == 0)
                diags.push_back(
                    {fmt::format("links of the top: no unit of the family has the "
                                 "module {}",
                                 joint.module)});
        }
    }
    const std::vector<Port> nets = all_nets(wiring, set);
    std::map<std::string, text::List> parts;
    for (const JointGroup& group : wiring.groups) {
        const text::List declared = nets_of(group.nets, nets);
        parts[group.part].push_back(
            text::Scope{{"title", group.title},
                        {"declares", !declared.empty()},
                        {"nets", declared},
                        {"units", units_of(group, wiring.columns, set, diags)}});
    }
    text::Scope scope;
    for (const auto& [name, groups] : parts)
        scope.set(name, groups);
    return {{"parts", scope}};
}

}  // namespace macrame::emit
