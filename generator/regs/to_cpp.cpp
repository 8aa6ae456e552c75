#include "to_cpp.hpp"

#include "regs/text.hpp"

namespace macrame::regs {
namespace {

constexpr std::string_view kTypes = R"(
enum class MapVersion { later, v1 };
enum class Access { rw, ro, wo, w1c, mixed };
enum class Hw { plain, status, counter, constant, cleared_by_hw, trigger, trigger_readback };

/// One register of one unit.
struct RegisterInfo {
    std::string_view unit;     ///< "CDMA"
    std::string_view name;     ///< "D_BANK"
    std::uint32_t offset;      ///< bytes from the start of the unit's page
    std::uint32_t address;     ///< byte address
    std::uint32_t reset;       ///< value after reset
    std::uint32_t write_mask;  ///< bits that a write stores
    std::uint32_t w1c_mask;    ///< bits that writing 1 clears
    std::uint32_t read_mask;   ///< bits that can read as 1
    std::uint32_t hw_mask;     ///< bits whose read value hardware owns (status, counters, tables)
    bool grouped;              ///< exists once per register group
    Access access;
    Hw hw;
};

/// The registers of one unit: `count` rows of the table from `first` on.
struct UnitInfo {
    std::string_view name;
    std::uint32_t base;      ///< byte address of the page
    std::uint32_t boundary;  ///< offset of D_OP_ENABLE, 0x1000 without register groups
    std::size_t first, count;
};
)";

constexpr std::string_view kLookup = R"(
/// All registers of a map version.
struct RegisterTable {
    const RegisterInfo* registers;
    std::size_t register_count;
    const UnitInfo* units;
    std::size_t unit_count;

    /// By name: "NVDLA_CDMA.D_BANK_0" as in traces, or "CDMA.D_BANK". Null if there is none.
    const RegisterInfo* find(std::string_view name) const {
        constexpr std::string_view prefix = "NVDLA_";
        const bool traced = name.substr(0, prefix.size()) == prefix;
        if (traced) name.remove_prefix(prefix.size());
        if (traced && name.size() > 2 && name.substr(name.size() - 2) == "_0") {
            name.remove_suffix(2);
        }
        const std::size_t dot = name.find('.');
        if (dot == std::string_view::npos) return nullptr;
        const UnitInfo* info = unit(name.substr(0, dot));
        if (info == nullptr) return nullptr;
        for (std::size_t i = info->first; i < info->first + info->count; ++i) {
            if (registers[i].name == name.substr(dot + 1)) return &registers[i];
        }
        return nullptr;
    }
    /// By byte address. Null if there is no register.
    const RegisterInfo* find(std::uint32_t address) const {
        for (std::size_t i = 0; i < register_count; ++i) {
            if (registers[i].address == address) return &registers[i];
        }
        return nullptr;
    }
    /// By unit name, "CDMA". Null if there is none. The traces call RUBIK also RBK.
    const UnitInfo* unit(std::string_view name) const {
        if (name == "RBK") name = "RUBIK";
        for (std::size_t i = 0; i < unit_count; ++i) {
            if (units[i].name == name) return &units[i];
        }
        return nullptr;
    }
};

/// The table of a map version.
inline RegisterTable table(MapVersion version = MapVersion::later) {
    if (version == MapVersion::v1) {
        return {kRegistersV1, std::size(kRegistersV1), kUnitsV1, std::size(kUnitsV1)};
    }
    return {kRegisters, std::size(kRegisters), kUnits, std::size(kUnits)};
}
)";

std::uint32_t mask_of(const Register& reg, bool (*want)(const Field&)) {
    std::uint32_t mask = 0;
    for (const Field& field : reg.fields) {
        if (want(field)) mask |= field.mask();
    }
    return mask;
}

void write_struct(std::string& out, const RegisterMap& map, const Register& reg) {
    const std::string name(reg.name);
    line(out, "struct " + name + " {");
    line(out, "    static constexpr std::uint32_t kOffset = " + hex(reg.offset, 3) + ";");
    line(out, "    static constexpr std::uint32_t kAddress = " +
                  hex(map.base.value_or(0) + reg.offset, 5) + ";");
    line(out, "    static constexpr std::uint32_t kReset = " + hex(reg.reset()) + ";");
    line(out, "    static constexpr std::uint32_t kWriteMask = " + hex(reg.write_mask()) + ";");
    line(out, "    std::uint32_t raw = kReset;");
    line(out, "    constexpr " + name + "() = default;");
    line(out, "    explicit constexpr " + name + "(std::uint32_t value) : raw(value) {}");
    for (const Field& field : reg.fields) {
        const std::string field_name(field.name);
        const std::string lsb = std::to_string(field.lsb);
        const std::string ones = hex(field.mask() >> field.lsb) + "u";
        for (const std::string& text : wrap(field.doc, 90))
            line(out, "    /// " + text);
        line(out, "    constexpr std::uint32_t " + field_name + "() const { return (raw >> " + lsb +
                      ") & " + ones + "; }");
        line(out, "    constexpr " + name + "& " + field_name + "(std::uint32_t value) {");
        line(out, "        raw = (raw & ~" + hex(field.mask()) + "u) | ((value & " + ones +
                      ") << " + lsb + ");");
        line(out, "        return *this;");
        line(out, "    }");
    }
    line(out, "};");
}

