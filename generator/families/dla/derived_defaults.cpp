#include <algorithm>

#include "families/dla/derived.hpp"
#include "families/dla/tables.hpp"

namespace macrame::dla {

const std::vector<DerivedDefault>& derived_defaults() {
    static const std::vector<DerivedDefault> kDerivedDefaults = {
        {"cbuf_bank_width", "mac_atomic_c_size",
         [](const Config& c) { return c.mac_atomic_c_size * widest_bytes(c); }},
        {"memory_atomic_size", "mac_atomic_k_size",
         [](const Config& c) { return c.mac_atomic_k_size * narrowest_bytes(c); }},
        {"weight_data_types", "feature_data_types",
         [](const Config& c) { return c.feature_data_types; }},
        {"primary_memif_width", "memory_atomic_size",
         [](const Config& c) { return std::max(c.primary_memif_width, 8 * c.memory_atomic_size); }},
        {"row_length", "row_enable", [](const Config& c) { return c.row_enable ? 512 : 0; }},
        {"num_dma_read_clients", "enabled units", dma_read_clients},
        {"num_dma_write_clients", "enabled units", dma_write_clients},
    };
    return kDerivedDefaults;
}

}  // namespace macrame::dla
