/// IF of TFLite files, WHILE whose conditions are constants, and composites.
#include <gtest/gtest.h>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using test::TfliteBuilder;
using Code = schema::BuiltinOperator;
using Type = schema::OptionsType;

/// Another IF, a variable, or a file that is wrong.
enum class Way { plain, nested, variable, other_scale, computed, other_shape, other_type, itself };

/// y, z = IF(condition, x): x + x and x, or 3 and 3; z is x + y behind it.
std::vector<std::uint8_t> network(bool condition, Way way = Way::plain) {
    TfliteBuilder b;
    auto& f = b.fbb;
    const auto int8 = schema::TensorType::INT8;
    const auto truth = schema::TensorType::BOOL;
    const std::vector<std::int8_t> yes = {condition}, threes = {3, 3};
    const auto sum = [&](int p, int q, int to) {
        b.op(Code::ADD, {p, q}, {to}, Type::ADD, schema::CreateArithmeticOptions(f));
    };
    const auto choice = [&](int asked, int x, const std::vector<std::int32_t>& out, int then) {
        b.op(Code::IF, {asked, x}, out, Type::IF, schema::CreateIfOptions(f, then, 2));
    };
    const int x = b.int8({1, 2}), y = b.int8({1, 2}), z = b.int8({1, 2}), last = b.int8({1, 2});
    const bool computed = way == Way::computed || way == Way::other_shape || way == Way::other_type;
    const int asked = way == Way::other_type ? b.int8({1})
                      : computed             ? b.tensor(truth, {1})
                                             : b.tensor(truth, {1}, {}, {}, yes);
    choice(asked, x, {y, z}, way == Way::nested || way == Way::itself ? 3 : 1);
    sum(z, y, last);
    std::vector<std::int32_t> inputs = {x};
    if (computed) inputs.push_back(asked);
    b.end_subgraph(inputs, {y, last});
    {
        const int in = b.int8({1, 2}, way == Way::other_scale ? 2 : 1), out = b.int8({1, 2});
        const int kept = b.int8({1, 2});
        if (way == Way::variable) {
            const int handle = b.tensor(schema::TensorType::RESOURCE, {});
            b.op(Code::VAR_HANDLE, {}, {handle}, Type::VAR_HANDLE,
                 schema::CreateVarHandleOptionsDirect(f, "", "ring"));
            b.op(Code::READ_VARIABLE, {handle}, {kept});
        }
        sum(in, way == Way::variable ? kept : in, out);
        b.end_subgraph({in}, {out, in});
    }
    {
        const std::vector<std::int32_t> shape = way == Way::other_shape
                                                    ? std::vector<std::int32_t>{2, 1}
                                                    : std::vector<std::int32_t>{1, 2};
        const int in = b.int8({1, 2}), three = b.tensor(int8, shape, {1}, {0}, threes);
        b.end_subgraph({in}, {three, three});
    }
    const int in = b.int8({1, 2}), p = b.int8({1, 2}), q = b.int8({1, 2});
    choice(b.tensor(truth, {}, {}, {}, yes), in, {p, q}, way == Way::itself ? 3 : 1);
    return b.finish({in}, {p, q});
}

using Outputs = std::vector<graph::Bytes>;

TEST(TfliteBranches, AreTakenAsTheConditionSays) {
    for (const Way way : {Way::plain, Way::nested}) {
        const ReadResult yes = read_tflite("net", network(true, way));
        ASSERT_TRUE(yes.ok()) << yes.errors[0];
        EXPECT_EQ(graph::run(yes.graph, {{5, 7}}), (Outputs{{10, 14}, {15, 21}}));
        const ReadResult no = read_tflite("net", network(false, way));
        ASSERT_TRUE(no.ok()) << no.errors[0];
        EXPECT_EQ(graph::run(no.graph, {{5, 7}}), (Outputs{{3, 3}, {6, 6}}));
    }
}

TEST(TfliteBranches, AreRefusedWithTheirPlace) {
    const std::pair<Way, const char*> cases[] = {
        {Way::variable,
         "net: operator 0 (IF), tensor t1: subgraph 1: operator 0 (VAR_HANDLE): a variable in a "
         "branch: want it read and assigned outside of IF"},
        {Way::other_scale,
         "net: operator 0 (IF), tensor t1: subgraph 1: input 0 (t0): want a tensor of its own, of "
         "the type and scale of t0"},
        {Way::other_shape,
         "net: operator 0 (IF), tensor t1: control flow that t4 decides, with a result t1 of 1x2 "
         "in "
         "one branch and 2x1 in the other: want the same shape, type and scale in both, or the "
         "condition decided before conversion, or a network for each way"},
        {Way::other_type, "condition t4 is 1 of type int8: want one of bool"},
        {Way::itself, "more than 8 branches in branches: want fewer"},
    };
    for (const auto& [way, text] : cases) {
        const ReadResult read = read_tflite("net", network(true, way));
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_NE(read.errors[0].find(text), std::string::npos) << read.errors[0];
    }
}

