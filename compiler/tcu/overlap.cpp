#include "compiler/tcu/overlap.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>

namespace macrame::tcu::compiler {

namespace {

bool is_load(const Instruction& i) {
    return i.is(kDataMove) && (i.flags == kDram0ToLocal || i.flags == kDram1ToLocal);
}

/// Calls with the addresses of local memory that an instruction uses.
template <typename Each>
void for_local(const Instruction& i, const Each& each) {
    const bool zeroes = (i.is(kMatMul) && i.has(kMatMulZeroes)) ||
                        (i.is(kLoadWeights) && i.has(kLoadWeightsZeroes));
    if (zeroes || (!i.is(kMatMul) && !i.is(kLoadWeights) && !i.is(kDataMove))) return;
    for (std::uint64_t n = 0; n < i.size; ++n)
        each(i.address0 + (n << i.stride0));
}

/// The same of a bank of DRAM.
template <typename Each>
void for_dram(const Instruction& i, Space bank, const Each& each) {
    if (!i.is(kDataMove) || move_space(i.flags) != bank) return;
    for (std::uint64_t n = 0; n < i.size; ++n)
        each(i.address1 + (n << i.stride1));
}

/// Loads of each bank, and all other instructions. Each stream stays in its order.
enum Stream { kLoads0, kLoads1, kOthers };
constexpr std::size_t kStreams = 3;
/// Of each stream.
using Counts = std::array<std::size_t, kStreams>;

Stream stream_of(const Instruction& i) {
    if (!is_load(i)) return kOthers;
    return i.flags == kDram0ToLocal ? kLoads0 : kLoads1;
}

/// An instruction of the program, or of a load a piece that begins at a vector, and how many of
/// each stream must be in front of it.
struct Entry {
    std::uint32_t number = 0;
    std::uint32_t first = 0;
    std::array<std::uint32_t, kStreams> needs{};
};

/// The last users of each address, by stream, as counts.
class Users {
public:
    std::array<std::uint32_t, kStreams>& operator[](std::uint64_t address) {
        const auto place = static_cast<std::size_t>(address);
        if (place >= last_.size()) last_.resize(place + place / 2 + 1);
        return last_[place];
    }

private:
    std::vector<std::array<std::uint32_t, kStreams>> last_;  ///< by address
};

/// The piece of at most so many vectors that begins at one of them.
Instruction piece_of(const Instruction& whole, std::uint32_t first, std::uint64_t most) {
    Instruction out = whole;
    out.address0 = whole.address0 + (std::uint64_t{first} << whole.stride0);
    out.address1 = whole.address1 + (std::uint64_t{first} << whole.stride1);
    out.size = std::min(whole.size - first, most);
    return out;
}

/// Makes the streams of a program, no further than to the next entry of each: programs have
/// millions of instructions.
class Splitter {
public:
    /// Loads in pieces of at most so many vectors.
    Splitter(const Instructions& program, std::uint64_t most) : program_(program), most_(most) {
        for (std::size_t n = 0; n < program_.size(); ++n) {
            const Instruction one = program_[n];
            left_[stream_of(one)] += is_load(one) ? (one.size + most - 1) / most : 1;
            stores1_ = stores1_ || (one.is(kDataMove) && one.flags == kLocalToDram1);
        }
        look_ahead();
    }

    /// Entries that have not been taken.
    const Counts& left() const { return left_; }
    bool has(std::size_t stream) const { return left_[stream] > 0; }
    const Entry& next(std::size_t stream) const { return ahead_[stream].front(); }
    Entry take(std::size_t stream) {
        const Entry out = next(stream);
        ahead_[stream].pop_front();
        --left_[stream];
        look_ahead();
        return out;
    }

private:
    void look_ahead() {
        for (std::size_t s = 0; s < kStreams; ++s)
            while (has(s) && ahead_[s].empty())
                split(number_++);
    }

    void split(std::size_t number) {
        const Instruction whole = program_[number];
        Entry entry;
        entry.number = static_cast<std::uint32_t>(number);
        if (!is_load(whole)) {
            add(whole, entry);
            return;
        }
        for (std::uint64_t first = 0; first < whole.size; first += most_) {
            entry.first = static_cast<std::uint32_t>(first);
            add(piece_of(whole, entry.first, most_), entry);
        }
    }

