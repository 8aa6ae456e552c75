// Tensors at the ends of layers: their files, and comparisons with the reference.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "compiler/declared.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/random/random_graph.hpp"
#include "emit/file_io.hpp"
#include "network/layers/compare.hpp"
#include "network/layers/folder.hpp"
#include "network/layers/own.hpp"
#include "network/layers/sink.hpp"
#include "network/operators.hpp"
#include "network/runner.hpp"
#include "resolve.hpp"
#include "test/source_dir.hpp"
#include "verif/common/random.hpp"

namespace macrame::network::layers {
namespace {

namespace fs = std::filesystem;

/// Of each family.
constexpr const char* kPresets[] = {"nv_small", "nv_large", "16x16", "artya7100t"};

Design design_of(const std::string& preset) {
    const emit::Assets assets;
    for (const Family* family : all_families()) {
        const std::vector<std::string> names = preset_names(*family, assets);
        if (std::find(names.begin(), names.end(), preset) == names.end()) continue;
        Request request;
        request.family = std::string(family->name);
        request.preset = preset;
        Diags diags;
        return resolve(request, assets, diags).design;
    }
    throw std::invalid_argument(preset);
}

/// As a name of a test.
std::string preset_name(const char* preset) { return preset; }

class Layers : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        base_ = fs::temp_directory_path() /
                ("macrame_layers_" + std::to_string(getpid()) + "_" + GetParam());
        fs::create_directories(base_);
    }
    void TearDown() override { fs::remove_all(base_); }

    std::string path(const char* name) const { return (base_ / name).string(); }
    /// `macrame run` of the digits on one picture, with more options.
    int run_digits(const std::vector<std::string>& more, std::string* said = nullptr) const {
        const std::string digits = source_dir() + "/compiler/examples/digits/";
        std::vector<std::string> words = {"run",      digits + "digits.tflite",
                                          "--preset", GetParam(),
                                          "--input",  digits + "pictures/3.png"};
        words.insert(words.end(), more.begin(), more.end());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = run(words, all_families());
        const std::string text = testing::internal::GetCapturedStdout();
        const std::string errors = testing::internal::GetCapturedStderr();
        if (said != nullptr) *said = text + errors;
        return status;
    }
    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(base_), fs::directory_iterator()));
    }

    fs::path base_;
};

/// The files of index.json are arrays of its shapes; the input and what follows it are there.
TEST_P(Layers, AreWrittenAsTheFileHasThem) {
    for (int again = 0; again < 2; ++again)
        ASSERT_EQ(run_digits({"--layers", path("out")}), kPassed);
    EXPECT_EQ(entries(), 1U);
    const fs::path out = path("out");
    const auto index = nlohmann::json::parse(emit::read_file(out / kIndex).bytes);
    ASSERT_EQ(index["tensors"].size(), 12U);
    std::size_t files = 1;
    for (const nlohmann::json& row : index["tensors"]) {
        if (row["file"].is_null()) {
            EXPECT_NE(row["absent"].get<std::string>(), "") << row;
            continue;
        }
        ++files;
        const emit::FileText file = emit::read_file(out / row["file"].get<std::string>());
        const Array array = parse_npy(file.bytes);
        ASSERT_EQ(array.error, "") << row;
        EXPECT_EQ(array.shape, row["shape"].get<std::vector<std::size_t>>());
        EXPECT_EQ(row["type"], "int8");
        EXPECT_EQ(row["scale"].size(), 1U);
        EXPECT_TRUE(row["absent"].is_null());
    }
    EXPECT_EQ(files, static_cast<std::size_t>(
                         std::distance(fs::directory_iterator(out), fs::directory_iterator())));
    EXPECT_EQ(index["tensors"][4]["tensor"], "down");
    EXPECT_EQ(index["tensors"][4]["operator"], 3);
    EXPECT_EQ(index["tensors"][4]["file"], "003-down.npy");
    EXPECT_EQ(index["tensors"][4]["shape"], nlohmann::json({1, 7, 7, 16}));
}

TEST_P(Layers, LeaveOtherFoldersAlone) {
    fs::create_directories(path("own"));
    ASSERT_EQ(emit::write_file(base_ / "own" / "letter.txt", "dear"), "");
    std::string said;
    EXPECT_EQ(run_digits({"--layers", path("own")}, &said), kUserError);
    EXPECT_NE(said.find("a folder with other files"), std::string::npos) << said;
    EXPECT_EQ(run_digits({"--layers", path("no/folder")}, &said), kUserError);
    EXPECT_NE(said.find("want one to write into"), std::string::npos) << said;
    EXPECT_EQ(emit::read_file(base_ / "own" / "letter.txt").bytes, "dear");
    EXPECT_EQ(entries(), 1U);
    // What fails later leaves nothing behind.
    EXPECT_EQ(run_digits({"--layers", path("new"), "--compare-layers", path("own")}, &said),
              kFailed);
    EXPECT_NE(said.find("no file of a tensor of this network"), std::string::npos) << said;
    EXPECT_EQ(entries(), 1U);
}

