// Several networks in the same memory: each gives what it gives alone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "emit/file_io.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "generator/test/network/machine.hpp"
#include "network/network.hpp"
#include "resolve.hpp"
#include "runtime/macrame.h"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;
using front::test::Ints;
using front::test::OnnxBuilder;

/// Of each family; the file of a network of several, and whether that has all of them.
struct Preset {
    const char* name;
    const char* ending;
    bool in_one_file;
};

class Several : public testing::TestWithParam<Preset> {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  ("macrame_several_" + std::to_string(getpid()) + "_" + GetParam().name);
        fs::create_directories(folder_);
        write("person.onnx", network(12, 3, 8, true));
        write("face.onnx", network(7, 2, 5, false));
        write("person.bin", pixels(12 * 12 * 3));
        write("face.bin", pixels(7 * 7 * 2));
    }
    void TearDown() override { fs::remove_all(folder_); }

    /// Convolutions of a picture; with padding or without.
    static graph::Bytes network(int size, int channels, int filters, bool padded) {
        OnnxBuilder b;
        const std::string x = b.input({1, channels, size, size}, OnnxBuilder::kInt8);
        const std::string first = conv(b, b.dequantised(x, 0.05F, 3), filters, channels, padded);
        const std::string last = conv(b, b.pair(first, 0.1F, -4), 4, filters, padded);
        b.output(b.op("QuantizeLinear", {last, b.real(0.2F), b.zero(1)}));
        return b.bytes();
    }
    static std::string conv(OnnxBuilder& b, const std::string& in, int filters, int channels,
                            bool padded) {
        std::vector<std::int8_t> values;
        for (int i = 0; i < filters * channels * 9; ++i)
            values.push_back(static_cast<std::int8_t>((i + filters) * 37 % 61 - 30));
        const std::string w =
            b.constant<std::int8_t>(OnnxBuilder::kInt8, {filters, channels, 3, 3}, values);
        const std::int64_t pad = padded ? 1 : 0;
        return b.op("Conv", {in, b.dequantised(w, 0.03F, 0)}, {{"pads", Ints{pad, pad, pad, pad}}});
    }
    static graph::Bytes pixels(std::size_t count) {
        graph::Bytes out(count);
        for (std::size_t i = 0; i < count; ++i)
            out[i] = static_cast<std::uint8_t>(i * i % 251);
        return out;
    }

    std::string file(const std::string& name) const { return (folder_ / name).string(); }
    void write(const std::string& name, const graph::Bytes& bytes) const {
        ASSERT_EQ(emit::write_file(file(name), std::string(bytes.begin(), bytes.end())), "");
    }
    std::string bytes_of(const std::string& name) const {
        const emit::FileText text = emit::read_file(file(name));
        EXPECT_EQ(text.error, "");
        return text.bytes;
    }

    int call(std::vector<std::string> words) {
        words.insert(words.end(), {"--preset", GetParam().name});
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = run(words, all_families());
        said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
        return status;
    }
    int compile(std::vector<std::string> networks) {
        networks.insert(networks.begin(), "compile");
        networks.insert(networks.end(), {"--out", file("all")});
        return call(std::move(networks));
    }
    /// Cycles of both networks by the estimate.
    std::uint64_t estimated(std::vector<std::string> options) {
        options.insert(options.begin(), {"estimate", file("person.onnx"), file("face.onnx")});
        EXPECT_EQ(call(std::move(options)), kPassed) << said_;
        const std::string sum = "\n2 networks, one after the other: ";
        const std::size_t at = said_.find(sum);
        return at == std::string::npos ? 0 : std::stoull(said_.substr(at + sum.size()));
    }
    /// Outputs of a program on the golden model.
    std::string simulated(const std::string& program, const std::string& inputs,
                          std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"simulate", "--model", "--program", file(program), "--input",
                                   file(inputs), "--output", file("out.bin")});
        EXPECT_EQ(call(more), kPassed) << said_;
        return bytes_of("out.bin");
    }

    fs::path folder_;
    std::string said_;
};

