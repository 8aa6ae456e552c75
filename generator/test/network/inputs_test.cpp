// What files become as inputs of a network, and answers.
#include "network/inputs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>

#include "emit/file_io.hpp"
#include "network/answers.hpp"
#include "network/files/picture.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;
using graph::Type;

Network network(std::vector<int> shape, Type type = Type::int8, float scale = 1.0f / 255,
                int zero_point = -128) {
    Network out;
    out.graph.tensors.push_back(
        {"x", type, std::move(shape), {{scale}, {zero_point}, 0}, false, false, {}});
    out.graph.tensors.push_back(
        {"y", Type::int8, {1, 4}, {{1.0f / 256}, {-128}, 0}, false, false, {}});
    out.graph.inputs = {0};
    out.graph.outputs = {1};
    out.graph.nodes.push_back({graph::Softmax{}, {0}, {1}, "operator 0"});
    return out;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
    const std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "}";
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size());
    out += '\0';
    return out + header + data;
}

std::string floats(const std::vector<float>& values) {
    std::string out(4 * values.size(), '\0');
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

/// Red and black, two pixels wide.
std::string two_pixels() {
    Picture picture;
    picture.width = 2;
    picture.height = 1;
    picture.rgb = {255, 0, 10, 0, 0, 0};
    return write_png(picture);
}

class Inputs : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("macrame_inputs_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Adds a file to the request.
    void give(const std::string& name, const std::string& bytes) {
        request_.input.push_back(file(name, bytes));
    }
    std::string file(const std::string& name, const std::string& bytes) {
        fs::remove(folder_ / name);
        EXPECT_EQ(emit::write_file(folder_ / name, bytes), "");
        return (folder_ / name).string();
    }
    std::vector<Bytes> read(const Network& net) {
        const auto inputs = read_inputs(request_, net);
        std::vector<Bytes> out;
        if (inputs) {
            for (const Input& input : *inputs)
                out.push_back(input.tensors.at(0));
        }
        return out;
    }
    /// What it says when it refuses.
    std::string error(const Network& net) {
        testing::internal::CaptureStderr();
        EXPECT_FALSE(read_inputs(request_, net));
        std::string text = testing::internal::GetCapturedStderr();
        request_ = {};
        const std::size_t at = text.find(folder_.string());
        if (at != std::string::npos) text.erase(at, folder_.string().size() + 1);
        return text;
    }

    fs::path folder_;
    Request request_;
};

TEST_F(Inputs, RawBackToBackAndCount) {
    give("a.i8", "abcdef");
    give("b.bin", "xy");
    EXPECT_EQ(read(network({1, 2})),
              (std::vector<Bytes>{{'a', 'b'}, {'c', 'd'}, {'e', 'f'}, {'x', 'y'}}));
    EXPECT_EQ(read_inputs(request_, network({1, 2}))->at(1).name, "a.i8[1]");
    EXPECT_EQ(read_inputs(request_, network({1, 2}))->at(3).name, "b.bin");
    request_.count = 2;
    EXPECT_EQ(read(network({1, 2})).size(), 2u);
    request_.count = 5;
    EXPECT_EQ(error(network({1, 2})), "macrame: --count = 5: want at most 4, the inputs given\n");
    give("a.i8", "abc");
    EXPECT_EQ(error(network({1, 2})),
              "macrame: a.i8: 3 bytes: want a multiple of 2, the bytes of an input, int8 1x2\n");
}

TEST_F(Inputs, RawFloatsAreTakenAsTheFileHasThem) {
    const std::string bytes = floats({0, 0.75f, -0.25f, 1.25f});
    Network net = network({1, 2}, Type::int8, 0.5f, 10);
    net.graph.rounding = graph::Rounding::onnx;  // halves to even
    net.real_inputs = {0};
    const std::vector<Bytes> rounded = {{10, 12}, {10, 12}};
    give("a.bin", bytes);
    testing::internal::CaptureStdout();
    EXPECT_EQ(read(net), rounded);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "inputs: 2 of float32 1x2, made int8 1x2\n");
    // Elements of the network's own, or float32 where the file has integers.
    request_.input_type = "elements";
    EXPECT_EQ(read(net).size(), 8u);
    net.real_inputs.clear();
    request_.input_type = "float32";
    EXPECT_EQ(read(net), rounded);
    give("b.bin", "abcd");
    EXPECT_EQ(error(net),
              "macrame: b.bin: 4 bytes: want a multiple of 8, the bytes of an input, "
              "float32 1x2\n");
    give("c.bin", floats({0, 1.0f / 0.0f}));
    request_.input_type = "float32";
    EXPECT_EQ(error(net), "macrame: c.bin: element 1 is inf: want finite values\n");
}

