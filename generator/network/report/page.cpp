#include <fmt/format.h>

#include "core/version.hpp"
#include "families/family.hpp"
#include "network/exactness.hpp"
#include "network/report/parts.hpp"
#include "network/work.hpp"
#include "text/xml.hpp"

namespace macrame::network {

namespace {

using report::number;
using text::xml_escaped;

/// Layout of the page; it loads nothing.
constexpr std::string_view kStyle = R"(<style>
:root { color-scheme: light dark; --bg: #fff; --text: #1c222b; --dim: #5d6878; --line: #cbd2db;
        --soft: #f4f6f9; --mac: #3b7fc4; --sdp: #d5771f; --pdp: #3a9a64; --mem: #8a63bd;
        --cdp: #c25f8e; --other: #909aa8; --right: #23804a; --wrong: #b3372f; --near: #a06000; }
@media (prefers-color-scheme: dark) {
:root { --bg: #15191e; --text: #e3e7ec; --dim: #9ba6b4; --line: #3b444f; --soft: #1e242b;
        --mac: #5d9fe0; --sdp: #e08c3d; --pdp: #54b681; --mem: #a98bdb; --cdp: #dd86b0; --other: #7c8795;
        --right: #5cc48a; --wrong: #ef837b; --near: #dfa54a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 3rem; max-width: 78rem; background: var(--bg);
       color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; margin: .5rem 0 0; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; padding-bottom: .2rem;
     border-bottom: 1px solid var(--line); }
p { margin: .4rem 0; max-width: 62rem; }
.dim { color: var(--dim); }
.big { font-size: 1.25rem; font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem;
         margin: 1rem 0; padding: 0; list-style: none; }
.cards li { background: var(--soft); border: 1px solid var(--line); border-radius: 6px;
            padding: .5rem .7rem; }
.cards b { display: block; font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.cards span { color: var(--dim); font-size: .85rem; }
.scroll { overflow-x: auto; }
.tall { max-height: 34rem; overflow-y: auto; border: 1px solid var(--line); border-radius: 6px; }
svg { display: block; width: 100%; height: auto; font: 11px system-ui, "Segoe UI", Roboto,
      "DejaVu Sans", sans-serif; }
.t { fill: var(--text); } .t.d { fill: var(--dim); } .t.b { font-weight: 600; }
.mac { fill: var(--mac); background: var(--mac); } .sdp { fill: var(--sdp); background: var(--sdp); }
.pdp { fill: var(--pdp); background: var(--pdp); } .mem { fill: var(--mem); background: var(--mem); }
.cdp { fill: var(--cdp); background: var(--cdp); }
.held { fill: var(--wrong); background: var(--wrong); }
.other { fill: var(--other); background: var(--other); }
.constant { fill: var(--other); background: var(--other); fill-opacity: .45; }
.kept { fill: var(--pdp); background: var(--pdp); fill-opacity: .6; }
.activation { fill: var(--mac); background: var(--mac); fill-opacity: .6; }
.edge { stroke: var(--bg); stroke-width: .5; }
.waits { fill-opacity: .25; }
.span { fill: var(--soft); stroke: var(--line); }
.lane { fill: var(--soft); }
.box { fill: var(--soft); stroke: var(--line); }
.edgebox { fill: var(--line); }
.wire, .axis, .roof { fill: none; stroke: var(--dim); }
.grid { stroke: var(--line); stroke-width: .6; }
.roof { stroke: var(--text); stroke-width: 2; }
.spot { fill-opacity: .6; stroke: var(--bg); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px;
            margin-right: .4em; }
i.constant { opacity: .45; } i.kept, i.activation { opacity: .6; }
.stack { display: flex; height: 1.4rem; border-radius: 4px; overflow: hidden; max-width: 62rem; }
.advice { border-left: 4px solid var(--sdp); background: var(--soft); padding: .5rem .8rem; }
table { border-collapse: separate; border-spacing: 0; font-size: .86rem; }
th, td { text-align: left; padding: .22rem .45rem; border-bottom: 1px solid var(--line);
         white-space: nowrap; }
thead th { color: var(--dim); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; }
tfoot th, tfoot td { font-weight: 600; border-top: 2px solid var(--line); }
.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
.sort th:first-child { position: sticky; left: 0; background: var(--bg); }
.sort.live thead th { cursor: pointer; }
.sort.live thead th:hover { color: var(--text); }
.share { min-width: 4.5rem; position: relative; }
.share i { position: absolute; left: 0; bottom: 1px; height: 3px; border-radius: 2px; }
.tag { color: var(--bg); border-radius: 3px; padding: 0 .4em; font-size: .92em; }
.right { color: var(--right); } .wrong { color: var(--wrong); } .near { color: var(--near); }
summary { cursor: pointer; margin: .8rem 0 .4rem; }
.answer { display: flex; flex-wrap: wrap; gap: 1.2rem; align-items: flex-start; }
img { image-rendering: pixelated; border: 1px solid var(--line); border-radius: 4px; }
.bars { width: min(30rem, 88vw); } .bars th { font-weight: 500; }
.bar { width: 60%; padding-left: 0; }
.bar i { display: block; height: .8rem; border-radius: 2px; background: var(--mac); min-width: 1px; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .8rem; }
figure { margin: 0; font-size: .85rem; overflow-wrap: anywhere; }
figcaption { margin-top: .2rem; }
@media (max-width: 600px) { body { padding: .5rem .7rem 2rem; } }
@media print { body { max-width: none; font-size: 12px; } .tall { max-height: none; border: 0; }
  .scroll { overflow: visible; } svg { min-width: 0 !important; } #timeline, #memory, #roofline { break-inside: avoid; }
  h2 { break-after: avoid; } .sort th:first-child { position: static; } table { font-size: 9px; }
  th, td { padding: .1rem .25rem; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
</style>
)";

/// Tables are sorted by the head that is clicked. Without it they stay as they are.
constexpr std::string_view kScript = R"(<script>
for (const table of document.querySelectorAll("table.sort")) {
  table.classList.add("live");
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending";
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
    const order = (a, b) => {
      const x = value(a), y = value(b), numbers = !isNaN(x) && !isNaN(y);
      return (numbers ? x - y : x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
    };
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
  }));
}
</script>
)";

void card(std::string& out, const std::string& value, const std::string& what) {
    out += fmt::format("<li><b>{}</b><span>{}</span></li>\n", value, what);
}

std::string head_section(const ReportInput& input) {
    const Network& network = input.network;
    const OperatorCost sum = total(operator_costs(network, input.measured));
    const std::uint64_t cycles = input.measured != nullptr ? input.measured->cycles : sum.cycles;
    std::string out = fmt::format(
        "<h1>{} on {}</h1>\n<p class=\"dim\">{}. macrame {}{}</p>\n<ul "
        "class=\"cards\">\n",
        xml_escaped(network.title), xml_escaped(input.design.name),
        xml_escaped(input.design.family.size_text(input.design.config)), kVersion,
        input.machine.empty() ? "" : ", run on: " + xml_escaped(input.machine));
    card(out, number(cycles), input.measured != nullptr ? "cycles, measured" : "cycles, estimated");
    if (input.measured != nullptr) card(out, number(sum.cycles), "cycles, estimated");
    if (input.mhz != 0) {
        const double ms = static_cast<double>(cycles) / (1000.0 * input.mhz);
        card(out, fmt::format("{:.3f} ms", ms), fmt::format("at {} MHz", input.mhz));
    }
    const double possible = static_cast<double>(cycles) * input.network.compiled.macs_per_cycle;
    card(
        out,
        fmt::format("{:.1f} %", possible == 0 ? 0 : 100 * static_cast<double>(sum.macs) / possible),
        "of the MAC array used");
    card(out, number(sum.macs), "MAC");
    const Work work = work_of(network);
    if (work.of_hardware != work.multiply_adds)
        card(out,
             fmt::format("{:.1f} %", 100.0 * static_cast<double>(work.of_hardware) /
                                         static_cast<double>(work.multiply_adds)),
             "of the multiply-adds on the hardware");
    if (!work.host.empty())
        card(out, fmt::format("{:.3f} ms", work.host_milliseconds(input.host_mhz)),
             fmt::format("of the host, at {} MHz", input.host_mhz));
    card(out, report::bytes_text(sum.read_bytes + sum.write_bytes), "through the memory port");
    if (sum.channels != 0) card(out, sum.exactness(), "channels proved exact");
    if (input.accuracy.known > 1)
        card(out, fmt::format("{} of {}", input.accuracy.right, input.accuracy.known), "top-1");
    return out +
           fmt::format("</ul>\n<p id=\"exactness\">{}</p>\n", xml_escaped(exactness_text(network)));
}

}  // namespace

std::string html(const ReportInput& input) {
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} on "
        "{}</title>\n",
        xml_escaped(input.network.title), xml_escaped(input.design.name));
    out += kStyle;
    out += "</head>\n<body>\n<main>\n" + head_section(input);
    out += report::answer_section(input) + report::compared_section(input) +
           report::limit_section(input) + report::operator_section(input) +
           report::host_section(input) + report::timeline_section(input) +
           report::memory_section(input) + report::roofline_section(input) +
           report::graph_section(input) + report::count_section(input);
    out += "</main>\n";
    out += kScript;
    return out + "</body>\n</html>\n";
}

}  // namespace macrame::network
