#include "device.hpp"

#include <algorithm>
#include <memory>
#include <string_view>

#include "bdma.hpp"
#include "cacc.hpp"
#include "cdma.hpp"
#include "cdp.hpp"
#include "cdp_rdma.hpp"
#include "csc.hpp"
#include "layer_checker.hpp"
#include "pdp.hpp"
#include "pdp_rdma.hpp"
#include "row.hpp"
#include "rubik.hpp"
#include "sdp.hpp"
#include "sdp_rdma.hpp"

namespace macrame::dla::model {

namespace {

using S = const Architecture&;
using Make = std::unique_ptr<Unit> (*)(DeviceState&, std::string_view name);

template <class U>
std::unique_ptr<Unit> make(DeviceState& machine, std::string_view name) {
    return std::make_unique<U>(machine, name);
}

bool always(S) { return true; }

/// A unit, named as in the register table, which gives its page.
struct Row {
    std::string_view name;
    Make make;
    bool (*built)(S) = always;
};

/// In the order in which they get their turn. Those that are a plain Unit only hold registers.
constexpr Row kUnits[] = {
    {"MCIF", make<Unit>},
    {"CVIF", make<Unit>, [](S s) { return s.secondary; }},
    {"CDMA", make<CdmaUnit>},
    {"CSC", make<CscUnit>},
    {"CMAC_A", make<Unit>},
    {"CMAC_B", make<Unit>},
    {"CACC", make<CaccUnit>},
    {"SDP_RDMA", make<SdpRdmaUnit>},
    {"SDP", make<SdpUnit>},
    {"PDP_RDMA", make<PdpRdmaUnit>, [](S s) { return s.pdp; }},
    {"PDP", make<PdpUnit>, [](S s) { return s.pdp; }},
    {"CDP_RDMA", make<CdpRdmaUnit>, [](S s) { return s.cdp; }},
    {"CDP", make<CdpUnit>, [](S s) { return s.cdp; }},
    {"BDMA", make<BdmaUnit>, [](S s) { return s.bdma; }},
    {"RUBIK", make<RubikUnit>, [](S s) { return s.rubik(); }},
    {"ROW", make<RowUnit>, [](S s) { return s.row; }},
};

}  // namespace

// ---- what the units share

bool DeviceState::is_secondary(std::uint32_t ram_type) const {
    return ram_type == 0 && sizes.secondary && secondary != nullptr;
}

verif::Memory& DeviceState::port(std::uint32_t ram_type) const {
    return is_secondary(ram_type) ? *secondary : primary;
}

/// Calls part(address, offset, count) for a run of bytes that may go on at address 0.
template <class Part>
static void wrapped(std::uint64_t addr, std::uint64_t mask, std::size_t count, Part part) {
    const std::uint64_t begin = addr & mask, to_end = mask - begin;
    const std::size_t first = count - 1 <= to_end ? count : static_cast<std::size_t>(to_end) + 1;
    part(begin, std::size_t{0}, first);
    if (first < count) part(std::uint64_t{0}, first, count - first);
}

/// The unit that reads or writes as this client.
static std::string_view unit_of(DmaClient client, bool write) {
    switch (client) {
        case DmaClient::kBdma:
            return "BDMA";
        case DmaClient::kPdp:
            return write ? "PDP" : "PDP_RDMA";
        case DmaClient::kCdp:
            return write ? "CDP" : "CDP_RDMA";
        case DmaClient::kRubik:
            return "RUBIK";
        case DmaClient::kRow:
            return "ROW";
        case DmaClient::kCdmaData:
        case DmaClient::kCdmaWeights:
            return "CDMA";
        case DmaClient::kSdp:
        case DmaClient::kSdpB:
        case DmaClient::kSdpN:
        case DmaClient::kSdpE:
            break;
    }
    return write ? "SDP" : "SDP_RDMA";
}

std::size_t DeviceState::open_stream(DmaClient client, bool write, std::uint32_t ram_type) {
    const std::string_view name = unit_of(client, write);
    MemoryStream stream;
    stream.client = client;
    stream.write = write;
    stream.secondary = is_secondary(ram_type);
    if (const auto* unit = find<Unit>(name)) stream.enabled = unit->enabled_at();
    if (const auto* cdma = find<CdmaUnit>(name)) stream.layer = cdma->started();
    if (const auto* pdp = find<PdpUnit>(name)) stream.flying = pdp->flying();
    return races.open(stream);
}

MemoryRead DeviceState::reader(DmaClient client, std::uint32_t ram_type) {
    return [this, client, stream = open_stream(client, false, ram_type),
            second = is_secondary(ram_type), &from = port(ram_type),
            mask = address(~0u, ~0u)](std::uint64_t addr, std::uint8_t* to, std::size_t count) {
        wrapped(addr, mask, count, [&](std::uint64_t at, std::size_t done, std::size_t n) {
            tell(stream, {client, false, second, at, n});
            from.read(at, to + done, n);
        });
    };
}

MemoryWrite DeviceState::writer(DmaClient client, std::uint32_t ram_type) {
    return [this, client, stream = open_stream(client, true, ram_type),
            second = is_secondary(ram_type), &to = port(ram_type), mask = address(~0u, ~0u)](
               std::uint64_t addr, const std::uint8_t* from, std::size_t count) {
        wrapped(addr, mask, count, [&](std::uint64_t at, std::size_t done, std::size_t n) {
            tell(stream, {client, true, second, at, n});
            to.write(at, from + done, n);
        });
    };
}

std::uint64_t DeviceState::address(std::uint32_t high, std::uint32_t low) const {
    const std::uint64_t full = std::uint64_t{high} << 32 | low;
    return sizes.addr_w >= 64 ? full : full & ((std::uint64_t{1} << sizes.addr_w) - 1);
}

void DeviceState::violation(const std::string& what) {
    if (std::find(violations.begin(), violations.end(), what) == violations.end()) {
        violations.push_back(what);
    }
}

bool DeviceState::refuses(const std::vector<std::string_view>& names) {
    LayerRegisters layer;
    for (const std::string_view name : names)
        find<Unit>(name)->add_registers(layer);
    const std::vector<Finding> broken = stops_model(sizes, layer);
    for (const Finding& finding : broken)
        violation(finding.text());
    return !broken.empty();
}

void Unit::note_enables() {
    for (const std::size_t group : {0u, 1u}) {
        const bool enabled = regs.enabled(static_cast<int>(group));
        if (enabled && !was_enabled_[group]) enabled_[group] = machine_.time;
        was_enabled_[group] = enabled;
    }
}

void Unit::add_registers(LayerRegisters& to) const {
    const dla_regs::RegisterTable table = dla_regs::table();
    const dla_regs::UnitInfo& info = *table.unit(regs.unit());
    to.add(regs.unit());
    for (std::size_t i = info.first; i < info.first + info.count; ++i)
        to.set(table.registers[i].address, regs.value(table.registers[i].offset));
}

void Unit::write_atoms(DmaClient client, std::uint32_t ram_type,
                       const std::vector<std::uint64_t>& addrs,
                       const std::vector<std::int8_t>& data) const {
    const auto atom = static_cast<std::size_t>(sizes().atom_bytes);
    const MemoryWrite write = machine_.writer(client, ram_type);
    const auto* from = reinterpret_cast<const std::uint8_t*>(data.data());
    for (const std::uint64_t addr : addrs) {
        write(addr, from, atom);
        from += atom;
    }
}

// ---- the device

Device::Device(const Architecture& sizes, verif::Memory& primary, verif::Memory* secondary)
    : cfgrom_(sizes),
      machine_{sizes, primary, secondary, Glb({sizes.pdp, sizes.cdp, sizes.bdma, sizes.rubik(), sizes.row})},
      glb_base_(dla_regs::table(register_variant(sizes.v1_map)).unit("GLB")->base) {
    reset();
}

void Device::reset() {
    machine_.glb.reset();
    machine_.violations.clear();
    machine_.races.clear();
    machine_.warnings.clear();
    machine_.time = 0;
    machine_.units.clear();
    for (const Row& row : kUnits) {
        if (row.built(sizes())) machine_.units.push_back(row.make(machine_, row.name));
    }
    cycle_ = 0;
    still_ = false;
}

Unit* Device::unit_at(std::uint32_t base) const {
    for (const std::unique_ptr<Unit>& unit : machine_.units) {
        if (unit->regs.base() == base) return unit.get();
    }
    return nullptr;
}

void Device::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool) {
    const std::uint32_t offset = byte_addr & kPageMask, base = byte_addr - offset;
    still_ = false;
    if (base == glb_base_) machine_.glb.write(offset, data);
    ++machine_.time;
    if (Unit* const unit = unit_at(base)) {
        unit->note_enables();  // layers may have ended since
        unit->write(offset, data);
        unit->note_enables();
    }
}