TEST_F(Inputs, TellsWhatElementsWereTakenFor) {
    give("a.bin", floats({0.5f, 1.5f, -2.5f, 0.1f, 0.2f, 0.3f, 0.4f, 0.6f}));
    testing::internal::CaptureStdout();
    EXPECT_EQ(read(network({1, 8})).size(), 4u);
    EXPECT_EQ(
        testing::internal::GetCapturedStdout(),
        "inputs: 4 of int8 1x8; the bytes look like float32: --input-type float32 converts\n");
    request_ = {};
    give("a.bin", std::string(32, 'x'));
    testing::internal::CaptureStdout();
    read(network({1, 8}));
    // As float32 this is 7e28.
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "inputs: 4 of int8 1x8\n");
}

TEST_F(Inputs, FloatsAreRoundedToElements) {
    // Real 0 is 10, a step is 0.5.
    give("a.npy", npy("<f4", "(2, 3)", floats({0, 0.5f, -0.76f, 1000, -1000, 0.24f})));
    const std::vector<Bytes> made = read(network({1, 3}, Type::int8, 0.5f, 10));
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0], (Bytes{10, 11, 8}));
    EXPECT_EQ(made[1], (Bytes{127, 0x80, 10}));
    give("b.npy", npy("<f4", "(3,)", floats({0, 1.0f / 0.0f, 0})));
    EXPECT_EQ(error(network({1, 3})), "macrame: b.npy: element 1 is inf: want finite values\n");
}

TEST_F(Inputs, ArraysMayLeaveOutAxesOfOne) {
    for (const char* shape : {"(2, 3)", "(1, 2, 3, 1)", "(1, 2, 3)"}) {
        request_ = {};
        give("a.npy", npy("|i1", shape, "abcdef"));
        EXPECT_EQ(read(network({1, 2, 3, 1})),
                  (std::vector<Bytes>{{'a', 'b', 'c', 'd', 'e', 'f'}}));
    }
    give("b.npy", npy("|i1", "(3, 2)", "abcdef"));
    EXPECT_EQ(error(network({1, 2, 3, 1})),
              "macrame: b.npy: 3x2: want 1x2x3x1 or several of them\n");
}

TEST_F(Inputs, PixelsFillTheRangeOfTheInput) {
    give("p.npy", npy("|u1", "(3,)", std::string("\x00\x80\xff", 3)));
    EXPECT_EQ(read(network({1, 3})), (std::vector<Bytes>{{0x80, 0, 127}}));
    EXPECT_EQ(read(network({1, 3}, Type::uint8)), (std::vector<Bytes>{{0, 128, 255}}));
    // -1 .. 1 on an input that goes from -2 to 2.
    request_.pixel_range = {-1, 1};
    EXPECT_EQ(read(network({1, 3}, Type::int8, 2.0f / 128, 0)), (std::vector<Bytes>{{192, 0, 64}}));
    request_.pixel_range.reset();
    EXPECT_EQ(error(network({1, 3}, Type::float32)),
              "macrame: p.npy: pixels for an input of real values: want --pixel-range, the real "
              "values of 0 and 255\n");
}

TEST_F(Inputs, Int16) {
    const Network net = network({1, 3}, Type::int16, 0.5F, 0);
    const Bytes elements = {0x34, 0x12, 0xff, 0xff, 0, 0x80};  // 4660, -1, -32768
    const std::string bytes(view(elements));
    give("a.bin", bytes);
    give("a.npy", npy("<i2", "(3,)", bytes));
    give("b.npy", npy("<f4", "(3,)", floats({2330.2F, -0.5F, -20000})));
    EXPECT_EQ(read(net), (std::vector<Bytes>{elements, elements, elements}));
    request_.input.resize(1);
    request_.input_type = "float32";
    EXPECT_EQ(error(net),
              "macrame: a.bin: 6 bytes: want a multiple of 12, the bytes of an input, float32 "
              "1x3\n");
    give("p.npy", npy("|u1", "(3,)", std::string("\x00\x80\xff", 3)));
    EXPECT_EQ(
        error(net),
        "macrame: p.npy: pixels for an input of int16: want --pixel-range, the real values of "
        "0 and 255\n");
    give("p.npy", npy("|u1", "(3,)", std::string("\x00\x33\xff", 3)));
    request_.pixel_range = {0, 5};
    EXPECT_EQ(read(net), (std::vector<Bytes>{{0, 0, 2, 0, 10, 0}}));
    request_ = {};
    give("c.npy", npy("|i1", "(3,)", "abc"));
    EXPECT_EQ(error(net), "macrame: c.npy: int8 elements for an input of int16: want float32\n");
}

