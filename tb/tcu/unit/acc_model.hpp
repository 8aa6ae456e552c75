#pragma once
/// Micro-operations of acc, executed one after the other: what acc must end with, whatever it
/// overlaps.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "tb/tcu/unit/lanes.hpp"
#include "verif/tcu/model/lookup.hpp"
#include "verif/tcu/model/simd.hpp"

namespace macrame::tb {

enum Kind { kMatmul = 1, kToAcc, kToLocal, kSimdOperation, kToTable = 7 };

/// What a TO_LOCAL waits for: load, store, feed, weights.
inline constexpr std::size_t kEngines = 4;

struct MicroOp {
    int kind = kSimdOperation;
    bool accumulate = false;
    int local = 0, local_stride = 0;
    int acc = 0, acc_stride = 0;  ///< SIMD: acc is read
    int count = 1;
    int write = 0;  ///< SIMD
    int op = tcu::kSimdMove;
    int left = 0, right = 0, dest = 0;  ///< kToTable: dest is the table
    int entry = 0;                      ///< kToTable: of the first vector
    bool read = false, write_en = false;
    std::array<bool, kEngines> needs = {};
    std::array<std::uint32_t, kEngines> numbers = {};
};

/// A vector that goes to local memory.
struct LocalWrite {
    int address;
    Lanes lanes;
    MicroOp op;
    bool last;
};

/// What tables need of the architecture.
inline tcu::Architecture table_architecture() {
    tcu::Architecture a;
    a.array_size = kLanes;
    a.lut_tables = tcu_params::lut_tables;
    a.lut_depth = tcu_params::lut_depth;
    return a;
}

class AccModel {
public:
    AccModel()
        : accumulators_(tcu_params::accumulator_depth, zero_lanes()),
          registers_(tcu_params::simd_registers_depth + 1, zero_lanes()) {}

    /// `vectors`: what all but a TO_LOCAL and SIMD get. Writes to local memory are added to
    /// `writes`.
    void execute(const MicroOp& op, const std::vector<Lanes>& vectors,
                 std::deque<LocalWrite>& writes) {
        if (op.kind == kSimdOperation) return simd(op);
        for (int i = 0; i < op.count; ++i) {
            const int address = op.acc + (i << op.acc_stride);
            if (op.kind == kToLocal) {
                writes.push_back(
                    {op.local + (i << op.local_stride), at(address), op, i + 1 == op.count});
            } else if (op.kind == kToTable) {
                const Lanes& lanes = vectors[static_cast<std::size_t>(i)];
                std::copy(lanes.begin(), lanes.end(),
                          tables_.table(op.dest).row(static_cast<std::uint64_t>(op.entry + i)));
            } else {
                store(address, vectors[static_cast<std::size_t>(i)], op.accumulate);
            }
        }
    }

    /// Lanes that were clamped.
    std::uint64_t saturations() const { return saturations_; }

private:
    Lanes& at(int address) { return accumulators_[static_cast<std::size_t>(address)]; }

    void store(int address, const Lanes& lanes, bool accumulate) {
        const Lanes old = accumulate ? at(address) : zero_lanes();
        tcu::model::simd<Fixed>(tcu::kSimdAdd, kLanes, old.data(), lanes.data(), at(address).data(),
                                saturations_);
    }

    /// Codes above the number of registers read as zero.
    Lanes source(const MicroOp& op, int code) {
        if (code == 0) return op.read ? at(op.acc) : zero_lanes();
        return code <= tcu_params::simd_registers_depth ? registers_[static_cast<std::size_t>(code)]
                                                        : zero_lanes();
    }

    void simd(const MicroOp& op) {
        const Lanes left = source(op, op.left), right = source(op, op.right);
        Lanes out = zero_lanes();
        if (op.op == tcu::kSimdLookup) {
            out = lookup(op, left);
        } else {
            tcu::model::simd<Fixed>(op.op, kLanes, left.data(), right.data(), out.data(),
                                    saturations_);
        }
        put(op.dest, out);
        if (op.write_en) store(op.write, out, op.accumulate);
    }
    void put(int code, const Lanes& lanes) {
        if (code != 0 && code <= tcu_params::simd_registers_depth)
            registers_[static_cast<std::size_t>(code)] = lanes;
    }

    /// Values to the registers behind the destination; returns the difference.
    Lanes lookup(const MicroOp& op, const Lanes& x) {
        Lanes difference = zero_lanes();
        for (int table = 1; table <= tables_.count(); ++table) {
            Lanes values = zero_lanes();
            for (int lane = 0; lane < kLanes; ++lane) {
                const auto at = static_cast<std::size_t>(lane);
                const int entry = tables_.closest(x[at], lane);
                values[at] = tables_.value(table, entry, lane);
                difference[at] = Fixed::clamp(tables_.difference(x[at], entry, lane));
            }
            put(op.dest + table, values);
        }
        return difference;
    }

    std::vector<Lanes> accumulators_;
    std::vector<Lanes> registers_;  ///< 0: not used
    tcu::model::LookupTables<Fixed> tables_{table_architecture()};
    std::uint64_t saturations_ = 0;
};

/// Does the operation use its right source? Only Zero does not use the left one.
inline bool is_binary(int op) {
    return (op >= tcu::kSimdAdd && op <= tcu::kSimdMultiply) || op == tcu::kSimdAnd ||
           op == tcu::kSimdOr || (op >= tcu::kSimdGreaterThan && op <= tcu::kSimdMax);
}
inline bool uses_input(const MicroOp& op) {
    return op.op != tcu::kSimdZero && (op.left == 0 || (is_binary(op.op) && op.right == 0));
}

}  // namespace macrame::tb
