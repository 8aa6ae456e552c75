#include "families/tcu/family.hpp"

#include <fmt/format.h>

#include "emit/units.hpp"
#include "families/tcu/derived.hpp"
#include "families/tcu/documents.hpp"
#include "families/tcu/registers.hpp"
#include "families/tcu/tables.hpp"
#include "regs/to_verilog.hpp"

namespace macrame::tcu {

namespace {

const Config& config_of(const AnyConfig& config) { return std::any_cast<const Config&>(config); }

std::uint32_t identity_register(const AnyConfig& config) {
    return config_of(config).control_port ? kIdentityOffset : 0;
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
    const Config& c = config_of(any);
    return fmt::format("{0} x {0} array of {1}, {2} + {3} vectors, {4}-bit buses", c.array_size,
                       c.data_type, c.local_depth, c.accumulator_depth, c.axi_data_width);
}

const std::vector<std::string_view> kExamples = {
    "generate --preset artya7100t --out build/artya7100t",
    "generate --config my.tarch --out build/mine",
    "simulate --preset zcu104 --program net.tmodel --input inputs.bin --output outputs.bin",
    "list params --family tcu",
    "explain --config my.tarch",
};

const JsonFiles kArchitectureFiles{
    {".tarch", ".tmodel"},
    {"data_type", "array_size", "dram0_depth", "dram1_depth", "local_depth", "accumulator_depth",
     "simd_registers_depth", "stride0_depth", "stride1_depth", "number_of_threads",
     "thread_queue_depth"},
    "arch",
};

const std::vector<PlannedPreset> kNothingPlanned;

const std::vector<const Unit*>& units() {
    static const std::vector<Unit> kRows = emit::with_templates(unit_rows(), "tcu", assets());
    static const std::vector<const Unit*> kUnits = emit::built(kRows);
    return kUnits;
}

std::string register_file(const regs::RegisterMap& map, const RegUse& use,
                          std::string_view module) {
    return regs::to_verilog(map, use, regs::Bus::axi4_lite, module);
}

}  // namespace

// clang-format off
const Family& family() {
    static const Family kFamily{
        "tcu",
        "runs the programs of Tensil's compiler: a systolic array with a vector instruction set",
        "artya7100t",
        kExamples,
        Config{},
        params(), rules(), derived_defaults(), kNothingPlanned, units(), registers(), assets(),
        register_file, derive_any, sizes, size_text,
        simulator(), &board_support(), &target(), &kArchitectureFiles, documents, {}, nullptr,
        identity_register, &space(),
    };
    return kFamily;
}
// clang-format on

}  // namespace macrame::tcu
