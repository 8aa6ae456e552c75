/// Products of two computed matrices: the second one becomes weights of a convolution of 1 x 1.
///
/// Of the products (a - zero a) (b - zero b) four sums are left: of a b; of a and the constant
/// -zero b; of the constant -zero a and b; and of two constants, which is a bias. Each of the first
/// three has a line of the kernel: the first line is a, the next ones are a again, and the last one
/// is the padding below, which has the value of the constant.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// SDP that makes -1 - x of every x.
PostProcess complements() {
    PostProcess post;
    post.bs.bypass = post.bs.alu_bypass = post.bs.mul_bypass = false;
    post.bs.alu_value = 1;
    post.bs.mul_value = -1;
    return post;
}

/// SDP that makes zeros, whatever it reads.
PostProcess zeros() {
    PostProcess post;
    post.bs.bypass = post.bs.mul_bypass = false;
    return post;
}

/// A matrix in memory: a line whose pixels are rows.
struct Matrix {
    Cube cube;
    std::vector<int> writers;
};

/// Weights as CDMA reads them: groups of as many kernels as an atom has bytes, in each the atoms of
/// channels, in these the kernels. As a cube a group is a line, and an atom of channels a surface.
struct Stream {
    Place place;
    int kernels = 0;  ///< whole groups
    int atoms = 0;    ///< of channels, in a line of the kernel
    int lines = 1;    ///< of the kernel
    std::vector<int> writers;
};

/// What is multiplied beside the operands themselves, for their zero points.
struct Corrections {
    std::vector<int> weights;  ///< constants instead of the second operand
    bool padding = false;      ///< is there a constant instead of the first operand?
    int value = 0;             ///< that one
    bool complement = false;   ///< then it is multiplied by -1 - b
    std::int64_t bias = 0;

    int repeats() const { return 1 + static_cast<int>(weights.size()); }
    int lines() const { return repeats() + (padding ? 1 : 0); }
};

class MatrixProduct {
public:
    MatrixProduct(Lowering& to, int index)
        : to_(to),
          sizes_(to.context.sizes),
          index_(index),
          op_(std::get<graph::MatMul>(to.node(index).op)),
          a_(to.tensor(to.node(index).inputs[0])),
          b_(to.tensor(to.node(index).inputs[1])),
          out_(to.tensor(to.node(index).outputs[0])),
          atom_(sizes_.atom_bytes) {}

    void run() {
        check();
        const Shape shape = shape_of(out_);
        depth_ = op_.transpose_a ? shape_of(a_).width : shape_of(a_).channels;
        if (depth_ % atom_ != 0 && op_.transpose_b && !op_.transpose_a)
            throw Unsupported{"product of matrices: want whole atoms of channels"};
        choose_corrections();
        choose_requantisation(shape.channels);
        Location& made = to_.add_output(index_, shape.width, shape.height, shape.channels);
        // Lines one behind the other are what brings heads together without a copy, and what units
        // write that know no strides of a single pixel.
        const std::vector<int>& readers = to_.context.readers(to_.node(index_).outputs[0]);
        const bool joined =
            !readers.empty() && std::all_of(readers.begin(), readers.end(),
                                            [&](int reader) { return swaps_lines(to_, reader); });
        if (joined || shape.width == 1) {
            made.cube.surface_stride = static_cast<std::uint32_t>(shape.width * atom_);
            made.cube.line_stride =
                made.cube.surface_stride * static_cast<std::uint32_t>(atoms(shape.channels));
        }
        for (int i = 0; i < shape.height; ++i)
            gather(made.writers, multiply(i, to_.part_of(made.cube, i, 0, 1, shape.width)));
    }

private:
    void check() const {
        const auto int8 = [](const graph::Tensor& t) {
            return t.type == graph::Type::int8 && t.quantisation.scale.size() == 1 && !t.constant;
        };
        if (!int8(a_) || !int8(b_) || !int8(out_))
            throw Unsupported{"product of matrices: want int8, both computed"};
        for (const graph::Tensor* t : {&a_, &b_, &out_})
            if (is_collapsed(*t))
                throw Unsupported{"product of matrices: want at most three axes that are not 1"};
        if (!sizes_.sdp_bs || !sizes_.sdp_bn)
            throw Unsupported{"product of matrices: want sdp-bs-enable and sdp-bn-enable"};
        if (sizes_.atomic_k != atom_ || sizes_.atomic_c < atom_)
            throw Unsupported{"product of matrices: want kernels at a time as bytes of an atom"};
    }

