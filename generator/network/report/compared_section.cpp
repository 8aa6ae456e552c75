#include <fmt/format.h>

#include <cstddef>

#include "network/report/parts.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

namespace {

using layers::Comparison;
using layers::Difference;
using text::xml_escaped;

std::string amount(const Difference& row, double value) {
    return cell(value,
                row.integers() ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value));
}

std::string row_text(const Difference& row, bool noisy) {
    const layers::FileTensor& tensor = row.tensor;
    std::string out = fmt::format("<tr><th data-v=\"{}\">{} {}</th><td>{}</td>", tensor.place,
                                  tensor.place < 0 ? "" : fmt::to_string(tensor.place),
                                  xml_escaped(tensor.kind), xml_escaped(tensor.name));
    if (!row.compared) {
        const int columns = noisy ? 8 : 6;
        return out + fmt::format("<td class=\"dim\" colspan=\"{}\">{}</td></tr>\n", columns,
                                 xml_escaped(tensor.exists() ? "no file of it" : tensor.absent));
    }
    const auto count = [](std::uint64_t value) {
        return cell(static_cast<double>(value), number(value));
    };
    out +=
        count(row.values) + count(row.differing) + amount(row, row.largest) + amount(row, row.own);
    out += row.declared ? cell(*row.declared, fmt::to_string(*row.declared)) : nothing();
    if (noisy) {
        const std::optional<double> db = row.to_reference.decibels();
        out += row.saturated ? count(*row.saturated) : nothing();
        out += db ? cell(*db, fmt::format("{:.1f}", *db)) : nothing();
    }
    out += row.fault.empty() ? std::string("<td></td>")
                             : fmt::format("<td class=\"wrong\">{}</td>", xml_escaped(row.fault));
    return out + "</tr>\n";
}

std::string table(const Comparison& comparison) {
    const bool noisy = !comparison.declares();
    std::string out =
        "<div class=\"scroll\"><table class=\"sort\" id=\"compared\">\n<thead><tr><th>operator</th>"
        "<th>tensor</th><th class=\"n\">values</th><th class=\"n\">differ</th>"
        "<th class=\"n\">largest</th><th class=\"n\">own</th><th class=\"n\">declared</th>";
    if (noisy) out += "<th class=\"n\">saturated</th><th class=\"n\">dB</th>";
    out += "<th></th></tr></thead>\n<tbody>\n";
    for (const Difference& row : comparison.differences())
        out += row_text(row, noisy);
    return out + "</tbody>\n</table></div>\n";
}

/// Where there is no comparison, layers in which values saturated.
std::string saturated_list(const ReportInput& input) {
    std::string rows;
    for (std::size_t i = 0; i < input.saturated.size(); ++i) {
        if (input.saturated[i] == 0) continue;
        rows += fmt::format(
            "<tr><th>{}</th>{}</tr>\n", xml_escaped(input.network.compiled.layers[i].name),
            cell(static_cast<double>(input.saturated[i]), number(input.saturated[i])));
    }
    if (rows.empty()) return "";
    return "<section id=\"saturated\"><h2>Saturation</h2>\n<p>Values that the number format did "
           "not "
           "hold:</p>\n<table class=\"sort\">\n<thead><tr><th>layer</th><th class=\"n\">values</th>"
           "</tr></thead>\n<tbody>\n" +
           rows + "</tbody>\n</table></section>\n";
}

}  // namespace

std::string compared_section(const ReportInput& input) {
    if (input.comparison == nullptr) return saturated_list(input);
    const Comparison& comparison = *input.comparison;
    const Difference* fault = comparison.first_fault();
    std::string out = fmt::format(
        "<section id=\"layers-compared\"><h2>Layers</h2>\n<p>Tensors at the ends of layers against "
        "{}. Differences are steps of the scale; <i>own</i> is what the layer alone adds: against "
        "the executor for the inputs that the layer had.</p>\n",
        xml_escaped(comparison.reference()));
    out += fault == nullptr
               ? std::string("<p class=\"right\">None differs more than was declared.</p>\n")
               : fmt::format(
                     "<p class=\"wrong\">The first that differs more than was declared: {}: "
                     "{}</p>\n",
                     xml_escaped(fault->tensor.text()), xml_escaped(fault->fault));
    return out + table(comparison) + "</section>\n";
}

}  // namespace macrame::network::report
