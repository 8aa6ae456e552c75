/// Where variables lie when DRAM0 is small: results in place of what they are made of, tensors in
/// DRAM1 behind the constants.

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "compiler/tcu/overlap.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using graph::TensorId;
using graph::Type;
using graph::test::Builder;

constexpr int kSize = 6, kChannels = 12;  // two vectors for each pixel
constexpr std::int64_t kTensor = 2 * kSize * kSize;
constexpr std::int64_t kOfDriver = 2;

/// Two residual blocks within another: three tensors at once, and a result beside its operands
/// would be the fourth one.
graph::Graph residual() {
    Builder b;
    const std::vector<int> shape = {1, kSize, kSize, kChannels};
    graph::Conv same;
    same.window.kernel_h = same.window.kernel_w = 3;
    same.window.top = same.window.bottom = same.window.left = same.window.right = 1;
    int seed = 0;
    const auto conv = [&](TensorId from, graph::Activation activation) {
        std::mt19937 random(static_cast<unsigned>(++seed));
        std::vector<float> weights(kChannels * 9 * kChannels);
        for (float& weight : weights)
            weight = 0.1F * (static_cast<float>(random() % 2001) / 1000.0F - 1);
        const TensorId made = b.tensor(Type::float32, shape);
        same.activation = activation;
        b.node(
            same,
            {from, b.constant(Type::float32, {kChannels, 3, 3, kChannels}, weights), graph::kNone},
            {made});
        return made;
    };
    const auto sum = [&](TensorId left, TensorId right, TensorId to) {
        b.node(graph::Binary{graph::Arithmetic::add, {}}, {left, right}, {to});
        return to;
    };
    const TensorId first = conv(b.input(Type::float32, shape), graph::Activation::none);
    TensorId x = first;
    for (int block = 0; block < 2; ++block) {
        const TensorId middle = conv(x, graph::Activation::relu);
        x = sum(x, conv(middle, graph::Activation::none), b.tensor(Type::float32, shape));
    }
    const TensorId last = conv(x, graph::Activation::none);
    sum(last, first, b.output(Type::float32, shape));
    return b.graph;
}

Architecture small(std::int64_t dram0_depth, std::int64_t dram1_depth) {
    Architecture out = artya7100t(DataType::fp32bp16);
    out.array_size = 8;
    out.local_depth = 128;
    out.accumulator_depth = 64;
    out.dram0_depth = dram0_depth;
    out.dram1_depth = dram1_depth;
    return out;
}

std::size_t count(const CompiledTcu& made, Move kind) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < made.program.instructions.size(); ++i)
        n +=
            made.program.instructions[i].is(kDataMove) && made.program.instructions[i].flags == kind
                ? 1
                : 0;
    return n;
}

/// With everything between layers in DRAM; it has the values of the reference.
CompiledTcu follow(const graph::Graph& graph, const Architecture& architecture,
                   TcuOptions target = {}) {
    CompiledTcu made = compile(graph, architecture, target);
    EXPECT_EQ(made.compiled.errors, std::vector<std::string>{});
    if (!made.compiled.ok()) return made;
    expect_near_reference(graph, made, random_inputs(graph, 1));
    return made;
}

constexpr std::int64_t kLarge = 1 << 20;

std::int64_t constants_of(const graph::Graph& graph) {
    return static_cast<std::int64_t>(
               compile(graph, small(kLarge, kLarge), {}).program.constants.size()) /
           8;
}

/// The smallest DRAM0 at which the network has room.
std::int64_t least_dram0(const graph::Graph& graph, std::int64_t dram1_depth) {
    std::int64_t depth = kOfDriver;
    while (!compile(graph, small(depth, dram1_depth), {}).compiled.ok())
        ++depth;
    return depth;
}

TEST(TcuMemory, ResultsTakeThePlaceOfOperands) {
    const graph::Graph graph = residual();
    const std::int64_t constants = constants_of(graph);
    // The input is at the place of what is read last; three tensors, not four, and no output, which
    // takes the place of another when that is free.
    const std::int64_t least = least_dram0(graph, constants);
    EXPECT_EQ(least, 3 * kTensor + kOfDriver);
    for (std::int64_t depth = least; depth < least + 2 * kTensor; depth += 7)
        EXPECT_EQ(count(follow(graph, small(depth, constants)), kLocalToDram1), 0U);
}

