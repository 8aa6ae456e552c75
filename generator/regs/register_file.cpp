#include "register_file.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/bits.hpp"
#include "regs/text.hpp"

namespace macrame::regs {

int Row::flop_bits() const {
    int bits = 0;
    for (const Field* field : flops)
        bits += field->width();
    return bits;
}

std::string Row::slice_of(std::string_view flops_name, const Field& field) const {
    int lsb = 0;
    for (const Field* flop : flops) {
        if (flop == &field) break;
        lsb += flop->width();
    }
    return slice(flops_name, lsb + field.width() - 1, lsb, flop_bits());
}

std::string Row::port_value(const Field& field, std::string_view flops_value) {
    if (field.zeros_above == 0 && field.zeros_below == 0) return std::string(flops_value);
    const auto zeros = [](int bits) { return fmt::format("{}'d0", bits); };
    std::string out = "{";
    if (field.zeros_above != 0) out += zeros(field.zeros_above) + ", ";
    out += flops_value;
    if (field.zeros_below != 0) out += ", " + zeros(field.zeros_below);
    return out + "}";
}

std::string Row::port(const Field& field) const {
    return port_name(fmt::format("{}.{}", reg->name, field.name));
}

std::string Row::input_port(const Field& field) const {
    return port(field) + (field.hw == Hw::trigger_readback ? "_rd" : "");
}

RegisterFile::RegisterFile(const RegisterMap& map, const RegUse& use, bool in_flops,
                           const std::vector<std::string_view>& own)
    : map_(map), unit_(use.unit), word_w_(std::max(1, clog2(words()))) {
    for (const Register& reg : map_.registers) {
        if (std::find(own.begin(), own.end(), reg.name) == own.end())
            rows_.push_back({&reg, lower(reg.name), {}, {}, {}, false});
    }
    read_use(use);
    const auto by_lsb = [](const Field* a, const Field* b) { return a->lsb < b->lsb; };
    for (Row& row : rows_) {
        std::sort(row.outputs.begin(), row.outputs.end(), by_lsb);
        row.flops = row.outputs;
        if (!in_flops) continue;
        row.flops.clear();
        for (const Field& field : row.reg->fields) {
            if (field.access == Access::rw) row.flops.push_back(&field);
        }
        std::sort(row.flops.begin(), row.flops.end(), by_lsb);
    }
}

void RegisterFile::read_use(const RegUse& use) {
    for (std::string_view name : use.outputs) {
        Row& row = row_of(name.substr(0, name.find('.')));
        const Field& field = field_of(row, name);
        if (field.access != Access::rw) fail(name, "an output must be writable");
        row.outputs.push_back(&field);
    }
    for (std::string_view name : use.inputs) {
        Row& row = row_of(name.substr(0, name.find('.')));
        const Field& field = field_of(row, name);
        if (field.access != Access::ro && field.hw != Hw::trigger_readback)
            fail(name, "an input must belong to hardware");
        row.inputs.push_back(&field);
    }
    for (std::string_view name : use.strobes) {
        Row& row = row_of(name);
        if (row.grouped()) fail(name, "strobes are for single registers");
        row.strobe = true;
    }
}

void RegisterFile::fail(std::string_view name, std::string_view why) const {
    throw std::invalid_argument(fmt::format("registers of {}: {}: {}", unit_, name, why));
}

Row& RegisterFile::row_of(std::string_view name) {
    for (Row& row : rows_) {
        if (row.reg->name == name) return row;
    }
    fail(name, "no such register, or one that the register file keeps for itself");
}

const Field& RegisterFile::field_of(const Row& row, std::string_view name) const {
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) {
        if (row.reg->fields.size() != 1) fail(name, "want REGISTER.FIELD");
        return row.reg->fields.front();
    }
    const Field* field = row.reg->find(name.substr(dot + 1));
    if (field == nullptr) fail(name, "no such field");
    return *field;
}

Rows RegisterFile::stored(bool grouped) const {
    Rows list;
    for (const Row& row : rows_) {
        if (row.grouped() == grouped && !row.flops.empty()) list.push_back(&row);
    }
    return list;
}

std::string RegisterFile::word(const Register& reg) {
    named_.insert(&reg);
    return std::string(reg.name);
}

void RegisterFile::address_names(std::string& out) const {
    std::size_t columns = 0;
    for (const Register* reg : named_)
        columns = std::max(columns, reg->name.size());
    title(out, "Word offsets of the registers.");
    for (const Register& reg : map_.registers) {
        if (named_.count(&reg) == 0) continue;
        line(out, "    localparam {}{:<{}} = {};", range(word_w_), reg.name, columns,
             literal(static_cast<std::uint32_t>(reg.word()), word_w_));
    }
}

void add_field_ports(Ports& ports, const RegisterFile& file) {
    for (const Row& row : file.rows()) {
        if (!row.has_ports()) continue;
        ports.title(row.reg->name);
        for (const Field* field : row.outputs)
            ports.add("output wire", field->zeros_above + field->width() + field->zeros_below,
                      row.port(*field), field->doc);
        for (const Field* field : row.inputs)
            ports.add("input  wire", field->width(), row.input_port(*field), field->doc);
        if (row.strobe) {
            ports.add("output reg", 1, row.name + "_wr",
                      row.outputs.empty() ? "pulse: it was written" : "new value in this cycle");
        }
    }
}

}  // namespace macrame::regs
