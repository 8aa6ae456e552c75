#include "compiler/systolic/dump.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <variant>

#include "verif/systolic/isa/assembly.hpp"

namespace macrame::systolic::compiler {

namespace {

std::string size_text(const TensorLayout& s) {
    return fmt::format("{}x{}x{}", s.height, s.width, s.channels);
}

struct Work {
    std::string operator()(const ConvLayer& conv) const {
        std::string out =
            fmt::format("array  {}: {} -> {}, kernel {}x{}, stride {}x{}", conv.name,
                        size_text(conv.input), size_text(conv.output), conv.window.height,
                        conv.window.width, conv.window.stride_y, conv.window.stride_x);
        if (conv.groups > 1) out += fmt::format(", {} groups", conv.groups);
        if (conv.pool) out += fmt::format(", pool {}x{}", conv.pool->height, conv.pool->width);
        return out;
    }
    std::string operator()(const AluLayer& alu) const {
        std::string out = fmt::format("ALU    {}:", alu.name);
        for (const TensorLayout& input : alu.inputs)
            out += " " + size_text(input);
        return out + " -> " + size_text(alu.output);
    }
};

}  // namespace

std::string text_of(const Lowering& lowering) {
    const auto area = [&](int index) -> const std::string& {
        return lowering.areas[static_cast<std::size_t>(index)].name;
    };
    std::string out =
        fmt::format("{} layers, {} areas of memory\n\n{:>5} {:>8}  unit   what it does\n",
                    lowering.operations.size(), lowering.areas.size(), "layer", "operator");
    for (std::size_t i = 0; i < lowering.operations.size(); ++i) {
        const Operation& operation = lowering.operations[i];
        out += fmt::format("{:5} {:8}  {}; reads", i, operation.node,
                           std::visit(Work{}, operation.layer));
        for (const int index : operation.reads)
            out += " " + area(index);
        out += fmt::format(", writes {}\n", area(operation.writes));
    }
    return out;
}

std::string text_of(const Lowering& lowering, const SystolicProgram& program) {
    std::string out;
    for (std::size_t p = 0; p < program.programs.size(); ++p) {
        const Program& one = program.programs[p];
        out += fmt::format("program {}: {} instructions\n", p, one.size());
        const std::vector<Instruction> instructions = one.instructions();
        std::size_t n = 0;
        for (const files::NetworkLayer& own : one.layers) {
            out += fmt::format("layer {} {}\n", own.layer, lowering.operations[own.layer].name());
            for (const std::size_t end = n + own.instructions; n < end; ++n)
                out += fmt::format("{:6}   {}\n", n, assembly_text(instructions[n]));
        }
    }
    return out;
}

}  // namespace macrame::systolic::compiler
