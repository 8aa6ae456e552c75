#pragma once
/// What the tests of load and store share: micro-operations, their bytes and beats in the memory
/// banks, other engines whose progress they wait for, two AXI memories.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "Vdut.h"
#include "tb/common/random_state.hpp"
#include "tb/tcu/system/memory_pins.hpp"
#include "tcu_params.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/random.hpp"

namespace macrame::tb {

namespace p = tcu_params;

using Bytes = std::vector<std::uint8_t>;

/// Wait for a micro-operation of another engine, by its number.
struct Need {
    bool valid = false;
    std::uint64_t number = 0;
};

/// Another engine: micro-operations that it has finished, as seen in this cycle.
struct Engine {
    int width;  ///< bits of its numbers on the chip
    std::uint64_t done = 1000;

    bool meets(const Need& need) const { return !need.valid || need.number <= done; }
    std::uint32_t wire() const { return static_cast<std::uint32_t>(done & mask()); }
    std::uint32_t wire(const Need& need) const {
        return static_cast<std::uint32_t>((need.number & mask()) | std::uint64_t{need.valid}
                                                                       << width);
    }
    std::uint64_t mask() const { return (std::uint64_t{1} << width) - 1; }
    /// One more would still be known as later than this need.
    bool knows(const Need& need) const {
        return !need.valid || done + 1 < need.number + (std::uint64_t{1} << (width - 1));
    }
};

struct MicroOp {
    int bank = 0;
    std::uint64_t addr = 0;  ///< vectors
    int stride = 0;
    int count = 1;
    int local = 0;
    int local_stride = 0;
    std::array<Need, 5> needs;

    int local_at(int i) const { return local + (i << local_stride); }
    std::uint64_t vector(int i) const { return addr + (static_cast<std::uint64_t>(i) << stride); }
};

/// A beat that a micro-operation moves.
struct BankBeat {
    std::uint32_t addr;
    std::size_t op;
};

struct TransferCase {
    int latency;
    double stall;
    int ops;
    unsigned seed;
};

inline std::string case_name(const ::testing::TestParamInfo<TransferCase>& i) {
    return "latency" + std::to_string(i.param.latency) + "_stall" +
           std::to_string(static_cast<int>(100 * i.param.stall)) + "_seed" +
           std::to_string(i.param.seed);
}

/// Bytes of a vector on the chip.
inline constexpr int kPackedBytes = (p::vector_w + 7) / 8;

/// Numbers of transfers; so many of them are never open at a time.
inline constexpr std::size_t kNumbers = (std::size_t{1} << p::transfer_tag_w) - 1;
inline constexpr std::size_t kMostOpen = (kNumbers + 1) / 2;

/// A vector as on the chip, from its bytes in memory.
inline Bytes packed(const Bytes& in_memory) {
    Bytes out(kPackedBytes);
    for (int i = 0; i < p::array_size; ++i) {
        for (int b = 0; b < p::data_w; ++b) {
            const int from = 8 * p::scalar_bytes * i + b, to = p::data_w * i + b;
            const int bit = in_memory[static_cast<std::size_t>(from / 8)] >> (from % 8) & 1;
            out[static_cast<std::size_t>(to / 8)] |= static_cast<std::uint8_t>(bit << (to % 8));
        }
    }
    return out;
}

/// The other way; bits that a scalar does not have are 0.
inline Bytes unpacked(const Bytes& on_chip) {
    Bytes out(p::vector_bytes);
    for (int i = 0; i < p::array_size; ++i) {
        for (int b = 0; b < p::data_w; ++b) {
            const int from = p::data_w * i + b, to = 8 * p::scalar_bytes * i + b;
            const int bit = on_chip[static_cast<std::size_t>(from / 8)] >> (from % 8) & 1;
            out[static_cast<std::size_t>(to / 8)] |= static_cast<std::uint8_t>(bit << (to % 8));
        }
    }
    return out;
}

class TransferBench {
public:
    TransferBench(const TransferBench&) = delete;
    TransferBench& operator=(const TransferBench&) = delete;
    virtual ~TransferBench() { dut_.final(); }

