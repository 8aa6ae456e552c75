#include "emit/port_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "emit/verilog_text.hpp"
#include "text/ends.hpp"

namespace macrame::emit {

namespace {

constexpr std::size_t kLineColumns = 100;

/// Ports that belong together: `stem` begins their names.
struct PortLink {
    std::string stem;
    bool is_output = false;  // of valid
    std::vector<const Port*> payload;
};

class PortRules {
public:
    explicit PortRules(std::string_view verilog) {
        for (const PortGroup& group : port_groups(verilog)) {
            ports_.insert(ports_.end(), group.ports.begin(), group.ports.end());
            ports_.emplace_back();
        }
    }

    /// The checks; empty if there are none.
    std::string text() {
        if (!find("clk") || !find("rst_n")) return "";
        for (const PortLink& link : links()) {
            if (link.is_output || from_outside(link)) add_link(link);
            if (link.is_output) add_master(link);
        }
        return text_;
    }

private:
    const Port* find(std::string_view name) const {
        const auto at = std::find_if(ports_.begin(), ports_.end(),
                                     [&](const Port& port) { return port.name == name; });
        return at == ports_.end() ? nullptr : &*at;
    }

    std::vector<PortLink> links() const {
        constexpr std::string_view kValid = "valid";
        std::vector<PortLink> found;
        for (const Port& valid : ports_) {
            if (valid.bits != 1 || valid.name == kValid || !text::ends_with(valid.name, kValid))
                continue;
            PortLink link{
                valid.name.substr(0, valid.name.size() - kValid.size()), valid.is_output, {}};
            const Port* ready = find(link.stem + "ready");
            if (!ready || ready->bits != 1 || ready->is_output == valid.is_output) continue;
            add_payload(link, valid);
            found.push_back(std::move(link));
        }
        return found;
    }

    /// Ports of the link stand together, without a comment line between them.
    void add_payload(PortLink& link, const Port& valid) const {
        const auto other = [&](const Port& port) {
            return !text::starts_with(port.name, link.stem);
        };
        const auto at = ports_.begin() + (&valid - ports_.data());
        const auto begin =
            std::find_if(std::make_reverse_iterator(at), ports_.rend(), other).base();
        const auto end = std::find_if(at, ports_.end(), other);
        for (auto port = begin; port != end; ++port) {
            if (port != at && port->is_output == valid.is_output) link.payload.push_back(&*port);
        }
    }

    /// Is it no link between units, "a2b_"?
    static bool from_outside(const PortLink& link) {
        static const std::regex kBetween("[a-z]\\w*2[a-z]\\w*");
        return !std::regex_match(link.stem, kBetween);
    }

    /// What lies in flight on the buses of a unit with a reset at power-on outlives other resets.
    std::string reset() const { return find("por_n") ? "por_n" : "rst_n"; }

    void instance(std::string_view module, const std::string& parameters, const std::string& name,
                  const std::vector<std::string>& pins) {
        text_ += fmt::format("    {}{} {} (\n", module,
                             parameters.empty() ? "" : fmt::format(" #({})", parameters), name);
        std::string line = fmt::format("        .clk(clk), .rst_n({})", reset());
        for (const std::string& pin : pins) {
            if (line.size() + 2 + pin.substr(0, pin.find('\n')).size() >= kLineColumns) {
                text_ += line + ",\n";
                line = "        " + pin;
            } else {
                line += ", " + pin;
            }
        }
        text_ += line + "\n    );\n";
    }

    static std::string name_of(const PortLink& link) {
        return "a_" + (text::ends_with(link.stem, "_") ? link.stem.substr(0, link.stem.size() - 1)
                                                       : link.stem);
    }

    /// Bits of all ports, an expression.
    static std::string width_of(const std::vector<const Port*>& ports) {
        int bits = 0;
        std::string rest;
        for (const Port* port : ports) {
            bits += port->bits;
            if (port->bits != 0) continue;
            rest += " + " + (text::ends_with(port->msb, "-1")
                                 ? port->msb.substr(0, port->msb.size() - 2)
                                 : port->msb + "+1");
        }
        if (bits != 0 || rest.empty()) return fmt::format("{}{}", bits, rest);
        return rest.substr(3);
    }

