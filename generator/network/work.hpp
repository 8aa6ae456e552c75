#pragma once
/// How much of a network the hardware does, and what the host.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace macrame::network {

/// An operator of the host.
struct HostOperatorCost {
    int node = 0;
    std::uint64_t units = 0;   ///< of its kind of work
    std::uint64_t cycles = 0;  ///< of a processor: compiler/host_time.hpp
    std::string reason;  ///< why it is no operator of the hardware; empty: it stands beside some
};

struct Work {
    std::size_t operators = 0;
    std::uint64_t multiply_adds = 0, of_hardware = 0;
    std::size_t programs = 0;
    std::vector<HostOperatorCost> host;  ///< in the order of the graph

    std::uint64_t host_cycles() const;
    double host_milliseconds(int mhz) const;
};
Work work_of(const Network& network);

/// "hardware: 9 of 10 operators, 100.0 % of 2.7 M multiply-adds; host: softmax, 0.001 ms at 1000
/// MHz", then the convolutions that the host has to do, and why. `mhz` is the host's clock.
std::string text_of(const Network& network, const Work& work, int mhz);

/// For people: the operators of the host with their times, a line each; empty: there are none.
std::string host_table(const Network& network, const Work& work, int mhz);

/// The same for programs: members of an object.
nlohmann::ordered_json json_of(const Network& network, const Work& work, int mhz);

}  // namespace macrame::network
