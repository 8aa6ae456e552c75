// The network of compiler/examples/digits on its pictures.
#include <gtest/gtest.h>

#include "network/answers.hpp"
#include "network/inputs.hpp"
#include "network/runner.hpp"
#include "support.hpp"
#include "test/source_dir.hpp"

namespace macrame::dla {
namespace {

TEST(Digits, ReadsItsPictures) {
    const std::string folder = source_dir() + "/compiler/examples/digits/";
    Request request;
    request.network = folder + "digits.tflite";
    request.input = {folder + "pictures"};
    request.labels = folder + "labels.txt";
    request.classes = folder + "classes.txt";
    const Design nv_small = design();
    const auto network = network::load(request, nv_small);
    ASSERT_TRUE(network);
    const auto inputs = network::read_inputs(request, *network);
    ASSERT_TRUE(inputs);
    ASSERT_EQ(inputs->size(), 10U);
    const auto classes = network::read_classes(request, *network, inputs->size());
    ASSERT_TRUE(classes);
    EXPECT_EQ(classes->text(7), "7 seven");

    network::Runner runner(nv_small, *network);
    network::Accuracy accuracy;
    for (std::size_t i = 0; i < inputs->size(); ++i) {
        const std::vector<network::Bytes>& tensors = (*inputs)[i].tensors;
        const auto got = runner.run(tensors);
        ASSERT_TRUE(got);
        const auto answer = network::answer(*network, *got);
        ASSERT_TRUE(answer);
        accuracy.count(classes->labels[i], *answer);
        // nv_small has no exact mapping for layers without an activation: small differences stay.
        const network::Bytes want = graph::run(network->graph, tensors)[0];
        for (std::size_t c = 0; c < want.size(); ++c) {
            EXPECT_NEAR(static_cast<std::int8_t>((*got)[0][c]), static_cast<std::int8_t>(want[c]),
                        4)
                << "picture " << i << ", class " << c;
        }
    }
    EXPECT_EQ(accuracy.text(), "top-1: 10 of 10 (100.0 %)");
}

}  // namespace
}  // namespace macrame::dla