TEST_P(Several, EachGivesWhatItGivesAlone) {
    const Preset& preset = GetParam();
    ASSERT_EQ(compile({file("person.onnx"), "small=" + file("face.onnx")}), kPassed) << said_;
    EXPECT_NE(said_.find("person: hardware: "), std::string::npos) << said_;
    EXPECT_NE(said_.find("small: hardware: "), std::string::npos) << said_;
    for (const auto& [network, name] :
         {std::pair("person", "person"), std::pair("face", "small")}) {
        const std::string alone = std::string(network) + ".alone";
        ASSERT_EQ(call({"compile", file(std::string(network) + ".onnx"), "--out", file(alone),
                        "--input", file(std::string(network) + ".bin")}),
                  kPassed)
            << said_;
        std::string inputs = alone + "/" + network + ".inputs.bin";
        if (preset.in_one_file) inputs = std::string(network) + ".bin";
        const std::string wanted = simulated(alone + "/" + network + preset.ending, inputs);
        ASSERT_FALSE(wanted.empty());
        EXPECT_NE(std::count(wanted.begin(), wanted.end(), wanted.front()),
                  static_cast<std::ptrdiff_t>(wanted.size()));
        const std::string program =
            std::string("all/") + (preset.in_one_file ? kSeveral : name) + preset.ending;
        const std::vector<std::string> more = preset.in_one_file
                                                  ? std::vector<std::string>{"--network", name}
                                                  : std::vector<std::string>();
        EXPECT_EQ(simulated(program, inputs, more), wanted) << network;
    }
}

/// One network is the same file, whatever it is called.
TEST_P(Several, OneNetworkIsAsBefore) {
    ASSERT_EQ(call({"compile", file("face.onnx"), "--out", file("a")}), kPassed) << said_;
    ASSERT_EQ(call({"compile", "face=" + file("face.onnx"), "--out", file("b")}), kPassed) << said_;
    for (const auto& entry : fs::directory_iterator(file("a"))) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(bytes_of("a/" + name), bytes_of("b/" + name)) << name;
    }
}

TEST_P(Several, WhatIsOfOneNetworkIsRefused) {
    const std::vector<std::string> both = {file("person.onnx"), file("face.onnx")};
    EXPECT_EQ(compile({both[0], both[0]}), kUserError);
    EXPECT_NE(said_.find("networks person and person: the same name in C: want another name: "
                         "NAME=FILE"),
              std::string::npos)
        << said_;
    EXPECT_EQ(compile({both[0], "networks=" + both[1]}), kUserError);
    EXPECT_NE(said_.find("network networks: the files of all are called so"), std::string::npos)
        << said_;
    EXPECT_EQ(compile({both[0], "a/b=" + both[1]}), kUserError);
    EXPECT_NE(said_.find("network 'a/b': want a name without /"), std::string::npos) << said_;
    EXPECT_EQ(compile({both[0], both[1], "--input", file("face.bin")}), kUserError);
    EXPECT_NE(said_.find("--input with 2 networks: want one network"), std::string::npos) << said_;
    EXPECT_EQ(call({"run", both[0], both[1], "--input", file("face.bin")}), kUserError);
    EXPECT_NE(said_.find("run: 2 networks: want one; compile and estimate take several"),
              std::string::npos)
        << said_;
    EXPECT_FALSE(fs::exists(file("all")));
    ASSERT_EQ(call({"estimate", both[0], both[1], "--mhz", "100"}), kPassed) << said_;
    EXPECT_NE(said_.find("\n2 networks, one after the other: "), std::string::npos) << said_;
    EXPECT_NE(said_.find(" at 100 MHz\n"), std::string::npos) << said_;
}

TEST_P(Several, EstimatesKnowTheMemory) {
    const std::uint64_t usual = estimated({});
    EXPECT_GT(estimated({"--latency", "200"}), usual + 200);
    EXPECT_NE(said_.find(", memory latency 200"), std::string::npos) << said_;
    EXPECT_GT(estimated({"--memory-bytes-per-cycle", "0.25"}), 2 * usual);
    EXPECT_NE(said_.find(", at most 0.25 bytes per cycle\n"), std::string::npos) << said_;
    EXPECT_GE(estimated({"--board", "ulx3s-85f"}), usual);
    EXPECT_NE(said_.find(", at most 2 bytes per cycle\n"), std::string::npos) << said_;
    EXPECT_NE(said_.find(" at 60 MHz\n"), std::string::npos) << said_;
    EXPECT_EQ(call({"estimate", file("face.onnx"), "--board", "ulx3s"}), kUserError);
    EXPECT_NE(said_.find("(--board); did you mean ulx3s-85f?"), std::string::npos) << said_;
}

INSTANTIATE_TEST_SUITE_P(Presets, Several,
                         testing::Values(Preset{"nv_small", ".program", true},
                                         Preset{"4x4", ".json", false},
                                         Preset{"cmoda7", ".tmodel", false}),
                         [](const auto& preset) { return std::string("of_") + preset.param.name; });