TEST(TcuMemory, TensorsAreInDram1WhereDram0HasNoRoom) {
    const graph::Graph graph = residual();
    const std::int64_t constants = constants_of(graph);
    EXPECT_EQ(count(follow(graph, small(kLarge, kLarge)), kLocalToDram1), 0U);
    const std::int64_t least = least_dram0(graph, kLarge);
    // Input and output lie in DRAM0, one behind the other in time.
    EXPECT_EQ(least, kTensor + kOfDriver);
    for (std::int64_t depth = least; depth < 3 * kTensor + kOfDriver; depth += 7) {
        SCOPED_TRACE(depth);
        const CompiledTcu made = follow(graph, small(depth, kLarge));
        EXPECT_GT(count(made, kLocalToDram1), 0U);
        TcuOptions target;
        target.original = true;
        const CompiledTcu original = follow(graph, small(depth, kLarge), target);
        EXPECT_GT(count(original, kLocalToDram1), 0U);
    }
    // One vector less than two tensors have in DRAM1.
    EXPECT_TRUE(compile(graph, small(least, constants + 2 * kTensor), {}).compiled.ok());
    EXPECT_FALSE(compile(graph, small(least, constants + 2 * kTensor - 1), {}).compiled.ok());
}

/// Positions of a store of vector 50 and of loads of vectors 50 and 70 behind it, once overlap()
/// has brought them forward.
std::array<std::size_t, 3> in_order(Move store, Move load) {
    const Architecture architecture = small(kLarge, kLarge);
    Assembled program;
    program.instructions = Instructions(architecture);
    const auto add = [&](Move kind, std::uint64_t local, std::uint64_t other, std::uint64_t size) {
        Instruction i;
        i.opcode = kDataMove;
        i.flags = kind;
        i.address0 = local;
        i.address1 = other;
        i.size = size;
        program.instructions.push_back(i);
        program.layers.push_back(0);
    };
    add(kAccumulatorToLocal, 0, 0, 32);
    add(store, 0, 50, 1);
    add(load, 40, 50, 1);
    add(load, 41, 70, 1);
    const Assembled made = overlap({}, architecture, program);
    std::array<std::size_t, 3> out{};
    for (std::size_t n = 0; n < made.instructions.size(); ++n) {
        const Instruction i = made.instructions[n];
        if (i.flags == store) out[0] = n;
        if (i.flags == load) out[i.address1 == 50 ? 1 : 2] = n;
    }
    return out;
}

/// Other strategies are not tried behind one that takes what accumulators take; the program is as
/// good as the best of all.
TEST(TcuMemory, TheFastestStrategyTakesNoMoreThanEachOfThem) {
    const graph::Graph graph = residual();
    for (const int local : {128, 512, 8192}) {
        Architecture architecture = small(kLarge, kLarge);
        architecture.local_depth = local;
        const CompiledTcu best = compile(graph, architecture, {}, strategies());
        ASSERT_TRUE(best.compiled.ok());
        EXPECT_GT(best.program.instructions.size(), 100U);
        for (const Strategy& strategy : strategies()) {
            TcuOptions target;
            target.strategy = strategy;
            const CompiledTcu one = compile(graph, architecture, target);
            if (!one.compiled.ok()) continue;
            EXPECT_LE(static_cast<double>(best.cycles), 1.002 * static_cast<double>(one.cycles));
        }
    }
}

TEST(TcuMemory, LoadsStayBehindTheStoreOfWhatTheyLoad) {
    for (const auto& [store, load] :
         {std::pair(kLocalToDram0, kDram0ToLocal), std::pair(kLocalToDram1, kDram1ToLocal)}) {
        const std::array<std::size_t, 3> found = in_order(store, load);
        EXPECT_LT(found[0], found[1]);
        EXPECT_LT(found[1], found[2]);
    }
}

TEST(TcuMemory, Dram1HasNoVariablesWhereNetworksShareIt) {
    const graph::Graph graph = residual();
    TcuOptions target;
    target.own_begin = 0;
    const CompiledTcu made = compile(graph, small(3 * kTensor + kOfDriver - 1, kLarge), target);
    ASSERT_EQ(made.compiled.errors.size(), 1U);
    EXPECT_NE(made.compiled.errors[0].find("DRAM1 has the constants of several networks"),
              std::string::npos)
        << made.compiled.errors[0];
    EXPECT_EQ(count(follow(graph, small(3 * kTensor + kOfDriver, kLarge), target), kLocalToDram1),
              0U);
}

TEST(TcuMemory, TensorsThatAreKeptLieInDram0) {
    TcuOptions target;
    target.keep_tensors = true;
    const CompiledTcu made = compile(residual(), small(4 * kTensor, kLarge), target);
    EXPECT_FALSE(made.compiled.ok());
    EXPECT_EQ(count(follow(residual(), small(kLarge, kLarge), target), kLocalToDram1), 0U);
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
