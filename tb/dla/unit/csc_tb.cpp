/// Unit test of dla_csc against its golden model: every operation and every shadow weight at its
/// swap, reads of announced entries only, releases, credits, reuse, bank changes; cycles of layers
/// that nothing stalls.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "verif/dla/model/csc.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

constexpr int kEB = p::entry_bytes;
constexpr int kAK = p::atomic_k;
constexpr int kAC = p::atomic_c;

m::CdmaSizes sizes() {
    m::CdmaSizes s;
    s.atom_bytes = p::atom_bytes;
    s.entry_bytes = p::entry_bytes;
    s.cbuf_banks = p::cbuf_banks;
    s.cbuf_depth = p::cbuf_depth;
    return s;
}

using Bytes = std::vector<std::uint8_t>;

// ---------------------------------------------------------------- stimulus

enum class Stall { kNone, kRandom, kWorst };

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    std::uint8_t byte() {
        static constexpr std::uint8_t kCorner[] = {0x00, 0xff, 0x80, 0x7f, 0x01};
        return chance(25) ? kCorner[in(0, 4)] : static_cast<std::uint8_t>(in(0, 255));
    }
    Bytes bytes(int count) {
        Bytes out(static_cast<std::size_t>(count));
        for (auto& b : out) b = byte();
        return out;
    }

private:
    std::mt19937 engine_;
};

using Line = std::shared_ptr<Bytes>;

/// One layer: registers, and what CDMA brings for it.
struct Layer {
    m::ConvLayer regs;
    std::vector<Line> lines;      ///< all input lines, in order
    int new_lines = 0;            ///< the last of them, to be fetched
    Line weights;                 ///< stream, whole entries
    bool weights_fetched = true;
};

int entries_of(std::uint32_t bytes) {
    return static_cast<int>((bytes + static_cast<std::uint32_t>(kEB) - 1) /
                            static_cast<std::uint32_t>(kEB));
}

std::int64_t stream_bytes(const m::ConvLayer& r) { return m::group_start(r, kAK, 1 << 20); }

/// Random shape: fits nothing yet.
void random_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (!keep_line) {
        r.width = rnd.in(1, rnd.chance(20) ? 40 : 9);
        r.channels = rnd.chance(30) ? kAC * rnd.in(1, 3)
                                    : rnd.in(1, rnd.chance(50) ? kAC : 4 * kAC);
    }
    r.kernel_width = rnd.in(1, rnd.chance(15) ? 9 : 3);
    r.kernel_height = rnd.in(1, rnd.chance(15) ? 7 : 3);
    r.dilation_x = rnd.chance(30) ? rnd.in(1, rnd.chance(20) ? 32 : 4) : 1;
    r.dilation_y = rnd.chance(30) ? rnd.in(1, rnd.chance(20) ? 32 : 4) : 1;
    r.stride_x = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.stride_y = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.pad_left = rnd.chance(50) ? rnd.in(0, rnd.chance(20) ? 31 : 3) : 0;
    r.pad_top = rnd.chance(50) ? rnd.in(0, rnd.chance(20) ? 31 : 3) : 0;
    r.kernels = rnd.chance(30) ? kAK * rnd.in(1, 3) : rnd.in(1, rnd.chance(50) ? kAK : 3 * kAK);
    r.pad_value = static_cast<std::int8_t>(rnd.byte());
}

/// Bytes of a stored line of pixels.
int image_line_bytes(const m::ConvLayer& r) { return r.width * r.components; }

int slice_entries(const m::ConvLayer& r) {
    return r.is_image ? (image_line_bytes(r) + kEB - 1) / kEB
                      : m::entries_per_slice(sizes(), r.width, r.channels);
}

/// Random shape of an image layer. The width is that of a stored line, padding included; the
/// padding and dilation registers may hold anything.
void random_image_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (!keep_line) {
        constexpr int kComponents[] = {1, 3, 4};
        r.width = rnd.in(1, rnd.chance(20) ? 60 : 16);
        r.components = kComponents[rnd.in(0, 2)];
    }
    const int columns = rnd.in(1, std::min(r.width, rnd.chance(20) ? 12 : 5));
    r.channels = columns * r.components;
    r.kernel_width = 1;
    r.kernel_height = rnd.in(1, rnd.chance(20) ? 9 : 4);
    r.dilation_x = rnd.in(1, 32);
    r.dilation_y = rnd.in(1, 32);
    r.stride_x = rnd.chance(60) ? rnd.in(1, 8) : 1;
    r.stride_y = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.pad_left = rnd.in(0, 31);
    r.pad_top = rnd.chance(50) ? rnd.in(0, 3) : 0;
    r.kernels = rnd.chance(30) ? kAK * rnd.in(1, 3) : rnd.in(1, rnd.chance(50) ? kAK : 3 * kAK);
    r.pad_value = static_cast<std::int8_t>(rnd.byte());
    r.rows_per_step = 1;
    for (const int rows : {2, 4}) {
        if (rnd.chance(60) && r.channels <= kAC / rows &&
            r.stride_x * r.components <= kAC / rows) {
            r.rows_per_step = rows;
        }
    }
}

