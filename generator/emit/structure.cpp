#include "emit/structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "emit/names.hpp"
#include "emit/units.hpp"

namespace macrame::emit {

namespace {

constexpr std::string_view kInstance = "u_";

/// Who drives a net of the top and who reads it: indices of instances.
struct Net {
    std::string name;
    std::size_t driver = 0;
    bool is_driven = false;
    std::set<std::size_t> readers;
    int bits = 1;
};

std::string module_text(const OutputSet& set, const std::string& module) {
    const std::string path = fmt::format("rtl/{}.v", module);
    const auto& files = set.files();
    const auto at = std::find_if(files.begin(), files.end(),
                                 [&](const OutputFile& file) { return file.path == path; });
    return at == files.end() ? "" : at->bytes;
}

std::map<std::string, Port> ports_of(const std::string& verilog) {
    std::map<std::string, Port> ports;
    for (const PortGroup& group : port_groups(verilog)) {
        for (const Port& port : group.ports)
            ports.emplace(port.name, port);
    }
    return ports;
}

std::map<std::string, Net> nets_of(const std::vector<Instance>& list, const OutputSet& set) {
    std::map<std::string, Net> nets;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::map<std::string, Port> ports = ports_of(module_text(set, list[i].module));
        for (const auto& [pin, expression] : list[i].pins) {
            const auto port = ports.find(pin);
            const std::string name = base_name(expression);
            if (port == ports.end() || name.empty()) continue;
            Net& net = nets[name];
            net.name = name;
            net.bits = std::max(net.bits, port->second.bits);
            if (port->second.is_output) {
                net.driver = i;
                net.is_driven = true;
            } else {
                net.readers.insert(i);
            }
        }
    }
    return nets;
}

/// The signals between instances, by the pair that they connect.
class Wires {
public:
    /// A signal from one instance to another.
    void add(std::size_t from, std::size_t to, const Net& net) {
        if (from == to) return;
        Link& link = links_[{std::min(from, to), std::max(from, to)}];
        link.a = std::min(from, to);
        link.b = std::max(from, to);
        // The ready of a link belongs to the other direction.
        constexpr std::string_view kReady = "_ready";
        const bool ready = net.name.size() > kReady.size() &&
                           net.name.substr(net.name.size() - kReady.size()) == kReady;
        const std::size_t target = ready ? from : to;
        (target == link.a ? link.to_a : link.to_b) = true;
        if (std::find(link.nets.begin(), link.nets.end(), net.name) == link.nets.end())
            link.nets.push_back(net.name);
        link.bits = std::max(link.bits, net.bits);
    }

    bool connects(std::size_t i, std::size_t k) const {
        return links_.count({std::min(i, k), std::max(i, k)}) != 0;
    }

    const std::map<std::pair<std::size_t, std::size_t>, Link>& links() const { return links_; }

private:
    std::map<std::pair<std::size_t, std::size_t>, Link> links_;
};

/// Signals between units: direct ones, and through a module that is no unit where the two units
/// have a direct one, too.
Wires wires_of(const std::map<std::string, Net>& nets, const std::vector<const Unit*>& units) {
    Wires wires;
    std::map<std::size_t, std::vector<const Net*>> into, out_of;  // modules that are no units
    for (const auto& [name, net] : nets) {
        if (!net.is_driven) continue;
        for (const std::size_t reader : net.readers) {
            if (units[net.driver] == nullptr) out_of[net.driver].push_back(&net);
            if (units[reader] == nullptr) into[reader].push_back(&net);
            if (units[net.driver] != nullptr && units[reader] != nullptr)
                wires.add(net.driver, reader, net);
        }
    }
    for (const auto& [between, entering] : into) {
        for (const Net* in : entering) {
            if (units[in->driver] == nullptr) continue;
            for (const Net* out : out_of[between]) {
                for (const std::size_t reader : out->readers) {
                    if (units[reader] != nullptr && wires.connects(in->driver, reader))
                        wires.add(in->driver, reader, *out);
                }
            }
        }
    }
    return wires;
}

/// Ports of the top that this instance alone has.
std::vector<PortGroup> pins_of(std::size_t instance, const std::vector<PortGroup>& top,
                               const std::map<std::string, Net>& nets) {
    std::vector<PortGroup> groups;
    for (const PortGroup& group : top) {
        PortGroup own{group.title, {}};
        for (const Port& port : group.ports) {
            const auto net = nets.find(port.name);
            if (net == nets.end()) continue;
            std::set<std::size_t> users = net->second.readers;
            if (net->second.is_driven) users.insert(net->second.driver);
            if (users == std::set<std::size_t>{instance}) own.ports.push_back(port);
        }
        if (!own.ports.empty()) groups.push_back(own);
    }
    return groups;
}

/// Per instance its unit, null if it is none.
std::vector<const Unit*> units_of(const std::vector<Instance>& list, const Design& design) {
    std::map<std::string, const Unit*> by_module;
    for (const Unit* unit : design.family.units)
        by_module[emitted_name(design, module_name(design.family, unit->name))] = unit;
    std::vector<const Unit*> units;
    for (const Instance& instance : list) {
        const auto at = by_module.find(instance.module);
        units.push_back(at == by_module.end() ? nullptr : at->second);
    }
    return units;
}

/// Instances with links to the same others.
std::set<std::size_t> neighbours(std::size_t instance, const Wires& wires) {
    std::set<std::size_t> out;
    for (const auto& [pair, link] : wires.links()) {
        if (pair.first == instance) out.insert(pair.second);
        if (pair.second == instance) out.insert(pair.first);
    }
    return out;
}

/// Joins the links of `from` to those of `to`.
void join(Link& to, const Link& from, bool swapped) {
    to.to_a |= swapped ? from.to_b : from.to_a;
    to.to_b |= swapped ? from.to_a : from.to_b;
    to.nets.insert(to.nets.end(), from.nets.begin(), from.nets.end());
    to.bits = std::max(to.bits, from.bits);
}

}  // namespace

Structure structure_of(const Design& design, const OutputSet& set) {
    const std::string top =
        module_text(set, emitted_name(design, module_name(design.family, "top")));
    const std::vector<Instance> list = instances(top);
    const std::vector<PortGroup> groups = port_groups(top);
    const std::vector<const Unit*> units = units_of(list, design);
    const std::map<std::string, Net> nets = nets_of(list, set);
    const Wires wires = wires_of(nets, units);

    Structure out;
    std::map<std::size_t, std::size_t> node_of;  // of an instance
    for (const Unit* unit : design.family.units) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (units[i] != unit) continue;
            const bool twin = i > 0 && !out.nodes.empty() && out.nodes.back().unit == unit &&
                              units[i - 1] == unit &&
                              neighbours(i, wires) == neighbours(i - 1, wires);
            if (!twin) out.nodes.push_back({{}, unit, pins_of(i, groups, nets)});
            out.nodes.back().names.push_back(list[i].name.substr(kInstance.size()));
            node_of[i] = out.nodes.size() - 1;
        }
    }
    std::map<std::pair<std::size_t, std::size_t>, Link> links;
    for (const auto& [pair, link] : wires.links()) {
        const std::size_t a = node_of[link.a], b = node_of[link.b];
        if (a == b) continue;
        Link& to = links[{std::min(a, b), std::max(a, b)}];
        to.a = std::min(a, b);
        to.b = std::max(a, b);
        join(to, link, a > b);
    }
    for (const auto& [pair, link] : links)
        out.links.push_back(link);
    return out;
}

}  // namespace macrame::emit
