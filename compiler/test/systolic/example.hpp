#pragma once
/// A layer with its data: compiled, run on the simulator, computed from the definition.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/systolic/conv.hpp"
#include "verif/common/memory.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/model/arithmetic.hpp"
#include "verif/systolic/model/simulator.hpp"

namespace macrame::systolic::compiler {

/// A layer with its data.
struct Example {
    Architecture architecture;
    ConvLayer layer;
    verif::Memory memory;
    std::vector<int> weights;  ///< row, column, channel, filter
};

inline constexpr std::int64_t kConstants = 0x400000, kOutput = 0x200000;

inline int input_at(const Example& e, int y, int x, int c) {
    const TensorLayout& in = e.layer.input;
    if (y < 0 || x < 0 || y >= in.height || x >= in.width) return e.layer.pad_value;
    const auto byte = e.memory.peek(static_cast<std::uint64_t>(in.address(y, x, c)));
    return static_cast<std::int8_t>(byte);
}

inline std::int64_t sum_at(const Example& e, int y, int x, int m) {
    const ConvLayer& l = e.layer;
    const Window& w = l.window;
    std::int64_t sum = 0;
    for (int r = 0; r < w.height; ++r)
        for (int s = 0; s < w.width; ++s)
            for (int c = 0; c < l.input.channels; ++c)
                sum += std::int64_t{input_at(e, y * w.stride_y - w.top + r * w.dilation_y,
                                             x * w.stride_x - w.left + s * w.dilation_x, c)} *
                       l.weights(m, r, s, c);
    return static_cast<std::int32_t>(sum);
}

inline std::int64_t result_at(const Example& e, int y, int x, int m) {
    const Window pool = e.layer.last_window();
    std::int64_t most = INT32_MIN;
    for (int r = 0; r < pool.height; ++r) {
        for (int s = 0; s < pool.width; ++s) {
            std::int64_t sum = sum_at(e, y * pool.stride_y + r, x * pool.stride_x + s, m);
            for (const PostOperation& post : e.layer.post)
                sum = post.op == AluOp::max   ? std::max<std::int64_t>(sum, post.immediate)
                      : post.op == AluOp::min ? std::min<std::int64_t>(sum, post.immediate)
                                              : sum + post.immediate;
            most = std::max(most, sum);
        }
    }
    return most;
}

inline std::vector<Instruction> compile(const Example& e, const Tiling& tiling,
                                        Constants& constants) {
    Stream stream(e.architecture);
    write_conv(stream, constants, e.layer, tiling);
    return stream.program();
}

inline void run(Example& e, const std::vector<Instruction>& program, const Constants& constants,
                std::uint64_t seed) {
    const auto findings = check::check_program(e.architecture, program);
    for (const check::Finding& finding : findings)
        ADD_FAILURE() << check::finding_text(finding);
    e.memory.load(static_cast<std::uint64_t>(constants.base()), constants.bytes());
    model::Simulator simulator(e.architecture, program, e.memory, seed);
    EXPECT_EQ(simulator.run(), "");
}

/// A result as it lies in memory.
inline std::int64_t stored_at(const Example& e, int y, int x, int m) {
    const TensorLayout& out = e.layer.output;
    std::uint32_t word = 0;
    for (int byte = 0; byte < out.element; ++byte)
        word |=
            std::uint32_t{e.memory.peek(static_cast<std::uint64_t>(out.address(y, x, m) + byte))}
            << 8 * byte;
    return model::wrap(word, 8 * out.element);
}

inline void expect_results(const Example& e) {
    const TensorLayout& out = e.layer.output;
    for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) {
            for (int m = 0; m < out.channels; ++m) {
                std::int64_t wanted = result_at(e, y, x, m);
                if (!e.layer.scales.empty())
                    wanted = e.layer.scales[static_cast<std::size_t>(m)].apply(wanted);
                ASSERT_EQ(stored_at(e, y, x, m), wanted)
                    << "row " << y << " column " << x << " filter " << m;
            }
        }
    }
}

}  // namespace macrame::systolic::compiler