/// Output size of an image layer: windows end inside the line.
bool random_image_output(Random& rnd, m::ConvLayer& r) {
    const int y_room = r.height + r.pad_top + rnd.in(0, 3) - r.kernel_height;
    if (y_room < 0) return false;
    r.out_width = (r.width - r.channels / r.components) / r.stride_x + 1;
    r.out_height = y_room / r.stride_y + 1;
    r.positions = r.out_width * r.out_height;
    return true;
}

/// Output size of a layer whose input size is known; false if it has none.
bool random_output(Random& rnd, m::ConvLayer& r) {
    const int x_room = r.width + r.pad_left + rnd.in(0, 4) - (r.kernel_width - 1) * r.dilation_x;
    const int y_room = r.height + r.pad_top + rnd.in(0, 4) - (r.kernel_height - 1) * r.dilation_y;
    if (x_room < 1 || y_room < 1) return false;
    r.out_width = (x_room - 1) / r.stride_x + 1;
    r.out_height = (y_room - 1) / r.stride_y + 1;
    r.positions = r.out_width * r.out_height;
    return true;
}

/// Random legal layers with every kind of reuse, skip, release and bank change.
std::vector<Layer> random_layers(Random& rnd, int count) {
    const m::CdmaSizes s = sizes();
    std::vector<Layer> layers;
    std::vector<Line> remaining;
    for (int tries = 0; static_cast<int>(layers.size()) < count; ++tries) {
        const Layer* prev = layers.empty() ? nullptr : &layers.back();
        Layer layer;
        m::ConvLayer& r = layer.regs;
        const bool same = prev != nullptr && rnd.chance(75);
        r.data_banks = same ? prev->regs.data_banks : rnd.in(1, 3);
        r.weight_banks = same || (prev != nullptr && rnd.chance(30)) ? prev->regs.weight_banks
                                                                    : rnd.in(1, 3);
        const bool data_moved = prev == nullptr || r.data_banks != prev->regs.data_banks;
        const bool moved = data_moved || r.weight_banks != prev->regs.weight_banks;
        const int data_entries = r.data_banks * s.cbuf_depth;
        const int weight_entries = r.weight_banks * s.cbuf_depth;

        // data
        r.data_reuse = rnd.chance(40);
        r.is_image = p::image_enable && (prev != nullptr && rnd.chance(70) ? prev->regs.is_image
                                                                           : rnd.chance(50));
        const bool stays = prev != nullptr && r.data_reuse && !data_moved &&
                           prev->regs.is_image == r.is_image;
        std::vector<Line> lines;
        if (stays) lines = remaining;
        const bool data_kept = stays && prev->regs.skip_data_rls;
        if (!lines.empty()) {
            r.width = prev->regs.width;
            r.channels = prev->regs.channels;
            r.components = prev->regs.components;
        }
        if (r.is_image) {
            random_image_shape(rnd, r, !lines.empty());
        } else {
            random_shape(rnd, r, !lines.empty());
        }
        r.entries_per_slice = slice_entries(r);
        layer.new_lines = data_kept ? 0 : rnd.in(1, rnd.chance(20) ? 30 : 8);
        r.height = static_cast<int>(lines.size()) + layer.new_lines;
        if (r.height * r.entries_per_slice > data_entries) continue;
        if (!(r.is_image ? random_image_output(rnd, r) : random_output(rnd, r))) continue;
        if (m::ideal_cycles(r, kAC, kAK, p::cacc_depth) > (rnd.chance(10) ? 20000 : 3000)) continue;
        r.skip_data_rls = rnd.chance(40);
        r.release = rnd.chance(50) ? r.height : rnd.in(1, r.height);

        // weights
        r.weight_reuse = rnd.chance(40);
        r.skip_weight_rls = rnd.chance(40);
        layer.weights_fetched = !(r.weight_reuse && !moved && prev->regs.skip_weight_rls);
        const std::int64_t stream = stream_bytes(r);
        r.weight_bytes = static_cast<std::uint32_t>(
            rnd.chance(80) ? (stream + 127) / 128 * 128 : stream + rnd.in(0, 300));
        if (!layer.weights_fetched) {
            if (stream > prev->regs.weight_bytes) continue;
            r.weight_bytes = prev->regs.weight_bytes;
        }
        const int entries = entries_of(r.weight_bytes);
        if (r.skip_weight_rls && entries > weight_entries) continue;
        if (m::group_start(r, kAK, 1) / kEB + 40 > weight_entries) continue;

        // contents
        for (int i = 0; i < layer.new_lines; ++i) {
            lines.push_back(std::make_shared<Bytes>(rnd.bytes(r.entries_per_slice * kEB)));
        }
        layer.lines = lines;
        layer.weights = layer.weights_fetched ? std::make_shared<Bytes>(rnd.bytes(entries * kEB))
                                              : prev->weights;
        if (!r.skip_data_rls) lines.erase(lines.begin(), lines.begin() + r.release);
        remaining = lines;
        layers.push_back(layer);
    }
    return layers;
}

