#include "to_cpp.hpp"

#include <fmt/ranges.h>

#include "regs/text.hpp"
#include "verif/common/text.hpp"

namespace macrame::regs {
namespace {

constexpr std::string_view kTypes = R"(
enum class Access { rw, ro, wo, w1c, mixed };
enum class Hw { plain, status, counter, constant, cleared_by_hw, trigger, trigger_readback };

/// One register of one unit.
struct RegisterInfo {
    std::string_view unit;     ///< in capitals
    std::string_view name;     ///< without the unit
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

/// A field of a register that a write stores.
struct FieldInfo {
    std::uint32_t address;  ///< byte address of the register
    std::string_view name;
    int lsb, bits;
};

/// The registers of one unit: `count` rows of the table from `first` on.
struct UnitInfo {
    std::string_view name;
    std::uint32_t base;      ///< byte address of the page
    std::uint32_t boundary;  ///< registers from here on exist per group; 0x1000: none
    std::size_t first, count;
};
)";

constexpr std::string_view kLookup = R"(
/// All registers of the map or of a variant of it.
struct RegisterTable {
    const RegisterInfo* registers;
    std::size_t register_count;
    const UnitInfo* units;
    std::size_t unit_count;
    const FieldInfo* fields;  ///< in the order of the registers
    std::size_t field_count;

