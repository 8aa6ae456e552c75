#include "tb/common/register_bus.hpp"

namespace macrame::tb {

// ---------------------------------------------------------------------------------- AXI4-Lite

void AxiLiteMaster::check(Held& held, const char* channel, bool valid, bool ready,
                          const BusAnswer& answer, bool asked) {
    const auto violation = [&](const char* what) {
        violations_.push_back(std::string(channel) + what);
    };
    if (valid && !asked) violation("valid without a request");
    if (held.stalled && !valid) violation("valid fell before ready");
    if (held.stalled && valid &&
        (answer.data != held.answer.data || answer.resp != held.answer.resp)) {
        violation(" payload changed while stalled");
    }
    held = {valid && !ready, answer};
}

void AxiLiteMaster::clock_writes(AxiLitePins& pins) {
    check(b_held_, "b", pins.b_valid, pins.b_ready, {0, pins.b_resp}, aw_sent_ && w_sent_);
    if (pins.b_valid && pins.b_ready && !writes_.empty()) {
        write_answers_.push_back({0, pins.b_resp});
        writes_.pop_front();
        aw_sent_ = w_sent_ = false;
    }
    if (pins.aw_valid && pins.aw_ready) aw_sent_ = true;
    if (pins.w_valid && pins.w_ready) w_sent_ = true;
    pins.b_ready = !gap();
    const bool waits = !writes_.empty() && writes_.front().idle == 0;
    if (!writes_.empty() && writes_.front().idle > 0) --writes_.front().idle;
    // A valid stays until it is taken; which of the two comes first is chance.
    const bool aw = waits && !aw_sent_ && ((pins.aw_valid && !pins.aw_ready) || !gap());
    const bool w = waits && !w_sent_ && ((pins.w_valid && !pins.w_ready) || !gap());
    pins.aw_valid = aw;
    pins.w_valid = w;
    if (aw) pins.aw_addr = writes_.front().addr;
    if (w) {
        pins.w_data = writes_.front().data;
        pins.w_strb = writes_.front().strobes;
    }
}

void AxiLiteMaster::clock_reads(AxiLitePins& pins) {
    check(r_held_, "r", pins.r_valid, pins.r_ready, {pins.r_data, pins.r_resp}, ar_sent_);
    if (pins.r_valid && pins.r_ready && !reads_.empty()) {
        read_answers_.push_back({pins.r_data, pins.r_resp});
        reads_.pop_front();
        ar_sent_ = false;
    }
    if (pins.ar_valid && pins.ar_ready) ar_sent_ = true;
    pins.r_ready = !gap();
    const bool waits = !reads_.empty() && reads_.front().idle == 0;
    if (!reads_.empty() && reads_.front().idle > 0) --reads_.front().idle;
    pins.ar_valid = waits && !ar_sent_ && ((pins.ar_valid && !pins.ar_ready) || !gap());
    if (pins.ar_valid) pins.ar_addr = reads_.front().addr;
}

void AxiLiteMaster::clock(AxiLitePins& pins) {
    clock_writes(pins);
    clock_reads(pins);
}

void AxiLiteMaster::reset(AxiLitePins& pins) {
    writes_.clear();
    reads_.clear();
    write_answers_.clear();
    read_answers_.clear();
    aw_sent_ = w_sent_ = ar_sent_ = false;
    b_held_ = r_held_ = {};
    pins = {};
}

// --------------------------------------------------------------------------------------- APB4

std::optional<BusAnswer> ApbMaster::take() {
    if (answers_.empty()) return std::nullopt;
    const BusAnswer front = answers_.front();
    answers_.pop_front();
    return front;
}

void ApbMaster::clock(ApbPins& pins) {
    if (pins.sel && !pins.enable) {  // setup, now access
        pins.enable = true;
        return;
    }
    if (pins.sel && !pins.ready) return;
    if (pins.sel) {
        answers_.push_back({pins.write ? 0 : pins.rdata, pins.slverr ? 2u : 0u});
        accesses_.pop_front();
    }
    pins.sel = pins.enable = false;
    if (accesses_.empty()) return;
    BusAccess& next = accesses_.front();
    if (next.idle > 0) {
        --next.idle;
        return;
    }
    if (stall_ > 0.0 && random_.chance(static_cast<int>(100.0 * stall_))) return;
    pins.sel = true;
    pins.write = next.write;
    pins.addr = next.addr;
    pins.wdata = next.data;
    pins.strb = next.write ? next.strobes : 0;
}

void ApbMaster::reset(ApbPins& pins) {
    accesses_.clear();
    answers_.clear();
    pins = {};
}

}  // namespace macrame::tb
