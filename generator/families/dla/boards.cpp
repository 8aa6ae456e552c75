/// The family on boards with an FPGA: what it needs there, and how a host plays programs.

#include "fpga/support.hpp"

#include <fmt/format.h>

#include "emit/sizes.hpp"
#include "families/dla/derived.hpp"
#include "families/dla/family.hpp"
#include "families/dla/tables.hpp"
#include "fpga/host/board_device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame::dla {

namespace {

/// What nv_small and what the smallest configuration need: 64 MACs each. LUTs of ECP5 count those of
/// carry chains and LUT RAM, too (nextpnr's TRELLIS_COMB); of a 7-series FPGA, all LUT cells.
struct Measured {
    int smallest;  ///< LUTs without SDP stages, PDP, CDP, image input
    int per_stage; ///< of BS or BN
    int pdp, cdp, image;
    int per_mac;   ///< beyond 64
};
constexpr Measured kEcp5 = {17600, 2300, 6500, 10000, 3300, 60};
constexpr Measured kXilinx = {7500, 800, 2600, 4200, 1100, 24};

int blocks(int value, int per_block) { return (value + per_block - 1) / per_block; }

fpga::Resources need(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const Derived derived = derive(config);
    const bool xilinx = board.flow == "vivado";
    const Measured& lut = xilinx ? kXilinx : kEcp5;
    fpga::Resources out;
    out.luts = lut.smallest + lut.per_mac * (derived.mac_count - 64);
    if (config.sdp_bs_enable) out.luts += lut.per_stage * derived.sdp_lanes;
    if (config.sdp_bn_enable) out.luts += lut.per_stage * derived.sdp_lanes;
    if (config.pdp_enable) out.luts += lut.pdp;
    if (config.cdp_enable) out.luts += lut.cdp;
    if (config.image_enable) out.luts += lut.image;
    // A pair of MACs is one multiplier of 25 x 8 bits, on ECP5 two of 18 x 18.
    out.dsps = xilinx ? derived.mac_count / 2 : derived.mac_count;
    out.dsps += 11 + (config.image_enable ? 6 : 0);
    if (config.pdp_enable) out.dsps += 4 * config.pdp_throughput;
    if (config.cdp_enable) out.dsps += 8 * config.cdp_throughput;
    // Widest shape of a block RAM.
    const int bits = xilinx ? 72 : board.flow == "ice40" ? 16 : 36;
    const int words = board.flow == "ice40" ? 256 : 512;
    out.brams = derived.cbuf_banks * blocks(derived.entry_bits, bits) *
                blocks(derived.cbuf_depth, words);
    out.brams += xilinx ? 5 : 11;
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
    const bool same = config.memory_bus_width == 0;
    const int width = same ? config.primary_memif_width : config.memory_bus_width;
    const int widest = widest_port(board);
    const auto bus = [&](std::string_view key, const std::string& found, std::string_view wanted) {
        if (found != wanted)
            out.push_back(fmt::format("{} = {}: want {}, as {}", key, found, wanted,
                                      board.has_processor() ? "its processor has it"
                                                            : "what is around it has it"));
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
    if (board.has_processor()) {
        bus("control-bus", config.control_bus, kProcessorControl);
        bus("memory-bus", config.memory_bus, processor_memory(board));
        return out;
    }
    bus("control-bus", config.control_bus, "csb");
    bus("memory-bus", config.memory_bus, "native");
    if (config.mem_address_width != 32)
        out.push_back(fmt::format("mem-address-width = {}: want 32", config.mem_address_width));
    return out;
}

/// Buses of the bare core become those of the processor, as wide as these; others were asked for.
AnyConfig beside_processor(const Design& design, const fpga::Board& board) {
    Config config = std::any_cast<const Config&>(design.config);
    if (config.control_bus == "csb") config.control_bus = kProcessorControl;
    if (config.memory_bus == "native") config.memory_bus = processor_memory(board);
    if (config.memory_bus_width == 0 && config.primary_memif_width > widest_port(board))
        config.memory_bus_width = widest_port(board);
    return config;
}

fpga::ProcessorPort processor_port(const Design& design) {
    return {"dla_intr", 256, 8 * derive(std::any_cast<const Config&>(design.config)).axi_bytes};
}

int play(const Design& design, const verif::run::Options& options, fpga::BoardLink& link) {
    run::Platform platform =
        run::make_platform(design.name, model::device_sizes_of(emit::numbers(design)));
    platform.program = "macrame";
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
    static const fpga::BoardSupport kSupport{need, objections, beside_processor,
                                              processor_port, play};
    return kSupport;
}

}  // namespace macrame::dla