/// A single layer that starts on an empty buffer.
Layer single_layer(Random& rnd, m::ConvLayer r) {
    Layer layer;
    r.data_banks = r.weight_banks = p::cbuf_banks / 2;
    r.entries_per_slice = slice_entries(r);
    r.release = r.height;
    r.weight_bytes = static_cast<std::uint32_t>((stream_bytes(r) + 127) / 128 * 128);
    r.positions = r.out_width * r.out_height;
    layer.regs = r;
    layer.new_lines = r.height;
    for (int i = 0; i < r.height; ++i) {
        layer.lines.push_back(std::make_shared<Bytes>(rnd.bytes(r.entries_per_slice * kEB)));
    }
    layer.weights = std::make_shared<Bytes>(rnd.bytes(entries_of(r.weight_bytes) * kEB));
    return layer;
}

// ---------------------------------------------------------------- bench

/// Read port of CBUF.
struct ReadPort {
    std::deque<std::pair<bool, int>> pipe;  // valid, entry
    Bytes data = Bytes(kEB);
};

class Bench {
public:
    Bench(Stall stall, unsigned seed, bool all_there = false)
        : stall_(stall), all_there_(all_there), rnd_(seed), image_(sizes()) {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed) + 1);
        dut_ = std::make_unique<Vdut>(&context_);
        visible_.assign(static_cast<std::size_t>(p::cbuf_entries), kNever);
        shadow_.assign(kAK, Bytes(kEB));
        active_ = shadow_;
        content_.assign(static_cast<std::size_t>(p::cbuf_entries), Bytes(kEB));
        dat_.pipe.assign(p::cbuf_rd_latency, {false, 0});
        wt_.pipe.assign(p::cbuf_rd_latency, {false, 0});
        dut_->rst_n = 0;
        for (int i = 0; i < 3; ++i) {
            dut_->clk = 0;
            dut_->eval();
            dut_->clk = 1;
            dut_->eval();
        }
        dut_->rst_n = 1;
        for (int i = 0; i < 140; ++i) tick();  // the register file sets its RAM
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Layer>& layers) {
        layers_ = layers;
        expect();
        load_steps();
        const std::uint64_t limit = cycle_ + 6000000;
        std::uint64_t idle = 0;
        while (beats_layer_ < layers_.size() || !data_rls_.empty() || !weight_rls_.empty() ||
               cdma_ < layers_.size() || idle < 60) {
            idle = beats_layer_ < layers_.size() ? 0 : idle + 1;
            tick();
            if (::testing::Test::HasFailure()) {
                std::printf("layer %zu of %zu, cycle %llu\n", beats_layer_, layers_.size(),
                            static_cast<unsigned long long>(cycle_));
                return;
            }
            ASSERT_LT(cycle_, limit) << "hangs: layer " << beats_layer_ << " step " << step_
                                     << " cdma layer " << cdma_ << " slices " << slices_written_
                                     << " entries " << entries_written_;
            ASSERT_LT(cycle_, last_event_ + 20000)
                << "nothing happens: layer " << beats_layer_ << " step " << step_ << " position "
                << position_ << " cdma layer " << cdma_ << " data free " << data_free_
                << " weights free " << weight_free_;
        }
    }

    /// From the first to the last beat of a layer, both included.
    std::uint64_t cycles(std::size_t layer) const {
        return last_beat_[layer] - first_beat_[layer] + 1;
    }

    int credit_every = 0;  ///< cycles per position that CACC delivers, 0: at once

