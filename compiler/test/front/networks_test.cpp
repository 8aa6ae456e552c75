/// Published networks with the tensors of a reference executor, byte for byte. They are taken from
/// the folder in MACRAME_MODELS.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::front {
namespace {

graph::Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

graph::Bytes part(const graph::Bytes& bytes, std::size_t number, std::size_t size) {
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(number * size);
    return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

class NetworkTest : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const char* models = std::getenv("MACRAME_MODELS");
        if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
        folder_ = std::string(models) + "/" + GetParam();
        ReadResult result = read(folder_ + "/model.tflite");
        ASSERT_TRUE(result.ok()) << result.errors[0];
        graph_ = std::move(result.graph);
        inputs_ = contents(folder_ + "/inputs.i8");
        size_ = graph_.tensor(graph_.inputs[0]).bytes();
        ASSERT_GE(inputs_.size(), size_);
    }

    std::string folder_;
    graph::Graph graph_;
    graph::Bytes inputs_;
    std::size_t size_ = 0;  ///< of one input
};

TEST_P(NetworkTest, EveryLayerOfTheFirstInputs) {
    // "first 2 inputs, ..."; then lines "layers_ref/03_ADD.i8 shape 2x32x32x16": number of the
    // operator, shape of all inputs.
    std::ifstream index(folder_ + "/layers_ref/index.txt");
    std::string word;
    std::size_t count = 0;
    index >> word >> count;
    std::vector<graph::Bytes> layers;
    while (index >> word) {
        if (word.rfind("layers_ref/", 0) == 0) layers.push_back(contents(folder_ + "/" + word));
    }
    ASSERT_GE(count, 1U);
    ASSERT_EQ(layers.size(), graph_.nodes.size());
    for (std::size_t input = 0; input < count; ++input) {
        std::size_t layer = 0;
        graph::run(graph_, {part(inputs_, input, size_)},
                   [&](graph::TensorId id, const graph::Bytes& got) {
                       const graph::Bytes& want = layers[layer++];
                       const bool fits = want.size() == count * got.size();
                       EXPECT_TRUE(fits && got == part(want, input, got.size()))
                           << "layer " << layer - 1 << ", " << graph_.tensor(id).name;
                   });
        EXPECT_EQ(layer, layers.size());
    }
}

TEST_P(NetworkTest, OutputsOfAllInputs) {
    const graph::Bytes want = contents(folder_ + "/outputs_ref.i8");
    const std::size_t count = inputs_.size() / size_;
    graph::Bytes got;
    for (std::size_t i = 0; i < count; ++i) {
        const graph::Bytes output = graph::run(graph_, {part(inputs_, i, size_)})[0];
        got.insert(got.end(), output.begin(), output.end());
    }
    EXPECT_TRUE(got == want);
}

INSTANTIATE_TEST_SUITE_P(Published, NetworkTest,
                         testing::Values("kws_dscnn", "ic_resnet8", "vww_mobilenet",
                                         "mnist_valid_q", "mnist_resnet_q"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace macrame::front
