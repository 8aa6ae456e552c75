/// Damaged files: an error or a graph that can be used, never more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using File = std::vector<std::uint8_t>;

/// Reads and, where that works out, runs the graph if it is small.
void survive(const File& file) {
    const ReadResult result = read_tflite("damaged", file);
    if (!result.ok()) {
        for (const std::string& error : result.errors) {
            ASSERT_EQ(error.rfind("damaged: ", 0), 0U);
            ASSERT_LT(error.size(), 4000U);
            ASSERT_TRUE(result.graph.nodes.empty());
        }
        return;
    }
    ASSERT_TRUE(graph::check(result.graph).empty());
    std::size_t work = 0;
    for (const graph::Tensor& tensor : result.graph.tensors)
        work += tensor.bytes();
    if (work > 1 << 22) return;
    std::vector<graph::Bytes> inputs;
    for (const graph::TensorId id : result.graph.inputs)
        inputs.emplace_back(result.graph.tensor(id).bytes(), std::uint8_t{0});
    try {
        graph::run(result.graph, inputs);
    } catch (const std::invalid_argument&) {
        // An operator without exact arithmetic.
    }
}

void truncate(const File& file) {
    for (std::size_t part = 0; part < 64; ++part) {
        const File piece(file.begin(),
                         file.begin() + static_cast<std::ptrdiff_t>(file.size() * part / 64));
        const ReadResult result = read_tflite("damaged", piece);
        EXPECT_EQ(result.errors.size(), 1U) << part;
        survive(piece);
    }
}

/// One to four bits in each of `count` copies.
void flip(const File& file, int count, unsigned seed) {
    std::mt19937 random(seed);
    int refused = 0;
    for (int i = 0; i < count; ++i) {
        File copy = file;
        for (unsigned bits = 1 + random() % 4; bits > 0; --bits)
            copy[random() % copy.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        survive(copy);
        refused += read_tflite("damaged", copy).ok() ? 0 : 1;
    }
    EXPECT_GT(refused, count / 100);
}

TEST(Malformed, TruncatedFile) { truncate(test::small_network()); }

TEST(Malformed, FlippedBits) { flip(test::small_network(), 2000, 1); }

TEST(Malformed, PublishedNetwork) {
    const char* folder = std::getenv("MACRAME_MODELS");
    if (folder == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
    std::ifstream stream(std::string(folder) + "/kws_dscnn/model.tflite", std::ios::binary);
    const File file{std::istreambuf_iterator<char>(stream), {}};
    ASSERT_FALSE(file.empty());
    truncate(file);
    flip(file, 200, 2);
    // Where the structure is: behind the weights most bits are of no consequence.
    std::mt19937 random(3);
    for (int i = 0; i < 1800; ++i) {
        File copy = file;
        const std::size_t tail = copy.size() - copy.size() / 4;
        copy[(i % 2 == 0 ? 0 : tail) + random() % (copy.size() / 4)] ^=
            static_cast<std::uint8_t>(1U << random() % 8);
        read_tflite("damaged", copy);
    }
}

TEST(Malformed, RandomBytes) {
    std::mt19937 random(4);
    for (int i = 0; i < 500; ++i) {
        File file(random() % 400);
        for (std::uint8_t& byte : file)
            byte = static_cast<std::uint8_t>(random());
        if (file.size() >= 8) std::copy_n("TFL3", 4, file.begin() + 4);
        survive(file);
    }
}

/// A thousand tensors that all name the same megabyte, and what `make` does with each.
ReadResult thousand(const std::function<void(test::TfliteBuilder&, int, std::vector<int>&)>& make) {
    constexpr int kBytes = 1 << 20;
    test::TfliteBuilder b;
    const std::vector<std::int8_t> megabyte(kBytes);
    b.tensor(schema::TensorType::INT8, {kBytes}, {1}, {0}, megabyte);
    std::vector<int> outputs;
    for (int i = 0; i < 1000; ++i) {
        b.buffer = 1;
        make(b, b.int8({kBytes}), outputs);
    }
    return read_tflite("large", b.finish({}, outputs));
}

TEST(Malformed, GigabytesFromOneBuffer) {
    // The tensors have its bytes in common, as in the reference.
    const auto given = [](test::TfliteBuilder&, int tensor, std::vector<int>& outputs) {
        outputs.push_back(tensor);
    };
    const ReadResult shared = thousand(given);
    ASSERT_TRUE(shared.ok()) << shared.errors[0];
    const graph::Graph& g = shared.graph;
    ASSERT_EQ(g.outputs.size(), 1000U);
    EXPECT_EQ(g.tensor(g.outputs[0]).data.data(), g.tensor(g.outputs[999]).data.data());
}

TEST(Malformed, GigabytesOfResults) {
    // Results of constants are there each for itself.
    const auto computed = [](test::TfliteBuilder& b, int tensor, std::vector<int>& outputs) {
        b.buffer = 0;
        outputs.push_back(b.int8({1 << 20}));
        b.op(schema::BuiltinOperator::NEG, {tensor}, {outputs.back()});
    };
    const ReadResult result = thousand(computed);
    ASSERT_FALSE(result.ok());
    EXPECT_NE(result.errors[0].find("want data that are used once"), std::string::npos)
        << result.errors[0];
}

}  // namespace
}  // namespace macrame::front
