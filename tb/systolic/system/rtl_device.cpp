#include "tb/systolic/system/rtl_device.hpp"

#include <stdexcept>

#include "Vsystolic_top.h"
#include "systolic_params.hpp"
#include "tb/common/random_state.hpp"
#include "tb/systolic/system/memory_pins.hpp"
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
constexpr int kAnswerCycles = 1000;  ///< most until software's port answers
constexpr int kSlaveBytes = 16;

AxiMemoryOptions with_seed(AxiMemoryOptions options, std::uint64_t number) {
    options.seed = 3 * options.seed + number;
    return options;
}

}  // namespace

RtlDevice::RtlDevice(verif::Memory& program, verif::Memory& data, const RtlOptions& options)
    : options_(options),
      context_(std::make_unique<RandomState>(options.axi.seed)),
      fetch_(program, with_seed(options.axi, 0)),
      load_(data, with_seed(options.axi, 1)),
      store_(data, with_seed(options.axi, 2)) {
#if VM_TRACE
    context_->traceEverOn(true);
#endif
    top_ = std::make_unique<Vsystolic_top>(context_.get());
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
    top_->s_axi_awvalid = 0;
    top_->s_axi_wvalid = 0;
    top_->s_axi_arvalid = 0;
    top_->rst_n = 1;  // flops need an edge
    top_->clk = 0;
    top_->eval();
    top_->rst_n = 0;
    for (int i = 0; i < kResetCycles; ++i)
        clock();
#if VM_COVERAGE
    context_->coveragep()->zero();  // registers leaving their random contents are no toggles
#endif
    top_->rst_n = 1;
    for (int i = 0; i < kResetCycles; ++i)
        clock();
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

void RtlDevice::write(std::uint32_t address, const systolic::Word& word) {
    const auto bytes = systolic::word_bytes(word);
    top_->s_axi_awaddr = address;
    top_->s_axi_awlen = 0;
    top_->s_axi_awsize = 4;
    top_->s_axi_awburst = 1;
    top_->s_axi_awid = 5;
    put_bytes(top_->s_axi_wdata, bytes.data(), kSlaveBytes);
    top_->s_axi_wstrb = 0xffff;
    top_->s_axi_wlast = 1;
    top_->s_axi_awvalid = 1;
    top_->s_axi_wvalid = 1;
    top_->s_axi_bready = 1;
    for (int i = 0; i < kAnswerCycles; ++i) {
        top_->eval();
        const bool aw = top_->s_axi_awready != 0;
        const bool w = top_->s_axi_wready != 0;
        const bool b = top_->s_axi_bvalid != 0;
        clock();
        if (aw) top_->s_axi_awvalid = 0;
        if (w) top_->s_axi_wvalid = 0;
        if (b) return;
    }
    throw std::runtime_error("software's port does not answer a write");
}

systolic::Word RtlDevice::read(std::uint32_t address) {
    top_->s_axi_araddr = address;
    top_->s_axi_arlen = 0;
    top_->s_axi_arsize = 4;
    top_->s_axi_arburst = 1;
    top_->s_axi_arid = 5;
    top_->s_axi_arvalid = 1;
    top_->s_axi_rready = 1;
    for (int i = 0; i < kAnswerCycles; ++i) {
        top_->eval();
        const bool ar = top_->s_axi_arready != 0;
        const bool r = top_->s_axi_rvalid != 0;
        std::uint8_t bytes[kSlaveBytes];
        get_bytes(top_->s_axi_rdata, bytes, kSlaveBytes);
        clock();
        if (ar) top_->s_axi_arvalid = 0;
        if (r) return systolic::word_of_bytes(bytes);
    }
    throw std::runtime_error("software's port does not answer a read");
}

bool RtlDevice::wait(std::uint64_t most_quiet_cycles) {
    std::uint64_t seen = traffic();
    for (std::uint64_t quiet = 0; quiet < most_quiet_cycles; ++quiet) {
        if (top_->irq) return true;
        clock();
        if (traffic() == seen) continue;
        seen = traffic();
        quiet = 0;
    }
    return false;
}

std::uint64_t RtlDevice::traffic() const {
    return fetch_.counts().read_bytes + load_.counts().read_bytes + store_.counts().write_bytes;
}

std::vector<std::string> RtlDevice::violations() const {
    std::vector<std::string> all;
    for (const AxiMemory* port : {&fetch_, &load_, &store_})
        all.insert(all.end(), port->violations().begin(), port->violations().end());
    return all;
}

/// A cycle: inputs settle while the clock is low, both sides see each other, the clock rises.
void RtlDevice::clock() {
    constexpr int kBus = systolic_params::axi_bytes;
    drive_fetch(*top_, fetch_pins_, kBus);
    drive_load(*top_, load_pins_, kBus);
    drive_store(*top_, store_pins_);
    top_->clk = 0;
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
    if (top_->rst_n) {
        sample_fetch(*top_, fetch_pins_);
        sample_load(*top_, load_pins_);
        sample_store(*top_, store_pins_, kBus);
        fetch_.clock(fetch_pins_);
        load_.clock(load_pins_);
        store_.clock(store_pins_);
    }
    top_->clk = 1;
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
}

}  // namespace macrame::tb
