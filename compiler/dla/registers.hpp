#pragma once
/// Register values of a layer.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Units with register groups.
enum class Unit {
    cdma,
    csc,
    cmac_a,
    cmac_b,
    cacc,
    sdp_rdma,
    sdp,
    pdp_rdma,
    pdp,
    cdp_rdma,
    cdp,
    rubik,
    row
};
constexpr std::size_t kUnits = 13;

/// What a unit has to be told for a layer. The enable is for last.
struct UnitProgram {
    Unit unit = Unit::cdma;
    std::vector<program::Command> registers;
};

/// Units of the layer in the order in which they are enabled, consumers first.
std::vector<UnitProgram> unit_programs(const model::Architecture& sizes, const Layer& layer);

/// Writes that load the table which the layer looks up, if it does. They are for a unit at rest:
/// both register groups share the table.
std::vector<program::Command> table_load(const Layer& layer);
/// That table.
const Lookup* lookup_of(const Layer& layer);

/// Byte addresses of S_STATUS, S_POINTER and D_OP_ENABLE.
std::uint32_t status_register(Unit unit);
std::uint32_t pointer_register(Unit unit);
std::uint32_t enable_register(Unit unit);

/// Units that tell when the layer is done.
std::vector<Unit> done_units(const Layer& layer);

/// Bit of GLB.S_INTR_STATUS that comes when a unit is done with register group 0; that of group 1
/// is the one above.
int done_interrupt(Unit unit);

}  // namespace macrame::dla::compiler
