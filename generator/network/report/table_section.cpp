#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "network/report/parts.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

namespace {

using text::xml_escaped;

std::string limiter_cell(const std::string& limiter) {
    return fmt::format("<td data-v=\"{0}\"><span class=\"tag {1}\">{0}</span></td>",
                       xml_escaped(limiter), colour(limiter));
}

/// "+1.2 %": how much the estimate is above what was measured.
std::string error_cell(std::uint64_t measured, std::uint64_t estimated) {
    if (measured == 0) return nothing();
    const double percent =
        100.0 * (static_cast<double>(estimated) / static_cast<double>(measured) - 1);
    return cell(percent, fmt::format("{:+.1f} %", percent));
}

/// How the numbers of an operator compare with the reference, in a word, all of it as a title.
std::string exact_cell(const Network& network, const OperatorCost& cost) {
    // Where nothing is told of an operator, it is exact if the back end tells of all others.
    if (cost.channels == 0)
        return network.compiled.exact_otherwise ? "<td data-v=\"1\">exact</td>" : nothing();
    std::string title;
    for (const compiler::Exactness& exact : network.compiled.exactness) {
        if (exact.node != cost.node) continue;
        title += fmt::format("{}{}: {} of {} channels proved", title.empty() ? "" : "; ",
                             exact.mapping, exact.proved, exact.channels);
        if (exact.values != 0)
            title += fmt::format(", {} of {} accumulators differ by up to {}",
                                 number(static_cast<std::uint64_t>(exact.values)),
                                 number(static_cast<std::uint64_t>(exact.reachable)), exact.most);
    }
    const bool all = cost.proved == cost.channels;
    return fmt::format("<td class=\"{}\" data-v=\"{:.6g}\" title=\"{}\">{}</td>",
                       all ? "right" : "near", static_cast<double>(cost.proved) / cost.channels,
                       xml_escaped(title),
                       all ? "proved" : fmt::format("{}, \xc2\xb1{}", cost.exactness(), cost.most));
}

class OperatorTable {
public:
    explicit OperatorTable(const ReportInput& input)
        : input_(input),
          costs_(operator_costs(input.network, input.measured)),
          sum_(total(costs_)) {
        for (const OperatorCost& cost : costs_)
            largest_ = std::max(largest_, share_of(cost));
    }

    std::string text() const {
        std::string out =
            "<div class=\"scroll\"><table class=\"sort\" id=\"operators\">\n<thead><tr>";
        const auto heads = [&](std::string_view style, const std::vector<std::string_view>& names) {
            for (const std::string_view name : names)
                out += fmt::format("<th{}>{}</th>", style, name);
        };
        constexpr std::string_view kNumber = " class=\"n\"";
        heads("", {"operator", "output"});
        heads(kNumber, {"runs", "MAC"});
        if (measured()) heads(kNumber, {"measured", "error"});
        heads(kNumber, {"estimated", "bound", "share"});
        heads("", {"limit"});
        heads(kNumber, {"MAC use", "read", "written"});
        heads("", {"exactness"});
        if (input_.mhz != 0) heads(kNumber, {"ms"});
        if (have_choices(costs_)) heads("", {"choice"});
        out += "</tr></thead>\n<tbody>\n";
        const std::vector<graph::Node>& nodes = input_.network.graph.nodes;
        std::size_t next = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const int node = static_cast<int>(i);
            if (next < costs_.size() && costs_[next].node == node) {
                out += row(costs_[next++]);
            } else {
                out += idle_row(node);
            }
        }
        return out + "</tbody>\n<tfoot>\n" + sum_row() + "</tfoot>\n</table></div>\n";
    }

private:
    /// In % of all cycles.
    double share_of(const OperatorCost& cost) const {
        return 100.0 * static_cast<double>(cost.best_cycles()) /
               static_cast<double>(std::max<std::uint64_t>(sum_.best_cycles(), 1));
    }

    bool measured() const { return sum_.measured.has_value(); }

    std::string head(int node) const {
        const graph::Node& of = input_.network.graph.nodes[static_cast<std::size_t>(node)];
        return fmt::format("<tr><th data-v=\"{}\" title=\"{}\">{}</th><td>{}</td>", node,
                           xml_escaped(of.where),
                           xml_escaped(node_text(input_.network.graph, node)),
                           shape_text(input_.network.graph.tensor(of.outputs.front())));
    }

