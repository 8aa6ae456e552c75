#include <algorithm>

#include "regs/field_text.hpp"
#include "regs/text.hpp"
#include "regs/to_docs.hpp"
#include "text/xml.hpp"

namespace macrame::regs {
namespace {

/// Layout of the page; it loads nothing.
constexpr std::string_view kStyle = R"(<style>
:root { --line: #b8bec8; --soft: #f3f5f8; --text: #1c222b; --dim: #667080; --link: #0b57b0; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
       color: var(--text); display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .92em; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem;
      background: var(--soft); border-right: 1px solid var(--line); font-size: 13px; }
nav summary { cursor: pointer; padding: .15rem 0; font-weight: 600; }
nav ul { list-style: none; margin: 0 0 .4rem; padding-left: 1rem; }
main { padding: 1rem 2rem 4rem; max-width: 68rem; }
h2 { margin-top: 3rem; border-bottom: 2px solid var(--line); padding-bottom: .2rem; }
h3 { margin: 2.2rem 0 .4rem; font-size: 1.05rem; }
.dim { color: var(--dim); font-weight: 400; }
.bits { display: grid; grid-template-columns: repeat(32, minmax(0, 1fr)); max-width: 62rem;
        font-size: 11px; text-align: center; margin: .4rem 0 .7rem; }
.bits i { font-style: normal; color: var(--dim); grid-row: 1; }
.bits a, .bits s { grid-row: 2; border: 1px solid var(--line); margin-left: -1px;
                   min-height: 2.1rem; display: flex; align-items: center;
                   justify-content: center; padding: 4px 1px; overflow: hidden; }
.bits s { background: var(--soft); text-decoration: none; }
.bits .up { writing-mode: vertical-rl; transform: rotate(180deg); }
.ro { background: #e9f3ea; } .rw { background: #e8f0fb; }
.wo { background: #fbf1e0; } .w1c { background: #f7e6ee; }
table { border-collapse: collapse; width: 100%; max-width: 62rem; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem;
         border-bottom: 1px solid #e1e5ea; }
th { color: var(--dim); font-weight: 600; }
.fields th:nth-child(1) { width: 4.2rem; } .fields th:nth-child(2) { width: 15rem; }
.fields th:nth-child(3) { width: 9rem; } .fields th:nth-child(4) { width: 7rem; }
td ol { margin: .2rem 0 0; padding: 0; list-style: none; columns: 2; font-size: 13px; }
@media print { body { display: block; } nav { display: none; } h3, .bits { break-inside: avoid; } }
</style>
)";

/// Anchor of a register or field.
std::string anchor(const RegisterMap& map, const Register& reg) {
    return fmt::format("{}.{}", map.unit, reg.name);
}
std::string anchor(const RegisterMap& map, const Register& reg, const Field& field) {
    return fmt::format("{}.{}.{}", map.unit, reg.name, field.name);
}

/// Columns of a picture count from bit 31 on the left.
std::string place(int msb, int lsb) {
    return fmt::format("grid-column: {} / span {}", 32 - msb, msb - lsb + 1);
}

/// A name stands upright if it does not fit its bits: about 4 letters per bit.
bool fits(const Field& field) {
    return static_cast<int>(field.name.size()) <= 4 * field.width() - 1;
}

std::vector<const Field*> from_the_left(const Register& reg) {
    std::vector<const Field*> fields;
    for (const Field& field : reg.fields)
        fields.push_back(&field);
    std::sort(fields.begin(), fields.end(),
              [](const Field* a, const Field* b) { return a->msb > b->msb; });
    return fields;
}

/// The 32 bits of a register, bit 31 on the left; each field leads to its row of the table.
void picture(std::string& out, const RegisterMap& map, const Register& reg) {
    const auto number = [&](int bit) { line(out, "<i style=\"{}\">{}</i>", place(bit, bit), bit); };
    const auto gap = [&](int msb, int lsb) {
        if (msb < lsb) return;
        number(msb);
        if (lsb != msb) number(lsb);
        line(out, "<s style=\"{}\"></s>", place(msb, lsb));
    };
    line(out, "<div class=\"bits mono\">");
    int next = 31;
    for (const Field* field : from_the_left(reg)) {
        gap(next, field->msb + 1);
        number(field->msb);
        if (field->width() > 1) number(field->lsb);
        line(out, "<a class=\"{}\" style=\"{}\" href=\"#{}\"><span{}>{}</span></a>",
             to_string(field->access), place(field->msb, field->lsb), anchor(map, reg, *field),
             fits(*field) ? "" : " class=\"up\"", field->name);
        next = field->lsb - 1;
    }
    gap(next, 0);
    line(out, "</div>");
}

void field_table(std::string& out, const RegisterMap& map, const Register& reg) {
    line(out,
         "<table class=\"fields\"><tr><th>bits</th><th>field</th><th>access</th><th>reset</th>"
         "<th>meaning</th></tr>");
    for (const Field* field : from_the_left(reg)) {
        std::string meaning = text::xml_escaped(field->doc);
        if (!field->values.empty()) {
            meaning += "<ol class=\"mono\">";
            for (std::size_t i = 0; i < field->values.size(); ++i)
                meaning += fmt::format("<li>{} {}</li>", i, text::xml_escaped(field->values[i]));
            meaning += "</ol>";
        }
        line(out,
             "<tr id=\"{}\"><td class=\"mono\">{}</td><td class=\"mono\">{}</td><td>{}</td>"
             "<td class=\"mono\">{:#x}</td><td>{}</td></tr>",
             anchor(map, reg, *field), bits_of(*field), field->name, access_of(*field),
             field->reset, meaning);
    }
    line(out, "</table>");
}

void html_section(std::string& out, const RegisterMap& map) {
    line(out, "<h2 id=\"{0}\">{0} <span class=\"dim\">at <code>{1:#07x}</code></span></h2>",
         map.unit, *map.base);
    line(out, "<p>{}.</p>", text::xml_escaped(map.doc));
    for (const Register& reg : map.registers) {
        line(out,
             "<h3 id=\"{}\">{} <span class=\"dim\">offset <code>{:#05x}</code>, address "
             "<code>{:#07x}</code>, reset <code>{:#010x}</code>{}</span></h3>",
             anchor(map, reg), reg.name, reg.offset, *map.base + reg.offset, reg.reset(),
             reg.kind == Kind::pingpong ? ", one per register group" : "");
        picture(out, map, reg);
        field_table(out, map, reg);
    }
}

void contents(std::string& out, const std::vector<RegisterMap>& maps) {
    line(out, "<nav>");
    for (const RegisterMap& map : maps) {
        line(out,
             "<details><summary><a href=\"#{0}\">{0}</a> <code class=\"dim\">{1:#07x}</code>"
             "</summary><ul>",
             map.unit, *map.base);
        for (const Register& reg : map.registers) {
            line(out, "<li><code class=\"dim\">{:03x}</code> <a href=\"#{}\">{}</a></li>",
                 reg.offset, anchor(map, reg), reg.name);
        }
        line(out, "</ul></details>");
    }
    line(out, "</nav>");
}

}  // namespace

std::string to_html(const RegisterSet& set, std::string_view variant) {
    const std::vector<RegisterMap> maps = set.present(variant);
    std::string out;
    line(out, "<!DOCTYPE html>");
    line(out, "<html lang=\"en\">");
    line(out, "<head>");
    line(out, "<meta charset=\"utf-8\">");
    line(out, "<meta name=\"viewport\" content=\"width=device-width\">");
    line(out, "<title>Registers of {}</title>", set.family);
    out += kStyle;
    line(out, "</head>");
    line(out, "<body>");
    contents(out, maps);
    line(out, "<main>");
    line(out, "<h1>Registers of {}</h1>", set.family);
    line(out,
         "<p>Addresses are in bytes: base of the unit + offset. Grey bits read 0. {} Roles in "
         "hardware: status (live), counter (of the last layer of the group), trigger (a write has "
         "an effect).</p>",
         text::xml_escaped(set.notes));
    line(out,
         "<p class=\"mono\"><span class=\"rw\">&nbsp;rw read and write&nbsp;</span> "
         "<span class=\"ro\">&nbsp;ro read&nbsp;</span> "
         "<span class=\"wo\">&nbsp;wo write&nbsp;</span> "
         "<span class=\"w1c\">&nbsp;w1c writing 1 clears&nbsp;</span></p>");
    line(out, "<table><tr><th>base</th><th>unit</th><th></th></tr>");
    for (const RegisterMap& map : maps) {
        line(out,
             "<tr><td class=\"mono\">{0:#07x}</td><td><a href=\"#{1}\">{1}</a></td>"
             "<td>{2}</td></tr>",
             *map.base, map.unit, text::xml_escaped(map.doc));
    }
    line(out, "</table>");
    for (const RegisterMap& map : maps)
        html_section(out, map);
    line(out, "</main>");
    line(out, "</body>");
    line(out, "</html>");
    return out;
}

}  // namespace macrame::regs
