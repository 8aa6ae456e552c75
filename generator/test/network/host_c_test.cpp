// All of a network by the C that `compile` writes: the bytes of `run`.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

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
using front::test::OnnxBuilder;

class HostC : public Commands<const char*> {
protected:
    void SetUp() override { begin("host_c", "net.onnx", GetParam()); }

    static Bytes bytes_of(const std::string& path) {
        const std::string text = emit::read_file(path).bytes;
        return {text.begin(), text.end()};
    }
    static void write(const std::string& path, const Bytes& bytes) {
        fs::remove(path);
        ASSERT_EQ(emit::write_file(path, std::string(bytes.begin(), bytes.end())), "");
    }

    Design design() const {
        const emit::Assets assets;
        Request request;
        request.preset = GetParam();
        Diags diags;
        return resolve(request, assets, diags).design;
    }

    /// What is made with the makefile's own list of files.
    void* library() const {
        const std::string makefile =
            "include net_host.mk\nnet.so:\n\tcc -O1 -Wall -Wextra "
            "-Wpedantic -Werror -fPIC -shared $(NET_HOST_CFLAGS) -o $@ "
            "$(NET_HOST_SOURCES) $(NET_HOST_LIBS)\n";
        EXPECT_EQ(emit::write_file(file("made/Makefile"), makefile), "");
        const std::string command =
            "make -s -C " + file("made") + " MACRAME_RUNTIME=" + source_dir() + "/runtime net.so";
        EXPECT_EQ(std::system(command.c_str()), 0);
        void* library = dlopen(file("made/net.so").c_str(), RTLD_NOW);
        EXPECT_NE(library, nullptr) << dlerror();
        return library;
    }

    template <typename Net>
    void run(void* library, Net& net, const graph::Graph& graph, const Bytes& input,
             Bytes& output) {
        auto* run = reinterpret_cast<int (*)(Net*, const void* const*, void* const*)>(
            dlsym(library, "net_run"));
        auto* begin = reinterpret_cast<void (*)(Net*)>(dlsym(library, "net_begin"));
        ASSERT_NE(run, nullptr);
        std::vector<std::uint64_t> arena(1 << 18, 0xa5a5a5a5a5a5a5a5u);
        net.arena = arena.data();
        std::vector<const void*> in;
        std::vector<void*> out;
        std::size_t at = 0;
        for (std::size_t i = 0; i < graph.own_inputs();
             at += graph.tensor(graph.inputs[i++]).bytes())
            in.push_back(input.data() + at);
        at = 0;
        for (std::size_t i = 0; i < graph.own_outputs();
             at += graph.tensor(graph.outputs[i++]).bytes())
            out.push_back(output.data() + at);
        // What an earlier run leaves behind in memory does not matter.
        const Bytes other(input.size(), 0x5a);
        const std::vector<const void*> first(in.size(), other.data());
        for (const std::vector<const void*>& one : {first, in}) {
            begin(&net);
            ASSERT_EQ(run(&net, one.data(), out.data()), 0) << net.failed;
        }
    }

    /// Programs of the tensor unit, on the golden model behind its driver.
    void run_by_driver(void* library, const Network& network, const Bytes& input, Bytes& output) {
        const auto& first = network.parts.front();
        const compiler::Part& part = first.hardware ? first : network.parts[1];
        tcu::Unit unit(part.compiled.own_as<tcu::compiler::TcuProgram>().architecture);
        unit.stream.resize(1 << 22);
        unit.machine.stream = {unit.stream.data(), tcu::kStream, unit.stream.size()};
        std::vector<std::string> files;  // they have to stay
        std::string name = fs::exists(file("made/net.tmodel")) ? "net" : "net.1";
        for (int next = 2; fs::exists(file("made/" + name + ".tmodel")); ++next) {
            for (const char* ending : {".tmodel", ".tprog", ".tdata"})
                files.push_back(emit::read_file(file("made/" + name + ending)).bytes);
            name = "net." + std::to_string(next);
        }
        std::vector<macrame_tcu_network> nets;
        for (std::size_t i = 0; i < files.size(); i += 3) {
            nets.emplace_back();
            ASSERT_EQ(macrame_tcu_open(&nets.back(), files[i].data(), files[i].size()), 0);
            ASSERT_EQ(macrame_tcu_attach(&nets.back(), files[i + 1].data(), files[i + 1].size(),
                                         files[i + 2].data(), files[i + 2].size()),
                      0);
        }
        if (nets.size() == 1) {
            ASSERT_EQ(macrame_tcu_load(nets.data(), &unit.machine), 0) << nets[0].problem.what;
        }
        CodedNet net;
        net.programs = nets.data();
        net.machine = &unit.machine;
        run(library, net, network.graph, input, output);
    }

