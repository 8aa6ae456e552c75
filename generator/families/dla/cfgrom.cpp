#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/identity.hpp"
#include "families/dla/registers/registers.hpp"
#include "families/dla/tables.hpp"
#include "families/dla/units.hpp"
#include "text/ends.hpp"

namespace macrame::dla {
namespace {

std::uint32_t word_of(int value) { return static_cast<std::uint32_t>(value); }

std::uint32_t bit(bool present, int n) { return present ? 1u << n : 0u; }

/// Capability bits: 0 Winograd, 1 several inputs, 3 compressed weights, 4 images.
std::uint32_t convolution_capabilities(const Config& config) {
    return bit(config.winograd_enable, 0) | bit(config.batch_enable, 1) |
           bit(config.weight_compression_enable, 3) | bit(config.image_enable, 4);
}

/// Capability bits: 0 Winograd, 1 several inputs, 2 LUT, 3 BS, 4 BN, 5 EW.
std::uint32_t sdp_capabilities(const Config& config) {
    return bit(config.winograd_enable, 0) | bit(config.batch_enable, 1) |
           bit(config.sdp_lut_enable, 2) | bit(config.sdp_bs_enable, 3) |
           bit(config.sdp_bn_enable, 4) | bit(config.sdp_ew_enable, 5);
}

/// Mask of element types: 4 INT8, 6 INT16, 9 FP16.
std::uint32_t type_mask(const Config& config) {
    return bit(has_type(config, "INT8"), 4) | bit(has_type(config, "INT16"), 6) |
           bit(has_type(config, "FP16"), 9);
}

/// Codes of pixel formats: packed ones below 28, then those with two planes. Those of floating
/// point are 5, 8 and 11.
constexpr std::uint32_t kPackedFormats = (1u << 28) - 1, kSemiPlanarFormats = (1u << 8) - 1;
constexpr std::uint32_t kFloatFormats = 1u << 5 | 1u << 8 | 1u << 11;

/// The word of a unit for its convolution mode.
std::uint32_t mode_word(const regs::Register& reg, const Config& config) {
    const std::string_view name = reg.name;
    const std::uint32_t winograd = bit(config.winograd_enable, 0);
    if (name == "CFGROM_CDMA_CAP_COMPAT" || name == "CFGROM_CSC_CAP_COMPAT") {
        return convolution_capabilities(config);
    }
    if (name == "CFGROM_CMAC_A_CAP_COMPAT" || name == "CFGROM_CMAC_B_CAP_COMPAT") {
        return reg.reset() | winograd;
    }
    if (name == "CFGROM_CACC_CAP_COMPAT") return winograd | bit(config.batch_enable, 1);
    if (name == "CFGROM_SDP_CAP_COMPAT") return sdp_capabilities(config);
    if (text::ends_with(name, "_TYPES")) return type_mask(config);
    if (text::ends_with(name, "_MULTI_BATCH_MAX")) {
        return config.batch_enable ? word_of(config.max_batch_size) : 0;
    }
    if (name.substr(0, 21) != "CFGROM_CDMA_IMAGE_IN_") return reg.reset();
    if (!config.image_enable) return 0;
    if (!has_types16(config)) return reg.reset();
    if (text::ends_with(name, "_SEMI")) return kSemiPlanarFormats;
    return has_type(config, "FP16") ? kPackedFormats : kPackedFormats & ~kFloatFormats;
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
    if (text::ends_with(name, "_BASE_ATOMIC_C")) return word_of(config.mac_atomic_c_size);
    if (text::ends_with(name, "_BASE_ATOMIC_K")) return word_of(config.mac_atomic_k_size);
    if (text::ends_with(name, "_BASE_ATOMIC_M")) return word_of(config.memory_atomic_size);
    if (text::ends_with(name, "_CBUF_BANK_NUM")) return word_of(config.cbuf_bank_number);
    if (text::ends_with(name, "_CBUF_BANK_WIDTH")) return word_of(config.cbuf_bank_width);
    if (text::ends_with(name, "_CBUF_BANK_DEPTH")) return word_of(config.cbuf_bank_depth);
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
    return mode_word(reg, config);
}

/// A word that is not in the reference ROM.
struct MoreWord {
    std::string_view name;
    std::uint32_t value;
};

/// Descriptor of the second port: as that of the first, with capability bit 0, a separate SRAM.
std::vector<MoreWord> second_port_words(const Config& config) {
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

/// Descriptors behind those of the reference ROM, whose words so keep their offsets; the terminator
/// follows. BDMA and RUBIK have incompatible capabilities alone. The last one is of macrame, with
/// an id that no unit has.
std::vector<MoreWord> more_words(const Config& config) {
    std::vector<MoreWord> out;
    const auto add = [&out](bool present, const std::vector<MoreWord>& words) {
        if (present) out.insert(out.end(), words.begin(), words.end());
    };
    add(config.secondary_memif_enable, second_port_words(config));
    add(config.bdma_enable, {{"CFGROM_BDMA_DESC", 0x0004000e}, {"CFGROM_BDMA_CAP_INCOMPAT", 0}});
    add(config.rubik_enable, {{"CFGROM_RUBIK_DESC", 0x0004000f}, {"CFGROM_RUBIK_CAP_INCOMPAT", 0}});
    add(true, {{"CFGROM_PROGRAMS_DESC", 0x000cff00},
               {"CFGROM_PROGRAMS_CAP_INCOMPAT", 0},
               {"CFGROM_PROGRAMS_CAP_COMPAT", 0},
               {"CFGROM_PROGRAMS_IDENTITY", program_identity("dla", params(), config)}});
    return out;
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
    for (const MoreWord& word : reference ? std::vector<MoreWord>{} : more_words(config)) {
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

std::uint32_t cfgrom_identity_offset(const Config& config) {
    const std::uint32_t end = cfgrom_registers().registers.back().offset;
    return end + 4 * static_cast<std::uint32_t>(more_words(config).size() - 1);
}

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
