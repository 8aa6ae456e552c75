#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"
#include "regs/verilog_text.hpp"

namespace macrame::dla {
namespace {

constexpr std::uint32_t kRowBits = 0xc00;

/// All interrupt bits of the NVDLA documents, and those of a unit that they do not have.
std::uint32_t mask_bits(const Config& config) {
    return 0x3f03ff | (config.row_enable ? kRowBits : 0u);
}

/// Status bits of the units that the configuration names.
std::uint32_t status_bits(const Config& config) {
    std::uint32_t bits = 0x3f0003;  // CACC, CDMA, SDP
    if (config.cdp_enable) bits |= 0x00c;
    if (config.pdp_enable) bits |= 0x030;
    if (config.bdma_enable) bits |= 0x0c0;
    if (config.rubik_enable) bits |= 0x300;
    if (config.row_enable) bits |= kRowBits;
    return bits;
}

text::Scope glb_scope(const Config& config, const Derived&) {
    text::List movers;
    if (config.bdma_enable) movers.emplace_back("bdma");
    if (config.rubik_enable) movers.emplace_back("rubik");
    if (config.row_enable) movers.emplace_back("row");
    const regs::Register* version = glb_registers().find("S_NVDLA_HW_VERSION");
    return {
        {"hw_version", regs::literal(version->reset(), 32)},
        {"mask_bits", regs::literal(mask_bits(config), 22)},
        {"movers", movers},
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
