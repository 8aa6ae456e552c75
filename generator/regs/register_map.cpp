#include "register_map.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "regs/text.hpp"

namespace macrame::regs {

std::uint32_t Field::mask() const {
    const std::uint32_t ones = width() >= 32 ? ~0u : (1u << width()) - 1u;
    return ones << lsb;
}

std::uint32_t Register::reset() const {
    std::uint32_t value = 0;
    for (const Field& field : fields)
        value |= (field.reset << field.lsb) & field.mask();
    return value;
}

std::uint32_t Register::write_mask() const {
    std::uint32_t mask = 0;
    for (const Field& field : fields) {
        if (field.access == Access::rw) mask |= field.mask();
    }
    return mask;
}

std::string_view Register::access() const {
    if (fields.empty()) return "ro";
    for (const Field& field : fields) {
        if (field.access != fields.front().access) return "mixed";
    }
    return to_string(fields.front().access);
}

Hw Register::hw() const {
    for (const Field& field : fields) {
        if (field.hw != Hw::plain) return field.hw;
    }
    return Hw::plain;
}

const Field* Register::find(std::string_view field) const {
    const auto it =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field; });
    return it == fields.end() ? nullptr : &*it;
}

std::uint32_t RegisterMap::boundary() const {
    const auto it = std::find_if(registers.begin(), registers.end(),
                                 [](const Register& r) { return r.kind == Kind::pingpong; });
    return it == registers.end() ? 0x1000u : it->offset;
}

const Register* RegisterMap::find(std::string_view register_name) const {
    const auto it = std::find_if(registers.begin(), registers.end(),
                                 [&](const Register& r) { return r.name == register_name; });
    return it == registers.end() ? nullptr : &*it;
}

RegisterMap in_variant(const RegisterMap& map, std::string_view variant) {
    RegisterMap result = map;
    result.variants.clear();
    for (Register& reg : result.registers) {
        for (Field& field : reg.fields) {
            for (const FieldVariant& other : std::exchange(field.variants, {})) {
                if (other.variant != variant) continue;
                field.zeros_above = field.msb - other.msb.value_or(field.msb);
                field.zeros_below = other.lsb.value_or(field.lsb) - field.lsb;
                field.msb -= field.zeros_above;
                field.lsb += field.zeros_below;
                field.reset = other.reset.value_or(field.reset);
            }
        }
    }
    if (variant.empty()) return result;
    result.base.reset();
    for (const BaseVariant& other : map.variants) {
        if (other.variant == variant) result.base = other.base;
    }
    return result;
}

const RegisterMap* RegisterSet::find(std::string_view unit) const {
    const auto at = std::find_if(maps.begin(), maps.end(), [&](const RegisterMap* map) {
        return lower(map->unit) == lower(unit);
    });
    return at == maps.end() ? nullptr : *at;
}

std::vector<RegisterMap> RegisterSet::present(std::string_view variant) const {
    std::vector<RegisterMap> result;
    for (const RegisterMap* map : maps) {
        RegisterMap chosen = in_variant(*map, variant);
        if (chosen.base) result.push_back(std::move(chosen));
    }
    return result;
}

std::vector<std::string> problems(const RegisterMap& map) {
    std::vector<std::string> found;
    const auto report = [&](std::string_view reg, std::string_view what) {
        found.push_back(fmt::format("{}.{}: {}", map.unit, reg, what));
    };
    std::uint32_t next_offset = 0;
    for (const Register& reg : map.registers) {
        if (reg.offset < next_offset || reg.offset % 4 != 0 || reg.offset >= 0x1000u) {
            report(reg.name, "offset out of order");
        }
        next_offset = reg.offset + 4;
        if ((reg.kind == Kind::pingpong) != (reg.offset >= map.boundary())) {
            report(reg.name, "a single register behind those of groups");
        }
        std::uint32_t used = 0;
        for (const Field& field : reg.fields) {
            if (field.lsb < 0 || field.msb > 31 || field.msb < field.lsb) {
                report(reg.name, "field outside the word");
                continue;
            }
            if (used & field.mask()) report(reg.name, "fields overlap");
            used |= field.mask();
            if (field.reset & ~(field.mask() >> field.lsb)) report(reg.name, "reset too wide");
        }
    }
    return found;
}

std::string port_name(std::string_view field) {
    const std::size_t dot = field.find('.');
    assert(dot != std::string_view::npos);
    const std::string head = lower(field.substr(0, dot));
    const std::string tail = lower(field.substr(dot + 1));
    // The longest common piece first: from each word of the register's name to its end.
    for (std::size_t start = 0; start < head.size();) {
        const std::string piece = head.substr(start) + "_";
        if ((tail + "_").compare(0, piece.size(), piece) == 0) return head.substr(0, start) + tail;
        start = std::min(head.find('_', start), head.size() - 1) + 1;
    }
    return head + "_" + tail;
}

std::string_view to_string(Access access) {
    switch (access) {
        case Access::rw:
            return "rw";
        case Access::ro:
            return "ro";
        case Access::wo:
            return "wo";
        case Access::w1c:
            return "w1c";
    }
    return "";
}

std::string_view to_string(Hw hw) {
    switch (hw) {
        case Hw::plain:
            return "plain";
        case Hw::status:
            return "status";
        case Hw::counter:
            return "counter";
        case Hw::constant:
            return "constant";
        case Hw::cleared_by_hw:
            return "cleared_by_hw";
        case Hw::trigger:
            return "trigger";
        case Hw::trigger_readback:
            return "trigger_readback";
    }
    return "";
}

}  // namespace macrame::regs
