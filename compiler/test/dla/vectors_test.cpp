/// Chains of operators that only move elements, over shapes of any rank: what memory holds in
/// another order than the network has is brought into that order or refused, never taken as it is.

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

class Chain : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build() {
        TensorId now = activation({1, random_.in(1, 6), random_.in(1, 6), channels()}, "input");
        graph_.inputs = {now};
        if (random_.chance(40)) now = conv(now);
        tensors_ = {now};
        const int count = random_.in(1, 5);
        for (int i = 0; i < count; ++i) {
            now = move(random_.chance(75) ? now : tensors_[index(random_.in(0, last()))]);
            tensors_.push_back(now);
        }
        if (random_.chance(40)) now = use(now);
        // What comes last alone, or everything.
        if (random_.chance(50)) {
            graph_.outputs = {now};
            return std::move(graph_);
        }
        return finish();
    }

private:
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    int last() const { return static_cast<int>(tensors_.size()) - 1; }
    int channels() { return random_.pick({1, 2, 3, 6, 7, 8, 16, 24, 32, 40, 64}); }
    std::vector<int> shape(TensorId id) { return graph_.tensor(id).shape; }

    TensorId like(TensorId in, std::vector<int> shape, const char* name) {
        const TensorId out = activation(std::move(shape), name);
        graph_.tensor(out).quantisation = graph_.tensor(in).quantisation;
        return out;
    }

    TensorId move(TensorId in) {
        switch (random_.in(0, 6)) {
            case 0:
                return concat(in);
            case 1:
                return slice(in);
            case 2:
                return transpose(in);
            case 3:
                return split(in);
            case 4:
                return reshape(in, {1, static_cast<int>(graph_.tensor(in).elements())});
            default:
                return reshape(in, any_shape(static_cast<int>(graph_.tensor(in).elements())));
        }
    }

    /// Of so many elements, with two to five axes.
    std::vector<int> any_shape(int elements) {
        std::vector<int> out;
        const int rank = random_.in(2, 5);
        int left = elements;
        for (int i = 1; i < rank; ++i) {
            std::vector<int> divisors;
            for (int d = 1; d <= left; ++d)
                if (left % d == 0) divisors.push_back(d);
            const int most = static_cast<int>(divisors.size()) - 1;
            const bool plain = i == 1 && random_.chance(70);
            out.push_back(plain ? 1 : divisors[index(random_.in(0, most))]);
            left /= out.back();
        }
        out.push_back(left);
        return out;
    }

    TensorId reshape(TensorId in, std::vector<int> to) {
        const TensorId out = like(in, std::move(to), "reshape");
        add_node(Reshape{}, {in}, out);
        return out;
    }

    /// With itself, or with what has the same number of elements in another order.
    TensorId concat(TensorId in) {
        const int axis = random_.in(0, static_cast<int>(shape(in).size()) - 1);
        std::vector<TensorId> parts{in};
        const int count = random_.in(1, 2);
        for (int i = 0; i < count; ++i) {
            const TensorId other = tensors_[index(random_.in(0, last()))];
            const bool same = graph_.tensor(other).elements() == graph_.tensor(in).elements();
            const bool equal = graph_.tensor(other).quantisation.scale ==
                               graph_.tensor(in).quantisation.scale;
            parts.push_back(same && equal ? reshape(other, shape(in)) : in);
        }
        std::vector<int> to = shape(in);
        to[index(axis)] *= static_cast<int>(parts.size());
        const TensorId out = like(in, to, "concat");
        add_node(Concat{axis, Activation::none}, parts, out);
        return out;
    }

    TensorId slice(TensorId in) {
        Slice op;
        std::vector<int> to;
        for (const int size : shape(in)) {
            const int begin = random_.chance(60) ? 0 : random_.in(0, size - 1);
            const int stride = random_.chance(80) ? 1 : random_.in(1, 3);
            to.push_back(random_.in(1, (size - begin + stride - 1) / stride));
            op.begin.push_back(begin);
            op.stride.push_back(stride);
        }
        const TensorId out = like(in, to, "slice");
        add_node(op, {in}, out);
        return out;
    }

    TensorId split(TensorId in) {
        const std::vector<int> from = shape(in);
        const int axis = random_.in(0, static_cast<int>(from.size()) - 1);
        if (from[index(axis)] < 2) return slice(in);
        Node node;
        node.op = Split{axis};
        node.inputs = {in};
        node.where = "split";
        std::vector<int> first = from, second = from;
        first[index(axis)] = random_.in(1, from[index(axis)] - 1);
        second[index(axis)] = from[index(axis)] - first[index(axis)];
        node.outputs = {like(in, first, "left"), like(in, second, "right")};
        graph_.nodes.push_back(node);
        return node.outputs[index(random_.in(0, 1))];
    }

    TensorId transpose(TensorId in) {
        const std::vector<int> from = shape(in);
        std::vector<int> order(from.size()), to;
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size() - 1; i > 0; --i)
            std::swap(order[i], order[index(random_.in(0, static_cast<int>(i)))]);
        for (const int axis : order)
            to.push_back(from[index(axis)]);
        const TensorId out = like(in, to, "transpose");
        add_node(Transpose{order}, {in}, out);
        return out;
    }

    /// An operator that tells elements apart.
    TensorId use(TensorId in) {
        const std::vector<int> from = shape(in);
        const int kind = random_.in(0, 3);
        if (kind == 0) {
            const int inputs = from.back();
            std::vector<int> to = from;
            to.back() = 5;
            return connected(in, inputs, to);
        }
        if (kind == 1)
            return connected(in, static_cast<int>(graph_.tensor(in).elements()), {1, 5});
        if (kind == 2) {
            Tensor t;
            t.shape = {from.back()};
            t.constant = true;
            t.quantisation = {{0.02F}, {0}, 0};
            for (int c = 0; c < from.back(); ++c)
                t.data.push_back(static_cast<std::uint8_t>(random_.in(-60, 60)));
            const TensorId constant = add_tensor(std::move(t));
            const TensorId out = activation(from, "sum");
            add_node(Binary{Arithmetic::add, Activation::none}, {in, constant}, out);
            return out;
        }
        const TensorId out = activation(from, "sum");
        add_node(Binary{Arithmetic::add, Activation::none}, {in, in}, out);
        return out;
    }

    TensorId connected(TensorId in, int inputs, std::vector<int> to) {
        const TensorId out = activation(std::move(to), "connected");
        std::vector<double> scales;
        const TensorId w = weights({5, inputs}, 1, 1.0 / (100.0 * std::sqrt(inputs)),
                                   graph_.tensor(in), graph_.tensor(out), scales);
        add_node(FullyConnected{}, {in, w, kNone}, out);
        return out;
    }

    std::vector<TensorId> tensors_;
};

