/// Networks of others all in C, with what they remember: the bytes of the reference executor. They
/// are in the folder MACRAME_MODELS.

#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/front/front.hpp"
#include "compiler/test/host_c/compiled_c.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, NetworksOfOthers) {
    const char* models = std::getenv("MACRAME_MODELS");
    if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
    std::vector<graph::Graph> graphs;
    std::vector<std::string> names;
    for (const std::string name :
         {"micro-wake-word-models__vad", "openmv__fomo_face_detection", "mltk__rock_paper_scissors",
          "tflite-micro__trained_lstm_int8", "esp-tflite-micro__model.cc_carray",
          "tflite-micro__network_model.h_carray"}) {
        front::ReadResult read =
            front::read(std::string(models) + "/zoo/" + name + "/model.tflite");
        ASSERT_TRUE(read.ok()) << read.errors[0];
        graphs.push_back(std::move(read.graph));
        names.push_back(name);
    }
    expect_reference(graphs, names);
}

}  // namespace
}  // namespace macrame::compiler::host_c
