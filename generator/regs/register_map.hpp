#pragma once
/// The typed description of one unit's registers. Every file about registers - Verilog register
/// file, C header, C++ accessors, Markdown page, JSON - is a projection of a RegisterMap.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::regs {

/// What software can do with a field.
enum class Access {
    rw,   ///< read and write
    ro,   ///< writes are ignored
    wo,   ///< reads 0
    w1c,  ///< writing 1 clears the bit
};

/// What hardware does with a field.
enum class Hw {
    plain,             ///< only reads it
    status,            ///< live state of the hardware
    counter,           ///< counted during a layer, copied to the layer's group when it is done
    constant,          ///< wired
    cleared_by_hw,     ///< set by software, cleared by hardware
    trigger,           ///< a write has a side effect
    trigger_readback,  ///< a write has a side effect, a read returns what hardware says
};

/// How many copies of a register there are.
enum class Kind {
    single,    ///< one
    pingpong,  ///< one per register group
    queue,     ///< one, copied into a command queue by a trigger
};

/// What is different in a field in another variant of the map.
struct FieldVariant {
    std::string_view variant;  ///< its name, "v1"
    std::optional<int> msb, lsb;
    std::optional<std::uint32_t> reset;
};

struct Field {
    std::string_view name;
    int msb = 0, lsb = 0;
    Access access = Access::rw;
    Hw hw = Hw::plain;
    std::uint32_t reset = 0;  ///< value of the field, not shifted
    std::string_view doc;
    std::vector<std::string_view> values = {};  ///< names of the codes 0, 1, 2 ...
    std::vector<FieldVariant> variants = {};
    /// In a variant with fewer bits: so many zeros above and below them make it as wide as ever.
    int zeros_above = 0, zeros_below = 0;

    int width() const { return msb - lsb + 1; }
    /// Ones at the bits of the field.
    std::uint32_t mask() const;
};

struct Register {
    std::string_view name;
    std::uint32_t offset = 0;  ///< bytes from the start of the unit's page
    Kind kind = Kind::single;
    std::vector<Field> fields;

    std::uint32_t reset() const;
    /// Bits that a write stores (rw fields) - not triggers' side effects, not w1c.
    std::uint32_t write_mask() const;
    /// "rw", "ro", "wo", "w1c" or "mixed".
    std::string_view access() const;
    /// The first hardware role other than `plain`.
    Hw hw() const;
    /// Word offset in the page.
    int word() const { return static_cast<int>(offset / 4); }
    const Field* find(std::string_view field) const;
};

/// Where a unit is in another variant of the map.
struct BaseVariant {
    std::string_view variant;
    std::uint32_t base;
};

struct RegisterMap {
    std::string_view unit;              ///< as in register names: "CDMA"
    std::string_view doc;               ///< one line
    std::optional<std::uint32_t> base;  ///< byte address of the page; empty: only in variants
    std::vector<BaseVariant> variants;  ///< the same in other variants; not named: not there
    std::vector<Register> registers;

    /// The unit has register groups.
    bool grouped() const { return boundary() < 0x1000u; }
    /// Registers from this offset on exist once per group. 0x1000 without groups.
    std::uint32_t boundary() const;
    const Register* find(std::string_view register_name) const;
};

/// The registers of a family: their maps and what is the same in all of them.
struct RegisterSet {
    std::string_view family;  ///< in file names
    std::vector<const RegisterMap*> maps;
    std::string_view notes;           ///< what a reader must know of all of them; may be empty
    std::string_view prefix, suffix;  ///< of a register in C: <prefix>CDMA_D_BANK<suffix>
    std::vector<std::string_view> variants = {};  ///< names of the other variants of the maps

    /// The map of that unit, in any case; null if there is none.
    const RegisterMap* find(std::string_view unit) const;

    /// Maps of the units that exist in a variant ("": the maps as they are), with its values.
    std::vector<RegisterMap> present(std::string_view variant = "") const;
};

/// The map with the values of a variant; `base` is empty where the unit does not exist.
RegisterMap in_variant(const RegisterMap& map, std::string_view variant);

/// Everything that is inconsistent in a map (overlapping fields, order, sizes): empty when good.
std::vector<std::string> problems(const RegisterMap& map);

/// Port of a register file for the field "D_BANK.DATA_BANK": d_bank_data_bank. Whole words that end
/// the register's name and begin the field's are named once: D_CUBE_WIDTH.WIDTH is d_cube_width.
std::string port_name(std::string_view field);

std::string_view to_string(Access access);
std::string_view to_string(Hw hw);

}  // namespace macrame::regs
