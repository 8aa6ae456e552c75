#include "random_rubik.hpp"

#include <algorithm>
#include <vector>

#include "dla_regs.hpp"
#include "verif/dla/model/precision.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;
using dla::model::Precision;

enum Mode { kContract, kSplit, kMerge };

/// A cube in memory, as features or as planes.
struct Block {
    std::uint64_t base = 0, size = 0;
    std::uint32_t line = 0, surface = 0;  // surface: or plane
};

struct Layer {
    Mode mode = kContract;
    Precision precision = Precision::int8;
    int elements = 8;  // of an atom
    int width = 1, height = 1, channels = 1;
    int stride_x = 1, stride_y = 1;
    Block in, out;

    int surfaces() const { return (channels + elements - 1) / elements; }
};

int round_up(int value, int to) { return (value + to - 1) / to * to; }

/// Strides with random gaps.
Block place(ProgramBuilder& b, int line_bytes, int lines, int surfaces, int align) {
    const auto gap = [&](int most) { return b.random.chance(50) ? 0 : b.random.low(1, most); };
    Block block;
    const int line = round_up(line_bytes, align) + align * gap(3);
    const int surface = line * lines + align * gap(4);
    block.line = static_cast<std::uint32_t>(line);
    block.surface = static_cast<std::uint32_t>(surface);
    block.size = static_cast<std::uint64_t>(surface) * static_cast<unsigned>(surfaces);
    return block;
}

Block features(ProgramBuilder& b, int width, int height, int surfaces) {
    return place(b, width * b.sizes.atom_bytes, height, surfaces, 32);
}

/// Where the atom has 32 bytes, the documents want planes aligned to 64.
Block planes(ProgramBuilder& b, const Layer& l) {
    const int bytes = dla::model::bytes_of(l.precision);
    return place(b, round_up(l.width * bytes, b.sizes.atom_bytes), l.height, l.channels,
                 b.sizes.atom_bytes == 32 ? 64 : 32);
}

void choose_type(ProgramBuilder& b, Layer& l) {
    std::vector<Precision> types;
    for (const Precision p : {Precision::int8, Precision::int16, Precision::fp16}) {
        if (b.sizes.has(p)) types.push_back(p);
    }
    l.precision =
        types[static_cast<std::size_t>(b.random.in(0, static_cast<int>(types.size()) - 1))];
    l.elements = b.sizes.elements(l.precision);
}

void choose_contract(ProgramBuilder& b, Layer& l) {
    constexpr int kMost = 8192;  // channels of the input, columns of the output
    for (;;) {
        l.width = b.chance_of_huge() ? b.random.in(200, 2000) : b.random.low(1, 16);
        l.height = l.width >= 200 ? 1 : b.random.low(1, 6);
        l.channels = b.random.low(1, 3 * l.elements);
        l.stride_x = b.random.mostly(1, 4, 5, 32);
        l.stride_y = b.random.mostly(1, 4, 5, 32);
        const int pixels = l.stride_x * l.stride_y;
        if (l.width * l.stride_x > kMost || l.surfaces() * l.elements * pixels > kMost) continue;
        const int atoms = l.width * l.height * l.surfaces() * pixels;
        if (l.width >= 200 ? atoms <= 4000
                           : atoms * b.sizes.atom_bytes <= 4 * b.options.max_elements)
            break;
    }
    l.in = features(b, l.width, l.height, l.surfaces() * l.stride_x * l.stride_y);
    l.out = features(b, l.width * l.stride_x, l.height * l.stride_y, l.surfaces());
}

void choose_reshape(ProgramBuilder& b, Layer& l) {
    do {
        const bool huge = b.chance_of_huge();
        l.width = huge                  ? b.random.in(200, 1500)
                  : b.random.chance(20) ? l.elements * b.random.in(1, 4)
                                        : b.random.low(1, 4 * l.elements);
        l.height = huge ? 1 : b.random.low(1, 6);
        l.channels = b.random.low(1, huge ? 4 : 3 * l.elements);
    } while (l.width < 200 && l.width * l.height * l.channels > b.options.max_elements);
    const Block cube = features(b, l.width, l.height, l.surfaces());
    const Block plane = planes(b, l);
    l.in = l.mode == kSplit ? cube : plane;
    l.out = l.mode == kSplit ? plane : cube;
}

