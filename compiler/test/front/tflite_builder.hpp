#pragma once
/// Makes small TFLite files for tests.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "tflite_generated.h"

namespace macrame::front::test {

/// Tensors and operators in order, as the file has them.
class TfliteBuilder {
public:
    using Code = schema::BuiltinOperator;

    template <typename Element = std::int8_t>
    int tensor(schema::TensorType type, const std::vector<std::int32_t>& shape,
               const std::vector<float>& scale = {}, const std::vector<std::int64_t>& zero = {},
               const std::vector<Element>& data = {}, int axis = 0) {
        std::uint32_t place = buffer;
        if (!data.empty()) {
            std::vector<std::uint8_t> bytes(data.size() * sizeof(Element));
            std::memcpy(bytes.data(), data.data(), bytes.size());
            place = static_cast<std::uint32_t>(buffers_.size());
            buffers_.push_back(behind.second == 0
                                   ? schema::CreateBufferDirect(fbb, &bytes)
                                   : schema::CreateBuffer(fbb, 0, behind.first, behind.second));
        }
        flatbuffers::Offset<schema::Quantisation> quantisation;
        if (!scale.empty())
            quantisation = schema::CreateQuantisationDirect(fbb, nullptr, nullptr, &scale, &zero,
                                                            details, 0, axis);
        const std::string name = "t" + std::to_string(tensors_.size());
        tensors_.push_back(schema::CreateTensorDirect(fbb, &shape, type, place, name.c_str(),
                                                      quantisation, variable, sparsity,
                                                      signature.empty() ? nullptr : &signature));
        return static_cast<int>(tensors_.size()) - 1;
    }
    int int8(const std::vector<std::int32_t>& shape, float scale = 1, int zero = 0) {
        return tensor(schema::TensorType::INT8, shape, {scale}, {zero});
    }
    int int32(const std::vector<std::int32_t>& values) {
        return tensor<std::int32_t>(schema::TensorType::INT32,
                                    {static_cast<std::int32_t>(values.size())}, {}, {}, values);
    }

    void op(Code code, const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out) {
        add(code, in, out, schema::OptionsType::NONE, {});
    }
    template <typename Table>
    void op(Code code, const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out,
            schema::OptionsType type, flatbuffers::Offset<Table> options) {
        add(code, in, out, type, options.o);
    }

    /// An operator that stands for those of a subgraph.
    void composite(const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out,
                   int subgraph) {
        op(Code::STABLEHLO_COMPOSITE, in, out);
        constexpr std::uint8_t kComposite = 21;
        const auto options =
            schema::CreateStablehloCompositeOptionsDirect(fbb, "odml.twice", subgraph);
        operators_.back() = schema::CreateOperatorDirect(
            fbb, static_cast<std::uint32_t>(codes_.size()) - 1, &in, &out,
            schema::OptionsType::NONE, {}, nullptr, kComposite, options.o);
    }

    /// What follows belongs to another subgraph.
    void end_subgraph(const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out) {
        subgraphs_.push_back(schema::CreateSubGraphDirect(fbb, &tensors_, &in, &out, &operators_));
        tensors_.clear();
        operators_.clear();
    }
    std::vector<std::uint8_t> finish(const std::vector<std::int32_t>& in,
                                     const std::vector<std::int32_t>& out) {
        std::vector<flatbuffers::Offset<schema::SubGraph>> subgraphs = subgraphs_;
        subgraphs.insert(subgraphs.end(), copies,
                         schema::CreateSubGraphDirect(fbb, &tensors_, &in, &out, &operators_));
        std::vector<flatbuffers::Offset<schema::Metadata>> metadata;
        if (!converter.empty()) {
            flatbuffers::FlatBufferBuilder inner;
            inner.Finish(schema::CreateConversion(
                inner, schema::CreateEnvironmentDirect(inner, converter.c_str())));
            const std::vector<std::uint8_t> bytes(inner.GetBufferPointer(),
                                                  inner.GetBufferPointer() + inner.GetSize());
            metadata.push_back(schema::CreateMetadataDirect(
                fbb, "CONVERSION_METADATA", static_cast<std::uint32_t>(buffers_.size())));
            buffers_.push_back(schema::CreateBufferDirect(fbb, &bytes));
        }
        const auto model =
            schema::CreateModelDirect(fbb, version, &codes_, &subgraphs, "test", &buffers_,
                                      converter.empty() ? nullptr : &metadata);
        schema::FinishModelBuffer(fbb, model);
        return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
    }

