/// Products of two computed matrices: the second one becomes weights of a convolution of 1 x 1.
///
/// Weights have no zero points here, and those of features are constants of a layer. So an operand
/// that has one is the sum of two terms of int8: its values less the zero point as far as they fit,
/// and what is left. Each pair of terms has channels of its own.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Values less their zero point, or what is left of the zero point less them.
struct Distance {
    int zero = 0, sign = 1;

    int low() const { return sign > 0 ? -128 - zero : zero - 127; }
    int high() const { return low() + 255; }
    int terms() const { return low() < -128 || high() > 127 ? 2 : 1; }
    bool fits() const { return high() <= 2 * 127; }
    /// SDP that makes a term of the values.
    PostProcess term(int index) const {
        const int more = index == 0 ? 0 : high() > 127 ? -127 : 128;
        PostProcess post;
        XRegisters& bs = post.bs;
        bs.alu_value = sign * more - zero;
        bs.alu_bypass = bs.alu_value == 0;
        bs.mul_value = sign;
        bs.mul_bypass = sign == 1;
        bs.relu = more < 0;
        bs.bypass = bs.alu_bypass && bs.mul_bypass && !bs.relu;
        if (more > 0) {
            post.bn.bypass = post.bn.alu_bypass = false;
            post.bn.function = AluFunction::minimum;
        }
        return post;
    }
};

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

/// A term of an operand: what SDP makes of a matrix.
struct Term {
    Matrix matrix;
    PostProcess by;
};

