#include <fmt/format.h>

#include "compiler/host_time.hpp"
#include "network/report/parts.hpp"
#include "network/work.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

using text::xml_escaped;

std::string host_section(const ReportInput& input) {
    const Network& network = input.network;
    const Work work = work_of(network);
    if (work.host.empty()) return "";
    std::string out = fmt::format(
        "<section id=\"host-section\"><h2>Host</h2>\n<p>{}. Cycles are those of {}; at {} MHz they "
        "take {:.3f} ms.</p>\n",
        xml_escaped(text_of(network, work, input.host_mhz)),
        xml_escaped(std::string(compiler::kHostProcessor)), input.host_mhz,
        work.host_milliseconds(input.host_mhz));
    out +=
        "<div class=\"scroll\"><table class=\"sort\" id=\"host\">\n<thead><tr><th>operator</th>"
        "<th class=\"n\">work</th><th>unit</th><th class=\"n\">cycles</th><th class=\"n\">ms</th>"
        "<th class=\"n\">share of the host</th><th>reason</th></tr></thead>\n<tbody>\n";
    const auto all = static_cast<double>(work.host_cycles());
    for (const HostOperatorCost& one : work.host) {
        const graph::Node& node = network.graph.nodes[static_cast<std::size_t>(one.node)];
        const auto cycles = static_cast<double>(one.cycles);
        out += fmt::format(
            "<tr><th data-v=\"{0}\" title=\"{1}\">{2}</th><td class=\"n\" data-v=\"{3}\">{4}</td>"
            "<td>{5}</td><td class=\"n\" data-v=\"{6}\">{7}</td>"
            "<td class=\"n\" data-v=\"{8:.6g}\">{8:.3f}</td>"
            "<td class=\"n\" data-v=\"{9:.6g}\">{9:.1f} %</td><td>{10}</td></tr>\n",
            one.node, xml_escaped(node.where), xml_escaped(node_text(network.graph, one.node)),
            one.units, number(one.units), compiler::host_work(network.graph, node).unit, one.cycles,
            number(one.cycles), cycles / (1000.0 * input.host_mhz), 100 * cycles / all,
            xml_escaped(one.reason));
    }
    return out + "</tbody></table></div>\n</section>\n";
}

}  // namespace macrame::network::report