    void add(const Instruction& instruction, Entry entry) {
        const Stream stream = stream_of(instruction);
        const std::uint32_t count = ++made_[stream];
        const auto use = [&](Users& users, std::uint64_t address) {
            auto& last = users[address];
            for (std::size_t s = 0; s < kStreams; ++s)
                if (s != stream) entry.needs[s] = std::max(entry.needs[s], last[s]);
            last[stream] = count;
        };
        for_local(instruction, [&](std::uint64_t a) { use(local_, a); });
        for_dram(instruction, Space::dram0, [&](std::uint64_t a) { use(dram0_, a); });
        if (stores1_) for_dram(instruction, Space::dram1, [&](std::uint64_t a) { use(dram1_, a); });
        ahead_[stream].push_back(entry);
    }

    const Instructions& program_;
    std::uint64_t most_;
    std::size_t number_ = 0;  ///< of the instruction that is split next
    Counts left_{};
    std::array<std::uint32_t, kStreams> made_{};
    std::array<std::deque<Entry>, kStreams> ahead_;
    Users local_, dram0_, dram1_;
    bool stores1_ = false;  ///< else DRAM1 has constants alone, in any order
};

/// Merges the streams in time.
class Merge {
public:
    /// Loads in pieces of at most so many vectors.
    Merge(const TimingSizes& machine, const Architecture& architecture, Assembled program,
          std::uint64_t most)
        : program_(std::move(program.instructions)),
          layers_(std::move(program.layers)),
          most_(most),
          streams_(program_, most),
          timing_(machine, architecture) {
        const Counts& left = streams_.left();
        const std::size_t count = std::accumulate(left.begin(), left.end(), std::size_t{0});
        out_.instructions = Instructions(architecture);
        out_.instructions.reserve(count);
        out_.layers.reserve(count);
        done_.reserve(left[kOthers] + 1);
    }

    Assembled run() {
        for (;;) {
            const std::optional<Stream> next = choose();
            if (!next) return std::move(out_);
            const Entry entry = streams_.take(*next);
            ++taken_[*next];
            const Instruction whole = program_[entry.number];
            const Instruction next_one =
                is_load(whole) ? piece_of(whole, entry.first, most_) : whole;
            out_.instructions.push_back(next_one);
            out_.layers.push_back(layers_[entry.number]);
            const Time end = timing_.run(next_one);
            if (*next == kOthers) done_.push_back(end);
        }
    }

private:
    bool ready(Stream stream) const {
        if (!streams_.has(stream)) return false;
        const auto& needs = streams_.next(stream).needs;
        for (std::size_t s = 0; s < kStreams; ++s)
            if (s != stream && needs[s] > taken_[s]) return false;
        return true;
    }
    /// Does another stream wait for the next one of this?
    bool wanted(Stream stream) const {
        for (std::size_t s = 0; s < kStreams; ++s)
            if (s != stream && streams_.has(s) && streams_.next(s).needs[stream] > taken_[stream])
                return true;
        return false;
    }
    /// A load that the decoder need not wait for longer than for what else is next, else that;
    /// nothing at the end. Something is always ready: what comes first in the program.
    std::optional<Stream> choose() const {
        const bool others = ready(kOthers);
        const Stream first = wanted(kLoads0) ? kLoads0 : kLoads1;
        for (const Stream stream : {first, first == kLoads0 ? kLoads1 : kLoads0}) {
            if (!ready(stream)) continue;
            const std::size_t behind = streams_.next(stream).needs[kOthers];
            const Time start = std::max(timing_.load_room(), done_[behind]);
            if (!others || start <= timing_.compute_room()) return stream;
        }
        return others ? std::optional(kOthers) : std::nullopt;
    }

    Instructions program_;
    std::vector<int> layers_;  ///< by instruction of the program
    std::uint64_t most_;
    Splitter streams_;
    Timing timing_;
    Counts taken_{};
    std::vector<Time> done_ = {0};  ///< of the others, by their number from 1
    Assembled out_;
};

}  // namespace

Assembled overlap(const TimingSizes& machine, const Architecture& architecture, Assembled program) {
    const auto most = static_cast<std::uint64_t>(4 * machine.local_block);
    return Merge(machine, architecture, std::move(program), most).run();
}

}  // namespace macrame::tcu::compiler
