#include "tb/dla/system/rtl_device.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "Vdla_top.h"
#include "tb/common/random_state.hpp"
#include "tb/dla/system/control_port.hpp"
#include "tb/dla/system/top_pins.hpp"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace macrame::tb {

namespace {

constexpr int kResetCycles = 16;
constexpr int kAccessTimeout = 100000;

/// Ticks of half a core clock period.
constexpr std::uint64_t kHalf = 1000;

/// Where S_RESET of the system top is.
constexpr std::uint32_t kSoftReset = 0x3f014;

}  // namespace

struct RtlDevice::Control : ControlPort<Vdla_top> {
    using ControlPort::ControlPort;
};

bool RtlDevice::is_system() { return tb::is_system<Vdla_top>; }

bool RtlDevice::has_bus_clock() { return tb::has_bus_clock<Vdla_top>; }

bool RtlDevice::has_responses() { return has_m_axi_rvalid<Vdla_top>; }

RtlDevice::RtlDevice(verif::Memory& pri_mem, verif::Memory& sec_mem, const RtlOptions& options)
    : options_(options),
      context_(std::make_unique<RandomState>(options.axi.seed)),
      axi_(pri_mem, options.axi),
      sec_axi_(sec_mem, options.sec_axi),
      core_{kHalf, kHalf, true},
      bus_{static_cast<std::uint64_t>(kHalf * options.bus_clock_div), 2 * kHalf, false},
      control_(std::make_unique<Control>(options.axi.stall, options.axi.seed)) {
#if VM_TRACE
    context_->traceEverOn(true);
#endif
    top_ = std::make_unique<Vdla_top>(context_.get());
#if VM_TRACE
    if (!options.wave.empty()) {
        fst_ = std::make_unique<VerilatedFstC>();
        top_->trace(fst_.get(), 99);
        fst_->open(options.wave.c_str());
    }
#else
    if (!options.wave.empty()) throw std::runtime_error("this build has no waves");
#endif
#if !VM_COVERAGE
    if (!options.counts.empty()) throw std::runtime_error("this build counts no coverage");
#endif
    power_on();
#if VM_COVERAGE
    reset_all();
    context_->coveragep()->zero();  // registers leaving their random contents are no toggles
#endif
}

RtlDevice::~RtlDevice() {
#if VM_TRACE
    if (fst_) fst_->close();
#endif
    top_->final();
#if VM_COVERAGE
    if (!options_.counts.empty()) context_->coveragep()->write(options_.counts.c_str());
#endif
}

void RtlDevice::power_on() {
    put_core_clock(*top_, 0);
    put_bus_clock(*top_, 0);
    put_reset(*top_, 1);  // flops need an edge
    put_constants(*top_, options_.gates_off);
    control_->reset(*top_);
    drive();
    top_->eval();
}

int RtlDevice::long_cycles(int cycles) const {
    return static_cast<int>(std::ceil(cycles * std::max(1.0, options_.bus_clock_div)));
}

void RtlDevice::run(int cycles) {
    for (int i = 0; i < long_cycles(cycles); ++i)
        clock();
}

/// Before masters and memory let go of their pins: the next edge of a clock finds the reset.
void RtlDevice::begin_reset() {
    put_reset(*top_, 0);
    top_->eval();
}

void RtlDevice::reset() {
    if (is_system() && memory_runs_) {  // the pin would reset its memory ports, too
        finish_access();
        csb_write(kSoftReset, 1, false);
        return;
    }
    begin_reset();
    control_->reset(*top_);
    in_reset_ = true;
    run(kResetCycles);
    in_reset_ = false;
    put_reset(*top_, 1);
    memory_runs_ = true;
    run(kResetCycles);
}

void RtlDevice::reset_all() {
    begin_reset();
    memory_runs_ = false;
    axi_.reset();
    sec_axi_.reset();
    pins_ = {};
    sec_pins_ = {};
    drive();
    reset();
}

void RtlDevice::set_faults(const verif::AxiFaultPlan& primary,
                           const verif::AxiFaultPlan& secondary) {
    axi_.set_faults(primary);
    sec_axi_.set_faults(secondary);
}