    /// Byte `b` of vector `v`.
    std::uint32_t byte_addr(int bank, std::uint64_t v, int b = 0) const {
        return static_cast<std::uint32_t>(v * p::vector_bytes + static_cast<unsigned>(b) +
                                          offsets_[static_cast<std::size_t>(bank)]);
    }

    Bytes vector_in_memory(int bank, std::uint64_t v) const {
        Bytes out;
        for (int b = 0; b < p::vector_bytes; ++b)
            out.push_back(memories_[static_cast<std::size_t>(bank)].peek(byte_addr(bank, v, b)));
        return out;
    }

    /// In any place, often around 4 KiB, sometimes in few vectors.
    MicroOp random_op() {
        MicroOp op;
        op.bank = random_.in(0, 1);
        op.stride = random_.chance(50) ? 0 : random_.in(0, p::stride1_depth - 1);
        op.local_stride = random_.chance(50) ? 0 : random_.in(0, p::stride0_depth - 1);
        const int depth = op.bank == 0 ? p::dram0_depth : p::dram1_depth;
        while (op.local_stride > 0 && 1 << op.local_stride >= p::local_depth)
            --op.local_stride;
        while (op.stride > 0 && 1 << op.stride >= depth)
            --op.stride;
        const int block =
            1 << (op.stride == 0 ? std::min(p::local_block_w, p::dram_block_w) : p::local_block_w);
        const int most = std::min({block, most_, ((p::local_depth - 1) >> op.local_stride) + 1,
                                   ((depth - 1) >> op.stride) + 1});
        op.count = random_.low(1, most);
        op.local = random_.in(0, p::local_depth - 1 - ((op.count - 1) << op.local_stride));
        const int last = depth - 1 - ((op.count - 1) << op.stride);
        int at = random_.chance(50) ? random_.in(0, last) : random_.in(0, std::min(last, 40));
        if (random_.chance(50)) {  // somewhere in it is a border
            const int borders = depth / 4096 * p::vector_bytes;
            const std::int64_t border = 4096ll * random_.in(0, std::max(0, borders));
            at =
                static_cast<int>(border / p::vector_bytes) - (random_.in(0, op.count) << op.stride);
        }
        op.addr = static_cast<std::uint64_t>(std::max(0, std::min(last, at)));
        return op;
    }

    /// What it waits for: something about now, or later than most of what waits already.
    void add_needs(MicroOp& op) {
        if (!waits_) return;
        for (std::size_t i = 0; i < engine_of_.size(); ++i) {
            if (!random_.chance(25)) continue;
            const int later = random_.chance(50) ? 8 : std::min(60, 1 << (engine(i).width - 2));
            op.needs[i] = {true,
                           engine(i).done + static_cast<unsigned>(random_.in(0, later + 4)) - 4};
        }
    }

    /// The beats that it moves, in order.
    void add_beats(const MicroOp& op, std::size_t number) {
        constexpr std::uint32_t kBus = p::axi_bytes;
        std::deque<BankBeat>& beats = beats_[static_cast<std::size_t>(op.bank)];
        for (int i = 0; i < op.count; ++i) {
            const std::uint32_t first = byte_addr(op.bank, op.vector(i)) / kBus * kBus;
            for (std::uint32_t b = 0; b < static_cast<std::uint32_t>(p::vector_beats); ++b) {
                const BankBeat beat{first + b * kBus, number};
                const bool same = op.stride == 0 && i > 0 && beats.back().addr == beat.addr;
                if (!same) beats.push_back(beat);
            }
        }
    }

