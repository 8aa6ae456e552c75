#pragma once
/// The instruction sequences of the ShaktiMAAN slides and their reference versions: 32 x 32 array,
/// 16-bit outputs, 8 x 8 pixels.

#include <string>
#include <vector>

#include "verif/systolic/isa/sram_map.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic::test {

constexpr int kSide = 32;             // of the array
constexpr int kImage = 8;             // height and width of inputs and outputs
constexpr int kPixels = kImage * kImage;
constexpr std::int64_t kInputAt = 0x10000;
constexpr std::int64_t kWeightsAt = 0x20000;
constexpr std::int64_t kOutputAt = 0x40000;

inline Flags flags_of(const std::string& bits) {
    Flags out;
    for (std::size_t i = 0; i < kFlags.size(); ++i)
        out.*kFlags[i].flag = bits.at(i) == '1';
    return out;
}

inline Architecture slide_architecture(int ibuf, int wbuf, int obuf) {
    Architecture a;
    a.rows = a.columns = kSide;
    a.accumulator_width = 16;
    a.ibuf_entries = ibuf;
    a.wbuf_entries = wbuf;
    a.obuf_entries = obuf;
    return a;
}

/// Builds a program instruction by instruction, in the order of the stream.
class SlideProgram {
public:
    /// `kernel` is the side of the filters; padded so that outputs have the size of inputs.
    SlideProgram(const Architecture& a, int kernel, int channels, int filters)
        : a_(a), kernel_(kernel), channels_(channels), filters_(filters) {}

    const Architecture& architecture() const { return a_; }
    const Program& program() const { return program_; }

    /// All pixels of a channel fold to an entry of IBUF.
    void load_input(const std::string& flags, int c, int entry) {
        Transfer t;
        t.dram_address = kInputAt + c * kSide;
        t.sram_address = sram_address(a_, {Buffer::ibuf, entry, 0});
        t.x_size = t.y_size = kImage;
        t.z_size = kSide;
        t.z_stride = t.y_stride = channels_;
        t.bitwidth = 1;
        add(Module::load, flags).transfer = t;
    }
    /// All taps of a channel fold and a filter fold to an entry of WBUF.
    void load_weights(const std::string& flags, int m, int c, int entry) {
        load_rows(flags, kWeightsAt + std::int64_t{c} * kSide * filters_ + m * kSide, entry,
                  kernel_ * kernel_, kSide, filters_, (channels_ - kSide + 1) * filters_);
    }
    /// Rows of filters that lie back to back.
    void load_rows(const std::string& flags, int taps, int rows) {
        load_rows(flags, kWeightsAt, 0, taps, rows, kSide, kSide);
    }

    struct Fold {
        int input = 0;    ///< entry of IBUF of pixel (0, 0)
        int weights = 0;  ///< entry of WBUF of the first tap
        int taps_apart = kSide;
        int output = 0;  ///< entry of OBUF
        bool preload = false;
        int from_row = 0;  ///< output rows
        int rows = kImage;
    };
    /// All taps; flags of the first and of the last one.
    void gemm(const std::string& first, const std::string& last, const Fold& fold) {
        const int taps = kernel_ * kernel_;
        const int pad = (kernel_ - 1) / 2;  // 3: on all sides, 2: bottom and right
        for (int tap = 0; tap < taps; ++tap) {
            const int r = tap / kernel_ - pad, s = tap % kernel_ - pad;
            Gemm g;
            const int at = fold.input + (fold.from_row + r) * kImage + s;
            g.input_address = (at + a_.ibuf_entries) % a_.ibuf_entries;
            g.output_address = fold.output;
            g.weight_address = fold.weights + tap * fold.taps_apart;
            g.ofmap_height = fold.rows;
            g.ofmap_width = kImage;
            g.active_rows = g.active_cols = kSide;
            g.stride_h = kImage;
            g.stride_w = 1;
            g.pad_top = fold.from_row == 0 && r < 0 ? 1 : 0;
            g.pad_bottom = fold.from_row + fold.rows == kImage && r > 0 ? 1 : 0;
            g.pad_left = s < 0 ? 1 : 0;
            g.pad_right = s > 0 ? 1 : 0;
            g.preload_output = fold.preload || tap > 0 ? 1 : 0;
            add(Module::gemm, tap == 0          ? first
                              : tap + 1 == taps ? last
                                                : "0000")
                .gemm = g;
        }
    }

