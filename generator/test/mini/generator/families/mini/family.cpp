#include "families/mini/family.hpp"

#include <fmt/format.h>

#include "families/mini/registers/registers.hpp"
#include "families/mini/tables.hpp"
#include "regs/to_verilog.hpp"

namespace macrame::mini {

namespace {

const Config& config_of(const AnyConfig& config) { return std::any_cast<const Config&>(config); }

AnySizes derive(const AnyConfig& config) {
    return Derived{config_of(config).lanes * config_of(config).width};
}

std::vector<Size> sizes(const AnySizes& sizes) {
    return {{"word_bits", std::any_cast<const Derived&>(sizes).word_bits}};
}

std::string size_text(const AnyConfig& config) {
    return fmt::format("{} lanes of {} bits", config_of(config).lanes, config_of(config).width);
}

std::string register_file(const regs::RegisterMap& map, const RegUse& use,
                          std::string_view module) {
    return regs::to_verilog(map, use, regs::Bus::axi4_lite, module);
}

const std::vector<DerivedDefault> kNoDerivedDefaults;
const std::vector<PlannedPreset> kNothingPlanned;

}  // namespace

// clang-format off
const Family& family() {
    static const Family kFamily{
        "mini",
        "an accumulator, the smallest family there is",
        "mini_small",
        {"simulate --both --random 10"},
        Config{},
        params(), rules(), kNoDerivedDefaults, kNothingPlanned, units(), registers(), assets(),
        register_file, derive, sizes, size_text,
        simulator(),
    };
    return kFamily;
}
// clang-format on

}  // namespace macrame::mini