/// The tensors of a run are a reference for the next; not any more when one of them has changed.
TEST_P(Layers, DifferFromAChangedReference) {
    ASSERT_EQ(run_digits({"--layers", path("out")}), kPassed);
    std::string said;
    ASSERT_EQ(run_digits({"--compare-layers", path("out")}, &said), kPassed) << said;
    const fs::path file = base_ / "out" / "003-down.npy";
    std::string bytes = emit::read_file(file).bytes;
    for (std::size_t i = bytes.size() - 7 * 7 * 16; i < bytes.size(); ++i)
        bytes[i] = static_cast<char>(bytes[i] ^ 0x40);
    fs::remove(file);
    ASSERT_EQ(emit::write_file(file, bytes), "");
    EXPECT_EQ(run_digits({"--compare-layers", path("out"), "--json", path("c.json"), "--report",
                          path("c.html")},
                         &said),
              kFailed);
    const std::string name = "operator 3 (CONV_2D), tensor down";
    EXPECT_NE(said.find("the first that differs more than was declared: " + name),
              std::string::npos)
        << said;
    const auto json = nlohmann::json::parse(emit::read_file(path("c.json")).bytes);
    EXPECT_EQ(json["compared"]["first_fault"], name);
    EXPECT_EQ(json["compared"]["tensors"][4]["differing"], 7 * 7 * 16);
    EXPECT_EQ(json["compared"]["tensors"][3]["fault"], "");
    const std::string page = emit::read_file(path("c.html")).bytes;
    EXPECT_NE(page.find("The first that differs more than was declared: " + name),
              std::string::npos);
    // Another shape is another network.
    fs::copy_file(base_ / "out" / "002-pointwise.npy", file, fs::copy_options::overwrite_existing);
    EXPECT_EQ(run_digits({"--compare-layers", path("out")}, &said), kFailed);
    EXPECT_NE(said.find("003-down.npy: 1x13x13x16: want 1x7x7x16"), std::string::npos) << said;
}

/// A program with other weights in one layer: that layer is named, what follows it is not at fault.
TEST_P(Layers, NameTheOneThatIsWrong) {
    const Design design = design_of(GetParam());
    Request request;
    request.network = source_dir() + "/compiler/examples/digits/digits.tflite";
    request.compare_layers = "";
    std::optional<Network> network = load(request, design);
    ASSERT_TRUE(network);
    graph::Graph changed = network->graph;
    const graph::Node& down = changed.nodes[3];
    ASSERT_EQ(changed.tensor(down.outputs[0]).name, "down");
    for (std::uint8_t& weight : changed.tensor(down.inputs[1]).data)
        weight = static_cast<std::uint8_t>(-weight);
    const Network right = *network;
    network::compile(*network, design, changed);
    ASSERT_TRUE(network->compiled.ok());
    Bytes input(28 * 28);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::uint8_t>(i * i % 251);
    for (const Network* one : {&right, static_cast<const Network*>(&*network)}) {
        Runner runner(design, *one);
        Values values;
        ASSERT_TRUE(runner.run({input}, &values));
        Comparison comparison(*one, "", 1);
        ASSERT_EQ(comparison.add(file_tensors(*one, values), {input}, values), "");
        comparison.set_saturated(runner.saturated());
        comparison.finish();
        if (one == &right) {
            EXPECT_EQ(comparison.first_fault(), nullptr);
            continue;
        }
        ASSERT_NE(comparison.first_fault(), nullptr);
        EXPECT_EQ(comparison.first_fault()->tensor.name, "down");
        int faults = 0;
        for (const Difference& row : comparison.differences())
            faults += row.fault.empty() ? 0 : 1;
        EXPECT_EQ(faults, 1);
    }
}

/// Networks without a file: their operators are those of the graph.
Network compiled(const Design& design, graph::Graph graph) {
    Network out;
    out.graph = std::move(graph);
    for (std::size_t i = 0; i < out.graph.nodes.size(); ++i) {
        for (const graph::TensorId id : out.graph.nodes[i].outputs) {
            graph::FileValue value;
            value.place = static_cast<int>(i);
            value.kind = std::string(graph::name_of(out.graph.nodes[i].op));
            value.name = out.graph.tensor(id).name;
            value.id = id;
            value.shape = out.graph.tensor(id).shape;
            out.graph.file_values.push_back(std::move(value));
        }
    }
    out.options.keep_tensors = true;
    out.options.host_commands = true;
    network::compile(out, design, out.graph);
    return out;
}

