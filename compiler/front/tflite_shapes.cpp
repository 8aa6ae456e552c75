/// Shapes of results. The reference computes them from those of the inputs, whatever the file says:
/// there shapes may be missing, or be those of another batch.
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "compiler/front/tflite_importers.hpp"

namespace macrame::front {
namespace {

using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Shape = std::vector<int>;
using Numbers = std::vector<std::int64_t>;

/// What is not known here is what the file says.
struct Unknown {};

int tflite_size(std::int64_t size) {
    if (size < 0 || size > std::numeric_limits<std::int32_t>::max()) throw Unknown{};
    return static_cast<int>(size);
}

std::int64_t tflite_elements(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1},
                           [](auto a, auto b) { return std::int64_t{tflite_size(a * b)}; });
}

Shape tflite_broadcast(Shape a, Shape b) {
    if (a.size() < b.size()) std::swap(a, b);
    const std::size_t more = a.size() - b.size();
    for (std::size_t i = 0; i < b.size(); ++i) {
        int& size = a[more + i];
        if (size == 1) size = b[i];
        if (size != b[i] && b[i] != 1) throw Unknown{};
    }
    return a;
}

/// Outputs of a window along one axis.
int moved(schema::Padding padding, int input, int kernel, int stride, int dilation) {
    if (stride < 1 || kernel < 1 || dilation < 1) throw Unknown{};
    const std::int64_t window = (std::int64_t{kernel} - 1) * dilation + 1;
    const std::int64_t room = padding == schema::Padding::SAME ? input : input - window + 1;
    return tflite_size((std::max<std::int64_t>(room, 0) + stride - 1) / stride);
}

/// Sizes of which one may be left open, for so many elements.
Shape completed(const Numbers& sizes, std::int64_t elements) {
    Shape out;
    std::int64_t known = 1;
    for (const std::int64_t size : sizes)
        if (size != -1) known = tflite_size(known * tflite_size(size));
    for (const std::int64_t size : sizes)
        out.push_back(size != -1 ? static_cast<int>(size)
                                 : tflite_size(known == 0 ? 0 : elements / known));
    return out;
}

/// Operators on two tensors, of which one may be broadcast.
constexpr Code kOfTwo[] = {
    Code::ADD,         Code::SUB,        Code::MUL,     Code::DIV,
    Code::MAXIMUM,     Code::MINIMUM,    Code::POW,     Code::SQUARED_DIFFERENCE,
    Code::FLOOR_DIV,   Code::FLOOR_MOD,  Code::EQUAL,   Code::NOT_EQUAL,
    Code::LESS,        Code::LESS_EQUAL, Code::GREATER, Code::GREATER_EQUAL,
    Code::LOGICAL_AND, Code::LOGICAL_OR};
constexpr Code kPools[] = {Code::AVERAGE_POOL_2D, Code::MAX_POOL_2D, Code::L2_POOL_2D};
constexpr Code kReshapes[] = {Code::EXPAND_DIMS, Code::RESHAPE, Code::SQUEEZE};
constexpr Code kBatches[] = {Code::BATCH_TO_SPACE_ND, Code::SPACE_TO_BATCH_ND};
/// Operators that make one value of all along some axes.
constexpr Code kAlongAxes[] = {Code::ARG_MAX,    Code::ARG_MIN,    Code::MEAN,
                               Code::SUM,        Code::REDUCE_ALL, Code::REDUCE_ANY,
                               Code::REDUCE_MAX, Code::REDUCE_MIN, Code::REDUCE_PROD};

}  // namespace

/// One operator.
class ResultShapes {
public:
    ResultShapes(TfliteReader& reader, const TfliteOperator& op) : r_(reader), op_(op) {}

