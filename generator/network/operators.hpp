#pragma once
/// What operators of a network cost: sums over the layers of the hardware that they became.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace macrame::network {

/// What a machine took, in cycles of its clock.
struct Measured {
    /// Bytes moved by a memory port, and cycles in which it held requests off.
    struct Port {
        std::string name;
        std::uint64_t read_bytes = 0, write_bytes = 0;
        std::uint64_t read_stalls = 0, write_stalls = 0;
    };

    /// What the ports have done by a cycle, all of them together.
    struct Sample {
        std::uint64_t cycle = 0;
        std::uint64_t read_bytes = 0, write_bytes = 0;
        std::uint64_t read_stalls = 0, write_stalls = 0;
    };

    std::string machine;       ///< "design, memory latency 32"
    std::uint64_t cycles = 0;  ///< from the first command to the last interrupt
    // Of each layer, counted from the first command: when its first register was written, when it
    // was done.
    std::vector<std::uint64_t> begins, ends;
    bool from_end_to_end = false;  ///< a layer begins when the one before it ends
    std::vector<Port> ports;
    std::vector<Sample> samples;  ///< in the order of time

    /// From the end of the layer before, or of the last of them, to its own.
    std::vector<std::uint64_t> durations() const;
    /// What the next program of the network took, as if it had begun at the end of this one.
    void append(const Measured& next);
};

struct OperatorCost {
    int node = 0;
    int runs = 0;  ///< layers of the hardware
    std::uint64_t macs = 0;
    std::uint64_t cycles = 0;  ///< estimated
    std::uint64_t mac_cycles = 0, post_cycles = 0, memory_cycles = 0;
    std::uint64_t bound = 0;  ///< of each layer the largest of these
    std::uint64_t read_bytes = 0, write_bytes = 0;
    std::string limiter;  ///< what most of the bound is made of
    int channels = 0, proved = 0;
    int most = 0;                           ///< largest difference from the reference
    std::vector<std::string> choices;       ///< of its layers, each once
    std::optional<std::uint64_t> measured;  ///< cycles

    std::uint64_t best_cycles() const { return measured.value_or(cycles); }
    /// Part of the MAC array's multiplications that the network asked for, 0 to 1.
    double use(int macs_per_cycle) const;
    /// "16/16", "-" where there is nothing to compare.
    std::string exactness() const;
    /// "4 phases at once, contract"
    std::string choice() const;
};

/// Has any of them a choice to tell?
bool have_choices(const std::vector<OperatorCost>& costs);

/// Of the operators that became layers, in their order.
std::vector<OperatorCost> operator_costs(const Network& network,
                                         const Measured* measured = nullptr);

/// All operators together; the limiter is that of most cycles.
OperatorCost total(const std::vector<OperatorCost>& costs);

/// Cycles of the operators of each limiter, the most first.
struct LimiterShare {
    std::string limiter;
    int operators = 0;
    std::uint64_t cycles = 0;
};
std::vector<LimiterShare> limiter_shares(const std::vector<OperatorCost>& costs);

/// "conv 3x3 /2", "depthwise 3x3", "average pool 8x8".
std::string title(const graph::Graph& graph, const graph::Node& node);

/// What raised parameters would bring where a unit limits more than anything else does.
struct Advice {
    std::string limiter;
    std::string now;      ///< "1 element per cycle"
    int operators = 0;    ///< that the unit limits
    double share = 0;     ///< of the cycles that these take
    std::string options;  ///< "--sdp-bs-throughput 4 --sdp-bn-throughput 4"
    std::uint64_t cycles = 0, cycles_then = 0;

    std::string text() const;  ///< a sentence
};

/// Compiles again, with parameters raised, for every unit that limits a twentieth of the cycles.
std::vector<Advice> advice(const Network& network, const Design& design);

}  // namespace macrame::network
