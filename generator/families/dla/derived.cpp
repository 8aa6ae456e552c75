#include "families/dla/derived.hpp"

#include <algorithm>

namespace macrame::dla {

namespace {

/// Largest n with 2^n <= value.
int log2_floor(int value) {
    int result = 0;
    while (value > 1) {
        value /= 2;
        ++result;
    }
    return result;
}

/// Memory latency in the eyes of a read channel: the slower port, and 8 cycles in registers.
int read_latency(const Config& config) {
    const int second = config.secondary_memif_enable ? config.secondary_memif_latency : 0;
    return std::max(config.primary_memif_latency, second) + 8;
}

/// Transactions that a bridge to AXI keeps in flight: one per cycle of latency and of its own
/// stages. There are never more than 256 (CFG_OUTSTANDING_CNT).
int bus_notes(int latency) { return 1 << clog2(std::clamp(latency + 16, 16, 256)); }

/// Clients that read and write.
int copying_clients(const Config& config) {
    return int{config.pdp_enable} + int{config.cdp_enable} + int{config.rubik_enable} +
           int{config.bdma_enable} + int{config.row_enable};
}

/// Sizes of CMAC and CACC.
void derive_mac(Derived& d) {
    const int lanes_w = clog2(d.atomic_c);
    // A cell of 16 bits has two kernels of 8 bits.
    d.cmac_cells = d.atomic_k / (d.int8 != 0 && d.types16 != 0 ? 4 : 2);
    if (d.types16 == 0) {
        d.cmac_latency = 3 + d.atomic_c / 4;  // 4 lanes per cycle
        d.psum_w = 16 + lanes_w;
    } else {
        // Four lanes and their sum, a tree, the word.
        d.cmac_latency = (d.fp16 != 0 ? 11 : 4) + cmac_levels(d) + 1;
        d.psum_w = std::max({d.fp16 != 0 ? 44 : 0, d.int16 != 0 ? 32 + lanes_w : 0,
                             d.int8 != 0 ? 2 * (16 + lanes_w) : 0});
    }
    // A kernel fits CBUF, a product is at most 2^14: the sum cannot overflow.
    d.acc_w = std::max(32, 15 + clog2(d.cbuf_bytes));
    // A tile of Winograd has four places, and stripes are as long as ever.
    d.cacc_depth = (d.atomc_div_atomk == 4 || d.mac_results == 4 ? 4 : 2) * d.atomic_k;
    // Cycles of an addition, of reading and writing: int8 alone needs none.
    const bool saturates = d.int16 != 0 && d.cbuf_bytes > 256 * 1024;
    const int add = d.fp16 != 0 ? 8 : saturates ? 2 : 1;
    d.cacc_min_stripe = d.types16 != 0 ? add + 2 : 1;
}

}  // namespace

int cmac_levels(const Derived& d) { return d.atomic_c > 16 ? 2 : 1; }

bool weights_apart(const Config& config, int width) {
    return has_types16(config) && config.secondary_memif_enable &&
           width / 8 > config.memory_atomic_size;
}

int wt_atoms(const Config& config) {
    const bool pairs = weights_apart(config, config.primary_memif_width) &&
                       weights_apart(config, config.secondary_memif_width) &&
                       config.cbuf_bank_width > config.memory_atomic_size;
    return pairs ? 2 : 1;
}

int dma_read_clients(const Config& config) {
    return 3 + int{config.sdp_bs_enable} + int{config.sdp_bn_enable} + int{config.sdp_ew_enable} +
           copying_clients(config);
}

int dma_write_clients(const Config& config) { return 1 + copying_clients(config); }

int channel_depth(const Config& config, int bytes_per_cycle, int least) {
    const int latency = read_latency(config);
    const int atom = config.memory_atomic_size;
    const int atoms = std::min(latency, (latency * bytes_per_cycle + atom - 1) / atom);
    return 1 << clog2(std::clamp(atoms, least, 512));
}

const std::vector<DerivedField>& derived_fields() {
    static const std::vector<DerivedField> kFields = {
        {"atomic_c", &Derived::atomic_c},
        {"atomic_k", &Derived::atomic_k},
        {"atom_bytes", &Derived::atom_bytes},
        {"atom_bits", &Derived::atom_bits},
        {"entry_bytes", &Derived::entry_bytes},
        {"entry_bits", &Derived::entry_bits},
        {"atoms_per_entry", &Derived::atoms_per_entry},
        {"int8", &Derived::int8},
        {"int16", &Derived::int16},
        {"fp16", &Derived::fp16},
        {"types16", &Derived::types16},
        {"lane_bits", &Derived::lane_bits},
        {"v1_map", &Derived::v1_map},
        {"cbuf_banks", &Derived::cbuf_banks},
        {"cbuf_depth", &Derived::cbuf_depth},
        {"cbuf_entries", &Derived::cbuf_entries},
        {"cbuf_addr_w", &Derived::cbuf_addr_w},
        {"cbuf_row_w", &Derived::cbuf_row_w},
        {"cbuf_bank_w", &Derived::cbuf_bank_w},
        {"cbuf_rd_latency", &Derived::cbuf_rd_latency},
        {"csc_latency", &Derived::csc_latency},
        {"cmac_cells", &Derived::cmac_cells},
        {"cmac_latency", &Derived::cmac_latency},
        {"psum_w", &Derived::psum_w},
        {"mac_results", &Derived::mac_results},
        {"acc_w", &Derived::acc_w},
        {"cacc_depth", &Derived::cacc_depth},
        {"cacc_min_stripe", &Derived::cacc_min_stripe},
        {"addr_w", &Derived::addr_w},
        {"bus_bits", &Derived::bus_bits},
        {"bus_bytes", &Derived::bus_bytes},
        {"atoms_per_beat", &Derived::atoms_per_beat},
        {"wt_atoms", &Derived::wt_atoms},
        {"max_burst", &Derived::max_burst},
        {"sdp_lanes", &Derived::sdp_lanes},
        {"img_fifo_depth", &Derived::img_fifo_depth},
        {"sdp_m_fifo_depth", &Derived::sdp_m_fifo_depth},
        {"sdp_b_fifo_depth", &Derived::sdp_b_fifo_depth},
        {"sdp_n_fifo_depth", &Derived::sdp_n_fifo_depth},
        {"sdp_e_fifo_depth", &Derived::sdp_e_fifo_depth},
        {"pdp_fifo_depth", &Derived::pdp_fifo_depth},
        {"cdp_fifo_depth", &Derived::cdp_fifo_depth},
        {"secondary_bus_bytes", &Derived::secondary_bus_bytes},
        {"secondary_max_burst", &Derived::secondary_max_burst},
        {"cfgrom_derived", &Derived::cfgrom_derived},
        {"clock_gating", &Derived::clock_gating},
        {"system_top", &Derived::system_top},
        {"bus_notes", &Derived::bus_notes},
        {"secondary_bus_notes", &Derived::secondary_bus_notes},
        {"axi_bytes", &Derived::axi_bytes},
        {"secondary_axi_bytes", &Derived::secondary_axi_bytes},
        {"bits_per_element", &Derived::bits_per_element},
        {"mac_count", &Derived::mac_count},
        {"atomc_div_atomk", &Derived::atomc_div_atomk},
        {"cbuf_bytes", &Derived::cbuf_bytes},
        {"sdp_max_throughput", &Derived::sdp_max_throughput},
        {"sdp_ew_throughput_effective", &Derived::sdp_ew_throughput_effective},
        {"sdp2pdp_width", &Derived::sdp2pdp_width},
        {"memif_width", &Derived::memif_width},
        {"dma_mask_bits", &Derived::dma_mask_bits},
        {"mcif_burst_atoms", &Derived::mcif_burst_atoms},
        {"axi_max_bytes_per_request", &Derived::axi_max_bytes_per_request},
        {"primary_bandwidth_elements_div4", &Derived::primary_bandwidth_elements_div4},
        {"cdma_fetch_grain_max_bit", &Derived::cdma_fetch_grain_max_bit},
        {"dma_read_clients", &Derived::dma_read_clients},
        {"dma_write_clients", &Derived::dma_write_clients},
    };
    return kFields;
}

namespace {

void derive_types(Derived& d, const Config& config) {
    d.int8 = has_type(config, "INT8") ? 1 : 0;
    d.int16 = has_type(config, "INT16") ? 1 : 0;
    d.fp16 = has_type(config, "FP16") ? 1 : 0;
    d.types16 = has_types16(config) ? 1 : 0;
    d.lane_bits = d.types16 != 0 ? 16 : 8;
}

}  // namespace

Derived derive(const Config& config) {
    Derived d;
    d.bits_per_element = 8;
    d.atomic_c = config.mac_atomic_c_size;
    d.atomic_k = config.mac_atomic_k_size;
    d.atom_bytes = config.memory_atomic_size;
    d.atom_bits = 8 * d.atom_bytes;
    d.entry_bytes = config.cbuf_bank_width;
    d.entry_bits = 8 * d.entry_bytes;
    d.atoms_per_entry = d.entry_bytes / d.atom_bytes;
    derive_types(d, config);
    d.v1_map = has_v1_map(config) ? 1 : 0;
    d.mac_count = d.atomic_c * d.atomic_k;
    d.atomc_div_atomk = d.atomic_c / d.atomic_k;

    d.cbuf_banks = config.cbuf_bank_number;
    d.cbuf_depth = config.cbuf_bank_depth;
    d.cbuf_entries = d.cbuf_banks * d.cbuf_depth;
    d.cbuf_bytes = d.cbuf_entries * d.entry_bytes;
    d.cbuf_addr_w = clog2(d.cbuf_entries);
    d.cbuf_row_w = clog2(d.cbuf_depth);
    d.cbuf_bank_w = clog2(d.cbuf_banks);
    d.cbuf_rd_latency = 4;  // address, RAM, groups of banks, all banks
    // Address; entry, aligned, padded; in a mix lanes of 8 or 16 bits.
    d.csc_latency = 3 + d.cbuf_rd_latency + 3 + d.int8 * d.types16 +
                    (config.weight_compression_enable ? kExpandCycles : 0);
    d.cdma_fetch_grain_max_bit =
        log2_floor(d.cbuf_depth * d.entry_bytes * (d.cbuf_banks - 1) / d.atom_bytes);

    d.mac_results = config.winograd_enable ? 4 : 1;
    derive_mac(d);

    d.sdp_ew_throughput_effective = config.sdp_ew_enable ? config.sdp_ew_throughput : 0;
    d.sdp_max_throughput = std::max({config.sdp_bs_enable ? config.sdp_bs_throughput : 0,
                                     config.sdp_bn_enable ? config.sdp_bn_throughput : 0,
                                     d.sdp_ew_throughput_effective, 1});
    d.sdp_lanes = d.sdp_max_throughput;
    d.sdp2pdp_width = 8 * d.sdp_max_throughput;
    // Pixels have up to 4 bytes, operands of an element, too. 32 notes of CDP cost what 16 do.
    d.img_fifo_depth = channel_depth(config, 4, 16);
    d.sdp_m_fifo_depth = channel_depth(config, d.sdp_lanes, 16);
    d.sdp_b_fifo_depth = channel_depth(config, 4 * d.sdp_lanes, 16);
    d.sdp_n_fifo_depth = d.sdp_b_fifo_depth;
    d.sdp_e_fifo_depth = channel_depth(config, 4 * std::max(d.sdp_ew_throughput_effective, 1), 16);
    d.pdp_fifo_depth = channel_depth(config, config.pdp_throughput, 16);
    d.cdp_fifo_depth = channel_depth(config, config.cdp_throughput, 32);

    d.addr_w = config.mem_address_width;
    d.bus_bits = config.primary_memif_width;
    d.bus_bytes = d.bus_bits / 8;
    d.atoms_per_beat = d.bus_bytes / d.atom_bytes;
    d.wt_atoms = wt_atoms(config);
    d.max_burst = config.primary_memif_max_burst_length;
    d.memif_width = std::max({d.bus_bits, d.atom_bits,
                              config.secondary_memif_enable ? config.secondary_memif_width : 0});
    d.dma_mask_bits = d.memif_width / d.atom_bits;
    d.mcif_burst_atoms = d.max_burst * d.dma_mask_bits;
    d.axi_max_bytes_per_request = d.max_burst * d.bus_bytes;
    d.primary_bandwidth_elements_div4 = d.bus_bytes / 4;
    d.dma_read_clients = dma_read_clients(config);
    d.dma_write_clients = dma_write_clients(config);

    d.secondary_bus_bytes = config.secondary_memif_width / 8;
    d.secondary_max_burst = config.secondary_memif_max_burst_length;
    d.cfgrom_derived = config.cfgrom_words == "derived" ? 1 : 0;
    d.clock_gating = config.clock_gating ? 1 : 0;
    d.system_top = has_system_top(config) ? 1 : 0;
    d.bus_notes = bus_notes(config.primary_memif_latency);
    d.secondary_bus_notes = bus_notes(std::max(config.secondary_memif_latency, 1));
    const int axi_bytes = config.memory_bus_width / 8;
    d.axi_bytes = axi_bytes != 0 ? axi_bytes : d.bus_bytes;
    d.secondary_axi_bytes =
        axi_bytes != 0 && config.secondary_memif_enable ? axi_bytes : d.secondary_bus_bytes;
    return d;
}

}  // namespace macrame::dla