    /// By name: "<unit>.<register>", also with kPrefix and kSuffix around it. Null if there is none.
    const RegisterInfo* find(std::string_view name) const {
        if (name.substr(0, kPrefix.size()) == kPrefix) {
            name.remove_prefix(kPrefix.size());
            if (name.size() > kSuffix.size() &&
                name.substr(name.size() - kSuffix.size()) == kSuffix) {
                name.remove_suffix(kSuffix.size());
            }
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
    /// By unit name in capitals. Null if there is none.
    const UnitInfo* unit(std::string_view name) const {
        for (std::size_t i = 0; i < unit_count; ++i) {
            if (units[i].name == name) return &units[i];
        }
        return nullptr;
    }
};
)";

std::uint32_t mask_of(const Register& reg, bool (*want)(const Field&)) {
    std::uint32_t mask = 0;
    for (const Field& field : reg.fields) {
        if (want(field)) mask |= field.mask();
    }
    return mask;
}

void write_field(std::string& out, std::string_view reg, const Field& field) {
    const std::uint32_t ones = field.mask() >> field.lsb;
    for (const std::string& text : verif::text::wrap(field.doc, 90))
        line(out, "    /// {}", text);
    // No member may have the name of its struct.
    const std::string_view name = field.name == reg ? "VALUE" : field.name;
    line(out, "    constexpr std::uint32_t {}() const {{ return (raw >> {}) & {:#x}u; }}", name,
         field.lsb, ones);
    line(out, "    constexpr {}& {}(std::uint32_t value) {{", reg, name);
    line(out, "        raw = (raw & ~{:#x}u) | ((value & {:#x}u) << {});", field.mask(), ones,
         field.lsb);
    line(out, "        return *this;");
    line(out, "    }}");
}

void write_struct(std::string& out, const RegisterMap& map, const Register& reg) {
    line(out, "struct {} {{", reg.name);
    line(out, "    static constexpr std::uint32_t kOffset = {:#05x};", reg.offset);
    line(out, "    static constexpr std::uint32_t kAddress = {:#07x};", *map.base + reg.offset);
    line(out, "    static constexpr std::uint32_t kReset = {:#x};", reg.reset());
    line(out, "    static constexpr std::uint32_t kWriteMask = {:#x};", reg.write_mask());
    line(out, "    std::uint32_t raw = kReset;");
    line(out, "    constexpr {}() = default;", reg.name);
    line(out, "    explicit constexpr {}(std::uint32_t value) : raw(value) {{}}", reg.name);
    for (const Field& field : reg.fields)
        write_field(out, reg.name, field);
    line(out, "}};");
}

void write_namespace(std::string& out, const RegisterMap& map) {
    line(out, "");
    line(out, "/// {}: {}.", map.unit, map.doc);
    line(out, "namespace {} {{", lower(map.unit));
    line(out, "");
    line(out, "constexpr std::uint32_t kBase = {:#x};", *map.base);
    for (const Register& reg : map.registers) {
        if (reg.hw() == Hw::constant) continue;
        line(out, "");
        write_struct(out, map, reg);
    }
    line(out, "");
    line(out, "}}  // namespace {}", lower(map.unit));
}

void write_row(std::string& out, const RegisterMap& map, const Register& reg) {
    const std::uint32_t w1c = mask_of(reg, [](const Field& f) { return f.access == Access::w1c; });
    const std::uint32_t read = mask_of(reg, [](const Field& f) { return f.access != Access::wo; });
    const std::uint32_t owned = mask_of(reg, [](const Field& f) {
        return f.hw == Hw::status || f.hw == Hw::counter || f.hw == Hw::cleared_by_hw ||
               f.hw == Hw::trigger_readback;
    });
    line(out, "    {{\"{}\", \"{}\", {:#05x}, {:#07x}, {:#x},", map.unit, reg.name, reg.offset,
         *map.base + reg.offset, reg.reset());
    line(out, "     {:#x}, {:#x}, {:#x}, {:#x}, {}, Access::{}, Hw::{}}},", reg.write_mask(), w1c,
         read, owned, reg.kind == Kind::pingpong, reg.access(), to_string(reg.hw()));
}

void write_fields(std::string& out, const RegisterMap& map, const Register& reg) {
    for (const Field& field : reg.fields) {
        if ((field.mask() & reg.write_mask()) == 0) continue;
        line(out, "    {{{:#07x}, \"{}\", {}, {}}},", *map.base + reg.offset, field.name, field.lsb,
             field.width());
    }
}

void write_tables(std::string& out, const RegisterSet& set, std::string_view variant) {
    const std::string suffix = upper(variant);
    std::string units, fields;
    std::size_t first = 0;
    line(out, "");
    line(out, "inline constexpr RegisterInfo kRegisters{}[] = {{", suffix);
    for (const RegisterMap& map : set.present(variant)) {
        for (const Register& reg : map.registers) {
            write_row(out, map, reg);
            write_fields(fields, map, reg);
        }
        line(units, "    {{\"{}\", {:#07x}, {:#06x}, {}, {}}},", map.unit, *map.base,
             map.boundary(), first, map.registers.size());
        first += map.registers.size();
    }
    line(out, "}};");
    line(out, "");
    line(out, "inline constexpr UnitInfo kUnits{}[] = {{", suffix);
    out += units;
    line(out, "}};");
    line(out, "");
    line(out, "inline constexpr FieldInfo kFields{}[] = {{", suffix);
    out += fields;
    line(out, "}};");
}

/// The function that chooses a table.
void write_choice(std::string& out, const RegisterSet& set) {
    constexpr const char* kTable =
        "{{kRegisters{0}, std::size(kRegisters{0}), kUnits{0}, std::size(kUnits{0}), "
        "kFields{0}, std::size(kFields{0})}};";
    line(out, "");
    if (set.variants.empty()) {
        line(out, "/// The table of all registers.");
        line(out, "inline RegisterTable table() {{");
    } else {
        line(out, "/// The table of the map, or of a variant of it: \"{}\".",
             fmt::join(set.variants, "\", \""));
        line(out, "inline RegisterTable table(std::string_view variant = {{}}) {{");
    }
    for (const std::string_view variant : set.variants) {
        line(out, "    if (variant == \"{}\")", variant);
        line(out, "        return {}", fmt::format(kTable, upper(variant)));
    }
    line(out, "    return {}", fmt::format(kTable, ""));
    line(out, "}}");
}

}  // namespace

std::string to_cpp(const RegisterSet& set, std::string_view before) {
    const std::string space = fmt::format("{}{}_regs", before, set.family);
    std::string out;
    line(out, "#pragma once");
    line(out, "/// Registers of the {} family: accessors and tables.", set.family);
    line(out, "/// Generated from the register description; do not edit. Use of a register:");
    line(out, "///");
    line(out, "///     {}::unit::REGISTER reg;", space);
    line(out, "///     reg.FIELD(3).OTHER_FIELD(1);  write(reg.kAddress, reg.raw);");
    line(out, "");
    line(out, "#include <cstddef>");
    line(out, "#include <cstdint>");
    line(out, "#include <iterator>");
    line(out, "#include <string_view>");
    line(out, "");
    line(out, "namespace {} {{", space);
    out += kTypes;
    for (const RegisterMap& map : set.present())
        write_namespace(out, map);
    write_tables(out, set, "");
    for (const std::string_view variant : set.variants)
        write_tables(out, set, variant);
    line(out, "");
    line(out, "/// What other tools write around the name of a register.");
    line(out, "inline constexpr std::string_view kPrefix = \"{}\", kSuffix = \"{}\";", set.prefix,
         set.suffix);
    out += kLookup;
    write_choice(out, set);
    line(out, "");
    line(out, "}}  // namespace {}", space);
    return out;
}

}  // namespace macrame::regs