struct Seen {
    int networks = 0, exact = 0, others = 0;
    int exact_networks = 0, off = 0;  ///< networks that are said to be exact; outputs that are off
};

/// Outputs are at most as far from the reference as was declared of them.
void check_outputs(const Network& network, const std::vector<Bytes>& inputs,
                   const std::vector<Bytes>& outputs, Seen& seen) {
    const compiler::Declared told = compiler::declared(network.graph, network.compiled);
    EXPECT_TRUE(told.told || !network.compiled.exact_otherwise);
    if (!told.told) return;
    seen.exact_networks += told.exact() ? 1 : 0;
    const std::vector<Bytes> wanted = graph::run(network.graph, inputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (told.exact()) {
            EXPECT_EQ(outputs[i], wanted[i]) << "output " << i;
        }
        const graph::Tensor& tensor = network.graph.tensor(network.graph.outputs[i]);
        double most = 0;
        for (std::size_t e = 0; e < outputs[i].size(); ++e) {
            const bool is_signed = tensor.type == graph::Type::int8;
            const auto value = [&](std::uint8_t byte) {
                return is_signed ? int{static_cast<std::int8_t>(byte)} : int{byte};
            };
            most = std::max(most, std::abs(1.0 * value(outputs[i][e]) - value(wanted[i][e])));
        }
        seen.off += most > 0 ? 1 : 0;
        EXPECT_LE(most, told.outputs[i]) << "output " << i;
    }
}

/// What `estimate` calls exact is exact in `run`, and nothing differs more than was declared.
void check_statement(const Design& design, graph::Graph graph, std::uint64_t seed, Seen& seen) {
    const Network network = compiled(design, std::move(graph));
    if (!network.compiled.ok()) return;
    ++seen.networks;
    verif::Random random(seed);
    std::vector<Bytes> inputs;
    for (const graph::TensorId id : network.graph.inputs) {
        inputs.emplace_back(network.graph.tensor(id).bytes());
        for (std::uint8_t& byte : inputs.back())
            byte = static_cast<std::uint8_t>(random.in(0, 255));
    }
    Runner runner(design, network);
    Values values;
    const auto outputs = runner.run(inputs, &values);
    ASSERT_TRUE(outputs);
    check_outputs(network, inputs, *outputs, seen);
    Comparison comparison(network, "", 1);
    ASSERT_EQ(comparison.add(file_tensors(network, values), inputs, values), "");
    comparison.finish();
    std::map<int, bool> exact;  // operators: those that are proved, or of which nothing is told
    for (const OperatorCost& cost : operator_costs(network)) {
        if (cost.channels == 0) exact[cost.node] = network.compiled.exact_otherwise;
        if (cost.channels != 0) exact[cost.node] = cost.proved == cost.channels;
        if (!network.compiled.exact_otherwise) {
            EXPECT_EQ(cost.exactness(), "-");
        }
    }
    OwnInputs own(network, values);
    for (const Difference& row : comparison.differences()) {
        if (!row.compared || row.tensor.node < 0 || exact.count(row.tensor.node) == 0) continue;
        const std::set<int> nodes = own.of(row.tensor).nodes;
        const bool all = std::all_of(nodes.begin(), nodes.end(), [&](int node) {
            const auto found = exact.find(node);
            return found == exact.end() ? network.compiled.exact_otherwise : found->second;
        });
        ++(all ? seen.exact : seen.others);
        if (all) {
            EXPECT_EQ(row.own, 0) << row.tensor.text();
        }
        if (network.compiled.exact_otherwise) {
            ASSERT_TRUE(row.declared);
            EXPECT_LE(row.own, *row.declared) << row.tensor.text();
        } else {
            EXPECT_FALSE(row.declared);
        }
    }
}

