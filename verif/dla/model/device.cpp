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
#include "pdp.hpp"
#include "pdp_rdma.hpp"
#include "rubik.hpp"
#include "sdp.hpp"
#include "sdp_rdma.hpp"

namespace macrame::dla::model {

namespace {

using S = const DeviceSizes&;
using Make = std::unique_ptr<Unit> (*)(Machine&, std::string_view name);

template <class U>
std::unique_ptr<Unit> make(Machine& machine, std::string_view name) {
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
};

}  // namespace

// ---- what the units share

bool Machine::is_secondary(std::uint32_t ram_type) const {
    return ram_type == 0 && sizes.secondary && secondary != nullptr;
}

verif::Memory& Machine::port(std::uint32_t ram_type) const {
    return is_secondary(ram_type) ? *secondary : primary;
}

MemoryRead Machine::reader(DmaClient client, std::uint32_t ram_type) const {
    return [this, client, second = is_secondary(ram_type), &from = port(ram_type),
            mask = address(~0u, ~0u)](std::uint64_t addr, std::uint8_t* to, std::size_t count) {
        tell({client, false, second, addr & mask, count});
        from.read(addr & mask, to, count);
    };
}

MemoryWrite Machine::writer(DmaClient client, std::uint32_t ram_type) const {
    return [this, client, second = is_secondary(ram_type), &to = port(ram_type),
            mask = address(~0u, ~0u)](std::uint64_t addr, const std::uint8_t* from,
                                      std::size_t count) {
        tell({client, true, second, addr & mask, count});
        to.write(addr & mask, from, count);
    };
}

std::uint64_t Machine::address(std::uint32_t high, std::uint32_t low) const {
    const std::uint64_t full = std::uint64_t{high} << 32 | low;
    return sizes.addr_w >= 64 ? full : full & ((std::uint64_t{1} << sizes.addr_w) - 1);
}

void Machine::violation(const std::string& what) {
    if (std::find(violations.begin(), violations.end(), what) == violations.end()) {
        violations.push_back(what);
    }
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

Device::Device(const DeviceSizes& sizes, verif::Memory& primary, verif::Memory* secondary)
    : cfgrom_(sizes),
      machine_{sizes, primary, secondary, Glb({sizes.pdp, sizes.cdp, sizes.bdma, sizes.rubik()})},
      glb_base_(dla_regs::table(register_variant(sizes.v1_map)).unit("GLB")->base) {
    reset();
}

void Device::reset() {
    machine_.glb.reset();
    machine_.violations.clear();
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
    if (Unit* const unit = unit_at(base)) unit->write(offset, data);
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
    for (const std::unique_ptr<Unit>& unit : machine_.units) {
        if (unit->step()) return;
    }
    still_ = true;
}

}  // namespace macrame::dla::model