    /// ReLU, or an addition, in place.
    void alu(const std::string& flags, AluOp op, int entry, int rows = kImage) {
        Alu alu;
        alu.alu_opcode = static_cast<int>(op);
        alu.input_address = alu.output_address = entry;
        alu.output_height = rows;
        alu.output_width = kImage;
        alu.window_height = alu.window_width = 1;
        alu.mem_stride_ow = kImage;
        alu.mem_stride_r = 1;
        alu.num_active = kSide;
        alu.use_immediate = 1;
        add(Module::alu, flags).alu = alu;
    }
    void nop(const std::string& flags) { add(Module::alu, flags); }

    void store(const std::string& flags, int m, int entry, int from_row = 0, int rows = kImage) {
        Transfer t;
        t.dram_address = kOutputAt + 2 * (from_row * kImage * filters_ + m * kSide);
        t.sram_address = sram_address(a_, {Buffer::obuf, entry, 0});
        t.x_size = rows;
        t.y_size = kImage;
        t.z_size = kSide;
        t.z_stride = t.y_stride = filters_;
        add(Module::store, flags).transfer = t;
    }

private:
    void load_rows(const std::string& flags, std::int64_t address, int entry, int taps, int rows,
                   int z_stride, int y_stride) {
        Transfer t;
        t.dram_address = address;
        t.sram_address = sram_address(a_, {Buffer::wbuf, entry, 0});
        t.x_size = taps;
        t.y_size = rows;
        t.z_size = kSide;
        t.z_stride = z_stride;
        t.y_stride = y_stride;
        t.bitwidth = 1;
        add(Module::load, flags).transfer = t;
    }

    Instruction& add(Module module, const std::string& flags) {
        program_.emplace_back();
        program_.back().module = module;
        program_.back().flags = flags_of(flags);
        return program_.back();
    }

    Architecture a_;
    int kernel_, channels_, filters_;
    Program program_;
};

// ---- 3 x 3 taps

/// 64 channels to 32 filters. Without room for both channel folds in IBUF the second load waits.
inline SlideProgram example1(bool small_ibuf) {
    SlideProgram p(slide_architecture(small_ibuf ? kPixels : 2 * kPixels, 576, kPixels), 3, 64, 32);
    const int second = small_ibuf ? 0 : kPixels;
    p.load_rows("0000", 9, 64);
    p.load_input("0001", 0, 0);
    if (!small_ibuf) p.load_input("0001", 1, second);
    p.gemm("1000", small_ibuf ? "0100" : "0000", {0, 0, 64});
    if (small_ibuf) p.load_input("0011", 1, second);
    p.gemm("1000", "0001", {second, kSide, 64, 0, true});
    p.alu("1000", AluOp::max, 0);
    p.alu("0001", AluOp::add, 0);
    p.store("1000", 0, 0);
    return p;
}

/// 32 channels to 64 filters, all fits.
inline SlideProgram example2() {
    SlideProgram p(slide_architecture(kPixels, 576, 2 * kPixels), 3, 32, 64);
    p.load_rows("0000", 18, 32);  // 9 taps of 32 filters, then of the others
    p.load_input("0001", 0, 0);
    for (int m = 0; m < 2; ++m) {
        p.gemm(m == 0 ? "1000" : "0000", "0001", {0, m * 9 * kSide, kSide, m * kPixels});
        p.alu("1000", AluOp::max, m * kPixels);
        p.alu("0001", AluOp::add, m * kPixels);
        p.store("1000", m, m * kPixels);
    }
    return p;
}

enum class SmallBuffers { weights, slide_a, slide_b, slide_b_corrected };

/// With room for the weights of one filter fold only, and in the slides A and B for its outputs.
inline SlideProgram example2_small(SmallBuffers which) {
    const bool weights_only = which == SmallBuffers::weights;
    const bool slide_b = which == SmallBuffers::slide_b || which == SmallBuffers::slide_b_corrected;
    const int outputs = weights_only ? 2 * kPixels : kPixels;
    SlideProgram p(slide_architecture(kPixels, 9 * kSide, outputs), 3, 32, 64);
    const int second = weights_only ? kPixels : 0;
    p.load_weights("0000", 0, 0, 0);
    p.load_input("0001", 0, 0);
    p.gemm("1000", "0101", {});
    if (slide_b) {
        p.alu("1001", AluOp::max, 0);
        p.store("1100", 0, 0);
        p.nop("0110");
    } else {
        p.alu("1000", AluOp::max, 0);
        p.alu(weights_only ? "0001" : "0101", AluOp::add, 0);
        p.store("1000", 0, 0);
    }
    p.load_weights("0011", 1, 0, 0);
    p.gemm(weights_only ? "1000" : "1010", "0001", {0, 0, kSide, second});
    if (slide_b) {
        p.alu(which == SmallBuffers::slide_b ? "1000" : "1001", AluOp::max, second);
    } else {
        p.alu("1000", AluOp::max, second);
        p.alu("0001", AluOp::add, second);
    }
    p.store("1000", 1, second);
    return p;
}

