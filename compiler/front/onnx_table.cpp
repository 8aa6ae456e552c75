/// The table of all operators of ONNX that are read.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/front/onnx_expand.hpp"
#include "compiler/front/onnx_importers.hpp"

namespace macrame::front {
namespace {

struct OnnxRow {
    const char* type;
    void (*translate)(OnnxReader&, const OnnxOperator&);
    bool microsoft = false;  ///< in com.microsoft
};

using T = OnnxImporters;

/// What the reader understands. Constant is read with the initialisers.
constexpr OnnxRow kOnnxRows[] = {
    {"Abs", T::unary},
    {"Add", T::arithmetic},
    {"And", T::logic},
    {"AffineGrid", T::affine_grid},
    {"ArgMax", T::argmax},
    {"ArgMin", T::argmax},
    {"Attention", T::attention},
    {"AveragePool", T::pool},
    {"BatchNormalization", T::batch_norm},
    {"BlackmanWindow", T::window},
    {"Cast", T::cast},
    {"CastLike", T::cast},
    {"CausalConvWithState", T::causal_conv},
    {"Ceil", T::unary},
    {"Celu", T::bent},
    {"Clip", T::clip},
    {"Col2Im", T::columns_to_image},
    {"Compress", T::compress},
    {"Concat", T::concat},
    {"ConcatFromSequence", T::sequence},
    {"ConstantOfShape", T::constant_of_shape},
    {"Conv", T::conv},
    {"ConvInteger", T::conv_integer},
    {"ConvTranspose", T::conv_transpose},
    {"Cos", T::unary},
    {"CumSum", T::cumsum},
    {"DFT", T::fourier},
    {"DeformConv", T::deform_conv},
    {"DepthToSpace", T::depth_to_space},
    {"DequantizeLinear", T::dequantize},
    {"Div", T::arithmetic},
    {"Dropout", T::identity},
    {"DynamicQuantizeLinear", T::dynamic_quantize},
    {"Einsum", T::einsum},
    {"Elu", T::unary},
    {"Equal", T::compare},
    {"Erf", T::unary},
    {"Exp", T::unary},
    {"Expand", T::expand},
    {"EyeLike", T::eye_like},
    {"Flatten", T::flatten},
    {"Floor", T::unary},
    {"GRU", T::recurrent},
    {"Gather", T::gather},
    {"GatherElements", T::gather_some},
    {"GatherND", T::gather_some},
    {"Gelu", T::unary},
    {"Gemm", T::gemm},
    {"GlobalAveragePool", T::global_pool},
    {"GlobalLpPool", T::lp_pool},
    {"GlobalMaxPool", T::global_pool},
    {"Greater", T::compare},
    {"GreaterOrEqual", T::compare},
    {"GridSample", T::grid_sample},
    {"GroupNormalization", T::group_norm},
    {"HammingWindow", T::window},
    {"HannWindow", T::window},
    {"HardSigmoid", T::unary},
    {"HardSwish", T::unary},
    {"Identity", T::identity},
    {"If", T::branch},
    {"InstanceNormalization", T::group_norm},
    {"IsInf", T::is_special},
    {"IsNaN", T::is_special},
    {"LRN", T::local_norm},
    {"LSTM", T::recurrent},
    {"LayerNormalization", T::layer_norm},
    {"LeakyRelu", T::unary},
    {"Less", T::compare},
    {"LessOrEqual", T::compare},
    {"Log", T::unary},
    {"LogSoftmax", T::softmax},
    {"Loop", T::loop},
    {"LpNormalization", T::lp_norm},
    {"LpPool", T::lp_pool},
    {"MatMul", T::matmul},
    {"MatMulInteger", T::matmul_integer},
    {"Max", T::add_all},
    {"MaxPool", T::pool},
    {"MaxUnpool", T::max_unpool},
    {"Mean", T::mean_of_all},
    {"MelWeightMatrix", T::mel_weights},
    {"Min", T::add_all},
    {"Mish", T::unary},
    {"Mod", T::mod},
    {"Mul", T::arithmetic},
    {"Neg", T::unary},
    {"NonMaxSuppression", T::suppression},
    {"NonZero", T::non_zero},
    {"Not", T::logic},
    {"OneHot", T::one_hot},
    {"Or", T::logic},
    {"PRelu", T::prelu},
    {"Pad", T::pad},
    {"Pow", T::pow},
    {"QuantizeLinear", T::quantize},
    {"RMSNormalization", T::layer_norm},
    {"RNN", T::recurrent},
    {"Range", T::range},
    {"Reciprocal", T::unary},
    {"ReduceL1", T::sum_of},
    {"ReduceL2", T::sum},
    {"ReduceLogSum", T::sum_of},
    {"ReduceLogSumExp", T::sum_of},
    {"ReduceMax", T::most},
    {"ReduceMean", T::mean},
    {"ReduceMin", T::reduce_all},
    {"ReduceProd", T::reduce_all},
    {"ReduceSum", T::sum},
    {"ReduceSumSquare", T::sum},
    {"Relu", T::unary},
    {"Reshape", T::reshape},
    {"Resize", T::resize},
    {"ReverseSequence", T::reverse_sequence},
    {"RoiAlign", T::roi_align},
    {"RotaryEmbedding", T::rotary_embedding},
    {"Round", T::unary},
    {"STFT", T::short_fourier},
    {"Scan", T::loop},
    {"Scatter", T::scatter},
    {"ScatterElements", T::scatter},
    {"ScatterND", T::scatter},
    {"Selu", T::bent},
    {"SequenceAt", T::sequence},
    {"SequenceConstruct", T::sequence},
    {"SequenceEmpty", T::sequence},
    {"SequenceErase", T::sequence},
    {"SequenceInsert", T::sequence},
    {"SequenceLength", T::sequence},
    {"Shape", T::shape},
    {"Sigmoid", T::unary},
    {"Sign", T::unary},
    {"SimplifiedLayerNormalization", T::layer_norm},
    {"Sin", T::unary},
    {"Size", T::size},
    {"Slice", T::slice},
    {"Softmax", T::softmax},
    {"Softplus", T::unary},
    {"Softsign", T::unary},
    {"SpaceToDepth", T::depth_to_space},
    {"Split", T::split},
    {"SplitToSequence", T::sequence},
    {"Sqrt", T::unary},
    {"Squeeze", T::squeeze},
    {"Sub", T::arithmetic},
    {"Sum", T::add_all},
    {"Swish", T::unary},
    {"Tanh", T::unary},
    {"ThresholdedRelu", T::bent},
    {"TensorScatter", T::tensor_scatter},
    {"Tile", T::tile},
    {"TopK", T::top_k},
    {"Transpose", T::transpose},
    {"Trilu", T::trilu},
    {"Unique", T::refused},
    {"Unsqueeze", T::unsqueeze},
    {"Upsample", T::resize},
    {"Where", T::where},
    {"Xor", T::logic},
    {"QLinearConv", T::qlinear_conv},
    {"QLinearMatMul", T::qlinear_matmul},
    {"DequantizeLinear", T::dequantize, true},
    {"DynamicQuantizeLSTM", T::recurrent, true},
    {"FastGelu", T::unary, true},
    {"Gelu", T::unary, true},
    {"FusedConv", T::fused_conv, true},
    {"FusedMatMul", T::fused_matmul, true},
    {"GroupQueryAttention", T::grouped_attention, true},
    {"GatherBlockQuantized", T::gather_blocks, true},
    {"MatMulNBits", T::matmul_bits, true},
    {"MultiHeadAttention", T::multi_head_attention, true},
    {"PackedAttention", T::packed_attention, true},
    {"QuickGelu", T::unary, true},
    {"RotaryEmbedding", T::rotary_embedding, true},
    {"SimplifiedLayerNormalization", T::layer_norm, true},
    {"SkipLayerNormalization", T::skip_norm, true},
    {"SkipSimplifiedLayerNormalization", T::skip_norm, true},
    {"TransposeMatMul", T::fused_matmul, true},
    {"QGemm", T::qlinear_gemm, true},
    {"QLinearAdd", T::qlinear_arithmetic, true},
    {"QLinearAveragePool", T::qlinear_pool, true},
    {"QLinearConcat", T::qlinear_concat, true},
    {"QLinearGlobalAveragePool", T::qlinear_pool, true},
    {"QLinearLeakyRelu", T::qlinear_unary, true},
    {"QLinearMul", T::qlinear_arithmetic, true},
    {"QLinearSigmoid", T::qlinear_unary, true},
    {"QLinearSoftmax", T::qlinear_softmax, true},
    {"QLinearWhere", T::qlinear_where, true},
    {"QuantizeLinear", T::quantize, true},
};

}  // namespace

std::vector<KnownOperator> onnx_operators() {
    std::vector<KnownOperator> all = expanded_operators();
    for (const OnnxRow& r : kOnnxRows)
        if (r.translate != T::refused)
            all.push_back({std::string(r.type), r.microsoft ? "ONNX com.microsoft" : "ONNX"});
    return all;
}

void OnnxReader::translate(const OnnxOperator& op) {
    const bool microsoft = op.node->domain() == "com.microsoft";
    const auto row = std::find_if(
        std::begin(kOnnxRows), std::end(kOnnxRows),
        [&](const OnnxRow& r) { return r.type == op.type() && r.microsoft == microsoft; });
    if (row == std::end(kOnnxRows)) {
        std::vector<std::string> names;
        for (const KnownOperator& known : onnx_operators())
            names.push_back(known.name);
        throw Refusal{fmt::format(
            "unknown here{}: want the network to end in front of it, or other operators{}",
            microsoft ? " in com.microsoft" : "", nearest(op.type(), names))};
    }
    row->translate(*this, op);
}

}  // namespace macrame::front