    /// Programs of the systolic array, each on a machine of its own.
    void run_by_images(void* library, const Network& network, const Bytes& input, Bytes& output) {
        const auto* programs =
            static_cast<const macrame_systolic_program*>(dlsym(library, "net_programs"));
        ASSERT_NE(programs, nullptr);
        std::vector<std::unique_ptr<systolic::Unit>> units;
        std::vector<macrame_machine> machines;
        for (const compiler::Part& part : network.parts) {
            if (!part.hardware) continue;
            const auto& own = part.compiled.own_as<systolic::compiler::SystolicProgram>();
            const macrame_systolic_program& program = programs[units.size()];
            const std::string name = file("made/" + program_name(network, units.size()) + ".bin");
            const Bytes image = bytes_of(name);
            units.push_back(std::make_unique<systolic::Unit>(own.architecture, own.identity,
                                                             kMachineBlock, program.bytes));
            ASSERT_EQ(
                macrame_systolic_load(&program, &units.back()->machine, image.data(), image.size()),
                MACRAME_OK)
                << name;
            machines.push_back(units.back()->machine);
        }
        ImageNet net;
        net.machines = machines.data();
        run(library, net, network.graph, input, output);
    }

    /// The network runs by its C as `run` does.
    void compare() {
        fs::remove_all(file("made"));
        const Design here = design();
        Request request;
        request.network = file("net.onnx");
        const std::optional<Network> network = load(request, here);
        ASSERT_TRUE(network);
        const graph::Graph& graph = network->graph;
        const auto bytes = [&](const std::vector<graph::TensorId>& ids, std::size_t count) {
            std::size_t sum = 0;
            for (std::size_t i = 0; i < count; ++i)
                sum += graph.tensor(ids[i]).bytes();
            return sum;
        };
        Bytes input(bytes(graph.inputs, graph.own_inputs()));
        Bytes output(bytes(graph.outputs, graph.own_outputs()));
        for (std::size_t i = 0; i < input.size(); ++i)
            input[i] = static_cast<std::uint8_t>(i * i % 251);
        write(file("in.bin"), input);
        ASSERT_EQ(call("run", {"--input", file("in.bin"), "--input-type", "elements", "--output",
                               file("out.bin"), "--output-type", "elements"}),
                  kPassed)
            << said_;
        const Bytes wanted = bytes_of(file("out.bin"));
        ASSERT_EQ(wanted.size(), output.size());
        ASSERT_EQ(call("compile", {"--out", file("made")}), kPassed) << said_;
        EXPECT_NE(said_.find("net_host.c: "), std::string::npos) << said_;
        void* const made = library();
        ASSERT_NE(made, nullptr);
        const Target& target = *here.family.target;
        if (target.writes_registers()) {
            Machine machine(dynamic_cast<const RegisterTarget&>(target), here,
                            bytes_of(file("made/net.program")));
            RegisterNet net;
            net.programs = &machine.opened;
            net.machines = &machine.machine;
            run(made, net, graph, input, output);
            EXPECT_EQ(output, wanted);
            // Once more, without a reset.
            std::fill(output.begin(), output.end(), std::uint8_t{0});
            run(made, net, graph, input, output);
        } else if (here.family.name == "tcu") {
            run_by_driver(made, *network, input, output);
        } else {
            run_by_images(made, *network, input, output);
        }
        EXPECT_EQ(output, wanted);
        dlclose(made);
    }
};