// ---- 2 x 2 taps, 64 channels to 64 filters, buffers for a channel fold of inputs, two groups of
// weights, and a tile of outputs of 32 filters

constexpr int kGroup = 4 * kSide;  // entries of WBUF of the taps of a fold

/// A tile of all rows; filter folds one after the other.
inline SlideProgram case1() {
    SlideProgram p(slide_architecture(kPixels, 2 * kGroup, kPixels), 2, 64, 64);
    for (int m = 0; m < 2; ++m) {
        p.load_weights("0000", m, 0, 0);
        p.load_input(m == 0 ? "0001" : "0011", 0, 0);
        p.gemm(m == 0 ? "1000" : "1010", "0100", {});
        p.load_weights("0000", m, 1, kGroup);
        p.load_input("0011", 1, 0);
        p.gemm("1000", m == 0 ? "0101" : "0001", {0, kGroup, kSide, 0, true});
        p.alu("1001", AluOp::max, 0);
        p.store(m == 0 ? "1100" : "1000", m, 0);
        if (m == 0) p.nop("0110");
    }
    return p;
}

/// The second filter fold begins with the inputs that are there. `last_weights`: flags of the load
/// that takes the place of weights which may still be needed.
inline SlideProgram case1_snake(const std::string& last_weights = "0010") {
    SlideProgram p(slide_architecture(kPixels, 2 * kGroup, kPixels), 2, 64, 64);
    p.load_weights("0000", 0, 0, 0);
    p.load_input("0001", 0, 0);
    p.gemm("1000", "0100", {});
    p.load_weights("0000", 0, 1, kGroup);
    p.load_input("0011", 1, 0);
    p.gemm("1000", last_weights == "0010" ? "0101" : "0001", {0, kGroup, kSide, 0, true});
    p.alu("1001", AluOp::max, 0);
    p.store("1100", 0, 0);
    p.nop("0110");
    p.load_weights("0001", 1, 1, 0);
    p.gemm("1010", "0100", {});
    p.load_weights(last_weights, 1, 0, kGroup);
    p.load_input("0011", 0, 0);
    p.gemm("1000", "0001", {0, kGroup, kSide, 0, true});
    p.alu("1001", AluOp::max, 0);
    p.store("1000", 1, 0);
    return p;
}

/// Tiles of four rows.
inline SlideProgram case2_snake() {
    constexpr int kRows = kImage / 2;
    SlideProgram p(slide_architecture(kPixels, 2 * kGroup, kPixels / 2), 2, 64, 64);
    const auto fold = [](int c, bool preload, int t) {
        return SlideProgram::Fold{0, c * kGroup, kSide, 0, preload, t * kRows, kRows};
    };
    const auto finish = [&](int m, int t, bool last) {
        p.alu("1001", AluOp::max, 0, kRows);
        p.store(last ? "1000" : "1100", m, 0, t * kRows, kRows);
        if (!last) p.nop("0110");
    };
    p.load_weights("0000", 0, 0, 0);
    p.load_input("0001", 0, 0);
    p.gemm("1000", "0100", fold(0, false, 0));
    p.load_weights("0000", 0, 1, kGroup);
    p.load_input("0011", 1, 0);
    p.gemm("1000", "0001", fold(1, true, 0));
    finish(0, 0, false);
    p.gemm("0010", "0100", fold(1, false, 1));
    p.load_input("0011", 0, 0);
    p.gemm("1000", "0101", fold(0, true, 1));
    finish(0, 1, false);
    p.load_weights("0011", 1, 0, 0);
    p.gemm("1010", "0100", fold(0, false, 1));
    p.load_weights("0000", 1, 1, kGroup);
    p.load_input("0011", 1, 0);
    p.gemm("1000", "0001", fold(1, true, 1));
    finish(1, 1, false);
    p.gemm("0010", "0100", fold(1, false, 0));
    p.load_input("0011", 0, 0);
    p.gemm("1000", "0001", fold(0, true, 0));
    finish(1, 0, true);
    return p;
}

}  // namespace macrame::systolic::test
