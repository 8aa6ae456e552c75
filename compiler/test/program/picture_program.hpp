#pragma once
/// The picture example as a compiled program, for tests that need a device that computes.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/program/program.hpp"
#include "runtime/play/play.hpp"
#include "verif/dla/model/sizes.hpp"
#include "verif/dla/run/picture_example.hpp"

namespace macrame::program {

inline verif::Picture picture() {
    verif::Picture out(37, 21);
    for (std::size_t i = 0; i < out.rgb.size(); ++i)
        out.rgb[i] = static_cast<std::uint8_t>(i * i / 7 + i % 3 * 50);
    return out;
}

/// The picture example for a configuration.
struct Example {
    dla::model::Architecture sizes;
    dla::run::PictureExample example;
    explicit Example(const dla::model::Architecture& s)
        : sizes(s), example(picture(), {s.atomic_c, s.atom_bytes, s.cbuf_banks, s.cbuf_depth}) {}
    std::uint32_t atom() const { return static_cast<std::uint32_t>(sizes.atom_bytes); }
};

/// Feature cube of the example: one atom a pixel.
inline Tensor cube(const std::string& name, std::uint32_t channels, std::uint32_t atom,
                   std::uint64_t offset) {
    Tensor t;
    t.name = name;
    t.height = 21;
    t.width = 37;
    t.channels = channels;
    t.offset = offset;
    t.group = t.pixel_stride = atom;
    t.line_stride = 37 * atom;
    t.surface_stride = 21 * 37 * atom;
    return t;
}

/// The same layer as a program: its memory in one block, addresses relative to that.
inline Program convert(const Example& from) {
    const dla::trace::Trace& old = from.example.program();
    Program p;
    p.family = "dla";
    p.network = "picture";
    p.interrupt_status = old.glb_base + 0xC;
    p.layers = {{"filters", 0, 0}};
    std::map<std::uint64_t, std::uint64_t> places;  // of the example -> in the block
    for (std::size_t i = 0; i < old.memory.size(); ++i) {
        places[old.memory[i].base] = p.memory_bytes;
        const auto& bytes = old.memory[i].segments.at(0).bytes;
        if (i != 0) p.segments.push_back({p.memory_bytes, bytes});  // 0 is the picture
        p.memory_bytes += (bytes.size() + 255) / 256 * 256;
    }
    p.inputs = {cube("pixels", 3, from.atom(), 0)};
    places[0xa0000000u] = p.memory_bytes;
    p.outputs = {cube("filtered", 8, from.atom(), p.memory_bytes)};
    p.memory_bytes += old.checks.at(0).size;
    p.commands.push_back({Code::begin_layer, 0, 0, 0});
    for (const dla::trace::Command& c : old.commands) {
        const auto place = places.find(c.value);
        if (c.op == dla::trace::Op::poll) {
            p.commands.push_back({Code::poll, c.addr, c.value & c.mask, c.mask});
        } else if (c.reg.find("ADDR_LOW") != std::string::npos && place != places.end()) {
            p.commands.push_back(
                {Code::write_low, c.addr, static_cast<std::uint32_t>(place->second), 0});
        } else {
            p.commands.push_back({Code::write, c.addr, c.value, 0});
        }
    }
    p.commands.push_back({Code::wait, 0, 1, 0});  // SDP, group 0
    return p;
}

/// Pixels as signed bytes, y, x, c.
inline Bytes pixels() {
    Bytes out = picture().rgb;
    for (std::uint8_t& byte : out)
        byte ^= 0x80u;
    return out;
}

}  // namespace macrame::program