    /// When what is offered is taken, or may be dropped: a unit with an input X_run offers nothing
    /// to other units while that is 0.
    std::string taken(const PortLink& link) const {
        const std::string ready = link.stem + "ready";
        if (from_outside(link)) return ready;
        const auto run = std::find_if(ports_.begin(), ports_.end(), [](const Port& port) {
            return !port.is_output && port.bits == 1 && text::ends_with(port.name, "_run");
        });
        return run == ports_.end() ? ready : fmt::format("{} || !{}", ready, run->name);
    }

    void add_link(const PortLink& link) {
        std::string names;
        std::size_t column = 0;
        for (const Port* port : link.payload) {
            if (!names.empty()) names += ",";
            column += port->name.size() + 2;
            if (column > kLineColumns - 25) {
                names += "\n                  ";
                column = port->name.size() + 2;
            } else if (!names.empty()) {
                names += " ";
            }
            names += port->name;
        }
        const bool none = link.payload.empty();
        instance("assert_link", fmt::format(".W({})", none ? "1" : width_of(link.payload)),
                 name_of(link),
                 {fmt::format(".valid({}valid)", link.stem), fmt::format(".ready({})", taken(link)),
                  none ? ".payload(1'b0)" : fmt::format(".payload({{{}}})", names)});
    }

    /// If it is the address of an AXI master: rules of bursts and of the data of writes.
    void add_master(const PortLink& link) {
        const std::string& stem = link.stem;
        const Port* len = find(stem + "len");
        const Port* addr = find(stem + "addr");
        const bool write = text::ends_with(stem, "aw");
        if (!len || !addr || !(write || text::ends_with(stem, "ar"))) return;
        // The data channel: m_axi_ar and m_axi_r, or core_ar_ar and core_r_r.
        const std::string before = stem.substr(0, stem.size() - 2);
        const std::string kind = write ? "w" : "r";
        const bool twice = text::ends_with(before, "a" + kind + "_");
        const std::string data =
            (twice ? before.substr(0, before.size() - 3) + kind + "_" : before) + kind;
        const Port* lanes = find(data + "data");
        if (!lanes) return;
        const Port* size = find(stem + "size");
        const Port* burst = find(stem + "burst");
        const std::string width = width_of({lanes});
        const std::string len_width = fmt::format(".LEN_W({})", width_of({len}));
        instance("assert_axi_burst", fmt::format(".BUS_W({}), {}", width, len_width),
                 name_of(link) + "_burst",
                 {fmt::format(".valid({}valid)", stem), fmt::format(".addr({}[11:0])", addr->name),
                  fmt::format(".len({})", len->name),
                  size ? fmt::format(".size({})", size->name)
                       : fmt::format(".size({})", log2_of(lanes->bits / 8)),
                  fmt::format(".burst({})", burst ? burst->name : "2'b01")});
        if (!write || !find(data + "last")) return;
        std::vector<std::string> pins;
        for (const char* pin : {"valid", "ready", "len"})
            pins.push_back(fmt::format(".aw{0}({1}{0})", pin, stem));
        for (const char* pin : {"valid", "ready", "last"})
            pins.push_back(fmt::format(".w{0}({1}{0})", pin, data));
        instance("assert_axi_write", len_width, name_of(link) + "_data", pins);
    }

    static std::string log2_of(int bytes) {
        int log2 = 0;
        while (bytes >> (log2 + 1) != 0)
            ++log2;
        return fmt::format("3'd{}", log2);
    }

    std::vector<Port> ports_;  // one without a name between two groups
    std::string text_;
};

}  // namespace

std::string with_port_rules(std::string verilog) {
    const std::size_t end = verilog.rfind("endmodule");
    if (end == verilog.npos) return verilog;
    const std::string rules = PortRules(verilog).text();
    if (rules.empty()) return verilog;
    verilog.insert(end,
                   "`ifdef MACRAME_ASSERT\n"
                   "    // ---------------------------------------------------------------"
                   "--- rules of the ports\n" +
                       rules + "`endif\n\n");
    return verilog;
}

}  // namespace macrame::emit
