#include <fmt/format.h>

#include <string>
#include <vector>

#include "families/dla/registers/registers.hpp"
#include "families/dla/units.hpp"

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
/// are those of the reference ROM.
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
    // Throughput 0: the unit or stage is not there.
    const auto speed = [](bool present, int value) { return present ? word_of(value) : 0u; };
    if (name == "CFGROM_SDP_BS_THROUGHPUT") {
        return speed(config.sdp_bs_enable, config.sdp_bs_throughput);
    }
    if (name == "CFGROM_SDP_BN_THROUGHPUT") {
        return speed(config.sdp_bn_enable, config.sdp_bn_throughput);
    }
    if (name == "CFGROM_SDP_EW_THROUGHPUT") {
        return speed(config.sdp_ew_enable, config.sdp_ew_throughput);
    }
    if (name == "CFGROM_PDP_BASE_THROUGHPUT") {
        return speed(config.pdp_enable, config.pdp_throughput);
    }
    if (name == "CFGROM_CDP_BASE_THROUGHPUT") {
        return speed(config.cdp_enable, config.cdp_throughput);
    }
    const bool image_word = name == "CFGROM_CDMA_CAP_COMPAT" || name == "CFGROM_CSC_CAP_COMPAT" ||
                            name.substr(0, 21) == "CFGROM_CDMA_IMAGE_IN_";
    if (image_word && !config.image_enable) return 0;
    return reg.reset();
}

/// A word that is not in the reference ROM.
struct MoreWord {
    std::string_view name;
    std::uint32_t value;
};

/// Descriptor of the second port: as that of the first, with capability bit 0, a separate SRAM.
/// It ends the list, so that all other words keep their offsets; the terminator follows.
std::vector<MoreWord> second_port_words(const Config& config) {
    if (!config.secondary_memif_enable) return {};
    return {
        {"CFGROM_CIF_1_DESC", 0x00180002},
        {"CFGROM_CIF_1_CAP_INCOMPAT", 0},
        {"CFGROM_CIF_1_CAP_COMPAT", 1},
        {"CFGROM_CIF_1_BASE_WIDTH", word_of(config.secondary_memif_width / 8)},
        {"CFGROM_CIF_1_BASE_LATENCY", word_of(config.secondary_memif_latency)},
        {"CFGROM_CIF_1_BASE_BURST_LENGTH_MAX", word_of(config.secondary_memif_max_burst_length)
                                                   << 5},
        {"CFGROM_CIF_1_BASE_MEM_ADDR_WIDTH", word_of(config.mem_address_width) << 5},
    };
}

text::Scope cfgrom_scope(const Config& config, const Derived&) {
    const bool reference = config.cfgrom_words == "reference";
    text::List words;
    const auto add = [&words](std::uint32_t offset, std::uint32_t value, std::string_view name) {
        if (value == 0) return;
        words.push_back(text::Scope{
            {"addr", fmt::format("{:03x}", offset / 4)},
            {"value", fmt::format("{:08x}", value)},
            {"name", name},
        });
    };
    for (const regs::Register& reg : cfgrom_registers().registers) {
        add(reg.offset, reference ? reg.reset() : recomputed(reg, config), reg.name);
    }
    std::uint32_t end = cfgrom_registers().registers.back().offset;  // of the terminator
    for (const MoreWord& word : reference ? std::vector<MoreWord>{} : second_port_words(config)) {
        add(end, word.value, word.name);
        end += 4;
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
        "cfgrom",
        "read-only list of what this accelerator can do",
        [](const Config& c) { return !has_v1_map(c); },
        {"dla_cfgrom.v"},
        {},
        {},
        cfgrom_scope,
        {},
        {"cfgrom"},
    };
    return unit;
}

}  // namespace macrame::dla
