/// Files of compiled networks, read back and run.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"
#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"

namespace macrame::tcu::compiler::test {

namespace {

namespace fs = std::filesystem;

/// A folder that goes with its object.
struct Folder {
    Folder() : path(fs::temp_directory_path() / "macrame-tcu-files-test") {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    const fs::path path;
};

TEST(TcuFiles, AreReadBackAsTheProgramThatTheyAre) {
    const Folder folder;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const graph::Graph graph = random_graph(seed, 3);
        TcuOptions target;
        target.strategy.local_constants = seed % 2 == 0;
        Architecture architecture = artya7100t();
        architecture.local_depth = 32768;
        const CompiledTcu made = compile(graph, architecture, target);
        ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
        for (const auto& [name, text] : files(made.program, "net"))
            std::ofstream(folder.path / name, std::ios::binary) << text;

        std::vector<std::string> errors;
        const auto model = files::read_model((folder.path / "net.tmodel").string(), errors);
        ASSERT_TRUE(model) << errors.front();
        EXPECT_EQ(model->architecture, made.program.architecture);
        EXPECT_EQ(model->constants_to_local, target.strategy.local_constants);
        ASSERT_EQ(model->constants.size(), 1U);
        std::size_t inputs = 0, outputs = 0;
        for (const Port& port : made.program.inputs)
            inputs += port.vectors.size();
        for (const Port& port : made.program.outputs)
            outputs += port.vectors.size();
        EXPECT_EQ(model->input_vectors(), inputs);
        EXPECT_EQ(model->output_vectors(), outputs);

        const Layout layout = layout_of(model->architecture);
        const auto program =
            files::read_program((folder.path / model->program_file).string(), layout, errors);
        ASSERT_TRUE(program) << errors.front();
        EXPECT_EQ(program->size(), model->program_bytes);
        EXPECT_EQ(*program, stream(made.program));
        EXPECT_EQ(files(made.program, "net").at("net.tasm"), disassemble(layout, *program));

        const auto data = files::read_vectors((folder.path / model->constants[0].name).string(),
                                              model->architecture, errors);
        ASSERT_TRUE(data) << errors.front();
        ASSERT_EQ(data->size(), made.program.constants.size() * 2);
        EXPECT_EQ(model->constants[0].size * 8, made.program.constants.size());
        for (std::size_t i = 0; i < made.program.constants.size(); ++i)
            ASSERT_EQ(files::code_at(*data, i, DataType::fp16bp8), made.program.constants[i]);
    }
}

TEST(TcuFiles, InputsAndOutputsLieAsDriversWantThem) {
    // Two pixels of 11 channels: two vectors each, pixel after pixel.
    graph::test::Builder b;
    const auto x = b.input(graph::Type::float32, {1, 1, 2, 11});
    const auto y = b.output(graph::Type::float32, {1, 1, 2, 11});
    b.node(graph::Unary{}, {x}, {y});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    ASSERT_EQ(made.program.inputs.size(), 1U);
    EXPECT_EQ(made.program.inputs[0].vectors, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(made.program.outputs[0].vectors, (std::vector<int>{4, 5, 6, 7}));

    verif::Memory dram0("dram0"), dram1("dram1");
    const tcu::run::Banks banks{dram0, dram1};
    tcu::run::GoldenModel model(made.program.architecture, banks);
    std::vector<float> values(22);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    std::string error;
    run(b.graph, made.program, model, banks, {graph::test::bytes_of(values)}, error);
    ASSERT_EQ(error, "");
    const std::vector<std::uint8_t> bytes = dram0.dump(4 * 16, 4 * 16);
    for (std::size_t pixel = 0; pixel < 2; ++pixel) {
        for (std::size_t lane = 0; lane < 16; ++lane) {
            const std::int32_t code = files::code_at(bytes, pixel * 16 + lane, DataType::fp16bp8);
            EXPECT_EQ(code, lane < 11 ? static_cast<int>(256 * (pixel * 11 + lane)) : 0);
        }
    }
}

TEST(TcuFiles, ConstantsAreRoundedHalfUpAndSaturate) {
    graph::test::Builder b;
    const auto x = b.input(graph::Type::float32, {1, 2});
    const auto w = b.constant(graph::Type::float32, {3, 2},
                              std::vector<float>{0.001953125F, -0.001953125F, 500, -500, 1, 0});
    const auto y = b.output(graph::Type::float32, {1, 3});
    b.node(graph::FullyConnected{}, {x, w, graph::kNone}, {y});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    const std::vector<std::int32_t>& codes = made.program.constants;
    EXPECT_EQ(std::vector<std::int32_t>(codes.begin(), codes.begin() + 3),
              (std::vector<std::int32_t>{1, 32767, 256}));
    EXPECT_EQ(std::vector<std::int32_t>(codes.begin() + 8, codes.begin() + 11),
              (std::vector<std::int32_t>{0, -32768, 0}));
    ASSERT_EQ(made.compiled.original_warnings.size(), 1U);
    EXPECT_EQ(made.compiled.original_warnings[0],
              "2 constants saturate, the largest is 500: the format holds up to 128");
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