    std::string row(const OperatorCost& cost) const {
        return head(cost.node) + numbers(cost, true) + exact_cell(input_.network, cost) +
               time(cost) + choice(cost) + "</tr>\n";
    }

    /// The numbers from runs to written bytes.
    std::string numbers(const OperatorCost& cost, bool bar) const {
        constexpr double kBar = 94;  // % of the cell
        std::string out = cell(static_cast<std::uint64_t>(cost.runs)) + cell(cost.macs);
        if (measured()) {
            const std::uint64_t cycles = cost.measured.value_or(0);
            out += cell(cycles) + error_cell(cycles, cost.cycles);
        }
        const double share = share_of(cost);
        const double use = 100 * cost.use(input_.network.compiled.macs_per_cycle);
        out += cell(cost.cycles) + cell(cost.bound);
        if (bar) {
            out += fmt::format(
                "<td class=\"n share\" data-v=\"{0:.6g}\"><i class=\"{1}\" "
                "style=\"width:{2:.1f}%\">"
                "</i>{0:.1f} %</td>",
                share, colour(cost.limiter), kBar * share / largest_);
        } else {
            out += cell(share, fmt::format("{:.1f} %", share));
        }
        out += limiter_cell(cost.limiter) + cell(use, fmt::format("{:.1f} %", use));
        return out + cell(static_cast<double>(cost.read_bytes), bytes_text(cost.read_bytes)) +
               cell(static_cast<double>(cost.write_bytes), bytes_text(cost.write_bytes));
    }

    std::string choice(const OperatorCost& cost) const {
        if (!have_choices(costs_)) return "";
        return fmt::format("<td>{}</td>", xml_escaped(cost.choice()));
    }

    std::string time(const OperatorCost& cost) const {
        if (input_.mhz == 0) return "";
        const double ms = static_cast<double>(cost.best_cycles()) / (1000.0 * input_.mhz);
        return cell(ms, fmt::format("{:.3f}", ms));
    }

    /// Of the host, or of what became addresses alone.
    std::string idle_row(int node) const {
        const bool on_host = input_.network.compiled.on_host(node);
        std::string out = head(node) + "<td class=\"n\" data-v=\"0\">0</td>";
        for (int i = 0; i < (measured() ? 6 : 4); ++i)
            out += nothing();
        out += fmt::format("<td data-v=\"~\">{}</td>", on_host ? "host" : "no work");
        for (int i = 0; i < 3; ++i)
            out += nothing();
        out += fmt::format("<td data-v=\"1\">{}</td>", on_host ? "host" : "exact");
        return out + (input_.mhz != 0 ? nothing() : "") + choice({}) + "</tr>\n";
    }

    std::string sum_row() const {
        const bool all = sum_.proved == sum_.channels;
        return "<tr><th>all</th><td></td>" + numbers(sum_, false) +
               fmt::format("<td>{}</td>", all ? "proved" : sum_.exactness()) + time(sum_) +
               choice(sum_) + "</tr>\n";
    }

    const ReportInput& input_;
    std::vector<OperatorCost> costs_;
    OperatorCost sum_;
    double largest_ = 1e-9;  ///< share
};

std::string layer_table(const ReportInput& input) {
    const std::vector<compiler::LayerReport>& layers = input.network.compiled.layers;
    std::vector<std::uint64_t> durations;
    if (input.measured != nullptr) durations = input.measured->durations();
    const bool measured = durations.size() == layers.size();
    std::string out = fmt::format(
        "<details><summary>All {} layers of the hardware</summary>\n<div class=\"scroll\"><table "
        "class=\"sort\" id=\"layers\">\n<thead><tr><th>layer</th><th>operator</th><th>unit</th>",
        layers.size());
    for (const std::string_view name :
         {"MAC", "measured", "estimated", "MAC array", "SDP, PDP", "memory", "read", "written"}) {
        if (name == "measured" && !measured) continue;
        out += fmt::format("<th class=\"n\">{}</th>", name);
    }
    const bool choices = std::any_of(layers.begin(), layers.end(),
                                     [](const auto& layer) { return !layer.choice.empty(); });
    out +=
        fmt::format("<th>limit</th>{}</tr></thead>\n<tbody>\n", choices ? "<th>choice</th>" : "");
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const compiler::LayerReport& layer = layers[i];
        out += fmt::format(
            "<tr><th data-v=\"{0}\" title=\"{1}\">{0}</th><td data-v=\"{2}\">{3}</td>"
            "<td>{4}</td>",
            i, xml_escaped(layer.name), layer.node,
            xml_escaped(node_text(input.network.graph, layer.node)), layer.unit);
        out += cell(layer.macs);
        if (measured) out += cell(durations[i]);
        out += cell(layer.cycles) + cell(layer.mac_cycles) + cell(layer.post_cycles) +
               cell(layer.memory_cycles) + cell(layer.read_bytes) + cell(layer.write_bytes) +
               limiter_cell(layer.limiter);
        if (choices) out += fmt::format("<td>{}</td>", xml_escaped(layer.choice));
        out += "</tr>\n";
    }
    return out + "</tbody></table></div></details>\n";
}

}  // namespace

