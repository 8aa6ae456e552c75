#pragma once
/// Operators of ONNX as nodes of the graph, one function each.

#include "compiler/front/onnx_reader.hpp"

namespace macrame::front {

/// Window of an operator over height and width, and how many places it has.
struct Placed {
    graph::Window window;
    int height = 0, width = 0;
};

/// Static functions with the right to use the reader.
struct OnnxImporters {
    using Op = OnnxOperator;

    // onnx_conv.cpp
    static void conv(OnnxReader& r, const Op& op);
    static void conv_transpose(OnnxReader& r, const Op& op);
    static void batch_norm(OnnxReader& r, const Op& op);

    // onnx_matrices.cpp
    static void gemm(OnnxReader& r, const Op& op);
    static void matmul(OnnxReader& r, const Op& op);
    static void layer_norm(OnnxReader& r, const Op& op);
    static void group_norm(OnnxReader& r, const Op& op);
    static void skip_norm(OnnxReader& r, const Op& op);

    // onnx_masks.cpp
    static void compare(OnnxReader& r, const Op& op);
    static void logic(OnnxReader& r, const Op& op);
    static void where(OnnxReader& r, const Op& op);
    static void trilu(OnnxReader& r, const Op& op);
    static void expand(OnnxReader& r, const Op& op);
    static void tile(OnnxReader& r, const Op& op);
    static void range(OnnxReader& r, const Op& op);
    static void depth_to_space(OnnxReader& r, const Op& op);
    static void pow(OnnxReader& r, const Op& op);
    static void sum(OnnxReader& r, const Op& op);
    static void most(OnnxReader& r, const Op& op);
    static void add_all(OnnxReader& r, const Op& op);

    // onnx_recurrent.cpp
    static void recurrent(OnnxReader& r, const Op& op);
    /// What is quantised in this run: integers less their zero point, and their scale.
    struct Distances {
        graph::TensorId numbers = graph::kNone, scale = graph::kNone;
    };
    static Distances distances_of(OnnxReader& r, const Op& op, graph::TensorId x);
    static graph::TensorId new_tensor(OnnxReader& r, const Op& op, graph::Type type,
                                      std::vector<int> shape);
    static graph::TensorId new_real(OnnxReader& r, const Op& op, std::vector<int> shape);
    static void add_node(OnnxReader& r, const Op& op, graph::Operator what,
                         std::vector<graph::TensorId> inputs, std::vector<graph::TensorId> outputs);
    static std::vector<int> shape_of(const OnnxReader& r, graph::TensorId id);

    // onnx_operators.cpp
    static void arithmetic(OnnxReader& r, const Op& op);
    static void unary(OnnxReader& r, const Op& op);
    static void clip(OnnxReader& r, const Op& op);
    static void prelu(OnnxReader& r, const Op& op);
    static void pool(OnnxReader& r, const Op& op);
    static void global_pool(OnnxReader& r, const Op& op);
    static void mean(OnnxReader& r, const Op& op);
    static void softmax(OnnxReader& r, const Op& op);
    static void argmax(OnnxReader& r, const Op& op);

    // onnx_choice.cpp
    static void branch(OnnxReader& r, const Op& op);
    static void cumsum(OnnxReader& r, const Op& op);
    static void gather_some(OnnxReader& r, const Op& op);
    static void loop(OnnxReader& r, const Op& op);
    static void local_norm(OnnxReader& r, const Op& op);
    static void mod(OnnxReader& r, const Op& op);
    static void non_zero(OnnxReader& r, const Op& op);
    static void one_hot(OnnxReader& r, const Op& op);
    static void put_rows(OnnxReader& r, const Op& op);
    static void reduce_all(OnnxReader& r, const Op& op);
    /// What has no shape that the file tells.
    static void refused(OnnxReader& r, const Op& op);
    static void top_k(OnnxReader& r, const Op& op);

