#pragma once
/// Kinds of layers that CMAC and CACC of a configuration have, and their link between the two.

#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/element_types.hpp"
#include "verif/dla/model/precision.hpp"

namespace macrame::dla {

struct Kind {
    model::Precision precision = model::Precision::int8;
    bool winograd = false;

    /// D_MISC_CFG.
    std::uint32_t misc() const {
        return static_cast<std::uint32_t>(precision) << 12 | (winograd ? 1 : 0);
    }
    /// The link: CONV_MODE, PROC_PRECISION.
    unsigned bits() const { return (winograd ? 4u : 0u) | static_cast<unsigned>(precision); }
};

/// The types and modes of the configuration.
inline std::vector<Kind> kinds() {
    std::vector<Kind> out;
    for (const bool winograd : {false, true}) {
        if (winograd && dla_params::mac_results == 1) continue;
        for (const model::Precision type : tb::types())
            out.push_back({type, winograd});
    }
    return out;
}

/// The link, if the configuration has more than one kind.
template <typename Dut>
auto put_kind(Dut& dut, unsigned bits, int) -> decltype(void(dut.mac_a2accu_kind)) {
    dut.mac_a2accu_kind = static_cast<std::uint8_t>(bits);
}
template <typename Dut>
void put_kind(Dut&, unsigned, long) {}

template <typename Dut>
auto get_kind(const Dut& dut, unsigned, int) -> decltype(unsigned{dut.mac2accu_kind}) {
    return dut.mac2accu_kind;
}
template <typename Dut>
unsigned get_kind(const Dut&, unsigned none, long) {
    return none;
}

}  // namespace macrame::dla
