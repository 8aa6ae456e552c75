#include "compiler/test/systolic/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "compiler/host.hpp"
#include "verif/common/random.hpp"
#include "verif/systolic/check/program_check.hpp"

namespace macrame::systolic::compiler {

void expect_right(const SystolicProgram& program) {
    for (const Program& one : program.programs)
        for (const check::Finding& finding :
             check::check_program(program.architecture, one.instructions))
            ADD_FAILURE() << check::finding_text(finding);
}

void follow(const graph::Graph& graph, const Architecture& architecture, std::uint64_t seed,
            Differences& all) {
    const CompiledSystolic made = compile(graph, architecture);
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    expect_right(made.program);
    verif::Random random(seed);
    std::vector<graph::Bytes> inputs;
    std::map<graph::TensorId, graph::Bytes> values;
    for (const graph::TensorId id : graph.inputs) {
        graph::Bytes bytes(graph.tensor(id).bytes());
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random.in(0, 255));
        values[id] = bytes;
        inputs.push_back(std::move(bytes));
    }
    std::string error;
    macrame::compiler::HostSide host(graph, made.compiled);
    const auto outputs = host.outputs(run(made.program, host.inputs(inputs), error));
    ASSERT_EQ(error, "");
    for (std::size_t i = 0; i < outputs.size(); ++i)
        values[graph.outputs[i]] = outputs[i];
    for (const graph::Node& node : graph.nodes) {
        std::vector<const graph::Bytes*> in;
        for (const graph::TensorId id : node.inputs)
            in.push_back(id == graph::kNone          ? nullptr
                         : graph.tensor(id).constant ? &graph.tensor(id).data
                                                     : &values.at(id));
        const std::vector<graph::Bytes> wanted = graph::run_node(graph, node, in);
        const graph::Bytes& got = values.at(node.outputs[0]);
        ASSERT_EQ(got.size(), wanted[0].size());
        int most = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const int difference = std::abs(static_cast<std::int8_t>(got[i]) -
                                            static_cast<std::int8_t>(wanted[0][i]));
            all.differ += difference == 0 ? 0 : 1;
            most = std::max(most, difference);
        }
        all.values += static_cast<std::int64_t>(got.size());
        all.most = std::max(all.most, most);
        EXPECT_LE(most, 1) << node.where << ": " << graph::name_of(node.op);
    }
}

}  // namespace macrame::systolic::compiler
