/// What programs of layers take on the cycle model, beside what is estimated for choosing them.

#include <gtest/gtest.h>

#include "compiler/graph/at.hpp"
#include "compiler/systolic/alu_layer.hpp"
#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"
#include "compiler/systolic/cost/model_cycles.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::compiler {
namespace {

constexpr std::int64_t kConstants = 0x400000, kSecond = 0x100000, kOutput = 0x200000;
using Instructions = std::vector<Instruction>;

Architecture machine() {
    Architecture out;
    out.ibuf_entries = out.wbuf_entries = out.obuf_entries = 2048;
    return out;
}

struct Conv {
    int size, channels, filters, kernel, stride;
};

Instructions program_of(const Architecture& a, const Conv& conv) {
    ConvLayer layer;
    layer.input = dense_layout(0, conv.size, conv.size, conv.channels, 1);
    layer.window.height = layer.window.width = conv.kernel;
    layer.window.stride_y = layer.window.stride_x = conv.stride;
    layer.window.top = layer.window.left = (conv.kernel - 1) / 2;
    layer.out_height = layer.out_width = ceil_div(conv.size, conv.stride);
    layer.output = dense_layout(kOutput, layer.out_height, layer.out_width, conv.filters, 1);
    layer.scales.resize(static_cast<std::size_t>(conv.filters));
    for (Scale& scale : layer.scales)
        set_factor(scale, 0.001);
    Stream stream(a);
    Constants constants(kConstants);
    write_conv(stream, constants, layer, best_tiling(a, layer, Goal::cycles).tiling);
    return stream.program();
}

Instructions sum_of(const Architecture& a, int size, int channels) {
    AluLayer layer;
    layer.inputs = {dense_layout(0, size, size, channels, 1),
                    dense_layout(kSecond, size, size, channels, 1)};
    layer.factors = {3, 5};
    layer.output = dense_layout(kOutput, size, size, channels, 1);
    layer.scale = [](int, int) {
        Scale scale;
        set_factor(scale, 0.25);
        return scale;
    };
    Stream stream(a);
    Constants constants(kConstants);
    EXPECT_EQ(write_alu_layer(stream, constants, layer), "");
    return stream.program();
}

/// Cycles of the model, in parts of those estimated.
double deviation(const Architecture& a, const Instructions& program) {
    const performance::Run run = performance::run_on_model(
        a, program, performance::memory_options(a, kModelLatency, 0.0, 1));
    EXPECT_EQ(run.problem, "");
    const auto model = static_cast<double>(run.counters.cycles);
    return model / static_cast<double>(estimate(a, program).cycles) - 1;
}

TEST(Cycles, EstimatesOfConvolutions) {
    for (const Conv& conv :
         {Conv{14, 64, 64, 3, 1}, Conv{28, 32, 128, 1, 1}, Conv{28, 64, 32, 3, 2},
          Conv{7, 256, 64, 1, 1}, Conv{56, 16, 16, 3, 1}, Conv{32, 3, 16, 5, 1}}) {
        EXPECT_NEAR(deviation(machine(), program_of(machine(), conv)), 0, 0.05)
            << conv.size << " " << conv.kernel;
        EXPECT_NEAR(deviation(Architecture(), program_of(Architecture(), conv)), 0, 0.05)
            << conv.size << " " << conv.kernel << ", small buffers";
    }
}

TEST(Cycles, EstimatesOfSums) {
    EXPECT_NEAR(deviation(machine(), sum_of(machine(), 28, 64)), 0, 0.1);
    EXPECT_NEAR(deviation(Architecture(), sum_of(Architecture(), 14, 32)), 0, 0.1);
}

TEST(Cycles, ProgramsFollowEachOther) {
    SystolicProgram program;
    program.architecture = machine();
    std::vector<std::uint64_t> alone;
    for (int layer = 0; layer < 2; ++layer) {
        const Instructions instructions =
            program_of(machine(), layer == 0 ? Conv{14, 64, 64, 3, 1} : Conv{7, 64, 64, 1, 1});
        program.programs.push_back({instructions, {{at(layer), instructions.size()}}});
        SystolicProgram last;
        last.architecture = machine();
        last.programs = {program.programs.back()};
        const ModelCycles one = model_cycles(last, 2);
        EXPECT_EQ(one.problem, "");
        EXPECT_EQ(one.ends[static_cast<std::size_t>(1 - layer)], 0U);
        alone.push_back(one.cycles);
    }
    const ModelCycles both = model_cycles(program, 2);
    EXPECT_EQ(both.problem, "");
    EXPECT_EQ(both.cycles, alone[0] + alone[1]);
    EXPECT_LT(both.ends[0], alone[0]);
    EXPECT_GT(both.ends[1], alone[0]);
    EXPECT_LT(both.ends[1], both.cycles);
}

}  // namespace
}  // namespace macrame::systolic::compiler
