#pragma once
/// The register bus of the Verilated top, whichever it is: CSB, AXI4-Lite or APB4. One access at a
/// time.

#include <cstdint>
#include <string>
#include <vector>

#include "tb/common/register_bus.hpp"
#include "tb/dla/system/top_pins.hpp"

namespace macrame::tb {

template <typename Top>
class ControlPort {
public:
    /// `stall`: probability of gaps between the signals of an access; not for CSB.
    ControlPort(double stall, std::uint64_t seed) : axi_lite_(stall, seed), apb_(stall, seed) {}

    /// An access; on CSB `nposted` asks for an answer to a write, elsewhere all have one.
    void start(Top& top, const BusAccess& access, bool nposted) {
        busy_ = true;
        if constexpr (has_csb2nvdla_valid<Top>) {
            top.csb2nvdla_valid = 1;
            put_number(top.csb2nvdla_addr, access.addr >> 2);
            put_number(top.csb2nvdla_wdat, access.data);
            top.csb2nvdla_write = access.write;
            top.csb2nvdla_nposted = nposted;
            answers_ = nposted || !access.write;
        }
        if constexpr (has_s_axi_awvalid<Top>) axi_lite_.start(access);
        if constexpr (has_s_apb_psel<Top>) apb_.start(access);
        write_ = access.write;
        answer_ = {};
    }

    /// The access is under way: an answer, or that the request is taken, is still to come.
    bool busy() const { return busy_; }
    /// To the last access.
    const BusAnswer& answer() const { return answer_; }

    /// Before a rising edge of the bus clock: looks at the pins.
    void sample(Top& top) {
        if constexpr (has_csb2nvdla_valid<Top>) sample_csb(top);
        if constexpr (has_s_axi_awvalid<Top>) sample_axi_lite(top, lite_pins_);
        if constexpr (has_s_apb_psel<Top>) sample_apb(top, apb_pins_);
    }

    /// Behind it: sets the pins for the next cycle.
    void drive(Top& top) {
        if constexpr (has_csb2nvdla_valid<Top>) {
            if (accepted_) top.csb2nvdla_valid = 0;
            accepted_ = false;
        }
        if constexpr (has_s_axi_awvalid<Top>) {
            axi_lite_.clock(lite_pins_);
            finish(write_ ? axi_lite_.take_write() : axi_lite_.take_read());
            drive_axi_lite(top, lite_pins_);
        }
        if constexpr (has_s_apb_psel<Top>) {
            apb_.clock(apb_pins_);
            finish(apb_.take());
            drive_apb(top, apb_pins_);
        }
    }

    /// The slave is in reset.
    void reset(Top& top) {
        busy_ = accepted_ = false;
        if constexpr (has_csb2nvdla_valid<Top>) {
            top.csb2nvdla_valid = 0;
            top.csb2nvdla_addr = 0;
            top.csb2nvdla_wdat = 0;
            top.csb2nvdla_write = 0;
            top.csb2nvdla_nposted = 0;
        }
        if constexpr (has_s_axi_awvalid<Top>) {
            axi_lite_.reset(lite_pins_);
            drive_axi_lite(top, lite_pins_);
        }
        if constexpr (has_s_apb_psel<Top>) {
            apb_.reset(apb_pins_);
            drive_apb(top, apb_pins_);
        }
    }

    std::vector<std::string> violations() const {
        std::vector<std::string> all = violations_;
        const auto& more = axi_lite_.violations();
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

private:
    void finish(const std::optional<BusAnswer>& answer) {
        if (!answer) return;
        answer_ = *answer;
        busy_ = false;
    }

    void sample_csb(Top& top) {
        if (top.csb2nvdla_valid && top.csb2nvdla_ready) {
            accepted_ = true;
            if (!answers_) busy_ = false;
        }
        if (top.nvdla2csb_valid) {
            if (!busy_ || write_) violations_.emplace_back("CSB read answer without a request");
            finish(BusAnswer{top.nvdla2csb_data, 0});
        }
        if (top.nvdla2csb_wr_complete) busy_ = false;
    }

    AxiLiteMaster axi_lite_;
    ApbMaster apb_;
    AxiLitePins lite_pins_;
    ApbPins apb_pins_;
    bool busy_ = false, write_ = false;
    bool accepted_ = false;  ///< CSB: the request is taken at this edge
    bool answers_ = false;   ///< CSB: the access has an answer
    BusAnswer answer_;
    std::vector<std::string> violations_;
};

}  // namespace macrame::tb