/// Weights as CDMA reads them: groups of as many kernels as an atom has bytes, in each the atoms of
/// channels, in these the kernels. As a cube a group is a line, and an atom of channels a surface.
struct Stream {
    Place place;
    int kernels = 0;  ///< whole groups
    int atoms = 0;    ///< of channels
    std::vector<int> writers;
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
        choose_signs();
        choose_requantisation(shape.channels);
        Location& made = to_.add_output(index_, shape.width, shape.height, shape.channels);
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
        if (shape_of(out_).width == 1)
            throw Unsupported{"product of matrices: want more than one row"};
        if (!sizes_.sdp_bs || !sizes_.sdp_bn)
            throw Unsupported{"product of matrices: want sdp-bs-enable and sdp-bn-enable"};
        if (sizes_.atomic_k != atom_ || sizes_.atomic_c < atom_)
            throw Unsupported{"product of matrices: want kernels at a time as bytes of an atom"};
    }

    // ------------------------------------------------------------ what it computes

    /// Two terms do not reach 255; with the other sign they do.
    void choose_signs() {
        first_.zero = zero_point(a_);
        second_.zero = zero_point(b_);
        if (first_.fits() && second_.fits()) return;
        first_.sign = second_.sign = -1;
        if (!first_.fits() || !second_.fits())
            throw Unsupported{"product of matrices with zero points -128 and 127: want others"};
    }

    void choose_requantisation(int columns) {
        LayerTarget target{rounding_of(to_.context.graph), zero_point(out_), -128, 127, {}};
        ChannelTarget channel;
        channel.factor = graph::output_factors(to_.context.graph, to_.node(index_)).at(0);
        for (const int a : {first_.low(), first_.high()}) {
            for (const int b : {second_.low(), second_.high()}) {
                channel.low = std::min(channel.low, std::int64_t{depth_} * a * b);
                channel.high = std::max(channel.high, std::int64_t{depth_} * a * b);
            }
        }
        target.channels.assign(at(whole(columns)), channel);
        made_ = requantised(to_.context, index_, target, nullptr);
        if (to_.context.options.exact && !made_.proved())
            throw Unsupported{"product of matrices: SDP is off by one: want it not exact"};
        to_.build.exactness.push_back(
            exactness_of(index_, made_.mapping, made_.deviations, target.channels.size()));
    }

    std::vector<int> multiply(int i, const Cube& out) {
        const std::vector<Term> a = terms(part(0, i), first_, op_.transpose_a);
        const std::vector<Term> b = terms(part(1, i), second_, !op_.transpose_b);
        const int step = atoms(depth_), pairs = static_cast<int>(a.size() * b.size());
        Stream weights = new_stream(out.channels, pairs * step);
        Matrix features = a[0].matrix;
        const bool as_it_is = pairs == 1 && a[0].by.bs.bypass && is_legal(sizes_, features.cube);
        if (!as_it_is) {
            features.writers.clear();
            features.cube =
                to_.build.new_cube(to_.tensor(to_.node(index_).inputs[0]).name + " terms",
                                   out.width, 1, pairs * step * atom_);
        }
        int atom = 0;
        for (const Term& first : a) {
            for (const Term& second : b) {
                fill(weights, second, atom);
                if (!as_it_is)
                    gather(features.writers,
                           map(first, to_.block(features.cube, atom * atom_, depth_)));
                atom += step;
            }
        }
        Cube output = out;
        output.channels = weights.kernels;
        return add(features, weights, to_.build.post_process(made_, at(weights.kernels), output),
                   static_cast<double>(depth_) * out.channels / weights.kernels);
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

    /// Those of an operand whose depth lies along the channels, or along the pixels: `turned`.
    std::vector<Term> terms(const Matrix& matrix, const Distance& distance, bool turned) {
        std::vector<Term> out;
        for (int i = 0; i < distance.terms(); ++i) {
            const Term term{matrix, distance.term(i)};
            out.push_back(turned ? Term{transposed(term), {}} : term);
        }
        return out;
    }

    /// SDP alone, also of single pixels whose atoms lie apart.
    std::vector<int> map(const Term& term, const Cube& to) {
        const Cube& from = term.matrix.cube;
        PostProcess post = term.by;
        if (is_legal(sizes_, from) && is_legal(sizes_, to)) {
            post.output = to;
            return to_.build.add_sdp(from, std::move(post), term.matrix.writers);
        }
        std::vector<int> out;
        for (int c = 0; c < from.channels; c += atom_) {
            post.output = to_.block(to, c, atom_);
            gather(out, to_.build.add_sdp(to_.block(from, c, atom_), post, term.matrix.writers));
        }
        return out;
    }

    Stream new_stream(int kernels, int atoms_of_kernel) {
        Stream out;
        out.kernels = whole(kernels);
        out.atoms = atoms_of_kernel;
        const std::uint64_t bytes = at(atoms(kernels)) * at(out.atoms) * group_bytes();
        out.place = {
            to_.build.add_buffer(out_.name + " weights", round_up(bytes, kWeightAlignment)), 0};
        return out;
    }

    /// Rows of a term as kernels, their channels from an atom on; zeros behind the last kernel.
    void fill(Stream& stream, const Term& term, int atom) {
        const auto copy = [&](int first, int count, int row, const PostProcess& by) {
            Term rows{term.matrix, by};
            Cube& from = rows.matrix.cube;
            from = to_.part_of(from, 0, row, 1, std::min(count, atom_));
            from.height = count / from.width;
            from.line_stride = group_bytes();
            Cube to = from;
            to.line_stride = group_bytes() * static_cast<std::uint32_t>(stream.atoms);
            to.surface_stride = group_bytes();
            to.place = stream.place;
            to.place.offset += std::uint64_t{to.line_stride} * at(first / atom_) +
                               std::uint64_t{group_bytes()} * at(atom) + at(first % atom_ * atom_);
            gather(stream.writers, map(rows, to));
        };
        const int count = term.matrix.cube.width, full = count / atom_ * atom_;
        if (full > 0) copy(0, full, 0, term.by);
        if (full < count) copy(full, count - full, full, term.by);
        for (int first = count; first < stream.kernels; first += count)
            copy(first, std::min(stream.kernels - first, count), 0, zeros());
    }

    /// Rows as columns: kernels times unit vectors.
    Matrix transposed(const Term& term) {
        const int channels = term.matrix.cube.channels, pixels = term.matrix.cube.width;
        Stream weights = new_stream(pixels, atoms(channels));
        fill(weights, term, 0);
        Matrix units;
        units.cube = packed_cube(sizes_, channels, 1, whole(channels));
        std::vector<std::uint8_t> bytes(at(channels) * at(whole(channels)), 0);
        for (int c = 0; c < channels; ++c)
            bytes[at(c / atom_ * channels + c) * at(atom_) + at(c % atom_)] = 1;
        units.cube.place = to_.build.add_constant(out_.name + " unit vectors", std::move(bytes));
        Matrix out;
        out.cube = to_.build.new_cube(out_.name + " transposed", channels, 1, pixels);
        PostProcess post;
        post.output = out.cube;
        post.output.channels = weights.kernels;
        out.writers = add(units, weights, post, 0);
        return out;
    }

    /// The convolution; `macs` of each value that it makes. Atoms of channels are lines of the
    /// kernel where the MAC array takes several at a time: weights have the same order then.
    std::vector<int> add(const Matrix& features, const Stream& weights, const PostProcess& post,
                         double macs) {
        ConvLayer conv;
        Cube input = features.cube;
        input.channels = weights.atoms * atom_;
        if (sizes_.atomic_c != atom_) {
            conv.kernel_h = input.height = weights.atoms;
            input.line_stride = input.surface_stride;
            input.channels = atom_;
            if (conv.kernel_h > kMaxKernel)
                throw Unsupported{
                    "product of matrices: want fewer channels, or as many at a time "
                    "as bytes of an atom (mac-atomic-c-size)"};
        }
        conv.input = input;
        conv.weights = weights.place;
        conv.kernels = weights.kernels;
        conv.weight_bytes = weight_bytes(conv);
        conv.out_w = input.width;
        conv.post = post;
        std::vector<int> after = features.writers;
        gather(after, weights.writers);
        return to_.build.add_tiles(conv, after, macs);
    }

    Lowering& to_;
    const model::Architecture& sizes_;
    const int index_;
    const graph::MatMul& op_;
    const graph::Tensor &a_, &b_, &out_;
    const int atom_;
    int depth_ = 0;
    Distance first_, second_;
    Requantisation made_;
};

}  // namespace

void lower_matmul(Lowering& lowering, int index) { MatrixProduct(lowering, index).run(); }

}  // namespace macrame::dla::compiler
