#include "compiler/tcu/overlap.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <unordered_map>
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

/// The same of DRAM0.
template <typename Each>
void for_dram0(const Instruction& i, const Each& each) {
    if (!i.is(kDataMove) || move_space(i.flags) != Space::dram0) return;
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

/// An instruction, and how many of each stream must be in front of it.
struct Entry {
    Instruction instruction;
    int layer = 0;
    Counts needs{};
};
using Streams = std::array<std::vector<Entry>, kStreams>;

/// The last users of each address, by stream, as counts.
using Users = std::unordered_map<std::uint64_t, Counts>;

Streams split(const Assembled& program, int most) {
    Streams out;
    Users local, dram0;
    const auto add = [&](Entry entry) {
        const Stream stream = stream_of(entry.instruction);
        const std::size_t number = out[stream].size() + 1;
        const auto use = [&](Users& users, std::uint64_t address) {
            Counts& last = users[address];
            for (std::size_t s = 0; s < kStreams; ++s)
                if (s != stream) entry.needs[s] = std::max(entry.needs[s], last[s]);
            last[stream] = number;
        };
        for_local(entry.instruction, [&](std::uint64_t a) { use(local, a); });
        for_dram0(entry.instruction, [&](std::uint64_t a) { use(dram0, a); });
        out[stream].push_back(std::move(entry));
    };
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        Entry entry{program.instructions[n], program.layers[n], {}};
        if (!is_load(entry.instruction)) {
            add(std::move(entry));
            continue;
        }
        const Instruction whole = entry.instruction;
        for (std::uint64_t first = 0; first < whole.size;
             first += static_cast<std::uint64_t>(most)) {
            entry.instruction.address0 = whole.address0 + (first << whole.stride0);
            entry.instruction.address1 = whole.address1 + (first << whole.stride1);
            entry.instruction.size = std::min(whole.size - first, static_cast<std::uint64_t>(most));
            add(entry);
        }
    }
    return out;
}

/// Merges the streams in time.
class Merge {
public:
    Merge(const TimingSizes& machine, const Architecture& architecture, Streams streams)
        : streams_(std::move(streams)), timing_(machine, architecture) {}

    Assembled run() {
        for (;;) {
            const std::optional<Stream> next = choose();
            if (!next) return std::move(out_);
            const Entry& entry = streams_[*next][taken_[*next]++];
            out_.instructions.push_back(entry.instruction);
            out_.layers.push_back(entry.layer);
            const Time end = timing_.run(entry.instruction);
            if (*next == kOthers) done_.push_back(end);
        }
    }

private:
    bool ready(Stream stream) const {
        if (taken_[stream] == streams_[stream].size()) return false;
        const Counts& needs = streams_[stream][taken_[stream]].needs;
        for (std::size_t s = 0; s < kStreams; ++s)
            if (s != stream && needs[s] > taken_[s]) return false;
        return true;
    }
    /// Does another stream wait for the next one of this?
    bool wanted(Stream stream) const {
        for (std::size_t s = 0; s < kStreams; ++s)
            if (s != stream && taken_[s] < streams_[s].size() &&
                streams_[s][taken_[s]].needs[stream] > taken_[stream])
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
            const std::size_t behind = streams_[stream][taken_[stream]].needs[kOthers];
            const Time start = std::max(timing_.load_room(), done_[behind]);
            if (!others || start <= timing_.compute_room()) return stream;
        }
        return others ? std::optional(kOthers) : std::nullopt;
    }

    Streams streams_;
    Timing timing_;
    Counts taken_{};
    std::vector<Time> done_ = {0};  ///< of the others, by their number from 1
    Assembled out_;
};

}  // namespace

Assembled overlap(const TimingSizes& machine, const Architecture& architecture,
                  const Assembled& program) {
    return Merge(machine, architecture, split(program, 4 * machine.local_block)).run();
}

}  // namespace macrame::tcu::compiler
