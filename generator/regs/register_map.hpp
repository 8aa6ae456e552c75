#pragma once
/// The typed description of one unit's registers. Every file about registers - Verilog register
/// file, C header, C++ accessors, Markdown page, JSON - is a projection of a RegisterMap.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::regs {

/// Two generations of the register map: `later` is the one of the configurable designs (nv_small ..
/// nv_large), `v1` the one of the first, fixed design.
enum class MapVersion { later, v1 };

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

/// What is different in the v1 map.
struct FieldV1 {
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
    FieldV1 v1 = {};

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

/// How the fields with a port follow S_POINTER.CONSUMER from one group to the other.
enum class HandOver {
    /// One set of flops per group and a multiplexer: at once.
    switched,
    /// One set of flops for the running group, loaded from the read-back RAM after every layer:
    /// half the area, some 30 cycles between two layers. For units that are ahead of the pipeline.
    loaded,
};

struct RegisterMap {
    std::string_view unit;                 ///< as in register names: "CDMA"
    std::string_view doc;                  ///< one line
    std::optional<std::uint32_t> base;     ///< byte address of the page, later map
    std::optional<std::uint32_t> base_v1;  ///< the same, v1 map
    std::vector<Register> registers;
    HandOver hand_over = HandOver::switched;

    /// The unit has two register groups.
    bool grouped() const { return find("D_OP_ENABLE") != nullptr; }
    /// Offset of D_OP_ENABLE: registers from here on exist once per group. 0x1000 without groups.
    std::uint32_t boundary() const;
    const Register* find(std::string_view register_name) const;
};

/// The map with the values of one version in all fields.
RegisterMap in_version(const RegisterMap& map, MapVersion version);

/// Base address of the unit in a version, empty where the unit does not exist.
std::optional<std::uint32_t> base_of(const RegisterMap& map, MapVersion version);

/// Everything that is inconsistent in a map (overlapping fields, order, sizes): empty when good.
std::vector<std::string> problems(const RegisterMap& map);

/// "D_BANK" -> "d_bank".
std::string lower(std::string_view text);

/// Port of a register file for the field "D_BANK.DATA_BANK": d_bank_data_bank. Whole words that end
/// the register's name and begin the field's are named once: D_CUBE_WIDTH.WIDTH is d_cube_width.
std::string port_name(std::string_view field);

std::string_view to_string(Access access);
std::string_view to_string(Hw hw);

}  // namespace macrame::regs
