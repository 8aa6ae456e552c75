#include "emit/project.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emit/top.hpp"
#include "emit/units.hpp"
#include "text/template.hpp"

namespace macrame::emit {

namespace {

/// The input of one bit that the title of a group names as a word; empty if it names none.
std::string clock_of(const std::string& title, const std::vector<PortGroup>& groups) {
    for (const PortGroup& group : groups) {
        for (const Port& port : group.ports) {
            if (!port.is_output && port.bits == 1 && mentions(title, port.name)) return port.name;
        }
    }
    return "";
}

text::List port_list(const std::vector<PortGroup>& groups) {
    text::List list;
    for (const PortGroup& group : groups) {
        text::List ports, inputs, outputs;
        for (const Port& port : group.ports) {
            const text::Scope row{{"name", port.name},
                                  {"direction", port.is_output ? "out" : "in"},
                                  {"bits", port.bits},
                                  {"doc", port.doc}};
            ports.emplace_back(row);
            (port.is_output ? outputs : inputs).emplace_back(row);
        }
        list.emplace_back(text::Scope{{"title", group.title},
                                      {"clock", clock_of(group.title, groups)},
                                      {"ports", ports},
                                      {"inputs", inputs},
                                      {"outputs", outputs},
                                      {"input_count", static_cast<int>(inputs.size())},
                                      {"output_count", static_cast<int>(outputs.size())}});
    }
    return list;
}

/// "wire [7:0] a;", a line per port.
std::string wire_lines(const std::vector<PortGroup>& groups) {
    std::string out;
    for (const PortGroup& group : groups) {
        for (const Port& port : group.ports)
            out +=
                fmt::format("{}wire [{}:0] {};", out.empty() ? "" : "\n", port.bits - 1, port.name);
    }
    return out;
}

/// ".a(a),", a line per port, the last one without a comma.
std::string pin_lines(const std::vector<PortGroup>& groups) {
    std::string out;
    for (const PortGroup& group : groups) {
        for (const Port& port : group.ports)
            out += fmt::format("{}.{}({})", out.empty() ? "" : ",\n", port.name, port.name);
    }
    return out;
}

text::List unit_list(const Design& design) {
    text::List list;
    for (const Unit* unit : design.family.units) {
        if (unit->is_in(design.config))
            list.emplace_back(text::Scope{{"name", unit->name}, {"doc", unit->doc}});
    }
    return list;
}

text::List map_list(const std::vector<const regs::RegisterMap*>& maps) {
    text::List list;
    for (const regs::RegisterMap* map : maps) {
        if (map->base)
            list.emplace_back(text::Scope{{"unit", map->unit},
                                          {"base", fmt::format("{:#07x}", *map->base)},
                                          {"doc", map->doc}});
    }
    return list;
}

}  // namespace

void add_project(OutputSet& set, const Design& design, const Assets& assets,
                 const std::vector<const regs::RegisterMap*>& maps, text::Scope scope,
                 Diags& diags) {
    scope.set("configuration", design.name);
    scope.set("size_text", design.family.size_text(design.config));
    scope.set("units", unit_list(design));
    scope.set("register_maps", map_list(maps));
    const std::vector<PortGroup> groups = top_ports(design, set);
    scope.set("port_groups", port_list(groups));
    scope.set("design_wires", wire_lines(groups));
    scope.set("design_pins", pin_lines(groups));
    const std::string folder = fmt::format("templates/{}/project/", design.family.name);
    for (const std::string& path : assets.list(folder)) {
        try {
            set.add(path.substr(folder.size()),
                    text::render(assets.read(path).value_or(""), assets.display_name(path), scope));
        } catch (const text::TemplateError& e) {
            diags.push_back({e.what()});
        }
    }
}

}  // namespace macrame::emit
