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
constexpr int kSlaveBytes = 16;

}  // namespace

RtlDevice::RtlDevice(verif::Memory& program, verif::Memory& data,
                     const verif::AxiMemoryOptions& axi,
                     const systolic::Architecture& architecture, const RtlOptions& options)
    : Device(program, data, axi, systolic_params::config_address),
      counts_(options.counts),
      steps_(options.steps),
      last_(static_cast<std::size_t>(architecture.columns)),
      context_(std::make_unique<RandomState>(axi.seed)) {
#if VM_TRACE
    context_->traceEverOn(true);
#endif
    top_ = std::make_unique<Vsystolic_top>(context_.get());
    probe_ = std::make_unique<Probe>(*context_, architecture);
    if (steps_ != nullptr)
        steps_->look_with([this](const systolic::Place& place) { return probe_->value(place); });
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
    settle();
}

RtlDevice::~RtlDevice() {
#if VM_TRACE
    if (fst_) fst_->close();
#endif
    top_->final();
#if VM_COVERAGE
    if (!counts_.empty()) context_->coveragep()->write(counts_.c_str());
#endif
}

systolic::cycles::Control::Outputs RtlDevice::answers() const {
    systolic::cycles::Control::Outputs out;
    out.awready = top_->s_axi_awready != 0;
    out.wready = top_->s_axi_wready != 0;
    out.bvalid = top_->s_axi_bvalid != 0;
    out.arready = top_->s_axi_arready != 0;
    out.rvalid = top_->s_axi_rvalid != 0;
    out.irq = top_->irq != 0;
    std::uint8_t bytes[kSlaveBytes];
    get_bytes(top_->s_axi_rdata, bytes, kSlaveBytes);
    out.rdata = systolic::word_of_bytes(bytes);
    return out;
}

void RtlDevice::drive_software() {
    top_->s_axi_awvalid = software_.awvalid;
    top_->s_axi_awaddr = software_.awaddr;
    top_->s_axi_awid = 5;
    top_->s_axi_awlen = 0;
    top_->s_axi_awsize = 4;
    top_->s_axi_awburst = 1;
    top_->s_axi_wvalid = software_.wvalid;
    top_->s_axi_wlast = software_.wlast;
    top_->s_axi_wstrb = static_cast<std::uint16_t>(software_.wstrb);
    put_bytes(top_->s_axi_wdata, systolic::word_bytes(software_.wdata).data(), kSlaveBytes);
    top_->s_axi_bready = software_.bready;
    top_->s_axi_arvalid = software_.arvalid;
    top_->s_axi_araddr = software_.araddr;
    top_->s_axi_arid = 5;
    top_->s_axi_arlen = 0;
    top_->s_axi_arsize = 4;
    top_->s_axi_arburst = 1;
    top_->s_axi_rready = software_.rready;
}

/// While the clock is low: what the edge before has written is there.
void RtlDevice::tell_steps() {
    using systolic::Module;
    const int columns = static_cast<int>(last_.size());
    for (int j = 0; j < columns; ++j) {
        if (last_[static_cast<std::size_t>(j)]) steps_->column_ended(j);
        last_[static_cast<std::size_t>(j)] = probe_->last(j);
    }
    for (const Module module : {Module::load, Module::alu, Module::store})
        if (probe_->done(module)) steps_->ended(module);
}

/// A cycle: inputs settle while the clock is low, both sides see each other, the clock rises.
void RtlDevice::clock() {
    constexpr int kBus = systolic_params::axi_bytes;
    drive_software();
    drive_reads(*top_, fetch_pins_, kBus, FetchPort{});
    drive_reads(*top_, load_pins_, kBus, LoadPort{});
    drive_writes(*top_, store_pins_, StorePort{});
    top_->clk = 0;
    context_->time(time_);
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
    if (top_->rst_n) {
        sample_reads(*top_, fetch_pins_, FetchPort{});
        sample_reads(*top_, load_pins_, LoadPort{});
        sample_writes(*top_, store_pins_, kBus, StorePort{});
        clock_memory();
        if (steps_ != nullptr) tell_steps();
    }
    top_->clk = 1;
    context_->time(time_);
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
}

}  // namespace macrame::tb
