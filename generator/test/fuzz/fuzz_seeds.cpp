/// First inputs of fuzz targets whose files are not text: `fuzz_seeds FOLDER` writes them below it,
/// in a folder for each target. Networks of MACRAME_MODELS come along if that is set.
#include <turbojpeg.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "compiler/dla/compile.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "compiler/test/front/tflite_builder.hpp"
#include "compiler/test/program/sample.hpp"
#include "network/files/picture.hpp"

namespace macrame {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;
using front::test::Attributes;
using front::test::Ints;
using front::test::OnnxBuilder;
using front::test::TfliteBuilder;
using Code = TfliteBuilder::Code;
namespace schema = front::schema;
using Options = schema::OptionsType;

struct Seeds {
    fs::path folder;
    int number = 0;

    template <typename File>
    void write(const char* target, const File& file) {
        fs::create_directories(folder / target);
        std::ofstream(folder / target / std::to_string(number++), std::ios::binary)
            .write(reinterpret_cast<const char*>(file.data()),
                   static_cast<std::streamsize>(file.size()));
    }
    void network(const char* target, const Bytes& file) {
        write(target, file);
        write("compile", file);
    }
};

// ---------------------------------------------------------------- TFLite

/// Operators of one or two tensors that compute.
Bytes arithmetic() {
    TfliteBuilder b;
    auto& f = b.fbb;
    const std::vector<int> shape = {1, 4, 4, 8};
    const int x = b.int8(shape, 0.05F, 3);
    const auto next = [&] { return b.int8(shape, 0.07F, -5); };
    const int relu = next(), sum = next(), product = next(), difference = next(), most = next(),
              leaky = next(), curve = next(), swish = next(), slopes = next(), again = next();
    const int answer = b.int8(shape, 1 / 256.0F, -128);
    const int alpha = b.tensor(schema::TensorType::INT8, {1, 1, 8}, {0.01F}, {0},
                               std::vector<std::int8_t>{1, 2, 3, 4, 5, 6, 7, 8});
    b.op(Code::RELU, {x}, {relu});
    b.op(Code::ADD, {x, relu}, {sum}, Options::ADD,
         schema::CreateArithmeticOptions(f, schema::Activation::RELU6));
    b.op(Code::MUL, {x, sum}, {product}, Options::MUL, schema::CreateArithmeticOptions(f));
    b.op(Code::SUB, {product, sum}, {difference}, Options::SUB, schema::CreateArithmeticOptions(f));
    b.op(Code::MAXIMUM, {difference, sum}, {most});
    b.op(Code::LEAKY_RELU, {most}, {leaky}, Options::LEAKY_RELU,
         schema::CreateLeakyReluOptions(f, 0.2F));
    b.op(Code::HARD_SWISH, {leaky}, {swish});
    b.op(Code::PRELU, {swish, alpha}, {slopes});
    b.op(Code::TANH, {slopes}, {curve});
    b.op(Code::QUANTIZE, {curve}, {again});
    b.op(Code::LOGISTIC, {again}, {answer});
    return b.finish({x}, {answer});
}

/// Operators that move elements.
Bytes layout() {
    TfliteBuilder b;
    auto& f = b.fbb;
    const auto next = [&](const std::vector<int>& shape) { return b.int8(shape, 0.05F, 3); };
    const int x = next({1, 4, 4, 8});
    const int padded = next({1, 6, 6, 8}), left = next({1, 6, 6, 4}), right = next({1, 6, 6, 4}),
              part = next({1, 6, 6, 8}), joined = next({1, 6, 12, 8}), cut = next({1, 3, 6, 8}),
              large = next({1, 6, 12, 8}), smooth = next({1, 12, 24, 8}),
              turned = next({8, 24, 12, 1}), mean = next({8, 1});
    const auto index = b.tensor(schema::TensorType::INT32, {8});
    const int amounts =
        b.tensor<std::int32_t>(schema::TensorType::INT32, {4, 2}, {}, {}, {0, 0, 1, 1, 1, 1, 0, 0});
    b.op(Code::PAD, {x, amounts}, {padded});
    b.op(Code::SPLIT, {b.tensor<std::int32_t>(schema::TensorType::INT32, {}, {}, {}, {3}), padded},
         {left, right});
    b.op(Code::CONCATENATION, {right, left}, {part}, Options::CONCATENATION,
         schema::CreateConcatenationOptions(f, 3));
    b.op(Code::CONCATENATION, {part, padded}, {joined}, Options::CONCATENATION,
         schema::CreateConcatenationOptions(f, 2));
    b.op(Code::STRIDED_SLICE,
         {joined, b.int32({0, 0, 0, 0}), b.int32({1, 6, 12, 8}), b.int32({1, 2, 2, 1})}, {cut},
         Options::STRIDED_SLICE, schema::CreateStridedSliceOptions(f, 0, 0, 0, 0, 0));
    b.op(Code::RESIZE_NEAREST_NEIGHBOR, {cut, b.int32({6, 12})}, {large},
         Options::RESIZE_NEAREST_NEIGHBOR, schema::CreateResizeNearestNeighborOptions(f));
    b.op(Code::RESIZE_BILINEAR, {large, b.int32({12, 24})}, {smooth}, Options::RESIZE_BILINEAR,
         schema::CreateResizeBilinearOptions(f, false, true));
    b.op(Code::TRANSPOSE, {smooth, b.int32({3, 2, 1, 0})}, {turned});
    b.op(Code::MEAN, {turned, b.int32({1, 2})}, {mean}, Options::REDUCER,
         schema::CreateReducerOptions(f, false));
    b.op(Code::ARG_MAX, {mean, b.tensor<std::int32_t>(schema::TensorType::INT32, {}, {}, {}, {1})},
         {index});
    return b.finish({x}, {index, mean, smooth});
}

/// Windows of all kinds.
Bytes windows() {
    TfliteBuilder b;
    auto& f = b.fbb;
    const auto int8 = schema::TensorType::INT8;
    const auto next = [&](int size) { return b.int8({1, size, size, 4}, 0.1F, -128); };
    const auto weights = [&](std::vector<int> shape, int axis) {
        std::size_t count = 1;
        for (const int size : shape)
            count *= static_cast<std::size_t>(size);
        std::vector<std::int8_t> data(count);
        for (std::size_t i = 0; i < count; ++i)
            data[i] = static_cast<std::int8_t>(i * 29 % 255 - 127);
        return b.tensor(int8, shape, {0.01F, 0.02F, 0.005F, 0.01F}, {0, 0, 0, 0}, data, axis);
    };
    const int x = b.int8({1, 9, 9, 3}, 0.5F, 0);
    const int a = next(9), c = next(5), d = next(4), e = next(2), g = next(4), h = next(4);
    using schema::Activation;
    using schema::Padding;
    b.op(Code::CONV_2D, {x, weights({4, 3, 3, 3}, 0), -1}, {a}, Options::CONV_2D,
         schema::CreateConv2DOptions(f, Padding::SAME, 1, 1, Activation::RELU));
    b.op(Code::CONV_2D, {a, weights({4, 3, 3, 4}, 0), -1}, {c}, Options::CONV_2D,
         schema::CreateConv2DOptions(f, Padding::VALID, 1, 1, Activation::RELU6, 2, 2));
    b.op(Code::MAX_POOL_2D, {c}, {d}, Options::POOL_2D,
         schema::CreatePool2DOptions(f, Padding::VALID, 1, 1, 2, 2));
    b.op(Code::AVERAGE_POOL_2D, {d}, {e}, Options::POOL_2D,
         schema::CreatePool2DOptions(f, Padding::SAME, 2, 2, 3, 3));
    b.op(Code::TRANSPOSE_CONV, {b.int32({1, 4, 4, 4}), weights({4, 2, 2, 4}, 0), e}, {g},
         Options::TRANSPOSE_CONV, schema::CreateTransposeConvOptions(f, Padding::SAME, 2, 2));
    b.op(Code::DEPTHWISE_CONV_2D, {g, weights({1, 3, 3, 4}, 3), -1}, {h},
         Options::DEPTHWISE_CONV_2D,
         schema::CreateDepthwiseConv2DOptions(f, Padding::SAME, 1, 1, 1));
    return b.finish({x}, {h});
}

// ---------------------------------------------------------------- ONNX

/// Operators between dequantisation and quantisation.
Bytes pairs() {
    OnnxBuilder b;
    std::string x = b.pair(b.input({1, 8, 6, 5}), 0.5F, -3);
    const std::string w = b.dequantised(
        b.constant<std::int8_t>(OnnxBuilder::kInt8, {8, 8, 3, 3}, std::vector<std::int8_t>(576, 5)),
        0.01F, 0);
    x = b.pair(b.op("Relu", {b.op("Conv", {x, w}, {{"pads", Ints{1, 1, 1, 1}}})}), 2, -128);
    x = b.op("MaxPool", {x}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    x = b.pair(b.op("Add", {x, x}), 4, 1);
    x = b.pair(b.op("Sigmoid", {x}), 0.004F, -128);
    x = b.pair(b.op("Concat", {x, x}, {{"axis", std::int64_t{1}}}), 0.004F, -128);
    x = b.pair(b.op("GlobalAveragePool", {x}), 0.004F, -128);
    x = b.op("Flatten", {x});
    b.output(x);
    return b.bytes();
}

/// float32, shapes that are computed.
Bytes reals() {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 6, 5});
    std::string y = b.op("BatchNormalization", {x, b.real({2}, {1, 2}), b.real({2}, {0, 1}),
                                                b.real({2}, {0, 1}), b.real({2}, {1, 1})});
    y = b.op("Conv", {y, b.real({4, 1, 3, 3}, std::vector<float>(36, 0.5F))},
             {{"group", std::int64_t{2}}, {"pads", Ints{1, 1, 1, 1}}});
    y = b.op("Clip", {y, b.real(0), b.real(6)});
    y = b.op("Resize", {y, "", b.real({4}, {1, 1, 2, 2})});
    y = b.op("Pad", {y, b.integers({0, 0, 1, 1, 0, 0, 1, 1})});
    y = b.op("Slice", {y, b.integers({0}), b.integers({8}), b.integers({2})});
    y = b.op("Transpose", {y}, {{"perm", Ints{0, 2, 3, 1}}});
    const std::string shape = b.op("Shape", {y});
    const std::string one = b.op("Gather", {shape, b.integers({0})});
    y = b.op("Reshape", {y, b.op("Concat", {one, b.integers({-1})}, {{"axis", std::int64_t{0}}})});
    y = b.op("Gemm", {y, b.real({384, 3}, std::vector<float>(1152, 0.01F))});
    b.output(b.op("Softmax", {y}));
    return b.bytes();
}

