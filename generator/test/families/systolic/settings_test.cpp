/// Parameters, rules, presets, and conformance files as --config.

#include <algorithm>
#include <set>

#include "cli.hpp"
#include "core/param.hpp"
#include "families/systolic/derived.hpp"
#include "families/systolic/pins.hpp"
#include "families/systolic/registers.hpp"
#include "support.hpp"
#include "test/source_dir.hpp"
#include "verif/systolic/files/case_file.hpp"
#include "verif/systolic/run/simulate_options.hpp"

namespace macrame::systolic {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> errors_of(const Values& values) {
    Request request;
    request.family = "systolic";
    request.values = values;
    std::vector<std::string> errors;
    resolved(request, errors);
    return errors;
}

/// A rule: values that break it alone, the message, values near it that pass.
struct Case {
    Values bad;
    std::string message;
    Values good;
};

TEST(SystolicRules, EachFailsWithItsMessageAndPassesNearIt) {
    const std::vector<Case> kCases = {
        {{{"ibuf_entries", "12"}},
         "ibuf-entries = 12: want a power of two: addresses wrap there (--ibuf-entries)",
         {{"ibuf_entries", "8"}}},
        {{{"wbuf_entries", "24"}},
         "wbuf-entries = 24: want a power of two (--wbuf-entries)",
         {{"wbuf_entries", "32"}}},
        {{{"obuf_entries", "6"}},
         "obuf-entries = 6: want a power of two (--obuf-entries)",
         {{"obuf_entries", "8"}}},
        {{{"out_width", "24"}, {"requantise", "true"}},
         "requantise = true: want false, or out-width 32: words of parameters have 32 bits "
         "(--requantise)",
         {{"out_width", "24"}}},
        {{{"config_address", "64"}},
         "config-address = 64: want a multiple of 128, the size of the registers "
         "(--config-address)",
         {{"config_address", "256"}}},
        {{{"out_width", "15"}, {"in_width", "16"}},
         "out-width = 15: want at least in-width (16) (--out-width)",
         {{"out_width", "16"}, {"in_width", "16"}}},
        {{{"out_width", "15"}, {"weight_width", "16"}},
         "out-width = 15: want at least weight-width (16) (--out-width)",
         {{"out_width", "16"}, {"weight_width", "16"}}},
        {{{"obuf_entries", "2"}},
         "obuf-entries = 2: want at least 4: OBUF1 and OBUF2 have half of them each "
         "(--obuf-entries)",
         {{"obuf_entries", "4"}}},
        {{{"wbuf_entries", "8"}, {"rows", "9"}},
         "wbuf-entries = 8: want at least rows (9): the weights of a tap (--wbuf-entries)",
         {{"wbuf_entries", "16"}, {"rows", "9"}}},
    };
    EXPECT_EQ(kCases.size(), rules().size());
    for (const Case& c : kCases) {
        EXPECT_EQ(errors_of(c.bad), std::vector<std::string>{c.message});
        EXPECT_EQ(errors_of(c.good), std::vector<std::string>{}) << c.message;
    }
}

TEST(SystolicParams, RangesAreKept) {
    const std::vector<std::pair<std::string, std::vector<std::string>>> kBad = {
        {"rows", {"0", "256", "x"}},       {"cols", {"0", "256"}},
        {"in_width", {"1", "17"}},         {"weight_width", {"1", "17"}},
        {"out_width", {"7", "33"}},        {"ibuf_entries", {"1", "32769"}},
        {"wbuf_entries", {"1", "32769"}},  {"obuf_entries", {"1", "32770"}},
        {"queue_depth", {"0", "1025"}},    {"token_depth", {"0", "1025"}},
        {"address_width", {"15", "33"}},   {"axi_data_width", {"16", "96", "2048"}},
        {"config_address", {"-128", "x"}}, {"requantise", {"2", "x"}},
    };
    EXPECT_EQ(kBad.size(), params().size());
    for (const auto& [key, values] : kBad) {
        for (const std::string& value : values)
            EXPECT_EQ(errors_of({{key, value}}).size(), 1U) << key << " = " << value;
    }
}

TEST(SystolicParams, KeysAreUniqueAndDocumented) {
    std::set<std::string_view> keys;
    for (const Param& param : params()) {
        EXPECT_TRUE(keys.insert(param.key).second) << param.key;
        EXPECT_FALSE(param.doc.empty()) << param.key;
        EXPECT_LE(param.doc.size(), 90u) << param.key;
        EXPECT_TRUE(in_range(family().defaults, param)) << param.key;
    }
    for (const files::ConfigKey& key : files::kConfigKeys)
        EXPECT_EQ(keys.count(key.name), 1u) << key.name;
    for (const std::string_view key : family().json->keys)
        EXPECT_EQ(keys.count(key), 1u) << key;
}

TEST(SystolicParams, DocumentsHaveTheTables) {
    const std::string table = markdown_table(params(), family().defaults);
    EXPECT_NE(source_text("docs/parameters.md").find(table), std::string::npos)
        << "want this in docs/parameters.md:\n"
        << table;
    run::SimulateOptions options;
    const std::string more = verif::run::markdown_table(run::option_rows(options));
    EXPECT_NE(source_text("docs/simulate.md").find(more), std::string::npos)
        << "want this in docs/simulate.md:\n"
        << more;
}

TEST(SystolicPresets, AreSquares) {
    for (const int size : {4, 8, 16, 32, 64}) {
        Request request;
        request.preset = std::to_string(size) + "x" + std::to_string(size);
        std::vector<std::string> errors;
        const Settings settings = resolved(request, errors);
        EXPECT_EQ(errors, std::vector<std::string>{});
        EXPECT_EQ(settings.design.family.name, "systolic");
        EXPECT_EQ(config_of(settings).rows, size);
        EXPECT_EQ(config_of(settings).cols, size);
    }
    EXPECT_EQ(preset_names(family(), emit::Assets()).size(), 5U);
}

TEST(SystolicDerived, WidthsFollow) {
    Config c;
    c.rows = 5;
    c.cols = 1;
    c.in_width = 9;
    c.out_width = 24;
    c.obuf_entries = 258;
    const Derived d = derive(c);
    EXPECT_EQ(d.in_bytes, 2);
    EXPECT_EQ(d.weight_bytes, 1);
    EXPECT_EQ(d.out_bytes, 4);
    EXPECT_EQ(d.axi_bytes, 16);
    EXPECT_EQ(d.row_w, 3);
    EXPECT_EQ(d.col_w, 0);
    EXPECT_EQ(d.ibuf_entry_w, 8);
    EXPECT_EQ(d.obuf_entry_w, 9);
}

/// Each parameter reaches the architecture that models take.
TEST(SystolicDerived, ModelsHaveTheParameters) {
    for (const files::ConfigKey& key : files::kConfigKeys) {
        const Param& param = *find_param(params(), key.name);
        AnyConfig config = Config{};
        param.set(config, key.low + 1);
        EXPECT_EQ(architecture_of(std::any_cast<const Config&>(config)).*key.member, key.low + 1)
            << key.name;
    }
}

constexpr const char* kCase =
    "{\"name\": \"small\",\n \"config\": {\"rows\": 4, \"cols\": 2, \"in_width\": 8,\n"
    "  \"out_width\": 16, \"ibuf_entries\": 16, \"wbuf_entries\": 32, \"obuf_entries\": 8},\n"
    " \"layer\": {\"rows\": 99}}\n";

TEST(SystolicCaseFile, IsAConfiguration) {
    Request request;
    request.config_file = file_with("case.json", kCase);
    std::vector<std::string> errors;
    const Settings settings = resolved(request, errors);
    EXPECT_EQ(errors, std::vector<std::string>{});
    EXPECT_EQ(settings.design.family.name, "systolic");
    const Config& config = config_of(settings);
    EXPECT_EQ(config.rows, 4);
    EXPECT_EQ(config.cols, 2);
    EXPECT_EQ(config.out_width, 16);
    EXPECT_EQ(config.obuf_entries, 8);
    EXPECT_EQ(config.requantise, "false");  // follows out_width
    EXPECT_EQ(config.queue_depth, 8);
    // The reader of the models takes the same.
    const auto architecture = files::read_architecture(*request.config_file, errors);
    ASSERT_TRUE(architecture);
    EXPECT_EQ(architecture->columns, 2);
    EXPECT_EQ(architecture->accumulator_width, 16);
}

TEST(SystolicCaseFile, MistakesHaveTheirPlace) {
    const std::string path = file_with("bad.json", "{\"rows\": 0, \"cols\": \"x\"}");
    std::vector<std::string> errors;
    EXPECT_FALSE(files::read_architecture(path, errors));
    ASSERT_EQ(errors.size(), 7U);
    EXPECT_EQ(errors[0], path + ":1:10: rows = 0: want a whole number in 1..255");
    EXPECT_EQ(errors[1], path + ":1:21: cols = `x`: want a whole number in 1..255");
    EXPECT_EQ(errors[2], path + ":1:1: in_width is missing: want a whole number in 2..16");
}

TEST(SystolicRegisters, HaveTheirPlaces) {
    EXPECT_EQ(regs::problems(control_registers()), std::vector<std::string>{});
    EXPECT_LE(control_registers().registers.back().offset + 4, unsigned{kControlBytes});
}

/// Pins of a list: "output 4 m_axi_load_arid = 2".
std::vector<std::string> pin_texts(const text::List& pins) {
    std::vector<std::string> out;
    for (const text::Value& value : pins) {
        const text::Scope& pin = std::get<text::Scope>(value.data);
        const auto number = [&](std::string_view name) {
            return std::get<std::int64_t>(pin.find(name)->data);
        };
        const std::string& name = std::get<std::string>(pin.find("name")->data);
        out.push_back(std::string(number("is_output") != 0 ? "output " : "input ") +
                      std::to_string(number("bits")) + " " + name +
                      (number("constant") != 0 ? " = " + std::to_string(number("value")) : ""));
    }
    return out;
}

TEST(SystolicPins, FollowThePort) {
    Config c;
    c.address_width = 24;
    c.axi_data_width = 256;
    const auto load = pin_texts(master_pins(c, *find_master("load")));
    const std::set<std::string> pins(load.begin(), load.end());
    EXPECT_EQ(pins.size(), 17U);
    for (const std::string text : {"output 4 m_axi_load_arid = 2", "output 24 m_axi_load_araddr",
                                   "output 3 m_axi_load_arsize = 5", "input 256 m_axi_load_rdata",
                                   "input 1 m_axi_load_rvalid", "output 1 m_axi_load_rready"})
        EXPECT_EQ(pins.count(text), 1U) << text;
    const auto store = pin_texts(master_pins(c, *find_master("store")));
    EXPECT_EQ(store.size(), 20U);
    EXPECT_EQ(std::count(store.begin(), store.end(), "output 32 m_axi_store_wstrb"), 1);
    const auto slave = pin_texts(slave_pins());
    EXPECT_EQ(slave.size(), 37U);
    for (const char* text : {"input 128 s_axi_wdata", "output 1 s_axi_arready",
                             "input 32 s_axi_awaddr", "output 4 s_axi_bid"})
        EXPECT_EQ(std::count(slave.begin(), slave.end(), text), 1) << text;
    EXPECT_EQ(find_master("gemm"), nullptr);
}

}  // namespace
}  // namespace macrame::systolic
