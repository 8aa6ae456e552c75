/// The testbench of this configuration: ./build/sim --help

#include <verilated.h>

#include <memory>
#include <stdexcept>

#include "Vmini_top.h"
#include "mini_params.hpp"
#include "verif/common/run/command_line.hpp"
#include "verif/mini/simulate.hpp"

namespace {

using namespace macrame;

constexpr int kTimeout = 100;

/// The Verilated design behind its AXI4-Lite port.
class RtlDevice : public mini::Device {
public:
    RtlDevice() : context_(std::make_unique<VerilatedContext>()), top_(context_.get()) {
        top_.rst_n = 1;
        clock();
        top_.rst_n = 0;
        clock();
        top_.rst_n = 1;
        top_.s_axi_bready = 1;
        top_.s_axi_rready = 1;
        wait([this] { return top_.s_axi_awready; });  // the reset inside ends later
    }
    ~RtlDevice() override { top_.final(); }

    void write(std::uint32_t offset, std::uint32_t value) override {
        top_.s_axi_awvalid = top_.s_axi_wvalid = 1;
        top_.s_axi_awaddr = static_cast<std::uint8_t>(offset);
        top_.s_axi_wdata = value;
        top_.s_axi_wstrb = 15;
        clock();  // both channels are empty between two accesses
        top_.s_axi_awvalid = top_.s_axi_wvalid = 0;
        wait([this] { return top_.s_axi_bvalid; });
        clock();
    }
    std::uint32_t read(std::uint32_t offset) override {
        top_.s_axi_arvalid = 1;
        top_.s_axi_araddr = static_cast<std::uint8_t>(offset);
        clock();
        top_.s_axi_arvalid = 0;
        wait([this] { return top_.s_axi_rvalid; });
        const std::uint32_t data = top_.s_axi_rdata;
        clock();
        return data;
    }
    std::uint64_t cycle() override { return cycle_; }

private:
    void clock() {
        top_.clk = 0;
        top_.eval();
        top_.clk = 1;
        top_.eval();
        ++cycle_;
    }
    template <class Done>
    void wait(Done done) {
        for (int i = 0; !done(); ++i) {
            if (i == kTimeout) throw std::runtime_error("the design does not answer");
            clock();
        }
    }

    std::unique_ptr<VerilatedContext> context_;
    Vmini_top top_;
    std::uint64_t cycle_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    verif::run::Options options;
    int status = 0;
    if (!verif::run::read_command_line(argc, argv, verif::run::option_rows(options),
                                       "Runs random programs on the Verilated design.", status)) {
        return status;
    }
    namespace p = mini_params;
    return mini::simulate(options, {p::name, p::lanes, p::width,
                                    [] { return std::make_unique<RtlDevice>(); }});
}