private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    bool gap() {
        switch (stall_) {
            case Stall::kNone: return false;
            case Stall::kRandom: return rnd_.chance(30);
            default: return rnd_.chance(90);
        }
    }

    void write(int byte_offset, std::uint32_t value) { csb_.push_back({byte_offset / 4, value}); }
    void program(const Layer& layer, int group);
    void expect();
    void load_steps();
    void drive_csb();
    void drive_cdma();
    void drive_credit();
    void drive_cbuf(ReadPort& port);
    void read(ReadPort& port, bool valid, int entry, const char* what);
    void check_release(bool valid, int entries, std::deque<int>& want, bool data);
    void check_beat();
    void take_weights();
    void tick();

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    bool all_there_;
    Random rnd_;
    m::CbufImage image_;
    std::vector<Layer> layers_;
    std::uint64_t cycle_ = 0;
    std::uint64_t last_event_ = 0;

    // CSB
    std::deque<std::pair<int, std::uint32_t>> csb_;
    std::size_t programmed_ = 0;
    int status_wait_ = 0;

    // CDMA
    std::size_t cdma_ = 0;
    bool cdma_started_ = false;
    int slices_written_ = 0, entries_written_ = 0;
    bool dat_updt_ = false, wt_updt_ = false;
    int data_free_ = 0, weight_free_ = 0;
    int data_head_ = 0, weight_head_ = 0;  // next entry to write
    int data_tail_ = 0, weight_tail_ = 0;  // oldest entry in use
    int data_region_ = 0, weight_region_ = 0;

    // CBUF
    std::vector<std::uint64_t> visible_;  // cycle from which an entry can be read
    std::vector<Bytes> content_;
    ReadPort dat_, wt_;

    // expectations
    std::deque<int> data_rls_, weight_rls_;
    std::vector<m::CscStep> steps_;
    std::size_t beats_layer_ = 0, step_ = 0;
    int position_ = 0;
    std::uint64_t written_ = 0;  // cells with new shadow weights, one bit each
    std::vector<Bytes> shadow_, active_;
    int owed_ = 0;  // positions in CACC
    std::uint64_t next_credit_ = 0;
    std::vector<std::uint64_t> first_beat_, last_beat_;
};

void Bench::program(const Layer& layer, int group) {
    const m::ConvLayer& r = layer.regs;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x0c, u32(r.data_reuse) << 16 | u32(r.weight_reuse) << 20 | u32(r.skip_data_rls) << 24 |
                    u32(r.skip_weight_rls) << 28);
    write(0x14, u32(r.width - 1) | u32(r.height - 1) << 16);
    write(0x10, u32(r.is_image) | 0x0c00u);
    write(0x18, u32((r.is_image ? r.components : r.channels) - 1));
    write(0x20, r.rows_per_step == 1 ? 0 : r.rows_per_step == 2 ? 1 : u32(rnd_.in(2, 3)));
    write(0x24, u32(r.entries_per_slice - 1));
    write(0x2c, u32(r.kernel_width - 1) | u32(r.kernel_height - 1) << 16);
    write(0x30, u32(r.channels - 1) | u32(r.kernels - 1) << 16);
    write(0x34, r.weight_bytes);
    write(0x3c, u32(r.out_width - 1) | u32(r.out_height - 1) << 16);
    write(0x44, u32(r.positions - 1));
    write(0x48, u32(r.release - 1));
    write(0x4c, u32(r.stride_x - 1) | u32(r.stride_y - 1) << 16);
    write(0x50, u32(r.dilation_x - 1) | u32(r.dilation_y - 1) << 16);
    write(0x54, u32(r.pad_left) | u32(r.pad_top) << 16);
    write(0x58, u32(r.pad_value) & 0xffff);
    write(0x5c, u32(r.data_banks - 1) | u32(r.weight_banks - 1) << 16);
    write(0x08, 1);
}

/// Releases of all layers, from the bookkeeping of the model.
void Bench::expect() {
    m::CscBook book(sizes());
    const auto push = [](std::deque<int>& list, int entries) {
        if (entries > 0) list.push_back(entries);
    };
    for (const Layer& layer : layers_) {
        const m::ConvLayer& r = layer.regs;
        if (book.banks_move(r)) book.bank_change(r);
        const auto at_start = book.start(r);
        push(data_rls_, at_start.data);
        push(weight_rls_, at_start.weights);
        const int groups = (r.kernels + kAK - 1) / kAK;
        for (int g = 0; g < groups; ++g) {
            push(weight_rls_, book.end_group(r, m::group_start(r, kAK, g + 1), g + 1 == groups));
        }
        push(data_rls_, book.end(r));
    }
    first_beat_.assign(layers_.size(), 0);
    last_beat_.assign(layers_.size(), 0);
}

