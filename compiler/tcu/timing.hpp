#pragma once
/// Cycles of programs on our hardware: its engines in a model of their own order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::compiler {

/// In cycles.
using Time = std::int64_t;

/// Sizes of the hardware that time depends on.
struct TimingSizes {
    int beats = 1;         ///< of a DRAM bus in a vector
    int latency = 20;      ///< cycles from a request of DRAM to its first beat
    int local_block = 32;  ///< vectors that are watched as one; the same of a bank of DRAM
    int dram_block = 64;
    int queue = 512;     ///< compute micro-operations between the decoder and the engines
    int transfers = 16;  ///< micro-operations that wait in the load engine, and in the store engine
    int array_latency = 16;
    int results = 32;  ///< vectors that wait behind the array
    int swap = 8;      ///< cycles from one change of weights to the next
    int vectors = 1;   ///< that the array takes in a cycle
};

/// Micro-operations that wait in front of an engine; in front of the accumulators their buffer and
/// the one that is taken apart stay until the result comes out of the array.
constexpr int kEngineQueue = 16, kAccumulatorQueue = kEngineQueue + 3;

/// Runs a program in time, without data.
class Timing {
public:
    Timing(const TimingSizes& machine, const Architecture& architecture)
        : m_(machine),
          written_(machine.local_block),
          read_(machine.local_block),
          stored_{Blocks(machine.dram_block), Blocks(machine.dram_block)},
          accumulators_(static_cast<std::size_t>(architecture.accumulator_depth), 0),
          rows_(architecture.array_size + 1),
          loads_(machine.transfers),
          stores_(machine.transfers),
          computes_(machine.queue) {}

    /// When the next instruction is done: what it writes is there.
    Time run(const Instruction& i);
    /// Of the decoder, behind the last instruction.
    Time clock() const { return clock_; }
    /// When the decoder could hand over another load; another product.
    Time load_room() const { return std::max(clock_, loads_.room()); }
    Time compute_room() const { return std::max(clock_, computes_.room()); }

private:
    /// A part of a transfer within a block of local memory.
    struct Piece {
        std::uint64_t local, other;
        Time size;
    };
    /// The last times of accesses to a memory, by block.
    class Blocks {
    public:
        explicit Blocks(int size) : size_(static_cast<std::uint64_t>(size)) {}
        Time& operator[](std::uint64_t address) {
            const auto block = static_cast<std::size_t>(address / size_);
            if (block >= times_.size()) times_.resize(block + block / 2 + 1);
            return times_[block];
        }

    private:
        std::uint64_t size_;
        std::vector<Time> times_;
    };
    /// Room for so many entries; each leaves at a time.
    class Queue {
    public:
        explicit Queue(int size) : leaves_(static_cast<std::size_t>(size), 0) {}
        /// When the next entry finds room.
        Time room() const { return leaves_[next_]; }
        void enter(Time leaves) {
            leaves_[next_] = leaves;
            next_ = (next_ + 1) % leaves_.size();
        }

    private:
        std::vector<Time> leaves_;
        std::size_t next_ = 0;
    };

    template <typename Each>
    void for_pieces(const Instruction& i, const Each& each) const;
    Time load(const Instruction& i, const Piece& piece, std::size_t bank);
    Time store(const Instruction& i, const Piece& piece, std::size_t bank);
    Time weights(Time size, const std::uint64_t* local);
    Time product(const Instruction& i, const Piece& piece);
    Time to_accumulators(const Instruction& i, const Piece& piece);
    Time to_local(const Instruction& i, const Piece& piece);
    Time simd(const Instruction& i);
    /// When an element may read accumulators from `first` on.
    Time ready(std::uint64_t first, Time size, int stride, Time start);
    /// The same of one that only adds to them: it may follow right behind the write.
    Time ready_to_add(std::uint64_t first, Time size, int stride, Time start);
    void wrote(std::uint64_t first, Time size, int stride, Time start);

    /// The decoder hands a micro-operation over.
    Time decode(Queue& queue) { return clock_ = std::max(clock_ + 1, queue.room()); }
    /// The compute queue does so with the queue of an engine, one after the other.
    Time issue(const Queue& engine);
    /// One that goes to both feed and accumulators, when both have room. What comes behind it,
    /// weights too, waits for that.
    Time issue_to_both();

    TimingSizes m_;
    Blocks written_, read_;
    std::array<Blocks, 2> stored_;
    std::vector<Time> accumulators_;  ///< last writes
    Time rows_;
    Queue loads_, stores_, computes_;
    Queue weight_queue_{kEngineQueue}, feed_queue_{kEngineQueue}, acc_queue_{kAccumulatorQueue};
    Time issued_ = 0;
    Time clock_ = 0;                                                ///< of the decoder
    Time load_ = 0, store_ = 0, weights_ = 0, feed_ = 0, acc_ = 0;  ///< engines are free
    std::array<Time, 2> data_ = {0, 0};                             ///< of the banks
    Time last_store_ = 0;
    Time swap_ = 0;
    bool fresh_ = true;  ///< weights were loaded behind the last product
    Time register_ = 0;
    std::uint64_t continues_ = 0;  ///< the accumulator behind the last product
};

}  // namespace macrame::tcu::compiler