    std::vector<Shape> all() const {
        switch (op_.code) {
            case Code::SPLIT:
            case Code::SPLIT_V:
            case Code::UNPACK:
                return parts();
            case Code::TOPK_V2:
                return largest();
            case Code::BIDIRECTIONAL_SEQUENCE_LSTM:
                return both_ways(last(35), last(37));
            case Code::BIDIRECTIONAL_SEQUENCE_RNN:
                return both_ways(last(4), last(8));
            default:
                return {one()};
        }
    }

private:
    Shape one() const {
        if (is_one_of(kOfTwo)) return tflite_broadcast(in(0), in(1));
        if (is_one_of(kAlongAxes)) return reduced();
        if (is_one_of(kPools)) return pool();
        if (is_one_of(kReshapes)) return reshaped();
        if (is_one_of(kBatches)) return batches();
        switch (op_.code) {
            case Code::BATCH_MATMUL:
                return product();
            case Code::CONV_2D:
                return window(options<schema::Conv2DOptions>(Options::CONV_2D), image(1)[0]);
            case Code::DEPTHWISE_CONV_2D:
                return window(options<schema::DepthwiseConv2DOptions>(Options::DEPTHWISE_CONV_2D),
                              image(1)[3]);
            case Code::FULLY_CONNECTED:
                return connected();
            case Code::UNIDIRECTIONAL_SEQUENCE_LSTM:
            case Code::UNIDIRECTIONAL_SEQUENCE_RNN:
            case Code::LSTM:
            case Code::RNN:
                return of_cells();
            case Code::CONV_3D:
                return volume();
            case Code::MATRIX_DIAG:
                return diagonal();
            case Code::CONCATENATION:
                return concat();
            case Code::PACK:
                return pack();
            case Code::SELECT:
                return in(1);
            case Code::SELECT_V2:
                return tflite_broadcast(in(0), tflite_broadcast(in(1), in(2)));
            case Code::SVDF:
                return filtered();
            case Code::GATHER_ND:
                return picked();
            case Code::EMBEDDING_LOOKUP:
                return looked_up();
            case Code::ONE_HOT:
                return one_hot();
            case Code::CONV_3D_TRANSPOSE:
            case Code::FILL:
            case Code::TRANSPOSE_CONV:
                return completed(numbers(0), 0);
            case Code::RANK:
                return {};
            case Code::SHAPE:
                return {static_cast<int>(in(0).size())};
            case Code::BROADCAST_TO:
                return completed(numbers(1), 0);
            case Code::SCATTER_ND:
                return completed(numbers(2), 0);
            case Code::GATHER:
                return gathered();
            case Code::TILE:
                return tiled();
            case Code::MIRROR_PAD:
            case Code::PAD:
            case Code::PADV2:
                return padded();
            case Code::DEPTH_TO_SPACE:
            case Code::SPACE_TO_DEPTH:
                return blocks();
            case Code::TRANSPOSE:
                return transposed();
            case Code::RESIZE_BILINEAR:
            case Code::RESIZE_NEAREST_NEIGHBOR:
                return {image(0)[0], tflite_size(number(1, 0)), tflite_size(number(1, 1)),
                        image(0)[3]};
            case Code::SLICE:
                return sliced();
            case Code::STRIDED_SLICE:
                return TfliteImporters::taken(r_, op_).result;
            default:
                return in(0);
        }
    }

    // ---- what the operator reads

    template <std::size_t N>
    bool is_one_of(const Code (&codes)[N]) const {
        return std::find(std::begin(codes), std::end(codes), op_.code) != std::end(codes);
    }
    const graph::Tensor& tensor(std::size_t i) const {
        const auto* inputs = op_.table->inputs();
        if (inputs == nullptr || i >= inputs->size()) throw Unknown{};
        const graph::TensorId id = inputs->Get(static_cast<flatbuffers::uoffset_t>(i));
        if (id < 0 || static_cast<std::size_t>(id) >= r_.defects_.size() ||
            !r_.defects_[static_cast<std::size_t>(id)].empty())
            throw Unknown{};
        return r_.tensor(id);
    }
    const Shape& in(std::size_t i) const { return tensor(i).shape; }
    const Shape& image(std::size_t i) const {
        if (in(i).size() != 4) throw Unknown{};
        return in(i);
    }
    int first(std::size_t i) const { return in(i).empty() ? throw Unknown{} : in(i).front(); }
    int last(std::size_t i) const { return in(i).empty() ? throw Unknown{} : in(i).back(); }
    Numbers numbers(std::size_t i) const {
        if (!tensor(i).constant) throw Unknown{};
        return integers_of(tensor(i));
    }
    std::int64_t number(std::size_t i, std::size_t place) const {
        const Numbers all = numbers(i);
        if (place >= all.size()) throw Unknown{};
        return all[place];
    }
    template <typename Table>
    const Table& options(Options type) const {
        return r_.options_or_none<Table>(op_, type);
    }

