#pragma once
/// What decode has to make of a program: micro-operations in program order, each with the vectors
/// that it touches. Vector by vector, nothing is computed for blocks at once.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tcu_params.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/rules.hpp"

namespace macrame::tcu::test {

/// The numbers of the link to the compute queue, but of load and store.
enum Kind { kWeightsOp, kMatMulOp, kToAccOp, kToLocalOp, kSimdOp, kLoadOp, kStoreOp, kToLutOp };

/// What executes micro-operations in order; SIMD and moves to local memory are one.
enum Engine { kLoadEngine, kStoreEngine, kWeightsEngine, kFeedEngine, kAccEngine, kEngines };

struct MicroOp {
    int kind = kSimdOp;
    int bank = 0;
    bool zero = false, accumulate = false, swap = false;
    std::uint64_t local = 0, other = 0;
    int stride0 = 0, stride1 = 0;
    std::uint64_t count = 0;                    ///< vectors, less one
    int op = 0, left = 0, right = 0, dest = 0;  ///< SIMD; TO_LUT: dest is the table
    bool read = false, write = false;
    int swaps_before = 0;
    std::vector<std::uint64_t> locals, drams;  ///< vectors touched
    std::uint32_t offset = 0;                  ///< of the bank, when this is executed
    int cache = 0;

    bool writes_local() const { return kind == kLoadOp || kind == kToLocalOp; }
    Engine engine() const {
        switch (kind) {
            case kLoadOp:
                return kLoadEngine;
            case kStoreOp:
                return kStoreEngine;
            case kWeightsOp:
                return kWeightsEngine;
            case kMatMulOp:
            case kToAccOp:
            case kToLutOp:
                return kFeedEngine;
            default:
                return kAccEngine;
        }
    }
};

/// The architecture of this configuration.
inline Architecture architecture() {
    namespace p = tcu_params;
    Architecture a;
    a.data_type = find_data_type(p::data_type)->type;
    a.array_size = p::array_size;
    a.dram0_depth = p::dram0_depth;
    a.dram1_depth = p::dram1_depth;
    a.local_depth = p::local_depth;
    a.accumulator_depth = p::accumulator_depth;
    a.simd_registers_depth = p::simd_registers_depth;
    a.stride0_depth = p::stride0_depth;
    a.stride1_depth = p::stride1_depth;
    a.lut_tables = p::lut_tables;
    a.lut_depth = p::lut_depth;
    return a;
}

class Reference {
public:
    /// Begins with the micro-operation of the reset.
    Reference() {
        Instruction zeroes;
        zeroes.opcode = kLoadWeights;
        zeroes.flags = kLoadWeightsZeroes;
        zeroes.size = tcu_params::array_size + 1;
        add(zeroes);
        counter = 0;
    }

    void add(const Instruction& i) {
        ++counter;
        MicroOp op;
        op.local = i.address0;
        op.other = i.address1;
        op.stride0 = i.stride0;
        op.stride1 = i.stride1;
        switch (i.opcode) {
            case kMatMul:
                op.kind = kMatMulOp;
                op.zero = i.has(kMatMulZeroes);
                op.accumulate = i.has(kMatMulAccumulate);
                return split(op, i.size);
            case kLoadWeights:
                op.kind = kWeightsOp;
                op.zero = i.has(kLoadWeightsZeroes);
                return split(op, std::min<std::uint64_t>(i.size, tcu_params::array_size + 1));
            case kDataMove:
                return move(op, i);
            case kSimd:
                return simd(op, i);
            case kConfigure:
                return configure(i);
            case kLoadLut:
                if (i.address1 > std::uint64_t{tcu_params::lut_tables} ||
                    tcu_params::lut_tables == 0)
                    return;
                op.kind = kToLutOp;
                op.dest = static_cast<int>(i.address1);
                return split(op, tcu_params::lut_depth);
            default:
                return;
        }
    }