class SeveralInMemory : public Several {
protected:
    /// With the programs of all networks in its memory.
    std::unique_ptr<Machine> machine() {
        const std::string text = bytes_of("all/networks.program");
        Request request;
        request.preset = GetParam().name;
        Diags diags;
        design_ = std::make_unique<Design>(resolve(request, emit::Assets(), diags).design);
        EXPECT_TRUE(diags.empty());
        const auto& target = dynamic_cast<const RegisterTarget&>(*design_->family.target);
        return std::make_unique<Machine>(target, *design_,
                                         std::vector<std::uint8_t>(text.begin(), text.end()));
    }
    /// What a network makes of so many pictures, one after the other.
    static graph::Bytes run_batch(Machine& machine, const char* name, std::uint32_t count) {
        macrame_program program = machine.opened;
        EXPECT_EQ(macrame_select(&program, name), MACRAME_OK);
        macrame_tensor in{}, out{};
        EXPECT_EQ(macrame_get_input(&program, 0, &in), MACRAME_OK);
        EXPECT_EQ(macrame_get_output(&program, 0, &out), MACRAME_OK);
        const graph::Bytes input = pixels(in.bytes * count);
        graph::Bytes output(out.bytes * count);
        const void* inputs[] = {input.data()};
        void* outputs[] = {output.data()};
        const auto reset = [](void* user) { Machine::self(user).device->reset(); };
        EXPECT_EQ(macrame_run_batch(&program, &machine.machine, count, inputs, outputs, reset),
                  MACRAME_OK);
        return output;
    }

    std::unique_ptr<Design> design_;
};

/// Prepared once; then they take turns, by name, one of them in batches.
TEST_P(SeveralInMemory, TakeTurns) {
    ASSERT_EQ(compile({file("person.onnx"), file("face.onnx")}), kPassed) << said_;
    const auto both = machine();
    macrame_program face = both->opened;
    ASSERT_EQ(macrame_select(&face, "face"), MACRAME_OK);
    EXPECT_STREQ(face.network, "face.onnx");
    const graph::Bytes first = run_batch(*both, "person", 1), second = run_batch(*both, "face", 2);
    EXPECT_EQ(run_batch(*both, "person", 1), first);
    EXPECT_EQ(run_batch(*both, "face", 2), second);
    // The first of a batch is what it is alone; the second one has other pixels.
    const graph::Bytes alone = run_batch(*both, "face", 1);
    ASSERT_EQ(alone.size() * 2, second.size());
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), second.begin()));
    EXPECT_FALSE(std::equal(alone.begin(), alone.end(),
                            second.begin() + static_cast<std::ptrdiff_t>(alone.size())));
}

/// A border is there in front of the run, and layers write what is inside: equal borders of
/// programs are not one, as equal weights are.
TEST_P(SeveralInMemory, BordersAreApart) {
    const auto padded = [](const Ints& pads) {
        OnnxBuilder b;
        const std::string x = b.dequantised(b.input({1, 8, 6, 6}, OnnxBuilder::kInt8), 0.05F, 0);
        std::vector<std::string> sides;
        for (int i = 0; i < 2; ++i) {
            std::vector<std::int8_t> values;
            for (int k = 0; k < 64; ++k)
                values.push_back(static_cast<std::int8_t>((k + 7 * i) * 37 % 61 - 30));
            const std::string w = b.constant<std::int8_t>(OnnxBuilder::kInt8, {8, 8, 1, 1}, values);
            const std::string made =
                b.pair(b.op("Conv", {x, b.dequantised(w, 0.03F, 0)}), 0.05F, 0);
            sides.push_back(b.pair(b.op("Pad", {made, b.integers(pads)}), 0.05F, 0));
        }
        b.output(b.op("QuantizeLinear", {b.op("Add", sides), b.real(0.1F), b.zero(0)}));
        return b.bytes();
    };
    // As many bytes of memory, with other places of them inside.
    write("square.onnx", padded({0, 0, 1, 1, 0, 0, 1, 1}));
    write("flat.onnx", padded({0, 0, 2, 0, 0, 0, 0, 2}));
    std::vector<graph::Bytes> wanted;
    for (const char* name : {"square", "flat"}) {
        ASSERT_EQ(compile({file(std::string(name) + ".onnx"), "other=" + file("flat.onnx")}),
                  kPassed)
            << said_;
        wanted.push_back(run_batch(*machine(), name, 1));
    }
    ASSERT_EQ(compile({file("square.onnx"), file("flat.onnx")}), kPassed) << said_;
    const auto both = machine();
    for (int turn = 0; turn < 2; ++turn) {
        EXPECT_EQ(run_batch(*both, "square", 1), wanted[0]) << "turn " << turn;
        EXPECT_EQ(run_batch(*both, "flat", 1), wanted[1]) << "turn " << turn;
    }
}

INSTANTIATE_TEST_SUITE_P(Presets, SeveralInMemory,
                         testing::Values(Preset{"nv_small", ".program", true}),
                         [](const auto& preset) { return std::string("of_") + preset.param.name; });

}  // namespace
}  // namespace macrame::network