void rubik_registers(ProgramBuilder& b, const Layer& l) {
    namespace r = regs::rubik;
    const bool contract = l.mode == kContract;
    const int in_channels =
        contract ? l.surfaces() * l.elements * l.stride_x * l.stride_y : l.channels;
    b.put(
        r::D_MISC_CFG(0).RUBIK_MODE(l.mode).IN_PRECISION(static_cast<std::uint32_t>(l.precision)));
    b.put(r::D_DAIN_RAM_TYPE(b.ram_type(l.in.base)));
    b.put(r::D_DATAIN_SIZE_0(0).DATAIN_WIDTH(minus1(l.width)).DATAIN_HEIGHT(minus1(l.height)));
    b.put(r::D_DATAIN_SIZE_1(minus1(in_channels)));
    b.put(r::D_DAIN_ADDR_HIGH(high_of(l.in.base)));
    b.put(r::D_DAIN_ADDR_LOW(low_of(l.in.base)));
    b.put(r::D_DAIN_LINE_STRIDE(l.in.line));
    b.put(r::D_DAOUT_RAM_TYPE(b.ram_type(l.out.base)));
    b.put(r::D_DATAOUT_SIZE_1(minus1(l.channels)));
    b.put(r::D_DAOUT_ADDR_HIGH(high_of(l.out.base)));
    b.put(r::D_DAOUT_ADDR_LOW(low_of(l.out.base)));
    b.put(r::D_DAOUT_LINE_STRIDE(l.out.line));
    if (l.mode == kMerge) {
        b.put(r::D_DAIN_PLANAR_STRIDE(l.in.surface));
    } else {
        b.put(r::D_DAIN_SURF_STRIDE(l.in.surface));
    }
    if (l.mode == kSplit) {
        b.put(r::D_DAOUT_PLANAR_STRIDE(l.out.surface));
    } else {
        b.put(r::D_DAOUT_SURF_STRIDE(l.out.surface));
    }
    if (contract) {
        b.put(r::D_CONTRACT_STRIDE_0(l.in.surface * static_cast<std::uint32_t>(l.surfaces())));
        b.put(r::D_CONTRACT_STRIDE_1(l.out.line * static_cast<std::uint32_t>(l.stride_y)));
        b.put(r::D_DECONV_STRIDE(0)
                  .DECONV_X_STRIDE(minus1(l.stride_x))
                  .DECONV_Y_STRIDE(minus1(l.stride_y)));
    }
    b.put(r::D_PERF_ENABLE(b.random.word() & 1u));
}

/// Splits what the layer before wrote, if its cube lies as RUBIK wants it.
bool split_result(ProgramBuilder& b, Layer& l) {
    const Cube& cube = *b.result();
    if (((cube.base | cube.line_stride | cube.surface_stride) & 31u) != 0) return false;
    if (l.precision != cube.type || cube.pairs || l.width >= 8192) return false;
    l.width = cube.width;
    l.height = cube.height;
    l.channels = cube.channels;
    l.in = {cube.base, cube.size, cube.line_stride, cube.surface_stride};
    l.out = planes(b, l);
    if (l.out.size > (std::uint64_t{1} << 22)) return false;
    b.wait_layer(cube.layer);
    return true;
}

}  // namespace

void make_rubik(ProgramBuilder& b) {
    constexpr const char* kNames[] = {"contract", "split", "merge"};
    Layer l;
    l.mode = !b.sizes.rubik_reshape || (b.sizes.rubik_contract && b.random.chance(40)) ? kContract
             : b.random.chance(50)                                                     ? kSplit
                                                                                       : kMerge;
    choose_type(b, l);
    const bool behind = l.mode == kSplit && b.result() != nullptr && b.random.chance(50);
    if (!behind || !split_result(b, l)) {
        if (l.mode == kContract) {
            choose_contract(b, l);
        } else {
            choose_reshape(b, l);
        }
        l.in.base = b.load_random(l.in.size, 64, b.any_port(), b.any_noise());
    }
    l.out.base = b.guarded(l.out.size, b.any_port());
    const int group = b.take(Unit::rubik);
    rubik_registers(b, l);
    b.expect("RUBIK", 8, group);
    b.enable(Unit::rubik);
    b.describe(std::string("rubik ") + kNames[l.mode] + " " + std::to_string(l.width) + "x" +
               std::to_string(l.height) + "x" + std::to_string(l.channels) +
               (l.mode == kContract
                    ? " by " + std::to_string(l.stride_x) + "x" + std::to_string(l.stride_y)
                    : ""));
}

}  // namespace macrame::dla::stimulus
