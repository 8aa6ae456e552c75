#include "verif/systolic/cycles/control.hpp"

namespace macrame::systolic::cycles {

namespace {

constexpr std::uint32_t kPageBytes = 128;

constexpr std::uint32_t kBusErrors =
    Control::kFetchError | Control::kLoadError | Control::kStoreError;

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
void Control::Burst::next_beat() { address = (address & ~0xfffu) | ((address + step) & 0xfffu); }

Control::Control(const Architecture& architecture, std::uint32_t config_address,
                 std::uint32_t identity)
    : address_mask_((std::uint64_t{1} << architecture.address_width) - 1),
      config_address_(config_address),
      identity_(identity),
      enable_(kEvents) {}

bool Control::is_register(std::uint32_t address) const {
    return address / kPageBytes == config_address_ / kPageBytes;
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
        case Register::command:
            return {error_address_ << 32 | static_cast<std::uint32_t>(error_source_),
                    std::uint64_t{busy_ && !run_} << 32};
        case Register::identity:
            return {0, identity_};
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
    const bool program = write_.here && write_.at == Register::program;
    const bool changes = program && (write_.strobes & 0xff) != 0;
    const bool command = write_.here && write_.at == Register::command;
    const bool go = command && (write_.strobes & 1) != 0 && (write_.data.low & 1) != 0;
    const bool resets =
        command && (write_.strobes >> 4 & 1) != 0 && (write_.data.low >> 32 & 1) != 0;
    const bool asked = (program && (write_.strobes & 0xff) == 0xff) || go;
    const bool starts = asked && !busy_ && !resets;
    const bool fails = in.fetch2control_error || in.load2control_error || in.store2control_error ||
                       in.resolver2control_error;
    const bool ends = busy_ && !send_ && in.fetch2control_idle && in.resolver2control_idle;

    std::uint32_t happens = 0;
    if (ends) happens |= run_ ? kDone : kStopped;
    if ((asked && !starts) || (changes && busy_)) happens |= kRefused;
    clock_error(in);
    clock_events(in, happens, starts);
    clock_counters(in.resolver2control_running, in.resolver2control_waiting,
                   in.resolver2control_ended, 1);
    if (changes && !busy_) write_program();
    if (send_ && in.control2fetch_ready) send_ = false;
    if (ends) busy_ = run_ = false;
    if (fails) run_ = false;
    if (resets) {
        busy_ = true;
        run_ = false;
    }
    if (!starts) return;
    busy_ = run_ = true;
    send_ = count_ != 0;
    cycles_ = 0;
    running_ = ended_ = waiting_ = {};
}

/// Bytes of the address and of the count.
void Control::write_program() {
    std::uint64_t mask = 0;
    for (int i = 0; i < 8; ++i)
        if ((write_.strobes >> i & 1) != 0) mask |= std::uint64_t{0xff} << (8 * i);
    const std::uint64_t before = std::uint64_t{count_} << 32 | address_;
    const std::uint64_t now = (before & ~mask) | (write_.data.low & mask);
    address_ = static_cast<std::uint32_t>(now);
    count_ = static_cast<std::uint32_t>(now >> 32) & 0xffff;
}

/// The first error since software has cleared those before.
void Control::clock_error(const Inputs& in) {
    if ((events_ & kBusErrors) != 0) return;
    const auto take = [&](bool error, Source source, std::uint64_t address) {
        if (!error) return;
        error_source_ = source;
        error_address_ = address & address_mask_;
    };
    take(in.store2control_error, Source::store, in.store2control_address);
    take(in.load2control_error, Source::load, in.load2control_address);
    take(in.fetch2control_error, Source::fetch, in.fetch2control_address);
}

void Control::clock_events(const Inputs& in, std::uint32_t happens, bool starts) {
    irq_ = (events_ & enable_) != 0;
    const bool status = write_.here && write_.at == Register::status;
    if (status && (write_.strobes & 1) != 0)
        events_ &= ~static_cast<std::uint32_t>(write_.data.low);
    if (starts) events_ &= ~(kDone | kStopped);
    if (status && (write_.strobes >> 4 & 1) != 0)
        enable_ = static_cast<std::uint32_t>(write_.data.low >> 32) & kEvents;
    events_ |= happens;
    if (in.fetch2control_error) events_ |= kFetchError;
    if (in.load2control_error) events_ |= kLoadError;
    if (in.store2control_error) events_ |= kStoreError;
    if (in.resolver2control_error) events_ |= kIllegal;
}

void Control::clock_write(const Inputs& in) {
    const Outputs now = outputs();
    write_.here = false;
    if (in.awvalid && now.awready) aw_.begin(in.awid, in.awaddr, in.awsize, in.awburst);
    if (in.wvalid && now.wready) {
        write_ = {is_register(aw_.address), register_at(aw_.address), in.wdata, in.wstrb};
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
