/// Unit test of dla_apb: random accesses with idle cycles and pauses of the CSB against the model.

#include "verif/dla/model/apb.hpp"

#include "tb/dla/unit/control_bench.hpp"

namespace macrame::tb {
namespace {

class Bench : public ControlBench {
public:
    explicit Bench(const ControlCase& c) : ControlBench(c), master_(c.bus_stall, c.seed) {
        drive();
    }

private:
    void start(const BusAccess& access) override {
        order_.push_back(access);
        master_.start(access);
    }
    bool idle() const override { return master_.idle(); }

    std::uint32_t response(dla::model::BusResponse r) const override {
        return r == dla::model::BusResponse::okay ? 0 : 2;
    }

    void sample() override {
        pins_.ready = top().s_apb_pready != 0;
        pins_.slverr = top().s_apb_pslverr != 0;
        pins_.rdata = top().s_apb_prdata;
        EXPECT_FALSE(pins_.ready && !(pins_.sel && pins_.enable)) << "pready without an access";
    }

    void drive() override {
        master_.clock(pins_);
        if (const auto answer = master_.take()) {
            const BusAccess access = order_.front();
            order_.pop_front();
            EXPECT_EQ(answer->resp != 0,
                      dla::model::apb_error(access.write, access.addr, access.strobes));
            check_answer(access.write, *answer);
        }
        top().s_apb_psel = pins_.sel;
        top().s_apb_penable = pins_.enable;
        top().s_apb_pwrite = pins_.write;
        top().s_apb_paddr = pins_.addr;
        top().s_apb_pwdata = pins_.wdata;
        top().s_apb_pstrb = static_cast<std::uint8_t>(pins_.strb);
    }

    ApbMaster master_;
    ApbPins pins_;
    std::deque<BusAccess> order_;
};

TEST(Apb, RandomAccesses) {
    for (const ControlCase& c : kControlCases) {
        Bench bench(c);
        bench.run(3000);
        ASSERT_FALSE(HasFailure()) << "seed " << c.seed;
    }
}

}  // namespace
}  // namespace macrame::tb
