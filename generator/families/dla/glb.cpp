#include <string>

#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"
#include "regs/verilog_text.hpp"

namespace macrame::dla {
namespace {

/// All interrupt bits of the NVDLA documents.
constexpr std::uint32_t kMaskBits = 0x3f03ff;

/// Status bits of the units that the configuration names.
std::uint32_t status_bits(const Config& config) {
    std::uint32_t bits = 0x3f0003;  // CACC, CDMA, SDP
    if (config.cdp_enable) bits |= 0x00c;
    if (config.pdp_enable) bits |= 0x030;
    if (config.bdma_enable) bits |= 0x0c0;
    if (config.rubik_enable) bits |= 0x300;
    return bits;
}

/// Events of the units that move data in memory, from bit 9 or 7 down to 6.
std::string mover_events(const Config& config) {
    const std::string bdma = config.bdma_enable ? "bdma2glb_done, " : "2'd0, ";
    if (config.rubik_enable) return "rubik2glb_done, " + bdma;
    return config.bdma_enable ? bdma : "";
}

/// Bits above them, up to 15.
std::string no_events(const Config& config) {
    return config.rubik_enable ? "6'd0" : config.bdma_enable ? "8'd0" : "10'd0";
}

text::Scope glb_scope(const Config& config, const Derived&) {
    text::List movers;
    if (config.bdma_enable) movers.emplace_back("bdma");
    if (config.rubik_enable) movers.emplace_back("rubik");
    const regs::Register* version = glb_registers().find("S_NVDLA_HW_VERSION");
    return {
        {"cdp_done", config.cdp_enable ? "cdp2glb_done" : "2'd0"},
        {"hw_version", regs::literal(version->reset(), 32)},
        {"mask_bits", regs::literal(kMaskBits, 22)},
        {"mover_events", mover_events(config)},
        {"movers", movers},
        {"no_events", no_events(config)},
        {"pdp_done", config.pdp_enable ? "pdp2glb_done" : "2'd0"},
        {"status_bits", regs::literal(status_bits(config), 22)},
    };
}

}  // namespace

const Unit& glb_unit() {
    static const Unit unit{
        "glb",        "version register and interrupt status of all units",
        nullptr,      {"dla_glb.v"},
        {"sync_bit"}, {},
        glb_scope,    {},
        {"glb"},      Place::control,
    };
    return unit;
}

}  // namespace macrame::dla
