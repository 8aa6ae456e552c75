// Runs one behind the other without a reset: a program begins in the register group that each unit
// has next.
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/program/program.hpp"
#include "dla_regs.hpp"
#include "generator/test/network/machine.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "support.hpp"
#include "test/source_dir.hpp"

namespace macrame::dla {
namespace {

using network::Bytes;
using network::Machine;
using program::Code;

/// Digits on the golden model of nv_small.
class Repeat : public testing::Test {
protected:
    void SetUp() override {
        const std::string folder = source_dir() + "/compiler/examples/digits/";
        request_.network = folder + "digits.tflite";
        request_.input = {folder + "pictures"};
        network_ = network::load(request_, design_);
        ASSERT_TRUE(network_);
        program_ = network_->parts.front().compiled.program;
        const auto inputs = network::read_inputs(request_, *network_);
        ASSERT_TRUE(inputs && inputs->size() >= 3);
        for (std::size_t i = 0; i < 3; ++i) {
            inputs_.push_back((*inputs)[i].tensors[0]);
            Machine fresh = machine(program_);
            Bytes output;
            ASSERT_EQ(run(fresh, i, output), MACRAME_OK);
            wanted_.push_back(output);
        }
        ASSERT_NE(wanted_[0], wanted_[1]);
    }

    Machine machine(const program::Program& program) const {
        return {dynamic_cast<const RegisterTarget&>(*design_.family.target), design_,
                program::write(program)};
    }

    /// Of picture `i`; `output` is what it answers.
    int run(Machine& on, std::size_t i, Bytes& output) const {
        macrame_runner run{};
        macrame_tensor tensor{};
        int error =
            macrame_write_input(&on.opened, &on.machine, 0, inputs_[i].data(), inputs_[i].size());
        if (error == MACRAME_OK) error = macrame_begin(&run, &on.opened, &on.machine);
        run.timeout_ms = 1000;
        if (error == MACRAME_OK) error = macrame_finish(&run);
        if (error == MACRAME_OK) error = macrame_get_output(&on.opened, 0, &tensor);
        if (error != MACRAME_OK) return error;
        output.assign(static_cast<std::size_t>(tensor.bytes), 0);
        return macrame_read_output(&on.opened, &on.machine, 0, output.data(), output.size());
    }

    Request request_;
    Design design_ = design();
    std::optional<network::Network> network_;
    program::Program program_;
    std::vector<Bytes> inputs_, wanted_;
};

/// The group that each unit of the program has next.
std::vector<std::uint32_t> groups(Machine& on, const program::Program& program) {
    std::vector<std::uint32_t> out;
    for (const program::Command& command : program.commands)
        if (command.code == Code::unit)
            out.push_back(on.device->csb_read(command.address) >> 16 & 1u);
    return out;
}

TEST_F(Repeat, EachRunAnswersAsBehindAReset) {
    Machine on = machine(program_);
    Bytes output;
    std::ptrdiff_t other = 0;
    for (const std::size_t i : {0u, 1u, 2u, 0u}) {
        ASSERT_EQ(run(on, i, output), MACRAME_OK) << i;
        EXPECT_EQ(output, wanted_[i]) << i;
        EXPECT_TRUE(on.device->violations().empty());
        const std::vector<std::uint32_t> next = groups(on, program_);
        other += std::count(next.begin(), next.end(), 1u);
    }
    EXPECT_NE(other, 0);  // some units have odd numbers of layers
}

/// What that is for: files of version 2 need the reset.
TEST_F(Repeat, AProgramThatNamesNoUnitsNeedsAReset) {
    program_.commands.erase(
        std::remove_if(program_.commands.begin(), program_.commands.end(),
                       [](const program::Command& c) { return c.code == Code::unit; }),
        program_.commands.end());
    Machine on = machine(program_);
    EXPECT_EQ(on.file[7], '2');
    Bytes output;
    ASSERT_EQ(run(on, 0, output), MACRAME_OK);
    EXPECT_EQ(output, wanted_[0]);
    EXPECT_NE(run(on, 1, output), MACRAME_OK);
    on.device->reset();
    ASSERT_EQ(run(on, 1, output), MACRAME_OK);
    EXPECT_EQ(output, wanted_[1]);
    // A batch wants a function that does it.
    const void* inputs[] = {inputs_[0].data()};
    void* outputs[] = {output.data()};
    EXPECT_EQ(macrame_run_batch(&on.opened, &on.machine, 1, inputs, outputs, nullptr),
              MACRAME_BAD_ARGUMENT);
}

TEST_F(Repeat, ABatchNeedsNoReset) {
    Machine on = machine(program_);
    Bytes all, output(3 * wanted_[0].size()), wanted;
    for (std::size_t i = 0; i < 3; ++i) {
        all.insert(all.end(), inputs_[i].begin(), inputs_[i].end());
        wanted.insert(wanted.end(), wanted_[i].begin(), wanted_[i].end());
    }
    const void* inputs[] = {all.data()};
    void* outputs[] = {output.data()};
    EXPECT_EQ(macrame_run_batch(&on.opened, &on.machine, 3, inputs, outputs, nullptr), MACRAME_OK);
    EXPECT_EQ(output, wanted);
}

/// A layer that waits for others, left behind by someone.
TEST_F(Repeat, ABusyUnitEndsTheRun) {
    Machine on = machine(program_);
    on.device->csb_write(dla_regs::sdp::D_OP_ENABLE::kAddress, 1, true);
    Bytes output;
    EXPECT_EQ(run(on, 0, output), MACRAME_UNIT_BUSY);
    EXPECT_NE(std::string(macrame_error_text(MACRAME_UNIT_BUSY)).find("not idle"),
              std::string::npos);
    on.device->reset();
    EXPECT_EQ(run(on, 0, output), MACRAME_OK);
    EXPECT_EQ(output, wanted_[0]);
}

}  // namespace
}  // namespace macrame::dla