    /// Takes the beats of a burst, which has to be of one micro-operation. Returns its number.
    std::size_t take_beats(std::size_t bank, std::uint64_t addr, std::uint32_t len) {
        std::deque<BankBeat>& beats = beats_[bank];
        const std::size_t op = beats.empty() ? 0 : beats.front().op;
        for (std::uint32_t i = 0; i <= len; ++i) {
            if (beats.empty() || beats.front().op != op || beats.front().addr != addr) {
                ADD_FAILURE() << "bank " << bank << ": a beat at " << addr << " that nobody wants";
                return op;
            }
            beats.pop_front();
            addr += p::axi_bytes;
        }
        return op;
    }

    void set_offset(std::size_t bank, std::uint32_t offset) { offsets_[bank] = offset; }
    verif::Random& random() { return random_; }
    std::uint64_t cycle() const { return cycle_; }
    const verif::AxiPins& pins(std::size_t bank) const { return pins_[bank]; }
    /// Vectors of a random micro-operation.
    void set_most(int vectors) { most_ = vectors; }
    /// From now on micro-operations wait for others.
    void set_waits() { waits_ = true; }

protected:
    /// `widths`: of the numbers of the engines that are waited for; `engine_of`: the engine of each
    /// need of a micro-operation.
    TransferBench(const TransferCase& c, const std::vector<int>& widths,
                  const std::vector<std::size_t>& engine_of)
        : context_(c.seed),
          random_(c.seed),
          stall_(static_cast<int>(100 * c.stall)),
          engine_of_(engine_of) {
        for (const int width : widths)
            engines_.push_back({width, 1000u + static_cast<unsigned>(random_.in(0, 5000))});
        verif::AxiMemoryOptions options;
        options.latency = c.latency;
        options.stall = c.stall;
        options.bus_bytes = p::axi_bytes;
        options.max_burst = 256;
        options.any_cache = true;
        for (std::size_t bank = 0; bank < 2; ++bank) {
            options.seed = 2 * c.seed + bank;
            axi_.emplace_back(memories_[bank], options);
            caches_[bank] = static_cast<std::uint32_t>(random_.in(0, 15));
        }
    }

    /// Engines go on, as far as what waits still knows them.
    template <typename Ops>
    void advance_engines(const Ops& waiting) {
        for (std::size_t i = 0; i < engines_.size(); ++i) {
            bool free = random_.chance(15);
            for (std::size_t n = 0; n < engine_of_.size(); ++n) {
                if (engine_of_[n] != i) continue;
                for (const MicroOp& op : waiting)
                    free = free && engines_[i].knows(op.needs[n]);
            }
            if (free) ++engines_[i].done;
        }
    }

    void registers() {
        dut_.decode2all_offset0 = offsets_[0];
        dut_.decode2all_offset1 = offsets_[1];
        put_number(dut_.decode2all_cache0, caches_[0]);
        put_number(dut_.decode2all_cache1, caches_[1]);
    }

    const Engine& engine(std::size_t need) const { return engines_[engine_of_[need]]; }
    bool meets(const MicroOp& op, std::size_t need) const {
        return engine(need).meets(op.needs[need]);
    }
    std::uint32_t wire(const MicroOp& op, std::size_t need) const {
        return engine(need).wire(op.needs[need]);
    }

    bool gap() { return random_.chance(stall_); }

    RandomState context_;
    Vdut dut_{&context_};
    verif::Random random_;
    int stall_;
    std::vector<std::size_t> engine_of_;
    std::vector<Engine> engines_;
    int most_ = 1 << 16;
    bool waits_ = false;
    std::uint64_t cycle_ = 0;
    std::array<verif::Memory, 2> memories_{verif::Memory("dram0"), verif::Memory("dram1")};
    std::vector<verif::AxiMemory> axi_;
    std::array<verif::AxiPins, 2> pins_;
    std::array<std::uint32_t, 2> offsets_{};
    std::array<std::uint32_t, 2> caches_{};
    std::array<std::deque<BankBeat>, 2> beats_;  ///< not yet asked for
};

}  // namespace macrame::tb
