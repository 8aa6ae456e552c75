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

/// Events 15:6.
std::string mover_events(const Config& config) {
    if (!config.bdma_enable && !config.rubik_enable) return "10'd0";
    std::string text = config.rubik_enable ? "6'd0, rubik2glb_done, " : "8'd0, ";
    return text + (config.bdma_enable ? "bdma2glb_done" : "2'd0");
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
