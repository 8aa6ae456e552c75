#pragma once
/// What the two memory interfaces have in common: both are made from the templates of MCIF.

#include <string_view>
#include <vector>

#include "core/unit.hpp"
#include "families/dla/derived.hpp"

namespace macrame::dla {

/// A memory port.
struct MemoryPort {
    std::string_view unit;   ///< "mcif"
    std::string_view title;  ///< "MCIF"
    std::string_view axi;    ///< part of the pin names: "dbb"
    int width;               ///< bits
    int latency;             ///< cycles
    int max_burst;           ///< beats
};

/// Names for the templates of MCIF.
text::Scope memif_scope(const Config& config, const Derived& derived, const MemoryPort& port);

/// What few configurations have: weights of clients, two ways for the atoms of a beat. `width` is
/// that of the port, `atoms` and `pairs` are the templates of the two ways.
std::vector<UnitOption> memif_options(int Config::*width, std::string_view atoms,
                                      std::string_view pairs);

/// The register file of a memory interface: "mcif" or "cvif".
RegUse memif_registers(std::string_view unit);

}  // namespace macrame::dla