    // ------------------------------------------------------------ what it computes

    void choose_corrections() {
        const int a = zero_point(a_), b = zero_point(b_);
        // 128 is no weight, and no padding: its half twice, and -128 times the negative.
        if (b != 0) with_.weights = b == -128 ? std::vector<int>{64, 64} : std::vector<int>{-b};
        with_.padding = a != 0;
        with_.complement = a == -128;
        with_.value = with_.complement ? -128 : -a;
        with_.bias = std::int64_t{depth_} * a * b;
        if (with_.complement) with_.bias -= std::int64_t{128} * whole(depth_);
    }

    void choose_requantisation(int columns) {
        LayerTarget target{rounding_of(to_.context.graph), zero_point(out_), -128, 127, {}};
        ChannelTarget channel;
        channel.factor = graph::output_factors(to_.context.graph, to_.node(index_)).at(0);
        channel.bias = with_.bias;
        for (const int a : {-128, 127}) {
            for (const int b : {-128, 127}) {
                const std::int64_t sum =
                    std::int64_t{depth_} * (a - zero_point(a_)) * (b - zero_point(b_));
                channel.low = std::min(channel.low, sum);
                channel.high = std::max(channel.high, sum);
            }
        }
        channel.low -= with_.bias;
        channel.high -= with_.bias;
        target.channels.assign(at(whole(columns)), channel);
        made_ = requantised(to_.context, index_, target, nullptr);
        if (to_.context.options.exact && !made_.proved())
            throw Unsupported{"product of matrices: SDP is off by one: want it not exact"};
        to_.build.exactness.push_back(
            exactness_of(index_, made_.mapping, made_.deviations, target.channels.size()));
    }

    std::vector<int> multiply(int i, const Cube& out) {
        Matrix features = part(0, i);
        if (op_.transpose_a) features = transposed(features);
        const Stream weights = stream_of(part(1, i), out.channels);
        Cube output = out;
        output.channels = weights.kernels;
        return add(features, weights, to_.build.post_process(made_, at(weights.kernels), output),
                   with_, static_cast<double>(depth_) * out.channels / weights.kernels);
    }

    // ------------------------------------------------------------ pieces

    /// Of channels, or kernels.
    int atoms(int count) const { return div_up(count, atom_); }
    int whole(int count) const { return atoms(count) * atom_; }
    std::uint32_t group_bytes() const { return static_cast<std::uint32_t>(atom_ * atom_); }

    /// A matrix of an operand.
    Matrix part(std::size_t input, int i) const {
        const Location& at = to_.location_of(to_.node(index_).inputs[input]);
        const int line = at.cube.height == 1 ? 0 : i;
        return {to_.part_of(at.cube, line, 0, 1, at.cube.width), at.writers};
    }

    /// SDP alone, also of single pixels whose atoms lie apart.
    std::vector<int> map(const Matrix& matrix, PostProcess post, const Cube& to) {
        const Cube& from = matrix.cube;
        if (is_legal(sizes_, from) && is_legal(sizes_, to)) {
            post.output = to;
            return to_.build.add_sdp(from, std::move(post), matrix.writers);
        }
        std::vector<int> out;
        for (int c = 0; c < from.channels; c += atom_) {
            post.output = to_.block(to, c, atom_);
            gather(out, to_.build.add_sdp(to_.block(from, c, atom_), post, matrix.writers));
        }
        return out;
    }

    /// Does the MAC array take an atom of channels at a time? Then weights have for each of these
    /// the lines of the kernel; else all atoms of a line are lines.
    bool narrow() const { return sizes_.atomic_c == atom_; }