void Bench::load_steps() {
    steps_.clear();
    step_ = 0;
    position_ = 0;
    if (beats_layer_ == layers_.size()) return;
    m::for_each_step(layers_[beats_layer_].regs, kAC, kAK, p::cacc_depth,
                     [&](const m::CscStep& s) { steps_.push_back(s); });
}

void Bench::drive_csb() {
    Vdut& d = *dut_;
    d.csb2csc_valid = 0;
    if (status_wait_ == 2) {  // answer of the read
        const unsigned shift = programmed_ % 2 == 0 ? 0 : 16;
        status_wait_ = 0;
        d.eval();
        if ((d.csc2csb_rdata >> shift & 3) == 0) {
            program(layers_[programmed_], static_cast<int>(programmed_ % 2));
            ++programmed_;
        }
    }
    if (!csb_.empty()) {
        if (stall_ == Stall::kRandom && rnd_.chance(20)) return;
        d.csb2csc_valid = 1;
        d.csb_write = 1;
        tb::put_number(d.csb_addr, csb_.front().first);
        d.csb_wdata = csb_.front().second;
        csb_.pop_front();
    } else if (programmed_ < layers_.size()) {
        d.csb2csc_valid = 1;
        d.csb_write = 0;
        d.csb_addr = 0;
        status_wait_ = 1;
    }
}

/// CDMA: brings lines and weights of the programmed layers as far as there is room.
void Bench::drive_cdma() {
    Vdut& d = *dut_;
    d.cdma2csc_dat_updt = dat_updt_;
    d.cdma2csc_wt_updt = wt_updt_;
    dat_updt_ = wt_updt_ = false;
    d.cdma2csc_bank_change = 0;
    if (cdma_ >= programmed_ || (!csb_.empty() && cdma_ + 1 == programmed_)) return;
    const Layer& layer = layers_[cdma_];
    const m::ConvLayer& r = layer.regs;
    if (!cdma_started_) {
        const m::ConvLayer* prev = cdma_ == 0 ? nullptr : &layers_[cdma_ - 1].regs;
        const bool data_moved = prev == nullptr || r.data_banks != prev->data_banks;
        const bool moved = data_moved || r.weight_banks != prev->weight_banks;
        if (moved) {
            d.cdma2csc_bank_change = 1;
            d.eval();
            if (!d.csc2cdma_bank_change) return;
            if (data_moved) {
                data_region_ = r.data_banks * p::cbuf_depth;
                data_free_ = data_region_;
                data_head_ = data_tail_ = 0;
            }
            weight_region_ = r.weight_banks * p::cbuf_depth;
            weight_free_ = weight_region_;
            weight_head_ = weight_tail_ = 0;
            for (int e = data_moved ? 0 : data_region_; e < p::cbuf_entries; ++e) {
                visible_[static_cast<std::size_t>(e)] = kNever;
            }
        }
        cdma_started_ = true;
        slices_written_ = layer.regs.height - layer.new_lines;
        entries_written_ = layer.weights_fetched ? 0 : entries_of(r.weight_bytes);
        if (moved) return;
    }
    const int entries = entries_of(r.weight_bytes);
    const auto store = [&](int entry, const Bytes& from, int index) {
        Bytes& to = content_[static_cast<std::size_t>(entry)];
        std::copy_n(from.begin() + std::ptrdiff_t{index} * kEB, kEB, to.begin());
        visible_[static_cast<std::size_t>(entry)] = cycle_ + 2;
        last_event_ = cycle_;
    };
    if (slices_written_ < r.height && data_free_ >= r.entries_per_slice && !gap() &&
        (stall_ == Stall::kNone || rnd_.chance(10))) {
        for (int i = 0; i < r.entries_per_slice; ++i) {
            store(data_head_, *layer.lines[static_cast<std::size_t>(slices_written_)], i);
            data_head_ = (data_head_ + 1) % data_region_;
        }
        data_free_ -= r.entries_per_slice;
        ++slices_written_;
        dat_updt_ = true;
    }
    if (entries_written_ < entries && weight_free_ > 0 && !gap()) {
        store(data_region_ + weight_head_, *layer.weights, entries_written_);
        weight_head_ = (weight_head_ + 1) % weight_region_;
        --weight_free_;
        ++entries_written_;
        wt_updt_ = true;
    }
    if (slices_written_ == r.height && entries_written_ == entries) {
        ++cdma_;
        cdma_started_ = false;
    }
}