void write_namespace(std::string& out, const RegisterMap& map) {
    line(out, "");
    line(out, "/// " + std::string(map.unit) + ": " + std::string(map.doc) + ".");
    line(out, "namespace " + lower(map.unit) + " {");
    line(out, "");
    line(out, "constexpr std::uint32_t kBase = " + hex(map.base.value_or(0)) + ";");
    for (const Register& reg : map.registers) {
        if (reg.hw() == Hw::constant) continue;
        line(out, "");
        write_struct(out, map, reg);
    }
    line(out, "");
    line(out, "}  // namespace " + lower(map.unit));
}

void write_row(std::string& out, const RegisterMap& map, const Register& reg, std::uint32_t base) {
    const std::uint32_t w1c = mask_of(reg, [](const Field& f) { return f.access == Access::w1c; });
    const std::uint32_t read = mask_of(reg, [](const Field& f) { return f.access != Access::wo; });
    const std::uint32_t owned = mask_of(reg, [](const Field& f) {
        return f.hw == Hw::status || f.hw == Hw::counter || f.hw == Hw::cleared_by_hw ||
               f.hw == Hw::trigger_readback;
    });
    line(out, "    {\"" + std::string(map.unit) + "\", \"" + std::string(reg.name) + "\", " +
                  hex(reg.offset, 3) + ", " + hex(base + reg.offset, 5) + ", " + hex(reg.reset()) +
                  ",");
    line(out, "     " + hex(reg.write_mask()) + ", " + hex(w1c) + ", " + hex(read) + ", " +
                  hex(owned) + ", " + (reg.kind == Kind::pingpong ? "true" : "false") +
                  ", Access::" + std::string(reg.access()) +
                  ", Hw::" + std::string(to_string(reg.hw())) + "},");
}

void write_tables(std::string& out, const std::vector<const RegisterMap*>& maps,
                  MapVersion version) {
    const std::string suffix = version == MapVersion::v1 ? "V1" : "";
    std::string units;
    std::size_t first = 0;
    line(out, "");
    line(out, "inline constexpr RegisterInfo kRegisters" + suffix + "[] = {");
    for (const RegisterMap* entry : maps) {
        const auto base = base_of(*entry, version);
        if (!base) continue;
        const RegisterMap map = in_version(*entry, version);
        for (const Register& reg : map.registers)
            write_row(out, map, reg, *base);
        line(units, "    {\"" + std::string(map.unit) + "\", " + hex(*base, 5) + ", " +
                        hex(map.boundary(), 4) + ", " + std::to_string(first) + ", " +
                        std::to_string(map.registers.size()) + "},");
        first += map.registers.size();
    }
    line(out, "};");
    line(out, "");
    line(out, "inline constexpr UnitInfo kUnits" + suffix + "[] = {");
    out += units;
    line(out, "};");
}

}  // namespace

std::string to_cpp(const std::vector<const RegisterMap*>& maps, std::string_view family) {
    std::string out;
    line(out, "#pragma once");
    line(out, "/// Registers of the " + std::string(family) + " family: accessors and tables.");
    line(out, "/// Generated from the register description; do not edit.");
    line(out, "///");
    line(out, "///     " + std::string(family) + "_regs::cdma::D_BANK bank;");
    line(out, "///     bank.DATA_BANK(3).WEIGHT_BANK(1);  write(bank.kAddress, bank.raw);");
    line(out, "");
    line(out, "#include <cstddef>");
    line(out, "#include <cstdint>");
    line(out, "#include <iterator>");
    line(out, "#include <string_view>");
    line(out, "");
    line(out, "namespace " + std::string(family) + "_regs {");
    out += kTypes;
    for (const RegisterMap* map : maps) {
        if (map->base) write_namespace(out, *map);
    }
    write_tables(out, maps, MapVersion::later);
    write_tables(out, maps, MapVersion::v1);
    out += kLookup;
    line(out, "");
    line(out, "}  // namespace " + std::string(family) + "_regs");
    return out;
}

}  // namespace macrame::regs
