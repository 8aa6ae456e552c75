#pragma once

#include <string_view>
#include <vector>

#include "core/bits.hpp"
#include "families/dla/config.hpp"

namespace macrame::dla {

/// Cycles that compressed weights take longer from CBUF to CMAC.
inline constexpr int kExpandCycles = 2;

/// Everything that follows from a Config: the sizes of the contract page templates/dla/README.md
/// and the derived values of the published configurations. Templates see every member by name.
struct Derived {
    // Contract page.
    int atomic_c = 0;          ///< channels per MAC operation
    int atomic_k = 0;          ///< kernels per group, equals atom_bytes
    int atom_bytes = 0;        ///< bytes of a memory atom
    int atom_bits = 0;         ///< bits of a memory atom
    int entry_bytes = 0;       ///< bytes of a CBUF entry
    int entry_bits = 0;        ///< bits of a CBUF entry
    int atoms_per_entry = 0;   ///< Q: 1, 2 or 4
    int int8 = 0;              ///< 1: the configuration has this element type
    int int16 = 0;             ///< the same
    int fp16 = 0;              ///< the same
    int types16 = 0;           ///< 1: element types of two bytes exist
    int lane_bits = 0;         ///< bits of an element on links between units: 8, or 16 if types16
    int v1_map = 0;            ///< 1: register map of the first, fixed design
    int cbuf_banks = 0;        ///< banks
    int cbuf_depth = 0;        ///< entries per bank
    int cbuf_entries = 0;      ///< entries of all banks
    int cbuf_addr_w = 0;       ///< clog2(cbuf_entries)
    int cbuf_row_w = 0;        ///< clog2(cbuf_depth)
    int cbuf_bank_w = 0;       ///< clog2(cbuf_banks)
    int cbuf_rd_latency = 0;   ///< cycles from read request to data
    int csc_latency = 0;       ///< cycles from the decision to send a beat to the beat at CMAC
    int cmac_cells = 0;        ///< MAC cells of one CMAC half
    int cmac_latency = 0;      ///< cycles from data beat to partial sums
    int psum_w = 0;            ///< bits of a partial sum
    int mac_results = 0;       ///< results per kernel and beat: 4 with Winograd, or 1
    int acc_w = 0;             ///< bits of an accumulator
    int cacc_depth = 0;        ///< delivery buffer positions = initial CSC credits
    int cacc_min_stripe = 0;   ///< cycles after which a position may come again
    int addr_w = 0;            ///< memory address bits
    int bus_bits = 0;          ///< AXI data bits
    int bus_bytes = 0;         ///< AXI data bytes
    int atoms_per_beat = 0;    ///< memory atoms per AXI beat
    int wt_atoms = 0;          ///< weight atoms per cycle from memory to CBUF: 1 or 2
    int max_burst = 0;         ///< AXI beats per transaction
    int sdp_lanes = 0;         ///< SDP elements per cycle
    int img_fifo_depth = 0;    ///< atoms the image side of CDMA can have in flight
    int sdp_m_fifo_depth = 0;  ///< the same for the SDP main read channel
    int sdp_b_fifo_depth = 0;  ///< the same for the BS operand channel
    int sdp_n_fifo_depth = 0;  ///< the same for the BN operand channel
    int sdp_e_fifo_depth = 0;  ///< the same for the EW operand channel
    int pdp_fifo_depth = 0;    ///< the same for the read channel of PDP
    int cdp_fifo_depth = 0;    ///< the same for the read channel of CDP
    int secondary_bus_bytes = 0;  ///< AXI data bytes of the second port, 0 without one
    int secondary_max_burst = 0;  ///< AXI beats per transaction there
    int cfgrom_derived = 0;       ///< 1: capability words computed from the parameters
    int clock_gating = 0;         ///< 1: every unit's datapath clock passes a clkgate cell
    int system_top = 0;           ///< 1: bridges to standard buses around the core
    int bus_notes = 0;  ///< transactions that a bridge to AXI keeps in flight per direction
    int secondary_bus_notes = 0;  ///< the same at the second port
    int axi_bytes = 0;            ///< data bytes of the memory bus, bridges included
    int secondary_axi_bytes = 0;  ///< the same at the second port

    // Published derived values that are not in the list above.
    int bits_per_element = 0;                 ///< 8
    int mac_count = 0;                        ///< multiply-accumulates per cycle
    int atomc_div_atomk = 0;                  ///< atomic_c / atomic_k
    int cbuf_bytes = 0;                       ///< size of the convolution buffer
    int sdp_max_throughput = 0;               ///< largest throughput of the enabled SDP stages
    int sdp_ew_throughput_effective = 0;      ///< sdp_ew_throughput, 0 without the stage
    int sdp2pdp_width = 0;                    ///< bits per cycle from SDP to PDP
    int memif_width = 0;                      ///< widest of ports and memory atom
    int dma_mask_bits = 0;                    ///< atoms in memif_width
    int mcif_burst_atoms = 0;                 ///< atoms in the longest AXI transaction
    int axi_max_bytes_per_request = 0;        ///< bytes of the longest AXI transaction
    int primary_bandwidth_elements_div4 = 0;  ///< a quarter of the port width in elements
    int cdma_fetch_grain_max_bit = 0;         ///< log2 of the largest data region in atoms
    int dma_read_clients = 0;                 ///< read clients that the configuration has
    int dma_write_clients = 0;                ///< write clients that the configuration has
};

/// Name of a member, for templates and headers.
struct DerivedField {
    std::string_view name;
    int Derived::*member;
};

/// All members of Derived.
const std::vector<DerivedField>& derived_fields();

/// Computes all sizes. Pure; the config has passed the range and rule checks.
Derived derive(const Config& config);

/// Levels of the adder tree of a MAC cell behind the sums of four lanes (types of 16 bits).
int cmac_levels(const Derived& derived);

/// Weights have a way of their own through a memory port of `width` bits: they and data may enter
/// CBUF in the same cycle, and a beat has atoms for both.
bool weights_apart(const Config& config, int width);

/// Weight atoms per cycle from memory to CBUF: 2 where both ports give pairs and an entry is made
/// of pairs, else 1.
int wt_atoms(const Config& config);

/// Read clients of a memory port that the configuration has, built or not.
int dma_read_clients(const Config& config);

/// The same for write clients.
int dma_write_clients(const Config& config);

/// Atoms a read channel keeps in flight: `bytes_per_cycle` for the whole memory latency, but at
/// most one atom per cycle, as memory gives no more. A power of two in `least`..512; there are
/// never more than 256 beats in flight (CFG_OUTSTANDING_CNT).
int channel_depth(const Config& config, int bytes_per_cycle, int least);

}  // namespace macrame::dla
