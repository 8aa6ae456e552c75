#include "to_docs.hpp"

#include "regs/text.hpp"

namespace macrame::regs {
namespace {

std::string bits_of(const Field& field) {
    const std::string msb = std::to_string(field.msb);
    return field.msb == field.lsb ? msb : msb + ":" + std::to_string(field.lsb);
}

/// A JSON string. The tables hold plain ASCII.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string upper(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return out;
}

/// "0 DIRECT, 1 WINOGRAD"
std::string codes(const Field& field) {
    std::string out;
    for (std::size_t i = 0; i < field.values.size(); ++i) {
        out += (i == 0 ? "" : ", ") + std::to_string(i) + " " + std::string(field.values[i]);
    }
    return out;
}

void markdown_unit(std::string& out, const RegisterMap& map, std::uint32_t base) {
    line(out, "");
    line(out, "## " + std::string(map.unit) + " at " + hex(base, 5));
    line(out, "");
    line(out, std::string(map.doc) + ".");
    if (map.grouped()) {
        line(out, "Registers from " + hex(map.boundary(), 3) + " on exist once per group.");
    }
    line(out, "");
    line(out, "| offset | register | bits | field | access | reset | meaning |");
    line(out, "|---|---|---|---|---|---|---|");
    for (const Register& reg : map.registers) {
        std::string head = "| " + hex(reg.offset, 3) + " | " + std::string(reg.name) + " | ";
        for (const Field& field : reg.fields) {
            std::string text = head + bits_of(field) + " | " + std::string(field.name) + " | " +
                               std::string(to_string(field.access));
            if (field.hw != Hw::plain) text += ", " + std::string(to_string(field.hw));
            text += " | " + hex(field.reset) + " | " + std::string(field.doc);
            if (!field.values.empty()) text += ": " + codes(field);
            line(out, text + " |");
            head = "| | | ";
        }
    }
}

std::string json_field(const Field& field) {
    std::string out =
        "{\"name\": " + quoted(field.name) + ", \"msb\": " + std::to_string(field.msb) +
        ", \"lsb\": " + std::to_string(field.lsb) +
        ", \"access\": " + quoted(to_string(field.access)) +
        ", \"hw\": " + quoted(to_string(field.hw)) + ", \"reset\": " + std::to_string(field.reset) +
        ", \"doc\": " + quoted(field.doc);
    if (!field.values.empty()) {
        out += ", \"values\": [";
        for (std::size_t i = 0; i < field.values.size(); ++i) {
            out += (i == 0 ? "" : ", ") + quoted(field.values[i]);
        }
        out += "]";
    }
    return out + "}";
}

void json_unit(std::string& out, const RegisterMap& map, std::uint32_t base, bool last) {
    line(out, "    {\"unit\": " + quoted(map.unit) + ", \"base\": " + std::to_string(base) +
                  ", \"doc\": " + quoted(map.doc) + ", \"registers\": [");
    for (const Register& reg : map.registers) {
        const bool last_reg = &reg == &map.registers.back();
        line(out, "      {\"name\": " + quoted(reg.name) +
                      ", \"offset\": " + std::to_string(reg.offset) + ", \"grouped\": " +
                      (reg.kind == Kind::pingpong ? "true" : "false") + ", \"fields\": [");
        for (const Field& field : reg.fields) {
            line(out, "        " + json_field(field) + (&field == &reg.fields.back() ? "" : ","));
        }
        line(out, "      ]}" + std::string(last_reg ? "" : ","));
    }
    line(out, "    ]}" + std::string(last ? "" : ","));
}

void c_define(std::string& out, const std::string& name, const std::string& value) {
    line(out, "#define " + pad(name, 62) + " " + value);
}

void c_unit(std::string& out, const RegisterMap& map, std::uint32_t base) {
    line(out, "");
    line(out, "/* " + std::string(map.unit) + ": " + std::string(map.doc) + ". */");
    for (const Register& reg : map.registers) {
        const std::string prefix =
            "NVDLA_" + std::string(map.unit) + "_" + std::string(reg.name) + "_0";
        line(out, "");
        c_define(out, prefix, hex(base + reg.offset, 5) + "u");
        if (reg.hw() == Hw::constant) continue;
        for (const Field& field : reg.fields) {
            const std::string name = prefix + "_" + std::string(field.name);
            c_define(out, name + "_SHIFT", std::to_string(field.lsb));
            c_define(out, name + "_MASK", hex(field.mask(), 8) + "u");
            for (std::size_t i = 0; i < field.values.size(); ++i) {
                c_define(out, name + "_" + std::string(field.values[i]), std::to_string(i));
            }
        }
    }
}

/// The maps that exist in a version, with the values of that version.
std::vector<RegisterMap> present(const std::vector<const RegisterMap*>& maps, MapVersion version) {
    std::vector<RegisterMap> result;
    for (const RegisterMap* map : maps) {
        if (base_of(*map, version)) result.push_back(in_version(*map, version));
    }
    return result;
}

}  // namespace

std::string to_markdown(const std::vector<const RegisterMap*>& maps, MapVersion version) {
    std::string out;
    line(out, "# Registers");
    line(out, "");
    line(out,
         "Byte address = base of the unit + offset. Bits that are not listed read 0. A register");
    line(out,
         "that exists once per group is read and written in group S_POINTER.PRODUCER; the unit");
    line(out,
         "uses group CONSUMER. Writes to a group whose OP_EN is 1 are dropped. Besides access,");
    line(out,
         "a role in hardware is named: status (live), counter (of the last layer of the group),");
    line(out, "trigger (a write has an effect).");
    line(out, "");
    line(out, "| base | unit | |");
    line(out, "|---|---|---|");
    const std::vector<RegisterMap> list = present(maps, version);
    for (const RegisterMap& map : list) {
        line(out, "| " + hex(*base_of(map, version), 5) + " | " + std::string(map.unit) + " | " +
                      std::string(map.doc) + " |");
    }
    for (const RegisterMap& map : list)
        markdown_unit(out, map, *base_of(map, version));
    return out;
}

std::string to_json(const std::vector<const RegisterMap*>& maps, MapVersion version) {
    std::string out;
    line(out, "{");
    line(out, "  \"map\": \"" + std::string(version == MapVersion::v1 ? "v1" : "later") + "\",");
    line(out, "  \"units\": [");
    const std::vector<RegisterMap> list = present(maps, version);
    for (const RegisterMap& map : list) {
        json_unit(out, map, *base_of(map, version), &map == &list.back());
    }
    line(out, "  ]");
    line(out, "}");
    return out;
}

std::string to_c(const std::vector<const RegisterMap*>& maps, MapVersion version,
                 std::string_view family) {
    const std::string guard = upper(family) + "_REGS_H";
    std::string out;
    line(out,
         "/* Registers of the " + std::string(family) + " family: byte addresses and fields. */");
    line(out, "#ifndef " + guard);
    line(out, "#define " + guard);
    for (const RegisterMap& map : present(maps, version)) {
        c_unit(out, map, *base_of(map, version));
    }
    line(out, "");
    line(out, "#endif");
    return out;
}

}  // namespace macrame::regs
