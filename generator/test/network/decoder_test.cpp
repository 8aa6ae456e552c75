// Two networks with one cache, for the prompt and for a token, by the C that `compile` writes.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/front/states.hpp"
#include "compiler/graph/canonical.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/systolic/program.hpp"
#include "compiler/tcu/program.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "emit/file_io.hpp"
#include "families/target.hpp"
#include "generator/test/network/commands.hpp"
#include "generator/test/network/host_nets.hpp"
#include "generator/test/network/machine.hpp"
#include "network/network.hpp"
#include "network/parts_file.hpp"
#include "resolve.hpp"
#include "runtime/macrame.h"
#include "runtime/test/systolic/unit.hpp"
#include "runtime/test/tcu/unit.hpp"
#include "test/source_dir.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;
using front::test::Attributes;
using front::test::Ints;
using front::test::OnnxBuilder;

constexpr int kChunk = 4, kContext = 16, kHeads = 2, kDepth = 8, kWidth = kHeads * kDepth;

/// Attention over what is in the cache, for so many tokens at a time.
class Attention {
public:
    explicit Attention(int rows) : b_(24), rows_(rows) {
        x_ = b_.dequantised(b_.input({rows, kWidth}, OnnxBuilder::kInt8), 0.05F, 0);
        position_ = b_.input({1}, OnnxBuilder::kInt64);
        const std::string query = heads(dense(1)), key = heads(dense(2)), line = heads(dense(3));
        const std::string value = b_.op("Transpose", {line}, perm({0, 1, 3, 2}));
        const std::string keys = cached(key, {1, kHeads, kContext, kDepth}, -2),
                          values = cached(value, {1, kHeads, kDepth, kContext}, -1);
        const std::string scores = b_.pair(
            b_.op("MatMul", {query, b_.op("Transpose", {keys}, perm({0, 1, 3, 2}))}), 0.1F, 0);
        const std::string masked = b_.pair(b_.op("Add", {scores, mask()}), 0.23F, 0);
        const std::string shares =
            b_.pair(b_.op("Softmax", {masked}, {{"axis", std::int64_t{-1}}}), 1.0F / 255, -128);
        const std::string mixed = b_.pair(
            b_.op("MatMul", {shares, b_.op("Transpose", {values}, perm({0, 1, 3, 2}))}), 0.05F, 0);
        x_ = b_.op("Reshape",
                   {b_.op("Transpose", {mixed}, perm({0, 2, 1, 3})), b_.integers({rows, kWidth})});
        const std::string last =
            b_.op("QuantizeLinear", {real_dense(4), b_.real(0.1F), b_.zero(0)});
        b_.output(last);
        b_.output(keys_ends_[0]);
        b_.output(keys_ends_[1]);
    }

    std::string bytes() const {
        const std::vector<std::uint8_t> bytes = b_.bytes();
        return {bytes.begin(), bytes.end()};
    }
    /// Pairs for --state.
    std::vector<std::string> states() const {
        return {"--state", keys_ends_[0] + "=" + caches_[0], "--state",
                keys_ends_[1] + "=" + caches_[1]};
    }

private:
    static Attributes perm(const Ints& order) { return {{"perm", order}}; }

    std::string real_dense(int seed) {
        std::vector<std::int8_t> weights;
        for (int i = 0; i < kWidth * kWidth; ++i)
            weights.push_back(static_cast<std::int8_t>((i + 5 * seed) * (37 + seed) % 101 - 50));
        const std::string w =
            b_.constant<std::int8_t>(OnnxBuilder::kInt8, {kWidth, kWidth}, weights);
        return b_.op("MatMul", {x_, b_.dequantised(w, 0.01F, 0)});
    }
    std::string dense(int seed) { return b_.pair(real_dense(seed), 0.05F, 0); }
    std::string heads(const std::string& x) {
        const std::string split = b_.op("Reshape", {x, b_.integers({1, rows_, kHeads, kDepth})});
        return b_.op("Transpose", {split}, perm({0, 2, 1, 3}));
    }
    std::string cached(const std::string& x, const front::test::Dims& shape, std::int64_t axis) {
        const std::string cache = b_.input(shape, OnnxBuilder::kInt8);
        caches_.push_back(cache);
        const std::string scattered = b_.op(
            "TensorScatter", {b_.dequantised(cache, 0.05F, 0), x, position_}, {{"axis", axis}});
        keys_ends_.push_back(b_.op("QuantizeLinear", {scattered, b_.real(0.05F), b_.zero(0)}));
        return b_.dequantised(keys_ends_.back(), 0.05F, 0);
    }
    /// Rows of a table: less than any score behind the position.
    std::string mask() {
        std::vector<float> table;
        for (int i = 0; i < kContext; ++i)
            for (int n = 0; n < kContext; ++n)
                table.push_back(n > i ? -1000.0F : 0.0F);
        Ints steps;
        for (int i = 0; i < rows_; ++i)
            steps.push_back(i);
        const std::string places = b_.op("Add", {position_, b_.integers(steps)});
        return b_.pair(b_.op("Gather", {b_.real({kContext, kContext}, table), places}), 0.23F, 0);
    }

