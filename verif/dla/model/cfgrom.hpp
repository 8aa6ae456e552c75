#pragma once
/// Golden model of CFGROM: the read-only words that say what the accelerator can do.

#include <cstddef>
#include <cstdint>

#include "dla_regs.hpp"
#include "sizes.hpp"

namespace macrame::dla::model {

class Cfgrom {
public:
    explicit Cfgrom(const DeviceSizes& sizes) : sizes_(sizes) {}

    /// Word at a byte offset of the page; 0 behind the end of the list.
    std::uint32_t read(std::uint32_t offset) const {
        const std::int64_t own = sizes_.cfgrom_derived ? derived(offset) : -1;
        if (own >= 0) return static_cast<std::uint32_t>(own);
        const dla_regs::RegisterTable table = dla_regs::table();
        const dla_regs::UnitInfo* unit = table.unit("CFGROM");
        for (std::size_t i = 0; unit != nullptr && i < unit->count; ++i) {
            const dla_regs::RegisterInfo& reg = table.registers[unit->first + i];
            if (reg.offset == offset) return reg.reset;
        }
        return 0;
    }

private:
    /// Word of this configuration; -1: it is the same in every one.
    std::int64_t derived(std::uint32_t offset) const {
        const DeviceSizes& s = sizes_;
        switch (offset) {
            case 0x014:  // memory port
                return s.bus_bytes;
            case 0x018:
                return s.memif_latency;
            case 0x01c:
                return std::int64_t{s.max_burst} << 5;
            case 0x020:
                return std::int64_t{s.addr_w} << 5;
            case 0x038:  // CDMA, CSC, CMAC_A, CMAC_B, CACC
            case 0x08c:
            case 0x0c0:
            case 0x0e0:
            case 0x100:
                return s.atomic_c;
            case 0x03c:
            case 0x090:
            case 0x0c4:
            case 0x0e4:
            case 0x104:
                return s.atomic_k;
            case 0x040:  // CDMA, CSC and the read units of SDP, PDP, CDP
            case 0x094:
            case 0x11c:
            case 0x158:
            case 0x180:
                return s.atom_bytes;
            case 0x044:  // CDMA, CBUF, CSC
            case 0x068:
            case 0x098:
                return s.cbuf_banks;
            case 0x048:
            case 0x06c:
            case 0x09c:
                return s.entry_bytes;
            case 0x04c:
            case 0x070:
            case 0x0a0:
                return s.cbuf_depth;
            case 0x12c:  // SDP
                return (s.sdp_lut ? 4 : 0) | (s.sdp_bs ? 8 : 0) | (s.sdp_bn ? 16 : 0) |
                       (s.sdp_ew ? 32 : 0);
            case 0x140:
                return s.sdp_bs ? s.sdp_bs_throughput : 0;
            case 0x144:
                return s.sdp_bn ? s.sdp_bn_throughput : 0;
            case 0x148:
                return s.sdp_ew ? s.sdp_ew_throughput : 0;
            case 0x170:
                return s.pdp ? s.pdp_throughput : 0;
            case 0x198:
                return s.cdp ? s.cdp_throughput : 0;
            case 0x02c:  // image input of CDMA and CSC
            case 0x054:
            case 0x058:
            case 0x080:
                return s.image ? -1 : 0;
            default:
                return s.secondary ? second_port(offset) : -1;
        }
    }

    /// Record of the second port, behind the last unit.
    std::int64_t second_port(std::uint32_t offset) const {
        const DeviceSizes& s = sizes_;
        switch (offset) {
            case 0x19c:
                return 0x00180002;
            case 0x1a4:  // a separate SRAM
                return 1;
            case 0x1a8:
                return s.secondary_bus_bytes;
            case 0x1ac:
                return s.secondary_latency;
            case 0x1b0:
                return std::int64_t{s.secondary_max_burst} << 5;
            case 0x1b4:
                return std::int64_t{s.addr_w} << 5;
            default:
                return -1;
        }
    }

    DeviceSizes sizes_;
};

}  // namespace macrame::dla::model
