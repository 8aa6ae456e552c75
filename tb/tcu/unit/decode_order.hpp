#pragma once
/// Who may touch a vector of memory when: accesses in program order, checked as they happen.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "tb/tcu/unit/decode_reference.hpp"

namespace macrame::tcu::test {

class Order {
public:
    /// Notes the accesses of a micro-operation; these are added in program order.
    void add(std::size_t number, const MicroOp& op) {
        for (std::uint64_t local : op.locals)
            accesses_[local].push_back({number, op.engine(), op.writes_local(), false});
        for (std::uint64_t vector : op.drams)
            accesses_[dram(op, vector)].push_back(
                {number, op.engine(), op.kind == kStoreOp, false});
    }

    /// An older access of another unit that has to come first and is not done: its number, or -1.
    long local_conflict(std::size_t number, const MicroOp& op) const {
        for (std::uint64_t local : op.locals) {
            const long found = conflict(accesses_.at(local), number, op.writes_local(), op);
            if (found >= 0) return found;
        }
        return -1;
    }
    long dram_conflict(std::size_t number, const MicroOp& op) const {
        for (std::uint64_t vector : op.drams) {
            const long found =
                conflict(accesses_.at(dram(op, vector)), number, op.kind == kStoreOp, op);
            if (found >= 0) return found;
        }
        return -1;
    }

    void local_done(std::size_t number, const MicroOp& op) {
        for (std::uint64_t local : op.locals)
            done(accesses_.at(local), number);
    }
    void dram_done(std::size_t number, const MicroOp& op) {
        for (std::uint64_t vector : op.drams)
            done(accesses_.at(dram(op, vector)), number);
    }

private:
    struct Access {
        std::size_t number;
        Engine engine;
        bool write;
        bool done;
    };
    using Accesses = std::deque<Access>;

    /// Vectors of DRAM behind those of local memory.
    static std::uint64_t dram(const MicroOp& op, std::uint64_t vector) {
        return std::uint64_t{1} << 40 | static_cast<std::uint64_t>(op.bank) << 36 | vector;
    }

    static long conflict(const Accesses& list, std::size_t number, bool write, const MicroOp& op) {
        for (const Access& access : list) {
            if (access.number >= number) break;
            if (!access.done && access.engine != op.engine() && (access.write || write))
                return static_cast<long>(access.number);
        }
        return -1;
    }

    static void done(Accesses& list, std::size_t number) {
        std::find_if(list.begin(), list.end(), [number](const Access& a) {
            return a.number == number;
        })->done = true;
        while (!list.empty() && list.front().done)
            list.pop_front();
    }

    std::unordered_map<std::uint64_t, Accesses> accesses_;
};

}  // namespace macrame::tcu::test
