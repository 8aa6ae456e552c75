/// What the two kinds of targets do themselves.

#include "families/target.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/design.hpp"

namespace macrame {
namespace {

using compiler::Compiled;
using Bytes = Target::Bytes;

class Registers : public RegisterTarget {
public:
    Compiled compile(const Design&, const graph::Graph&, const compiler::Options&) const override {
        return {};
    }
    std::vector<std::string> passes() const override { return {}; }
    std::unique_ptr<verif::Device> make_model(const Design&, verif::Memory&) const override {
        return nullptr;
    }
    Files traces(const program::Program&, const std::string&, const std::vector<Bytes>&,
                 const verif::Memory&, std::uint64_t) const override {
        return {};
    }
};

program::Tensor tensor(program::Element element, std::uint32_t height, std::uint32_t width,
                       std::uint32_t channels) {
    program::Tensor out;
    out.element = element;
    out.height = height;
    out.width = width;
    out.channels = channels;
    return out;
}

/// Outputs of the simulator are cut where one tensor ends, by the bytes of its elements.
TEST(RegisterTarget, TensorsLieOneBehindTheOther) {
    const Registers target;
    Compiled compiled;
    compiled.program.outputs = {tensor(program::Element::int8, 1, 2, 3),
                                tensor(program::Element::int16, 1, 1, 2)};
    ASSERT_EQ(target.output_bytes(compiled), 10U);
    const std::vector<Bytes> tensors = {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10}};
    const graph::Graph graph;
    const Bytes all = target.encode_inputs(graph, compiled, tensors);
    EXPECT_EQ(all, (Bytes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(target.decode_outputs(graph, compiled, all), tensors);
}

struct OneFamilys : compiler::OwnProgram {
    int value = 7;
};
struct Anothers : compiler::OwnProgram {};

TEST(Target, ProgramsOfAnotherFamilyAreNotTaken) {
    Compiled compiled;
    EXPECT_THROW(compiled.own_as<OneFamilys>(), std::logic_error);
    compiled.own = std::make_shared<OneFamilys>();
    EXPECT_EQ(compiled.own_as<OneFamilys>().value, 7);
    EXPECT_THROW(compiled.own_as<Anothers>(), std::logic_error);
}

}  // namespace
}  // namespace macrame
