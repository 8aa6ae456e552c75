#include "families/tcu/page.hpp"

#include <fmt/format.h>

#include "regs/text.hpp"
#include "text/xml.hpp"
#include "verif/common/text.hpp"

namespace macrame::tcu {

namespace {

using regs::line;

constexpr std::size_t kColumns = 96;

constexpr std::string_view kStyle = R"(<style>
body { margin: 0 auto; padding: 1rem 2rem 4rem; max-width: 64rem; color: #1c222b;
       font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
h2 { margin-top: 2.5rem; border-bottom: 2px solid #b8bec8; padding-bottom: .2rem; }
table { border-collapse: collapse; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0;
         border-bottom: 1px solid #e1e5ea; }
th { color: #667080; }
.bits { display: flex; margin: .4rem 0 .9rem; text-align: center; font-size: 12px; }
.bits span { border: 1px solid #b8bec8; margin-left: -1px; padding: 3px 1px; overflow: hidden;
             background: #e8f0fb; min-width: 2.6rem; flex-basis: 0; }
.bits span.none { background: #f3f5f8; }
.bits small { display: block; color: #667080; }
@media print { h2, .bits, tr { break-inside: avoid; } }
</style>
)";

std::string row(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells)
        out += fmt::format(" {} |", cell);
    return out;
}

void add_text(std::string& out, const std::string& text) {
    if (text.empty()) return;
    line(out, "");
    for (const std::string& part : verif::text::wrap(text, kColumns))
        line(out, "{}", part);
}

/// Backticks become code.
std::string html(const std::string& text) {
    std::string out;
    bool code = false;
    for (const char c : text::xml_escaped(text)) {
        if (c != '`') {
            out += c;
            continue;
        }
        code = !code;
        out += code ? "<code>" : "</code>";
    }
    return out;
}

/// The highest bit on the left.
void add_picture(std::string& out, const std::vector<BitField>& fields) {
    line(out, "<div class=\"bits\">");
    for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
        const int msb = field->lsb + field->bits - 1;
        const std::string range =
            field->bits == 1 ? fmt::to_string(msb) : fmt::format("{}:{}", msb, field->lsb);
        line(out, "<span style=\"flex-grow: {}\"{}>{}<small>{}</small></span>", field->bits,
             field->name.empty() ? " class=\"none\"" : "", html(field->name), range);
    }
    line(out, "</div>");
}

void add_cells(std::string& out, const std::vector<std::string>& cells, std::string_view tag) {
    std::string text;
    for (const std::string& cell : cells)
        text += fmt::format("<{0}>{1}</{0}>", tag, html(cell));
    line(out, "<tr>{}</tr>", text);
}

}  // namespace

std::string to_markdown(const Page& page) {
    std::string out = fmt::format("# {}\n", page.title);
    add_text(out, page.text);
    for (const Section& section : page.sections) {
        line(out, "\n## {}", section.heading);
        add_text(out, section.text);
        if (section.rows.empty()) continue;
        line(out, "\n{}", row(section.head));
        line(out, "{}", row(std::vector<std::string>(section.head.size(), "---")));
        for (const auto& cells : section.rows)
            line(out, "{}", row(cells));
    }
    return out;
}

std::string to_html(const Page& page) {
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n";
    line(out, "<title>{}</title>", html(page.title));
    out += kStyle;
    line(out, "</head>\n<body>\n<h1>{}</h1>\n<p>{}</p>", html(page.title), html(page.text));
    for (const Section& section : page.sections) {
        line(out, "<h2>{}</h2>", html(section.heading));
        if (!section.text.empty()) line(out, "<p>{}</p>", html(section.text));
        if (!section.picture.empty()) add_picture(out, section.picture);
        if (section.rows.empty()) continue;
        line(out, "<table>");
        add_cells(out, section.head, "th");
        for (const auto& cells : section.rows)
            add_cells(out, cells, "td");
        line(out, "</table>");
    }
    line(out, "</body>\n</html>");
    return out;
}

}  // namespace macrame::tcu