std::string operator_section(const ReportInput& input) {
    std::string out = "<section id=\"layers-section\"><h2>Operators</h2>\n";
    out +=
        "<p>Cycles; <i>bound</i> is what the busiest of MAC array, SDP or PDP, and memory takes at "
        "least, <i>error</i> that of the estimate, <i>exactness</i> channels whose result is "
        "proved "
        "to equal that of the reference executor for every accumulator they can reach, and by how "
        "much others may differ, <i>choice</i> which way cycles decided for.</p>\n";
    return out + OperatorTable(input).text() + layer_table(input) + "</section>\n";
}

std::string limit_section(const ReportInput& input) {
    const std::vector<OperatorCost> costs = operator_costs(input.network, input.measured);
    const std::vector<LimiterShare> shares = limiter_shares(costs);
    if (shares.empty()) return "";
    std::uint64_t all = 0;
    for (const LimiterShare& share : shares)
        all += share.cycles;
    std::string out = "<section id=\"limits\"><h2>What limits</h2>\n<div class=\"stack\">";
    std::string words = "<p class=\"legend\">";
    for (const LimiterShare& share : shares) {
        const double part = 100.0 * static_cast<double>(share.cycles) /
                            static_cast<double>(std::max<std::uint64_t>(all, 1));
        out += fmt::format("<i class=\"{}\" style=\"width:{:.2f}%\"></i>", colour(share.limiter),
                           part);
        words += fmt::format(
            "<span><i class=\"{}\"></i>{}: {} operator{}, {:.0f} % of the cycles</span> ",
            colour(share.limiter), xml_escaped(share.limiter), share.operators,
            share.operators == 1 ? "" : "s", part);
    }
    out += "</div>\n" + words + "</p>\n";
    for (const Advice& one : input.advice)
        out += fmt::format("<p class=\"advice\">{}.</p>\n", xml_escaped(one.text()));
    return out + "</section>\n";
}

std::string count_section(const ReportInput& input) {
    const compiler::Compiled& made = input.network.compiled;
    const OperatorCost sum = total(operator_costs(input.network));
    const auto lanes = static_cast<std::uint64_t>(made.macs_per_cycle);
    std::uint64_t writes = 0;
    for (const compiler::Part& part : input.network.parts)
        for (const program::Command& command : part.compiled.program.commands)
            writes += command.code == program::Code::write ||
                      command.code == program::Code::write_low ||
                      command.code == program::Code::write_high;
    std::string out =
        "<section id=\"counts\"><h2>Counts</h2>\n<div class=\"scroll\"><table "
        "class=\"counts\">\n";
    const auto add = [&](std::string_view what, std::uint64_t value, std::string_view unit) {
        out += fmt::format("<tr><th>{}</th>{}<td>{}</td></tr>\n", what, cell(value), unit);
    };
    add("multiplications that the network asks for", sum.macs, "MAC");
    add("operations of the MAC array", sum.mac_cycles, "each reads a buffer entry");
    add("multiplications of all its lanes", sum.mac_cycles * lanes, "MAC");
    add("cycles of SDP and PDP", sum.post_cycles, "cycles");
    add("read from memory", sum.read_bytes, "bytes");
    add("written to memory", sum.write_bytes, "bytes");
    if (input.measured != nullptr) {
        for (const Measured::Port& port : input.measured->ports) {
            add(fmt::format("read by port {}, measured", xml_escaped(port.name)), port.read_bytes,
                "bytes");
            add(fmt::format("written by port {}, measured", xml_escaped(port.name)),
                port.write_bytes, "bytes");
        }
    }
    add("registers written", writes, "");
    return out + "</table></div>\n</section>\n";
}

}  // namespace macrame::network::report
