#pragma once
/// Golden model of CFGROM: the read-only words that say what the accelerator can do.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dla_regs.hpp"
#include "sizes.hpp"

namespace macrame::dla::model {

class Cfgrom {
public:
    explicit Cfgrom(const Architecture& sizes) : sizes_(sizes) {}

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

    /// Where derived words of any configuration have the identity of programs. The reference ROM
    /// reads 0 there.
    static std::vector<std::uint32_t> identity_offsets() {
        std::vector<std::uint32_t> out;
        Architecture sizes;
        for (const int bits : {0, 1, 2, 3, 4, 5, 6, 7}) {
            sizes.secondary = (bits & 1) != 0;
            sizes.bdma = (bits & 2) != 0;
            sizes.rubik_contract = (bits & 4) != 0;
            const std::size_t words = Cfgrom(sizes).records().size();
            out.push_back(kEnd + 4 * static_cast<std::uint32_t>(words - 1));
        }
        return out;
    }

private:
    static constexpr std::uint32_t kEnd = 0x19c;  // of the reference ROM

    /// Word of this configuration; -1: it is the same in every one.
    std::int64_t derived(std::uint32_t offset) const {
        const Architecture& s = sizes_;
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
            default:
                return mode(offset);
        }
    }

    /// Element types and modes of a layer.
    std::int64_t mode(std::uint32_t offset) const {
        const Architecture& s = sizes_;
        const int modes = (s.winograd ? 1 : 0) | (s.batch ? 2 : 0);
        switch (offset) {
            case 0x02c:  // CDMA, CSC
            case 0x080:
                return modes | (s.compression ? 8 : 0) | (s.image ? 16 : 0);
            case 0x0b4:  // CMAC_A, CMAC_B
            case 0x0d4:
                return 16 | (s.winograd ? 1 : 0);
            case 0x0f4:  // CACC
                return modes;
            case 0x12c:  // SDP
                return modes | (s.sdp_lut ? 4 : 0) | (s.sdp_bs ? 8 : 0) | (s.sdp_bn ? 16 : 0) |
                       (s.sdp_ew ? 32 : 0);
            case 0x050:  // CDMA, CSC, CACC, SDP
            case 0x0a8:
            case 0x10c:
            case 0x13c:
                return s.batch ? s.max_batch : 0;
            case 0x030:  // types of features and of weights: CDMA, CSC, CMAC_A, CMAC_B, CACC, SDP
            case 0x034:
            case 0x084:
            case 0x088:
            case 0x0b8:
            case 0x0bc:
            case 0x0d8:
            case 0x0dc:
            case 0x0f8:
            case 0x0fc:
            case 0x130:
            case 0x134:
            case 0x16c:  // PDP, CDP
            case 0x194:
                return (s.int8 ? 0x10 : 0) | (s.int16 ? 0x40 : 0) | (s.fp16 ? 0x200 : 0);
            case 0x054:  // images
                return !s.image ? 0 : !s.types16() ? -1 : s.fp16 ? 0xfffffff : 0xffff6df;
            case 0x058:
                return !s.image ? 0 : s.types16() ? 0xff : -1;
            default:
                return more(offset);
        }
    }

    std::int64_t more(std::uint32_t offset) const {
        const std::vector<std::int64_t> words = records();
        return offset < kEnd || (offset - kEnd) / 4 >= words.size() ? -1
                                                                    : words[(offset - kEnd) / 4];
    }

    /// Records behind the last unit of the reference ROM.
    std::vector<std::int64_t> records() const {
        const Architecture& s = sizes_;
        std::vector<std::int64_t> words;
        if (s.secondary) {
            words = {0x00180002, 0, 1, s.secondary_bus_bytes, s.secondary_latency};
            words.push_back(std::int64_t{s.secondary_max_burst} << 5);
            words.push_back(std::int64_t{s.addr_w} << 5);
        }
        if (s.bdma) words.insert(words.end(), {0x0004000e, 0});
        if (s.rubik()) words.insert(words.end(), {0x0004000f, 0});
        words.insert(words.end(), {0x000cff00, 0, 0, static_cast<std::uint32_t>(s.identity)});
        return words;
    }

    Architecture sizes_;
};

}  // namespace macrame::dla::model