bool RtlDevice::memory_idle() const {
    const auto idle = [](const verif::AxiMemory& axi, const verif::AxiPins& pins) {
        return axi.idle() && !pins.ar_valid && !pins.aw_valid && !pins.w_valid && !pins.r_valid &&
               !pins.b_valid;
    };
    return idle(axi_, pins_) && idle(sec_axi_, sec_pins_);
}

void RtlDevice::set_faults_off() {
    axi_.set_faults_off();
    sec_axi_.set_faults_off();
}

void RtlDevice::sample() {
    sample_memory(*top_, pins_, options_.axi.bus_bytes, sec_pins_, options_.sec_axi.bus_bytes);
}

void RtlDevice::drive() {
    drive_memory(*top_, pins_, options_.axi.bus_bytes, sec_pins_, options_.sec_axi.bus_bytes);
}

void RtlDevice::clock_memory() {
    if (!memory_runs_) return;
    axi_.clock(pins_);
    sec_axi_.clock(sec_pins_);
    drive();
}

/// The next edge of a clock, or of both if they are at the same time. Inputs that were set after
/// the last rising edge have settled with the falling one. True if the core clock rises.
bool RtlDevice::step() {
    const std::uint64_t now = std::min(core_.next, bus_.next);
    const bool core_rises = core_.edge(now) && core_.high;
    const bool bus_rises = bus_.edge(now) && bus_.high;
    const bool memory_edge = has_memory_on_bus_clock<Vdla_top> ? bus_rises : core_rises;
    if (memory_edge) sample();
    if (bus_rises && !in_reset_) control_->sample(*top_);
    put_core_clock(*top_, core_.high ? 1 : 0);
    put_bus_clock(*top_, bus_.high ? 1 : 0);
    context_->time(now);
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(now);
#endif
    if (bus_rises && !in_reset_) control_->drive(*top_);
    if (memory_edge) clock_memory();
    return core_rises;
}

void RtlDevice::clock() {
    if (cycle_ == stop_at_) throw Stopped{};
    while (!step()) {}
    const bool interrupt_now = top_->dla_intr != 0;
    if (interrupt_now && !interrupt_before_) interrupt_rise_ = cycle_ + 1;
    interrupt_before_ = interrupt_now;
    ++cycle_;
}

void RtlDevice::finish_access() {
    for (int i = 0; control_->busy(); ++i) {
        if (i == kAccessTimeout) throw std::runtime_error("register access is never answered");
        clock();
    }
}

std::uint32_t RtlDevice::access(std::uint32_t byte_addr, std::uint32_t data, bool write,
                                bool posted) {
    for (int i = 0; i < options_.csb_idle; ++i)
        clock();
    control_->start(*top_, {write, byte_addr, data}, !posted);
    finish_access();
    if (control_->answer().resp != 0) throw std::runtime_error("register access: error answer");
    return control_->answer().data;
}

void RtlDevice::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted) {
    access(byte_addr, data, true, posted);
}

std::uint32_t RtlDevice::csb_read(std::uint32_t byte_addr) {
    return access(byte_addr, 0, false, false);
}

bool RtlDevice::interrupt() { return top_->dla_intr != 0; }

void RtlDevice::advance(int n) {
    const bool before = interrupt();
    for (int i = 0; i < n && (before || !interrupt()); ++i)
        clock();
}

verif::AxiCounts RtlDevice::counts() const {
    verif::AxiCounts sum = axi_.counts();
    const verif::AxiCounts& other = sec_axi_.counts();
    sum.read_bytes += other.read_bytes;
    sum.write_bytes += other.write_bytes;
    sum.ar_stalls += other.ar_stalls;
    sum.aw_stalls += other.aw_stalls;
    sum.max_in_flight = std::max(sum.max_in_flight, other.max_in_flight);
    return sum;
}

std::vector<std::string> RtlDevice::violations() const {
    std::vector<std::string> all = control_->violations();
    for (const verif::AxiMemory* axi : {&axi_, &sec_axi_}) {
        all.insert(all.end(), axi->violations().begin(), axi->violations().end());
    }
    return all;
}

}  // namespace macrame::tb
