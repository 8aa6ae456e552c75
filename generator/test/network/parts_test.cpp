// Networks with operators in the middle that the hardware does not have: all commands.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "compiler/test/front/onnx_builder.hpp"
#include "emit/file_io.hpp"
#include "generator/test/network/commands.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;
using front::test::OnnxBuilder;
using nlohmann::json;

/// Of each family; whether its programs call the host themselves.
struct Preset {
    const char* name;
    bool calls;
};

class InParts : public Commands<Preset> {
protected:
    void SetUp() override {
        begin("parts", "net.onnx", GetParam().name);
        write(file("net.onnx"), network().bytes());
        graph::Bytes input(kElements);
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = static_cast<std::uint8_t>(i * i % 251);
        write(file("in.bin"), input);
    }

    static constexpr std::size_t kElements = 3 * 8 * 8;

    /// conv, softmax along channels, conv.
    static OnnxBuilder network() {
        OnnxBuilder b;
        const std::string x = b.input({1, 3, 8, 8}, OnnxBuilder::kInt8);
        const std::string first = conv(b, b.dequantised(x, 0.05F, 3), 8, 3);
        const std::string middle =
            b.pair(b.op("Softmax", {b.pair(first, 0.1F, -4)}, {{"axis", std::int64_t{1}}}),
                   1.0F / 256, -128);
        const std::string last = conv(b, middle, 4, 8);
        const std::string y = b.op("QuantizeLinear", {last, b.real(0.02F), b.zero(1)});
        b.output(y);
        return b;
    }
    static std::string conv(OnnxBuilder& b, const std::string& in, int filters, int channels) {
        std::vector<std::int8_t> values;
        for (int i = 0; i < filters * channels * 9; ++i)
            values.push_back(static_cast<std::int8_t>(i * 37 % 61 - 30));
        const std::string w =
            b.constant<std::int8_t>(OnnxBuilder::kInt8, {filters, channels, 3, 3}, values);
        return b.op("Conv", {in, b.dequantised(w, 0.03F, 0)},
                    {{"pads", front::test::Ints{1, 1, 1, 1}}});
    }

    static void write(const std::string& path, const graph::Bytes& bytes) {
        const std::string text(bytes.begin(), bytes.end());
        ASSERT_EQ(emit::write_file(path, text), "");
    }
    static json parsed(const std::string& path) { return json::parse(emit::read_file(path).bytes); }
};

TEST_P(InParts, EstimateTellsWhatTheHostDoes) {
    ASSERT_EQ(call("estimate", {"--json", file("e.json"), "--report", file("e.html"), "--host-mhz",
                                "500", "--mhz", "100"}),
              kPassed)
        << said_;
    EXPECT_EQ(said_.find("hardware: "), 0U) << said_;
    EXPECT_NE(said_.find(", 100 % of 27.1 k multiply-adds"), std::string::npos) << said_;
    EXPECT_NE(said_.find("softmax, "), std::string::npos) << said_;
    EXPECT_NE(said_.find(" ms at 500 MHz\n"), std::string::npos) << said_;
    EXPECT_NE(said_.find("hardware and host: "), std::string::npos) << said_;
    const json estimate = parsed(file("e.json"));
    const json& work = estimate["work"];
    EXPECT_EQ(work["programs"], GetParam().calls ? 1 : 2);
    EXPECT_EQ(work["multiply_adds"], work["hardware_multiply_adds"]);
    // At the ends it changes the layout, too.
    std::uint64_t cycles = 0;
    int softmax = -1;
    EXPECT_EQ(work["kinds"].dump(), R"({"conv":2,"softmax":1,"transpose":2})");
    for (const json& one : work["host"]) {
        cycles += one["cycles"].get<std::uint64_t>();
        if (one["kind"] == "transpose") continue;
        EXPECT_EQ(one["kind"], "softmax");
        EXPECT_NE(one["reason"], "");
        softmax = one["operator"];
    }
    EXPECT_EQ(work["host_cycles"], cycles);
    // Layers of both programs, by operators of the network.
    std::set<int> nodes;
    for (const json& layer : estimate["layers"])
        nodes.insert(layer["operator"].get<int>());
    EXPECT_EQ(nodes.count(softmax - 1), 1U);
    EXPECT_EQ(nodes.count(softmax + 1), 1U);
    const std::string page = emit::read_file(file("e.html")).bytes;
    EXPECT_NE(page.find("<h2>Host</h2>"), std::string::npos);
}

