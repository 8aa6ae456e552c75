#include "verif/dla/model/sizes.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>

namespace macrame::dla::model {

namespace {

/// Where a named size goes.
struct SizeRow {
    std::string_view name;
    std::variant<int Architecture::*, bool Architecture::*> member;
};

constexpr SizeRow kSizeRows[] = {
    {"cfgrom_derived", &Architecture::cfgrom_derived},
    {"atomic_c", &Architecture::atomic_c},
    {"atomic_k", &Architecture::atomic_k},
    {"atom_bytes", &Architecture::atom_bytes},
    {"cbuf_banks", &Architecture::cbuf_banks},
    {"entry_bytes", &Architecture::entry_bytes},
    {"cbuf_depth", &Architecture::cbuf_depth},
    {"bus_bytes", &Architecture::bus_bytes},
    {"wt_atoms", &Architecture::wt_atoms},
    {"primary_memif_latency", &Architecture::memif_latency},
    {"axi_bytes", &Architecture::axi_bytes},
    {"max_burst", &Architecture::max_burst},
    {"addr_w", &Architecture::addr_w},
    {"sdp_lut_enable", &Architecture::sdp_lut},
    {"sdp_bs_enable", &Architecture::sdp_bs},
    {"sdp_bn_enable", &Architecture::sdp_bn},
    {"sdp_ew_enable", &Architecture::sdp_ew},
    {"sdp_bs_throughput", &Architecture::sdp_bs_throughput},
    {"sdp_bn_throughput", &Architecture::sdp_bn_throughput},
    {"sdp_ew_throughput", &Architecture::sdp_ew_throughput},
    {"pdp_throughput", &Architecture::pdp_throughput},
    {"cdp_throughput", &Architecture::cdp_throughput},
    {"int8", &Architecture::int8},
    {"int16", &Architecture::int16},
    {"fp16", &Architecture::fp16},
    {"v1_map", &Architecture::v1_map},
    {"winograd_enable", &Architecture::winograd},
    {"batch_enable", &Architecture::batch},
    {"max_batch_size", &Architecture::max_batch},
    {"weight_compression_enable", &Architecture::compression},
    {"bdma_enable", &Architecture::bdma},
    {"rubik_contract_enable", &Architecture::rubik_contract},
    {"rubik_reshape_enable", &Architecture::rubik_reshape},
    {"row_enable", &Architecture::row},
    {"row_length", &Architecture::row_length},
    {"row_throughput", &Architecture::row_throughput},
    {"image_enable", &Architecture::image},
    {"pdp_enable", &Architecture::pdp},
    {"cdp_enable", &Architecture::cdp},
    {"secondary_memif_enable", &Architecture::secondary},
    {"secondary_bus_bytes", &Architecture::secondary_bus_bytes},
    {"secondary_memif_latency", &Architecture::secondary_latency},
    {"secondary_max_burst", &Architecture::secondary_max_burst},
    {"identity", &Architecture::identity},
    {"identity_register", &Architecture::identity_register},
};

}  // namespace

Architecture architecture(const std::vector<NamedSize>& rows) {
    Architecture out;
    for (const SizeRow& row : kSizeRows) {
        const auto found = std::find_if(
            rows.begin(), rows.end(), [&](const NamedSize& size) { return size.name == row.name; });
        if (found == rows.end()) {
            throw std::invalid_argument("sizes of the configuration: no " + std::string(row.name) +
                                        ": want one for the golden model");
        }
        if (const auto* flag = std::get_if<bool Architecture::*>(&row.member)) {
            out.*(*flag) = found->value != 0;
        } else {
            out.*std::get<int Architecture::*>(row.member) = found->value;
        }
    }
    return out;
}

}  // namespace macrame::dla::model
