#pragma once
/// Golden model of the APB4 slave: PSLVERR of an access; the rest is as on AXI4-Lite.

#include "verif/dla/model/axi_lite.hpp"

namespace macrame::dla::model {

/// True: an error, and nothing reaches the core.
inline bool apb_error(bool write, std::uint32_t byte_addr, std::uint32_t strobes) {
    return control_response(write, byte_addr, strobes) != BusResponse::okay;
}

}  // namespace macrame::dla::model