void Bench::drive_credit() {
    dut_->cacc2csc_credit = 0;
    if (owed_ == 0 || cycle_ < next_credit_) return;
    if (stall_ != Stall::kNone && gap()) return;
    dut_->cacc2csc_credit = 1;
    --owed_;
    next_credit_ = cycle_ + static_cast<std::uint64_t>(credit_every);
}

void Bench::drive_cbuf(ReadPort& port) {
    const auto [valid, entry] = port.pipe.front();
    if (valid) port.data = content_[static_cast<std::size_t>(entry)];
}

void Bench::read(ReadPort& port, bool valid, int entry, const char* what) {
    if (valid) {
        ASSERT_LT(entry, p::cbuf_entries);
        const std::uint64_t from = visible_[static_cast<std::size_t>(entry)];
        EXPECT_NE(from, kNever) << what << ": nothing in entry " << entry << ", cycle " << cycle_;
        EXPECT_GE(cycle_, from) << what << ": entry " << entry << " read too early";
    }
    port.pipe.pop_front();
    port.pipe.push_back({valid, entry});
}

void Bench::check_release(bool valid, int entries, std::deque<int>& want, bool data) {
    if (!valid || entries == 0) return;  // a small group may fill no entry
    const char* what = data ? "data" : "weights";
    ASSERT_FALSE(want.empty()) << what << ": " << entries << " entries released, cycle " << cycle_;
    EXPECT_EQ(entries, want.front()) << what << " released, cycle " << cycle_;
    want.pop_front();
    int& tail = data ? data_tail_ : weight_tail_;
    const int region = data ? data_region_ : weight_region_;
    (data ? data_free_ : weight_free_) += entries;
    EXPECT_LE(data ? data_free_ : weight_free_, region) << what << ", cycle " << cycle_;
    for (int i = 0; i < entries; ++i) {
        visible_[static_cast<std::size_t>((data ? 0 : data_region_) + tail)] = kNever;
        tail = (tail + 1) % region;
    }
    last_event_ = cycle_;
}

void Bench::check_beat() {
    Vdut& d = *dut_;
    EXPECT_EQ(d.csc2mac_a_dat_valid, d.csc2mac_b_dat_valid);
    if (!d.csc2mac_a_dat_valid) return;
    ASSERT_LT(beats_layer_, layers_.size()) << "beat that nobody expects, cycle " << cycle_;
    const Layer& layer = layers_[beats_layer_];
    const m::CscStep& s = steps_[step_];
    const std::string where = "cycle " + std::to_string(cycle_) + " layer " +
                              std::to_string(beats_layer_) + " step " + std::to_string(step_) +
                              " position " + std::to_string(s.position + position_) + " group " +
                              std::to_string(s.group) + " channel " + std::to_string(s.channel) +
                              " row " + std::to_string(s.row) + " column " +
                              std::to_string(s.column);
    if (step_ == 0 && position_ == 0) first_beat_[beats_layer_] = cycle_;

    const auto want = m::operation_data(
        sizes(), kAC, layer.regs, s, s.position + position_, [&](int y, m::CbufPlace place) {
            return (*layer.lines[static_cast<std::size_t>(y)])[static_cast<std::size_t>(
                place.entry * kEB + place.byte)];
        });
    const Bytes want_bytes(want.begin(), want.end());
    EXPECT_EQ(tb::get_bytes(d.csc2mac_a_dat_data, kEB), want_bytes) << where;
    EXPECT_EQ(tb::get_bytes(d.csc2mac_b_dat_data, kEB), want_bytes) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_swap), position_ == 0) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_first), s.first) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_last), s.last) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_end), s.end && position_ + 1 == s.length) << where;
    EXPECT_EQ(d.csc2mac_a_dat_swap, d.csc2mac_b_dat_swap);
    EXPECT_EQ(d.csc2mac_a_dat_first, d.csc2mac_b_dat_first);
    EXPECT_EQ(d.csc2mac_a_dat_last, d.csc2mac_b_dat_last);
    EXPECT_EQ(d.csc2mac_a_dat_end, d.csc2mac_b_dat_end);
    if (position_ == 0) {
        EXPECT_EQ(written_, (std::uint64_t{1} << s.kernels) - 1) << where;
        written_ = 0;
        for (int k = 0; k < s.kernels; ++k) {
            for (int row = 0; row < s.rows; ++row) {
                const std::int64_t at = m::weight_offset(layer.regs, kAK, s, k, row);
                const Bytes want_wt(layer.weights->begin() + at,
                                    layer.weights->begin() + at + s.lanes);
                const auto have = shadow_[static_cast<std::size_t>(k)].begin() +
                                  m::first_lane(layer.regs, kAC, row);
                ASSERT_EQ(Bytes(have, have + s.lanes), want_wt)
                    << where << " kernel " << k << " row of the step " << row;
            }
        }
    }
    if (s.last) {
        ++owed_;
        EXPECT_LE(owed_, p::cacc_depth) << "beat without a credit, " << where;
    }
    last_event_ = cycle_;

    if (++position_ < s.length) return;
    position_ = 0;
    if (++step_ < steps_.size()) return;
    last_beat_[beats_layer_] = cycle_;
    ++beats_layer_;
    load_steps();
}

