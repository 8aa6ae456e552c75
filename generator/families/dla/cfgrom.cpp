#include <string>

#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"
#include "regs/text.hpp"

namespace macrame::dla {
namespace {

bool ends_with(std::string_view text, std::string_view tail) {
    return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

std::uint32_t word_of(int value) { return static_cast<std::uint32_t>(value); }

/// Capability bits: 2 LUT, 3 BS, 4 BN, 5 EW.
std::uint32_t sdp_capabilities(const Config& config) {
    return (config.sdp_lut_enable ? 1u << 2 : 0u) | (config.sdp_bs_enable ? 1u << 3 : 0u) |
           (config.sdp_bn_enable ? 1u << 4 : 0u) | (config.sdp_ew_enable ? 1u << 5 : 0u);
}

/// The word as this configuration would have it. Words that do not depend on the configuration
/// are those of the reference ROM. Offsets and units: interfaces.md section 10.
std::uint32_t recomputed(const regs::Register& reg, const Config& config) {
    const std::string_view name = reg.name;
    if (name == "CFGROM_CIF_BASE_WIDTH") return word_of(config.primary_memif_width / 8);
    if (name == "CFGROM_CIF_BASE_LATENCY") return word_of(config.primary_memif_latency);
    if (name == "CFGROM_CIF_BASE_BURST_LENGTH_MAX") {
        return word_of(config.primary_memif_max_burst_length) << 5;
    }
    if (name == "CFGROM_CIF_BASE_MEM_ADDR_WIDTH") return word_of(config.mem_address_width) << 5;
    if (ends_with(name, "_BASE_ATOMIC_C")) return word_of(config.mac_atomic_c_size);
    if (ends_with(name, "_BASE_ATOMIC_K")) return word_of(config.mac_atomic_k_size);
    if (ends_with(name, "_BASE_ATOMIC_M")) return word_of(config.memory_atomic_size);
    if (ends_with(name, "_CBUF_BANK_NUM")) return word_of(config.cbuf_bank_number);
    if (ends_with(name, "_CBUF_BANK_WIDTH")) return word_of(config.cbuf_bank_width);
    if (ends_with(name, "_CBUF_BANK_DEPTH")) return word_of(config.cbuf_bank_depth);
    if (name == "CFGROM_SDP_CAP_COMPAT") return sdp_capabilities(config);
    if (name == "CFGROM_SDP_BS_THROUGHPUT") return word_of(config.sdp_bs_throughput);
    if (name == "CFGROM_SDP_BN_THROUGHPUT") return word_of(config.sdp_bn_throughput);
    if (name == "CFGROM_SDP_EW_THROUGHPUT") return word_of(config.sdp_ew_throughput);
    if (name == "CFGROM_PDP_BASE_THROUGHPUT") return word_of(config.pdp_throughput);
    if (name == "CFGROM_CDP_BASE_THROUGHPUT") return word_of(config.cdp_throughput);
    return reg.reset();
}

text::Scope cfgrom_scope(const Config& config, const Derived&) {
    const bool reference = config.cfgrom_words == "reference";
    text::List words;
    for (const regs::Register& reg : cfgrom_registers().registers) {
        const std::uint32_t value = reference ? reg.reset() : recomputed(reg, config);
        if (value == 0) continue;
        words.push_back(text::Scope{
            {"addr", regs::hex(reg.offset / 4, 3).substr(2)},
            {"value", regs::hex(value, 8).substr(2)},
            {"name", reg.name},
        });
    }
    return {
        {"words", words},
        {"words_doc", reference ? "those of the reference nv_small ROM, in every configuration"
                                : "recomputed from the parameters of this configuration"},
    };
}

}  // namespace

const Unit& cfgrom_unit() {
    static const Unit unit{
        "cfgrom",     "read-only list of what this accelerator can do",
        nullptr,      {"dla_cfgrom.v"},
        {},           {},
        cfgrom_scope,
    };
    return unit;
}

}  // namespace macrame::dla