/// Operators on integers.
Bytes integers() {
    OnnxBuilder b;
    const std::string x = b.input({1, 4, 4, 4}, OnnxBuilder::kInt8);
    const auto at = [&](float scale, int zero) { return std::pair{b.real(scale), b.zero(zero)}; };
    const auto [xs, xz] = at(0.5F, 3);
    const auto [ws, wz] = at(0.02F, 0);
    const auto [ys, yz] = at(0.25F, -128);
    const std::string w =
        b.constant<std::int8_t>(OnnxBuilder::kInt8, {4, 4, 1, 1}, std::vector<std::int8_t>(16, 9));
    std::string y = b.op("QLinearConv", {x, xs, xz, w, ws, wz, ys, yz});
    const std::string domain = "com.microsoft";
    y = b.op("QLinearAdd", {y, ys, yz, x, xs, xz, ys, yz}, {}, domain);
    y = b.op("QLinearSigmoid", {y, ys, yz, ys, yz}, {}, domain);
    y = b.op("QLinearGlobalAveragePool", {y, ys, yz, ys, yz}, {}, domain);
    b.output(b.op("DequantizeLinear", {y, ys, yz}));
    return b.bytes();
}

// ---------------------------------------------------------------- other files

void programs(Seeds& seeds) {
    seeds.write("program", program::write(program::sample()));
    seeds.write("program", program::write(program::Program{}));
    seeds.write("program", program::write(program::several()));
    seeds.write("program", program::write(program::unit_sample()));
    dla::model::Architecture sizes;
    sizes.pdp = true;
    const front::ReadResult read = front::read_tflite("small", front::test::small_network());
    seeds.write("program", program::write(dla::compiler::compile(read.graph, sizes).program));
}

