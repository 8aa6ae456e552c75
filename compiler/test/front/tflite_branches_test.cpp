/// IF of TFLite files whose condition is a constant.
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
enum class Way { plain, nested, variable, other_scale, computed, itself };

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
    const int asked =
        way == Way::computed ? b.tensor(truth, {1}) : b.tensor(truth, {1}, {}, {}, yes);
    if (way == Way::computed) b.op(Code::REDUCE_ANY, {b.tensor(truth, {1}), b.int32({0})}, {asked});
    choice(asked, x, {y, z}, way == Way::nested || way == Way::itself ? 3 : 1);
    sum(z, y, last);
    b.end_subgraph({x}, {y, last});
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
        const int in = b.int8({1, 2}), three = b.tensor(int8, {1, 2}, {1}, {0}, threes);
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
        {Way::itself, "more than 8 branches in branches: want fewer"},
    };
    for (const auto& [way, text] : cases) {
        const ReadResult read = read_tflite("net", network(true, way));
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_NE(read.errors[0].find(text), std::string::npos) << read.errors[0];
    }
    const ReadResult read = read_tflite("net", network(true, Way::computed));
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.errors.back().find("control flow that"), std::string::npos) << read.errors[0];
}

}  // namespace
}  // namespace macrame::front
