/// Published networks of int8: the classes of the reference. They are taken from the folder in
/// MACRAME_MODELS.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/front/front.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/host.hpp"
#include "compiler/test/systolic/follow.hpp"

namespace macrame::systolic::compiler {
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

class SystolicNetwork : public testing::TestWithParam<Case> {
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

    /// Every input has the class of the reference.
    void expect_classes(const Architecture& architecture) {
        const CompiledSystolic made = compile(graph_, architecture);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        expect_right(made.program);
        const std::size_t in = graph_.tensor(graph_.inputs[0]).bytes();
        const std::size_t size = graph_.tensor(graph_.outputs[0]).bytes();
        const std::size_t count = std::min(GetParam().inputs, wanted_.size() / size);
        double distance = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::string error;
            macrame::compiler::HostSide host(graph_, made.compiled);
            const auto outputs = run(made.program, host.inputs({part(inputs_, i, in)}), error);
            ASSERT_EQ(error, "");
            const graph::Bytes got = host.outputs(outputs)[0], want = part(wanted_, i, size);
            EXPECT_EQ(largest(got), largest(want)) << "input " << i;
            for (std::size_t n = 0; n < size; ++n)
                distance += std::abs(value(got, n) - value(want, n));
        }
        // Steps of the softmax, 256 for a probability of 1.
        EXPECT_LT(distance / static_cast<double>(count * size), 2.5);
    }

    graph::Graph graph_;
    graph::Bytes inputs_, wanted_;
};

TEST_P(SystolicNetwork, HasTheClassesOfTheReference) {
    Architecture large;
    large.ibuf_entries = large.wbuf_entries = large.obuf_entries = 2048;
    expect_classes(large);
    expect_classes(Architecture());
}

TEST_P(SystolicNetwork, HasThemOnAnArrayOfAnotherShape) {
    Architecture odd;
    odd.rows = 12;
    odd.columns = 20;
    odd.bus_bytes = 8;
    odd.queue_depth = 2;
    odd.token_depth = 1;
    expect_classes(odd);
}

INSTANTIATE_TEST_SUITE_P(Published, SystolicNetwork,
                         testing::Values(Case{"ic_resnet8", 7}, Case{"kws_dscnn", 10},
                                         Case{"vww_mobilenet", 6}, Case{"mnist_valid_q", 30},
                                         Case{"mnist_resnet_q", 30}),
                         [](const auto& test) { return test.param.name; });

/// One run of a network on exact scales, byte by byte; false: it is refused, or is no such network.
bool has_the_bytes_of_the_reference(const std::filesystem::path& folder) {
    const graph::Bytes inputs = contents(folder / "inputs.bin");
    const graph::Bytes wanted = contents(folder / "outputs_ref.bin");
    front::ReadResult result = front::read(folder / "model.tflite");
    if (inputs.empty() || !result.ok()) return false;
    graph::Graph graph = std::move(result.graph);
    graph::canonicalise(graph);
    Architecture architecture;
    architecture.exact = true;
    const CompiledSystolic made = compile(graph, architecture);
    if (!made.compiled.ok()) return false;
    std::vector<graph::Bytes> in;
    std::size_t begin = 0;
    for (const graph::TensorId id : graph.inputs) {
        const auto from = inputs.begin() + static_cast<std::ptrdiff_t>(begin);
        begin += graph.tensor(id).bytes();
        in.emplace_back(from, inputs.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    std::string error;
    macrame::compiler::HostSide host(graph, made.compiled);
    graph::Bytes got;
    for (const graph::Bytes& output : host.outputs(run(made.program, host.inputs(in), error)))
        got.insert(got.end(), output.begin(), output.end());
    EXPECT_EQ(error, "");
    EXPECT_EQ(got, part(wanted, 0, got.size())) << folder;
    for (const auto& exact : made.compiled.exactness)
        EXPECT_EQ(exact.proved, exact.channels)
            << folder << ": " << graph.nodes[static_cast<std::size_t>(exact.node)].where;
    return true;
}

TEST(SystolicNetworks, ExactScalesHaveTheBytesOfTflite) {
    const char* models = std::getenv("MACRAME_MODELS");
    if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
    int equal = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(models) + "/zoo"))
        if (entry.is_directory() && has_the_bytes_of_the_reference(entry.path())) ++equal;
    EXPECT_GE(equal, 20);
}

}  // namespace
}  // namespace macrame::systolic::compiler