std::string conv(OnnxBuilder& b, const std::string& in, int filters, int channels) {
    std::vector<std::int8_t> values;
    for (int i = 0; i < filters * channels * 9; ++i)
        values.push_back(static_cast<std::int8_t>(i * 37 % 61 - 30));
    const std::string w =
        b.constant<std::int8_t>(OnnxBuilder::kInt8, {filters, channels, 3, 3}, values);
    return b.op("Conv", {in, b.dequantised(w, 0.03F, 0)},
                {{"pads", front::test::Ints{1, 1, 1, 1}}});
}

/// conv, softmax along channels, conv, softmax: the host in the middle and at the end.
TEST_P(HostC, RunsAllOfTheNetwork) {
    OnnxBuilder b;
    const std::string x = b.input({1, 3, 8, 8}, OnnxBuilder::kInt8);
    const std::string first = conv(b, b.dequantised(x, 0.05F, 3), 8, 3);
    const std::string middle = b.pair(
        b.op("Softmax", {b.pair(first, 0.1F, -4)}, {{"axis", std::int64_t{1}}}), 1.0F / 256, -128);
    const std::string last = b.pair(conv(b, middle, 4, 8), 0.02F, 1);
    b.output(b.op("QuantizeLinear", {b.op("Softmax", {last}, {{"axis", std::int64_t{3}}}),
                                     b.real(1.0F / 256), b.zero(-128)}));
    write(file("net.onnx"), [&] {
        const auto text = b.bytes();
        return Bytes(text.begin(), text.end());
    }());
    compare();
}

/// The array has all of it, and the C is there for its driver.
TEST_P(HostC, RunsWithoutTheHost) {
    if (std::string(GetParam()) != "16x16") GTEST_SKIP() << "has program files of its driver";
    OnnxBuilder b;
    std::vector<std::int8_t> weights;
    for (int i = 0; i < 40 * 24; ++i)
        weights.push_back(static_cast<std::int8_t>(i * 37 % 61 - 30));
    const std::string x = b.input({1, 40}, OnnxBuilder::kInt8);
    const std::string w = b.constant<std::int8_t>(OnnxBuilder::kInt8, {40, 24}, weights);
    const std::string y = b.op("MatMul", {b.dequantised(x, 0.05F, 3), b.dequantised(w, 0.03F, 0)});
    b.output(b.op("QuantizeLinear", {y, b.real(0.1F), b.zero(5)}));
    const auto text = b.bytes();
    write(file("net.onnx"), Bytes(text.begin(), text.end()));
    compare();
    EXPECT_FALSE(fs::exists(file("made/net.parts.json")));
}

/// The tensor unit has float32 in its fixed point.
TEST_P(HostC, RunsFloat32) {
    if (std::string(GetParam()) != "artya7100t") GTEST_SKIP() << "of integers alone";
    OnnxBuilder b;
    std::vector<float> weights;
    for (int i = 0; i < 4 * 3 * 9; ++i)
        weights.push_back(static_cast<float>(i * 37 % 61 - 30) / 64);
    const std::string x = b.input({1, 3, 8, 8}, OnnxBuilder::kFloat);
    const std::string w = b.constant<float>(OnnxBuilder::kFloat, {4, 3, 3, 3}, weights);
    const std::string y = b.op("Conv", {x, w}, {{"pads", front::test::Ints{1, 1, 1, 1}}});
    b.output(b.op("Softmax", {y}, {{"axis", std::int64_t{1}}}));
    const auto text = b.bytes();
    write(file("net.onnx"), Bytes(text.begin(), text.end()));
    compare();
}

/// One that remembers, of which every family leaves something to the host.
TEST_P(HostC, RunsANetworkOfOthers) {
    const char* models = std::getenv("MACRAME_MODELS");
    if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
    const std::string path = "/zoo/micro-wake-word-models__vad/model.tflite";
    write(file("net.onnx"), bytes_of(models + path));
    compare();
}

INSTANTIATE_TEST_SUITE_P(Presets, HostC, testing::Values("nv_small", "16x16", "artya7100t"),
                         [](const auto& one) { return "on_" + std::string(one.param); });

}  // namespace
}  // namespace macrame::network
