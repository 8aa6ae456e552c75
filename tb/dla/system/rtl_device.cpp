#include "tb/dla/system/rtl_device.hpp"

#include <algorithm>
#include <stdexcept>

#include "Vdla_top.h"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
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
constexpr int kCsbTimeout = 100000;

/// Defines sample_PORT() and drive_PORT(), which move the pins of a data port of the design. They
/// do nothing and return false if the design has no such port.
#define DLA_DATA_PORT(PORT)                                                       \
    template <typename Top>                                                       \
    auto sample_##PORT(Top* top_ptr, AxiPins& pins, int bus_bytes)                \
        ->decltype(top_ptr->nvdla_core2##PORT##_r_rvalid, true) {                 \
        Top& top = *top_ptr;                                                      \
        pins.aw_valid = top.nvdla_core2##PORT##_aw_awvalid != 0;                  \
        pins.ar_valid = top.nvdla_core2##PORT##_ar_arvalid != 0;                  \
        pins.w_valid = top.nvdla_core2##PORT##_w_wvalid != 0;                     \
        pins.b_ready = top.nvdla_core2##PORT##_b_bready != 0;                     \
        pins.r_ready = top.nvdla_core2##PORT##_r_rready != 0;                     \
        if (pins.aw_valid) {                                                      \
            pins.aw_id = top.nvdla_core2##PORT##_aw_awid;                         \
            pins.aw_len = top.nvdla_core2##PORT##_aw_awlen;                       \
            pins.aw_addr = top.nvdla_core2##PORT##_aw_awaddr;                     \
        }                                                                         \
        if (pins.ar_valid) {                                                      \
            pins.ar_id = top.nvdla_core2##PORT##_ar_arid;                         \
            pins.ar_len = top.nvdla_core2##PORT##_ar_arlen;                       \
            pins.ar_addr = top.nvdla_core2##PORT##_ar_araddr;                     \
        }                                                                         \
        if (pins.w_valid) {                                                       \
            pins.w_last = top.nvdla_core2##PORT##_w_wlast != 0;                   \
            pins.w_strb = top.nvdla_core2##PORT##_w_wstrb;                        \
            get_bytes(top.nvdla_core2##PORT##_w_wdata, pins.w_data, bus_bytes);   \
        }                                                                         \
        return true;                                                              \
    }                                                                             \
    [[maybe_unused]] bool sample_##PORT(void*, AxiPins&, int) { return false; }   \
    template <typename Top>                                                       \
    auto drive_##PORT(Top* top_ptr, const AxiPins& pins, int bus_bytes)           \
        ->decltype(top_ptr->nvdla_core2##PORT##_r_rvalid, true) {                 \
        Top& top = *top_ptr;                                                      \
        top.nvdla_core2##PORT##_aw_awready = pins.aw_ready;                       \
        top.nvdla_core2##PORT##_w_wready = pins.w_ready;                          \
        top.nvdla_core2##PORT##_ar_arready = pins.ar_ready;                       \
        top.nvdla_core2##PORT##_b_bvalid = pins.b_valid;                          \
        top.nvdla_core2##PORT##_b_bid = static_cast<std::uint8_t>(pins.b_id);     \
        top.nvdla_core2##PORT##_r_rvalid = pins.r_valid;                          \
        if (pins.r_valid) {                                                       \
            top.nvdla_core2##PORT##_r_rid = static_cast<std::uint8_t>(pins.r_id); \
            top.nvdla_core2##PORT##_r_rlast = pins.r_last;                        \
            put_bytes(top.nvdla_core2##PORT##_r_rdata, pins.r_data, bus_bytes);   \
        }                                                                         \
        return true;                                                              \
    }                                                                             \
    [[maybe_unused]] bool drive_##PORT(void*, const AxiPins&, int) { return false; }

DLA_DATA_PORT(dbb)
DLA_DATA_PORT(cvsram)
#undef DLA_DATA_PORT

}  // namespace

RtlDevice::RtlDevice(verif::Memory& pri_mem, verif::Memory& sec_mem, const RtlOptions& options)
    : options_(options),
      context_(std::make_unique<RandomState>(options.axi.seed)),
      axi_(pri_mem, options.axi),
      sec_axi_(sec_mem, options.sec_axi) {
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
    top_->dla_core_clk = 0;
    top_->dla_csb_clk = 0;
    top_->dla_reset_rstn = 1;  // flops need an edge
    top_->direct_reset_ = 1;
    top_->test_mode = 0;
    top_->global_clk_ovr_on = options_.gates_off ? 1 : 0;
    top_->tmc2slcg_disable_clock_gating = 0;
    top_->csb2nvdla_valid = 0;
    top_->csb2nvdla_addr = 0;
    top_->csb2nvdla_wdat = 0;
    top_->csb2nvdla_write = 0;
    top_->csb2nvdla_nposted = 0;
    drive();
    top_->eval();
}

void RtlDevice::reset() {
    top_->csb2nvdla_valid = 0;
    csb_accepted_ = read_valid_ = write_complete_ = false;
    top_->dla_reset_rstn = 0;
    for (int i = 0; i < kResetCycles * options_.csb_clock_div; ++i)
        clock();
    top_->dla_reset_rstn = 1;
    memory_runs_ = true;
    for (int i = 0; i < kResetCycles * options_.csb_clock_div; ++i)
        clock();
}

void RtlDevice::sample() {
    sample_dbb(top_.get(), pins_, options_.axi.bus_bytes);
    sample_cvsram(top_.get(), sec_pins_, options_.sec_axi.bus_bytes);
}

void RtlDevice::drive() {
    drive_dbb(top_.get(), pins_, options_.axi.bus_bytes);
    drive_cvsram(top_.get(), sec_pins_, options_.sec_axi.bus_bytes);
}

void RtlDevice::clock() {
    if (cycle_ == stop_at_) throw Stopped{};
    // Falling edge; inputs set after the last rising edge settle here.
    top_->dla_core_clk = 0;
    if (csb_phase_ == options_.csb_clock_div / 2) top_->dla_csb_clk = 0;
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(2 * cycle_);
#endif
    sample();
    const bool csb_edge = csb_phase_ == 0;
    if (csb_edge) {
        csb_accepted_ = top_->csb2nvdla_valid && top_->csb2nvdla_ready;
        if (top_->nvdla2csb_valid) {
            if (read_valid_) violations_.push_back("CSB read answer without a request");
            read_valid_ = true;
            read_data_ = top_->nvdla2csb_data;
        }
        if (top_->nvdla2csb_wr_complete) write_complete_ = true;
        top_->dla_csb_clk = 1;
    }
    top_->dla_core_clk = 1;
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(2 * cycle_ + 1);
#endif
    if (memory_runs_) {
        axi_.clock(pins_);
        sec_axi_.clock(sec_pins_);
        drive();
    }
    const bool interrupt_now = top_->dla_intr != 0;
    if (interrupt_now && !interrupt_before_) interrupt_rise_ = cycle_ + 1;
    interrupt_before_ = interrupt_now;
    if (++csb_phase_ >= options_.csb_clock_div) csb_phase_ = 0;
    ++cycle_;
}

void RtlDevice::request(std::uint32_t byte_addr, std::uint32_t data, bool write, bool nonposted) {
    for (int i = 0; i < options_.csb_idle; ++i)
        clock();
    top_->csb2nvdla_valid = 1;
    top_->csb2nvdla_addr = static_cast<std::uint16_t>(byte_addr >> 2);
    top_->csb2nvdla_wdat = data;
    top_->csb2nvdla_write = write;
    top_->csb2nvdla_nposted = nonposted;
    csb_accepted_ = false;
    for (int i = 0; !csb_accepted_; ++i) {
        if (i == kCsbTimeout) throw std::runtime_error("CSB request is never accepted");
        clock();
    }
    top_->csb2nvdla_valid = 0;
    csb_accepted_ = false;
}

void RtlDevice::csb_write(std::uint32_t byte_addr, std::uint32_t data, bool posted) {
    write_complete_ = false;
    request(byte_addr, data, true, !posted);
    for (int i = 0; !posted && !write_complete_; ++i) {
        if (i == kCsbTimeout) throw std::runtime_error("CSB write is never completed");
        clock();
    }
}

std::uint32_t RtlDevice::csb_read(std::uint32_t byte_addr) {
    read_valid_ = false;
    request(byte_addr, 0, false, false);
    for (int i = 0; !read_valid_; ++i) {
        if (i == kCsbTimeout) throw std::runtime_error("CSB read is never answered");
        clock();
    }
    read_valid_ = false;
    return read_data_;
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
    std::vector<std::string> all = violations_;
    for (const AxiMemory* axi : {&axi_, &sec_axi_}) {
        all.insert(all.end(), axi->violations().begin(), axi->violations().end());
    }
    return all;
}

}  // namespace macrame::tb
