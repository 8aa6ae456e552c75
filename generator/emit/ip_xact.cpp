#include "emit/ip_xact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/version.hpp"
#include "emit/top.hpp"
#include "regs/to_ipxact.hpp"
#include "text/xml.hpp"

namespace macrame::emit {

namespace {

constexpr const char* kNameSpace = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";
constexpr int kMaxAddressBits = 62;  // of a range in the schema
constexpr std::string_view kFileSet = "rtl";
constexpr std::string_view kInstantiation = "verilog";

/// A port of a bus interface and what the bus calls it.
struct Member {
    std::string logical;
    Port port;
};

/// "xilinx.com:interface:aximm:1.0 s_axi AWADDR" for all ports of s_axi.
struct BusInterface {
    std::string name;
    std::array<std::string, 4> bus;  ///< vendor, library, name, version
    std::vector<Member> members;
    std::string parameters;  ///< "NAME value, NAME value"

    const Port* find(std::string_view logical) const {
        for (const Member& member : members) {
            if (member.logical == logical) return &member.port;
        }
        return nullptr;
    }
    /// The port that a master drives tells the sides apart.
    bool is_master() const {
        for (const char* logical :
             {"AWVALID", "ARVALID", "TVALID", "PSEL", "CLK", "RST", "INTERRUPT"}) {
            if (const Port* port = find(logical)) return port->is_output;
        }
        return false;
    }
    bool is_memory_mapped() const { return bus[1] == "interface"; }
    /// Of writes, or of reads if it has these alone; null: it has none.
    const Port* address() const {
        const Port* writes = find("AWADDR");
        return writes != nullptr ? writes : find("ARADDR");
    }
    /// Its address and data, if it is an AXI master whose range can be told.
    bool has_space() const {
        return is_master() && address() != nullptr && address()->bits <= kMaxAddressBits;
    }
};

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::vector<BusInterface> bus_interfaces(const std::vector<Port>& ports) {
    std::vector<BusInterface> out;
    for (const Port& port : ports) {
        const std::vector<std::string> words = split(port.interface, ' ');
        if (words.size() != 3) continue;
        const auto same = [&](const BusInterface& row) { return row.name == words[1]; };
        auto found = std::find_if(out.begin(), out.end(), same);
        if (found == out.end()) {
            const std::vector<std::string> vlnv = split(words[0], ':');
            if (vlnv.size() != 4) continue;
            out.push_back({words[1], {vlnv[0], vlnv[1], vlnv[2], vlnv[3]}, {}, ""});
            found = out.end() - 1;
        }
        found->members.push_back({words[2], port});
        if (!port.interface_parameters.empty()) found->parameters = port.interface_parameters;
    }
    return out;
}

std::string reference(const BusInterface& row, std::string_view suffix) {
    return fmt::format("vendor=\"{}\" library=\"{}\" name=\"{}{}\" version=\"{}\"", row.bus[0],
                       row.bus[1], row.bus[2], suffix, row.bus[3]);
}

/// "ASSOCIATED_BUSIF s_axi:m_axi, ASSOCIATED_RESET aresetn"
void add_parameters(text::Xml& xml, const BusInterface& row) {
    if (row.parameters.empty()) return;
    xml.open("parameters");
    for (const std::string& item : split(row.parameters, ',')) {
        const std::size_t begin = item.find_first_not_of(' ');
        const std::size_t blank = item.find(' ', begin);
        if (begin == item.npos || blank == item.npos) continue;
        const std::string name = item.substr(begin, blank - begin);
        xml.open("parameter", fmt::format("parameterId=\"{}.{}\" type=\"string\"", row.name, name));
        xml.leaf("name", name);
        xml.leaf("value", fmt::format("\"{}\"", item.substr(blank + 1)));
        xml.close();
    }
    xml.close();
}

void add_mode(text::Xml& xml, const BusInterface& row, bool has_registers) {
    const char* mode = row.is_master() ? "master" : "slave";
    if (row.has_space()) {
        xml.open(mode);
        xml.empty("addressSpaceRef", fmt::format("addressSpaceRef=\"{}\"", row.name));
        xml.close();
    } else if (!row.is_master() && row.is_memory_mapped() && has_registers) {
        xml.open(mode);
        xml.empty("memoryMapRef", fmt::format("memoryMapRef=\"{}\"", regs::kMemoryMap));
        xml.close();
    } else {
        xml.empty(mode);
    }
}

void add_bus_interfaces(text::Xml& xml, const std::vector<BusInterface>& rows, bool has_registers) {
    if (rows.empty()) return;
    xml.open("busInterfaces");
    for (const BusInterface& row : rows) {
        xml.open("busInterface");
        xml.leaf("name", row.name);
        xml.empty("busType", reference(row, ""));
        xml.open("abstractionTypes");
        xml.open("abstractionType");
        xml.empty("abstractionRef", reference(row, "_rtl"));
        xml.open("portMaps");
        for (const Member& member : row.members) {
            xml.open("portMap");
            xml.open("logicalPort");
            xml.leaf("name", member.logical);
            xml.close();
            xml.open("physicalPort");
            xml.leaf("name", member.port.name);
            xml.close();
            xml.close();
        }
        xml.close();
        xml.close();
        xml.close();
        add_mode(xml, row, has_registers);
        add_parameters(xml, row);
        xml.close();
    }
    xml.close();
}

void add_address_spaces(text::Xml& xml, const std::vector<BusInterface>& rows) {
    if (std::none_of(rows.begin(), rows.end(), [](const auto& row) { return row.has_space(); }))
        return;
    xml.open("addressSpaces");
    for (const BusInterface& row : rows) {
        if (!row.has_space()) continue;
        const Port* writes = row.find("WDATA");
        const Port* data = writes != nullptr ? writes : row.find("RDATA");
        xml.open("addressSpace");
        xml.leaf("name", row.name);
        xml.leaf("range", fmt::format("'h{:X}", 1ull << row.address()->bits));
        xml.leaf("width", fmt::format("{}", data != nullptr ? data->bits : 8));
        xml.close();
    }
    xml.close();
}

void add_model(text::Xml& xml, const std::string& top, const std::vector<Port>& ports) {
    xml.open("model");
    xml.open("views");
    xml.open("view");
    xml.leaf("name", kFileSet);
    xml.leaf("envIdentifier", ":*Simulation:");
    xml.leaf("envIdentifier", ":*Synthesis:");
    xml.leaf("componentInstantiationRef", kInstantiation);
    xml.close();
    xml.close();
    xml.open("instantiations");
    xml.open("componentInstantiation");
    xml.leaf("name", kInstantiation);
    xml.leaf("language", "Verilog");
    xml.leaf("moduleName", top);
    xml.open("fileSetRef");
    xml.leaf("localName", kFileSet);
    xml.close();
    xml.close();
    xml.close();
    xml.open("ports");
    for (const Port& port : ports) {
        xml.open("port");
        xml.leaf("name", port.name);
        if (!port.doc.empty()) xml.leaf("description", port.doc);
        xml.open("wire");
        xml.leaf("direction", port.is_output ? "out" : "in");
        if (port.bits > 1) {
            xml.open("vectors");
            xml.open("vector");
            xml.leaf("left", fmt::format("{}", port.bits - 1));
            xml.leaf("right", "0");
            xml.close();
            xml.close();
        }
        xml.close();
        xml.close();
    }
    xml.close();
    xml.close();
}

void add_files(text::Xml& xml, const OutputSet& set) {
    xml.open("fileSets");
    xml.open("fileSet");
    xml.leaf("name", kFileSet);
    for (const std::string& path : verilog_files(set)) {
        xml.open("file");
        xml.leaf("name", path);
        xml.leaf("fileType", "verilogSource");
        xml.close();
    }
    xml.close();
    xml.close();
}

}  // namespace

std::string ip_xact(const Design& design, const OutputSet& set,
                    const regs::RegisterSet& registers) {
    std::vector<Port> ports;
    for (const PortGroup& group : top_ports(design, set))
        ports.insert(ports.end(), group.ports.begin(), group.ports.end());
    const std::vector<BusInterface> buses = bus_interfaces(ports);

    text::Xml xml("ipxact:");
    xml.open("component",
             fmt::format("xmlns:ipxact=\"{0}\" xmlns:xsi=\"http://www.w3.org/2001/"
                         "XMLSchema-instance\"\n    xsi:schemaLocation=\"{0} {0}/index.xsd\"",
                         kNameSpace));
    xml.leaf("vendor", "macrame");
    xml.leaf("library", design.family.name);
    xml.leaf("name", top_name(design));
    xml.leaf("version", kVersion);
    add_bus_interfaces(xml, buses, !registers.maps.empty());
    add_address_spaces(xml, buses);
    regs::to_ipxact(registers, xml);
    add_model(xml, top_name(design), ports);
    add_files(xml, set);
    xml.leaf("description", description(design));
    xml.close();
    return xml.finish();
}

}  // namespace macrame::emit
