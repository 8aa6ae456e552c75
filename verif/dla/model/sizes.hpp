#pragma once
/// Sizes and features of a configuration, named as in templates/dla/README.md.

#include <string_view>
#include <vector>

#include "precision.hpp"

namespace macrame::dla::model {

/// What the convolution buffer and both sides of it need.
struct CdmaSizes {
    int atom_bytes = 8;    ///< memory atom, AM
    int entry_bytes = 8;   ///< CBUF entry, EB
    int cbuf_banks = 32;   ///< banks
    int cbuf_depth = 512;  ///< entries per bank, BD

    /// Atoms per entry, Q: 1, 2 or 4.
    int atoms_per_entry() const { return entry_bytes / atom_bytes; }
};

/// Everything. Defaults: nv_small without the pooling and normalisation units.
struct Architecture {
    int atomic_c = 8;             ///< channels per MAC operation
    int atomic_k = 8;             ///< kernels per group
    int atom_bytes = 8;           ///< memory atom
    int entry_bytes = 8;          ///< CBUF entry
    int cbuf_banks = 32;          ///< banks
    int cbuf_depth = 512;         ///< entries per bank
    int addr_w = 32;              ///< memory address bits
    bool int8 = true;             ///< element types
    bool int16 = false;           ///< the same
    bool fp16 = false;            ///< the same
    bool v1_map = false;          ///< register map of the first, fixed design
    bool winograd = false;        ///< Winograd convolution exists
    bool batch = false;           ///< several inputs per layer
    int row_length = 0;           ///< most channels of a layer of ROW
    int max_batch = 32;           ///< most of them
    bool compression = false;     ///< sparse weights
    bool bdma = false;            ///< BDMA exists
    bool rubik_contract = false;  ///< RUBIK exists and has this mode
    bool rubik_reshape = false;   ///< RUBIK exists and has split and merge
    bool row = false;             ///< ROW exists
    bool image = true;            ///< CDMA and CSC take pixels
    bool sdp_bs = true;           ///< X1 stage exists
    bool sdp_bn = true;           ///< X2 stage exists
    bool sdp_ew = false;          ///< Y stage exists
    bool sdp_lut = false;         ///< and has a table
    bool pdp = false;             ///< PDP and PDP_RDMA exist
    bool cdp = false;             ///< CDP and CDP_RDMA exist
    bool secondary = false;       ///< second memory port exists

    // Only the configuration ROM and the memory of the testbench speak of these.
    bool cfgrom_derived = false;  ///< false: the words of the reference ROM
    int bus_bytes = 8, memif_latency = 64, max_burst = 1;
    int wt_atoms = 1;  ///< atoms of weights that CDMA takes per cycle
    int sdp_bs_throughput = 1, sdp_bn_throughput = 1, sdp_ew_throughput = 0;  ///< 0: absent
    int pdp_throughput = 1, cdp_throughput = 1, row_throughput = 1;
    int axi_bytes = 0;       ///< width of a standard memory bus around the core; 0: none
    int control_cycles = 1;  ///< of a register write
    int secondary_bus_bytes = 0, secondary_latency = 0, secondary_max_burst = 0;
    int identity = 0;           ///< of the programs that it runs, a pattern of 32 bits
    int identity_register = 0;  ///< byte address of it; 0: there is none

    /// Element types of two bytes exist.
    bool types16() const { return int16 || fp16; }
    bool has(Precision p) const {
        return p == Precision::int8 ? int8 : p == Precision::int16 ? int16 : fp16;
    }
    /// Type that a field of a register names; int8 alone asks none.
    Precision precision(std::uint32_t field) const {
        return types16() ? precision_of(field) : Precision::int8;
    }
    /// RUBIK exists.
    bool rubik() const { return rubik_contract || rubik_reshape; }
    /// Elements of a memory atom, which are also the kernels of a group.
    int elements(Precision p) const { return atom_bytes / bytes_of(p); }

    CdmaSizes cdma() const { return {atom_bytes, entry_bytes, cbuf_banks, cbuf_depth}; }
};

/// A size by name. The header of sizes of a design has a table of them; flags are 0 or 1.
struct NamedSize {
    std::string_view name;
    int value = 0;
};

/// The sizes that the model needs out of all. Throws std::invalid_argument if one is missing.
Architecture architecture(const std::vector<NamedSize>& rows);

/// The same from any table of `name` and `value`.
template <class Rows>
Architecture architecture_of(const Rows& rows) {
    std::vector<NamedSize> named;
    for (const auto& row : rows)
        named.push_back({row.name, row.value});
    return architecture(named);
}

}  // namespace macrame::dla::model
