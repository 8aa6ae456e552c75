#pragma once
/// Operators of TFLite as nodes of the graph, one function each.

#include <array>
#include <string>
#include <vector>

#include "compiler/front/tflite_reader.hpp"

namespace macrame::front {

/// Static functions with the right to use the reader.
struct TfliteImporters {
    using Op = TfliteOperator;

    // tflite_operators.cpp
    static void conv(TfliteReader& r, const Op& op);
    static void densify(TfliteReader& r, const Op& op);
    static void depthwise(TfliteReader& r, const Op& op);
    static void transpose_conv(TfliteReader& r, const Op& op);
    static void fully_connected(TfliteReader& r, const Op& op);
    static void batch_matmul(TfliteReader& r, const Op& op);
    static void pool(TfliteReader& r, const Op& op);
    static void arithmetic(TfliteReader& r, const Op& op);
    static void unary(TfliteReader& r, const Op& op);
    static void gelu(TfliteReader& r, const Op& op);
    static void leaky_relu(TfliteReader& r, const Op& op);
    static void prelu(TfliteReader& r, const Op& op);
    static void requantise(TfliteReader& r, const Op& op);
    static void mean(TfliteReader& r, const Op& op);
    static void log_softmax(TfliteReader& r, const Op& op);
    static void softmax(TfliteReader& r, const Op& op);
    static void resize(TfliteReader& r, const Op& op);
    static void lstm(TfliteReader& r, const Op& op);
    static void argmax(TfliteReader& r, const Op& op);
    static void want_type_of_places(const TfliteReader& r, const Op& op, schema::OptionsType type);

    // tflite_layout.cpp
    static void blocks(TfliteReader& r, const Op& op);
    static void concat(TfliteReader& r, const Op& op);
    static void mirror_pad(TfliteReader& r, const Op& op);
    static void pack(TfliteReader& r, const Op& op);
    static void pad(TfliteReader& r, const Op& op);
    static void reshape(TfliteReader& r, const Op& op);
    static void slice(TfliteReader& r, const Op& op);
    static void split(TfliteReader& r, const Op& op);
    static void split_sizes(TfliteReader& r, const Op& op);
    static void strided_slice(TfliteReader& r, const Op& op);
    static void transpose(TfliteReader& r, const Op& op);
    static void unpack(TfliteReader& r, const Op& op);

    // tflite_repeat.cpp
    static void broadcast_to(TfliteReader& r, const Op& op);
    static void gather(TfliteReader& r, const Op& op);
    static void reduce_max(TfliteReader& r, const Op& op);
    static void tile(TfliteReader& r, const Op& op);
    static void to_batches(TfliteReader& r, const Op& op);

    // tflite_choice.cpp
    static void add_all(TfliteReader& r, const Op& op);
    static void argmin(TfliteReader& r, const Op& op);
    static void cast(TfliteReader& r, const Op& op);
    static void compare(TfliteReader& r, const Op& op);
    static void embedding(TfliteReader& r, const Op& op);
    static void l2_norm(TfliteReader& r, const Op& op);
    static void l2_pool(TfliteReader& r, const Op& op);
    static void logic(TfliteReader& r, const Op& op);
    static void one_hot(TfliteReader& r, const Op& op);
    static void reduce(TfliteReader& r, const Op& op);
    static void select(TfliteReader& r, const Op& op);

    // tflite_detect.cpp
    static void transpose_conv_bias(TfliteReader& r, const Op& op);
    static void cumsum(TfliteReader& r, const Op& op);
    static void custom(TfliteReader& r, const Op& op);
    static void detections(TfliteReader& r, const Op& op);
    static void gather_nd(TfliteReader& r, const Op& op);
    static void local_norm(TfliteReader& r, const Op& op);
    static void suppression(TfliteReader& r, const Op& op);
    static void svdf(TfliteReader& r, const Op& op);
    static void top_k(TfliteReader& r, const Op& op);

