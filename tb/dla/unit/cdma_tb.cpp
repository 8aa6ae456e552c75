/// Unit test of dla_cdma against its golden model: every write into CBUF, every request, the order
/// of slice and entry announcements, interrupts, reuse, bank changes and free space, under no,
/// random and worst-case stalls.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/cdma_bench.hpp"
#include "tb/dla/unit/cdma_stimulus.hpp"
#include "verif/dla/model/cdma.hpp"

namespace macrame::tb::cdma {
namespace {

struct Case {
    Stall stall;
    unsigned seed;
};

class CdmaRandom : public ::testing::TestWithParam<Case> {};

TEST_P(CdmaRandom, LayersMatchTheModel) {
    say_seed(GetParam().seed);
    Bench bench(GetParam().stall, GetParam().seed);
    const int count = GetParam().stall == Stall::kWorst ? 20 : 40;
    bench.run(random_layers(bench.random(), count));
    EXPECT_EQ(bench.flush_cycles(), static_cast<unsigned>(p::cbuf_depth));
    EXPECT_EQ(bench.read(0x0c), 1u);
    if (p::secondary_memif_enable && p::image_enable) {
        EXPECT_GT(bench.both_writes(), 0u);
    }
    EXPECT_GT(bench.weight_pairs() + 1, p::wt_atoms > 1 ? 1000u : 0u);
    if (p::weight_compression_enable) {
        EXPECT_GT(bench.mask_writes(), 1000u);
    }
    if (p::winograd_enable) {
        EXPECT_GT(bench.tile_writes(), 1000u);
    }
}

INSTANTIATE_TEST_SUITE_P(Stalls, CdmaRandom,
                         ::testing::Values(Case{Stall::kNone, 1}, Case{Stall::kNone, 2},
                                           Case{Stall::kRandom, 3}, Case{Stall::kRandom, 4},
                                           Case{Stall::kRandom, 5}, Case{Stall::kWorst, 6},
                                           Case{Stall::kWorst, 7}));

m::CdmaLayer plain_layer(int width, int height, int channels) {
    m::CdmaLayer r;
    r.width = width;
    r.height = height;
    r.channels = channels;
    r.data_addr = 0x10000;
    r.line_stride = static_cast<std::uint32_t>(width * p::atom_bytes);
    r.surf_stride = r.line_stride * static_cast<std::uint32_t>(height);
    r.in = r.proc = types().back();
    r.entries_per_slice = m::entries_per_slice(sizes(), width, r.pixel_bytes());
    r.weight_addr = 0x80000;
    r.weight_bytes = 128;
    r.data_banks = 2;
    return r;
}

Program plain(int width, int height, int channels) {
    Program layer;
    layer.regs = plain_layer(width, height, channels);
    layer.csc_release = height;
    return layer;
}

/// Extended plane of a layer of Winograd, its channels in bytes, strides, padding at left and top.
struct Planes {
    int width, height, channels, stride_x, stride_y, pad;
};

Program tile_layer(const Planes& planes) {
    Program layer = plain(planes.width * planes.stride_x - planes.pad,
                          planes.height * planes.stride_y - planes.pad, 1);
    m::CdmaLayer& r = layer.regs;
    r.is_winograd = true;
    r.winograd = {planes.width, planes.height, planes.stride_x, planes.stride_y, planes.pad};
    r.channels = planes.channels / m::bytes_of(r.proc);
    r.image.pad_left = planes.pad;
    r.entries_per_slice = m::winograd_entries_per_slice(
        sizes(), planes.width, planes.channels * planes.stride_x * planes.stride_y);
    r.data_banks = 15;
    layer.csc_release = planes.height;
    return layer;
}

/// One atom per cycle whatever the shape, and few cycles around it.
TEST(CdmaSpeed, OneAtomPerCycle) {
    for (const Program& layer : {plain(16, 8, p::atom_bytes * 3), plain(1, 64, 1),
                                 plain(1, 1, p::atom_bytes * 128), plain(128, 1, 1)}) {
        const m::CdmaLayer& r = layer.regs;
        Bench bench(Stall::kNone, 1);
        while (bench.read(0x0c) == 0) {
        }
        bench.run({layer});
        const int atoms = r.width * r.height * m::surfaces_of(sizes(), r.pixel_bytes());
        // write of OP_EN, bank change, two to start, request, 8 cycles of memory, write, with fp16
        // one for the counters, interrupt
        EXPECT_LE(bench.last_interrupt_cycle() - bench.op_enable_cycle(),
                  static_cast<std::uint64_t>(atoms + 14 + p::fp16));
        EXPECT_LE(bench.first_request_cycle() - bench.op_enable_cycle(), 4u);
    }
}

/// Weights: as many atoms per cycle as there are, wherever they begin. Masks share their way.
TEST(CdmaSpeed, Weights) {
    const int atoms = p::cbuf_depth * p::atoms_per_entry;
    for (const std::uint64_t first : {0u, 1u}) {
        for (const int missing : {0, 1, 2}) {
            if (p::v1_map && missing != 0) continue;  // weights fill units of 128 bytes
            Program layer = plain(1, 1, 1);
            m::CdmaLayer& r = layer.regs;
            r.weight_addr += first * p::atom_bytes;
            r.weight_bytes = static_cast<std::uint32_t>((atoms - missing) * p::atom_bytes);
            Bench bench(Stall::kNone, 1);
            while (bench.read(0x0c) == 0) {
            }
            bench.run({layer});
            const int used = atoms - missing;
            // A request that begins in the upper half of a pair takes a cycle more.
            const int requests = (used + kWeightRequest - 1) / kWeightRequest;
            const int pairs = kWeightAtoms == 1 ? 0 : used / 2;
            const int cycles = used - pairs + (pairs != 0 && first != 0 ? requests : 0);
            EXPECT_LE(bench.last_interrupt_cycle() - bench.op_enable_cycle(),
                      static_cast<std::uint64_t>(cycles + 18 + p::fp16))
                << first << " " << missing;
            EXPECT_EQ(bench.weight_pairs(), static_cast<unsigned>(pairs));
        }
    }
}

/// The same with Winograd, where padding takes as long as pixels, and no request is too short.
TEST(CdmaSpeed, TilesOneAtomPerCycle) {
    if (!p::winograd_enable) GTEST_SKIP();
    for (const Planes& planes :
         {Planes{56, 56, 64, 1, 1, 1}, Planes{12, 12, 256, 1, 1, 1}, Planes{28, 12, 32, 2, 2, 1},
          Planes{12, 12, 32, 8, 1, 3}, Planes{20, 12, 96, 3, 5, 31}, Planes{8, 12, 32, 6, 1, 0}}) {
        const Program layer = tile_layer(planes);
        const m::CdmaLayer& r = layer.regs;
        Bench bench(Stall::kNone, 1);
        while (bench.read(0x0c) == 0) {
        }
        bench.run({layer});
        const int atoms = r.lines() * r.entries_per_slice * p::atoms_per_entry;
        EXPECT_EQ(bench.tile_writes(), static_cast<std::uint64_t>(atoms));
        // write of OP_EN, bank change, start, two for a request, 8 of memory, first pixels, order
        // and way of a group, lines for CSC, interrupt
        EXPECT_LE(bench.last_interrupt_cycle() - bench.op_enable_cycle(),
                  static_cast<std::uint64_t>(atoms + 30 + 4 * planes.stride_x));
    }
}

/// Layers that are enabled before the flush has ended wait for it.
TEST(CdmaFlush, LayerWaits) {
    Bench bench(Stall::kNone, 1);
    if (bench.cycle() + 50 < p::cbuf_depth) {
        EXPECT_EQ(bench.read(0x0c), 0u);
    }
    bench.run({plain(3, 3, 5)});
    EXPECT_GE(bench.first_request_cycle(), static_cast<std::uint64_t>(p::cbuf_depth));
    EXPECT_EQ(bench.flush_cycles(), static_cast<unsigned>(p::cbuf_depth));
    EXPECT_EQ(bench.read(0x0c), 1u);
}

/// Inputs of all kinds with extreme coefficients and every shift.
TEST(CdmaConvertor, Extremes) {
    Bench bench(Stall::kNone, 1);
    std::vector<Program> layers;
    for (const m::Precision type : types()) {
        if (type == m::Precision::fp16) continue;
        for (const int offset : {-32768, -1, 0, 32767}) {
            for (const int scale : {-32768, -1, 1, 32767}) {
                for (int truncate = offset & 1; truncate < 36; truncate += 2) {
                    Program layer = plain(1024 / p::atom_bytes, 1, 1);
                    layer.regs.in = layer.regs.proc = type;
                    layer.regs.cvt_en = true;
                    layer.regs.cvt_offset = static_cast<std::int16_t>(offset);
                    layer.regs.cvt_scale = static_cast<std::int16_t>(scale);
                    layer.regs.cvt_truncate = truncate;
                    layers.push_back(layer);
                }
            }
        }
    }
    bench.run(layers);
}

/// Lines of each format, stored as each type that it can become, with the convertor and without.
TEST(CdmaImage, EveryFormat) {
    if (!p::image_enable) GTEST_SKIP();
    Bench bench(Stall::kNone, 1);
    std::vector<Program> layers;
    std::uint64_t nan = 0, inf = 0;
    for (int code = 0; code < 36; ++code) {
        m::ImageInput image = random_image(bench.random());
        image.format = code;
        image.x_offset = bench.random().in(0, p::atom_bytes / image.pixels().bytes[0] - 1);
        for (const m::Precision type : types()) {
            const m::Precision in = pixel_type(image);
            if (in == m::Precision::fp16 && type != in) continue;
            for (const bool convert : {false, true}) {
                if (in != type && !convert) continue;
                Program layer = plain(40, 2, 1);
                m::CdmaLayer& r = layer.regs;
                r.is_image = true;
                r.image = image;
                r.in = in;
                r.proc = type;
                r.cvt_en = convert;
                r.cvt_offset = 3;
                r.cvt_scale = 5;
                r.cvt_truncate = 2;
                r.entries_per_slice =
                    m::image_entries_per_slice(p::entry_bytes, image, r.width, type);
                layer.perf = false;
                layers.push_back(layer);
            }
        }
    }
    bench.run(layers);
    for (const m::SpecialCounts& counts : bench.data_counts()) {
        nan += counts.nan;
        inf += counts.inf;
    }
    if (p::fp16) {
        EXPECT_GT(nan, 0u);
        EXPECT_GT(inf, 0u);
    }
}

/// A stored line worked by hand.
TEST(CdmaModel, ImageExample) {
    m::ImageInput image;
    image.format = 14;
    image.pad_left = 1;
    image.pad_value = -7;
    const std::vector<std::uint8_t> memory = {10, 200, 30, 140, 0, 255, 128, 64, 90, 91, 92, 93};
    const auto read = [&](std::uint64_t addr, std::uint8_t* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            to[i] = memory.at(addr + i);
    };
    const std::uint64_t planes[2] = {0, 0};
    const auto line = m::image_line(8, image, {true, 100, 3, 2}, 3, planes, read);
    const std::vector<int> want = {-7,  -7, -7,  -7,  75, -53, 30, -68,
                                   116, 21, -27, -75, -7, -6,  -5, -8};
    ASSERT_EQ(line.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        EXPECT_EQ(static_cast<std::int8_t>(line[i]), want[i]) << i;
    }
}

/// The definition of the convertor against a few values computed by hand.
TEST(CdmaModel, Convertor) {
    EXPECT_EQ(m::cvt(5, 0, 1, 1), 3);
    EXPECT_EQ(m::cvt(-5, 0, 1, 1), -3);
    EXPECT_EQ(m::cvt(4, 0, 1, 1), 2);
    EXPECT_EQ(m::cvt(-3, 0, 1, 1), -2);
    EXPECT_EQ(m::cvt(0, 32767, 1, 0), -128);
    EXPECT_EQ(m::cvt(127, -32768, 32767, 0), 127);
    EXPECT_EQ(m::cvt(127, -32768, -32768, 31), -1);
    EXPECT_EQ(m::cvt(127, -32768, -32768, 32), 0);
    EXPECT_EQ(m::cvt(-128, 0, 1, 63), 0);
}

/// No two atoms of a slice share a place, and all fit into the entries of the slice.
TEST(CdmaModel, PlacesAreDistinct) {
    for (const int q : {1, 2, 4}) {
        m::CdmaSizes s;
        s.entry_bytes = s.atom_bytes * q;
        for (int width = 1; width <= 9; ++width) {
            for (int channels = 1; channels <= 9 * s.atom_bytes; channels += 5) {
                const int entries = m::entries_per_slice(s, width, channels);
                std::vector<bool> used(static_cast<std::size_t>(entries * q));
                for (int a = 0; a < m::surfaces_of(s, channels); ++a) {
                    for (int x = 0; x < width; ++x) {
                        const m::CbufPlace place = m::place_of_atom(s, width, channels, x, a);
                        ASSERT_EQ(place.byte % s.atom_bytes, 0);
                        const auto slot =
                            static_cast<std::size_t>(place.entry * q + place.byte / s.atom_bytes);
                        ASSERT_LT(slot, used.size());
                        ASSERT_FALSE(used[slot]);
                        used[slot] = true;
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace macrame::tb::cdma
