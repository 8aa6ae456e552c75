// Inputs whose values choose rows, by the commands.
#include <gtest/gtest.h>

#include "compiler/test/front/tflite_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"

namespace macrame::network {
namespace {

class Ids : public Commands<const char*> {
protected:
    void SetUp() override {
        begin("ids", "net.tflite", GetParam());
        front::test::TfliteBuilder b;
        const int table = b.tensor<std::int8_t>(front::schema::TensorType::INT8, {3, 2}, {1}, {0},
                                                {1, 2, 3, 4, 5, 6});
        const int ids =
            b.tensor<std::int32_t>(front::schema::TensorType::INT32, {1, 1}, {}, {}, {});
        const int y = b.int8({1, 1, 2});
        b.op(front::schema::BuiltinOperator::GATHER, {table, ids}, {y},
             front::schema::OptionsType::GATHER, front::schema::CreateGatherOptions(b.fbb, 0));
        const std::vector<std::uint8_t> network = b.finish({ids}, {y});
        ASSERT_EQ(emit::write_file(file("net.tflite"), std::string(network.begin(), network.end())),
                  "");
    }
    int run_with(char id) {
        const std::string input = file("in" + std::to_string(id));
        EXPECT_EQ(emit::write_file(input, std::string{id, 0, 0, 0}), "");
        return call("run", {"--input", input, "--output", file("out.bin")});
    }
};

TEST_P(Ids, ChooseRowsOrAreRefused) {
    ASSERT_EQ(run_with(2), kPassed) << said_;
    EXPECT_EQ(emit::read_file(file("out.bin")).bytes, (std::string{5, 6}));
    EXPECT_EQ(run_with(3), kUserError);
    EXPECT_NE(said_.find("net.tflite: operator 0 (GATHER)"), std::string::npos) << said_;
    EXPECT_NE(said_.find("index 3: want -3 to 2"), std::string::npos) << said_;
}

INSTANTIATE_TEST_SUITE_P(Presets, Ids, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "of_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