    /// The state of outputs is as wide as they are.
    Shape of_cells() const {
        switch (op_.code) {
            case Code::LSTM:
                return {first(0), last(18)};
            case Code::RNN:
                return {first(0), last(4)};
            default:
                return of_sequence(op_.code == Code::UNIDIRECTIONAL_SEQUENCE_LSTM ? 18 : 4);
        }
    }
    Shape of_sequence(std::size_t state) const {
        if (in(0).size() != 3 || in(state).size() != 2) throw Unknown{};
        return {in(0)[0], in(0)[1], in(state)[1]};
    }
    std::vector<Shape> both_ways(int there, int back) const {
        if (in(0).size() != 3) throw Unknown{};
        const int steps = in(0)[1], batch = in(0)[0];
        if (op_.outputs.size() == 1) return {{batch, steps, there + back}};
        return {{batch, steps, there}, {batch, steps, back}};
    }

    // ---- windows

    template <typename Table>
    Shape window(const Table& o, int kernels) const {
        const Shape &x = image(0), &w = image(1);
        return {x[0], moved(o.padding(), x[1], w[1], o.stride_h(), o.dilation_h()),
                moved(o.padding(), x[2], w[2], o.stride_w(), o.dilation_w()), kernels};
    }
    Shape volume() const {
        const auto& o = options<schema::Conv3DOptions>(Options::CONV_3D);
        const Shape &x = in(0), &w = in(1);
        if (x.size() != 5 || w.size() != 5) throw Unknown{};
        return {x[0], moved(o.padding(), x[1], w[0], o.stride_d(), o.dilation_d()),
                moved(o.padding(), x[2], w[1], o.stride_h(), o.dilation_h()),
                moved(o.padding(), x[3], w[2], o.stride_w(), o.dilation_w()), w[4]};
    }
    Shape pool() const {
        const auto& o = options<schema::Pool2DOptions>(Options::POOL_2D);
        const Shape& x = image(0);
        return {x[0], moved(o.padding(), x[1], o.filter_h(), o.stride_h(), 1),
                moved(o.padding(), x[2], o.filter_w(), o.stride_w(), 1), x[3]};
    }
    Shape connected() const {
        const auto& o = options<schema::FullyConnectedOptions>(Options::FULLY_CONNECTED);
        const Shape &x = in(0), &w = in(1);
        if (w.size() != 2 || w[1] < 1 || x.empty()) throw Unknown{};
        Shape out = x;
        if (!o.keep_num_dims()) out = {tflite_size(tflite_elements(x) / w[1]), 0};
        out.back() = w[0];
        return out;
    }

    Shape product() const {
        const auto& o = options<schema::BatchMatMulOptions>(Options::BATCH_MATMUL);
        Shape a = in(0), b = in(1);
        if (a.size() < 2 || b.size() < 2) throw Unknown{};
        const int rows = a[a.size() - (o.adjoint_a() ? 1 : 2)],
                  columns = b[b.size() - (o.adjoint_b() ? 2 : 1)];
        a.resize(a.size() - 2);
        b.resize(b.size() - 2);
        Shape out = tflite_broadcast(std::move(a), std::move(b));
        out.push_back(rows);
        out.push_back(columns);
        return out;
    }

    // ---- moves

