#include "regs/to_ipxact.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace macrame::regs {
namespace {

constexpr std::uint32_t kPage = 0x1000;

std::string_view ipxact_access(Access access) {
    switch (access) {
        case Access::ro:
            return "read-only";
        case Access::wo:
            return "write-only";
        case Access::rw:
        case Access::w1c:
            break;
    }
    return "read-write";
}

/// Status, counters and what hardware clears change without a write.
bool changes_alone(const Field& field) {
    return field.hw != Hw::plain && field.hw != Hw::constant && field.hw != Hw::trigger;
}

void field_of(const Field& field, text::Xml& xml) {
    xml.open("field");
    xml.leaf("name", field.name);
    if (!field.doc.empty()) xml.leaf("description", field.doc);
    xml.leaf("bitOffset", fmt::format("{}", field.lsb));
    xml.open("resets");
    xml.open("reset");
    xml.leaf("value", fmt::format("{}", field.reset));
    xml.close();
    xml.close();
    xml.leaf("bitWidth", fmt::format("{}", field.width()));
    if (changes_alone(field)) xml.leaf("volatile", "true");
    xml.leaf("access", ipxact_access(field.access));
    if (!field.values.empty()) {
        xml.open("enumeratedValues");
        for (std::size_t i = 0; i < field.values.size(); ++i) {
            xml.open("enumeratedValue");
            xml.leaf("name", field.values[i]);
            xml.leaf("value", fmt::format("{}", i));
            xml.close();
        }
        xml.close();
    }
    if (field.access == Access::w1c) xml.leaf("modifiedWriteValue", "oneToClear");
    xml.close();
}

void unit_of(const RegisterMap& map, text::Xml& xml) {
    xml.open("addressBlock");
    xml.leaf("name", map.unit);
    xml.leaf("description", map.doc);
    xml.leaf("baseAddress", fmt::format("'h{:X}", *map.base));
    xml.leaf("range", fmt::format("'h{:X}", kPage));
    xml.leaf("width", "32");
    xml.leaf("usage", "register");
    for (const Register& reg : map.registers) {
        xml.open("register");
        xml.leaf("name", reg.name);
        if (reg.kind == Kind::pingpong) {
            xml.leaf("description", "exists once per register group");
        }
        xml.leaf("addressOffset", fmt::format("'h{:X}", reg.offset));
        xml.leaf("size", "32");
        for (const Field& field : reg.fields)
            field_of(field, xml);
        xml.close();
    }
    xml.close();
}

}  // namespace

void to_ipxact(const RegisterSet& set, text::Xml& xml) {
    std::vector<RegisterMap> maps = set.present();
    if (maps.empty()) return;
    std::sort(maps.begin(), maps.end(),
              [](const RegisterMap& a, const RegisterMap& b) { return *a.base < *b.base; });
    xml.open("memoryMaps");
    xml.open("memoryMap");
    xml.leaf("name", kMemoryMap);
    for (const RegisterMap& map : maps)
        unit_of(map, xml);
    xml.leaf("addressUnitBits", "8");
    xml.close();
    xml.close();
}

}  // namespace macrame::regs
