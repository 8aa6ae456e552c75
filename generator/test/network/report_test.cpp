// The report on a network, and the numbers in it.
#include "network/report/report.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli.hpp"
#include "emit/file_io.hpp"
#include "families/family.hpp"

namespace macrame::network {
namespace {

namespace fs = std::filesystem;

/// What is wrong with the tags of a page; empty if all are closed in order.
std::string unclosed(const std::string& page) {
    static const std::regex tag(R"(<(/?)([a-zA-Z0-9]+)((?:[^<>"]|"[^"]*")*?)(/?)>)");
    std::vector<std::string> open;
    std::string text = page;
    // What scripts hold is no markup.
    for (const char* raw : {"script", "style"}) {
        const std::size_t begin = text.find(std::string("<") + raw + ">");
        const std::size_t end = text.find(std::string("</") + raw + ">");
        if (begin == std::string::npos || end == std::string::npos) return raw;
        text.erase(begin, end - begin);
        text.erase(begin, std::string(raw).size() + 3);
    }
    if (text.compare(0, 15, "<!DOCTYPE html>") != 0) return "no document type";
    text.erase(0, 15);
    std::string between;
    std::size_t at = 0;
    for (std::sregex_iterator i(text.begin(), text.end(), tag), end; i != end; ++i) {
        between += text.substr(at, static_cast<std::size_t>(i->position()) - at);
        at = static_cast<std::size_t>(i->position() + i->length());
        const std::string name = (*i)[2];
        if (name == "meta" || name == "img" || name == "br") continue;
        if ((*i)[1].length() != 0) {
            if (open.empty() || open.back() != name) return "</" + name + ">";
            open.pop_back();
        } else if ((*i)[4].length() == 0) {
            open.push_back(name);
        }
    }
    if (between.find_first_of("<>") != std::string::npos) return "a bare < or >";
    return open.empty() ? "" : "<" + open.back() + ">";
}