std::vector<dla::published::Config> small_and_large() {
    std::vector<dla::published::Config> out;
    for (const dla::published::Config& config : dla::published::configs())
        if (config.name == std::string("nv_small") || config.name == std::string("nv_large"))
            out.push_back(config);
    return out;
}

TEST(DlaVectors, ChainsOfMovedElementsAreEqualOrRefused) {
    Counts counts;
    const std::vector<dla::published::Config> all = small_and_large();
    ASSERT_EQ(all.size(), 2u);
    for (std::uint64_t seed = 1; seed <= 1500 && !testing::Test::HasFailure(); ++seed)
        follow(Chain(seed).build(), seed, all[seed % 2], counts, {}, "want ");
    RecordProperty("networks", counts.networks);
    RecordProperty("refused", counts.refused);
    EXPECT_GT(counts.networks, 700);
}

TEST(DlaVectors, TheHostTakesTheRest) {
    Counts counts;
    compiler::Options options;
    options.host_commands = true;
    for (const dla::published::Config& config : small_and_large())
        for (std::uint64_t seed = 1; seed <= 300 && !testing::Test::HasFailure(); ++seed)
            follow(Chain(seed).build(), seed, config, counts, options);
    EXPECT_EQ(counts.refused, 0);
}

}  // namespace

}  // namespace macrame::test
