#include "verif/dla/model/sizes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>

namespace macrame::dla::model {

namespace {

/// Where a named size goes.
struct Row {
    std::string_view name;
    std::variant<int DeviceSizes::*, bool DeviceSizes::*> member;
};

constexpr Row kRows[] = {
    {"cfgrom_derived", &DeviceSizes::cfgrom_derived},
    {"atomic_c", &DeviceSizes::atomic_c},
    {"atomic_k", &DeviceSizes::atomic_k},
    {"atom_bytes", &DeviceSizes::atom_bytes},
    {"cbuf_banks", &DeviceSizes::cbuf_banks},
    {"entry_bytes", &DeviceSizes::entry_bytes},
    {"cbuf_depth", &DeviceSizes::cbuf_depth},
    {"bus_bytes", &DeviceSizes::bus_bytes},
    {"wt_atoms", &DeviceSizes::wt_atoms},
    {"primary_memif_latency", &DeviceSizes::memif_latency},
    {"axi_bytes", &DeviceSizes::axi_bytes},
    {"max_burst", &DeviceSizes::max_burst},
    {"addr_w", &DeviceSizes::addr_w},
    {"sdp_lut_enable", &DeviceSizes::sdp_lut},
    {"sdp_bs_enable", &DeviceSizes::sdp_bs},
    {"sdp_bn_enable", &DeviceSizes::sdp_bn},
    {"sdp_ew_enable", &DeviceSizes::sdp_ew},
    {"sdp_bs_throughput", &DeviceSizes::sdp_bs_throughput},
    {"sdp_bn_throughput", &DeviceSizes::sdp_bn_throughput},
    {"sdp_ew_throughput", &DeviceSizes::sdp_ew_throughput},
    {"pdp_throughput", &DeviceSizes::pdp_throughput},
    {"cdp_throughput", &DeviceSizes::cdp_throughput},
    {"int8", &DeviceSizes::int8},
    {"int16", &DeviceSizes::int16},
    {"fp16", &DeviceSizes::fp16},
    {"v1_map", &DeviceSizes::v1_map},
    {"winograd_enable", &DeviceSizes::winograd},
    {"batch_enable", &DeviceSizes::batch},
    {"max_batch_size", &DeviceSizes::max_batch},
    {"weight_compression_enable", &DeviceSizes::compression},
    {"bdma_enable", &DeviceSizes::bdma},
    {"rubik_contract_enable", &DeviceSizes::rubik_contract},
    {"rubik_reshape_enable", &DeviceSizes::rubik_reshape},
    {"image_enable", &DeviceSizes::image},
    {"pdp_enable", &DeviceSizes::pdp},
    {"cdp_enable", &DeviceSizes::cdp},
    {"secondary_memif_enable", &DeviceSizes::secondary},
    {"secondary_bus_bytes", &DeviceSizes::secondary_bus_bytes},
    {"secondary_memif_latency", &DeviceSizes::secondary_latency},
    {"secondary_max_burst", &DeviceSizes::secondary_max_burst},
    {"identity", &DeviceSizes::identity},
    {"identity_register", &DeviceSizes::identity_register},
};

}  // namespace

DeviceSizes device_sizes(const std::vector<NamedSize>& rows) {
    DeviceSizes out;
    for (const Row& row : kRows) {
        const auto found = std::find_if(
            rows.begin(), rows.end(), [&](const NamedSize& size) { return size.name == row.name; });
        if (found == rows.end()) {
            throw std::invalid_argument("sizes of the configuration: no " + std::string(row.name) +
                                        ": want one for the golden model");
        }
        if (const auto* flag = std::get_if<bool DeviceSizes::*>(&row.member)) {
            out.*(*flag) = found->value != 0;
        } else {
            out.*std::get<int DeviceSizes::*>(row.member) = found->value;
        }
    }
    return out;
}

}  // namespace macrame::dla::model