    std::vector<MicroOp> ops;
    std::uint32_t counter = 0;
    std::uint32_t offset[2] = {0, 0};
    int cache[2] = {0, 0};
    std::uint32_t sample_interval = 0;

private:
    void move(MicroOp op, const Instruction& i) {
        const Space space = move_space(i.flags);
        if (space == Space::none) return;
        op.bank = space == Space::dram1;
        if (space == Space::accumulators) {
            op.kind = moves_to_local(i.flags) ? kToLocalOp : kToAccOp;
            op.accumulate = i.flags == kLocalToAccumulatorAdd;
        } else {
            op.kind = moves_to_local(i.flags) ? kLoadOp : kStoreOp;
            op.offset = offset[op.bank];
            op.cache = cache[op.bank];
        }
        split(op, i.size);
    }

    /// One micro-operation as long as all vectors are in one block of each memory.
    void split(MicroOp op, std::uint64_t size) {
        const bool down = op.kind == kWeightsOp;
        const bool dram = op.kind == kLoadOp || op.kind == kStoreOp;
        const bool follow = dram && (op.stride1 == 0 || size == 1);
        const std::uint64_t base0 = op.local, base1 = op.other;
        MicroOp piece = op;
        for (std::uint64_t n = 0; n < size; ++n) {
            const std::uint64_t local = base0 + ((down ? size - 1 - n : n) << op.stride0);
            const std::uint64_t other = base1 + (n << op.stride1);
            const bool together =
                n > 0 && (op.zero || same_block(local, piece.locals.back(), local_block())) &&
                (!follow || same_block(other, piece.drams.back(), dram_block()));
            if (!together) {
                if (n > 0) finish(piece);
                piece = op;
                piece.local = local;
                piece.other = other;
            }
            if (!op.zero) piece.locals.push_back(local);
            if (dram) piece.drams.push_back(other);
            piece.count += together;
        }
        finish(piece);
    }

    static int local_block() { return tcu_params::local_block_w; }
    static int dram_block() { return tcu_params::dram_block_w; }
    static bool same_block(std::uint64_t a, std::uint64_t b, int bits) {
        return a >> bits == b >> bits;
    }

    void finish(MicroOp& op) {
        op.swaps_before = swaps_;
        if (op.kind == kWeightsOp) loaded_ = true;
        if (op.kind == kMatMulOp && loaded_) {
            op.swap = true;
            loaded_ = false;
            ++swaps_;
        }
        ops.push_back(op);
    }

    void simd(MicroOp op, const Instruction& i) {
        op.kind = kSimdOp;
        op.write = i.has(kSimdWrite);
        const bool lookup = i.simd_op == kSimdLookup;  // always writes registers
        if (i.simd_op == kSimdNoOp || i.simd_op > kSimdLookup) return;
        if (!op.write && i.simd_dest == 0 && !lookup) return;
        const int sources = simd_sources(i.simd_op);
        op.read = i.has(kSimdRead) &&
                  ((sources > 0 && i.simd_left == 0) || (sources > 1 && i.simd_right == 0));
        op.accumulate = op.write && i.has(kSimdAccumulate);
        op.op = i.simd_op;
        op.left = i.simd_left;
        op.right = i.simd_right;
        op.dest = i.simd_dest;
        ops.push_back(op);
    }

    void configure(const Instruction& i) {
        const std::uint32_t value = i.config_value;
        switch (i.config_register) {
            case kDram0Offset:
            case kDram1Offset:
                offset[i.config_register / 4] = value << 16;
                return;
            case kDram0Cache:
            case kDram1Cache:
                cache[i.config_register / 4] = static_cast<int>(value & 15);
                return;
            case kProgramCounter:
                counter = value;
                return;
            case kSampleInterval:
                sample_interval = value & 0xffff;
                return;
            default:
                return;
        }
    }

    int swaps_ = 0;
    bool loaded_ = false;  ///< weights, since the last MatMul
};

}  // namespace macrame::tcu::test