/// The numbers of the cells of a table, row by row of its body.
std::vector<std::vector<std::string>> cells(const std::string& page, const std::string& id) {
    std::vector<std::vector<std::string>> out;
    std::size_t at = page.find("id=\"" + id + "\"");
    if (at == std::string::npos) return out;
    at = page.find("<tbody>", at);
    const std::string body = page.substr(at, page.find("</tbody>", at) - at);
    static const std::regex row("<tr>(.*)</tr>"),
        value(R"re(<t[hd][^>]*?(?: data-v="([^"]*)")?>)re");
    for (std::sregex_iterator r(body.begin(), body.end(), row), end; r != end; ++r) {
        const std::string text = (*r)[1];
        out.emplace_back();
        static const std::regex cell("<t[hd][^>]*>"), number("data-v=\"([^\"]*)\"");
        for (std::sregex_iterator c(text.begin(), text.end(), cell); c != end; ++c) {
            std::smatch found;
            const std::string tag = c->str();
            out.back().push_back(std::regex_search(tag, found, number) ? found[1].str() : "");
        }
    }
    return out;
}

/// conv -> add with its input -> softmax on the host, the conv in two runs.
Network network() {
    Network out;
    out.name = out.title = "<net> & \"more\"";
    graph::Graph& g = out.graph;
    const graph::Quantisation q{{0.5f}, {-3}, 0};
    g.tensors = {
        {"in<1>", graph::Type::int8, {1, 4, 4, 3}, q, false, false, {}},
        {"w", graph::Type::int8, {3, 3, 3, 3}, q, false, true, std::vector<std::uint8_t>(81)},
        {"conv", graph::Type::int8, {1, 4, 4, 3}, q, false, false, {}},
        {"sum", graph::Type::int8, {1, 4, 4, 3}, q, false, false, {}},
        {"out", graph::Type::int8, {1, 48}, q, false, false, {}}};
    graph::Conv conv;
    conv.window.kernel_h = conv.window.kernel_w = 3;
    g.nodes = {{conv, {0, 1, graph::kNone}, {2}, "operator 0"},
               {graph::Binary{}, {2, 0}, {3}, "operator 1"},
               {graph::Softmax{}, {3}, {4}, "operator 2"}};
    g.inputs = {0};
    g.outputs = {4};
    compiler::Compiled& made = out.compiled;
    const auto layer = [&](const char* unit, int node, std::uint64_t macs, std::uint64_t mac,
                           std::uint64_t post, std::uint64_t memory, const char* limiter,
                           std::vector<compiler::UnitUse> units) {
        compiler::LayerReport l;
        l.name = "a \"layer\"";
        l.unit = unit;
        l.node = node;
        l.macs = macs;
        l.mac_cycles = mac;
        l.post_cycles = post;
        l.memory_cycles = memory;
        l.cycles = l.bound() + 100;
        l.read_bytes = 8 * memory;
        l.write_bytes = 4 * memory;
        l.limiter = limiter;
        l.units = std::move(units);
        made.layers.push_back(l);
    };
    layer("conv", 0, 3000, 1200, 800, 50, "MAC array", {{"conv", 0}, {"SDP", 0}});
    layer("conv", 0, 2000, 700, 800, 40, "SDP", {{"conv", 1}, {"SDP", 1}});
    layer("SDP", 1, 0, 0, 600, 700, "memory", {{"SDP", 0}});
    made.buffers = {{"w weights", 0, 2048, 0, 1, true, true},
                    {"conv", 2048, 512, 0, 2, false, false}};
    made.program.memory_bytes = 4096;
    made.macs_per_cycle = 64;
    made.bytes_per_cycle = 8;
    made.exactness = {{0, "fine", 3, 2, 5, 1000, 1}, {1, "add", 1, 1, 0, 65536, 0}};
    made.host_nodes = {2};
    return out;
}

struct Page {
    Network net = network();
    const Family& family = *all_families().front();
    Design design{family, "small", family.defaults, {}};
    ReportInput input{net, design};
};

TEST(Operators, SumsOfLayers) {
    const std::vector<OperatorCost> costs = operator_costs(network());
    ASSERT_EQ(costs.size(), 2u);
    EXPECT_EQ(costs[0].runs, 2);
    EXPECT_EQ(costs[0].macs, 5000u);
    EXPECT_EQ(costs[0].cycles, 1300u + 900u);
    EXPECT_EQ(costs[0].bound, 1200u + 800u);
    EXPECT_EQ(costs[0].limiter, "MAC array");  // 1200 against 800
    EXPECT_EQ(costs[0].exactness(), "2/3");
    EXPECT_DOUBLE_EQ(costs[0].use(64), 5000.0 / (2200 * 64));
    EXPECT_EQ(costs[1].limiter, "memory");
    const OperatorCost all = total(costs);
    EXPECT_EQ(all.cycles, 3000u);
    EXPECT_EQ(all.runs, 3);
    const std::vector<LimiterShare> shares = limiter_shares(costs);
    ASSERT_EQ(shares.size(), 2u);
    EXPECT_EQ(shares[0].limiter, "MAC array");
    EXPECT_EQ(shares[1].cycles, 800u);
}

TEST(Operators, MeasuredLayersMayEndInAnotherOrder) {
    Measured measured;
    measured.ends = {1500, 2600, 2500};
    EXPECT_EQ(measured.durations(), (std::vector<std::uint64_t>{1500, 1100, 0}));
    const std::vector<OperatorCost> costs = operator_costs(network(), &measured);
    EXPECT_EQ(costs[0].measured, 2600u);
    EXPECT_EQ(costs[0].best_cycles(), 2600u);
    EXPECT_EQ(costs[1].measured, 0u);
}

TEST(Operators, Titles) {
    const Network net = network();
    EXPECT_EQ(title(net.graph, net.graph.nodes[0]), "conv 3x3");
    graph::Node node = net.graph.nodes[0];
    graph::Conv conv;
    conv.window = {5, 3, 2, 1, 1, 1, 0, 0, 0, 0};
    conv.groups = 3;
    node.op = conv;
    EXPECT_EQ(title(net.graph, node), "depthwise 5x3 /2x1");
    graph::Pool pool;
    pool.window = {2, 2, 2, 2, 1, 1, 0, 0, 0, 0};
    node.op = pool;
    EXPECT_EQ(title(net.graph, node), "max pool 2x2");
    pool.window.stride_h = pool.window.stride_w = 1;
    node.op = pool;
    EXPECT_EQ(title(net.graph, node), "max pool 2x2 /1");
}

TEST(Operators, AdviceIsASentence) {
    Advice advice{"SDP", "one element per cycle", 3, 0.25, "--fast 4", 1000, 750};
    EXPECT_EQ(advice.text(),
              "SDP takes one element per cycle and limits 3 operators with 25 % of the cycles: "
              "--fast 4 would bring 750 cycles instead of 1000 (25 % less)");
    advice.operators = 1;
    advice.cycles_then = 1001;
    EXPECT_EQ(advice.text(),
              "SDP takes one element per cycle and limits 1 operator with 25 % of the cycles: "
              "--fast 4 brings next to nothing, as something else takes nearly as long");
}

TEST(Report, IsWellFormedAndLoadsNothing) {
    Page page;
    const std::string text = html(page.input);
    EXPECT_EQ(unclosed(text), "");
    for (const char* foreign : {"http:", "https:", "url(", "@import", "<link", "src=\"/"})
        EXPECT_EQ(text.find(foreign), std::string::npos) << foreign;
    EXPECT_NE(text.find("&lt;net&gt; &amp; &quot;more&quot;"), std::string::npos);
    EXPECT_EQ(text, html(page.input));
    for (const char* id :
         {"limits", "operators", "layers", "timeline", "memory", "roofline", "graph", "counts"})
        EXPECT_NE(text.find("id=\"" + std::string(id) + "\""), std::string::npos) << id;
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(Report, TheCheckSeesOpenTags) {
    const std::string head = "<!DOCTYPE html><style></style><script></script>";
    EXPECT_EQ(unclosed(head + "<p>a<br>b</p>"), "");
    EXPECT_EQ(unclosed(head + "<p><b></p>"), "</p>");
    EXPECT_EQ(unclosed(head + "<p>"), "<p>");
    EXPECT_EQ(unclosed(head + "<p>a < b</p>"), "a bare < or >");
}

TEST(Report, TablesHoldTheNumbers) {
    Page page;
    const std::string text = html(page.input);
    const auto layers = cells(text, "layers");
    ASSERT_EQ(layers.size(), 3u);
    // layer, operator, unit, MAC, estimated, MAC array, SDP or PDP, memory, read, written, limit
    EXPECT_EQ(layers[1], (std::vector<std::string>{"1", "0", "", "2000", "900", "700", "800", "40",
                                                   "320", "160", "SDP"}));
    const auto operators = cells(text, "operators");
    ASSERT_EQ(operators.size(), 3u);
    // operator, output, runs, MAC, estimated, bound, share, limit, MAC use, read, written,
    // exactness
    EXPECT_EQ(operators[0][2], "2");
    EXPECT_EQ(operators[0][3], "5000");
    EXPECT_EQ(operators[0][4], "2200");
    EXPECT_EQ(operators[0][5], "2000");
    EXPECT_EQ(operators[0][7], "MAC array");
    EXPECT_EQ(operators[2][2], "0");  // on the host
    EXPECT_NE(text.find("5 of 1,000 accumulators differ by up to 1"), std::string::npos);
    EXPECT_NE(text.find("Estimated: each layer from the end of the one before"), std::string::npos);
}

TEST(Report, ChoicesAreToldWhereThereAreAny) {
    Page page;
    EXPECT_EQ(html(page.input).find("<th>choice"), std::string::npos);
    std::vector<compiler::LayerReport>& layers = page.net.compiled.layers;
    layers[0].choice = "4 phases at once";
    layers[1].choice = "contract";
    const std::vector<OperatorCost> costs = operator_costs(page.net);
    EXPECT_TRUE(have_choices(costs));
    EXPECT_EQ(costs[0].choice(), "4 phases at once, contract");
    const std::string text = html(page.input);
    EXPECT_EQ(unclosed(text), "");
    EXPECT_NE(text.find("<td>contract</td></tr>"), std::string::npos);
    EXPECT_NE(text.find("<td>4 phases at once, contract</td></tr>"), std::string::npos);
    const auto operators = cells(text, "operators");
    EXPECT_EQ(operators[0].size(), operators[2].size());  // on the host
}

TEST(Report, MeasuredCyclesComeBesideEstimates) {
    Page page;
    Measured measured;
    measured.machine = "design <1>";
    measured.cycles = 3400;
    measured.begins = {0, 10, 1510};
    measured.ends = {1500, 2600, 3400};
    measured.ports = {{"0", 7000, 5000, 12, 34}};
    page.input.measured = &measured;
    page.input.mhz = 100;
    const std::string text = html(page.input);
    EXPECT_EQ(unclosed(text), "");
    const auto operators = cells(text, "operators");
    EXPECT_EQ(operators[0][4], "2600");
    EXPECT_EQ(operators[0][5], "-15.3846");  // 2200 estimated
    EXPECT_EQ(operators[0].size(), operators[2].size());
    EXPECT_EQ(cells(text, "layers")[1][4], "1100");
    EXPECT_NE(text.find("As measured: design &lt;1&gt;"), std::string::npos);
    EXPECT_NE(text.find("held off in 12 cycles for reads, 34 for writes"), std::string::npos);
    EXPECT_NE(text.find("0.034 ms"), std::string::npos);
    // Layer 1 waits in its register group until the unit is free.
    EXPECT_NE(text.find("layer 1: set up from cycle 10"), std::string::npos);
    EXPECT_NE(text.find("layer 1: cycles 1,500 to 2,600 (1,100)"), std::string::npos);
}

TEST(Report, SamplesOfThePortReplaceEstimatedTraffic) {
    Page page;
    Measured measured;
    measured.cycles = 3000;
    measured.begins = {0, 10, 1510};
    measured.ends = {1500, 2600, 3000};
    // Half of 8 bytes per cycle, then nothing but requests held off for a quarter of the time.
    measured.samples = {{1000, 4000, 0, 0, 0}, {3000, 4000, 0, 500, 0}};
    page.input.measured = &measured;
    const std::string text = html(page.input);
    EXPECT_EQ(unclosed(text), "");
    EXPECT_NE(text.find("requests held off</span>"), std::string::npos);
    EXPECT_EQ(text.find("% of the port"), std::string::npos);
    // From the left: up to half of 30 pixels, then to the ground.
    std::smatch found;
    ASSERT_TRUE(
        std::regex_search(text, found,
                          std::regex("<polygon class=\"mem\" points=\"([0-9.]+),([0-9.]+) "
                                     "[0-9.]+,([0-9.]+) ([0-9.]+),([0-9.]+) [0-9.]+,([0-9.]+) ")));
    const double ground = std::stod(found[2]);
    EXPECT_DOUBLE_EQ(std::stod(found[3]), ground - 15);
    EXPECT_DOUBLE_EQ(std::stod(found[5]), ground - 15);
    EXPECT_DOUBLE_EQ(std::stod(found[6]), ground);
    // A third of the way from 92 to 1088.
    EXPECT_NEAR(std::stod(found[4]), 92 + 996 / 3.0, 0.01);
    measured.samples.clear();
    EXPECT_NE(html(page.input).find("% of the port"), std::string::npos);
}

TEST(Report, ShowsAnswersAndPictures) {
    Page page;
    Answer answer;
    answer.values = {0.25, 0.75};
    answer.ranking = {1, 0};
    answer.probabilities = true;
    Classes classes;
    classes.names = {"cat", "<dog>"};
    page.input.machine = "golden model";
    page.input.classes = &classes;
    page.input.inputs = 1;
    page.input.answers = {{{"a&b.png", {Bytes(48, 0x10)}}, answer, 1}};
    const std::string one = html(page.input);
    EXPECT_EQ(unclosed(one), "");
    EXPECT_NE(one.find("1 &lt;dog&gt;"), std::string::npos);
    EXPECT_NE(one.find("75.0 %"), std::string::npos);
    EXPECT_NE(one.find("data:image/png;base64,iVBORw0KGgo"), std::string::npos);
    EXPECT_NE(one.find(": right</p>"), std::string::npos);
    page.input.answers.push_back({{"c.png", {Bytes(48)}}, answer, 0});
    page.input.inputs = 9;
    page.input.accuracy = {9, 5};
    const std::string several = html(page.input);
    EXPECT_EQ(unclosed(several), "");
    EXPECT_NE(several.find("The first 2 of 9 inputs"), std::string::npos);
    EXPECT_NE(several.find("top-1: 5 of 9 (55.6 %)"), std::string::npos);
    EXPECT_NE(several.find("<span class=\"wrong\">wrong</span>"), std::string::npos);
}

TEST(Report, ANetworkWithoutLayers) {
    Page page;
    page.net.compiled = {};
    const std::string text = html(page.input);
    EXPECT_EQ(unclosed(text), "");
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(cells(text, "operators").size(), 3u);
}

/// Through the command line, on a real network.
/// Of an operator that the back end tells nothing of: exact only if it tells of all others.
TEST(Report, CallsExactOnlyWhatIs) {
    Page p;
    p.net.compiled.exactness.clear();
    EXPECT_EQ(html(p.input).find(">exact<"), std::string::npos);
    p.net.compiled.exact_otherwise = true;
    EXPECT_NE(html(p.input).find(">exact<"), std::string::npos);
}

class ReportOfModels : public testing::Test {
protected:
    void SetUp() override {
        const char* models = std::getenv("MACRAME_MODELS");
        if (models == nullptr) GTEST_SKIP() << "MACRAME_MODELS is not set";
        models_ = models;
        folder_ = fs::temp_directory_path() / ("macrame_report_" + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override {
        if (!folder_.empty()) fs::remove_all(folder_);
    }
    std::string text(const char* name) { return emit::read_file(folder_ / name).bytes; }
    std::string path(const char* name) { return (folder_ / name).string(); }

    fs::path models_, folder_;
};

TEST_F(ReportOfModels, PageAndJsonOfAnEstimateAreEqual) {
    const std::string net = (models_ / "kws_dscnn/model.tflite").string();
    testing::internal::CaptureStdout();
    const int status = run({"estimate", net, "--preset", "nv_small_256", "--json", path("e.json"),
                            "--report", path("e.html"), "--mhz", "100"},
                           all_families());
    const std::string said = testing::internal::GetCapturedStdout();
    ASSERT_EQ(status, kPassed);
    const nlohmann::json json = nlohmann::json::parse(text("e.json"));
    const std::string page = text("e.html");
    EXPECT_EQ(unclosed(page), "");
    const auto rows = cells(page, "layers");
    ASSERT_EQ(rows.size(), json["layers"].size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const nlohmann::json& layer = json["layers"][i];
        std::size_t column = 3;
        for (const char* key : {"macs", "cycles", "mac_cycles", "post_cycles", "memory_cycles",
                                "read_bytes", "write_bytes"})
            EXPECT_EQ(rows[i][column++], std::to_string(layer[key].get<std::uint64_t>())) << key;
        EXPECT_EQ(rows[i][column], layer["limiter"]);
        sum += layer["cycles"].get<std::uint64_t>();
    }
    EXPECT_EQ(json["total_cycles"], sum);
    // One element per cycle is the limit of this configuration.
    for (const std::string& words : {said, page})
        EXPECT_NE(words.find("SDP takes one element per cycle"), std::string::npos);
    EXPECT_NE(page.find("--sdp-bs-throughput"), std::string::npos);
}

/// A family with a model of its cycles.
TEST_F(ReportOfModels, CyclesOfAModel) {
    const std::string net = (models_ / "kws_dscnn/model.tflite").string();
    testing::internal::CaptureStdout();
    const int status = run({"estimate", net, "--family", "systolic", "--json", path("e.json"),
                            "--report", path("e.html")},
                           all_families());
    const std::string said = testing::internal::GetCapturedStdout();
    ASSERT_EQ(status, kPassed);
    EXPECT_NE(said.find("cycles of the cycle model, memory latency 32"), std::string::npos);
    const nlohmann::json json = nlohmann::json::parse(text("e.json"));
    const auto rows = cells(text("e.html"), "layers");
    ASSERT_EQ(rows.size(), json["layers"].size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const nlohmann::json& layer = json["layers"][i];
        std::size_t column = 3;
        for (const char* key : {"macs", "cycles", "estimated_cycles"})
            EXPECT_EQ(rows[i][column++], std::to_string(layer[key].get<std::uint64_t>())) << key;
        sum += layer["cycles"].get<std::uint64_t>();
    }
    const std::uint64_t total = json["total_cycles"], estimated = json["estimated_cycles"];
    EXPECT_LT(sum, total);  // then the program ends
    EXPECT_GT(sum + 100, total);
    EXPECT_NEAR(static_cast<double>(total) / static_cast<double>(estimated), 1, 0.1);
}

TEST_F(ReportOfModels, OfARun) {
    const fs::path folder = models_ / "mnist_valid_q";
    testing::internal::CaptureStdout();
    const int status =
        run({"run", (folder / "model.tflite").string(), "--preset", "nv_small", "--input",
             (folder / "inputs.i8").string(), "--labels", (folder / "labels.txt").string(),
             "--count", "40", "--report", path("r.html")},
            all_families());
    const std::string said = testing::internal::GetCapturedStdout();
    ASSERT_EQ(status, kPassed);
    EXPECT_NE(said.find("top-1: "), std::string::npos);
    const std::string page = text("r.html");
    EXPECT_EQ(unclosed(page), "");
    EXPECT_NE(page.find("The first 24 of 40 inputs"), std::string::npos);
    EXPECT_NE(page.find("mnist_valid_q on nv_small"), std::string::npos);
}

}  // namespace
}  // namespace macrame::network