    flatbuffers::FlatBufferBuilder fbb;
    std::uint32_t version = 3;
    std::string converter;  ///< version of the TensorFlow that wrote the file
    std::size_t copies = 1;
    /// Of constants that follow: where in the file they lie, if that is not in the flatbuffer.
    std::pair<std::uint64_t, std::uint64_t> behind;
    std::vector<std::int32_t> signature;             ///< of the tensors that follow; empty: none
    flatbuffers::Offset<schema::Sparsity> sparsity;  ///< of the tensors that follow
    std::uint32_t buffer = 0;                        ///< of the tensors without data that follow
    std::uint8_t details = 0;                  ///< kind of them: of the quantisations that follow
    bool variable = false;                     ///< of the tensors that follow
    std::vector<std::uint8_t> custom_options;  ///< of the operators that follow
    const char* custom_code = nullptr;         ///< of the operators that follow

private:
    void add(Code code, const std::vector<std::int32_t>& in, const std::vector<std::int32_t>& out,
             schema::OptionsType type, flatbuffers::Offset<schema::Options> options) {
        const auto number = static_cast<std::uint32_t>(codes_.size());
        const auto shorter = static_cast<std::int8_t>(std::min(static_cast<int>(code), 127));
        codes_.push_back(schema::CreateOperatorCodeDirect(fbb, shorter, custom_code, 1, code));
        operators_.push_back(
            schema::CreateOperatorDirect(fbb, number, &in, &out, type, options,
                                         custom_options.empty() ? nullptr : &custom_options));
    }

