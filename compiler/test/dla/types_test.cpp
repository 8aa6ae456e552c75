/// Networks on configurations with other types beside int8 and with the registers of the first,
/// fixed design. That they compute the same is in the other tests, which run on these, too.

#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/compile.hpp"
#include "compiler/dla/stripes.hpp"
#include "compiler/test/dla/graphs.hpp"
#include "compiler/test/random/random_graph.hpp"
#include "dla_regs.hpp"
#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/test/published_sizes.hpp"

namespace macrame::dla::compiler {
namespace {

using model::Architecture;

std::vector<std::uint32_t> written(const std::vector<program::Command>& commands) {
    std::vector<std::uint32_t> out;
    for (const program::Command& command : commands) {
        if (command.code == program::Code::write) out.push_back(command.address);
        if (command.code == program::Code::write_low) out.push_back(command.address);
        if (command.code == program::Code::write_high) out.push_back(command.address);
        if (command.code == program::Code::poll) out.push_back(command.address);
    }
    return out;
}

TEST(DlaTypes, ProgramsHaveTheAddressesOfTheMap) {
    const graph::Graph graph = macrame::test::random_graph(3);
    Architecture sizes = published::nv_full();
    const Compiled first = compile(graph, sizes);
    sizes.v1_map = false;
    const Compiled later = compile(graph, sizes);
    ASSERT_TRUE(first.ok() && later.ok());
    std::vector<std::uint32_t> wanted = written(later.program.commands);
    for (std::uint32_t& address : wanted)
        address = model::register_address(address, "", "v1");
    EXPECT_EQ(written(first.program.commands), wanted);
    EXPECT_EQ(std::count(wanted.begin(), wanted.end(), 0x500Cu + 0u), 1);  // of CDMA
    EXPECT_EQ(first.program.interrupt_status, dla_regs::glb::S_INTR_STATUS::kOffset);
    EXPECT_EQ(later.program.interrupt_status, dla_regs::glb::S_INTR_STATUS::kAddress);
    // Traces name registers, which are the same in both.
    EXPECT_EQ(first.trace.size(), later.trace.size());
    EXPECT_EQ(first.trace[0].address, later.trace[0].address);
    // Programs for the original hardware have its addresses.
    std::vector<std::uint32_t> original = written(later.commands_for_original);
    for (std::uint32_t& address : original)
        address = model::register_address(address, "", "v1");
    EXPECT_EQ(written(first.commands_for_original), original);
}

TEST(DlaTypes, NetworksWantInt8) {
    Architecture sizes;
    sizes.int8 = false;
    sizes.fp16 = true;
    EXPECT_EQ(compile(macrame::test::random_graph(3), sizes).errors,
              std::vector<std::string>{
                  "random: networks want INT8 among the types of the configuration"});
}

TEST(DlaTypes, ConstantsOfAConcatAreInt8) {
    graph::Graph g;
    const graph::TensorId x = test::activation(g, {1, 1, 4, 8});
    const graph::TensorId token = test::weights(g, {1, 1, 1, 8});
    graph::Tensor& constant = g.tensor(token);
    constant.type = graph::Type::float32;
    constant.data.assign(4 * constant.elements(), 0);
    graph::Concat concat;
    concat.axis = 2;
    g.inputs = {x};
    g.outputs = {test::add(g, concat, {token, x}, {1, 1, 5, 8})};
    const Compiled made = compile(g, Architecture());
    ASSERT_EQ(made.refused.size(), 1U);
    EXPECT_EQ(made.refused[0].reason,
              "constant t1: float32: want int8: quantise the network first");
}

ConvLayer conv(int width, int channels, int kernels) {
    ConvLayer out;
    out.input = Cube{width, 1, channels, {}, 0, 0};
    out.kernels = kernels;
    out.out_w = width;
    return out;
}

TEST(DlaTypes, TheFirstMapHasFewerBitsForEntries) {
    Architecture sizes{64, 32, 32, 64, 16, 1024, 32};
    EXPECT_TRUE(plan_cbuf(sizes, conv(4096, 64, 32)));
    EXPECT_TRUE(plan_cbuf(sizes, conv(4097, 64, 32)));
    sizes.v1_map = true;
    EXPECT_TRUE(plan_cbuf(sizes, conv(4096, 64, 32)));
    EXPECT_FALSE(plan_cbuf(sizes, conv(4097, 64, 32)));
}

TEST(DlaTypes, LeastCyclesOfAStep) {
    Architecture sizes{16, 16, 16, 16, 32, 512, 32};
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 16), 16);
    sizes.entry_bytes = 32;
    sizes.int16 = true;  // a cell has two kernels
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 16), 8);
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 7), 4);
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 1), 4);  // CACC saturates: CBUF of 512 KiB
    sizes.cbuf_depth = 256;
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 1), 3);
    sizes.fp16 = true;
    EXPECT_EQ(least_step(sizes, conv(8, 16, 16), 1), 10);
}

}  // namespace
}  // namespace macrame::dla::compiler
