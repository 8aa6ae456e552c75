#include "verif/systolic/cycles/control.hpp"

namespace macrame::systolic::cycles {

namespace {

constexpr std::uint32_t kPageBytes = 128;

// Bits of STATUS.
constexpr std::uint32_t kDone = 1u << 1;
constexpr std::uint32_t kRefused = 1u << 2;
constexpr std::uint32_t kFetchError = 1u << 3;
constexpr std::uint32_t kLoadError = 1u << 4;
constexpr std::uint32_t kStoreError = 1u << 5;
constexpr std::uint32_t kIllegal = 1u << 6;
constexpr std::uint32_t kEvents = 0x7e;

Control::Register register_at(std::uint32_t address) {
    return static_cast<Control::Register>(address % kPageBytes / kWordBytes);
}

}  // namespace

void Control::Burst::begin(std::uint32_t its_id, std::uint32_t at, std::uint32_t size,
                           std::uint32_t kind) {
    here = true;
    id = its_id;
    address = at;
    step = kind == 0 ? 0 : 1u << size & 0x1f;
}

/// No burst leaves a page of 4 KiB.
void Control::Burst::next_beat() {
    address = (address & ~0xfffu) | ((address + step) & 0xfffu);
}

Control::Control(const Architecture& architecture, std::uint32_t config_address)
    : address_mask_((std::uint64_t{1} << architecture.address_width) - 1),
      config_address_(config_address),
      enable_(kEvents) {}

bool Control::is_register(std::uint32_t address) const {
    return address / kPageBytes == config_address_ / kPageBytes;
}

Control::Outputs Control::outputs() const {
    Outputs out;
    out.awready = !aw_.here;
    out.wready = aw_.here && !bvalid_;
    out.bvalid = bvalid_;
    out.bid = aw_.id;
    out.arready = !ar_.here;
    out.rvalid = rvalid_;
    out.rlast = rlast_;
    out.rid = ar_.id;
    out.rdata = rdata_;
    out.irq = irq_;
    out.control2fetch_valid = send_;
    out.control2fetch_address = address_ & address_mask_;
    out.control2fetch_count = count_;
    return out;
}

Word Control::read(Register at) const {
    const auto four = [](const Counts& counts) {
        return Word{std::uint64_t{counts[3]} << 32 | counts[2],
                    std::uint64_t{counts[1]} << 32 | counts[0]};
    };
    switch (at) {
        case Register::program:
            return {0, std::uint64_t{count_} << 32 | address_};
        case Register::status:
            return {0, std::uint64_t{enable_} << 32 | events_ | (busy_ ? 1u : 0u)};
        case Register::cycles:
            return {0, cycles_};
        case Register::running:
            return four(running_);
        case Register::ended:
            return four(ended_);
        case Register::waiting:
            return four(waiting_);
        default:
            return {};
    }
}

void Control::clock(const Inputs& in) {
    clock_read(in);  // of the registers as they were
    clock_registers(in);
    clock_write(in);
}

void Control::clock_registers(const Inputs& in) {
    const bool asked =
        write_.here && write_.at == Register::program && (write_.strobes & 0xff) == 0xff;
    const bool starts = asked && !busy_;
    const bool done =
        busy_ && !send_ && in.fetch2control_idle && in.resolver2control_idle;

    irq_ = (events_ & enable_) != 0;
    const bool status = write_.here && write_.at == Register::status;
    if (status && (write_.strobes & 1) != 0)
        events_ &= ~static_cast<std::uint32_t>(write_.data.low);
    if (starts) events_ &= ~kDone;
    if (status && (write_.strobes >> 4 & 1) != 0)
        enable_ = static_cast<std::uint32_t>(write_.data.low >> 32) & kEvents;
    if (done) events_ |= kDone;
    if (asked && busy_) events_ |= kRefused;
    if (in.fetch2control_error) events_ |= kFetchError;
    if (in.load2control_error) events_ |= kLoadError;
    if (in.store2control_error) events_ |= kStoreError;
    if (in.resolver2control_error) events_ |= kIllegal;

    if (busy_) ++cycles_;
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        running_[m] += in.resolver2control_running[m];
        waiting_[m] += in.resolver2control_waiting[m];
        ended_[m] += in.resolver2control_ended[m];
    }

    if (send_ && in.control2fetch_ready) send_ = false;
    if (done) busy_ = false;
    if (!starts) return;
    busy_ = true;
    address_ = static_cast<std::uint32_t>(write_.data.low);
    count_ = static_cast<std::uint32_t>(write_.data.low >> 32) & 0xffff;
    send_ = count_ != 0;
    cycles_ = 0;
    running_ = ended_ = waiting_ = {};
}

void Control::clock_write(const Inputs& in) {
    const Outputs now = outputs();
    write_.here = false;
    if (in.awvalid && now.awready) aw_.begin(in.awid, in.awaddr, in.awsize, in.awburst);
    if (in.wvalid && now.wready) {
        write_ = {is_register(aw_.address), register_at(aw_.address), in.wdata,
                  in.wstrb};
        aw_.next_beat();
        if (in.wlast) bvalid_ = true;
    }
    if (now.bvalid && in.bready) aw_.here = bvalid_ = false;
}

void Control::clock_read(const Inputs& in) {
    const Outputs now = outputs();
    if (in.arvalid && now.arready) {
        ar_.begin(in.arid, in.araddr, in.arsize, in.arburst);
        ar_left_ = in.arlen;
    } else if (ar_.here && !rvalid_) {
        rvalid_ = true;
        rlast_ = ar_left_ == 0;
        rdata_ = is_register(ar_.address) ? read(register_at(ar_.address)) : Word{};
        ar_.next_beat();
        --ar_left_;
    } else if (rvalid_ && in.rready) {
        rvalid_ = false;
        ar_.here = !rlast_;
    }
}

}  // namespace macrame::systolic::cycles