void Bench::take_weights() {
    Vdut& d = *dut_;
    const auto one = [&](bool valid, unsigned sel, const Bytes& data, int first) {
        if (!valid) return;
        int cell = 0;
        while (cell < p::cmac_cells && sel != 1u << cell) ++cell;
        ASSERT_LT(cell, p::cmac_cells) << "select is not one-hot, cycle " << cycle_;
        shadow_[static_cast<std::size_t>(first + cell)] = data;
        written_ |= std::uint64_t{1} << (first + cell);
    };
    EXPECT_FALSE(d.csc2mac_a_wt_valid && d.csc2mac_b_wt_valid);
    one(d.csc2mac_a_wt_valid, d.csc2mac_a_wt_sel, tb::get_bytes(d.csc2mac_a_wt_data, kEB), 0);
    one(d.csc2mac_b_wt_valid, d.csc2mac_b_wt_sel, tb::get_bytes(d.csc2mac_b_wt_data, kEB),
        p::cmac_cells);
}

void Bench::tick() {
    Vdut& d = *dut_;
    d.clk = 0;
    drive_cbuf(dat_);
    drive_cbuf(wt_);
    d.cbuf2csc_dat_rd_valid = dat_.pipe.front().first;
    d.cbuf2csc_wt_rd_valid = wt_.pipe.front().first;
    tb::put_bytes(d.cbuf2csc_dat_rd_data, dat_.data);
    tb::put_bytes(d.cbuf2csc_wt_rd_data, wt_.data);
    drive_csb();
    drive_credit();
    if (!all_there_ || csb_.empty()) drive_cdma();
    d.eval();

    read(dat_, d.csc2cbuf_dat_rd_valid, d.csc2cbuf_dat_rd_addr, "data");
    read(wt_, d.csc2cbuf_wt_rd_valid, d.csc2cbuf_wt_rd_addr, "weight");
    check_release(d.csc2cdma_dat_rls_valid, d.csc2cdma_dat_rls_entries, data_rls_, true);
    check_release(d.csc2cdma_wt_rls_valid, d.csc2cdma_wt_rls_entries, weight_rls_, false);
    check_beat();
    take_weights();
    if (status_wait_ == 1) status_wait_ = 2;

    d.clk = 1;
    d.eval();
    ++cycle_;
}

// ---------------------------------------------------------------- tests

TEST(Csc, RandomLayers) {
    for (const Stall stall : {Stall::kNone, Stall::kRandom, Stall::kWorst}) {
        for (unsigned seed = 1; seed <= 6; ++seed) {
            SCOPED_TRACE("stall " + std::to_string(static_cast<int>(stall)) + " seed " +
                         std::to_string(seed) + " " CONFIG_NAME);
            Random rnd(seed);
            const auto layers = random_layers(rnd, 24);
            Bench bench(stall, seed);
            if (seed % 2 == 0) bench.credit_every = kAK / p::sdp_lanes;
            bench.run(layers);
            if (HasFailure()) return;
        }
    }
}

/// An image layer worked by hand.
TEST(CscModel, Image) {
    const Bytes line = {0xf9, 0xf9, 0xf9, 0xf9, 75, 0xcb, 30, 0xbc,
                        116, 21, 0xe5, 0xb5, 0xf9, 0xfa, 0xfb, 0xf8};
    const int weights[8] = {1, -1, 2, 0, 3, 1, -2, 1};
    m::ConvLayer r;
    r.is_image = true;
    r.components = 4;
    r.channels = 8;
    r.width = 4;
    r.out_width = r.positions = 3;
    const int want[3] = {30, 536, 16};
    m::CdmaSizes s;
    for (int x = 0; x < 3; ++x) {
        int sum = 0;
        m::for_each_step(r, 8, 8, 16, [&](const m::CscStep& step) {
            const auto lanes = m::operation_data(s, 8, r, step, x, [&](int, m::CbufPlace place) {
                return line[static_cast<std::size_t>(place.entry * 8 + place.byte)];
            });
            for (std::size_t i = 0; i < 8; ++i) sum += lanes[i] * weights[i];
        });
        EXPECT_EQ(sum, want[x]);
    }
}

