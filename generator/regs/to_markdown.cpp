#include "regs/field_text.hpp"
#include "regs/text.hpp"
#include "regs/to_docs.hpp"
#include "verif/common/text.hpp"

namespace macrame::regs {
namespace {

void markdown_section(std::string& out, const RegisterMap& map) {
    line(out, "");
    line(out, "## {} at {:#07x}", map.unit, *map.base);
    line(out, "");
    line(out, "{}.", map.doc);
    if (map.grouped()) {
        line(out, "Registers from {:#05x} on exist once per group.", map.boundary());
    }
    line(out, "");
    line(out, "| offset | register | bits | field | access | reset | meaning |");
    line(out, "|---|---|---|---|---|---|---|");
    for (const Register& reg : map.registers) {
        std::string head = fmt::format("| {:#05x} | {} |", reg.offset, reg.name);
        for (const Field& field : reg.fields) {
            line(out, "{} {} | {} | {} | {:#x} | {}{}{} |", head, bits_of(field), field.name,
                 access_of(field), field.reset, field.doc, field.values.empty() ? "" : ": ",
                 codes(field));
            head = "| | |";
        }
    }
}

}  // namespace

std::string to_markdown(const RegisterSet& set, std::string_view variant) {
    const std::vector<RegisterMap> maps = set.present(variant);
    std::string out;
    line(out, "# Registers");
    line(out, "");
    const std::string intro = fmt::format(
        "Byte address = base of the unit + offset. Bits that are not listed read 0. {}{}Besides "
        "access, a role in hardware is named: status (live), counter (of the last layer of the "
        "group), trigger (a write has an effect).",
        set.notes, set.notes.empty() ? "" : " ");
    for (const std::string& text : verif::text::wrap(intro, 96))
        line(out, "{}", text);
    line(out, "");
    line(out, "| base | unit | |");
    line(out, "|---|---|---|");
    for (const RegisterMap& map : maps)
        line(out, "| {:#07x} | {} | {} |", *map.base, map.unit, map.doc);
    for (const RegisterMap& map : maps)
        markdown_section(out, map);
    return out;
}

}  // namespace macrame::regs
