/// Writes the design under test of regs_tb.cpp: register files made by to_verilog() with a mix of
/// fields with and without ports, and a top that gathers the ports of each in one vector.
///
///     regs_dut <directory>   writes dla_<unit>_regs.v, regs_dut.v, regs_dut.hpp

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "families/dla/registers/registers.hpp"
#include "regs/text.hpp"
#include "regs/to_verilog.hpp"

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
    const std::string name = std::string(reg.name) + "." + std::string(field.name);
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
            dut.names.push_back(std::string(reg.name) + "." + std::string(field.name));
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
    return name + "[" + std::to_string(lsb) + " +: " + std::to_string(width) + "]";
}

void write_top(std::ostream& out, const std::vector<Dut>& duts) {
    out << "`default_nettype none\n\nmodule regs_dut (\n    input wire clk,\n    input wire "
           "rst_n,\n"
           "    input wire [9:0] csb_addr,\n    input wire [31:0] csb_wdata,\n"
           "    input wire csb_write";
    for (const Dut& dut : duts) {
        out << ",\n    input wire " << dut.unit << "_valid,\n    output wire [31:0] " << dut.unit
            << "_rdata,\n    input wire [" << dut.in_bits - 1 << ":0] " << dut.unit
            << "_in,\n    output wire [" << dut.out_bits - 1 << ":0] " << dut.unit << "_out";
        if (dut.map->grouped()) {
            out << ",\n    input wire " << dut.unit << "_op_done,\n    output wire " << dut.unit
                << "_op_en,\n    output wire " << dut.unit << "_consumer";
        }
    }
    out << "\n);\n";
    for (const Dut& dut : duts) {
        out << "    dla_" << dut.unit << "_regs u_" << dut.unit
            << " (\n        .clk(clk), .rst_n(rst_n), .csb_valid(" << dut.unit
            << "_valid), .csb_addr(csb_addr), .csb_wdata(csb_wdata), .csb_write(csb_write),"
               " .csb_rdata("
            << dut.unit << "_rdata)";
        if (dut.map->grouped()) {
            out << ",\n        .op_done(" << dut.unit << "_op_done), .op_en(" << dut.unit
                << "_op_en), .consumer(" << dut.unit << "_consumer)";
        }
        for (const Place& p : dut.outputs) {
            out << ",\n        ." << p.port << "("
                << bits(dut.unit + "_out", p.lsb, p.field->width()) << ")";
        }
        for (const Place& p : dut.inputs) {
            out << ",\n        ." << p.port << "("
                << bits(dut.unit + "_in", p.lsb, p.field->width()) << ")";
        }
        out << "\n    );\n";
        if (dut.inputs.empty()) {
            out << "    wire unused_" << dut.unit << " = &" << dut.unit << "_in;\n";
        }
        if (dut.outputs.empty()) out << "    assign " << dut.unit << "_out = 1'b0;\n";
    }
    out << "endmodule\n\n`default_nettype wire\n";
}

void write_places(std::ostream& out, const std::string& name, const std::vector<Place>& places) {
    out << "inline const std::vector<Place> " << name << " = {\n";
    for (const Place& p : places) {
        out << "    {" << regs::hex(p.reg->offset, 3) << ", " << p.field->lsb << ", "
            << p.field->width() << ", " << p.lsb << ", \"" << p.port << "\"},\n";
    }
    out << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: regs_dut <directory>\n";
        return 2;
    }
    const std::string directory = std::string(argv[1]) + "/";
    std::vector<Dut> duts(4);
    std::ofstream header(directory + "regs_dut.hpp");
    header << "#pragma once\n#include <vector>\n"
              "struct Place { unsigned offset; int field_lsb, width, lsb; const char* port; };\n";
    for (std::size_t i = 0; i < duts.size(); ++i) {
        Dut& dut = duts[i];
        dut.unit = std::vector<std::string>{"cdma", "sdp", "cmac", "mcif"}[i];
        dut.map = dla::find_register_map(dut.unit);
        dut.use.unit = dut.unit;
        fill(dut);
        std::ofstream(directory + "dla_" + dut.unit + "_regs.v")
            << regs::to_verilog(*dut.map, dut.use);
        write_places(header, dut.unit + "_outputs", dut.outputs);
        write_places(header, dut.unit + "_inputs", dut.inputs);
    }
    std::ofstream top(directory + "regs_dut.v");
    write_top(top, duts);
    return header && top ? 0 : 1;
}
