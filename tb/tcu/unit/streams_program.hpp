#pragma once
/// Random micro-operations around local memory with what they need, as decode would send them, and
/// what each of them has to read, from a memory that executes them one after the other.

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "tb/tcu/unit/unit_bench.hpp"

namespace macrame::tb {

namespace p = tcu_params;

enum Kind { kLoad, kMoved, kWeights, kMatmul, kToAcc };
/// Engines number their micro-operations from 1; 0: none.
enum Engine { kLoadEngine, kMovedEngine, kWeightsEngine, kFeedEngine, kEngines };

inline Engine engine_of(Kind kind) {
    switch (kind) {
        case kLoad:
            return kLoadEngine;
        case kMoved:
            return kMovedEngine;
        case kWeights:
            return kWeightsEngine;
        default:
            return kFeedEngine;
    }
}

struct MicroOp {
    Kind kind = kLoad;
    int local = 0;   ///< weights: the highest address
    int stride = 0;  ///< code
    int count = 1;
    bool zero = false;
    bool swap = false;
    int number = 0;                    ///< of its engine
    int swaps = 0;                     ///< before it
    std::array<int, kEngines> need{};  ///< numbers
    std::vector<Vector> data;          ///< that are written, or that are to be read
    std::vector<Vector> chain;         ///< rows that a swap has to take

    bool writes() const { return kind == kLoad || kind == kMoved; }
    int addr(int i) const {
        const int way = i << stride;
        return kind == kWeights ? local - way : local + way;
    }
};

inline MicroOp op_of(Kind kind, int local, int count, bool zero = false) {
    MicroOp op;
    op.kind = kind;
    op.local = local;
    op.count = count;
    op.zero = zero;
    return op;
}

/// What random programs are made of: weights of the kinds, largest count.
struct Mix {
    const char* name;
    std::array<int, 5> kinds;
    int most;
    int zero_percent;
};

/// How often, in percent, something happens in a cycle in which it could.
struct StreamTraffic {
    const char* name;
    int offer;  ///< issue and the writers have something
    int take;   ///< acc takes something
    int store;  ///< store reads something
};

class Program {
public:
    explicit Program(verif::Random& random) : random_(random) {
        for (int i = 0; i < p::local_depth; ++i)
            memory_.push_back(random_vector(random));
        start_ = memory_;
        chain_.assign(static_cast<std::size_t>(p::array_size) + 1, Vector(kVectorBytes, 0));
        last_.resize(memory_.size());
        MicroOp clear;  // as decode does after reset
        clear.kind = kWeights;
        clear.zero = true;
        clear.count = p::array_size + 1;
        add(clear);
    }

    void add_random(const Mix& mix) {
        MicroOp op;
        op.kind = static_cast<Kind>(pick(mix.kinds));
        op.zero = (op.kind == kWeights || op.kind == kMatmul) && random_.chance(mix.zero_percent);
        op.stride = random_.in(0, std::min(p::stride0_depth - 1, 3));
        const int range = std::min(p::local_depth, 64);
        op.local = random_.in(0, range - 1);
        const int room = op.kind == kWeights ? op.local : range - 1 - op.local;
        const int most = std::min(mix.most, op.zero ? mix.most : 1 + (room >> op.stride));
        op.count = random_.low(1, most);
        add(std::move(op));
    }

    /// A micro-operation as the next one: numbers, needs, data.
    void add(MicroOp op) {
        op.number = ++count_[engine_of(op.kind)];
        op.swaps = swaps_;
        if (op.kind == kMatmul && loaded_) {
            op.swap = true;
            op.need[kWeightsEngine] = count_[kWeightsEngine];
            op.chain = chain_;
            loaded_ = false;
            ++swaps_;
        }
        for (int i = 0; i < op.count; ++i)
            access(op, i);
        if (op.kind == kWeights) loaded_ = true;
        ops.push_back(std::move(op));
    }

    const std::vector<Vector>& start() const { return start_; }

    std::vector<MicroOp> ops;

private:
    /// The last micro-operation of each engine that touched a vector: reads and writes.
    using Last = std::array<int, kEngines>;

    int pick(const std::array<int, 5>& weights) {
        int sum = 0;
        for (const int w : weights)
            sum += w;
        int at = random_.in(1, sum);
        for (std::size_t i = 0;; ++i) {
            at -= weights[i];
            if (at <= 0) return static_cast<int>(i);
        }
    }

    void access(MicroOp& op, int i) {
        if (op.zero) {
            op.data.emplace_back(kVectorBytes, 0);
        } else {
            const auto at = static_cast<std::size_t>(op.addr(i));
            Vector& vector = memory_[at];
            Last& last = last_[at];
            if (op.writes()) vector = random_vector(random_);
            op.data.push_back(vector);
            const Engine self = engine_of(op.kind);
            for (int e = 0; e < kEngines; ++e) {
                const bool writer = e == kLoadEngine || e == kMovedEngine;
                if (e != self && (op.writes() || writer)) {
                    int& need = op.need[static_cast<std::size_t>(e)];
                    need = std::max(need, last[static_cast<std::size_t>(e)]);
                }
            }
            last[self] = op.number;
        }
        if (op.kind == kWeights) {
            chain_.pop_back();
            chain_.insert(chain_.begin(), op.data.back());
        }
    }

    verif::Random& random_;
    std::vector<Vector> start_, memory_;
    std::vector<Vector> chain_;  ///< rows of the array, the bias first
    std::vector<Last> last_;
    std::array<int, kEngines> count_{};
    int swaps_ = 0;
    bool loaded_ = false;  ///< rows were shifted since the last swap
};

}  // namespace macrame::tb
