#include "compiler/test/systolic/follow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "compiler/host.hpp"
#include "verif/common/random.hpp"
#include "verif/systolic/check/program_check.hpp"
#include "verif/systolic/files/network_file.hpp"
#include "verif/systolic/files/program_file.hpp"

namespace macrame::systolic::compiler {

void expect_right(const SystolicProgram& program) {
    for (const Program& one : program.programs)
        for (const check::Finding& finding :
             check::check_program(program.architecture, one.instructions()))
            ADD_FAILURE() << check::finding_text(finding);
}

/// The simulator reads from the files what was compiled.
static void expect_files(const SystolicProgram& program) {
    for (const auto& [name, text] : files(program, "follow"))
        std::ofstream(testing::TempDir() + name, std::ios::binary) << text;
    std::vector<std::string> errors;
    const auto read = systolic::files::read_network(testing::TempDir() + "follow.json",
                                                    program.architecture, errors);
    ASSERT_EQ(errors, std::vector<std::string>{});
    ASSERT_EQ(read->programs.size(), program.programs.size());
    for (std::size_t i = 0; i < read->programs.size(); ++i) {
        const Program& wanted = program.programs[i];
        const systolic::files::NetworkProgram& found = read->programs[i];
        EXPECT_EQ(systolic::files::hex_text(found.instructions),
                  systolic::files::hex_text(wanted.instructions()));
        ASSERT_EQ(found.layers.size(), wanted.layers.size());
        for (std::size_t n = 0; n < found.layers.size(); ++n) {
            EXPECT_EQ(found.layers[n].layer, wanted.layers[n].layer);
            EXPECT_EQ(found.layers[n].instructions, wanted.layers[n].instructions);
        }
    }
    std::size_t bytes = 0;
    for (const systolic::files::NetworkPort& port : read->outputs)
        bytes += port.addresses().size();
    EXPECT_EQ(bytes, output_bytes(program));
}

/// What is in the middle of an output belongs to a layer; its border may be filled before.
static void expect_writers(const CompiledSystolic& made) {
    const auto& layers = made.compiled.layers;
    for (const Port& port : made.program.outputs) {
        const TensorLayout& s = port.surface;
        const auto byte =
            static_cast<std::uint64_t>(s.address(s.height / 2, s.width / 2, s.channels - 1));
        EXPECT_TRUE(std::any_of(layers.begin(), layers.end(), [&](const auto& layer) {
            return layer.output.holds(byte);
        })) << port.name;
    }
}

void follow(const graph::Graph& graph, const Architecture& architecture, std::uint64_t seed,
            Differences& all) {
    const CompiledSystolic made = compile(graph, architecture);
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    expect_right(made.program);
    expect_files(made.program);
    expect_writers(made);
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
                         : graph.tensor(id).constant ? &graph.tensor(id).data.bytes()
                                                     : &values.at(id));
        const std::vector<graph::Bytes> wanted = graph::run_node(graph, node, in);
        const graph::Bytes& got = values.at(node.outputs[0]);
        ASSERT_EQ(got.size(), wanted[0].size());
        int most = 0;
        for (std::size_t i = 0; i < got.size(); ++i) {
            const int difference =
                std::abs(static_cast<std::int8_t>(got[i]) - static_cast<std::int8_t>(wanted[0][i]));
            all.differ += difference == 0 ? 0 : 1;
            most = std::max(most, difference);
        }
        all.values += static_cast<std::int64_t>(got.size());
        all.most = std::max(all.most, most);
        EXPECT_LE(most, 1) << node.where << ": " << graph::name_of(node.op);
    }
}

}  // namespace macrame::systolic::compiler
