#pragma once
/// A unit of the device model, and what the units share.
///
/// A unit is a page of registers and the layers that it runs. <unit>.hpp holds its arithmetic,
/// <unit>.cpp what makes a unit of it, the same for all of them:
///
///     layer()          registers -> layer parameters: the D_ registers of the CONSUMER group
///     step()           runs the next layer on memory if everything that it needs is enabled
///     takes(), run()   where another unit brings the input: may a layer begin, and run it
///     done()           counters were set; interrupt, next register group
///
/// A new unit is such a pair of files and a row of the table in device.cpp. Which units have an
/// interrupt is in glb.hpp.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "arithmetic.hpp"
#include "glb.hpp"
#include "memory_access.hpp"
#include "races.hpp"
#include "register_file.hpp"
#include "register_pages.hpp"
#include "sizes.hpp"
#include "verif/common/memory.hpp"

namespace macrame::dla::model {

class LayerRegisters;
class Unit;

/// Told of each layer in which results of CACC were negative ties, -n - 1/2 behind `truncate`:
/// `seen` says whether memory would be another had they been rounded up.
using TieWatch = std::function<void(int truncate, bool seen)>;

/// The units of a device and what they share: sizes, memory ports, interrupts.
struct DeviceState {
    Architecture sizes;
    verif::Memory& primary;
    verif::Memory* secondary = nullptr;  ///< null where the configuration has one port
    Glb glb{};
    std::vector<std::string> violations{};
    std::vector<std::unique_ptr<Unit>> units{};  ///< in the order in which they get their turn
    MemoryWatch watch{};                         ///< may be empty
    TieWatch ties{};                             ///< may be empty
    Races races{};
    std::uint64_t time = 0;               ///< register writes so far
    std::vector<std::string> warnings{};  ///< the first race

    /// Access to the memory port that a field RAM_TYPE names; addresses wrap at addr_w bits.
    MemoryRead reader(DmaClient client, std::uint32_t ram_type);
    MemoryWrite writer(DmaClient client, std::uint32_t ram_type);

    /// Two address registers as a number of addr_w bits.
    std::uint64_t address(std::uint32_t high, std::uint32_t low) const;

    /// Notes something that a correct program never makes; each text once.
    void violation(const std::string& what);

    /// Does the layer that these units have next break rules of the layer checker on which the
    /// models rely? Notes which; it must not run then.
    bool refuses(const std::vector<std::string_view>& names);

    /// The unit of that name ("SDP_RDMA"); null if it is not built.
    template <class U>
    U* find(std::string_view name) const;

private:
    bool is_secondary(std::uint32_t ram_type) const;
    verif::Memory& port(std::uint32_t ram_type) const;
    std::size_t open_stream(DmaClient client, bool write, std::uint32_t ram_type);
    /// Tells of an access.
    void tell(std::size_t stream, const MemoryAccess& access) {
        races.add(stream, access.addr, access.count);
        if (watch) watch(access);
    }
};

/// A page of registers; by itself it does nothing with them.
class Unit {
public:
    Unit(DeviceState& machine, std::string_view name)
        : regs(name, register_variant(machine.sizes.v1_map)), machine_(machine) {}
    virtual ~Unit() = default;

    /// CSB accesses at a byte offset of the page.
    virtual void write(std::uint32_t offset, std::uint32_t data) { regs.write(offset, data); }
    virtual std::uint32_t read(std::uint32_t offset) { return regs.read(offset); }

    /// Does the next piece of work, most often a whole layer. False: nothing can be done now.
    virtual bool step() { return false; }

    /// When the layer that it works on was enabled, in register writes.
    virtual std::uint64_t enabled_at() const { return enabled_at(regs.consumer()); }
    std::uint64_t enabled_at(int group) const { return enabled_[static_cast<std::size_t>(group)]; }
    /// The first enable of those that wait or run; the last time there is if there is none.
    virtual std::uint64_t oldest_enable() const {
        std::uint64_t out = ~std::uint64_t{0};
        for (const int group : {0, 1})
            if (regs.enabled(group)) out = std::min(out, enabled_[static_cast<std::size_t>(group)]);
        return out;
    }
    /// A register write: some group may be enabled now.
    void note_enables();

    /// Adds the registers of the layer that it works on for others, or has next.
    virtual void add_registers(LayerRegisters& to) const;

    RegisterFile regs;

protected:
    const Architecture& sizes() const { return machine_.sizes; }

    /// The hardware counts addresses and strides in memory atoms: bits inside of one are ignored.
    template <class Bytes>
    Bytes whole_atoms(Bytes bytes) const {
        return bytes - bytes % static_cast<Bytes>(sizes().atom_bytes);
    }

    /// Number in two address registers; `distance` as in RegisterFile::get().
    template <class High, class Low>
    std::uint64_t address(std::uint32_t distance = 0) const {
        return whole_atoms(
            machine_.address(regs.get<High>(distance).raw, regs.get<Low>(distance).raw));
    }

    /// Writes `data` to an atom at each of `addrs`.
    void write_atoms(DmaClient client, std::uint32_t ram_type,
                     const std::vector<std::uint64_t>& addrs,
                     const std::vector<std::int8_t>& data) const;

    /// Another unit that every configuration with this one has.
    template <class U = Unit>
    U& unit(std::string_view name) const {
        U* const found = machine_.find<U>(name);
        assert(found != nullptr);
        return *found;
    }

    /// Raises an interrupt of the layer's group; `bit` is that of group 0.
    void raise(int bit) { machine_.glb.raise(1u << (bit + regs.consumer())); }

    /// Ends the layer.
    void done(int interrupt_bit) {
        raise(interrupt_bit);
        regs.op_done();
    }

    DeviceState& machine_;

private:
    std::array<std::uint64_t, 2> enabled_{};
    std::array<bool, 2> was_enabled_{};
};

template <class U>
U* DeviceState::find(std::string_view name) const {
    for (const std::unique_ptr<Unit>& unit : units) {
        if (unit->regs.unit() == name) return dynamic_cast<U*>(unit.get());
    }
    return nullptr;
}

// ---- for layer()

/// A size whose register holds it minus one.
inline int plus1(std::uint32_t field) { return static_cast<int>(field) + 1; }

/// Do both layers have the same cube?
template <class A, class B>
bool same_cube(const A& a, const B& b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels;
}

}  // namespace macrame::dla::model
