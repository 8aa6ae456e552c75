#include "compiler/tcu/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

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

/// An instruction of one of the two streams, and how many of the other must be in front of it.
struct Entry {
    Instruction instruction;
    int layer = 0;
    std::size_t needs = 0;
};

struct Streams {
    std::vector<Entry> loads, others;
};

/// The last user of each address in either stream, as a count.
struct Users {
    std::unordered_map<std::uint64_t, std::size_t> loads, others;

    static std::size_t of(const std::unordered_map<std::uint64_t, std::size_t>& users,
                          std::uint64_t address) {
        const auto found = users.find(address);
        return found == users.end() ? 0 : found->second;
    }
};

Streams split(const Emitted& program, int most) {
    Streams out;
    Users local, dram0;
    const auto add_load = [&](Entry entry) {
        const auto number = out.loads.size() + 1;
        const auto use = [&](Users& users, std::uint64_t address) {
            entry.needs = std::max(entry.needs, Users::of(users.others, address));
            users.loads[address] = number;
        };
        for_local(entry.instruction, [&](std::uint64_t a) { use(local, a); });
        for_dram0(entry.instruction, [&](std::uint64_t a) { use(dram0, a); });
        out.loads.push_back(std::move(entry));
    };
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        Entry entry{program.instructions[n], program.layers[n], 0};
        if (!is_load(entry.instruction)) {
            const auto number = out.others.size() + 1;
            const auto use = [&](Users& users, std::uint64_t address) {
                entry.needs = std::max(entry.needs, Users::of(users.loads, address));
                users.others[address] = number;
            };
            for_local(entry.instruction, [&](std::uint64_t a) { use(local, a); });
            for_dram0(entry.instruction, [&](std::uint64_t a) { use(dram0, a); });
            out.others.push_back(std::move(entry));
            continue;
        }
        const Instruction whole = entry.instruction;
        for (std::uint64_t first = 0; first < whole.size;
             first += static_cast<std::uint64_t>(most)) {
            entry.instruction.address0 = whole.address0 + (first << whole.stride0);
            entry.instruction.address1 = whole.address1 + (first << whole.stride1);
            entry.instruction.size = std::min(whole.size - first, static_cast<std::uint64_t>(most));
            entry.needs = 0;
            add_load(entry);
        }
    }
    return out;
}

}  // namespace

Emitted overlap(const Machine& machine, const Architecture& architecture, const Emitted& program) {
    const Streams streams = split(program, 4 * machine.local_block);
    Timing timing(machine, architecture);
    Emitted out;
    std::vector<Time> done = {0};  // of the others, by their number from 1
    std::size_t loads = 0, others = 0;
    const auto take = [&](const Entry& entry) {
        out.instructions.push_back(entry.instruction);
        out.layers.push_back(entry.layer);
        return timing.run(entry.instruction);
    };
    while (loads < streams.loads.size() || others < streams.others.size()) {
        const bool more = others < streams.others.size();
        if (loads < streams.loads.size()) {
            const Entry& load = streams.loads[loads];
            const bool may = load.needs <= others;
            const bool must = !more || streams.others[others].needs > loads;
            const Time start = std::max(timing.load_room(), done[may ? load.needs : 0]);
            if (may && (must || start <= timing.compute_room())) {
                take(load);
                ++loads;
                continue;
            }
        }
        done.push_back(take(streams.others[others]));
        ++others;
    }
    return out;
}

}  // namespace macrame::tcu::compiler
