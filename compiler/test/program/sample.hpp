#pragma once
/// Programs for the tests of the file and of the runtime.

#include <cstdint>
#include <vector>

#include "compiler/program/program.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::program {

/// One of everything.
inline Program sample() {
    Program p;
    p.family = "dla";
    p.configuration = "nv_small";
    p.network = "sample */ \\ network";
    p.identity = 0x12345678;
    p.memory_bytes = 0x1000;
    p.alignment = 256;
    p.interrupt_status = 0x100c;
    p.commands = {{Code::begin_layer, 0, 0, 0},
                  {Code::write, 0x5010, 0xCAFE, 0},
                  {Code::write_low, 0x5014, 0x800, 0},
                  {Code::write_high, 0x5018, 0x800, 0},
                  {Code::poll, 0x300c, 1, 3},
                  {Code::begin_layer, 0, 1, 0},
                  {Code::wait, 0, 5, 0},
                  {Code::host, 0, 7, 0}};
    p.segments = {{0x40, {1, 2, 3, 4, 5}}, {0x800, std::vector<std::uint8_t>(64, 9)}, {0x10, {}}};
    Tensor in;
    in.name = "in";
    in.height = 2;
    in.width = 3;
    in.channels = 5;
    in.offset = 0x100;
    in.group = 4;
    in.pixel_stride = 4;
    in.line_stride = 16;
    in.surface_stride = 64;
    in.scale = 0.0125F;
    in.zero_point = -3;
    in.filler = -7;
    p.inputs = {in};
    Tensor out = in;
    out.name = "out";
    out.element = Element::int16;
    out.offset = 0x200;
    out.pixel_stride = 8;
    out.line_stride = 24;
    out.zero_point = 0;
    p.outputs = {out, out};
    p.outputs[1].name = "in";  // shares a string
    p.layers = {{"conv", 1000, 20000}, {"pool", 10, 0}};
    return p;
}

/// The same with what files of version 2 have.
inline Program new_sample() {
    Program p = sample();
    p.address_bits = 32;
    p.identity_register = 0x3f018;
    p.parameters = "atoms=8\nbanks=32\n";
    return p;
}

/// The same with units.
inline Program unit_sample() {
    Program p = new_sample();
    p.commands.insert(p.commands.begin(),
                      {{Code::unit, 0x5004, 0, 0x5000}, {Code::unit, 0x9004, 3, 0x9000}});
    return p;
}

/// Two networks in one file, the second one smaller.
inline std::vector<Program> several() {
    Program first = new_sample(), second = new_sample();
    first.name = "person";
    second.name = "face";
    second.network = "face.onnx";
    second.commands = {{Code::begin_layer, 0, 0, 0}, {Code::write, 0x5010, 7, 0}};
    second.segments = {{0x900, {8, 9}}};
    second.inputs[0].name = "crop";
    second.inputs[0].offset = 0x140;
    second.outputs.resize(1);
    second.layers = {{"dense", 5, 6}};
    return {first, second};
}

/// Makes the checksum right again.
inline void seal(std::vector<std::uint8_t>& file) {
    if (file.size() < 20) return;
    for (std::size_t i = 16; i < 20; ++i)
        file[i] = 0;
    const std::uint32_t crc = verif::crc32(file);
    for (std::size_t i = 0; i < 4; ++i)
        file[16 + i] = static_cast<std::uint8_t>(crc >> 8 * i);
}

}  // namespace macrame::program
