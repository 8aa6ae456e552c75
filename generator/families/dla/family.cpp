#include "families/dla/family.hpp"

#include <fmt/format.h>

#include "families/dla/derived.hpp"
#include "families/dla/registers/register_file.hpp"
#include "families/dla/registers/registers.hpp"
#include "families/dla/tables.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

namespace {

const Config& config_of(const AnyConfig& config) { return std::any_cast<const Config&>(config); }

const regs::RegisterSet& registers_of(const AnyConfig& config) {
    return registers(has_v1_map(config_of(config)) ? kV1 : std::string_view());
}

/// On the page of the system top, else among the words of the ROM that are not the reference's.
std::uint32_t identity_register(const AnyConfig& any) {
    const Config& config = config_of(any);
    const regs::RegisterMap& page = sysctl_registers();
    if (has_system_top(config)) return *page.base + page.find("S_IDENTITY")->offset;
    const bool derived = config.cfgrom_words == "derived" && !has_v1_map(config);
    return derived ? cfgrom_identity_offset(config) : 0;
}

AnySizes derive_any(const AnyConfig& config) { return derive(config_of(config)); }

std::vector<Size> sizes(const AnySizes& any) {
    const Derived& derived = std::any_cast<const Derived&>(any);
    std::vector<Size> list;
    for (const DerivedField& field : derived_fields())
        list.push_back({field.name, derived.*field.member});
    return list;
}

std::string size_text(const AnyConfig& any) {
    const Config& config = config_of(any);
    const Derived derived = derive(config);
    std::string text = fmt::format("{} MACs, {} KiB buffer, {}-bit memory port", derived.mac_count,
                                   derived.cbuf_bytes / 1024, derived.bus_bits);
    if (config.secondary_memif_enable)
        text += fmt::format(", {}-bit second port", config.secondary_memif_width);
    return text;
}

const std::vector<PlannedPreset> kNothingPlanned;

const std::vector<std::string_view> kExamples = {
    "generate --preset nv_small --out build/nv_small",
    "generate --preset nv_small --mac-atomic-c 16 --out build/wide",
    "generate --config my.toml --out build/mine",
    "simulate --preset nv_small --trace nvdla/hw/verif/tests/trace_tests/nv_small",
    "simulate --preset nv_small --both --random 20 --stall 0.3",
    "simulate --preset nv_small --picture --png filters.png",
    "list params",
    "explain cbuf-bank-depth",
    "explain --mac-atomic-c 64 --mac-atomic-k 8",
};

}  // namespace

// clang-format off
const Family& family() {
    static const Family kFamily = {
        "dla",
        "register-compatible with the NVDLA documents",
        "nv_small",
        kExamples,
        Config{},
        params(), rules(), derived_defaults(), kNothingPlanned, units(), registers(), assets(),
        register_file, derive_any, sizes, size_text,
        simulator(), &board_support(), &target(), nullptr, nullptr, {}, registers_of,
        identity_register, &space(),
    };
    return kFamily;
}
// clang-format on

}  // namespace macrame::dla