    Shape concat() const {
        const auto& o = options<schema::ConcatenationOptions>(Options::CONCATENATION);
        Shape out = in(0);
        int& size = out.at(at(o.axis(), out.size()));
        for (std::size_t i = 1; i < op_.table->inputs()->size(); ++i) {
            if (in(i).size() != out.size()) throw Unknown{};
            size = tflite_size(std::int64_t{size} + in(i)[at(o.axis(), out.size())]);
        }
        return out;
    }
    Shape pack() const {
        const auto& o = options<schema::PackOptions>(Options::PACK);
        Shape out = in(0);
        const auto axis = static_cast<std::ptrdiff_t>(at(o.axis(), out.size() + 1));
        out.insert(out.begin() + axis, tflite_size(op_.table->inputs()->size()));
        return out;
    }
    Shape padded() const {
        Shape out = in(0);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = tflite_size(out[i] + number(1, 2 * i) + number(1, 2 * i + 1));
        return out;
    }
    Shape blocks() const {
        const bool to_space = op_.code == Code::DEPTH_TO_SPACE;
        const std::int64_t size = options<schema::BlockOptions>(to_space ? Options::DEPTH_TO_SPACE
                                                                         : Options::SPACE_TO_DEPTH)
                                      .block_size();
        const Shape& x = image(0);
        if (size < 1) throw Unknown{};
        const std::int64_t area = tflite_size(size * size);
        if (to_space)
            return {x[0], tflite_size(x[1] * size), tflite_size(x[2] * size),
                    tflite_size(x[3] / area)};
        return {x[0], tflite_size(x[1] / size), tflite_size(x[2] / size), tflite_size(x[3] * area)};
    }
    Shape diagonal() const {
        Shape out = in(0);
        if (out.empty()) throw Unknown{};
        out.push_back(out.back());
        return out;
    }
    Shape transposed() const {
        Shape out;
        for (const std::int64_t axis : numbers(1))
            out.push_back(in(0)[at(axis, in(0).size())]);
        return out;
    }
    Shape batches() const {
        const bool back = op_.code == Code::BATCH_TO_SPACE_ND;
        const Numbers blocks = numbers(1), edges = numbers(2);
        Shape out = in(0);
        if (out.size() <= blocks.size() || edges.size() != 2 * blocks.size()) throw Unknown{};
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::int64_t block = tflite_size(blocks[i]);
            const std::int64_t more = edges[2 * i] + edges[2 * i + 1];
            if (block < 1) throw Unknown{};
            out[0] = tflite_size(back ? out[0] / block : out[0] * block);
            out[i + 1] =
                tflite_size(back ? out[i + 1] * block - more : (out[i + 1] + more) / block);
        }
        return out;
    }
    Shape gathered() const {
        const auto& o = options<schema::GatherOptions>(Options::GATHER);
        const Shape x = in(0), indices = in(1);
        const auto axis = static_cast<std::ptrdiff_t>(at(o.axis(), x.size()));
        Shape out(x.begin(), x.begin() + axis);
        out.insert(out.end(), indices.begin(), indices.end());
        out.insert(out.end(), x.begin() + axis + 1, x.end());
        return out;
    }
    std::vector<Shape> largest() const {
        Shape out = in(0);
        if (out.empty()) throw Unknown{};
        out.back() = tflite_size(number(1, 0));
        return {out, out};
    }
    Shape filtered() const {
        const int rank = options<schema::SvdfOptions>(Options::SVDF).rank();
        if (in(0).size() != 2 || in(1).size() != 2 || rank < 1) throw Unknown{};
        return {in(0)[0], in(1)[0] / rank};
    }
    Shape picked() const {
        const Shape &x = in(0), &indices = in(1);
        const int axes = indices.empty() ? -1 : indices.back();
        if (axes < 1 || static_cast<std::size_t>(axes) > x.size()) throw Unknown{};
        Shape out(indices.begin(), indices.end() - 1);
        out.insert(out.end(), x.begin() + axes, x.end());
        return out;
    }
    Shape looked_up() const {
        Shape out = in(1);
        if (in(0).size() != 1 || out.empty()) throw Unknown{};
        out[0] = in(0)[0];
        return out;
    }
    Shape one_hot() const {
        const int axis = options<schema::OneHotOptions>(Options::ONE_HOT).axis();
        Shape out = in(0);
        const auto place = static_cast<std::ptrdiff_t>(at(axis, out.size() + 1));
        out.insert(out.begin() + place, tflite_size(number(1, 0)));
        return out;
    }
    Shape tiled() const {
        Shape out = in(0);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = tflite_size(out[i] * number(1, i));
        return out;
    }
    Shape sliced() const {
        Shape out;
        for (std::size_t i = 0; i < in(0).size(); ++i) {
            const std::int64_t size = number(2, i);
            out.push_back(tflite_size(size != -1 ? size : in(0)[i] - number(1, i)));
        }
        return out;
    }
    Shape reduced() const {
        const bool index = op_.code == Code::ARG_MAX || op_.code == Code::ARG_MIN;
        const bool keeps = !index && options<schema::ReducerOptions>(Options::REDUCER).keep_dims();
        std::vector<bool> gone(in(0).size());
        for (const std::int64_t axis : numbers(1))
            gone[at(axis, gone.size())] = true;
        Shape out;
        for (std::size_t i = 0; i < gone.size(); ++i)
            if (!gone[i] || keeps) out.push_back(gone[i] ? 1 : in(0)[i]);
        return out;
    }
    Shape reshaped() const {
        Shape out = in(0);
        if (op_.code == Code::EXPAND_DIMS) {
            const auto axis = static_cast<std::ptrdiff_t>(at(number(1, 0), out.size() + 1));
            out.insert(out.begin() + axis, 1);
            return out;
        }
        if (op_.code == Code::SQUEEZE) return squeezed();
        if (op_.table->inputs()->size() > 1) return completed(numbers(1), tflite_elements(out));
        const auto* sizes = options<schema::ReshapeOptions>(Options::RESHAPE).new_shape();
        if (sizes == nullptr) throw Unknown{};
        // Old files have scalars like that.
        if (sizes->size() == 1 && sizes->Get(0) == 0) return {};
        return completed({sizes->begin(), sizes->end()}, tflite_elements(out));
    }
    Shape squeezed() const {
        const auto* axes = options<schema::SqueezeOptions>(Options::SQUEEZE).squeeze_dims();
        const bool all = axes == nullptr || axes->size() == 0;
        std::vector<bool> gone(in(0).size(), all);
        for (std::size_t i = 0; !all && i < axes->size(); ++i)
            gone[at(axes->Get(static_cast<flatbuffers::uoffset_t>(i)), gone.size())] = true;
        Shape out;
        for (std::size_t i = 0; i < gone.size(); ++i)
            if (!gone[i] || in(0)[i] != 1) out.push_back(in(0)[i]);
        return out;
    }
    std::vector<Shape> parts() const {
        const bool last = op_.code == Code::SPLIT;  // the axis is the first input
        Shape whole = in(last ? 1 : 0);
        const std::size_t count = op_.outputs.size();
        if (op_.code == Code::UNPACK) {
            const int axis = options<schema::UnpackOptions>(Options::UNPACK).axis();
            whole.erase(whole.begin() + static_cast<std::ptrdiff_t>(at(axis, whole.size())));
            return std::vector<Shape>(count, whole);
        }
        const std::size_t axis = at(number(last ? 0 : 2, 0), whole.size());
        Numbers sizes(count, whole[axis] / static_cast<int>(std::max<std::size_t>(count, 1)));
        if (!last) sizes = numbers(1);
        std::int64_t rest = whole[axis];
        for (const std::int64_t size : sizes)
            rest -= size == -1 ? 0 : size;
        std::vector<Shape> out;
        for (const std::int64_t size : sizes) {
            out.push_back(whole);
            out.back()[axis] = tflite_size(size == -1 ? rest : size);
        }
        return out;
    }

    static std::size_t at(std::int64_t axis, std::size_t rank) {
        return static_cast<std::size_t>(axis_of(axis, rank));
    }

    TfliteReader& r_;
    const TfliteOperator& op_;
};

Shape TfliteReader::shape_outputs(const TfliteOperator& op) {
    std::vector<Shape> shapes;
    Shape none;
    try {
        shapes = ResultShapes(*this, op).all();
    } catch (const Unknown&) {
        return none;
    } catch (const Refusal&) {
        return none;  // is told where the operator is translated
    }
    for (std::size_t i = 0; i < std::min(shapes.size(), op.outputs.size()); ++i) {
        Shape& known = graph_.tensor(op.outputs[i]).shape;
        const bool empty =
            std::any_of(shapes[i].begin(), shapes[i].end(), [](int s) { return s < 1; });
        if (empty) none = shapes[i];
        if (!empty) known = std::move(shapes[i]);
    }
    return none;
}

}  // namespace macrame::front
