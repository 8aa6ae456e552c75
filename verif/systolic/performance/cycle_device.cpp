#include "verif/systolic/performance/cycle_device.hpp"

#include <algorithm>

namespace macrame::systolic::performance {

namespace {

constexpr std::uint32_t kConfigAddress = 0;

/// Of all requests, as the design has them.
verif::AxiAttributes attributes(const Architecture& architecture, std::uint32_t cache) {
    verif::AxiAttributes out;
    out.size = static_cast<std::uint32_t>(clog2(architecture.bus_bytes));
    out.burst = 1;
    out.cache = cache;
    return out;
}

cycles::ReadAnswer answer_of(const verif::AxiPins& pins) {
    return {pins.ar_ready, pins.r_valid, pins.r_last, pins.r_resp, pins.r_data};
}

/// fetch and load.
template <typename Outputs>
void ask(verif::AxiPins& pins, const Outputs& out) {
    pins.ar_valid = out.arvalid;
    pins.ar_addr = out.araddr;
    pins.ar_len = out.arlen;
    pins.r_ready = out.rready;
}

}  // namespace

CycleDevice::CycleDevice(verif::Memory& program, verif::Memory& data,
                         const verif::AxiMemoryOptions& axi, const Architecture& architecture,
                         Observer* observer)
    : Device(program, data, axi, kConfigAddress),
      machine_(architecture, kConfigAddress),
      observer_(observer) {
    constexpr std::uint32_t kReadCache = 3, kWriteCache = 2;
    fetch_pins_.full = load_pins_.full = store_pins_.full = true;
    load_pins_.timing_only = true;
    fetch_pins_.ar = load_pins_.ar = attributes(architecture, kReadCache);
    store_pins_.aw = attributes(architecture, kWriteCache);
    settle();
}

void CycleDevice::clock() {
    const cycles::ReadAnswer fetch = answer_of(fetch_pins_), load = answer_of(load_pins_);
    const cycles::WriteAnswer writes{store_pins_.aw_ready, store_pins_.w_ready, store_pins_.b_valid,
                                     store_pins_.b_resp};
    const cycles::Store::Outputs store = machine_.store();
    ask(fetch_pins_, machine_.fetch());
    ask(load_pins_, machine_.load());
    store_pins_.aw_valid = store.awvalid;
    store_pins_.aw_addr = store.awaddr;
    store_pins_.aw_len = store.awlen;
    store_pins_.w_valid = store.wvalid;
    store_pins_.w_last = store.wlast;
    store_pins_.b_ready = store.bready;
    if (observer_ != nullptr) observer_->before(machine_, writes);
    machine_.clock(software_, fetch, load, writes);
    if (observer_ != nullptr) observer_->after(machine_);
    clock_memory();
}

std::uint64_t CycleDevice::pass_quiet(std::uint64_t most) {
    if (observer_ != nullptr) return 0;
    constexpr std::uint64_t kMost = 1u << 30;
    most = std::min({most, quiet_memory(), kMost});
    if (most == 0) return 0;
    const std::uint64_t cycles = machine_.clock_gemm(software_, static_cast<std::uint32_t>(most));
    pass_memory(cycles);
    return cycles;
}

}  // namespace macrame::systolic::performance
