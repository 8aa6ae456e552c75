/// Unit test of dla_axi_lite: random reads and writes at the same time, with gaps on all channels and
/// on the CSB, against the model; the rules of AXI4-Lite are checked by the master.

#include "tb/dla/unit/control_bench.hpp"

namespace macrame::tb {
namespace {

class Bench : public ControlBench {
public:
    explicit Bench(const ControlCase& c) : ControlBench(c), master_(c.bus_stall, c.seed) {
        drive();
    }
    const std::vector<std::string>& violations() const { return master_.violations(); }

private:
    void start(const BusAccess& access) override { master_.start(access); }
    bool idle() const override { return master_.idle(); }

    void sample() override {
        pins_.aw_ready = top().s_axi_awready != 0;
        pins_.w_ready = top().s_axi_wready != 0;
        pins_.b_valid = top().s_axi_bvalid != 0;
        pins_.b_resp = top().s_axi_bresp;
        pins_.ar_ready = top().s_axi_arready != 0;
        pins_.r_valid = top().s_axi_rvalid != 0;
        pins_.r_resp = top().s_axi_rresp;
        pins_.r_data = top().s_axi_rdata;
    }

    void drive() override {
        master_.clock(pins_);
        while (const auto answer = master_.take_write())
            check_answer(true, *answer);
        while (const auto answer = master_.take_read())
            check_answer(false, *answer);
        top().s_axi_awvalid = pins_.aw_valid;
        top().s_axi_awaddr = pins_.aw_addr;
        top().s_axi_wvalid = pins_.w_valid;
        top().s_axi_wdata = pins_.w_data;
        top().s_axi_wstrb = static_cast<std::uint8_t>(pins_.w_strb);
        top().s_axi_bready = pins_.b_ready;
        top().s_axi_arvalid = pins_.ar_valid;
        top().s_axi_araddr = pins_.ar_addr;
        top().s_axi_rready = pins_.r_ready;
    }

    AxiLiteMaster master_;
    AxiLitePins pins_;
};

TEST(AxiLite, RandomAccesses) {
    for (const ControlCase& c : kControlCases) {
        Bench bench(c);
        bench.run(3000);
        EXPECT_EQ(bench.violations(), std::vector<std::string>{}) << "seed " << c.seed;
        ASSERT_FALSE(HasFailure()) << "seed " << c.seed;
    }
}

}  // namespace
}  // namespace macrame::tb