TEST(TfliteBranches, BothAreThereWhereTheConditionIsComputed) {
    const ReadResult read = read_tflite("net", network(true, Way::computed));
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(graph::run(read.graph, {{5, 7}, {1}}), (Outputs{{10, 14}, {15, 21}}));
    EXPECT_EQ(graph::run(read.graph, {{5, 7}, {0}}), (Outputs{{3, 3}, {6, 6}}));
}

/// x doubled as often as the number says, which is a constant or an input of the network.
std::vector<std::uint8_t> loop(bool known, int least = 1) {
    TfliteBuilder b;
    auto& f = b.fbb;
    const auto truth = schema::TensorType::BOOL, wide = schema::TensorType::INT32;
    const int turns = known ? b.int32({3}) : b.tensor(wide, {1}), x = b.int8({1, 2});
    const int left = b.tensor(wide, {1}), y = b.int8({1, 2});
    b.op(Code::WHILE, {turns, x}, {left, y}, Type::WHILE, schema::CreateWhileOptions(f, 1, 2));
    b.end_subgraph(known ? std::vector<std::int32_t>{x} : std::vector<std::int32_t>{turns, x}, {y});
    {
        const int number = b.tensor(wide, {1}), in = b.int8({1, 2}), more = b.tensor(truth, {1});
        b.op(Code::GREATER_EQUAL, {number, b.int32({least})}, {more});
        b.end_subgraph({number, in}, {more});
    }
    const int number = b.tensor(wide, {1}), in = b.int8({1, 2});
    const int next = b.tensor(wide, {1}), sum = b.int8({1, 2});
    b.op(Code::ADD, {in, in}, {sum}, Type::ADD, schema::CreateArithmeticOptions(f));
    b.op(Code::SUB, {number, b.int32({1})}, {next}, Type::SUB, schema::CreateArithmeticOptions(f));
    return b.finish({number, in}, {next, sum});
}

TEST(TfliteBranches, LoopsWhoseTurnsAreKnown) {
    const ReadResult three = read_tflite("net", loop(true));
    ASSERT_TRUE(three.ok()) << three.errors[0];
    EXPECT_EQ(graph::run(three.graph, {{5, 7}}), (Outputs{{40, 56}}));
    const ReadResult none = read_tflite("net", loop(true, 4));
    ASSERT_TRUE(none.ok()) << none.errors[0];
    EXPECT_EQ(graph::run(none.graph, {{5, 7}}), (Outputs{{5, 7}}));
    const ReadResult open = read_tflite("net", loop(false));
    ASSERT_FALSE(open.ok());
    EXPECT_NE(open.errors[0].find("control flow whose number of turns is computed"),
              std::string::npos)
        << open.errors[0];
    const ReadResult endless = read_tflite("net", loop(true, -3000));
    ASSERT_FALSE(endless.ok());
    EXPECT_NE(endless.errors[0].find("more than 2048 turns"), std::string::npos)
        << endless.errors[0];
}

TEST(TfliteBranches, CompositesAreWhatTheyStandFor) {
    for (const int number : {1, 7}) {
        TfliteBuilder b;
        const int x = b.int8({1, 2}), y = b.int8({1, 2});
        b.composite({x}, {y}, number);
        b.end_subgraph({x}, {y});
        const int in = b.int8({1, 2}), sum = b.int8({1, 2});
        b.op(Code::ADD, {in, in}, {sum}, Type::ADD, schema::CreateArithmeticOptions(b.fbb));
        const ReadResult read = read_tflite("net", b.finish({in}, {sum}));
        ASSERT_EQ(read.ok(), number == 1) << read.errors[0];
        if (read.ok())
            EXPECT_EQ(graph::run(read.graph, {{5, 7}}), (Outputs{{10, 14}}));
        else
            EXPECT_NE(read.errors[0].find("subgraph 7: want one of 1 to 1"), std::string::npos);
    }
}

}  // namespace
}  // namespace macrame::front
