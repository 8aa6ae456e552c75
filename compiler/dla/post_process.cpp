/// SDP behind a layer: its registers, and what it reads per channel.

#include <algorithm>
#include <utility>

#include "compiler/dla/builder.hpp"
#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

XRegisters x_registers(const XStage& stage) {
    XRegisters x;
    x.bypass = stage.bypass;
    if (stage.bypass) return x;
    x.alu_bypass = x.mul_bypass = false;
    x.relu = stage.relu;
    x.function = stage.function;
    x.alu_shift = stage.alu_shift;
    x.mul_shift = stage.mul_shift;
    return x;
}

}  // namespace

PostProcess Builder::post_process(const Requantisation& made, std::size_t count,
                                  const Cube& output) {
    const std::size_t channels = round_up(count, at(sizes_.atom_bytes));
    const auto put = [](std::vector<std::uint8_t>& bytes, std::size_t word, std::int16_t value) {
        bytes[2 * word] = static_cast<std::uint8_t>(value);
        bytes[2 * word + 1] = static_cast<std::uint8_t>(value >> 8);
    };
    PostProcess post;
    const auto x_stage = [&](const XStage& stage, const char* text) {
        XRegisters x = x_registers(stage);
        if (stage.bypass) return x;
        std::vector<std::uint8_t> bytes(4 * channels, 0);
        for (std::size_t c = 0; c < count; ++c) {
            put(bytes, 2 * c, stage.alu[c]);
            put(bytes, 2 * c + 1, stage.mul[c]);
        }
        x.memory = Operands{true, true, true, false, {}, 0, 0};
        x.memory->place = add_constant(name_ + text, std::move(bytes));
        return x;
    };
    post.bs = x_stage(made.bs, " BS");
    post.bn = x_stage(made.bn, " BN");
    post.ew.bypass = made.ew.bypass;
    post.ew.alu_bypass = made.ew.alu_bypass;
    post.ew.function = made.ew.function;
    post.ew.alu_value = made.ew.alu;
    if (!made.ew.bypass && !made.ew.mul.empty()) {
        std::vector<std::uint8_t> bytes(2 * channels, 0);
        for (std::size_t c = 0; c < count; ++c)
            put(bytes, c, made.ew.mul[c]);
        post.ew.mul_bypass = false;
        post.ew.truncate = made.ew.truncate;
        post.ew.memory = Operands{false, true, true, false, {}, 0, 0};
        post.ew.memory->place = add_constant(name_ + " EW", std::move(bytes));
    }
    post.offset = made.offset;
    post.shift = made.shift;
    post.output = output;
    return post;
}

PostProcess Builder::post_process(const Pointwise& made, const Cube& output) {
    const auto stage = [&](const PointwiseStage& from, const char* text) {
        XRegisters x = from.registers;
        if (from.alu.empty() && from.mul.empty()) return x;
        const std::size_t parts = (from.alu.empty() ? 0u : 1u) + (from.mul.empty() ? 0u : 1u);
        const std::size_t channels = std::max(from.alu.size(), from.mul.size());
        std::vector<std::uint8_t> bytes(2 * parts * round_up(channels, at(sizes_.atom_bytes)), 0);
        const auto put = [&](const std::vector<std::int16_t>& values, std::size_t part) {
            for (std::size_t c = 0; c < values.size(); ++c) {
                const std::size_t place = 2 * (parts * c + part);
                bytes[place] = static_cast<std::uint8_t>(values[c]);
                bytes[place + 1] = static_cast<std::uint8_t>(values[c] >> 8);
            }
        };
        put(from.alu, 0);
        put(from.mul, parts - 1);
        x.memory = Operands{!from.alu.empty(), !from.mul.empty(), true, false, {}, 0, 0};
        x.memory->place = add_constant(name_ + text, std::move(bytes));
        return x;
    };
    PostProcess post;
    post.bs = stage(made.bs, " BS");
    post.bn = stage(made.bn, " BN");
    post.offset = made.offset;
    post.scale = made.scale;
    post.shift = made.shift;
    post.output = output;
    return post;
}

}  // namespace macrame::dla::compiler
