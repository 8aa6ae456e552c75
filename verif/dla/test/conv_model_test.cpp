/// Convolutions of all kinds and types of elements on the golden model of the device against
/// naive loops: random sizes, machines of several sizes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/dla/model/csc.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/test/conv_program.hpp"

namespace macrame::dla::model {
namespace {

using test::NaiveConv;
using test::NamedFormat;
using Program = test::ConvProgram;
using verif::Random;
/// The full design, and small ones of other types.
Architecture full_design() {
    Architecture s{64, 32, 32, 128, 16, 256, 40};
    s.int16 = s.fp16 = s.winograd = s.batch = s.compression = true;
    return s;
}
Architecture small_integers() {
    Architecture s{16, 16, 16, 32, 32, 512, 32};
    s.int16 = s.batch = s.compression = true;
    return s;
}
Architecture small_fp16() {
    Architecture s{8, 8, 16, 16, 32, 512, 32};
    s.int8 = false;
    s.fp16 = s.batch = s.compression = true;
    return s;
}

// ---- what to compute

int random_fp16(Random& rnd) {
    if (rnd.chance(3)) return rnd.pick({0x7C00, 0xFC00, 0x7E01, 0xFD55, 1, 0x8001, 0x7BFF, 0x8000});
    if (rnd.chance(15)) return 0;
    return (rnd.chance(90) ? rnd.in(0x2800, 0x4600) : rnd.in(0, 0x7BFF)) |
           (rnd.chance(50) ? 0x8000 : 0);
}

int random_element(Random& rnd, Precision type) {
    if (type == Precision::fp16) return static_cast<std::int16_t>(random_fp16(rnd));
    const int top = type == Precision::int8 ? 127 : 32767;
    if (rnd.chance(10)) return rnd.pick({-top - 1, top, 0, -1});
    return rnd.in(-top - 1, top);
}

/// Padding behind the last window, so that it ends with the line.
int fitted(int in, int front, int span, int stride) {
    const int rest = (in + front - span) % stride;
    return in + front < span ? span - in - front : rest == 0 ? 0 : stride - rest;
}

void random_cube(Random& rnd, NaiveConv& c) {
    c.width = rnd.low(1, 12);
    c.height = rnd.low(1, 8);
    c.channels = rnd.chance(30) ? c.atomic_c * rnd.in(1, 2) : rnd.low(1, 2 * c.atomic_c + 9);
    c.s = rnd.in(1, 4);
    c.r = rnd.in(1, 4);
    c.dx = rnd.chance(30) ? rnd.in(2, 3) : 1;
    c.dy = rnd.chance(30) ? rnd.in(2, 3) : 1;
    c.sx = rnd.chance(40) ? rnd.in(1, 4) : 1;
    c.sy = rnd.chance(40) ? rnd.in(1, 4) : 1;
    c.left = rnd.in(0, (c.s - 1) * c.dx);
    c.top = rnd.in(0, (c.r - 1) * c.dy);
    c.right = fitted(c.width, c.left, (c.s - 1) * c.dx + 1, c.sx);
    c.bottom = fitted(c.height, c.top, (c.r - 1) * c.dy + 1, c.sy);
}

void random_winograd(Random& rnd, NaiveConv& c) {
    c.sx = rnd.pick({1, 1, 2, 3});
    c.sy = rnd.pick({1, 1, 2, 3});
    c.left = rnd.in(0, c.sx);
    c.right = rnd.in(0, 5);
    c.top = rnd.in(0, c.sy);
    c.bottom = rnd.in(0, 5);
    c.width = 4 * rnd.in(3, 5) * c.sx - c.left - c.right;
    c.height = 4 * rnd.in(3, 4) * c.sy - c.top - c.bottom;
    c.channels = rnd.in(1, 40);
    c.pra_truncate = rnd.in(0, 3);
}

bool random_pixels(Random& rnd, Program& p) {
    NaiveConv& c = p.c;
    const NamedFormat& pixels = p.pixels();
    const bool is_float = p.format == 5 || p.format == 8 || p.format == 11;
    const bool bytes =
        p.format == 0 || (p.format >= 12 && p.format < 20) || (p.format >= 26 && p.format < 30);
    c.in = is_float ? Precision::fp16 : bytes ? Precision::int8 : Precision::int16;
    if (is_float && c.proc != Precision::fp16) return false;
    random_cube(rnd, c);
    c.channels = pixels.components;
    c.width = rnd.in(1, 24);
    c.s = rnd.in(1, 5);
    c.dx = c.dy = 1;
    c.left = rnd.in(0, c.s - 1);
    c.right = fitted(c.width, c.left, c.s, c.sx);
    c.top = rnd.in(0, c.r - 1);
    c.bottom = fitted(c.height, c.top, c.r, c.sy);
    c.cvt = c.in != c.proc || rnd.chance(60);
    c.has_sign = rnd.chance(50);
    c.mean_on = rnd.chance(50);
    p.x_offset = rnd.in(0, c.atom_bytes / pixels.bytes[0] - 1);
    for (const int rows : {2, 4}) {
        const int share = c.atomic_c / rows;
        if (rnd.chance(50) && c.channels * c.s <= share && c.sx * c.channels <= share) {
            c.rows_together = rows;
        }
    }
    return true;
}

/// A component of a pixel has the bits of its format only.
int random_component(Random& rnd, const Program& p, int component) {
    if (p.c.in == Precision::fp16) return random_element(rnd, p.c.in);
    const int bits = p.pixels().at[static_cast<std::size_t>(component)].bits;
    const int value = rnd.in(0, (1 << bits) - 1);
    return p.pixels().packed() ? value << (16 - bits) : value;
}

void random_data(Random& rnd, Program& p) {
    NaiveConv& c = p.c;
    c.data.clear();
    for (int i = 0; i < c.batches * c.height * c.width * c.channels; ++i) {
        c.data.push_back(c.image() ? random_component(rnd, p, i % c.channels)
                                   : random_element(rnd, c.in));
    }
}

void random_weights(Random& rnd, Program& p) {
    NaiveConv& c = p.c;
    c.weights.clear();
    const int zeros = c.compressed ? rnd.pick({0, 50, 95, 100}) : 10;
    for (int k = 0; k < c.kernels; ++k) {
        for (int i = 0; i < c.kernel_weights(); ++i) {
            const int channel = i / (c.kernel_rows() * c.kernel_columns());
            const bool none = c.winograd() && channel % c.padded_channels() >= c.channels;
            c.weights.push_back(none || rnd.chance(zeros) ? 0 : random_element(rnd, c.proc));
        }
    }
}

void random_values(Random& rnd, Program& p) {
    NaiveConv& c = p.c;
    c.cdma_pad = random_element(rnd, c.proc);
    c.csc_pad = random_element(rnd, c.proc);
    c.offset = rnd.in(-300, 300);
    c.scale = rnd.in(-3000, 3000);
    c.shift = rnd.in(0, 16);
    for (int& mean : c.mean)
        mean = rnd.in(-300, 300);
    c.nan_to_zero = rnd.chance(50);
    random_data(rnd, p);
    random_weights(rnd, p);
    const int taps = c.kernel_weights(), bits = c.proc == Precision::int8 ? 14 : 30;
    int log = 0;
    while (1 << log < taps)
        ++log;
    c.truncate = rnd.chance(30) ? 0 : std::min(16, std::max(0, bits + log / 2 - 15));
}

/// A layer of that mode; format of pixels, or -1.
Program random_program(Random& rnd, const Architecture& sizes, Precision proc, NaiveConv::Mode mode,
                       int format = 12) {
    Program p;
    do {
        p = {};
        p.format = format;
        NaiveConv& c = p.c;
        c.mode = mode;
        c.in = c.proc = proc;
        c.atomic_c = sizes.atomic_c;
        c.group = sizes.elements(proc);
        c.atom_bytes = sizes.atom_bytes;
        c.kernels = rnd.chance(30)   ? c.group * rnd.in(1, 2)
                    : rnd.chance(40) ? c.group * rnd.in(3, 5) + rnd.in(0, 3)
                                     : rnd.low(1, 2 * c.group + 3);
        c.compressed = sizes.compression && rnd.chance(30);
        if (c.image() && !random_pixels(rnd, p)) return p;
        if (c.winograd()) random_winograd(rnd, c);
        if (mode == NaiveConv::Mode::cube) {
            random_cube(rnd, c);
            if (rnd.chance(40)) c.batches = rnd.low(1, 9);
            c.cvt = proc != Precision::fp16 && rnd.chance(20);
        }
    } while (p.c.right > 31 || p.c.bottom > 31 || !p.fits(sizes) ||
             (p.c.batches > 1 && p.c.out_width() * p.c.out_height() == 1) ||
             std::int64_t{1} * p.c.out_width() * p.c.out_height() * p.c.batches * p.c.kernels *
                     p.c.kernel_weights() >
                 600000);
    random_values(rnd, p);
    return p;
}

// ---- tests

/// Counts of what the layers brought about, so that a test cannot pass on nothing.
struct Seen {
    int layers = 0, saturated = 0, special = 0, wrapped = 0;
    int in_steps = 0;  ///< layers whose operations were looked at one by one
};

/// The words that the operations of CSC, beat by beat, add up to: [position][batch][kernel].
template <class Mac>
std::vector<std::int32_t> words_of_steps(const Mac& mac, const Architecture& sizes,
                                         const ConvLayer& layer, const CbufImage& cbuf) {
    const int group = sizes.elements(layer.precision), results = layer.is_winograd ? 4 : 1;
    const auto lanes = static_cast<std::size_t>(sizes.atomic_c);
    const int depth = sizes.cbuf_depth;
    GroupStream all{{cbuf, layer.data_banks * depth, layer.weight_banks * depth, 0},
                    {cbuf, (sizes.cbuf_banks - 1) * depth, depth, 0}};
    all.count = layer.kernels * layer.kernel_elements();
    all.compressed = layer.compressed;
    const Elements stream = all.expand(layer.precision);
    const auto byte = [&](int slice, CbufPlace place) {
        return cbuf.entry(slice * layer.entries_per_slice + place.entry)[place.byte];
    };
    std::vector<TileOf<typename Mac::Acc>> acc(
        static_cast<std::size_t>(places_of(layer) * layer.batches * layer.kernels));
    for_each_step(layer, {sizes.atomic_c, group, group, 2 * group}, [&](const CscStep& s) {
        for (int i = 0; i < s.length * layer.batches; ++i) {
            const int place = s.position + i / layer.batches, batch = i % layer.batches;
            const Elements data =
                operation_data(sizes.cdma(), sizes.atomic_c, layer, s, place, byte, batch);
            for (int k = 0; k < s.kernels; ++k) {
                Elements w(lanes);
                for (int row = 0; row < s.rows; ++row) {
                    const auto from = weight_offset(layer, group, s, k, row);
                    std::copy_n(stream.begin() + from / bytes_of(layer.precision), s.lanes,
                                w.begin() + first_lane(layer, sizes.atomic_c, row));
                }
                auto& sum = acc[static_cast<std::size_t>(
                    (place * layer.batches + batch) * layer.kernels + s.group * group + k)];
                if (s.first) sum = {};
                if (layer.is_winograd) {
                    mac.add_tile(sum, data.data(), w.data());
                } else {
                    sum[0] = mac.add(sum[0], data.data(), w.data(), lanes);
                }
            }
        }
    });
    std::vector<std::int32_t> out;
    for (const auto& sum : acc) {
        for (int i = 0; i < results; ++i)
            out.push_back(mac.finish(sum[static_cast<std::size_t>(i)], layer.truncate).value);
    }
    return out;
}

void check_steps(const Program& p, const Architecture& sizes, const ConvLayer& layer,
                 const CbufImage& cbuf) {
    const auto words = layer.precision == Precision::fp16
                           ? words_of_steps(Fp16Mac{}, sizes, layer, cbuf)
                           : words_of_steps(IntegerMac{layer.precision}, sizes, layer, cbuf);
    std::size_t next = 0;
    for (int place = 0; place < places_of(layer); ++place) {
        for (int i = 0; i < layer.batches * layer.kernels * (layer.is_winograd ? 4 : 1); ++i) {
            int x = place % layer.out_width, y = place / layer.out_width;
            int batch = i / layer.kernels, kernel = i % layer.kernels;
            if (layer.is_winograd) {
                x = tile_corner(layer, place).x + i % 2;
                y = tile_corner(layer, place).y + i / 2 % 2;
                batch = 0;
                kernel = i / 4;
            }
            ASSERT_EQ(words[next++], p.c.output(batch, kernel, y, x).value)
                << "place " << place << " result " << i;
        }
    }
}

/// Runs a program on a device of its own; `steps`: looks at its operations, if all weights are
/// still in the buffer then. True: it has done so.
bool run_alone(Random& rnd, const Architecture& sizes, Program& p, bool steps) {
    SCOPED_TRACE(p.text());
    verif::Memory memory("pri_mem");
    Device device(sizes, memory);
    p.load(rnd, sizes, memory);
    p.write_registers(device);
    const ConvLayer layer = device.find<CscUnit>("CSC")->layer();
    for (int i = 0; i < 100; ++i)
        device.advance(1);
    EXPECT_EQ(device.violations(), std::vector<std::string>());
    p.check_output(memory);
    p.check_counters(device);
    if (!steps || p.weights_wrap(sizes) || p.masks_wrap(sizes)) return false;
    check_steps(p, sizes, layer, device.find<CdmaUnit>("CDMA")->cbuf());
    return true;
}

/// Every other device has a small buffer, in which weights go round.
void run_random(Architecture sizes, Precision proc, NaiveConv::Mode mode, int format, unsigned seed,
                Seen& seen) {
    if (seed % 2 == 0) sizes.cbuf_depth = sizes.atomic_c < 64 ? 24 : 64;
    SCOPED_TRACE("seed " + std::to_string(seed) + " format " + std::to_string(format));
    Random rnd(seed);
    Program p = random_program(rnd, sizes, proc, mode, format);
    if (p.c.data.empty()) return;  // a format that the type does not take
    seen.in_steps += run_alone(rnd, sizes, p, seed % 3 == 0) ? 1 : 0;
    ++seen.layers;
    seen.wrapped += p.weights_wrap(sizes) ? 1 : 0;
    seen.saturated += p.saturated > 0 ? 1 : 0;
    seen.special += p.data_counts.nan + p.weight_counts.nan > 0 ? 1 : 0;
}

struct Kind {
    const char* name;
    Architecture sizes;
    Precision proc;
};

class ConvModel : public ::testing::TestWithParam<Kind> {
protected:
    void run(NaiveConv::Mode mode, int count, Seen& seen) {
        for (unsigned seed = 1; seed <= static_cast<unsigned>(count) && !HasFailure(); ++seed)
            run_random(GetParam().sizes, GetParam().proc, mode, 12, seed, seen);
    }
};

TEST_P(ConvModel, Cubes) {
    Seen seen;
    run(NaiveConv::Mode::cube, 60, seen);
    EXPECT_GT(seen.layers, 50);
    EXPECT_GE(seen.wrapped, 5);
    EXPECT_GE(seen.in_steps, 10);
    if (GetParam().proc == Precision::fp16) {
        EXPECT_GT(seen.special, 10);
    }
    if (GetParam().proc == Precision::int16) {
        EXPECT_GT(seen.saturated, 3);
    }
}

/// Configurations that have it.
class WinogradModel : public ConvModel {};

TEST_P(WinogradModel, Tiles) {
    Seen seen;
    run(NaiveConv::Mode::winograd, 25, seen);
    EXPECT_GT(seen.layers, 20);
    EXPECT_GE(seen.in_steps, 4);
}

TEST_P(ConvModel, PixelsOfAllFormats) {
    Seen seen;
    for (int format = 0; format < 36; ++format) {
        for (unsigned seed = 1; seed <= 3 && !HasFailure(); ++seed) {
            run_random(GetParam().sizes, GetParam().proc, NaiveConv::Mode::image, format,
                       seed * 100 + static_cast<unsigned>(format), seen);
        }
    }
    EXPECT_GE(seen.layers, GetParam().proc == Precision::fp16 ? 108 : 99);
    EXPECT_GE(seen.in_steps, 20);
}

/// Masks of compressed weights go round in their bank.
TEST_P(ConvModel, MasksGoRound) {
    Architecture sizes = GetParam().sizes;
    sizes.cbuf_depth = 8;
    for (unsigned seed = 1; seed <= 8 && !HasFailure(); ++seed) {
        Random rnd(seed);
        Program p;
        NaiveConv& c = p.c;
        c.in = c.proc = GetParam().proc;
        c.atomic_c = c.channels = sizes.atomic_c;
        c.group = sizes.elements(c.proc);
        c.atom_bytes = sizes.atom_bytes;
        c.kernels = 7 * c.group + rnd.in(0, 5);
        c.width = c.s = 3;
        c.height = c.r = 1;
        c.compressed = true;
        ASSERT_TRUE(p.fits(sizes));
        random_values(rnd, p);
        run_alone(rnd, sizes, p, false);
        EXPECT_TRUE(p.masks_wrap(sizes));
    }
}

/// A layer that may use the weights or the data of the layer before.
Program random_successor(Random& rnd, const Architecture& sizes, Precision proc, Program* before) {
    const int kind = before == nullptr ? 3 : rnd.in(0, 3);
    if (kind == 3) {
        const auto mode = sizes.winograd && rnd.chance(30) ? NaiveConv::Mode::winograd
                          : rnd.chance(40)                 ? NaiveConv::Mode::image
                                                           : NaiveConv::Mode::cube;
        const int format = proc == Precision::int8 || rnd.chance(50) ? 12 : 6;
        return random_program(rnd, sizes, proc, mode, format);
    }
    Program p = *before;
    p.weight_reuse = before->skip_weight = kind != 1;
    p.data_reuse = before->skip_data = kind != 0;
    if (!p.data_reuse) random_data(rnd, p);
    if (!p.weight_reuse) {
        p.c.kernels = rnd.in(1, p.c.kernels + 3);
        random_weights(rnd, p);
    }
    return p;
}

/// Layers on one device, in turn in both register groups: rings go on where the layer before has
/// ended, and over their ends; what is kept is not read again.
TEST_P(ConvModel, Sequences) {
    Architecture sizes = GetParam().sizes;
    sizes.cbuf_depth = 128;
    for (unsigned seed = 1; seed <= 8 && !HasFailure(); ++seed) {
        Random rnd(seed);
        std::vector<Program> programs;
        for (int i = 0; i < 12; ++i) {
            programs.push_back(random_successor(rnd, sizes, GetParam().proc,
                                                programs.empty() ? nullptr : &programs.back()));
            programs.back().group = i % 2;
        }
        Program::Banks banks;
        verif::Memory memory("pri_mem");
        for (Program& p : programs) {
            p.load(rnd, sizes, memory);
            banks.data = std::max(banks.data, p.banks.data);
            banks.weights = std::max(banks.weights, p.banks.weights);
        }
        Device device(sizes, memory);
        for (Program& p : programs) {
            SCOPED_TRACE("seed " + std::to_string(seed) + " " + p.text());
            p.banks = banks;
            p.load(rnd, sizes, memory);
            p.write_registers(device);
            for (int i = 0; i < 100; ++i)
                device.advance(1);
            p.check_output(memory);
            p.check_counters(device);
        }
        EXPECT_EQ(device.violations(), std::vector<std::string>());
    }
}

/// What a configuration has not is named, and the layer does not run.
TEST(ConvDevice, FeaturesThatAreNotBuilt) {
    const auto complaint = [](const Architecture& sizes, auto change) {
        Random rnd(1);
        Program p = random_program(rnd, full_design(), Precision::int8, NaiveConv::Mode::cube);
        p.c.batches = 1;
        p.c.compressed = false;
        verif::Memory memory("pri_mem");
        Device device(sizes, memory);
        p.load(rnd, full_design(), memory);
        change(p.c);  // of the registers: memory has what was drawn
        p.write_registers(device);
        for (int i = 0; i < 10; ++i)
            device.advance(1);
        return device.violations().empty() ? std::string() : device.violations().front();
    };
    Architecture plain = full_design();
    plain.fp16 = plain.winograd = plain.batch = plain.compression = false;
    EXPECT_EQ(complaint(plain, [](NaiveConv& c) { c.in = c.proc = Precision::fp16; }),
              "CDMA: PROC_PRECISION has a type that is not built");
    EXPECT_EQ(complaint(plain, [](NaiveConv& c) { c.mode = NaiveConv::Mode::winograd; }),
              "CDMA: Winograd is not built");
    EXPECT_EQ(complaint(plain, [](NaiveConv& c) { c.compressed = true; }),
              "CDMA: compressed weights are not built");
    EXPECT_EQ(complaint(full_design(), [](NaiveConv& c) { c.in = Precision::int16; }),
              "CDMA: IN_PRECISION and PROC_PRECISION differ: want pixels of integers and CVT_EN");
    EXPECT_EQ(complaint(full_design(), [](NaiveConv&) {}), "");
}

const Kind kFull[] = {{"full_int8", full_design(), Precision::int8},
                      {"full_int16", full_design(), Precision::int16},
                      {"full_fp16", full_design(), Precision::fp16}};
const Kind kSmall[] = {{"small_int8", small_integers(), Precision::int8},
                       {"small_int16", small_integers(), Precision::int16},
                       {"small_fp16", small_fp16(), Precision::fp16}};

std::string name_of(const ::testing::TestParamInfo<Kind>& kind) { return kind.param.name; }

INSTANTIATE_TEST_SUITE_P(Full, ConvModel, ::testing::ValuesIn(kFull), name_of);
INSTANTIATE_TEST_SUITE_P(Small, ConvModel, ::testing::ValuesIn(kSmall), name_of);
INSTANTIATE_TEST_SUITE_P(Full, WinogradModel, ::testing::ValuesIn(kFull), name_of);

}  // namespace
}  // namespace macrame::dla::model