    Stream new_stream(int kernels, int atoms_of_line, int lines) {
        Stream out;
        out.kernels = whole(kernels);
        out.atoms = atoms_of_line;
        out.lines = lines;
        const std::uint64_t bytes = at(atoms(kernels)) * at(out.atoms * out.lines) * group_bytes();
        out.place = {
            to_.build.add_buffer(out_.name + " weights", round_up(bytes, kWeightAlignment)), 0};
        return out;
    }

    /// From an atom of a line to the next one, and from a line to the next one.
    std::uint32_t atom_step(const Stream& stream) const {
        return group_bytes() * static_cast<std::uint32_t>(narrow() ? stream.lines : 1);
    }
    std::uint32_t line_step(const Stream& stream) const {
        return group_bytes() * static_cast<std::uint32_t>(narrow() ? 1 : stream.atoms);
    }

    /// Kernels from one on as a cube, a group as a line of it.
    Cube cube_of(const Stream& stream, int line, int first, int count, int channels) const {
        Cube out;
        out.width = std::min(count, atom_);
        out.height = count / out.width;
        out.channels = channels;
        out.line_stride = group_bytes() * static_cast<std::uint32_t>(stream.atoms * stream.lines);
        out.surface_stride = atom_step(stream);
        out.place = stream.place;
        out.place.offset += std::uint64_t{out.line_stride} * at(first / atom_) +
                            std::uint64_t{line_step(stream)} * at(line) + at(first % atom_ * atom_);
        return out;
    }

    /// Rows of a matrix as kernels; zeros behind the last one.
    void fill(Stream& stream, const Matrix& matrix, int line, const PostProcess& by) {
        const auto copy = [&](int first, int count, int row, const PostProcess& post) {
            const Cube to = cube_of(stream, line, first, count, matrix.cube.channels);
            Matrix rows{to_.part_of(matrix.cube, 0, row, to.height, to.width), matrix.writers};
            rows.cube.line_stride = group_bytes();
            gather(stream.writers, map(rows, post, to));
        };
        const int count = matrix.cube.width, full = count / atom_ * atom_;
        if (full > 0) copy(0, full, 0, by);
        if (full < count) copy(full, count - full, full, by);
        if (!to_.build.buffers[at(stream.place.buffer)].contents.empty()) return;  // they are there
        for (int first = count; first < stream.kernels; first += count)
            copy(first, std::min(stream.kernels - first, count), 0, zeros());
    }

    /// A matrix as weights with all lines of the kernel.
    Stream stream_of(const Matrix& matrix, int kernels) {
        Stream out = new_stream(kernels, atoms(depth_), with_.lines());
        fill_constants(out);
        const PostProcess as_it_is;
        if (op_.transpose_b) {
            fill(out, matrix, 0, as_it_is);
            if (with_.padding) fill(out, matrix, with_.repeats(), last());
            return out;
        }
        if (!narrow()) {
            const Matrix turned = transposed(matrix);
            fill(out, turned, 0, as_it_is);
            if (with_.padding) fill(out, turned, with_.repeats(), last());
            return out;
        }
        Stream rows = new_stream(matrix.cube.width, atoms(matrix.cube.channels), 1);
        fill(rows, matrix, 0, as_it_is);
        const auto turn = [&](int line, PostProcess post) {
            Matrix units = unit_vectors(matrix.cube.channels);
            units.cube.width = atom_;
            units.cube.height = out.kernels / atom_;
            units.cube.line_stride = group_bytes();
            post.output = cube_of(out, line, 0, out.kernels, rows.kernels);
            gather(out.writers, add(units, rows, post, {}, 0));
        };
        turn(0, as_it_is);
        if (with_.padding) turn(with_.repeats(), last());
        return out;
    }

    /// What the padding is multiplied by.
    PostProcess last() const { return with_.complement ? complements() : PostProcess(); }

    /// Lines of constant weights have their values in the file, what SDP writes is between them.
    void fill_constants(Stream& stream) {
        if (with_.weights.empty()) return;
        Buffer& buffer = to_.build.buffers[at(stream.place.buffer)];
        buffer.contents.assign(buffer.bytes, 0);
        for (int group = 0; group < stream.kernels / atom_; ++group)
            for (std::size_t i = 0; i < with_.weights.size(); ++i) {
                const Cube line = cube_of(stream, 1 + static_cast<int>(i), group * atom_, atom_, 1);
                for (int k = 0; k < atom_; ++k)
                    for (int c = 0; c < depth_; ++c)
                        buffer.contents[line.place.offset + at(c / atom_) * line.surface_stride +
                                        at(k * atom_ + c % atom_)] =
                            static_cast<std::uint8_t>(with_.weights[i]);
            }
    }

