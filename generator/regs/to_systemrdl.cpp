#include <algorithm>

#include "regs/text.hpp"
#include "regs/to_docs.hpp"

namespace macrame::regs {
namespace {

/// A string of the language.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string_view systemrdl_access(Access access) {
    switch (access) {
        case Access::ro:
            return "sw = r";
        case Access::wo:
            return "sw = w";
        case Access::w1c:
            return "sw = rw; onwrite = woclr";
        case Access::rw:
            break;
    }
    return "sw = rw";
}

std::string_view hardware_access(const Field& field) {
    switch (field.hw) {
        case Hw::plain:
            break;
        case Hw::status:
        case Hw::counter:
            return "hw = w";
        case Hw::constant:
            return "hw = na";
        case Hw::cleared_by_hw:
            return "hw = rw; hwclr";
        case Hw::trigger:
            return "hw = r; swmod";
        case Hw::trigger_readback:
            return "hw = rw; swmod";
    }
    if (field.access == Access::w1c) return "hw = rw; hwset";
    return field.access == Access::ro ? "hw = w" : "hw = r";
}

/// The codes of a field as an enumeration. An element must begin with a letter.
void enumeration(std::string& out, const Field& field) {
    line(out, "            enum {}_codes {{", field.name);
    for (std::size_t i = 0; i < field.values.size(); ++i) {
        const std::string_view value = field.values[i];
        const bool digit = !value.empty() && value.front() >= '0' && value.front() <= '9';
        line(out, "                {}{} = {};", digit ? "_" : "", value, i);
    }
    line(out, "            }};");
}

void field_of(std::string& out, const Field& field) {
    if (!field.values.empty()) enumeration(out, field);
    line(out, "            field {{");
    if (!field.doc.empty()) line(out, "                desc = {};", quoted(field.doc));
    line(out, "                {}; {};", systemrdl_access(field.access), hardware_access(field));
    if (!field.values.empty()) line(out, "                encode = {}_codes;", field.name);
    line(out, "            }} {}[{}:{}] = {}'h{:x};", field.name, field.msb, field.lsb,
         field.width(), field.reset);
}

void unit_of(std::string& out, const RegisterMap& map) {
    line(out, "");
    line(out, "    addrmap {{");
    line(out, "        name = {};", quoted(map.unit));
    line(out, "        desc = {};", quoted(map.doc));
    for (const Register& reg : map.registers) {
        line(out, "        reg {{");
        if (reg.kind == Kind::pingpong) {
            line(out, "            desc = \"exists once per register group\";");
        }
        for (const Field& field : reg.fields)
            field_of(out, field);
        line(out, "        }} {} @ {:#x};", reg.name, reg.offset);
    }
    line(out, "    }} {} @ {:#x};", map.unit, *map.base);
}

}  // namespace

std::string to_systemrdl(const RegisterSet& set, std::string_view variant) {
    std::vector<RegisterMap> maps = set.present(variant);
    std::sort(maps.begin(), maps.end(),
              [](const RegisterMap& a, const RegisterMap& b) { return *a.base < *b.base; });
    std::string out;
    line(out, "// Registers as SystemRDL 2.0. Addresses are in bytes.");
    line(out, "addrmap {} {{", set.family);
    if (!set.notes.empty()) line(out, "    desc = {};", quoted(set.notes));
    line(out, "    default regwidth = 32;");
    for (const RegisterMap& map : maps)
        unit_of(out, map);
    line(out, "}};");
    return out;
}

}  // namespace macrame::regs