    // onnx_layout.cpp
    static void widen_numbers(OnnxReader& r, const Op& op, std::vector<OnnxValue>& parts);
    static void concat(OnnxReader& r, const Op& op);
    static void flatten(OnnxReader& r, const Op& op);
    static void identity(OnnxReader& r, const Op& op);
    static void pad(OnnxReader& r, const Op& op);
    static void reshape(OnnxReader& r, const Op& op);
    static void slice(OnnxReader& r, const Op& op);
    static void split(OnnxReader& r, const Op& op);
    static void squeeze(OnnxReader& r, const Op& op);
    static void transpose(OnnxReader& r, const Op& op);
    static void unsqueeze(OnnxReader& r, const Op& op);

    // onnx_shapes.cpp
    static void cast(OnnxReader& r, const Op& op);
    static std::int64_t type_of(const OnnxReader& r, const OnnxValue& value);
    static void cast_to_numbers(OnnxReader& r, const Op& op, OnnxValue x, std::int64_t to);
    static void gather(OnnxReader& r, const Op& op);
    static void shape(OnnxReader& r, const Op& op);
    static void constant_of_shape(OnnxReader& r, const Op& op);

    // onnx_resize.cpp
    static void resize(OnnxReader& r, const Op& op);

    // onnx_composed.cpp
    static void bent(OnnxReader& r, const Op& op);
    static void einsum(OnnxReader& r, const Op& op);
    static void is_special(OnnxReader& r, const Op& op);
    static void lp_norm(OnnxReader& r, const Op& op);
    static void mean_of_all(OnnxReader& r, const Op& op);
    static void size(OnnxReader& r, const Op& op);
    static void sum_of(OnnxReader& r, const Op& op);

    // onnx_scatter.cpp
    static void reverse_sequence(OnnxReader& r, const Op& op);
    static void scatter(OnnxReader& r, const Op& op);
    static void tensor_scatter(OnnxReader& r, const Op& op);

    // onnx_attention.cpp
    static void attention(OnnxReader& r, const Op& op);
    static void rotary_embedding(OnnxReader& r, const Op& op);

    // onnx_sampling.cpp
    static void affine_grid(OnnxReader& r, const Op& op);
    static void grid_sample(OnnxReader& r, const Op& op);
    static void roi_align(OnnxReader& r, const Op& op);

    // onnx_patches.cpp
    static void causal_conv(OnnxReader& r, const Op& op);
    static void columns_to_image(OnnxReader& r, const Op& op);
    static void deform_conv(OnnxReader& r, const Op& op);
    static void lp_pool(OnnxReader& r, const Op& op);
    static void max_unpool(OnnxReader& r, const Op& op);

    // onnx_detect.cpp
    static void suppression(OnnxReader& r, const Op& op);

    // onnx_sequences.cpp
    static void sequence(OnnxReader& r, const Op& op);

    // onnx_signals.cpp
    static void fourier(OnnxReader& r, const Op& op);
    static void short_fourier(OnnxReader& r, const Op& op);
    static void window(OnnxReader& r, const Op& op);
    static void mel_weights(OnnxReader& r, const Op& op);
    static void eye_like(OnnxReader& r, const Op& op);
    static void compress(OnnxReader& r, const Op& op);

    // onnx_volumes.cpp
    static void conv_volume(OnnxReader& r, const Op& op);
    static void pool_volume(OnnxReader& r, const Op& op);
    static void transpose_conv_volume(OnnxReader& r, const Op& op);

    // onnx_contrib.cpp
    static void fused_conv(OnnxReader& r, const Op& op);
    static void fused_matmul(OnnxReader& r, const Op& op);
    static void grouped_attention(OnnxReader& r, const Op& op);  // onnx_grouped.cpp
    static void multi_head_attention(OnnxReader& r, const Op& op);
    static void packed_attention(OnnxReader& r, const Op& op);

    // onnx_blocks.cpp
    static void matmul_bits(OnnxReader& r, const Op& op);
    static void gather_blocks(OnnxReader& r, const Op& op);