    // tflite_signals.cpp
    static void spectrum(TfliteReader& r, const Op& op);
    static void complex_part(TfliteReader& r, const Op& op);

    // tflite_cells.cpp
    static void cell(TfliteReader& r, const Op& op);
    static void cells(TfliteReader& r, const Op& op);
    static void cells_both_ways(TfliteReader& r, const Op& op);
    static void lstm_cell(TfliteReader& r, const Op& op);
    static void lstm_both_ways(TfliteReader& r, const Op& op);

    // tflite_volumes.cpp
    static void conv_volume(TfliteReader& r, const Op& op);
    static void transpose_conv_volume(TfliteReader& r, const Op& op);

    // tflite_branches.cpp
    static void branch(TfliteReader& r, const Op& op);
    static void composite(TfliteReader& r, const Op& op);
    static void repeat(TfliteReader& r, const Op& op);

    // tflite_dynamic.cpp
    /// What is quantised in a run: integers less their zero points, a scale for each row.
    struct Quantised {
        graph::TensorId numbers = graph::kNone, scales = graph::kNone;
    };

    // tflite_places.cpp
    static void reverse_sequence(TfliteReader& r, const Op& op);
    static void put_rows(TfliteReader& r, const Op& op);
    static void scatter(TfliteReader& r, const Op& op);
    static void update_slice(TfliteReader& r, const Op& op);

    // tflite_made.cpp
    static void atan2(TfliteReader& r, const Op& op);
    static void broadcast_args(TfliteReader& r, const Op& op);
    static void bucketize(TfliteReader& r, const Op& op);
    static void diagonal(TfliteReader& r, const Op& op);
    static void fill(TfliteReader& r, const Op& op);
    static void range(TfliteReader& r, const Op& op);
    static void rank(TfliteReader& r, const Op& op);
    static void reverse(TfliteReader& r, const Op& op);
    static void shape(TfliteReader& r, const Op& op);
    static void zeros_like(TfliteReader& r, const Op& op);