    OnnxBuilder b_;
    int rows_;
    std::string x_, position_;
    std::vector<std::string> caches_, keys_ends_;
};

struct Step {
    bool prompt = false;
    std::int64_t position = 0;
    Bytes x;
};

class Decoder : public Commands<const char*> {
protected:
    void SetUp() override {
        begin("decoder", "prefill.onnx", GetParam());
        Attention prefill(kChunk), decode(1);
        ASSERT_EQ(emit::write_file(file("prefill.onnx"), prefill.bytes()), "");
        ASSERT_EQ(emit::write_file(file("decode.onnx"), decode.bytes()), "");
        states_ = prefill.states();
        // Seven tokens of a prompt in chunks, of which the last row is none, then some one by one.
        for (const auto& [prompt, position] : std::vector<std::pair<bool, std::int64_t>>{
                 {true, 0}, {true, 4}, {false, 7}, {false, 8}, {false, 9}, {false, 15}})
            steps_.push_back({prompt, position, drawn(prompt ? kChunk : 1, position)});
    }

    static Bytes drawn(int rows, std::int64_t seed) {
        Bytes out;
        for (int i = 0; i < rows * kWidth; ++i)
            out.push_back(static_cast<std::uint8_t>((i + 3) * (seed + 7) * 31 % 253));
        return out;
    }

    Design design() const {
        const emit::Assets assets;
        Request request;
        request.preset = GetParam();
        Diags diags;
        return resolve(request, assets, diags).design;
    }
    Network read(const std::string& name) const {
        Request request;
        request.network = file(name + ".onnx");
        for (std::size_t i = 1; i < states_.size(); i += 2) {
            const std::size_t end = states_[i].find('=');
            request.states.emplace_back(states_[i].substr(0, end), states_[i].substr(end + 1));
        }
        std::optional<Network> network = load(request, design());
        EXPECT_TRUE(network);
        return std::move(*network);
    }

    /// By the reference executor, with what it keeps.
    std::vector<Bytes> wanted(const Network& prefill, const Network& decode) const {
        std::vector<Bytes> kept, out;
        for (const graph::Data& first : prefill.graph.states)
            kept.push_back(first.bytes());
        for (const Step& step : steps_) {
            Bytes position(sizeof step.position);
            std::memcpy(position.data(), &step.position, sizeof step.position);
            std::vector<Bytes> in = {step.x, position};
            in.insert(in.end(), kept.begin(), kept.end());
            const std::vector<Bytes> made = graph::run((step.prompt ? prefill : decode).graph, in);
            out.push_back(made[0]);
            kept.assign(made.begin() + 1, made.end());
        }
        return out;
    }

    void* library() const {
        const std::string makefile =
            "include prefill_host.mk\ninclude decode_host.mk\nnet.so:\n\tcc -O1 -Wall -Wextra "
            "-Wpedantic -Werror -fPIC -shared $(PREFILL_HOST_CFLAGS) -o $@ "
            "$(sort $(PREFILL_HOST_SOURCES) $(DECODE_HOST_SOURCES)) -lm\n";
        EXPECT_EQ(emit::write_file(file("made/Makefile"), makefile), "");
        const std::string command =
            "make -s -C " + file("made") + " MACRAME_RUNTIME=" + source_dir() + "/runtime net.so";
        EXPECT_EQ(std::system(command.c_str()), 0);
        void* library = dlopen(file("made/net.so").c_str(), RTLD_NOW);
        EXPECT_NE(library, nullptr) << dlerror();
        return library;
    }

