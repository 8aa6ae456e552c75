#include "core/settings.hpp"

#include <algorithm>
#include <set>

#include "support.hpp"

namespace macrame::tcu {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// artya7100t with some values given as flags; the malformed ones become `diags`.
Settings settings_of(const Values& values, Diags& diags) {
    Settings settings(family());
    for (const auto& [key, text] : values)
        apply_setting(settings, key, text, {Origin::Level::kFlag, "--" + flag_name(key)}, diags);
    apply_derived_defaults(settings);
    return settings;
}

std::vector<std::string> errors_of(const Values& values) {
    Diags diags;
    const Settings settings = settings_of(values, diags);
    const Diags more = check(settings);
    diags.insert(diags.end(), more.begin(), more.end());
    return texts(diags);
}

/// A rule: values that break it alone, the message, values near it that pass.
struct Case {
    Values bad;
    std::string message;
    Values good;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases = {
        {{{"data_type", "FLOAT32"}},
         "data-type = FLOAT32: want a fixed-point type: FLOAT32 is for compilers and emulators "
         "only (--data-type)",
         {{"data_type", "FP32BP16"}}},
        {{{"number_of_threads", "2"}},
         "number-of-threads = 2: want 1: programs with two threads are for compilers and emulators "
         "only (--number-of-threads)",
         {{"number_of_threads", "1"}}},
        {{{"lut_depth", "16"}},
         "lut-depth = 16: want none, as lut-tables is 0 (--lut-depth)",
         {{"lut_depth", "none"}}},
        {{{"lut_tables", "2"}, {"lut_depth", "16"}, {"simd_registers_depth", "1"}},
         "lut-tables = 2: want at most simd-registers-depth (1): each table writes a register "
         "(--lut-tables)",
         {{"lut_tables", "0"}}},
        {{{"array_size", "3"}},
         "axi-data-width = 32: want a part or a multiple of a vector, 48 bits in memory: no width "
         "is, scalars of 16 bits want an array-size that is even (follows array-size)",
         {{"array_size", "3"}, {"data_type", "FP32BP16"}}},
        {{{"array_size", "12"}, {"axi_data_width", "128"}},
         "axi-data-width = 128: want a part or a multiple of a vector, 192 bits in memory "
         "(--axi-data-width)",
         {{"array_size", "2"}, {"axi_data_width", "1024"}}},
        {{{"lut_tables", "1"}, {"lut_depth", "16"}, {"local_depth", "15"}},
         "lut-depth = 16: want at most local-depth (15): LoadLUT reads a whole table (--lut-depth)",
         {{"lut_tables", "1"}, {"lut_depth", "16"}, {"local_depth", "16"}}},
    };
    return kCases;
}

TEST(TcuRules, EachFailsWithItsMessageAndPassesNearIt) {
    for (const Case& c : cases()) {
        const std::vector<std::string> errors = errors_of(c.bad);
        EXPECT_EQ(std::count(errors.begin(), errors.end(), c.message), 1)
            << c.message << "\n"
            << (errors.empty() ? "no error" : errors.front());
        EXPECT_EQ(errors_of(c.good), std::vector<std::string>{}) << c.message;
    }
}

TEST(TcuRules, EveryRuleHasACase) {
    std::set<const Rule*> tested;
    for (const Case& c : cases()) {
        Diags diags;
        for (const Violation& violation : violations(settings_of(c.bad, diags))) {
            if (violation.text == c.message) tested.insert(violation.rule);
        }
    }
    for (const Rule& rule : rules())
        EXPECT_EQ(tested.count(&rule), 1u) << &rule - rules().data() << " about " << rule.key;
}

/// A parameter with a range: texts that are refused, and what the message says is wanted.
struct RangeCase {
    std::string key;
    std::vector<std::string> bad;
    std::string wanted;
};

const std::vector<RangeCase>& range_cases() {
    static const std::vector<RangeCase> kCases = {
        {"data_type", {"", "FP16", "fp16bp8"}, "FP8BP4, FP16BP8, FP18BP10, FP32BP16 or FLOAT32"},
        {"array_size", {"0", "1", "257", "8.0", "x"}, "a number in 2..256"},
        {"dram0_depth", {"0", "1", "2147483648", "1e6"}, "a number in 2..2147483647"},
        {"dram1_depth", {"0", "1", "4294967296", "-8"}, "a number in 2..2147483647"},
        {"local_depth", {"1", "65537"}, "a number in 2..65536"},
        {"accumulator_depth", {"1", "65537", "none"}, "a number in 2..65536"},
        {"simd_registers_depth", {"-1", "17"}, "a number in 0..16"},
        {"stride0_depth", {"0", "17"}, "a number in 1..16"},
        {"stride1_depth", {"0", "17"}, "a number in 1..16"},
        {"number_of_threads", {"0", "3"}, "1 or 2"},
        {"thread_queue_depth", {"0", "65537"}, "a number in 1..65536"},
        {"lut_tables", {"-1", "16"}, "a number in 0..15"},
        {"lut_depth", {"1", "257"}, "a number in 2..256 or none"},
        {"axi_data_width", {"0", "16", "48", "2048"}, "a power of two in 32..1024"},
        {"array_vectors", {"0", "3"}, "1 or 2"},
        {"weight_buffers", {"1", "4"}, "2 or 3"},
        {"queue_depth", {"2", "24", "131072"}, "a power of two in 4..65536"},
        {"transfer_depth", {"1", "24", "512"}, "a power of two in 2..256"},
        {"order_blocks", {"8", "24", "2048"}, "a power of two in 16..1024 or none"},
        {"sample_block_size", {"-1", "65537"}, "a number in 1..65536 or none"},
        {"decoder_timeout", {"0", "65536"}, "a number in 1..65535"},
    };
    return kCases;
}

TEST(TcuRanges, EachFailsWithItsMessage) {
    for (const RangeCase& c : range_cases()) {
        for (const std::string& bad : c.bad) {
            const std::string flag = flag_name(c.key);
            const std::vector<std::string> errors = errors_of({{c.key, bad}});
            ASSERT_FALSE(errors.empty()) << c.key << " = " << bad;
            EXPECT_EQ(errors.front(), finding(flag, bad, c.wanted, "--" + flag));
        }
    }
}

TEST(TcuRanges, EveryParameterHasACase) {
    for (const Param& param : params()) {
        const auto count = std::count_if(range_cases().begin(), range_cases().end(),
                                         [&](const RangeCase& c) { return c.key == param.key; });
        EXPECT_EQ(count, param.is_flag() ? 0 : 1) << param.key;
    }
}

TEST(TcuSettings, BusAndWeightSetsFollowTheArray) {
    const auto followed = [](const Values& values) {
        Diags diags;
        const Config config = config_of(settings_of(values, diags));
        EXPECT_TRUE(diags.empty());
        return std::make_pair(config.axi_data_width, config.weight_buffers);
    };
    EXPECT_EQ(followed({}), std::make_pair(128, 3));
    EXPECT_EQ(followed({{"array_size", "12"}}), std::make_pair(64, 3));
    EXPECT_EQ(followed({{"array_size", "32"}}), std::make_pair(512, 2));
    EXPECT_EQ(followed({{"array_size", "64"}}), std::make_pair(512, 2));
    EXPECT_EQ(followed({{"array_size", "2"}, {"data_type", "FP8BP4"}}), std::make_pair(32, 3));
    EXPECT_EQ(followed({{"data_type", "FP18BP10"}}), std::make_pair(256, 3));
    EXPECT_EQ(followed({{"array_size", "32"}, {"axi_data_width", "64"}, {"weight_buffers", "3"}}),
              std::make_pair(64, 3));
}

/// The configurations that the original was published for.
TEST(TcuPresets, AreThoseOfTheOriginal) {
    struct Row {
        const char* name;
        int array_size, dram0, dram1, local, accumulators, axi;
    };
    const Row rows[] = {
        {"artya7100t", 8, 1048576, 1048576, 8192, 2048, 128},
        {"cmoda7", 4, 4096, 32768, 4096, 4096, 64},
        {"custom_perf", 12, 1048576, 1048576, 8192, 2048, 64},
        {"pynqz1", 8, 1048576, 1048576, 8192, 2048, 128},
        {"speech_robot", 8, 131072, 131072, 8192, 2048, 128},
        {"ultra96v2", 16, 2097152, 2097152, 20480, 4096, 256},
        {"zcu104", 32, 2097152, 2097152, 16384, 4096, 512},
        {"zcu104_uram", 32, 2097152, 2097152, 49152, 20480, 512},
    };
    std::vector<std::string> names;
    for (const Row& row : rows) {
        const Config config = config_of(preset(row.name));
        EXPECT_EQ(config.data_type, "FP16BP8") << row.name;
        EXPECT_EQ(config.array_size, row.array_size) << row.name;
        EXPECT_EQ(config.dram0_depth, row.dram0) << row.name;
        EXPECT_EQ(config.dram1_depth, row.dram1) << row.name;
        EXPECT_EQ(config.local_depth, row.local) << row.name;
        EXPECT_EQ(config.accumulator_depth, row.accumulators) << row.name;
        EXPECT_EQ(config.simd_registers_depth, 1) << row.name;
        EXPECT_EQ(config.stride0_depth, 8) << row.name;
        EXPECT_EQ(config.stride1_depth, 8) << row.name;
        EXPECT_EQ(config.axi_data_width, row.axi) << row.name;
        names.emplace_back(row.name);
    }
    EXPECT_EQ(preset_names(family(), emit::Assets()), names);
}

}  // namespace
}  // namespace macrame::tcu