std::uint32_t Device::csb_read(std::uint32_t byte_addr) {
    const std::uint32_t offset = byte_addr & kPageMask, base = byte_addr - offset;
    if (byte_addr != 0 && byte_addr == static_cast<std::uint32_t>(sizes().identity_register))
        return static_cast<std::uint32_t>(sizes().identity);
    if (base == glb_base_) return machine_.glb.read(offset);
    if (!sizes().v1_map && base == dla_regs::cfgrom::kBase) return cfgrom_.read(offset);
    Unit* const unit = unit_at(base);
    return unit == nullptr ? 0 : unit->read(offset);
}

void Device::advance(int n) {
    cycle_ += static_cast<std::uint64_t>(std::max(n, 0));
    if (still_) return;
    const std::vector<int> before = consumers();
    for (const std::unique_ptr<Unit>& unit : machine_.units) {
        if (!unit->step()) continue;
        look_for_races(before);
        return;
    }
    look_for_races(before);
    still_ = true;
}

std::vector<int> Device::consumers() const {
    std::vector<int> out;
    for (const std::unique_ptr<Unit>& unit : machine_.units)
        out.push_back(unit->regs.consumer());
    return out;
}

/// `before`: the groups that were next before the step.
void Device::look_for_races(const std::vector<int>& before) {
    if (!machine_.warnings.empty()) return machine_.races.clear();  // others may follow from it
    std::uint64_t begun = 0, oldest = ~std::uint64_t{0};
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Unit& unit = *machine_.units[i];
        if (unit.regs.consumer() != before[i]) begun = std::max(begun, unit.enabled_at(before[i]));
        oldest = std::min(oldest, unit.oldest_enable());
    }
    const std::uint64_t convolved = machine_.find<CscUnit>("CSC")->finished();
    const std::string race = machine_.races.end_step(machine_.time, begun, convolved, oldest);
    if (!race.empty()) machine_.warnings = {race};
}

}  // namespace macrame::dla::model