Bytes jpeg(const network::Picture& picture) {
    unsigned char* file = nullptr;
    unsigned long size = 0;
    tjhandle encoder = tjInitCompress();
    const int done = tjCompress2(encoder, picture.rgb.data(), picture.width, 0, picture.height,
                                 TJPF_RGB, &file, &size, TJSAMP_420, 80, 0);
    const Bytes bytes(file, file + (done == 0 ? size : 0));
    tjFree(file);
    tjDestroy(encoder);
    return bytes;
}

void inputs(Seeds& seeds) {
    using namespace std::string_literals;
    const auto array = [](const std::string& header, std::size_t bytes) {
        return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header +
               std::string(bytes, '\x3f');
    };
    seeds.write("inputs",
                array("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }\n", 6));
    seeds.write("inputs", array("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }\n", 20));
    network::Picture picture;
    picture.width = 5;
    picture.height = 4;
    for (int i = 0; i < 60; ++i)
        picture.rgb.push_back(static_cast<std::uint8_t>(i * 37));
    seeds.write("inputs", network::write_png(picture));
    seeds.write("inputs", jpeg(picture));
    seeds.write("inputs",
                "RIFF\x2c\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0"
                "data\x8\0\0\0\1\2\3\4\5\6\7\x8"s);
}

void published(Seeds& seeds) {
    const char* models = std::getenv("MACRAME_MODELS");
    if (models == nullptr) return;
    for (const char* name : {"mnist_valid_q", "mnist_resnet_q"}) {
        std::ifstream stream(fs::path(models) / name / "model.tflite", std::ios::binary);
        seeds.write("tflite", std::string(std::istreambuf_iterator<char>(stream), {}));
    }
}

}  // namespace
}  // namespace macrame

int main(int argc, char** argv) {
    using namespace macrame;
    if (argc != 2) return 2;
    Seeds seeds{argv[1]};
    fs::remove_all(seeds.folder);
    for (const Bytes& file : {front::test::small_network(), arithmetic(), layout(), windows()}) {
        const front::ReadResult read = front::read_tflite("seed", file);
        for (const std::string& error : read.errors)
            std::fputs((error + "\n").c_str(), stderr);
        if (!read.ok()) return 1;
        seeds.network("tflite", file);
    }
    for (const Bytes& file : {pairs(), reals(), integers()}) {
        const front::ReadResult read = front::read_onnx("seed", file);
        for (const std::string& error : read.errors)
            std::fputs((error + "\n").c_str(), stderr);
        if (!read.ok()) return 1;
        seeds.network("onnx", file);
    }
    programs(seeds);
    inputs(seeds);
    published(seeds);
    return 0;
}
