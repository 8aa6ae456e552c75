#include "verif/tcu/run/analysis.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "verif/common/text.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/rules.hpp"

namespace macrame::tcu::run {

namespace {

using verif::text::fixed;
using verif::text::pad_left;
using verif::text::pad_right;
using verif::text::shortest;

constexpr std::size_t kNameColumns = 20;
constexpr std::size_t kColumns = 11;

std::string_view move_name(int flags) {
    switch (flags) {
        case kDram0ToLocal:
            return "DRAM0 to local";
        case kLocalToDram0:
            return "local to DRAM0";
        case kDram1ToLocal:
            return "DRAM1 to local";
        case kLocalToDram1:
            return "local to DRAM1";
        case kAccumulatorToLocal:
            return "acc to local";
        case kLocalToAccumulator:
            return "local to acc";
        default:
            return "local to acc, add";
    }
}

/// The name of the line that an instruction belongs to.
std::string kind_of(const Architecture& architecture, const Instruction& i) {
    if (is_ignored(architecture, i)) return "invalid";
    switch (i.opcode) {
        case kMatMul:
            return "MatMul";
        case kDataMove:
            return std::string(move_name(i.flags));
        case kLoadWeights:
            return "LoadWeights";
        case kSimd:
            if (i.simd_op == kSimdLookup) return "SIMD Lookup";
            return i.has(kSimdRead)    ? i.has(kSimdWrite) ? "SIMD read, write" : "SIMD read"
                   : i.has(kSimdWrite) ? "SIMD write"
                                       : "SIMD";
        case kLoadLut:
            return "LoadLUT";
        case kConfigure:
            return "Configure";
        default:
            return "NoOp";
    }
}

std::string column(const std::string& text) { return pad_left(text, kColumns); }

std::string percent(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? "-"
                    : fixed(100.0 * static_cast<double>(part) / static_cast<double>(all), 1) + "%";
}

std::string ratio(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? "-" : fixed(static_cast<double>(part) / static_cast<double>(all), 2);
}

Instruction instruction_at(const Layout& layout, const std::vector<std::uint8_t>& stream,
                           std::size_t index) {
    return decode(layout, stream.data() + index * static_cast<std::size_t>(layout.bytes));
}

/// Ports of a sample word, in the order of the table: the bit of valid, ready is the next.
struct Port {
    std::string_view name;
    int valid;
};
constexpr std::array<Port, 8> kPorts = {{{"instr", 46},
                                         {"array", 32},
                                         {"acc", 34},
                                         {"dataflow", 36},
                                         {"port A", 44},
                                         {"port B", 42},
                                         {"DRAM0", 40},
                                         {"DRAM1", 38}}};

/// Finds instructions by the program counter, which programs set as they like.
class Follower {
public:
    Follower(const Layout& layout, const std::vector<std::uint8_t>& stream)
        : counters_(stream.size() / static_cast<std::size_t>(layout.bytes)) {
        std::uint32_t counter = 0;
        for (std::size_t n = 0; n < counters_.size(); ++n) {
            counters_[n] = counter++;
            const Instruction i = instruction_at(layout, stream, n);
            if (i.is(kConfigure) && i.config_register == kProgramCounter) counter = i.config_value;
        }
    }

    std::size_t count() const { return counters_.size(); }

    /// The next instruction with this counter, from the one that was asked for last; count() if
    /// there is none.
    std::size_t at(std::uint32_t counter) {
        const auto found = std::find(counters_.begin() + now_, counters_.end(), counter);
        if (found != counters_.end()) now_ = found - counters_.begin();
        return static_cast<std::size_t>(found - counters_.begin());
    }

private:
    std::vector<std::uint32_t> counters_;
    std::ptrdiff_t now_ = 0;
};

struct PortCounts {
    std::uint64_t samples = 0;
    std::array<std::uint64_t, kPorts.size()> held{};
    std::array<std::uint64_t, kPorts.size()> moved{};
};

}  // namespace

std::vector<std::string> cycle_table(const Architecture& architecture,
                                     const std::vector<std::uint8_t>& stream,
                                     const std::vector<std::uint64_t>& consumed,
                                     std::uint64_t end) {
    struct Counts {
        std::uint64_t instructions = 0, vectors = 0, cycles = 0;
    };
    if (consumed.empty()) return {};
    const Layout layout = layout_of(architecture);
    std::map<std::string, Counts> kinds;
    std::uint64_t before = 0;
    for (std::size_t n = 0; n < consumed.size(); ++n) {
        const Instruction i = instruction_at(layout, stream, n);
        Counts& kind = kinds[kind_of(architecture, i)];
        ++kind.instructions;
        const bool idle = is_ignored(architecture, i) || i.is(kNoOp) || i.is(kConfigure);
        const auto vectors =
            i.is(kLoadLut) ? static_cast<std::uint64_t>(architecture.lut_depth) : i.size;
        kind.vectors += idle ? 0 : vectors;
        kind.cycles += consumed[n] - before;
        before = consumed[n];
    }
    std::vector<std::string> out = {pad_right("at the decoder", kNameColumns) + column("instr.") +
                                    column("vectors") + column("cycles") + column("per instr.") +
                                    column("per vector") + column("share")};
    for (const auto& [name, kind] : kinds) {
        out.push_back(pad_right(name, kNameColumns) + column(shortest(kind.instructions)) +
                      column(shortest(kind.vectors)) + column(shortest(kind.cycles)) +
                      column(ratio(kind.cycles, kind.instructions)) +
                      column(ratio(kind.cycles, kind.vectors)) + column(percent(kind.cycles, end)));
    }
    out.push_back(pad_right("after the last", kNameColumns) + column("") + column("") +
                  column(shortest(end - before)) + column("") + column("") +
                  column(percent(end - before, end)));
    return out;
}

std::vector<std::string> sample_table(const Architecture& architecture,
                                      const std::vector<std::uint8_t>& stream,
                                      const std::vector<std::uint64_t>& samples) {
    if (samples.empty()) return {};
    const Layout layout = layout_of(architecture);
    Follower follower(layout, stream);
    std::map<std::string, PortCounts> kinds;
    for (const std::uint64_t word : samples) {
        const std::size_t at = follower.at(static_cast<std::uint32_t>(word));
        PortCounts& kind =
            kinds[at < follower.count() ? kind_of(architecture, instruction_at(layout, stream, at))
                                        : "other"];
        ++kind.samples;
        for (std::size_t p = 0; p < kPorts.size(); ++p) {
            const bool valid = (word >> kPorts[p].valid & 1) != 0;
            const bool ready = (word >> (kPorts[p].valid + 1) & 1) != 0;
            kind.held[p] += valid && !ready ? 1 : 0;
            kind.moved[p] += valid && ready ? 1 : 0;
        }
    }
    std::string head = pad_right("held/moved", kNameColumns) + column("samples");
    for (const Port& port : kPorts)
        head += pad_left(port.name, kColumns + 2);
    std::vector<std::string> out = {head};
    for (const auto& [name, kind] : kinds) {
        std::string line = pad_right(name, kNameColumns) + column(shortest(kind.samples));
        for (std::size_t p = 0; p < kPorts.size(); ++p) {
            line += pad_left(
                percent(kind.held[p], kind.samples) + "/" + percent(kind.moved[p], kind.samples),
                kColumns + 2);
        }
        out.push_back(line);
    }
    return out;
}

}  // namespace macrame::tcu::run