    /// A row for each of so many channels, and rows of zeros to whole groups.
    Matrix unit_vectors(int channels) {
        const int rows = whole(channels);
        Matrix out;
        out.cube = packed_cube(sizes_, rows, 1, rows);
        std::vector<std::uint8_t> bytes(at(rows) * at(rows), 0);
        for (int c = 0; c < channels; ++c)
            bytes[at(c / atom_ * rows + c) * at(atom_) + at(c % atom_)] = 1;
        out.cube.place = to_.build.add_constant(out_.name + " unit vectors", std::move(bytes));
        return out;
    }

    /// Rows as columns: kernels times unit vectors.
    Matrix transposed(const Matrix& matrix) {
        const int channels = matrix.cube.channels, pixels = matrix.cube.width;
        Stream weights = new_stream(pixels, atoms(channels), 1);
        fill(weights, matrix, 0, {});
        Matrix units = unit_vectors(channels);
        units.cube.width = channels;
        Matrix out;
        out.cube = to_.build.new_cube(out_.name + " transposed", channels, 1, pixels);
        PostProcess post;
        post.output = out.cube;
        post.output.channels = weights.kernels;
        out.writers = add(units, weights, post, {}, 0);
        return out;
    }

    /// The convolution; `macs` of each value that it makes. Atoms of channels are lines of the
    /// kernel where the MAC array takes several at a time: weights have the same order then.
    std::vector<int> add(Matrix features, const Stream& weights, const PostProcess& post,
                         const Corrections& with, double macs) {
        ConvLayer conv;
        const int repeats = with.repeats();
        conv.kernel_h = with.lines();
        if (narrow()) {
            features.cube.channels = weights.atoms * atom_;
            if (repeats > 1) {  // the same line again
                features.cube.height = repeats;
                features.cube.line_stride = 0;
            }
        } else {
            if (repeats > 1) features = repeated(features, repeats);
            conv.kernel_h *= weights.atoms;
            features.cube.height = weights.atoms * repeats;
            features.cube.line_stride = features.cube.surface_stride;
            features.cube.channels = atom_;
            if (conv.kernel_h > kMaxKernel)
                throw Unsupported{
                    "product of matrices: want fewer channels, or as many at a time "
                    "as bytes of an atom (mac-atomic-c-size)"};
        }
        conv.bottom = with.padding ? conv.kernel_h / with.lines() : 0;
        conv.padding = with.value;
        conv.out_h = features.cube.height + conv.bottom - conv.kernel_h + 1;
        conv.input = features.cube;
        conv.weights = weights.place;
        conv.kernels = weights.kernels;
        conv.weight_bytes = weight_bytes(conv);
        conv.out_w = features.cube.width;
        conv.post = post;
        std::vector<int> after = features.writers;
        gather(after, weights.writers);
        return to_.build.add_tiles(conv, after, macs);
    }

    /// Its channels several times, whole atoms behind each other.
    Matrix repeated(const Matrix& matrix, int times) {
        Matrix out;
        const int step = whole(matrix.cube.channels);
        out.cube = to_.build.new_cube(out_.name + " features", matrix.cube.width, 1, step * times);
        for (int i = 0; i < times; ++i)
            gather(out.writers, map(matrix, {}, to_.block(out.cube, i * step, step)));
        return out;
    }

    Lowering& to_;
    const model::Architecture& sizes_;
    const int index_;
    const graph::MatMul& op_;
    const graph::Tensor &a_, &b_, &out_;
    const int atom_;
    int depth_ = 0;
    Corrections with_;
    Requantisation made_;
};

}  // namespace

void lower_matmul(Lowering& lowering, int index) { MatrixProduct(lowering, index).run(); }

}  // namespace macrame::dla::compiler
