/// Readers and writers of .tarch, .tmodel, .tprog, vectors.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::files {

namespace {

/// A folder of its own for the files of a test.
class TcuFiles : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ =
            std::filesystem::path(testing::TempDir()) / ("tcu_files_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }
    /// The first error of a .tarch with this text, without the folder.
    std::string arch_error(const std::string& text) {
        std::vector<std::string> errors;
        EXPECT_FALSE(read_architecture(write("x.tarch", text), errors));
        return errors.empty() ? "" : errors.front().substr(folder_.string().size() + 1);
    }
    std::string model_error(const std::string& text) {
        std::vector<std::string> errors;
        EXPECT_FALSE(read_model(write("x.tmodel", text), errors));
        return errors.empty() ? "" : errors.front().substr(folder_.string().size() + 1);
    }
    std::filesystem::path folder_;
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, text.npos) << what;
    return text.replace(at, what.size(), with);
}

TEST_F(TcuFiles, ArchitecturesComeBack) {
    std::vector<Architecture> all = test::odd_architectures();
    for (const auto& entry : test::architectures())
        all.push_back(entry.second);
    for (const Architecture& architecture : all) {
        std::vector<std::string> errors;
        const auto read =
            read_architecture(write("x.tarch", architecture_text(architecture)), errors);
        ASSERT_TRUE(read) << errors.front();
        EXPECT_TRUE(*read == architecture);
        EXPECT_EQ(architecture_text(*read), architecture_text(architecture));
    }
}

TEST_F(TcuFiles, MistakesInArchitectures) {
    const std::string good = architecture_text(test::architectures().at("pynqz1"));
    EXPECT_EQ(arch_error(replaced(good, "\"array_size\": 8", "\"array_size\": 1")),
              "x.tarch:3:19: array_size = 1: want a whole number in 2..256");
    EXPECT_EQ(arch_error(replaced(good, "\"array_size\": 8", "\"array_size\": \"8\"")),
              "x.tarch:3:19: array_size = `8`: want a whole number in 2..256");
    EXPECT_EQ(arch_error(replaced(good, "\"array_size\": 8", "\"array_size\": 8.5")),
              "x.tarch:3:19: array_size = 8.5: want a whole number in 2..256");
    EXPECT_EQ(arch_error(replaced(good, "    \"array_size\": 8,\n", "")),
              "x.tarch:1:1: array_size: is missing: want a whole number in 2..256");
    EXPECT_EQ(arch_error(replaced(good, "FP16BP8", "FLOAT32")),
              "x.tarch:2:18: data_type = `FLOAT32`: want FP8BP4, FP16BP8, FP18BP10 or FP32BP16 (no "
              "hardware computes FLOAT32)");
    EXPECT_EQ(arch_error(replaced(good, "\"array_size\": 8", "\"array_size\": 8, \"size\": 8"))
                  .substr(0, 46),
              "x.tarch:3:30: `size` is no key here: want data");
    EXPECT_EQ(arch_error(good.substr(0, good.size() - 3)),
              "x.tarch:12:28: found the end of the text: want `,` or `}`");
    EXPECT_EQ(arch_error("[]"), "x.tarch:1:1: found an array: want an object");
    EXPECT_EQ(
        arch_error(replaced(good, "\"array_size\": 8", "\"array_size\": 8, \"lut_tables\": 1")),
        "x.tarch: lut_tables = 1: want lut_depth of at least 1, too");
    std::vector<std::string> errors;
    EXPECT_FALSE(read_architecture((folder_ / "none.tarch").string(), errors));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find("none.tarch: cannot be read (No such file"), std::string::npos);
}

Model a_model() {
    Model m;
    m.name = "net_onnx_pynqz1";
    m.program_file = "net.tprog";
    m.program_bytes = 640;
    m.constants = {{"net.tdata", 0, 100}};
    m.inputs = {{"x:0", 0, 16}, {"x:0", 32, 4}};
    m.outputs = {{"Identity:0", 8, 1}};
    m.architecture = test::architectures().at("pynqz1");
    return m;
}

TEST_F(TcuFiles, ModelsComeBackAndAreWrittenAsTheOriginalDoes) {
    const std::string text = model_text(a_model());
    EXPECT_EQ(text,
              "{\"name\":\"net_onnx_pynqz1\",\"prog\":{\"file_name\":\"net.tprog\",\"size\":640},"
              "\"consts\":[{\"file_name\":\"net.tdata\",\"base\":0,\"size\":100}],"
              "\"inputs\":[{\"name\":\"x:0\",\"base\":0,\"size\":16},"
              "{\"name\":\"x:0\",\"base\":32,\"size\":4}],"
              "\"outputs\":[{\"name\":\"Identity:0\",\"base\":8,\"size\":1}],"
              "\"arch\":{\"data_type\":\"FP16BP8\",\"array_size\":8,\"dram0_depth\":1048576,"
              "\"dram1_depth\":1048576,\"local_depth\":8192,\"accumulator_depth\":2048,"
              "\"simd_registers_depth\":1,\"stride0_depth\":8,\"stride1_depth\":8,"
              "\"number_of_threads\":1,\"thread_queue_depth\":8},\"load_consts_to_local\":false}");
    std::vector<std::string> errors;
    const auto read = read_model(write("x.tmodel", text), errors);
    ASSERT_TRUE(read) << errors.front();
    EXPECT_EQ(model_text(*read), text);
    EXPECT_EQ(read->input_vectors(), 20u);
    EXPECT_EQ(read->output_vectors(), 1u);
    // Files from before it existed do not have the last key.
    const auto older = read_model(
        write("x.tmodel", replaced(text, ",\"load_consts_to_local\":false", "")), errors);
    ASSERT_TRUE(older);
    EXPECT_FALSE(older->constants_to_local);
    EXPECT_TRUE(read_architecture((folder_ / "x.tmodel").string(), errors));
}

