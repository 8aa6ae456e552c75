/// Writes the design under test of registers_tb.cpp: register files of the family with a mix of
/// fields with and without ports, and a top that gathers the ports of each in one vector.
///
///     regs_dut <directory>   writes dla_<unit>_regs.v, regs_dut.v, regs_dut.hpp

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "families/dla/registers/register_file.hpp"
#include "families/dla/registers/registers.hpp"
#include "regs/text.hpp"

namespace {

using namespace macrame;

/// A port of a register file and its place in the vector.
struct Place {
    std::string port;
    const regs::Register* reg;
    const regs::Field* field;
    int lsb;
};

struct Dut {
    std::string unit;
    const regs::RegisterMap* map;
    std::vector<std::string> names;  ///< storage of the names in `use`
    RegUse use;
    std::vector<Place> outputs, inputs;
    int out_bits = 0, in_bits = 0;
};

void add(std::vector<Place>& places, int& bits, const regs::Register& reg,
         const regs::Field& field) {
    const std::string name = fmt::format("{}.{}", reg.name, field.name);
    places.push_back({regs::port_name(name), &reg, &field, bits});
    bits += field.width();
}

/// Two of three writable fields are ports, and all counters and states.
void fill(Dut& dut) {
    int count = 0;
    dut.names.reserve(500);
    for (const regs::Register& reg : dut.map->registers) {
        if (reg.name == "S_STATUS" || reg.name == "S_POINTER" || reg.name == "D_OP_ENABLE")
            continue;
        for (const regs::Field& field : reg.fields) {
            dut.names.push_back(fmt::format("{}.{}", reg.name, field.name));
            if (field.access == regs::Access::ro) {
                add(dut.inputs, dut.in_bits, reg, field);
                dut.use.inputs.push_back(dut.names.back());
            } else if (++count % 3 != 0 && field.hw == regs::Hw::plain) {
                add(dut.outputs, dut.out_bits, reg, field);
                dut.use.outputs.push_back(dut.names.back());
            }
        }
    }
    dut.in_bits = std::max(1, dut.in_bits);
    dut.out_bits = std::max(1, dut.out_bits);
}

std::string bits(const std::string& name, int lsb, int width) {
    return fmt::format("{}[{} +: {}]", name, lsb, width);
}

constexpr const char* kCommonPorts = R"(`default_nettype none

module regs_dut (
    input wire clk,
    input wire rst_n,
    input wire [9:0] csb_addr,
    input wire [31:0] csb_wdata,
    input wire csb_write)";

void add_ports(std::string& out, const Dut& dut) {
    out += fmt::format(",\n    input wire {0}_valid,\n    output wire [31:0] {0}_rdata", dut.unit);
    out += fmt::format(",\n    input wire [{1}:0] {0}_in,\n    output wire [{2}:0] {0}_out",
                       dut.unit, dut.in_bits - 1, dut.out_bits - 1);
    if (!dut.map->grouped()) return;
    for (const char* port :
         {"input wire {}_op_done", "output wire {}_op_en", "output wire {}_consumer"})
        out += ",\n    " + fmt::format(fmt::runtime(port), dut.unit);
}

void add_instance(std::string& out, const Dut& dut) {
    out += fmt::format("    dla_{0}_regs u_{0} (\n        .clk(clk), .rst_n(rst_n)", dut.unit);
    out += fmt::format(
        ", .csb_valid({0}_valid), .csb_addr(csb_addr), .csb_wdata(csb_wdata), "
        ".csb_write(csb_write), .csb_rdata({0}_rdata)",
        dut.unit);
    if (dut.map->grouped()) {
        out += fmt::format(
            ",\n        .op_done({0}_op_done), .op_en({0}_op_en), .consumer({0}_consumer)",
            dut.unit);
    }
    const auto connect = [&](const std::vector<Place>& places, const char* vector) {
        for (const Place& p : places) {
            out += fmt::format(",\n        .{}({})", p.port,
                               bits(dut.unit + vector, p.lsb, p.field->width()));
        }
    };
    connect(dut.outputs, "_out");
    connect(dut.inputs, "_in");
    out += "\n    );\n";
    if (dut.inputs.empty()) out += fmt::format("    wire unused_{0} = &{0}_in;\n", dut.unit);
    if (dut.outputs.empty()) out += fmt::format("    assign {}_out = 1'b0;\n", dut.unit);
}

std::string top(const std::vector<Dut>& duts) {
    std::string out = kCommonPorts;
    for (const Dut& dut : duts)
        add_ports(out, dut);
    out += "\n);\n";
    for (const Dut& dut : duts)
        add_instance(out, dut);
    return out + "endmodule\n\n`default_nettype wire\n";
}

std::string places(const std::string& name, const std::vector<Place>& list) {
    std::string out = fmt::format("inline const std::vector<Place> {} = {{\n", name);
    for (const Place& p : list) {
        out += fmt::format("    {{{:#05x}, {}, {}, {}, \"{}\"}},\n", p.reg->offset, p.field->lsb,
                           p.field->width(), p.lsb, p.port);
    }
    return out + "};\n";
}

bool write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    return static_cast<bool>(file.flush());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: {} <directory>\n", argv[0]);
        return 2;
    }
    const std::string directory = std::string(argv[1]) + "/";
    std::vector<Dut> duts(4);
    std::string header =
        "#pragma once\n#include <vector>\n"
        "struct Place { unsigned offset; int field_lsb, width, lsb; const char* port; };\n";
    bool good = true;
    for (std::size_t i = 0; i < duts.size(); ++i) {
        Dut& dut = duts[i];
        dut.unit = std::vector<std::string>{"cdma", "sdp", "cmac", "mcif"}[i];
        dut.map = dla::find_register_map(dut.unit);
        dut.use.unit = dut.unit;
        fill(dut);
        const std::string module = fmt::format("dla_{}_regs", dut.unit);
        good = write(fmt::format("{}{}.v", directory, module),
                     dla::register_file(*dut.map, dut.use, module)) &&
               good;
        header += places(dut.unit + "_outputs", dut.outputs);
        header += places(dut.unit + "_inputs", dut.inputs);
    }
    good = write(directory + "regs_dut.hpp", header) && good;
    return write(directory + "regs_dut.v", top(duts)) && good ? 0 : 1;
}
