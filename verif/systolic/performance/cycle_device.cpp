#include "verif/systolic/performance/cycle_device.hpp"

namespace macrame::systolic::performance {

namespace {

constexpr std::uint32_t kConfigAddress = 0;

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
                         const verif::AxiMemoryOptions& axi, const Architecture& architecture)
    : Device(program, data, axi, kConfigAddress), machine_(architecture, kConfigAddress) {
    settle();
}

void CycleDevice::clock() {
    const cycles::Store::Outputs store = machine_.store();
    verif::AxiPins fetch = fetch_pins_, load = load_pins_, writes = store_pins_;
    ask(fetch_pins_, machine_.fetch());
    ask(load_pins_, machine_.load());
    store_pins_.aw_valid = store.awvalid;
    store_pins_.aw_addr = store.awaddr;
    store_pins_.aw_len = store.awlen;
    store_pins_.w_valid = store.wvalid;
    store_pins_.w_last = store.wlast;
    store_pins_.b_ready = store.bready;
    machine_.clock(software_, answer_of(fetch), answer_of(load),
                   {writes.aw_ready, writes.w_ready, writes.b_valid, writes.b_resp});
    fetch_.clock(fetch_pins_);
    load_.clock(load_pins_);
    store_.clock(store_pins_);
}

}  // namespace macrame::systolic::performance
