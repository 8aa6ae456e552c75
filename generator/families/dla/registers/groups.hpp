#pragma once
/// The two register groups of a unit: software prepares the layer of group PRODUCER while the unit
/// runs that of group CONSUMER.

#include <string>
#include <vector>

#include "regs/register_file.hpp"

namespace macrame::dla {

/// How the fields with a port follow CONSUMER from one group to the other.
enum class HandOver {
    /// One set of flops per group and a multiplexer: at once.
    switched,
    /// One set of flops for the running group, loaded from the read-back RAM after every layer:
    /// half the area, some 30 cycles between two layers. For units that are ahead of the pipeline.
    loaded,
};

HandOver hand_over(const regs::RegisterMap& map);

/// Registers that are wired in a register file with groups.
const std::vector<std::string_view>& group_registers();

/// True if the map has register groups.
bool has_groups(const regs::RegisterMap& map);

void add_group_ports(regs::Ports& ports);

/// Which group is which and whether it runs: wr_g0, start_g0, done_g0, enabled, ...
void group_state(std::string& out, regs::RegisterFile& file, bool loaded);

/// Loading of the fields after a layer: `field_wr`, `field_word`, `field_data`.
void group_load(std::string& out, regs::RegisterFile& file);

/// Output ports of the fields that exist per group.
void consumer_outputs(std::string& out, const regs::RegisterFile& file);

/// Counts of the last layer of each group; nothing if the unit counts nothing.
void group_counters(std::string& out, const regs::RegisterFile& file);

/// Cases of the read function: the registers of `group_registers`, the counts of a row.
void read_groups(std::string& out, regs::RegisterFile& file);
void read_counts(std::string& out, regs::RegisterFile& file, const regs::Row& row);

}  // namespace macrame::dla