    std::vector<flatbuffers::Offset<schema::Buffer>> buffers_ = {schema::CreateBuffer(fbb)};
    std::vector<flatbuffers::Offset<schema::Tensor>> tensors_;
    std::vector<flatbuffers::Offset<schema::OperatorCode>> codes_;
    std::vector<flatbuffers::Offset<schema::Operator>> operators_;
    std::vector<flatbuffers::Offset<schema::SubGraph>> subgraphs_;
};

/// How a streaming network is changed to become a wrong one.
enum class Stream { right, without_first_value, computed_first_value, other_shape, read_only };

/// Sums of the last four elements of a stream: each run reads one and keeps three, of which the
/// first run has 10, 20 and 30.
inline std::vector<std::uint8_t> streaming_network(Stream how = Stream::right) {
    using Code = schema::BuiltinOperator;
    using Type = schema::OptionsType;
    TfliteBuilder b;
    auto& f = b.fbb;
    const auto int8 = schema::TensorType::INT8;
    const auto handle = [&] {
        const int id = b.tensor(schema::TensorType::RESOURCE, {});
        b.op(Code::VAR_HANDLE, {}, {id}, Type::VAR_HANDLE,
             schema::CreateVarHandleOptionsDirect(f, "", "ring"));
        return id;
    };
    const int x = b.int8({1, 1}), kept = b.int8({1, 3}), all = b.int8({1, 4});
    const int next = b.int8({1, 3}), sum = b.int8({1, 1});
    const std::vector<std::int8_t> ones(4, 1), first = {10, 20, 30};
    const int w = b.tensor(int8, {1, 4}, {1}, {0}, ones);
    const int begin = b.int32({0, 1}), size = b.int32({1, 3});
    if (how != Stream::without_first_value)
        b.op(Code::CALL_ONCE, {}, {}, Type::CALL_ONCE, schema::CreateCallOnceOptions(f, 1));
    const int ring = handle();
    b.op(Code::READ_VARIABLE, {ring}, {kept});
    b.op(Code::CONCATENATION, {kept, x}, {all}, Type::CONCATENATION,
         schema::CreateConcatenationOptions(f, 1));
    b.op(Code::SLICE, {all, begin, size}, {next});
    if (how != Stream::read_only)
        b.op(Code::ASSIGN_VARIABLE, {ring, how == Stream::other_shape ? all : next}, {});
    b.op(Code::FULLY_CONNECTED, {all, w}, {sum}, Type::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(f));
    b.end_subgraph({x}, {sum});
    const int again = handle();
    const int value = how == Stream::computed_first_value ? b.int8({1, 3})
                                                          : b.tensor(int8, {1, 3}, {1}, {0}, first);
    b.op(Code::ASSIGN_VARIABLE, {again, value}, {});
    return b.finish({}, {});
}

/// Convolution, depthwise convolution, pooling, a reshape whose shape is computed, fully connected,
/// softmax.
inline std::vector<std::uint8_t> small_network() {
    using Code = schema::BuiltinOperator;
    using Type = schema::OptionsType;
    TfliteBuilder b;
    const auto int8 = schema::TensorType::INT8, int32 = schema::TensorType::INT32;
    const int x = b.int8({1, 6, 6, 2}, 0.5F, -3);
    std::vector<std::int8_t> weights(4 * 3 * 3 * 2);
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = static_cast<std::int8_t>(i * 37 % 251 - 125);
    const int w = b.tensor(int8, {4, 3, 3, 2}, {0.01F, 0.02F, 0.03F, 0.04F}, {0, 0, 0, 0}, weights);
    const int bias = b.tensor<std::int32_t>(int32, {4}, {0.005F, 0.01F, 0.015F, 0.02F},
                                            {0, 0, 0, 0}, {100, -200, 300, -400});
    const int y = b.int8({1, 3, 3, 4}, 0.25F, -128);
    weights.resize(3 * 3 * 4);
    const int dw =
        b.tensor(int8, {1, 3, 3, 4}, {0.01F, 0.02F, 0.03F, 0.04F}, {0, 0, 0, 0}, weights, 3);
    const int z = b.int8({1, 3, 3, 4}, 0.1F, 5);
    const int pooled = b.int8({1, 1, 1, 4}, 0.1F, 5);
    const int shape = b.tensor(int32, {4}), batch = b.tensor(int32, {}),
              packed = b.tensor(int32, {2});
    const int from = b.int32({0}), to = b.int32({1}), one = b.int32({1});
    const int four = b.tensor<std::int32_t>(int32, {}, {}, {}, {4});
    const int flat = b.int8({1, 4}, 0.1F, 5);
    weights.resize(3 * 4);
    const int fw = b.tensor(int8, {3, 4}, {0.02F}, {0}, weights);
    const int logits = b.int8({1, 3}, 0.2F, 0), answer = b.int8({1, 3}, 1 / 256.0F, -128);
    auto& f = b.fbb;
    b.op(Code::CONV_2D, {x, w, bias}, {y}, Type::CONV_2D,
         schema::CreateConv2DOptions(f, schema::Padding::SAME, 2, 2, schema::Activation::RELU));
    b.op(Code::DEPTHWISE_CONV_2D, {y, dw, -1}, {z}, Type::DEPTHWISE_CONV_2D,
         schema::CreateDepthwiseConv2DOptions(f, schema::Padding::SAME, 1, 1, 1));
    b.op(Code::AVERAGE_POOL_2D, {z}, {pooled}, Type::POOL_2D,
         schema::CreatePool2DOptions(f, schema::Padding::VALID, 1, 1, 3, 3));
    b.op(Code::SHAPE, {pooled}, {shape});
    b.op(Code::STRIDED_SLICE, {shape, from, to, one}, {batch}, Type::STRIDED_SLICE,
         schema::CreateStridedSliceOptions(f, 0, 0, 0, 0, 1));
    b.op(Code::PACK, {batch, four}, {packed}, Type::PACK, schema::CreatePackOptions(f, 2, 0));
    b.op(Code::RESHAPE, {pooled, packed}, {flat});
    b.op(Code::FULLY_CONNECTED, {flat, fw}, {logits}, Type::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(f));
    b.op(Code::SOFTMAX, {logits}, {answer}, Type::SOFTMAX, schema::CreateSoftmaxOptions(f, 1));
    return b.finish({x}, {answer});
}

}  // namespace macrame::front::test
