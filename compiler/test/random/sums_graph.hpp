#pragma once
/// Random convolutions of numbers of int8 whose sums leave as bytes.

#include <algorithm>
#include <vector>

#include "compiler/graph/sums.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

class SumsGraph : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    /// `largest`: all weights are -128 or 127. `digits` are the outputs that has, for Sums::digits.
    Graph build(Sums form, std::size_t digits, bool largest) {
        const bool full = random_.chance(30);
        const int height = full ? 1 : random_.in(1, 9), width = random_.in(1, full ? 40 : 12);
        int channels = random_.in(1, 70);
        Conv op;
        op.sums = form;
        op.window = full ? Window{} : any_window(height, width, 4);
        pad(op.window);
        int kernels = random_.in(1, 40);
        if (!full && random_.chance(35)) {
            op.groups = channels = std::min(channels, 20);
            kernels = channels * random_.in(1, 2);
        }
        const Window& w = op.window;
        const TensorId in = number({1, height, width, channels}, "numbers");
        graph_.inputs.push_back(in);
        Tensor weights;
        weights.name = "weights";
        weights.constant = true;
        weights.shape = {kernels, w.kernel_h, w.kernel_w, channels / op.groups};
        weights.quantisation = {{1.0F}, {random_.chance(70) ? 0 : random_.in(-128, 127)}, 0};
        weights.data.resize(weights.elements());
        // Less than the digits hold, whatever the input is.
        const std::size_t each = weights.elements() / static_cast<std::size_t>(kernels);
        const int most = static_cast<int>(std::min<std::int64_t>(
            127, -least_of_digits(digits) / 128 / static_cast<std::int64_t>(each)));
        if (form == Sums::digits && digits < kMostDigits) weights.quantisation.zero_point = {0};
        for (std::uint8_t& byte : weights.data)
            byte = static_cast<std::uint8_t>(largest ? random_.pick({-128, 127})
                                                     : random_.in(-most, most));
        const TensorId weight = add_tensor(std::move(weights));
        std::vector<int> shape = {1, out(height, w.top, w.bottom, w.kernel_h, w.stride_h),
                                  out(width, w.left, w.right, w.kernel_w, w.stride_w), kernels};
        if (form == Sums::bytes) shape[3] *= 4;
        add_node(op, {in, weight}, number(shape, "digit"));
        for (std::size_t d = 1; form == Sums::digits && d < digits; ++d)
            graph_.nodes[0].outputs.push_back(number(shape, "digit"));
        return finish();
    }

private:
    TensorId number(std::vector<int> shape, const std::string& name) {
        Tensor t;
        t.name = name;
        t.shape = std::move(shape);
        t.quantisation = {{1.0F}, {0}, 0};
        return add_tensor(std::move(t));
    }
};

}  // namespace macrame::test