    // onnx_dynamic.cpp
    static void dynamic_quantize(OnnxReader& r, const Op& op);
    static void matmul_integer(OnnxReader& r, const Op& op);
    static void conv_integer(OnnxReader& r, const Op& op);

    // onnx_quantised.cpp, onnx_qlinear.cpp
    static void quantize(OnnxReader& r, const Op& op);
    static void quantize_wide(OnnxReader& r, const Op& op, const OnnxValue& x,
                              const OnnxReader::Parameters& parameters);
    static void dequantize(OnnxReader& r, const Op& op);
    static void qlinear_conv(OnnxReader& r, const Op& op);
    static void qlinear_matmul(OnnxReader& r, const Op& op);
    static void qlinear_gemm(OnnxReader& r, const Op& op);
    static void qlinear_arithmetic(OnnxReader& r, const Op& op);
    static void qlinear_pool(OnnxReader& r, const Op& op);
    static void qlinear_unary(OnnxReader& r, const Op& op);
    static void qlinear_concat(OnnxReader& r, const Op& op);
    static void qlinear_softmax(OnnxReader& r, const Op& op);
    static void qlinear_where(OnnxReader& r, const Op& op);

private:
    class Steps;  // onnx_steps.hpp
    /// A pixel along one axis for each place: its number, and how much it counts.
    struct Tap {
        OnnxValue place, weight;
    };
    static std::vector<Tap> linear_taps(OnnxReader& r, const Op& op, const OnnxValue& x, int size);
    static OnnxValue patches(OnnxReader& r, const Op& op, const OnnxValue& x, const Placed& placed,
                             float outside);
    static OnnxValue weighted_patches(OnnxReader& r, const Op& op, const OnnxValue& seen,
                                      const OnnxValue& weights,
                                      const std::optional<OnnxValue>& bias, const Placed& placed);
    static void conv_by_values(OnnxReader& r, const Op& op);
    static void give_places(OnnxReader& r, const Op& op, const OnnxValue& x, const Placed& placed,
                            std::vector<int> shape);
    static void want_readers_by_rows(const OnnxReader& r, const Op& op);
    static OnnxValue corners_of(OnnxReader& r, const Op& op, const OnnxValue& boxes);
    static std::array<graph::TensorId, 2> kept_boxes(OnnxReader& r, const Op& op,
                                                     const OnnxValue& boxes,
                                                     const OnnxValue& scores,
                                                     const graph::Suppression& how,
                                                     std::optional<float> least, int most);
    static void give_found(OnnxReader& r, const Op& op, std::array<graph::TensorId, 3> columns,
                           graph::TensorId is_there);
    /// How values between pixels are made.
    struct Sampling {
        int order = 1;  ///< 0: the nearest, 1: linear, 3: cubic
        bool corners = false;
        std::string padding;
    };
    static graph::TensorId as_reals(OnnxReader& r, const Op& op, graph::TensorId from,
                                    const std::vector<int>& shape);
    static OnnxValue region_places(OnnxReader& r, const Op& op, const OnnxValue& regions, int axis,
                                   int count);
    /// What an attention is told.
    struct Attending {
        std::optional<float> scale;          ///< without: that of the depth
        float cap = 0;                       ///< of products; 0: none
        std::vector<OnnxValue> masks;        ///< truth values, or what is added
        int before = 0;                      ///< keys in front of that of the first query
        std::int64_t left = -1, right = -1;  ///< so many keys are seen; less than 0: all
        std::optional<OnnxValue> sink;       ///< product with one more key, whose value is 0
        int product = 0;                     ///< which one is a result, see Attended
        bool may_see_nothing = false;        ///< rows that do have shares of 0
    };
    /// Products of queries and keys: as they are, behind the cap, behind masks, shares.
    struct Attended {
        OnnxValue result;
        std::array<OnnxValue, 4> products;
    };
    static OnnxValue seen_keys(OnnxReader& r, const Op& op, int steps, int keys,
                               const Attending& how);
    static std::vector<OnnxValue> seen_by_values(OnnxReader& r, const Op& op,
                                                 const OnnxValue& first, int steps, int keys,
                                                 std::int64_t left, std::int64_t right);
    static bool may_see_nothing(const OnnxReader& r, const Attending& how);
    static OnnxValue whole_mask(OnnxReader& r, const Op& op, OnnxValue mask, int keys);
    static Attended attend(OnnxReader& r, const Op& op, const OnnxValue& query, OnnxValue keys,
                           OnnxValue values, const Attending& how);
    static OnnxValue turned_pairs(OnnxReader& r, const Op& op, const OnnxValue& x,
                                  const std::array<OnnxValue, 2>& angles, int turned, bool mixed);
    static OnnxValue cached(OnnxReader& r, const Op& op, std::size_t past, const OnnxValue& now,
                            const OnnxValue& begin, int length);
    static Attending grouped_form(OnnxReader& r, const Op& op, const OnnxValue& begin,
                                  const std::array<int, 3>& sizes);
    static std::array<OnnxValue, 2> cache_angles(OnnxReader& r, const Op& op,
                                                 const OnnxValue& begin,
                                                 const std::array<int, 3>& sizes);
    static std::vector<OnnxValue> packed_parts(OnnxReader& r, const Op& op, int heads);
    static OnnxValue with_heads_last(OnnxReader& r, const Op& op, OnnxValue y);
    static OnnxValue padding_mask(OnnxReader& r, const Op& op, std::size_t i, int keys);
    static OnnxValue activated(OnnxReader& r, const Op& op, OnnxValue x);
    static OnnxValue heads_of(OnnxReader& r, const Op& op, std::size_t i, const char* name);
    static std::vector<Tap> grid_taps(OnnxReader& r, const Op& op, const OnnxValue& grid, int size,
                                      const Sampling& how);
    static std::vector<Tap> region_taps(OnnxReader& r, const Op& op, const OnnxValue& x, int size);
    static OnnxValue sum_of_taps(OnnxReader& r, const Op& op, const OnnxValue& rows, int width,
                                 const std::array<std::vector<Tap>, 2>& taps,
                                 const std::optional<OnnxValue>& start,
                                 graph::Arithmetic sums = graph::Arithmetic::add);
    static OnnxValue of_numbers(OnnxReader& r, const Op& op, graph::Arithmetic function,
                                OnnxValue a, OnnxValue b);
    static void bent_by_each(OnnxReader& r, const Op& op);
    static OnnxValue as_wide(OnnxReader& r, const Op& op, OnnxValue x);
    static OnnxValue chosen(OnnxReader& r, const Op& op, const OnnxValue& condition,
                            std::array<OnnxValue, 2> choices, const Ending& ending);
    static void choose_branch(OnnxReader& r, const Op& op);
    /// Reads the file again, knowing how an operator of control flow goes.
    [[noreturn]] static void decide(OnnxReader& r, const Op& op, std::int64_t how);
    // What the operators of both forms share: real values in and out, and what follows.
    struct Weighted {
        OnnxValue input, weights;
        std::optional<OnnxValue> bias;
        Ending ending;
        bool integers = false;
        bool numbers = false;  ///< int32, and so are the sums
    };
    static graph::TensorId bias_of(OnnxReader& r, const Op& op, const Weighted& w, int kernels);
    static bool is_line(const OnnxReader& r, const Weighted& w);
    static void as_picture(OnnxReader& r, const Op& op, Weighted& w);
    static OnnxValue convolve(OnnxReader& r, const Op& op, Weighted w);
    static OnnxValue transpose_convolve(OnnxReader& r, const Op& op, Weighted w);
    /// Rows of the input times weights [K, C], or [C, K] if they are to be transposed.
    static OnnxValue connect(OnnxReader& r, const Op& op, Weighted w, bool transposed);
    static std::array<double, 4> factors_of(OnnxReader& r, const Op& op, std::vector<int>& shape,
                                            bool line);
    static graph::TensorId picked(OnnxReader& r, const Op& op, graph::TensorId input,
                                  const std::array<std::vector<std::int64_t>, 2>& places);
    static graph::TensorId mixed(OnnxReader& r, const Op& op, graph::TensorId input,
                                 const std::array<std::vector<float>, 2>& weights);
    /// Of the elements along an axis: what lies at both sides in the input, and how far that is.
    struct Neighbours {
        std::array<std::vector<std::int64_t>, 2> at;
        std::array<std::vector<float>, 2> far;
    };
    static graph::TensorId of_bytes(OnnxReader& r, const Op& op,
                                    const std::array<Neighbours, 2>& along, graph::TensorId input,
                                    const OnnxValue& x);
    static graph::TensorId truth_of(OnnxReader& r, const Op& op, graph::Relation relation,
                                    graph::TensorId a, graph::TensorId b);
    static OnnxValue real_value(OnnxReader& r, float value);
    static OnnxValue real_constant(OnnxReader& r, const Op& op, std::vector<int> shape,
                                   const std::vector<float>& values);
    static void dequantize_blocks(OnnxReader& r, const Op& op, std::int64_t size);
    static void give_mixed(OnnxReader& r, const Op& op, const OnnxValue& x,
                           const OnnxValue& updates, std::vector<std::vector<std::int64_t>> turns,
                           const std::string& reduction);
    static void scatter_by_values(OnnxReader& r, const Op& op, const OnnxValue& x,
                                  const OnnxValue& updates, const std::string& reduction);
    static void reverse_by_values(OnnxReader& r, const Op& op, const OnnxValue& x, int batch,
                                  int time);
    static OnnxValue numbers_of_axis(OnnxReader& r, const std::vector<int>& shape,
                                     std::size_t axis);
    static OnnxValue with_updates(OnnxReader& r, const Op& op, const OnnxValue& x,
                                  const OnnxValue& updates, const std::vector<OnnxValue>& columns,
                                  const graph::ScatterNd& how);
    static OnnxValue with_part(OnnxReader& r, const Op& op, const OnnxValue& x,
                               const OnnxValue& updates, const OnnxValue& begins, int axis,
                               bool around);
    /// Integers less their zero point, as int32; weights with theirs.
    static OnnxValue distances(OnnxReader& r, const Op& op, std::size_t i, std::size_t zero);
    static std::optional<OnnxValue> integer_weights(OnnxReader& r, const Op& op, std::size_t i,
                                                    std::size_t zero, int axis);
    /// Constants of two axes.
    static bool are_weights(const OnnxReader& r, const OnnxValue& value);
    static OnnxValue multiply(OnnxReader& r, const Op& op, OnnxValue a, OnnxValue b,
                              const Ending& ending);
    static void general_gemm(OnnxReader& r, const Op& op);
    static std::vector<graph::TensorId> steps_there(OnnxReader& r, const Op& op, int steps,
                                                    int batch);
    static void give_recurrent(OnnxReader& r, const Op& op,
                               const std::vector<std::vector<graph::TensorId>>& outputs,
                               const std::array<std::vector<graph::TensorId>, 2>& ends);
    static OnnxValue turned(OnnxReader& r, const Op& op, OnnxValue x,
                            const std::vector<int>& order);
    static graph::TensorId zeros(OnnxReader& r, const Op& op, std::vector<int> shape);
    static std::array<graph::TensorId, 2> integer_matrix(OnnxReader& r, const Op& op, std::size_t i,
                                                         std::size_t scale, int d);
    static std::array<graph::TensorId, 6> weights_of(OnnxReader& r, const Op& op,
                                                     const std::vector<OnnxValue>& inputs, int d,
                                                     std::array<int, 3> sizes);
    static OnnxValue repeated(OnnxReader& r, const Op& op, OnnxValue x,
                              const std::vector<std::vector<std::int64_t>>& indices);
    static graph::TensorId part(OnnxReader& r, const Op& op, const OnnxValue& value, int i,
                                std::vector<int> shape, int axis = 0);
    static graph::TensorId per_element(OnnxReader& r, const Op& op, std::size_t i,
                                       const std::vector<int>& shape);
    static std::optional<int> fold_batch_norm(OnnxReader& r, const Op& op, Weighted& w);
    /// Decides whether integers are used.
    static void settle(OnnxReader& r, const Op& op, Weighted& w);
    static OnnxValue combine(OnnxReader& r, const Op& op, graph::Arithmetic function, OnnxValue a,
                             OnnxValue b, const Ending& ending);
    static OnnxValue apply(OnnxReader& r, const Op& op, const graph::Unary& function,
                           const OnnxValue& x, const Ending& ending);
    static void clip_to_values(OnnxReader& r, const Op& op);
    static OnnxValue as_it_is(OnnxReader& r, const Op& op, std::size_t i);
    static OnnxValue places_from(OnnxReader& r, const Op& op, int count);
    static OnnxValue like(OnnxReader& r, const Op& op, const OnnxValue& x, std::vector<int> shape);
    static void groups_of_transposed(OnnxReader& r, const Op& op, const graph::TransposeConv& conv,
                                     const std::vector<graph::TensorId>& inputs,
                                     graph::TensorId output, int groups);
    static OnnxValue average(OnnxReader& r, const Op& op, OnnxValue x, const Ending& ending);
    static OnnxValue reduce(OnnxReader& r, const Op& op, OnnxValue x, std::vector<int> axes,
                            bool keep_dims, const Ending& ending);
    static OnnxValue join(OnnxReader& r, const Op& op, std::vector<OnnxValue> parts,
                          std::int64_t axis, const Ending* ending);
    static OnnxValue normalise(OnnxReader& r, const Op& op, OnnxValue x, const Ending& ending);
    /// Axes, ascending: an attribute or, in newer versions, an input.
    static std::vector<int> axes_of(OnnxReader& r, const Op& op, std::size_t input,
                                    std::size_t rank);
    /// Axes of a reduction: all where none is named; nothing: it is to do nothing then.
    static std::optional<std::vector<int>> reduced_axes(OnnxReader& r, const Op& op,
                                                        std::size_t rank);
    static void select_rows(OnnxReader& r, const Op& op, OnnxValue x, OnnxValue which, int axis);
    /// Sums and products of constant integers are computed here. False: there are others.
    static bool fold_integers(OnnxReader& r, const Op& op);
    // Of QLinear operators: an operand with the scale and zero point behind it, the result.
    static OnnxValue operand(OnnxReader& r, const Op& op, int input, int axis = 0);
    static Ending written(OnnxReader& r, const Op& op, int scale);
    static void give_integers(OnnxReader& r, const Op& op, OnnxValue value);
    /// A value in another shape with the same order of elements.
    static OnnxValue in_shape(OnnxReader& r, const Op& op, const OnnxValue& x,
                              std::vector<int> shape);
};

/// Elements along an axis of a transposed convolution, of `sizes`: input, kernel, stride, dilation,
/// what is more behind. What the result is to have less is padding, by the kind of automatic
/// padding or for the size that is wanted; as much more comes behind.
int transposed_size(const std::array<int, 5>& sizes, const std::string& kind,
                    std::optional<std::int64_t> wanted, int& before, int& behind);
/// Shape of two values that are broadcast.
std::vector<int> broadcast(const std::vector<int>& a, const std::vector<int>& b);
/// By the attributes of a convolution or pooling.
Placed window_of(const OnnxOperator& op, int height, int width, int kernel_h, int kernel_w);
/// Two values of an attribute, each at least `least` and at most 2^20.
std::array<int, 2> pair_of(const OnnxOperator& op, const char* name, int otherwise, int least);

}  // namespace macrame::front