TEST_P(InParts, NoHostRefusesWithOperatorAndReason) {
    EXPECT_EQ(call("estimate", {"--no-host"}), kUserError);
    EXPECT_NE(said_.find("(Softmax)"), std::string::npos) << said_;
    EXPECT_NE(said_.find(": softmax: "), std::string::npos) << said_;
    EXPECT_NE(said_.find("without --no-host"), std::string::npos) << said_;
}

TEST_P(InParts, RunMakesTheOutputsOfTheReference) {
    ASSERT_EQ(call("run", {"--input", file("in.bin"), "--output", file("out.bin"),
                           "--compare-layers", "--json", file("r.json")}),
              kPassed)
        << said_;
    EXPECT_NE(said_.find("hardware: "), std::string::npos) << said_;
    EXPECT_EQ(emit::read_file(file("out.bin")).bytes.size(), 4U * 64U);
    const json compared = parsed(file("r.json"))["compared"];
    EXPECT_EQ(compared["first_fault"], "");
    int seen = 0;
    for (const json& row : compared["tensors"])
        seen += row["compared"] && row["kind"] == "QuantizeLinear" ? 1 : 0;
    EXPECT_EQ(seen, 3) << compared.dump(1);
}

TEST_P(InParts, CompileWritesProgramsAndTheirOrder) {
    ASSERT_EQ(call("compile", {"--out", file("made"), "--input", file("in.bin")}), kPassed)
        << said_;
    const json parts = parsed(file("made/net.parts.json"));
    std::vector<std::string> kinds;
    std::set<int> written;
    for (const json& input : parts["inputs"])
        written.insert(input.get<int>());
    const auto check = [&](const json& reads, const json& writes) {
        for (const json& id : reads)
            EXPECT_EQ(written.count(id.get<int>()), 1U) << parts.dump(1);
        for (const json& id : writes)
            written.insert(id.get<int>());
    };
    json calls;
    for (const json& step : parts["steps"]) {
        const bool program = step.contains("program");
        // Those at the ends, which change the layout, are the family's own choice.
        const bool is_end = &step == &parts["steps"].front() || &step == &parts["steps"].back();
        if (program || !is_end) kinds.emplace_back(program ? "program" : "host");
        if (program) {
            if (step.contains("host_commands")) calls = step["host_commands"];
            EXPECT_TRUE(fs::exists(file("made/" + step["program"].get<std::string>())));
            check(step["inputs"], step["outputs"]);
            continue;
        }
        for (const json& op : step["host"])
            check(op["reads"], op["writes"]);
    }
    check(parts["outputs"], json::array());
    if (GetParam().calls) {
        EXPECT_EQ(kinds, std::vector<std::string>{"program"});
        ASSERT_EQ(calls.size(), 1U);
        EXPECT_EQ(calls[0]["kind"], "softmax");
        return;
    }
    EXPECT_EQ(kinds, (std::vector<std::string>{"program", "host", "program"}));
    EXPECT_TRUE(fs::exists(file("made/net.1.inputs.bin")));
    EXPECT_TRUE(fs::exists(file("made/net.2.inputs.bin")));
}

INSTANTIATE_TEST_SUITE_P(Presets, InParts,
                         testing::Values(Preset{"nv_small", true}, Preset{"16x16", false},
                                         Preset{"artya7100t", false}),
                         [](const auto& one) {
                             return std::string(one.param.name) == "16x16"
                                        ? "systolic_16x16"
                                        : std::string(one.param.name);
                         });

}  // namespace
}  // namespace macrame::network