TEST_F(Inputs, OutputsOfInt16) {
    Network net = network({1, 2});
    net.graph.tensors[1].type = Type::int16;
    net.graph.tensors[1].quantisation = {{1.0F / 32768}, {0}, 0};
    const Bytes elements = {0, 0x40, 0xff, 0x7f, 0, 0x80, 1, 0};
    EXPECT_EQ(raw_output(request_, net, 0, elements), std::string(view(elements)));
    request_.output_type = "float32";
    EXPECT_EQ(raw_output(request_, net, 0, elements),
              floats({0.5F, 32767.0F / 32768, -1, 1.0F / 32768}));
    EXPECT_EQ(answer(net, {elements})->ranking, (std::vector<int>{1, 0, 3, 2}));
}

TEST_F(Inputs, Pictures) {
    give("p.png", two_pixels());
    EXPECT_EQ(read(network({1, 1, 2, 3})),
              (std::vector<Bytes>{{127, 0x80, 138, 0x80, 0x80, 0x80}}));
    EXPECT_EQ(read(network({1, 1, 2, 1})), (std::vector<Bytes>{{77 ^ 0x80, 0x80}}));
    // Channels first.
    EXPECT_EQ(read(network({1, 3, 1, 2})),
              (std::vector<Bytes>{{127, 0x80, 0x80, 0x80, 138, 0x80}}));
    request_.resize = true;
    EXPECT_EQ(read(network({1, 1, 1, 3})), (std::vector<Bytes>{{0, 0x80, 0x85}}));
    request_.resize = false;
    EXPECT_EQ(error(network({1, 4, 5, 3})),
              "macrame: p.png: 2 x 1 pixels: want 5 x 4, or --resize\n");
    give("p.png", two_pixels());
    EXPECT_EQ(error(network({1, 640})),
              "macrame: p.png: a picture for an input of 1x640: want height, width and 1 or 3 "
              "channels, or the values as .npy\n");
}

TEST_F(Inputs, OptionsThatNoneOfThemHasAUseFor) {
    const Network net = network({1, 2});
    request_.resize = true;
    give("a.i8", "ab");
    EXPECT_EQ(error(net), "macrame: --resize: none of the inputs is a picture: want it left out\n");
    request_.pixel_range = {0, 1};
    give("a.i8", "ab");
    EXPECT_EQ(error(net),
              "macrame: --pixel-range: none of the inputs has pixels: want it left out\n");
    request_.input_type = "elements";
    give("a.npy", npy("|i1", "(2,)", "ab"));
    EXPECT_EQ(error(net),
              "macrame: --input-type elements: none of the inputs is raw elements: want it left "
              "out\n");
    request_.input_type = "float32";
    give("a.bin", "abcdefgh");
    EXPECT_EQ(error(network({1, 2}, Type::int32)),
              "macrame: --input-type float32: the inputs are int32 1x2: want elements\n");
}

TEST_F(Inputs, AFolderHoldsInputsByName) {
    file("b.i8", "cd");
    file("a.i8", "ab");
    file("labels.txt", "0\n");
    request_.input = {folder_.string()};
    EXPECT_EQ(read(network({1, 2})), (std::vector<Bytes>{{'a', 'b'}, {'c', 'd'}}));
}

TEST_F(Inputs, SoundIsForVectorsOfSamples) {
    const std::string samples("\x00\x00\x00\x40\x00\x80", 6);
    std::string wav("RIFF\x2a\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00", 24);
    wav += std::string("\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00", 12);
    wav += std::string("data\x06\x00\x00\x00", 8) + samples;
    give("s.wav", wav);
    EXPECT_EQ(read(network({1, 3}, Type::int8, 1.0f / 128, 0)),
              (std::vector<Bytes>{{0, 64, 0x80}}));
    EXPECT_EQ(error(network({1, 4})), "macrame: s.wav: 3 samples, 16000 per second: want 4\n");
    give("s.wav", wav);
    EXPECT_EQ(error(network({1, 49, 10, 1})),
              "macrame: s.wav: sound for an input of 1x49x10x1: want its features as .npy, this "
              "network takes no samples\n");
}

TEST_F(Inputs, SeveralInputsOfANetwork) {
    Network net = network({1, 2});
    net.graph.inputs = {0, 1};
    give("a.npy", npy("|i1", "(2,)", "ab"));
    give("b.npy", npy("|i1", "(4,)", "cdef"));
    const auto inputs = read_inputs(request_, net);
    ASSERT_TRUE(inputs);
    ASSERT_EQ(inputs->size(), 1u);
    EXPECT_EQ(inputs->at(0).tensors, (std::vector<Bytes>{{'a', 'b'}, {'c', 'd', 'e', 'f'}}));
    request_ = {};
    give("all.i8", "abcdefABCDEF");
    EXPECT_EQ(read_inputs(request_, net)->size(), 2u);
    give("c.npy", npy("|i1", "(2,)", "ab"));
    EXPECT_EQ(error(net),
              "macrame: 1 files: want 2 for each run, one for each input of the network\n");
}

