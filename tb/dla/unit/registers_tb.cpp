/// Test of generated register files against the model RegisterFile: random accesses, layers that
/// end at random times, random counts. Every port is compared in every cycle.
/// The design under test is written by generator/test/families/dla/registers_dut_main.cpp.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "regs_dut.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/register_file.hpp"

namespace {

using macrame::dla::model::RegisterFile;
using macrame::tb::get_bits;
using macrame::tb::put_bits;

/// One register file of the design and its ports.
struct Port {
    const char* name;
    const std::vector<Place>* outputs;
    const std::vector<Place>* inputs;
    std::function<void(Vdut&, bool)> valid;
    std::function<std::uint32_t(const Vdut&)> rdata;
    std::function<std::uint32_t(const Vdut&, const Place&)> output;
    std::function<void(Vdut&, const Place&, std::uint32_t)> input;
    std::function<void(Vdut&, bool)> op_done;  ///< empty: no groups
    std::function<bool(const Vdut&)> op_en, consumer;
};

#define PORT(UNIT, u, ...)                                                                     \
    Port {                                                                                     \
        UNIT, &u##_outputs, &u##_inputs, [](Vdut& t, bool v) { t.u##_valid = v; },             \
            [](const Vdut& t) { return std::uint32_t{t.u##_rdata}; },                          \
            [](const Vdut& t, const Place& p) { return get_bits(t.u##_out, p.lsb, p.width); }, \
            [](Vdut& t, const Place& p, std::uint32_t v) {                                     \
                put_bits(t.u##_in, p.lsb, p.width, v);                                         \
            },                                                                                 \
            __VA_ARGS__                                                                        \
    }
#define GROUPED(u)                                                                               \
    [](Vdut& t, bool v) { t.u##_op_done = v; }, [](const Vdut& t) { return bool(t.u##_op_en); }, \
        [](const Vdut& t) { return bool(t.u##_consumer); }

const std::vector<Port>& ports() {
    static const std::vector<Port> all = {
        PORT("CDMA", cdma, GROUPED(cdma)), PORT("SDP", sdp, GROUPED(sdp)),
        PORT("CMAC_A", cmac, GROUPED(cmac)), PORT("MCIF", mcif, {}, {}, {})};
    return all;
}

class Bench {
public:
    Bench(const Port& port, unsigned seed)
        : port_(port),
          access_percent_(seed % 2 == 0 ? 20 : 70),
          random_(seed),
          context_(seed),
          top_(&context_),
          model_(port.name),
          unit_(*dla_regs::table().unit(port.name)) {
        top_.rst_n = 0;
        top_.csb_write = 0;
        for (const Port& p : ports()) {
            p.valid(top_, false);
            if (p.op_done) p.op_done(top_, false);
            for (const Place& place : *p.inputs)
                p.input(top_, place, 0);
        }
        for (int i = 0; i < 3; ++i)
            edge();
        top_.rst_n = 1;
        for (int i = 0; i < 130; ++i)
            edge();
    }

    /// One random cycle, then all comparisons.
    void cycle() {
        const bool access = chance(access_percent_);
        const bool write = chance(60);
        const std::uint32_t offset = pick_offset();
        const std::uint32_t data = pick_data(offset);
        top_.csb_addr = static_cast<std::uint16_t>(offset / 4);
        top_.csb_wdata = data;
        top_.csb_write = write;
        port_.valid(top_, access);
        drive_inputs();
        const bool done = port_.op_done && port_.op_en(top_) && chance(10);
        if (port_.op_done) port_.op_done(top_, done);
        const std::uint32_t expected = asked_ ? model_.read(*asked_) : 0;
        edge();
        if (access && write) model_.write(offset, data);
        if (done) model_.op_done();
        if (done) ++layers_;
        if (done) load_left_ = kLoadCycles;
        if (!access && !accessed_ && load_left_ > 0) --load_left_;
        ASSERT_EQ(port_.rdata(top_), expected) << where(asked_.value_or(0));
        asked_.reset();
        if (access && !write) asked_ = offset;
        accessed_ = access;
        compare_ports(access && write ? offset : 0);
    }

    int layers() const { return layers_; }

    void reads_reset_values() {
        for (std::uint32_t offset = 0; offset < 0x1000; offset += 4) {
            top_.csb_addr = static_cast<std::uint16_t>(offset / 4);
            top_.csb_write = 0;
            port_.valid(top_, true);
            edge();
            port_.valid(top_, false);
            edge();
            if (offset == 0x18 && unit_.name == "MCIF") continue;  // live state
            if (offset == 0x0c && unit_.name == "CDMA") continue;
            ASSERT_EQ(port_.rdata(top_), model_.read(offset)) << where(offset);
        }
        compare_ports(0);
    }

private:
    bool chance(int percent) { return static_cast<int>(random_() % 100) < percent; }

    std::uint32_t pick_offset() {
        if (chance(5)) return (random_() % 1024) * 4;
        if (chance(8)) return 4;
        if (chance(8) && unit_.boundary < 0x1000) return unit_.boundary;
        return dla_regs::table().registers[unit_.first + random_() % unit_.count].offset;
    }

    std::uint32_t pick_data(std::uint32_t offset) {
        if (offset == 4) return random_() % 2;
        switch (random_() % 4) {
            case 0:
                return 0;
            case 1:
                return ~0u;
            default:
                return static_cast<std::uint32_t>(random_());
        }
    }

    void drive_inputs() {
        for (const Place& place : *port_.inputs) {
            const std::uint32_t value =
                static_cast<std::uint32_t>(random_()) &
                static_cast<std::uint32_t>((std::uint64_t{1} << place.width) - 1);
            port_.input(top_, place, value);
            model_.set_counter(place.offset, value << place.field_lsb);
        }
    }

    /// A D_ register that was written in this cycle is visible in the next one.
    void compare_ports(std::uint32_t written) {
        if (port_.op_done) {
            ASSERT_EQ(port_.consumer(top_), model_.consumer() == 1) << where(0);
            const bool loading = load_left_ > 0 && !port_.op_en(top_);
            if (loading) return;  // the fields may be on their way
            load_left_ = 0;
            ASSERT_EQ(port_.op_en(top_), model_.running()) << where(0);
        }
        for (const Place& place : *port_.outputs) {
            if (place.offset == written && written >= unit_.boundary) continue;
            const std::uint32_t value = model_.value(place.offset) >> place.field_lsb;
            const auto mask = static_cast<std::uint32_t>((std::uint64_t{1} << place.width) - 1);
            ASSERT_EQ(port_.output(top_, place), value & mask) << place.port << where(0);
        }
    }

    std::string where(std::uint32_t offset) const {
        return std::string(" ") + port_.name + " offset " + macrame::verif::text::hex(offset) +
               " cycle " + std::to_string(cycle_);
    }

    void edge() {
        top_.clk = 0;
        top_.eval();
        top_.clk = 1;
        top_.eval();
        ++cycle_;
    }

    /// Cycles without an access, in the cycle before neither, in which the fields of the next group
    /// must have arrived.
    static constexpr int kLoadCycles = 64;

    const Port& port_;
    int access_percent_;
    std::mt19937 random_;
    macrame::tb::RandomState context_;
    Vdut top_;
    RegisterFile model_;
    const dla_regs::UnitInfo& unit_;
    std::optional<std::uint32_t> asked_;  ///< offset that was read in the cycle before
    bool accessed_ = false;               ///< there was an access in the cycle before
    int cycle_ = 0, layers_ = 0, load_left_ = 0;
};

TEST(Regs, ResetValues) {
    for (const Port& port : ports()) {
        auto bench = std::make_unique<Bench>(port, 1);
        bench->reads_reset_values();
        if (HasFatalFailure()) return;
    }
}

TEST(Regs, RandomTraffic) {
    for (const Port& port : ports()) {
        for (unsigned seed : {1u, 2u, 3u, 4u}) {
            auto bench = std::make_unique<Bench>(port, seed);
            for (int i = 0; i < 20000; ++i) {
                bench->cycle();
                if (HasFatalFailure()) {
                    ADD_FAILURE() << "seed " << seed;
                    return;
                }
            }
            if (port.op_done) {
                EXPECT_GT(bench->layers(), 50) << port.name;
            }
        }
    }
}

}  // namespace
