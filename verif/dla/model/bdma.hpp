#pragma once
/// Golden model of BDMA: copies lines of 32 byte units inside and between the memory ports.
///
/// Software describes a copy in the CFG_ registers, pushes it into a queue of 20 (CFG_OP) and
/// launches all it has pushed as group 0 or 1 (CFG_LAUNCHx). Groups run in the order of their
/// launches, copies in the order of their pushes; the interrupt of a group says that all is
/// written. Pushing into a full queue and launching a group that is busy or has no copies do
/// nothing.

#include <array>
#include <cstdint>
#include <deque>

#include "memory_access.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// Copies that wait for their group or for their turn.
inline constexpr std::size_t kBdmaSlots = 20;

/// Bytes of a unit of addresses, strides and sizes, whatever the memory atom.
inline constexpr int kBdmaUnit = 32;

/// Bits of the repeats that count.
inline constexpr std::uint32_t kBdmaRepeats = 0x1FFF;

/// A copy, with real numbers (not minus one).
struct BdmaCopy {
    std::uint64_t src_addr = 0, dst_addr = 0;
    std::uint32_t src_ram_type = 1, dst_ram_type = 1;  ///< memory ports
    int units = 1, lines = 1, surfaces = 1;            ///< a line has `units` of 32 bytes
    std::uint32_t src_line = 0, src_surf = 0;          ///< bytes
    std::uint32_t dst_line = 0, dst_surf = 0;
};

/// Calls visit(source address, destination address) for all lines in order.
template <typename Visit>
void for_each_line(const BdmaCopy& copy, Visit visit) {
    for (int s = 0; s < copy.surfaces; ++s) {
        for (int l = 0; l < copy.lines; ++l) {
            const auto surface = static_cast<std::uint64_t>(s),
                       line = static_cast<std::uint64_t>(l);
            visit(copy.src_addr + surface * copy.src_surf + line * copy.src_line,
                  copy.dst_addr + surface * copy.dst_surf + line * copy.dst_line);
        }
    }
}

void bdma_copy(const BdmaCopy& copy, const MemoryRead& read, const MemoryWrite& write);

/// BDMA in the device. A step is a copy.
class BdmaUnit : public Unit {
public:
    BdmaUnit(DeviceState& machine, std::string_view name) : Unit(machine, name) { show_status(); }

    void write(std::uint32_t offset, std::uint32_t data) override;
    bool step() override;

    std::uint64_t enabled_at() const override {
        return groups_.empty() ? machine_.time : groups_.front().launched;
    }
    std::uint64_t oldest_enable() const override {
        return groups_.empty() ? ~std::uint64_t{0} : groups_.front().launched;
    }

    /// The copy in the registers.
    BdmaCopy described() const;

private:
    struct Group {
        unsigned number = 0;
        std::size_t copies = 0;      ///< still to be made
        std::uint64_t launched = 0;  ///< in register writes
    };

    void push();
    void launch(unsigned group);
    void show_status();

    std::deque<BdmaCopy> queue_;
    std::deque<Group> groups_;  ///< launched
    std::array<bool, 2> busy_{};
    bool stopped_ = false;  ///< by a copy that the model does not make
};

}  // namespace macrame::dla::model
