/// Published networks of int8 on the golden model: the same classes as the reference. They are
/// taken from the folder in MACRAME_MODELS.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "compiler/front/front.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/tcu/hazards.hpp"
#include "compiler/test/tcu/follow.hpp"

namespace macrame::tcu::compiler::test {

namespace {

graph::Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

graph::Bytes part(const graph::Bytes& bytes, std::size_t number, std::size_t size) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(number * size);
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

int value(const graph::Bytes& bytes, std::size_t i) { return static_cast<std::int8_t>(bytes[i]); }

std::size_t largest(const graph::Bytes& scores) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < scores.size(); ++i)
        if (value(scores, i) > value(scores, best)) best = i;
    return best;
}

/// A network, and the inputs that are run.
struct Case {
    const char* name;
    std::size_t inputs;
};

class TcuNetwork : public testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        const char* models = std::getenv("MACRAME_MODELS");
        if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
        const std::string folder = std::string(models) + "/" + GetParam().name;
        front::ReadResult result = front::read(folder + "/model.tflite");
        ASSERT_TRUE(result.ok()) << result.errors[0];
        graph_ = std::move(result.graph);
        graph::canonicalise(graph_);
        inputs_ = contents(folder + "/inputs.i8");
        wanted_ = contents(folder + "/outputs_ref.i8");
        ASSERT_GE(inputs_.size(), graph_.tensor(graph_.inputs[0]).bytes());
    }

    graph::Bytes run_one(const CompiledTcu& made, std::size_t number) {
        std::string error;
        const std::size_t size = graph_.tensor(graph_.inputs[0]).bytes();
        const auto outputs = run_network(graph_, made, {part(inputs_, number, size)}, error);
        EXPECT_EQ(error, "");
        return outputs[0];
    }

    /// Every input has the class of the reference.
    void expect_classes(const Architecture& architecture, const TcuOptions& target) {
        const CompiledTcu made = compile(graph_, architecture, target);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        EXPECT_EQ(made.compiled.original_warnings, std::vector<std::string>{});
        EXPECT_TRUE(!target.original || hazards(architecture, made.program.instructions).empty());
        const std::size_t size = graph_.tensor(graph_.outputs[0]).bytes();
        const std::size_t count = std::min(GetParam().inputs, wanted_.size() / size);
        double distance = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const graph::Bytes got = run_one(made, i), want = part(wanted_, i, size);
            EXPECT_EQ(largest(got), largest(want)) << "input " << i;
            for (std::size_t n = 0; n < size; ++n)
                distance += std::abs(value(got, n) - value(want, n));
        }
        // Steps of the softmax, 256 for a probability of 1.
        EXPECT_LT(distance / static_cast<double>(count * size), 4.5);
    }

    graph::Graph graph_;
    graph::Bytes inputs_, wanted_;
};

TEST_P(TcuNetwork, HasTheClassesOfTheReferenceOnEveryBoard) {
    for (const DataType type : {DataType::fp16bp8, DataType::fp32bp16}) {
        expect_classes(artya7100t(type), {});
        expect_classes(ultra96v2(type), {});
        expect_classes(zcu104(type), {});
    }
}

TEST_P(TcuNetwork, HasTheClassesOfTheReferenceOnTheOriginalHardware) {
    TcuOptions target;
    target.original = true;
    expect_classes(artya7100t(), target);
    expect_classes(zcu104(DataType::fp18bp10), target);
}

TEST_P(TcuNetwork, StrategiesHaveTheSameValues) {
    Architecture large = zcu104();
    large.local_depth = 49152;
    graph::Bytes first;
    for (const Strategy& strategy : strategies()) {
        TcuOptions target;
        target.strategy = strategy;
        const CompiledTcu made = compile(graph_, large, target);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        const graph::Bytes got = run_one(made, 0);
        if (first.empty()) first = got;
        EXPECT_EQ(got, first);
    }
}

INSTANTIATE_TEST_SUITE_P(Published, TcuNetwork,
                         testing::Values(Case{"ic_resnet8", 7}, Case{"kws_dscnn", 10},
                                         Case{"vww_mobilenet", 6}, Case{"mnist_valid_q", 30},
                                         Case{"mnist_resnet_q", 30}),
                         [](const auto& test) { return test.param.name; });

}  // namespace

}  // namespace macrame::tcu::compiler::test
