#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/unit.hpp"
#include "families/dla/derived.hpp"

namespace macrame::dla {

const Unit& csb_master_unit();
const Unit& cfgrom_unit();
/// Where the derived words have the identity of programs.
std::uint32_t cfgrom_identity_offset(const Config& config);
const Unit& glb_unit();
const Unit& mcif_unit();
const Unit& cvif_unit();
const Unit& cdma_unit();
const Unit& cbuf_unit();
const Unit& csc_unit();
const Unit& cmac_unit();
const Unit& cacc_unit();
const Unit& sdp_rdma_unit();
const Unit& sdp_unit();
const Unit& pdp_rdma_unit();
const Unit& pdp_unit();
const Unit& cdp_rdma_unit();
const Unit& cdp_unit();
const Unit& bdma_unit();
const Unit& rubik_unit();
const Unit& row_unit();
const Unit& top_unit();
const Unit& axi_lite_unit();
const Unit& apb_unit();
const Unit& sysctl_unit();
const Unit& axi_mem_unit();
const Unit& axi_unit();

/// `wt.atoms` of the templates that weights pass. A scope of its own: the first lines of a file
/// list the plain numbers that its template reads, and what has no pairs does not speak of them.
inline text::Scope wt_scope(const Derived& derived) { return {{"atoms", derived.wt_atoms}}; }

/// Cycles after reset in which CDP (all of them) and SDP (129) clear their tables: no access then.
constexpr int kLutClearCycles = 256;

/// PDP and its read channel count the atoms of a pixel, less 1, with 13 bits of channels less 1.
inline int surface_bits(const Derived& derived) {
    return 13 - clog2(derived.atom_bytes) + derived.types16;
}

/// Names of the register maps on the CSB, in the order of the Verilog ports.
std::vector<std::string_view> csb_units(const Config& config);

/// Do layers differ in type or mode in CMAC and CACC? The kind goes with the beats then.
bool has_mac_kinds(const Config& config);

/// Link of CMAC to CACC for templates: `results` per beat, list `kind` with an item or none.
text::Scope mac_link(const Config& config, const Derived& derived);

/// How a DMA client of a unit learns which memory port a layer uses.
struct RamType {
    std::string_view unit;   ///< with the register file
    std::string_view link;   ///< "sdp2mcif_wr"; the unit's output is <link>_ram_type
    std::string_view field;  ///< "D_DST_DMA_CFG.DST_RAM_TYPE": 1 = primary port, 0 = second port
    bool (*enabled)(const Config&) = nullptr;  ///< null: always
};

/// Rows of a unit's clients; empty if there is only one port.
std::vector<RamType> ram_types(std::string_view unit, const Config& config);

/// The same for templates: records {link, port (of the register file)}.
text::List ram_type_list(std::string_view unit, const Config& config);

/// Units at the memory port, in the order of their ids: those that read, those that write; stages
/// of SDP with operands from memory.
struct Clients {
    std::vector<std::string> readers, writers, operands;
};
Clients clients(const Config& config);

/// The links between the units.
Wiring top_wiring(const Config& config, const Derived& derived);

/// The unit table in the order of the file list: leaves first, the top last.
const std::vector<const Unit*>& units();

}  // namespace macrame::dla