TEST_P(Layers, AreWhatTheEstimateSays) {
    const Design design = design_of(GetParam());
    Seen seen;
    std::uint64_t seed = 1;
    for (const test::PropertyCase& one : test::property_cases()) {
        SCOPED_TRACE(one.name);
        check_statement(design, one.graph, seed++, seen);
    }
    for (std::uint64_t number = 1; number <= 20; ++number) {
        SCOPED_TRACE("random network " + std::to_string(number));
        graph::Graph graph = test::random_graph(number);
        // Then layers may take operators along.
        graph.outputs = {graph.outputs.back()};
        check_statement(design, std::move(graph), seed++, seen);
    }
    EXPECT_GT(seen.networks, 50);
    if (design.family.name == "tcu") {
        EXPECT_EQ(seen.exact, 0);
    } else {
        EXPECT_GT(seen.exact, 50);
        EXPECT_GT(seen.exact_networks, 50);
    }
    if (design.name == "nv_small") {
        EXPECT_GT(seen.off, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(OfEachFamily, Layers, testing::ValuesIn(kPresets),
                         [](const auto& test) { return "of_" + preset_name(test.param); });

/// Planes, unsigned bytes and real values of ONNX files.
TEST(LayersOfOnnx, HaveTheFormOfTheFile) {
    using front::test::OnnxBuilder;
    OnnxBuilder file;
    const std::string x = file.input({1, 3, 4, 5});
    const std::string w =
        file.constant<std::int8_t>(OnnxBuilder::kInt8, {2, 3, 1, 1}, {1, -2, 3, 4, 5, -6});
    const std::string conv = file.op(
        "Conv", {file.pair(x, 0.1F, 128, OnnxBuilder::kUint8), file.dequantised(w, 0.05F, 0)});
    const std::string relu = file.op("Relu", {conv});
    const std::string pool = file.op("MaxPool", {file.pair(relu, 0.02F, 7, OnnxBuilder::kUint8)},
                                     {{"kernel_shape", front::test::Ints{2, 2}}});
    file.output(pool);
    front::ReadResult read = file.read();
    ASSERT_TRUE(read.ok()) << read.errors.front();
    Network network;
    network.graph = std::move(read.graph);
    Bytes input(3 * 4 * 5);
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::uint8_t>(9 * i);
    Values values = {{network.graph.inputs[0], input}};
    graph::run(network.graph, {input},
               [&](graph::TensorId id, const Bytes& bytes) { values[id] = bytes; });
    std::map<std::string, FileTensor> found;
    for (const FileTensor& tensor : file_tensors(network, values))
        found[tensor.name] = tensor;
    EXPECT_EQ(found.at(conv).absent, "no tensor of its own: a part of another operator");
    const std::string quantised = "y6";
    EXPECT_EQ(found.at(relu).absent, "the real values of " + quantised);
    const FileTensor& sums = found.at(quantised);
    ASSERT_TRUE(sums.exists());
    EXPECT_EQ(sums.file, "005-y6.npy");
    EXPECT_EQ(sums.shape, (std::vector<std::size_t>{1, 2, 4, 5}));
    EXPECT_EQ(sums.type, Array::Type::uint8);
    EXPECT_EQ(sums.zero_point, std::vector<int>{7});
    const Bytes written = to_file(sums, values.at(sums.id));
    EXPECT_EQ(from_file(sums, written), values.at(sums.id));
    const int weights[2][3] = {{1, -2, 3}, {4, 5, -6}};
    for (int k = 0; k < 2; ++k)
        for (int p = 0; p < 20; ++p) {
            int sum = 0;
            for (int c = 0; c < 3; ++c)
                sum += weights[k][c] * (input[static_cast<std::size_t>(20 * c + p)] - 128);
            const int want = std::clamp(
                7 + static_cast<int>(std::nearbyint(std::max(0, sum) * 0.1 * 0.05 / 0.02)), 0, 255);
            EXPECT_NEAR(written[static_cast<std::size_t>(20 * k + p)], want, 1) << k << " " << p;
        }
    EXPECT_EQ(found.at(pool).shape, (std::vector<std::size_t>{1, 2, 3, 4}));
}

/// Where back ends declare nothing, every run is compared, not the first one alone.
TEST(OutputNoise, IsThatOfTheWorstRun) {
    Network network;
    network.graph = test::random_graph(1);
    network.compiled.exact_otherwise = false;
    const graph::Graph& graph = network.graph;
    verif::Random random(1);
    std::vector<Input> inputs(17);
    std::vector<std::vector<Bytes>> outputs;
    for (Input& input : inputs) {
        for (const graph::TensorId id : graph.inputs) {
            Bytes& bytes = input.tensors.emplace_back(graph.tensor(id).bytes());
            for (std::uint8_t& byte : bytes)
                byte = static_cast<std::uint8_t>(random.in(0, 255));
        }
        outputs.push_back(graph::run(graph, input.tensors));
    }
    EXPECT_EQ(output_noise(network, inputs, outputs),
              "outputs of the first 16 inputs: those of the reference executor");
    inputs.resize(2);
    outputs.resize(2);
    EXPECT_EQ(output_noise(network, inputs, outputs), "outputs: those of the reference executor");
    outputs[1][0][0] ^= 0x55;
    const std::string text = output_noise(network, inputs, outputs);
    EXPECT_NE(text.find(" dB signal to noise against the reference executor"), std::string::npos)
        << text;
}

TEST(LayersOfOnnx, HaveNamesThatFilesCanHave) {
    EXPECT_EQ(file_name("a/b;c\\d e.f-1_2"), "a_b_c_d_e.f-1_2");
    EXPECT_EQ(file_name("../x"), ".._x");
    EXPECT_EQ(file_name(std::string(200, 'n')).size(), 100U);
}

}  // namespace
}  // namespace macrame::network::layers
