#pragma once
/// Register values of a layer.

#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "compiler/program/program.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Units with register groups.
enum class Unit { cdma, csc, cmac_a, cmac_b, cacc, sdp_rdma, sdp, pdp_rdma, pdp };
constexpr std::size_t kUnits = 9;

/// What a unit has to be told for a layer. The enable is for last.
struct UnitProgram {
    Unit unit = Unit::cdma;
    std::vector<program::Command> registers;
};

/// Units of the layer in the order in which they are enabled, consumers first.
std::vector<UnitProgram> unit_programs(const model::DeviceSizes& sizes, const Layer& layer);

/// Byte addresses of S_POINTER and D_OP_ENABLE.
std::uint32_t pointer_register(Unit unit);
std::uint32_t enable_register(Unit unit);

/// Bit of GLB.S_INTR_STATUS that comes when a layer in register group 0 is done; that of group 1 is
/// the one above. Of the last unit of the layer.
int done_interrupt(const Layer& layer);

}  // namespace macrame::dla::compiler