/// Layers of these shapes reach one operation per cycle as soon as their weights are there.
TEST(Csc, FullSpeed) {
    struct Shape {
        int width, height, channels, kernel, stride, pad, out, kernels;
    };
    const Shape shapes[] = {
        {16, 16, 2 * kAC, 3, 1, 1, 16, 2 * kAK}, {9, 9, 3 * kAC, 3, 2, 1, 5, kAK},
        {4, 4, kAC + 3, 3, 1, 1, 4, 3 * kAK},    {3, 3, 2 * kAC, 3, 1, 0, 1, 2 * kAK},
        {12, 12, kAC, 5, 1, 2, 12, kAK + 3},     {6, 6, 5 * kAC, 1, 1, 0, 6, 4 * kAK},
    };
    for (const Shape& s : shapes) {
        m::ConvLayer r;
        r.width = s.width;
        r.height = s.height;
        r.channels = s.channels;
        r.kernel_width = r.kernel_height = s.kernel;
        r.stride_x = r.stride_y = s.stride;
        r.pad_left = r.pad_top = s.pad;
        r.out_width = r.out_height = s.out;
        r.kernels = s.kernels;
        Random rnd(7);
        Bench bench(Stall::kNone, 7, true);
        const Layer layer = single_layer(rnd, r);
        bench.run({layer});
        if (HasFailure()) return;
        const auto ideal = static_cast<std::uint64_t>(
            m::ideal_cycles(layer.regs, kAC, kAK, p::cacc_depth));
        std::printf("%s: %d x %d x %d, kernel %d, %d kernels: %llu cycles, ideal %llu\n",
                    CONFIG_NAME, s.width, s.height, s.channels, s.kernel, s.kernels,
                    static_cast<unsigned long long>(bench.cycles(0)),
                    static_cast<unsigned long long>(ideal));
        EXPECT_LE(bench.cycles(0), ideal + ideal / 64 + 8);
    }
}

/// Image layers: one operation per cycle if neighbours share entries, however the windows lie.
TEST(Csc, ImageSpeed) {
    if (!p::image_enable) GTEST_SKIP();
    struct Shape {
        int width, components, columns, rows, stride, rows_per_step;
    };
    const Shape shapes[] = {{66, 4, 8, 5, 1, 1}, {67, 1, 5, 5, 1, 1}, {66, 3, 5, 3, 2, 1},
                            {64, 4, 4, 6, 2, 1}, {68, 1, 2, 8, 1, 2}, {69, 1, 2, 8, 1, 4}};
    for (const Shape& s : shapes) {
        m::ConvLayer r;
        r.is_image = true;
        r.width = s.width;
        r.height = 16;
        r.components = s.components;
        r.channels = s.columns * s.components;
        r.kernel_height = s.rows;
        r.stride_x = r.stride_y = s.stride;
        r.rows_per_step = s.rows_per_step;
        r.out_width = (s.width - s.columns) / s.stride + 1;
        r.out_height = (r.height - s.rows) / s.stride + 1;
        r.kernels = kAK;
        Random rnd(7);
        Bench bench(Stall::kNone, 7, true);
        const Layer layer = single_layer(rnd, r);
        bench.run({layer});
        if (HasFailure()) return;
        const auto ideal = static_cast<std::uint64_t>(
            m::ideal_cycles(layer.regs, kAC, kAK, p::cacc_depth));
        std::printf("%s: %d x %d, window %d x %d, stride %d, %d rows: %llu cycles, ideal %llu\n",
                    CONFIG_NAME, s.width, s.components, r.channels, s.rows, s.stride,
                    s.rows_per_step, static_cast<unsigned long long>(bench.cycles(0)),
                    static_cast<unsigned long long>(ideal));
        // A stripe begins with a read more, with several rows also each entry of a line.
        if (s.rows_per_step == 1) EXPECT_LE(bench.cycles(0), ideal + ideal / 8 + 8);
        else EXPECT_LE(bench.cycles(0), 2 * ideal);
    }
}

}  // namespace
