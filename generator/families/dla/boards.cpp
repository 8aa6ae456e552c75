/// The family on boards with an FPGA: what it needs there, and how a host plays programs.

#include <fmt/format.h>

#include "emit/sizes.hpp"
#include "families/dla/derived.hpp"
#include "families/dla/family.hpp"
#include "families/dla/registers/registers.hpp"
#include "families/dla/tables.hpp"
#include "fpga/host/board_device.hpp"
#include "fpga/support.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame::dla {

namespace {

/// LUTs, from what area.sh counts for nv_small, for it with EW, for it without SDP stages, PDP, CDP
/// and image input, for nv_small_256 and nv_medium_512 (7-series only): within 5 % of each. LUTs of
/// ECP5 count those of carry chains and LUT RAM, too (nextpnr's TRELLIS_COMB); of a 7-series FPGA,
/// all LUT cells and those that LUT RAM takes.
struct Measured {
    int rest, per_atom_byte;    ///< registers, memory interface, CDMA, CACC, SDP
    int per_bank_bits;          ///< CBUF: a bit of an entry in 32 banks
    int per_entry_bit;          ///< CSC
    int mac;                    ///< with its share of the adders
    int stage, stage_per_lane;  ///< BS or BN of SDP
    int ew, ew_per_element;     ///< EW of SDP, by its throughput; a lookup table is not counted
    int pdp, pdp_per_element;   ///< by its throughput, as CDP
    int cdp, cdp_per_element;
    int image_per_atom_byte;
};
constexpr Measured kEcp5 = {4900, 770,  57,   30,   38,   1500, 1000,
                            1500, 2750, 3200, 2300, 2100, 3500, 420};
constexpr Measured kXilinx = {2600, 420,  37,   16,   9,    600,  600,
                              600,  1130, 1600, 1100, 1050, 1780, 185};

int blocks(int value, int per_block) { return (value + per_block - 1) / per_block; }

int luts(const Config& config, const Derived& derived, const Measured& part) {
    int sum = part.rest + part.per_atom_byte * derived.atom_bytes;
    sum += part.per_bank_bits * derived.entry_bits * derived.cbuf_banks / 32;
    sum += part.per_entry_bit * derived.entry_bits + part.mac * derived.mac_count;
    const int stages = int{config.sdp_bs_enable} + int{config.sdp_bn_enable};
    sum += stages * (part.stage + part.stage_per_lane * derived.sdp_lanes);
    if (config.sdp_ew_enable) sum += part.ew + part.ew_per_element * config.sdp_ew_throughput;
    if (config.pdp_enable) sum += part.pdp + part.pdp_per_element * config.pdp_throughput;
    if (config.cdp_enable) sum += part.cdp + part.cdp_per_element * config.cdp_throughput;
    if (config.image_enable) sum += part.image_per_atom_byte * derived.atom_bytes;
    return sum;
}

/// Multipliers: MACs, one in CSC, an input converter per byte of an atom in CDMA, converters and
/// stages of SDP, PDP, CDP.
int multipliers(const Config& config, const Derived& derived, bool paired) {
    // A pair of MACs is one multiplier of 25 x 8 bits, on ECP5 two of 18 x 18.
    int sum = derived.mac_count / (paired ? 2 : 1) + 1 + derived.atom_bytes;
    const int stages = int{config.sdp_bs_enable} + int{config.sdp_bn_enable};
    sum += (2 + 3 * stages) * derived.sdp_lanes;
    if (config.sdp_ew_enable) sum += 8 * config.sdp_ew_throughput;
    if (config.pdp_enable) sum += 1 + 2 * config.pdp_throughput;
    if (config.cdp_enable) sum += 8 * config.cdp_throughput - (paired ? 2 : 0);
    return sum;
}

/// Widest shape of a block RAM.
struct Ram {
    int bits, words;