TEST_F(Inputs, ByName) {
    Network net = network({1, 2});
    net.graph.inputs = {0, 1};
    const auto by_name = [&](const std::string& name, const std::string& bytes) {
        request_.input.push_back(name.substr(0, 1) + "=" + file(name, bytes));
    };
    by_name("y.npy", npy("|i1", "(2, 4)", "cdefCDEF"));
    by_name("x.bin", "abAB");
    const auto inputs = read_inputs(request_, net);
    ASSERT_TRUE(inputs);
    ASSERT_EQ(inputs->size(), 2u);
    EXPECT_EQ(inputs->at(0).tensors, (std::vector<Bytes>{{'a', 'b'}, {'c', 'd', 'e', 'f'}}));
    EXPECT_EQ(inputs->at(1).tensors, (std::vector<Bytes>{{'A', 'B'}, {'C', 'D', 'E', 'F'}}));
    by_name("x2.bin", "ab");
    EXPECT_EQ(error(net), "macrame: input y: 2 values by name, 3 of input x: want as many\n");
    by_name("x.bin", "abc");
    EXPECT_EQ(error(net),
              "macrame: x.bin: 3 bytes: want a multiple of 2, the bytes of an input, int8 1x2\n");
    by_name("x.bin", "ab");
    give("all.bin", "abcdef");
    EXPECT_EQ(error(net), "macrame: inputs by name and without: want all by name, or none\n");
}

TEST_F(Inputs, OutputsHaveTheTypeOfTheFile) {
    Network net = network({1, 2});
    const Bytes elements = {0x80, 0x7f, 0, 0};
    EXPECT_EQ(raw_output(request_, net, 0, elements), std::string(view(elements)));
    net.real_outputs = {0};
    const std::string real = floats({0, 255.0f / 256, 0.5f, 0.5f});
    EXPECT_EQ(raw_output(request_, net, 0, elements), real);
    request_.output_type = "elements";
    EXPECT_EQ(raw_output(request_, net, 0, elements), std::string(view(elements)));
    net.real_outputs = {};
    request_.output_type = "float32";
    EXPECT_EQ(raw_output(request_, net, 0, elements), real);
}

TEST_F(Inputs, AnswersAndLabels) {
    const Network net = network({1, 2});
    const auto made = answer(net, {{0x80, 0x7f, 0x80, 0x81}});
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->probabilities);
    EXPECT_EQ(made->ranking, (std::vector<int>{1, 3, 0, 2}));
    EXPECT_EQ(made->value_text(1), "99.6 %");
    request_.labels = file("labels.txt", "\n1\r\n0\n");
    request_.classes = file("classes.txt", "cat\ndog\nfox\nowl\n");
    const auto classes = read_classes(request_, net, 3);
    ASSERT_TRUE(classes);
    EXPECT_EQ(classes->text(1), "1 dog");
    Accuracy accuracy;
    for (const auto& label : classes->labels)
        accuracy.count(label, *made);
    EXPECT_EQ(accuracy.text(), "top-1: 1 of 2 (50.0 %)");
}

TEST_F(Inputs, WrongLabels) {
    const Network net = network({1, 2});
    const auto refusal = [&](const std::string& labels, const std::string& classes) {
        request_.labels = labels.empty() ? "" : file("labels.txt", labels);
        request_.classes = classes.empty() ? "" : file("classes.txt", classes);
        testing::internal::CaptureStderr();
        EXPECT_FALSE(read_classes(request_, net, 2));
        const std::string text = testing::internal::GetCapturedStderr();
        fs::remove(folder_ / "labels.txt");
        fs::remove(folder_ / "classes.txt");
        return text.substr(text.find(".txt") + 6);
    };
    EXPECT_EQ(refusal("1\n", ""), "1 lines: want 2, one for each input\n");
    EXPECT_EQ(refusal("1\n4\n", ""), "line 2: '4': want a class, 0 to 3, or nothing\n");
    EXPECT_EQ(refusal("1\ncat\n", ""), "line 2: 'cat': want a class, 0 to 3, or nothing\n");
    EXPECT_EQ(refusal("", "cat\ndog\n"), "2 lines: want 4, one for each class\n");
}

}  // namespace
}  // namespace macrame::network
