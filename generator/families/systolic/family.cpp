#include "families/systolic/family.hpp"

#include <fmt/format.h>

#include "emit/units.hpp"
#include "families/systolic/derived.hpp"
#include "families/systolic/registers.hpp"
#include "families/systolic/tables.hpp"

namespace macrame::systolic {

namespace {

const Config& config_of(const AnyConfig& config) { return std::any_cast<const Config&>(config); }

AnySizes derive_any(const AnyConfig& config) { return derive(config_of(config)); }

std::vector<Size> sizes(const AnySizes& any) {
    const Derived& derived = std::any_cast<const Derived&>(any);
    std::vector<Size> list;
    for (const DerivedField& field : derived_fields())
        list.push_back({field.name, derived.*field.member});
    return list;
}

std::string size_text(const AnyConfig& any) {
    const Config& c = config_of(any);
    return fmt::format("{} x {} array, {} + {} + {} entries, {}-bit bus", c.rows, c.cols,
                       c.ibuf_entries, c.wbuf_entries, c.obuf_entries, c.axi_data_width);
}

const std::vector<std::string_view> kExamples = {
    "simulate --preset 16x16 --program a.sasm --memory before.bin --dump after.bin --model",
    "simulate --config case.json --program a.hex --memory before.bin --dump after.bin --model",
    "list params --family systolic",
    "explain --config case.json",
};

const JsonFiles kConformanceFiles{
    {},
    {"rows", "cols", "in_width", "out_width", "ibuf_entries", "wbuf_entries", "obuf_entries"},
    "config",
};

const std::vector<PlannedPreset> kNothingPlanned;

const std::vector<const Unit*>& units() {
    static const std::vector<Unit> kRows = emit::with_templates(unit_rows(), "systolic", assets());
    static const std::vector<const Unit*> kUnits = emit::built(kRows);
    return kUnits;
}

/// Never called: control has its registers in its template.
std::string register_file(const regs::RegisterMap&, const RegUse&, std::string_view) { return ""; }

Family make_family() {
    Family family{
        "systolic",      "ShaktiMAAN's machine: a systolic array with instructions and tokens",
        "16x16",         kExamples,
        Config{},        params(),
        rules(),         derived_defaults(),
        kNothingPlanned, units(),
        registers(),     assets(),
        register_file,   derive_any,
        sizes,           size_text,
        simulator(),
    };
    family.boards = &board_support();
    family.json = &kConformanceFiles;
    family.target = &target();
    family.space = &space();
    family.identity_register = [](const AnyConfig& config) {
        return static_cast<std::uint32_t>(std::any_cast<const Config&>(config).config_address) +
               kIdentityOffset;
    };
    return family;
}

}  // namespace

const Family& family() {
    static const Family kFamily = make_family();
    return kFamily;
}

}  // namespace macrame::systolic
