// The network of compiler/examples/digits on its pictures.
#include <gtest/gtest.h>

#include "compiler/program/program.hpp"
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

std::optional<network::Network> digits(const Design& on) {
    Request request;
    request.network = source_dir() + "/compiler/examples/digits/digits.tflite";
    return network::load(request, on);
}

/// Where it was compiled is nobody's business: program, listing and trace have the file's name.
TEST(Digits, ProgramsHaveNoPathsOfThisMachine) {
    const Design small = design();
    const auto network = digits(small);
    ASSERT_TRUE(network);
    const program::Program& program = network->parts.front().compiled.program;
    EXPECT_EQ(program.network, "digits.tflite");
    std::string all =
        program::listing(program) + std::string(network::view(program::write(program)));
    const std::vector<network::Bytes> input = {network::Bytes(28 * 28)};
    network::Runner runner(small, *network);
    ASSERT_TRUE(runner.run(input));
    for (const auto& [name, text] : runner.program(0).traces("digits", input))
        all += name + text;
    EXPECT_EQ(all.find(source_dir()), std::string::npos);
    EXPECT_EQ(all.find("examples/"), std::string::npos);
}

/// Of a design with a register for the identity; one without it runs the program, too.
TEST(Digits, ProgramsTellWhatTheyDependOn) {
    Config config;
    config.control_bus = "axi4-lite";
    const Design bus = design(config), small = design();
    const auto network = digits(bus);
    ASSERT_TRUE(network);
    const program::Program& program = network->parts.front().compiled.program;
    EXPECT_EQ(program.identity, small.identity());
    EXPECT_EQ(program.parameters, small.program_parameters());
    EXPECT_EQ(program.identity_register, 0x3f018u);
    EXPECT_EQ(program.address_bits, 32u);
    const std::vector<network::Bytes> input = {network::Bytes(28 * 28)};
    EXPECT_TRUE(network::Runner(small, *network).run(input));
    EXPECT_TRUE(network::Runner(bus, *network).run(input));
    config.mac_atomic_c_size = config.cbuf_bank_width = 16;
    EXPECT_FALSE(network::Runner(design(config), *network).run(input));
}

}  // namespace
}  // namespace macrame::dla