    /// Both with the same memory for what they keep.
    template <typename Net>
    std::vector<Bytes> run(void* library, Net& prefill, Net& decode) const {
        using Function = int (*)(Net*, const void* const*, void* const*);
        const auto run_prefill = reinterpret_cast<Function>(dlsym(library, "prefill_run"));
        const auto run_decode = reinterpret_cast<Function>(dlsym(library, "decode_run"));
        const auto begin = reinterpret_cast<void (*)(Net*)>(dlsym(library, "prefill_begin"));
        std::vector<std::uint64_t> arena(1 << 18, 0xa5a5a5a5a5a5a5a5u);
        prefill.arena = decode.arena = arena.data();
        std::vector<Bytes> out;
        for (int turn = 0; turn < 2; ++turn) {  // what was kept before does not matter
            out.clear();
            begin(&prefill);
            for (const Step& step : steps_) {
                out.emplace_back(step.x.size());
                const void* const inputs[] = {step.x.data(), &step.position};
                void* const outputs[] = {out.back().data()};
                Net& net = step.prompt ? prefill : decode;
                EXPECT_EQ((step.prompt ? run_prefill : run_decode)(&net, inputs, outputs), 0)
                    << net.failed;
            }
        }
        return out;
    }

    std::vector<Bytes> run_by_registers(void* library, const Design& here) const {
        const std::string text = emit::read_file(file("made/networks.program")).bytes;
        Machine machine(dynamic_cast<const RegisterTarget&>(*here.family.target), here,
                        {text.begin(), text.end()});
        macrame_program programs[] = {machine.opened, machine.opened};
        EXPECT_EQ(macrame_select(&programs[0], "prefill"), MACRAME_OK);
        EXPECT_EQ(macrame_select(&programs[1], "decode"), MACRAME_OK);
        RegisterNet prefill, decode;
        prefill.programs = &programs[0];
        decode.programs = &programs[1];
        prefill.machines = decode.machines = &machine.machine;
        return run(library, prefill, decode);
    }

    std::vector<Bytes> run_by_driver(void* library, const Network& prefill,
                                     const Network& decode) const {
        const compiler::Part* part = nullptr;
        for (const compiler::Part& one : prefill.parts)
            if (one.hardware) part = &one;
        tcu::Unit unit(part->compiled.own_as<tcu::compiler::TcuProgram>().architecture);
        unit.stream.resize(1 << 22);
        unit.machine.stream = {unit.stream.data(), tcu::kStream, unit.stream.size()};
        std::vector<std::unique_ptr<std::string>> files;  // they have to stay
        const std::string data = emit::read_file(file("made/networks.tdata")).bytes;
        std::vector<macrame_tcu_network> nets[2];
        for (int i = 0; i < 2; ++i) {
            const Network& network = i == 0 ? prefill : decode;
            std::size_t count = 0;
            for (const compiler::Part& one : network.parts) {
                if (!one.hardware) continue;
                const std::string name = program_name(network, count++);
                for (const char* ending : {".tmodel", ".tprog"})
                    files.push_back(std::make_unique<std::string>(
                        emit::read_file(file("made/" + name + ending)).bytes));
                nets[i].emplace_back();
                const std::string &model = **(files.end() - 2), &program = *files.back();
                EXPECT_EQ(macrame_tcu_open(&nets[i].back(), model.data(), model.size()), 0);
                EXPECT_EQ(macrame_tcu_attach(&nets[i].back(), program.data(), program.size(),
                                             data.data(), data.size()),
                          0);
            }
        }
        CodedNet first, second;
        first.programs = nets[0].data();
        second.programs = nets[1].data();
        first.machine = second.machine = &unit.machine;
        return run(library, first, second);
    }

    std::vector<Bytes> run_by_images(void* library, const Network& prefill,
                                     const Network& decode) const {
        const std::string image = emit::read_file(file("made/networks.bin")).bytes;
        std::vector<std::unique_ptr<systolic::Unit>> units;
        std::vector<macrame_machine> machines[2];
        for (int i = 0; i < 2; ++i) {
            const Network& network = i == 0 ? prefill : decode;
            const auto* programs = static_cast<const macrame_systolic_program*>(
                dlsym(library, i == 0 ? "prefill_programs" : "decode_programs"));
            for (const compiler::Part& part : network.parts) {
                if (!part.hardware) continue;
                const auto& own = part.compiled.own_as<systolic::compiler::SystolicProgram>();
                const macrame_systolic_program& program = programs[machines[i].size()];
                units.push_back(std::make_unique<systolic::Unit>(own.architecture, own.identity,
                                                                 kMachineBlock, image.size()));
                EXPECT_EQ(macrame_systolic_load(&program, &units.back()->machine, image.data(),
                                                image.size()),
                          MACRAME_OK);
                machines[i].push_back(units.back()->machine);
            }
        }
        ImageNet first, second;
        first.machines = machines[0].data();
        second.machines = machines[1].data();
        return run(library, first, second);
    }

