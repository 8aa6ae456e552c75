#include "coverage.hpp"

#include <algorithm>
#include <utility>

#include "dla_regs.hpp"

namespace macrame::dla::stimulus {

namespace regs = dla_regs;
using dla::model::Architecture;

/// Kinds of layers that have an interrupt of their own.
enum LayerKind { kConv, kSdp, kPdp, kCdp, kRubik, kBdma, kRow, kKinds };

// ---- following a program

/// What is under way: layers that were enabled and whose end nobody has waited for.
struct Coverage::DeviceState {
    std::array<int, kKinds> started{}, ended{};
    std::set<std::uint64_t> written;  ///< addresses of cubes that layers write
    std::map<std::string, std::pair<LayerKind, int>>
        events;  ///< id: kind, number of layers then ended

    int running(LayerKind kind) const {
        const auto k = static_cast<std::size_t>(kind);
        return started[k] - ended[k];
    }
};

namespace {

/// Interrupt bits of the units whose end is the end of a layer.
constexpr std::pair<int, LayerKind> kInterrupts[] = {
    {0, kSdp}, {2, kCdp}, {4, kPdp}, {6, kBdma}, {8, kRubik}, {10, kRow}};

std::uint64_t address(const UnitRegisters& now, std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{now.word(high)} << 32 | now.word(low);
}

/// Base address of what a unit reads or writes; 0 if it does neither.
std::uint64_t source_of(std::string_view unit, const UnitRegisters& now) {
    if (unit == "CDMA") {
        return address(now, regs::cdma::D_DAIN_ADDR_HIGH_0::kAddress,
                       regs::cdma::D_DAIN_ADDR_LOW_0::kAddress);
    }
    if (unit == "SDP_RDMA" && now.get<regs::sdp_rdma::D_FEATURE_MODE_CFG>().FLYING_MODE() == 0) {
        return address(now, regs::sdp_rdma::D_SRC_BASE_ADDR_HIGH::kAddress,
                       regs::sdp_rdma::D_SRC_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "PDP_RDMA") {
        return address(now, regs::pdp_rdma::D_SRC_BASE_ADDR_HIGH::kAddress,
                       regs::pdp_rdma::D_SRC_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "CDP_RDMA") {
        return address(now, regs::cdp_rdma::D_SRC_BASE_ADDR_HIGH::kAddress,
                       regs::cdp_rdma::D_SRC_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "ROW") {
        return address(now, regs::row::D_SRC_BASE_ADDR_HIGH::kAddress,
                       regs::row::D_SRC_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "RUBIK") {
        return address(now, regs::rubik::D_DAIN_ADDR_HIGH::kAddress,
                       regs::rubik::D_DAIN_ADDR_LOW::kAddress);
    }
    if (unit == "BDMA") {
        return address(now, regs::bdma::CFG_SRC_ADDR_HIGH::kAddress,
                       regs::bdma::CFG_SRC_ADDR_LOW::kAddress);
    }
    return 0;
}
bool reads_cubes(std::string_view unit) {
    return unit == "CDMA" || unit == "SDP_RDMA" || unit == "PDP_RDMA" || unit == "CDP_RDMA" ||
           unit == "RUBIK" || unit == "BDMA" || unit == "ROW";
}
bool has_groups(std::string_view unit) { return unit != "BDMA"; }
std::uint64_t target_of(std::string_view unit, const UnitRegisters& now) {
    if (unit == "SDP" && now.get<regs::sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() == 0) {
        return address(now, regs::sdp::D_DST_BASE_ADDR_HIGH::kAddress,
                       regs::sdp::D_DST_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "PDP") {
        return address(now, regs::pdp::D_DST_BASE_ADDR_HIGH::kAddress,
                       regs::pdp::D_DST_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "CDP") {
        return address(now, regs::cdp::D_DST_BASE_ADDR_HIGH::kAddress,
                       regs::cdp::D_DST_BASE_ADDR_LOW::kAddress);
    }
    if (unit == "ROW") {
        return address(now, regs::row::D_DST_BASE_ADDR_HIGH::kAddress,
                       regs::row::D_DST_BASE_ADDR_LOW::kAddress);
    }
    return 0;
}

}  // namespace

Coverage::Coverage(const Architecture& sizes) : sizes_(sizes), sight_(sizes) {
    bins_.count(false);
    for (const CoveredUnit& unit : covered_units()) {
        if (!unit.exists(sizes)) continue;
        const UnitRegisters nothing;
        bins_.group(unit.name);
        bins_.choice(has_groups(unit.name) ? "register group" : "launches group", {"0", "1"}, -1);
        if (reads_cubes(unit.name)) bins_.hit("reads what a layer before wrote", false);
        unit.sample(bins_, sizes, nothing, nullptr);
    }
    sample_machine(DeviceState());
    for (const CoveredCounter& counter : covered_counters()) {
        if (!counter.exists(sizes)) continue;
        counters_[std::string(counter.reg)] = &counter;
        bins_.group(counter.group);
        bins_.hit(std::string(counter.bin), false);
    }
    sight_.bins(bins_);
    bins_.count(true);
}

void Coverage::play(const trace::Trace& played) {
    const trace::Trace program =
        trace::in_map(played, dla::model::register_variant(sizes_.v1_map), "");
    const regs::RegisterTable table = regs::table();
    std::map<std::uint32_t, const regs::RegisterInfo*> by_address;
    std::map<std::string_view, Unit> units;
    for (const CoveredUnit& covered : covered_units()) {
        if (covered.exists(sizes_)) units[covered.name].covered = &covered;
    }
    for (std::size_t i = 0; i < table.register_count; ++i) {
        const regs::RegisterInfo& info = table.registers[i];
        const auto unit = units.find(info.unit);
        if (unit == units.end()) continue;
        by_address[info.address] = &info;
        unit->second.single.set(info.address, info.reset);
        for (UnitRegisters& group : unit->second.group)
            group.set(info.address, info.reset);
    }

    DeviceState machine;
    std::array<int, kKinds> declared{};
    for (const trace::Notify& notify : program.notifies) {
        for (const auto& [bit, kind] : kInterrupts) {
            if (notify.bit != bit && notify.bit != bit + 1) continue;
            machine.events[notify.id] = {kind, ++declared[kind]};
        }
    }
    for (std::size_t at = 0; at < program.commands.size(); ++at) {
        const trace::Command& command = program.commands[at];
        if (command.op == trace::Op::sync_wait) {
            const auto event = machine.events.find(command.id);
            if (event == machine.events.end()) continue;
            const auto [kind, number] = event->second;
            machine.ended[kind] = std::max(machine.ended[kind], number);
            if (kind == kSdp || kind == kPdp) machine.ended[kConv] = machine.started[kConv];
        }
        const auto found = by_address.find(command.addr);
        if (command.op != trace::Op::write || found == by_address.end()) continue;
        const regs::RegisterInfo& info = *found->second;
        Unit& unit = units[info.unit];
        if (info.name == "S_POINTER") {
            unit.producer = command.value & 1u;
        } else if (info.name == "D_OP_ENABLE" || info.name == "CFG_OP") {
            if ((command.value & 1u) != 0) enable(unit, machine, at);
        } else if (info.name == "CFG_LAUNCH0" || info.name == "CFG_LAUNCH1") {
            if ((command.value & 1u) != 0) launch(info.name == "CFG_LAUNCH0" ? 0 : 1, machine);
        } else if (info.grouped) {
            unit.group[unit.producer].set(command.addr, command.value);
        } else {
            for (UnitRegisters& group : unit.group)
                group.set(command.addr, command.value);
        }
    }
    sight_.play(program, bins_);
}

void Coverage::enable(Unit& unit, DeviceState& machine, std::size_t command) {
    const UnitRegisters& now = unit.group[unit.producer];
    const std::string_view name = unit.covered->name;
    bins_.group(name);
    if (has_groups(name))
        bins_.choice("register group", {"0", "1"}, static_cast<int>(unit.producer));
    unit.covered->sample(bins_, sizes_, now, unit.has_before ? &unit.before : nullptr);
    sight_.layer(name, now, command);
    const std::uint64_t source = source_of(name, now);
    if (source != 0) {
        bins_.group(name);
        bins_.hit("reads what a layer before wrote", machine.written.count(source) != 0);
    }
    const std::uint64_t target = target_of(name, now);
    if (target != 0) machine.written.insert(target);
    unit.before = now;
    unit.has_before = true;

    if (name == "CSC") ++machine.started[kConv];
    if (name == "PDP") ++machine.started[kPdp];
    if (name == "CDP") ++machine.started[kCdp];
    if (name == "RUBIK") ++machine.started[kRubik];
    if (name == "ROW") ++machine.started[kRow];
    if (name == "SDP") {
        ++machine.started[kSdp];
        if (now.get<regs::sdp::D_FEATURE_MODE_CFG>().OUTPUT_DST() != 0) {
            ++machine.ended[kSdp];  // its end is PDP's
        }
    }
    if (name == "CSC" || name == "PDP" || name == "CDP" || name == "SDP" || name == "RUBIK" ||
        name == "ROW")
        sample_machine(machine);
}

/// A group of BDMA.
void Coverage::launch(int group, DeviceState& machine) {
    bins_.group("BDMA");
    bins_.choice("launches group", {"0", "1"}, group);
    ++machine.started[kBdma];
    sample_machine(machine);
}

/// Layers of different units that were enabled together; the hardware may run them at once.
void Coverage::sample_machine(const DeviceState& machine) {
    bins_.group("machine");
    const auto busy = [&](LayerKind kind) { return machine.running(kind) > 0; };
    bins_.hit("two convolutions in flight", machine.running(kConv) >= 2);
    bins_.hit("two SDP layers in flight", machine.running(kSdp) >= 2);
    if (sizes_.cdp) {
        bins_.hit("two CDP layers in flight", machine.running(kCdp) >= 2);
        bins_.hit("CDP beside convolution", busy(kCdp) && busy(kConv));
        bins_.hit("CDP beside SDP", busy(kCdp) && busy(kSdp));
    }
    if (sizes_.pdp) {
        bins_.hit("two PDP layers in flight", machine.running(kPdp) >= 2);
        bins_.hit("PDP beside convolution", busy(kPdp) && busy(kConv));
        bins_.hit("PDP beside SDP", busy(kPdp) && busy(kSdp));
    }
    if (sizes_.rubik()) {
        bins_.hit("two RUBIK layers in flight", machine.running(kRubik) >= 2);
        bins_.hit("RUBIK beside convolution", busy(kRubik) && busy(kConv));
        bins_.hit("RUBIK beside SDP", busy(kRubik) && busy(kSdp));
    }
    if (sizes_.bdma) {
        bins_.hit("two BDMA groups in flight", machine.running(kBdma) >= 2);
        bins_.hit("BDMA beside convolution", busy(kBdma) && busy(kConv));
        bins_.hit("BDMA beside SDP", busy(kBdma) && busy(kSdp));
    }
    if (sizes_.row) {
        bins_.hit("two ROW layers in flight", machine.running(kRow) >= 2);
        bins_.hit("ROW beside convolution", busy(kRow) && busy(kConv));
        bins_.hit("ROW beside SDP", busy(kRow) && busy(kSdp));
    }
    if (sizes_.rubik() && sizes_.bdma) bins_.hit("BDMA beside RUBIK", busy(kBdma) && busy(kRubik));
    if (sizes_.pdp && sizes_.cdp) {
        bins_.hit("PDP beside CDP", busy(kPdp) && busy(kCdp));
        bins_.hit("PDP beside CDP and convolution", busy(kPdp) && busy(kCdp) && busy(kConv));
    }
}

void Coverage::reads(const std::vector<trace::RegisterRead>& reads) {
    for (const trace::RegisterRead& read : reads) {
        const auto counter = counters_.find(read.name);
        if (counter == counters_.end()) continue;
        bins_.group(counter->second->group);
        bins_.hit(std::string(counter->second->bin), read.value != 0);
    }
}

}  // namespace macrame::dla::stimulus
