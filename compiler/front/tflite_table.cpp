/// The operators of TFLite that the reader understands.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"

namespace macrame::front {
namespace {

using Code = schema::BuiltinOperator;

struct TfliteRow {
    Code code;
    void (*translate)(TfliteReader&, const TfliteOperator&);
};

constexpr TfliteRow kTfliteRows[] = {
    {Code::ABS, TfliteImporters::unary},
    {Code::ADD, TfliteImporters::arithmetic},
    {Code::ADD_N, TfliteImporters::add_all},
    {Code::ARG_MAX, TfliteImporters::argmax},
    {Code::ARG_MIN, TfliteImporters::argmin},
    {Code::ATAN2, TfliteImporters::atan2},
    {Code::AVERAGE_POOL_2D, TfliteImporters::pool},
    {Code::BATCH_MATMUL, TfliteImporters::batch_matmul},
    {Code::BATCH_TO_SPACE_ND, TfliteImporters::to_batches},
    {Code::BIDIRECTIONAL_SEQUENCE_LSTM, TfliteImporters::lstm_both_ways},
    {Code::BIDIRECTIONAL_SEQUENCE_RNN, TfliteImporters::cells_both_ways},
    {Code::BROADCAST_ARGS, TfliteImporters::broadcast_args},
    {Code::BROADCAST_TO, TfliteImporters::broadcast_to},
    {Code::BUCKETIZE, TfliteImporters::bucketize},
    {Code::CAST, TfliteImporters::cast},
    {Code::CEIL, TfliteImporters::unary},
    {Code::COMPLEX_ABS, TfliteImporters::complex_part},
    {Code::CONCATENATION, TfliteImporters::concat},
    {Code::CONV_2D, TfliteImporters::conv},
    {Code::CONV_3D, TfliteImporters::conv_volume},
    {Code::CONV_3D_TRANSPOSE, TfliteImporters::transpose_conv_volume},
    {Code::COS, TfliteImporters::unary},
    {Code::CUMSUM, TfliteImporters::cumsum},
    {Code::CUSTOM, TfliteImporters::custom},
    {Code::DENSIFY, TfliteImporters::densify},
    {Code::DEPTHWISE_CONV_2D, TfliteImporters::depthwise},
    {Code::DEPTH_TO_SPACE, TfliteImporters::blocks},
    {Code::DEQUANTIZE, TfliteImporters::requantise},
    {Code::DIV, TfliteImporters::arithmetic},
    {Code::DYNAMIC_UPDATE_SLICE, TfliteImporters::update_slice},
    {Code::ELU, TfliteImporters::unary},
    {Code::EMBEDDING_LOOKUP, TfliteImporters::embedding},
    {Code::EQUAL, TfliteImporters::compare},
    {Code::EXP, TfliteImporters::unary},
    {Code::EXPAND_DIMS, TfliteImporters::reshape},
    {Code::FILL, TfliteImporters::fill},
    {Code::FLOOR, TfliteImporters::unary},
    {Code::FLOOR_DIV, TfliteImporters::arithmetic},
    {Code::FLOOR_MOD, TfliteImporters::arithmetic},
    {Code::FULLY_CONNECTED, TfliteImporters::fully_connected},
    {Code::GATHER, TfliteImporters::gather},
    {Code::GATHER_ND, TfliteImporters::gather_nd},
    {Code::GELU, TfliteImporters::gelu},
    {Code::GREATER, TfliteImporters::compare},
    {Code::GREATER_EQUAL, TfliteImporters::compare},
    {Code::HARD_SWISH, TfliteImporters::unary},
    {Code::IF, TfliteImporters::branch},
    {Code::IMAG, TfliteImporters::complex_part},
    {Code::L2_NORMALIZATION, TfliteImporters::l2_norm},
    {Code::L2_POOL_2D, TfliteImporters::l2_pool},
    {Code::LEAKY_RELU, TfliteImporters::leaky_relu},
    {Code::LESS, TfliteImporters::compare},
    {Code::LESS_EQUAL, TfliteImporters::compare},
    {Code::LOCAL_RESPONSE_NORMALIZATION, TfliteImporters::local_norm},
    {Code::LOG, TfliteImporters::unary},
    {Code::LOGICAL_AND, TfliteImporters::logic},
    {Code::LOGICAL_NOT, TfliteImporters::logic},
    {Code::LOGICAL_OR, TfliteImporters::logic},
    {Code::LOGISTIC, TfliteImporters::unary},
    {Code::LOG_SOFTMAX, TfliteImporters::log_softmax},
    {Code::LSTM, TfliteImporters::lstm_cell},
    {Code::MATRIX_DIAG, TfliteImporters::diagonal},
    {Code::MATRIX_SET_DIAG, TfliteImporters::diagonal},
    {Code::MAXIMUM, TfliteImporters::arithmetic},
    {Code::MAX_POOL_2D, TfliteImporters::pool},
    {Code::MEAN, TfliteImporters::mean},
    {Code::MINIMUM, TfliteImporters::arithmetic},
    {Code::MIRROR_PAD, TfliteImporters::mirror_pad},
    {Code::MUL, TfliteImporters::arithmetic},
    {Code::NEG, TfliteImporters::unary},
    {Code::NON_MAX_SUPPRESSION_V4, TfliteImporters::suppression},
    {Code::NON_MAX_SUPPRESSION_V5, TfliteImporters::suppression},
    {Code::NOT_EQUAL, TfliteImporters::compare},
    {Code::ONE_HOT, TfliteImporters::one_hot},
    {Code::PACK, TfliteImporters::pack},
    {Code::PAD, TfliteImporters::pad},
    {Code::PADV2, TfliteImporters::pad},
    {Code::POW, TfliteImporters::arithmetic},
    {Code::PRELU, TfliteImporters::prelu},
    {Code::QUANTIZE, TfliteImporters::requantise},
    {Code::RANGE, TfliteImporters::range},
    {Code::RANK, TfliteImporters::rank},
    {Code::REAL, TfliteImporters::complex_part},
    {Code::REDUCE_ALL, TfliteImporters::reduce},
    {Code::REDUCE_ANY, TfliteImporters::reduce},
    {Code::REDUCE_MAX, TfliteImporters::reduce_max},
    {Code::REDUCE_MIN, TfliteImporters::reduce},
    {Code::REDUCE_PROD, TfliteImporters::reduce},
    {Code::RELU, TfliteImporters::unary},
    {Code::RELU6, TfliteImporters::unary},
    {Code::RELU_0_TO_1, TfliteImporters::unary},
    {Code::RELU_N1_TO_1, TfliteImporters::unary},
    {Code::RESHAPE, TfliteImporters::reshape},
    {Code::RESIZE_BILINEAR, TfliteImporters::resize},
    {Code::RESIZE_NEAREST_NEIGHBOR, TfliteImporters::resize},
    {Code::REVERSE_SEQUENCE, TfliteImporters::reverse_sequence},
    {Code::REVERSE_V2, TfliteImporters::reverse},
    {Code::RFFT2D, TfliteImporters::spectrum},
    {Code::RNN, TfliteImporters::cell},
    {Code::ROUND, TfliteImporters::unary},
    {Code::RSQRT, TfliteImporters::unary},
    {Code::SCATTER_ND, TfliteImporters::scatter},
    {Code::SELECT, TfliteImporters::select},
    {Code::SELECT_V2, TfliteImporters::select},
    {Code::SHAPE, TfliteImporters::shape},
    {Code::SIGN, TfliteImporters::unary},
    {Code::SIN, TfliteImporters::unary},
    {Code::SLICE, TfliteImporters::slice},
    {Code::SOFTMAX, TfliteImporters::softmax},
    {Code::SPACE_TO_BATCH_ND, TfliteImporters::to_batches},
    {Code::SPACE_TO_DEPTH, TfliteImporters::blocks},
    {Code::SPLIT, TfliteImporters::split},
    {Code::SPLIT_V, TfliteImporters::split_sizes},
    {Code::SQRT, TfliteImporters::unary},
    {Code::SQUARE, TfliteImporters::unary},
    {Code::SQUARED_DIFFERENCE, TfliteImporters::arithmetic},
    {Code::SQUEEZE, TfliteImporters::reshape},
    {Code::STABLEHLO_COMPOSITE, TfliteImporters::composite},
    {Code::STRIDED_SLICE, TfliteImporters::strided_slice},
    {Code::SUB, TfliteImporters::arithmetic},
    {Code::SUM, TfliteImporters::reduce},
    {Code::SVDF, TfliteImporters::svdf},
    {Code::TANH, TfliteImporters::unary},
    {Code::TILE, TfliteImporters::tile},
    {Code::TOPK_V2, TfliteImporters::top_k},
    {Code::TRANSPOSE, TfliteImporters::transpose},
    {Code::TRANSPOSE_CONV, TfliteImporters::transpose_conv},
    {Code::UNIDIRECTIONAL_SEQUENCE_LSTM, TfliteImporters::lstm},
    {Code::UNIDIRECTIONAL_SEQUENCE_RNN, TfliteImporters::cells},
    {Code::UNPACK, TfliteImporters::unpack},
    {Code::WHILE, TfliteImporters::repeat},
    {Code::ZEROS_LIKE, TfliteImporters::zeros_like},
};

/// Why an operator has no row, and what would help.
std::string missing(Code code) {
    switch (code) {
        case Code::UNIQUE:
        case Code::WHERE:
            return "as many results as the values say: want the network to end in front of it, and "
                   "your program to do it";
        case Code::MULTINOMIAL:
        case Code::RANDOM_STANDARD_NORMAL:
        case Code::RANDOM_UNIFORM:
        case Code::STABLEHLO_RNG_BIT_GENERATOR:
            return "random numbers, which differ from run to run: want them as an input of the "
                   "network";
        case Code::HASHTABLE:
        case Code::HASHTABLE_FIND:
        case Code::HASHTABLE_IMPORT:
        case Code::HASHTABLE_LOOKUP:
        case Code::HASHTABLE_SIZE:
            return "a table of words: want numbers of words as the input of the network";
        default:
            return "unknown here: want the network to end in front of it, or other operators";
    }
}

}  // namespace

std::vector<KnownOperator> tflite_operators() {
    std::vector<KnownOperator> all;
    for (const TfliteRow& r : kTfliteRows)
        if (r.code != Code::CUSTOM)
            all.push_back({schema::EnumNameBuiltinOperator(r.code), "TFLite"});
    for (const std::string& name : custom_operators())
        all.push_back({name + " (custom)", "TFLite"});
    for (const Code code :
         {Code::CALL_ONCE, Code::VAR_HANDLE, Code::READ_VARIABLE, Code::ASSIGN_VARIABLE})
        all.push_back({schema::EnumNameBuiltinOperator(code), "TFLite"});
    return all;
}

void TfliteReader::translate(const TfliteOperator& op) {
    const auto row = std::find_if(std::begin(kTfliteRows), std::end(kTfliteRows),
                                  [&](const TfliteRow& r) { return r.code == op.code; });
    if (row == std::end(kTfliteRows)) {
        std::vector<std::string> names;
        for (const TfliteRow& r : kTfliteRows)
            names.emplace_back(schema::EnumNameBuiltinOperator(r.code));
        throw Refusal{missing(op.code) + nearest(op.kind, names)};
    }
    const auto is_complex = [&](graph::TensorId id) {
        return id != graph::kNone && at(id) < is_complex_.size() && is_complex_[at(id)];
    };
    const bool knows = op.code == Code::RFFT2D || op.code == Code::COMPLEX_ABS ||
                       op.code == Code::REAL || op.code == Code::IMAG;
    if (!knows && (std::any_of(op.inputs.begin(), op.inputs.end(), is_complex) ||
                   std::any_of(op.outputs.begin(), op.outputs.end(), is_complex)))
        throw Refusal{
            "complex numbers: want their absolute value, real or imaginary part alone, or the "
            "spectrum computed in front of the network"};
    row->translate(*this, op);
}

}  // namespace macrame::front