    /// What STRIDED_SLICE takes of each axis, and the shape of its result, which may have other
    /// axes of one element.
    struct Taken {
        graph::Slice slice;
        std::vector<int> part, result;
    };
    static Taken taken(const TfliteReader& r, const Op& op);

private:
    static void give_gathered(TfliteReader& r, const Op& op, std::vector<graph::TensorId> from,
                              const std::vector<std::int32_t>& places);
    /// A tensor so many times along each axis.
    static graph::TensorId repeated(TfliteReader& r, const Op& op, graph::TensorId from,
                                    const std::vector<int>& times);
    // tflite_recurrent.cpp
    static graph::TensorId real_part(TfliteReader& r, const Op& op, graph::Operator what,
                                     std::vector<graph::TensorId> inputs, std::vector<int> shape);
    static graph::TensorId connected(TfliteReader& r, const Op& op, graph::TensorId x,
                                     graph::TensorId weights, graph::TensorId bias, bool symmetric);
    static void svdf_in_steps(TfliteReader& r, const Op& op, int rank, bool symmetric,
                              graph::Activation activation);
    struct LstmForm {
        float cell_clip = 0, projection_clip = 0;  ///< 0: none
        bool time_major = false, symmetric = false;
        bool backwards = false;  ///< from the last step to the first
    };
    static graph::TensorId limited(TfliteReader& r, const Op& op, graph::TensorId x, float bound);
    static std::array<graph::TensorId, 4> brought_to_gates(TfliteReader& r, const Op& op,
                                                           const std::vector<int>& state,
                                                           const LstmForm& form);
    /// Writes `to`, or a new tensor.
    static graph::TensorId lstm_in_steps(TfliteReader& r, const Op& op, const LstmForm& form,
                                         graph::TensorId to = graph::kNone);
    // tflite_cells.cpp
    /// Simple cells: inputs of their weights, of those of the output before, bias and state.
    struct CellForm {
        std::array<std::size_t, 4> inputs = {1, 2, 3, 4};
        graph::Activation activation = graph::Activation::none;
        bool tanh = false;
        bool time_major = false, symmetric = false, backwards = false;
    };
    static graph::TensorId cells_in_steps(TfliteReader& r, const Op& op, graph::TensorId x,
                                          const CellForm& form, graph::TensorId to);
    static void give_both_ways(TfliteReader& r, const Op& op, graph::TensorId there,
                               graph::TensorId back, bool merged);
    static void scatter_by_values(TfliteReader& r, const Op& op);
    static void update_by_values(TfliteReader& r, const Op& op);
    static void reverse_by_values(TfliteReader& r, const Op& op, int time, int batch);
    static graph::TensorId numbers_part(TfliteReader& r, const Op& op, std::vector<int> shape,
                                        const std::vector<std::int64_t>& values);
    static graph::TensorId planes_of(TfliteReader& r, const Op& op, graph::TensorId from,
                                     const std::vector<int>& places);
    static graph::TensorId kernel_planes(TfliteReader& r, const Op& op, graph::TensorId from,
                                         const std::vector<int>& places,
                                         const std::vector<int>& order);
    static graph::TensorId plane_of_volume(TfliteReader& r, const Op& op,
                                           const graph::Operator& what,
                                           std::array<std::vector<int>, 2> taps,
                                           std::array<graph::TensorId, 2> operands,
                                           graph::TensorId bias, const std::vector<int>& order);
    static bool is_dynamic(const TfliteReader& r, const Op& op, std::size_t input,
                           std::size_t weights);
    static graph::TensorId new_part(TfliteReader& r, const Op& op, graph::Type type,
                                    std::vector<int> shape);
    static graph::TensorId scales_of(TfliteReader& r, const Op& op, const graph::Tensor& weights);
    static Quantised quantised(TfliteReader& r, const Op& op, graph::TensorId input,
                               bool symmetric);
    static graph::TensorId product(TfliteReader& r, const Op& op, graph::TensorId a,
                                   graph::TensorId b);
    static void give_sums(TfliteReader& r, const Op& op, graph::TensorId sums, graph::TensorId bias,
                          graph::Activation activation, graph::TensorId to);
    static graph::TensorId real_sums(TfliteReader& r, const Op& op, graph::TensorId sums);
    static void convolve_dynamic(TfliteReader& r, const Op& op, const graph::Conv& conv,
                                 graph::TensorId weights, graph::TensorId bias);
    static void connect_dynamic(TfliteReader& r, const Op& op, bool symmetric,
                                graph::Activation activation, graph::TensorId bias);
    static void multiply_dynamic(TfliteReader& r, const Op& op, graph::MatMul multiply,
                                 bool symmetric);
    static void connect_computed(TfliteReader& r, const Op& op, graph::Activation activation);
    static graph::Pool pool_of(TfliteReader& r, const Op& op);
    /// An activation as an operator of its own, which is none.
    static void activate(TfliteReader& r, const Op& op, graph::TensorId from,
                         graph::Activation activation, graph::TensorId to);
    /// A truth value, as BOOL has them.
    static graph::TensorId truth(const TfliteReader& r, const Op& op, std::size_t i);
    /// A constant of one element, as bytes of it.
    template <typename Value>
    static graph::TensorId constant(TfliteReader& r, const graph::Tensor& model, Value value);
    /// Makes an output a constant of these numbers, of int32 or int64.
    static void give_numbers(TfliteReader& r, graph::TensorId to,
                             const std::vector<std::int64_t>& values);
    /// Weights [1, h, w, K] of a depthwise convolution as [K, h, w, 1].
    static graph::TensorId depthwise_weights(TfliteReader& r, graph::TensorId from);
};

/// Names of the custom operators that are known, in the order of the table.
std::vector<std::string> custom_operators();

}  // namespace macrame::front