    std::vector<std::string> states_;
    std::vector<Step> steps_;
};

TEST_P(Decoder, HasTheOutputsOfTheReference) {
    const Design here = design();
    const Network prefill = read("prefill"), decode = read("decode");
    const std::vector<Bytes> wanted = this->wanted(prefill, decode);
    std::vector<std::string> words = {file("decode.onnx"), "--exact", "--out", file("made")};
    words.insert(words.end(), states_.begin(), states_.end());
    ASSERT_EQ(call("compile", words), kPassed) << said_;
    void* const made = library();
    ASSERT_NE(made, nullptr);
    const Target& target = *here.family.target;
    const std::vector<Bytes> found = target.writes_registers() ? run_by_registers(made, here)
                                     : here.family.name == "tcu"
                                         ? run_by_driver(made, prefill, decode)
                                         : run_by_images(made, prefill, decode);
    dlclose(made);
    // The fixed point of tcu is near, the others are exact.
    const int most = here.family.name == "tcu" ? 8 : 0;
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const std::size_t row = steps_[i].prompt && steps_[i].position == 4 ? 3 : 4;
        ASSERT_EQ(found[i].size(), wanted[i].size());
        for (std::size_t n = 0; n < std::min(found[i].size(), row * kWidth); ++n) {
            const int difference =
                static_cast<std::int8_t>(found[i][n]) - static_cast<std::int8_t>(wanted[i][n]);
            EXPECT_LE(std::abs(difference), most) << "step " << i << ", element " << n;
        }
        EXPECT_NE(found[i], Bytes(found[i].size(), found[i][0]));
    }
}

/// Weights and cache are there once, and the cache stays in its place.
TEST_P(Decoder, SharesWhatIsInMemory) {
    if (std::string(GetParam()) != "nv_small") GTEST_SKIP() << "dla alone";
    std::vector<std::string> words = {file("decode.onnx"), "--out", file("made")};
    words.insert(words.end(), states_.begin(), states_.end());
    ASSERT_EQ(call("compile", words), kPassed) << said_;
    const std::string text = emit::read_file(file("made/networks.program")).bytes;
    const program::ReadResult read =
        program::read(std::vector<std::uint8_t>(text.begin(), text.end()));
    ASSERT_TRUE(read.ok()) << read.error;
    ASSERT_EQ(read.programs.size(), 2U);
    std::size_t weights = 0;
    for (const program::Segment& segment : read.programs[1].segments)
        for (const program::Segment& other : read.programs[0].segments)
            EXPECT_NE(segment.bytes, other.bytes);
    for (const program::Segment& segment : read.programs[0].segments)
        weights += segment.bytes.size() == kWidth * kWidth ? 1 : 0;
    EXPECT_EQ(weights, 4U);
    const std::string source = emit::read_file(file("made/decode_host.c")).bytes;
    std::size_t rows = 0;
    for (std::size_t at = 0; (at = source.find("macrame_put_rows(", at)) != std::string::npos; ++at)
        ++rows;
    EXPECT_EQ(rows, 2U);
    EXPECT_EQ(source.find("macrame_host_put_rows("), std::string::npos);
}

/// What the networks keep has to be the same.
TEST_P(Decoder, RefusesOtherStates) {
    std::vector<std::string> words = {file("decode.onnx"), "--out", file("made"), "--state",
                                      states_[1]};
    ASSERT_EQ(call("compile", words), kPassed) << said_;
    ASSERT_EQ(emit::write_file(file("other.onnx"),
                               [] {
                                   OnnxBuilder b(24);
                                   b.output(b.input({1, 4}, OnnxBuilder::kInt8));
                                   return std::string(b.model.SerializeAsString());
                               }()),
              "");
    words[0] = file("other.onnx");
    EXPECT_EQ(call("compile", words), kUserError);
    EXPECT_NE(said_.find("other.onnx: state "), std::string::npos) << said_;
}

INSTANTIATE_TEST_SUITE_P(Presets, Decoder, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "on_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