    int count(int width, int depth) const { return blocks(width, bits) * blocks(depth, words); }
};

/// CBUF, deep FIFOs of SDP_RDMA, rows of PDP, tables of SDP and CDP. Two small memories may share a
/// block of a 7-series FPGA.
int rams(const Config& config, const Derived& derived, const Ram& ram, int per_block) {
    int sum = derived.cbuf_banks * ram.count(derived.entry_bits, derived.cbuf_depth);
    const auto fifo = [&](bool there, int depth) {
        if (there && depth > 64) sum += ram.count(derived.atom_bits, depth);
    };
    fifo(true, derived.sdp_m_fifo_depth);
    fifo(config.sdp_bs_enable, derived.sdp_b_fifo_depth);
    fifo(config.sdp_bn_enable, derived.sdp_n_fifo_depth);
    fifo(config.sdp_ew_enable, derived.sdp_e_fifo_depth);
    int small = per_block == 1 ? 2 : 0;  // of registers and CSC; a 7-series FPGA has LUTs for these
    if (config.pdp_enable) small += 8;
    if (config.cdp_enable) small += 2 * config.cdp_throughput;
    if (config.sdp_lut_enable) small += 4 * config.sdp_ew_throughput;
    return sum + blocks(small, per_block);
}

fpga::Resources need(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const Derived derived = derive(config);
    const bool xilinx = board.flow == "vivado";
    fpga::Resources out;
    out.luts = luts(config, derived, xilinx ? kXilinx : kEcp5);
    out.dsps = multipliers(config, derived, xilinx);
    const Ram ram = xilinx ? Ram{72, 512} : board.flow == "ice40" ? Ram{16, 256} : Ram{36, 512};
    out.brams = rams(config, derived, ram, xilinx ? 2 : 1);
    return out;
}

constexpr const char* kProcessorControl = "axi4-lite";

/// The memory port of a Zynq-7000 is one of AXI3 with 64 bits.
bool is_zynq_7000(const fpga::Board& board) { return board.memory == "ps7"; }
const char* processor_memory(const fpga::Board& board) {
    return is_zynq_7000(board) ? "axi3" : "axi4";
}

/// Widest memory port; 64 bits it may have anywhere.
int widest_port(const fpga::Board& board) {
    return board.has_processor() && !is_zynq_7000(board) ? 128 : 64;
}

std::vector<std::string> objections(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    std::vector<std::string> out;
    if (config.secondary_memif_enable)
        out.emplace_back("secondary-memif-enable = true: want false, the board has one memory");
    if (config.clock_gating)
        out.emplace_back("clock-gating = true: want false, an FPGA gates no clocks");
    if (config.bus_clock != "core")
        out.emplace_back("bus-clock = own: want core, the board has one clock");
    const bool same = config.memory_bus_width == 0;
    const int width = same ? config.primary_memif_width : config.memory_bus_width;
    const int widest = widest_port(board);
    const auto bus = [&](std::string_view key, const std::string& found, std::string_view wanted) {
        if (found != wanted)
            out.push_back(fmt::format(
                "{} = {}: want {}, as {}", key, found, wanted,
                board.has_processor() ? "its processor has it" : "what is around it has it"));
    };
    if (width != 64 && width != widest)
        out.push_back(fmt::format("{} = {}: want 64{}, as the way to its memory",
                                  same ? "primary-memif-width" : "memory-bus-width", width,
                                  widest != 64 ? fmt::format(" or {}", widest) : ""));
    for (const Rule& rule : rules()) {  // the width may be the board's
        if (rule.key == "memory_bus_width" && !rule.holds(config))
            out.push_back(fmt::format("memory-bus-width = {}: want {}", config.memory_bus_width,
                                      rule.wanted(config)));
    }
    if (config.mem_address_width != 32 && (is_zynq_7000(board) || !board.has_processor()))
        out.push_back(fmt::format("mem-address-width = {}: want 32, as the way to its memory",
                                  config.mem_address_width));
    if (board.has_processor()) {
        bus("control-bus", config.control_bus, kProcessorControl);
        bus("memory-bus", config.memory_bus, processor_memory(board));
        return out;
    }
    bus("control-bus", config.control_bus, "csb");
    bus("memory-bus", config.memory_bus, "native");
    return out;
}

/// Buses of the bare core become those of the processor, no wider than these; other buses were
/// asked for and stay.
AnyConfig beside_processor(const Design& design, const fpga::Board& board) {
    Config config = std::any_cast<const Config&>(design.config);
    if (config.control_bus == "csb") config.control_bus = kProcessorControl;
    if (config.memory_bus == "native") config.memory_bus = processor_memory(board);
    if (config.memory_bus_width == 0 && config.primary_memif_width > widest_port(board))
        config.memory_bus_width = widest_port(board);
    return config;
}

fpga::ProcessorPort processor_port(const Design& design) {
    const int bits = 8 * derive(std::any_cast<const Config&>(design.config)).axi_bytes;
    const std::uint32_t reset =
        *sysctl_registers().base + sysctl_registers().find("S_RESET")->offset;
    return {"dla_intr", 256, bits, "processor", static_cast<int>(reset)};
}

int play(const Design& design, const verif::run::Options& options, fpga::BoardLink& link) {
    run::Platform platform =
        run::make_platform(design.name, model::architecture_of(emit::numbers(design)));
    platform.program = "macrame";
    platform.parameters = design.program_parameters();
    platform.place = link.place();
    platform.picture_ppm = bundled_picture();
    platform.make_rtl = [&link](verif::Memory& primary, verif::Memory& /*secondary*/,
                                const run::SimulateOptions& /*options*/) {
        run::DeviceUnderTest dut;
        dut.device = std::make_unique<fpga::BoardDevice>(link, primary);
        return dut;
    };
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform);
}

}  // namespace

const fpga::BoardSupport& board_support() {
    static const fpga::BoardSupport kSupport{
        need, objections, beside_processor, processor_port, play, {}, {}, {".program"}};
    return kSupport;
}

}  // namespace macrame::dla