TEST_F(TcuFiles, MistakesInModels) {
    const std::string good = model_text(a_model());
    EXPECT_EQ(model_error(replaced(good, "\"base\":32", "\"base\":-1")),
              "x.tmodel:1:193: inputs[1].base = -1: want a whole number in 0..4294967296");
    EXPECT_EQ(model_error(replaced(good, "\"base\":32", "\"base\":1048573")),
              "x.tmodel: input `x:0`, base 1048573, size 4: want it below the 1048576 vectors of "
              "DRAM0");
    EXPECT_EQ(model_error(replaced(good, "\"prog\":{", "\"prog\":{\"x\":0,")),
              "x.tmodel:1:39: prog.`x` is no key here: want file_name or size");
    EXPECT_EQ(model_error(replaced(good, "\"array_size\":8", "\"array_size\":\"x\"")).substr(0, 8),
              "x.tmodel");
    Model large = a_model();
    large.constants_to_local = true;
    large.constants[0].size = 8193;
    EXPECT_EQ(model_error(model_text(large)),
              "x.tmodel: constants `net.tdata`, base 0, size 8193: want it below the 8192 vectors "
              "of local memory");
    Model none = a_model();
    none.constants.clear();
    EXPECT_EQ(model_error(model_text(none)), "x.tmodel: consts with 0 entries: want one");
}

TEST_F(TcuFiles, TruncatedProgramsAreRefused) {
    const Layout layout = layout_of(test::architectures().at("zcu104"));
    std::vector<std::string> errors;
    EXPECT_TRUE(read_program(write("x.tprog", std::string(18, '\0')), layout, errors));
    EXPECT_FALSE(read_program(write("x.tprog", std::string(17, '\0')), layout, errors));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find("x.tprog: found 17 bytes: want whole instructions, 9 bytes each"),
              std::string::npos);
    EXPECT_FALSE(read_program(write("x.tprog", ""), layout, errors));
}

TEST_F(TcuFiles, NumbersBecomeCodes) {
    std::vector<std::string> errors;
    const Architecture fp8 = test::architectures().at("n4_fp8bp4");
    const auto codes =
        parse_csv("1, -0.03125,0.03125, 100\r\n-100,0.5,-8,7.9375\n", "x", fp8, errors);
    ASSERT_TRUE(codes) << errors.front();
    // Half a code is rounded upwards.
    EXPECT_EQ(*codes, (Bytes{0x10, 0x00, 0x01, 0x7f, 0x80, 0x08, 0x80, 0x7f}));
    Architecture fp18 = test::architectures().at("n8_fp18bp10");
    fp18.array_size = 2;
    const auto wide = parse_csv("-1,128\n", "x", fp18, errors);
    ASSERT_TRUE(wide);
    EXPECT_EQ(*wide, (Bytes{0x00, 0xfc, 0x03, 0x00, 0xff, 0xff, 0x01, 0x00}));
    EXPECT_EQ(csv_text(*wide, fp18), "-1,127.9990234375\n");
    EXPECT_EQ(code_at(*wide, 0, fp18.data_type), -1024);
    EXPECT_FALSE(parse_csv("1,2\n1,x\n", "x.csv", fp18, errors));
    EXPECT_EQ(errors.back(), "x.csv:2: found `x`: want a number");
    EXPECT_FALSE(parse_csv("1,2\n\n1\n", "x.csv", fp18, errors));
    EXPECT_EQ(errors.back(), "x.csv:3: found 1 numbers: want the 2 of a vector");
    EXPECT_FALSE(parse_csv("1,nan\n", "x.csv", fp18, errors));
}

TEST_F(TcuFiles, VectorsComeBackThroughBothKindsOfFile) {
    const Architecture a = test::architectures().at("n16_fp32bp16");
    Bytes vectors;
    for (int i = 0; i < 2 * a.vector_bytes(); ++i)
        vectors.push_back(static_cast<std::uint8_t>(37 * i));
    std::vector<std::string> errors;
    for (const char* name : {"x.bin", "x.csv"}) {
        const std::string path = (folder_ / name).string();
        ASSERT_TRUE(write_vectors(path, vectors, a, errors));
        const auto read = read_vectors(path, a, errors);
        ASSERT_TRUE(read) << errors.front();
        EXPECT_EQ(*read, vectors) << name;
    }
    EXPECT_FALSE(read_vectors(write("y.bin", "abc"), a, errors));
    EXPECT_FALSE(write_vectors((folder_ / "no/x.bin").string(), vectors, a, errors));
}

}  // namespace

}  // namespace macrame::tcu::files
