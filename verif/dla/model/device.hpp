#pragma once
/// Golden model of the whole accelerator behind the Device interface: address map, interrupts,
/// memory ports and the units, each in its own file (unit.hpp).
///
/// It has no clock. A layer runs when all units that it needs are enabled, in advance(); each call
/// makes one step: CDMA fills the buffer as far as there is room, or a layer runs to its end
/// together with those that it feeds. Counters of cycles read 0.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cfgrom.hpp"
#include "sizes.hpp"
#include "unit.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::dla::model {

class Device : public verif::Device {
public:
    /// `secondary` may be null where the configuration has one port.
    Device(const Architecture& sizes, verif::Memory& primary, verif::Memory* secondary = nullptr);
    Device(const Device&) = delete;  // the units know their machine
    Device& operator=(const Device&) = delete;

    void reset() override;
    void csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted = true) override;
    std::uint32_t csb_read(std::uint32_t byte_addr) override;
    bool interrupt() override { return machine_.glb.interrupt(); }
    void advance(int n) override;
    bool still() const override { return still_; }
    std::uint64_t cycle() override { return cycle_; }

    /// Things that a correct program never makes: sides that disagree, waits without end.
    std::vector<std::string> violations() const override { return machine_.violations; }
    /// Races: what may have another result with other timing.
    const std::vector<std::string>& warnings() const { return machine_.warnings; }

    /// `watch` is told of every access to memory from now on.
    void watch_memory(MemoryWatch watch) { machine_.watch = std::move(watch); }
    /// `watch` is told of negative ties in results of CACC from now on; takes time.
    void watch_ties(TieWatch watch) { machine_.ties = std::move(watch); }

    const Architecture& sizes() const { return machine_.sizes; }
    /// A unit; null if it is not built.
    template <class U>
    const U* find(std::string_view name) const {
        return machine_.find<U>(name);
    }

private:
    Unit* unit_at(std::uint32_t base) const;
    std::vector<int> consumers() const;
    void look_for_races(const std::vector<int>& before);

    Cfgrom cfgrom_;
    DeviceState machine_;
    std::uint32_t glb_base_;  ///< byte address of its page
    std::uint64_t cycle_ = 0;
    bool still_ = false;  ///< no unit had anything to do, and no register was written since
};

}  // namespace macrame::dla::model
