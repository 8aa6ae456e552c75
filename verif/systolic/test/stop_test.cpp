/// What a program leaves behind that stood still, was stopped or had errors: nothing.

#include <gtest/gtest.h>

#include "verif/systolic/performance/cycle_device.hpp"
#include "verif/systolic/performance/run_program.hpp"
#include "verif/systolic/stimulus/random_program.hpp"
#include "verif/systolic/test/support.hpp"

namespace macrame::systolic {
namespace {

using cycles::Control;
using performance::CycleDevice;
using Port = performance::Device::Port;

constexpr std::uint64_t kQuiet = 20000;
constexpr const char* kLoad =
    "LOAD push_next dram_address=0x40 sram_address=0x1000000 x_size=1 "
    "y_size=4 z_size=4 z_stride=4 y_stride=4 bitwidth=1\n";
constexpr const char* kWaits =
    "GEMM pop_prev ofmap_height=1 ofmap_width=1 active_rows=1 "
    "active_cols=1\n";

class SystolicStop : public testing::Test {
protected:
    SystolicStop() : device_(words_, data_, axi(), architecture_, nullptr) {}

    /// STATUS when it is idle again, or has stood still.
    std::uint32_t run(const std::string& text) {
        const performance::PlacedProgram program{0, test::program_of(text)};
        performance::put_programs({program}, words_);
        return run(program);
    }
    std::uint32_t run(const performance::PlacedProgram& program) {
        performance::clear_events(device_);
        performance::start(device_, program);
        device_.wait_idle(kQuiet);
        return static_cast<std::uint32_t>(device_.read(performance::Device::Register::status).low);
    }

    verif::AxiMemoryOptions axi() const {
        return performance::memory_options(architecture_, 10, 0.0, 1);
    }

    Architecture architecture_;
    verif::Memory words_, data_;
    CycleDevice device_;
};

TEST_F(SystolicStop, ASpareTokenIsForgotten) {
    EXPECT_EQ(run(kLoad), Control::kDone);
    EXPECT_EQ(run(kWaits), Control::kBusy);
}

TEST_F(SystolicStop, AProgramThatWaitsForEver) {
    EXPECT_EQ(run(std::string(kLoad) + kLoad + "ALU pop_prev\n" + kLoad), Control::kBusy);
    EXPECT_EQ(performance::stop(device_, kQuiet), "");
    EXPECT_EQ(run(std::string(kLoad) + kWaits), Control::kDone);
    EXPECT_EQ(run(kWaits), Control::kBusy);
}

/// Instructions behind it do not begin: there is no DONE, and no token.
TEST_F(SystolicStop, AnIllegalWord) {
    const performance::PlacedProgram program{0,
                                             test::program_of(std::string(kLoad) + kLoad + kLoad)};
    performance::put_programs({program}, words_);
    words_.fill(16, 16, 0);
    EXPECT_EQ(run(program), Control::kStopped | Control::kIllegal);
    EXPECT_EQ(run(kWaits), Control::kBusy);
}

TEST_F(SystolicStop, ErrorsOfMemory) {
    const std::string text = std::string(kLoad) + kWaits;
    for (const auto& [port, bit, source] :
         {std::tuple{Port::fetch, Control::kFetchError, Control::Source::fetch},
          std::tuple{Port::load, Control::kLoadError, Control::Source::load}}) {
        device_.set_faults(port, {0.0, 1});
        EXPECT_EQ(run(text), Control::kStopped | bit);
        const std::uint64_t told = device_.read(performance::Device::Register::command).high;
        EXPECT_EQ(told & 3, static_cast<std::uint64_t>(source));
        EXPECT_EQ(told >> 32, port == Port::load ? 0x40U : 0U);
        EXPECT_TRUE(device_.irq());
        EXPECT_EQ(run(text), Control::kDone);
    }
}

/// Random programs with all of that before they run.
TEST(SystolicStops, RandomPrograms) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Architecture architecture = stimulus::random_architecture(seed);
        const auto random = stimulus::random_program(architecture, seed, 40);
        const auto axi = performance::memory_options(architecture, 1 + static_cast<int>(seed % 50),
                                                     seed % 3 == 0 ? 0.3 : 0.0, seed);
        const performance::Run run = performance::run_on_model(architecture, {{0, random.program}},
                                                               axi, nullptr, {3, 6, seed});
        EXPECT_EQ(run.problem, "") << seed;
        EXPECT_TRUE(run.violations.empty()) << seed << " " << run.violations.front();
        if (seed % 3 == 0) continue;
        const performance::Run plain = performance::run_on_model(architecture, random.program, axi);
        EXPECT_EQ(run.counters.ended, plain.counters.ended) << seed;
        EXPECT_EQ(run.counters.cycles, plain.counters.cycles) << seed;
    }
}

}  // namespace
}  // namespace macrame::systolic
