#include "core/settings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "families/dla/tables.hpp"
#include "support.hpp"

namespace macrame::dla {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

/// nv_small with some values given as flags; the malformed ones become `diags`.
Settings settings_of(const Values& values, Diags& diags) {
    Settings settings(family());
    for (const auto& [key, text] : values) {
        apply_setting(settings, key, text, {Origin::Level::kFlag, "--" + flag_name(key)}, diags);
    }
    apply_derived_defaults(settings);
    return settings;
}

/// All messages about these values.
std::vector<std::string> errors_of(const Values& values) {
    Diags diags;
    const Settings settings = settings_of(values, diags);
    for (const Diag& diag : check(settings)) {
        diags.push_back(diag);
    }
    std::vector<std::string> errors;
    for (const Diag& diag : diags) {
        errors.push_back(diag.text);
    }
    return errors;
}

/// A rule: values that break it alone, the message, values near it that pass.
struct Case {
    std::string key;
    Values bad;
    std::string message;
    Values good;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> kCases = {
        {"memory_atomic_size",
         {{"memory_atomic_size", "16"}, {"mac_atomic_c_size", "16"}},
         "memory-atomic-size = 16: want mac-atomic-k-size (8) (--memory-atomic-size)",
         {{"memory_atomic_size", "16"}, {"mac_atomic_k_size", "16"}, {"mac_atomic_c_size", "16"}}},
        {"mac_atomic_c_size",
         {{"mac_atomic_c_size", "64"}},
         "mac-atomic-c-size = 64: want 1, 2 or 4 times memory-atomic-size (8) "
         "(--mac-atomic-c-size)",
         {{"mac_atomic_c_size", "32"}}},
        {"cbuf_bank_width",
         {{"cbuf_bank_width", "16"}},
         "cbuf-bank-width = 16: want mac-atomic-c-size (8) (--cbuf-bank-width)",
         {{"cbuf_bank_width", "16"}, {"mac_atomic_c_size", "16"}}},
        {"cbuf_bank_depth",
         {{"cbuf_bank_depth", "1024"}, {"mac_atomic_c_size", "64"}, {"mac_atomic_k_size", "16"}},
         "cbuf-bank-depth = 1024: want a bank of 512 to 32768 bytes, not 65536 "
         "(--cbuf-bank-depth)",
         {{"cbuf_bank_depth", "64"}}},
        {"primary_memif_width",
         {{"primary_memif_width", "64"}, {"mac_atomic_k_size", "16"}, {"mac_atomic_c_size", "16"}},
         "primary-memif-width = 64: want at least one memory atom, 128 bits "
         "(--primary-memif-width)",
         {{"primary_memif_width", "512"}}},
        {"sdp_bs_throughput",
         {{"sdp_bs_throughput", "16"}},
         "sdp-bs-throughput = 16: want at most 8, the elements of a memory atom "
         "(--sdp-bs-throughput)",
         {{"sdp_bs_throughput", "1"}}},
        {"sdp_bn_throughput",
         {{"sdp_bn_throughput", "16"}},
         "sdp-bn-throughput = 16: want at most 8, the elements of a memory atom "
         "(--sdp-bn-throughput)",
         {{"sdp_bn_throughput", "1"}}},
        {"sdp_ew_throughput",
         {{"sdp_ew_enable", "true"}, {"sdp_ew_throughput", "16"}},
         "sdp-ew-throughput = 16: want at most 8, the elements of a memory atom "
         "(--sdp-ew-throughput)",
         {{"sdp_ew_enable", "true"}, {"sdp_ew_throughput", "8"}}},
        {"sdp_bs_throughput",
         {{"sdp_bs_throughput", "none"}},
         "sdp-bs-throughput = none: want a number, as sdp-bs-enable is true (--sdp-bs-throughput)",
         {{"sdp_bs_throughput", "none"}, {"sdp_bs_enable", "false"}}},
        {"sdp_bn_throughput",
         {{"sdp_bn_throughput", "0"}},
         "sdp-bn-throughput = none: want a number, as sdp-bn-enable is true (--sdp-bn-throughput)",
         {{"sdp_bn_throughput", "0"}, {"sdp_bn_enable", "false"}}},
        {"num_dma_read_clients",
         {{"num_dma_read_clients", "8"}},
         "num-dma-read-clients = 8: want 7, the read clients of the enabled units "
         "(--num-dma-read-clients)",
         {{"num_dma_read_clients", "6"}, {"pdp_enable", "false"}}},
        {"num_dma_write_clients",
         {{"num_dma_write_clients", "1"}},
         "num-dma-write-clients = 1: want 3, the write clients of the enabled units "
         "(--num-dma-write-clients)",
         {{"pdp_enable", "false"}, {"cdp_enable", "off"}}},
        {"sdp_ew_throughput",
         {{"sdp_ew_enable", "true"}},
         "sdp-ew-throughput = none: want a number, as sdp-ew-enable is true "
         "(default)",
         {{"sdp_ew_enable", "true"}, {"sdp_ew_throughput", "2"}}},
        {"sdp_lut_enable",
         {{"sdp_lut_enable", "true"}},
         "sdp-lut-enable = true: want false, as sdp-ew-enable is false (--sdp-lut-enable)",
         {{"sdp_lut_enable", "true"}, {"sdp_ew_enable", "true"}, {"sdp_ew_throughput", "1"}}},
        {"secondary_memif_width",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_latency", "64"},
          {"secondary_memif_max_burst_length", "1"}},
         "secondary-memif-width = none: want at least one memory atom, 64 bits "
         "(default)",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_width", "64"},
          {"secondary_memif_latency", "64"},
          {"secondary_memif_max_burst_length", "1"}}},
        {"secondary_memif_latency",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_width", "64"},
          {"secondary_memif_max_burst_length", "1"}},
         "secondary-memif-latency = none: want a number, as secondary-memif-enable is true "
         "(default)",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_width", "64"},
          {"secondary_memif_latency", "64"},
          {"secondary_memif_max_burst_length", "1"}}},
        {"secondary_memif_max_burst_length",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_width", "64"},
          {"secondary_memif_latency", "64"}},
         "secondary-memif-max-burst-length = none: want 1, 4, 8 or 16, as secondary-memif-enable "
         "is true "
         "(default)",
         {{"secondary_memif_enable", "true"},
          {"secondary_memif_width", "64"},
          {"secondary_memif_latency", "64"},
          {"secondary_memif_max_burst_length", "1"}}},
        {"memory_bus_width",
         {{"memory_bus_width", "32"}},
         "memory-bus-width = 32: want none, as memory-bus is native (--memory-bus-width)",
         {{"memory_bus", "axi4"}, {"memory_bus_width", "32"}}},
        {"memory_bus_width",
         {{"memory_bus", "axi3"},
          {"memory_bus_width", "32"},
          {"primary_memif_width", "512"},
          {"primary_memif_max_burst_length", "4"}},
         "memory-bus-width = 32: want a wider bus or shorter bursts: AXI3 has 16 beats, here are "
         "64 "
         "(--memory-bus-width)",
         {{"memory_bus", "axi3"},
          {"memory_bus_width", "128"},
          {"primary_memif_width", "512"},
          {"primary_memif_max_burst_length", "4"}}},
        {"bus_clock",
         {{"bus_clock", "own"}},
         "bus-clock = own: want core, as control-bus is csb and memory-bus is native (--bus-clock)",
         {{"bus_clock", "own"}, {"control_bus", "apb4"}}},
        {"weight_data_types",
         {{"weight_data_types", "FP16"}},
         "weight-data-types = FP16: want those of feature-data-types (INT8) (--weight-data-types)",
         {{"weight_data_types", "INT8"}}},
        {"pdp_throughput",
         {{"feature_data_types", "FP16"}},
         "pdp-throughput = 1: want at least 2: bytes per cycle, an element has two (default)",
         {{"feature_data_types", "FP16"}, {"pdp_throughput", "2"}, {"cdp_throughput", "2"}}},
        {"cdp_throughput",
         {{"feature_data_types", "INT8,INT16"}},
         "cdp-throughput = 1: want at least 2: bytes per cycle, an element has two (default)",
         {{"cdp_throughput", "1"}}},
        {"register_map",
         {{"register_map", "v1"}, {"cbuf_bank_number", "16"}},
         "register-map = v1: want later, as memory-atomic-size is 8, not 32 (--register-map)",
         {{"register_map", "v1"},
          {"cbuf_bank_number", "16"},
          {"mac_atomic_c_size", "32"},
          {"mac_atomic_k_size", "32"}}},
        {"register_map",
         {{"register_map", "v1"}, {"mac_atomic_c_size", "32"}, {"mac_atomic_k_size", "32"}},
         "register-map = v1: want later, as cbuf-bank-number is 32, more than 16 (--register-map)",
         {{"register_map", "later"}}},
        {"rubik_enable",
         {{"rubik_enable", "true"}},
         "rubik-enable = true: want false, as rubik-contract-enable and rubik-reshape-enable are "
         "false (--rubik-enable)",
         {{"rubik_enable", "true"}, {"rubik_reshape_enable", "true"}}},
        {"rubik_contract_enable",
         {{"rubik_contract_enable", "true"}},
         "rubik-contract-enable = true: want false, as rubik-enable is false "
         "(--rubik-contract-enable)",
         {{"rubik_contract_enable", "false"}}},
        {"rubik_reshape_enable",
         {{"rubik_reshape_enable", "true"}},
         "rubik-reshape-enable = true: want false, as rubik-enable is false "
         "(--rubik-reshape-enable)",
         {{"rubik_reshape_enable", "false"}}},
        {"row_enable",
         {{"row_enable", "true"},
          {"feature_data_types", "FP16"},
          {"pdp_throughput", "2"},
          {"cdp_throughput", "2"}},
         "row-enable = true: want false, as feature-data-types is FP16 (--row-enable)",
         {{"row_enable", "true"}}},
        {"row_length",
         {{"row_length", "256"}},
         "row-length = 256: want none, as row-enable is false (--row-length)",
         {{"row_length", "256"}, {"row_enable", "true"}}},
        {"weight_compression_enable",
         {{"weight_compression_enable", "true"}},
         "weight-compression-enable = true: want false, as feature-data-types is INT8 "
         "(--weight-compression-enable)",
         {{"weight_compression_enable", "false"}}},
        {"winograd_enable",
         {{"winograd_enable", "true"}},
         "winograd-enable = true: want false, as cbuf-bank-width is 8, not 128 (--winograd-enable)",
         {{"winograd_enable", "false"}}},
        {"winograd_enable",
         {{"winograd_enable", "true"}, {"image_enable", "false"}},
         "winograd-enable = true: want false, as image-enable is false (--winograd-enable)",
         {{"winograd_enable", "false"}, {"image_enable", "false"}}},
        {"max_batch_size",
         {{"batch_enable", "true"}, {"max_batch_size", "32"}},
         "max-batch-size = 32: want at most mac-atomic-k-size (8), as batch-enable is true "
         "(--max-batch-size)",
         {{"batch_enable", "true"}, {"max_batch_size", "8"}}},
        {"max_batch_size",
         {{"batch_enable", "true"}},
         "max-batch-size = none: want a number, as batch-enable is true (default)",
         {{"max_batch_size", "32"}}},
    };
    return kCases;
}

TEST(Rules, EachFailsWithItsMessage) {
    for (const Case& c : cases()) {
        const std::vector<std::string> errors = errors_of(c.bad);
        EXPECT_EQ(std::count(errors.begin(), errors.end(), c.message), 1)
            << c.key << "\n"
            << (errors.empty() ? "no error" : errors.front());
    }
}

TEST(Rules, EachHasAPassingCase) {
    for (const Case& c : cases()) {
        EXPECT_EQ(errors_of(c.good), std::vector<std::string>{}) << c.key;
    }
}

/// The rules that the cases break with exactly the message of the case.
std::set<const Rule*> tested_rules() {
    std::set<const Rule*> tested;
    for (const Case& c : cases()) {
        Diags diags;
        for (const Violation& violation : violations(settings_of(c.bad, diags))) {
            if (violation.text == c.message) tested.insert(violation.rule);
        }
    }
    return tested;
}

TEST(Rules, EveryRuleHasACase) {
    const std::set<const Rule*> tested = tested_rules();
    const std::vector<Rule>& all = family().rules;  // and what is not built
    for (const Rule& rule : all) {
        EXPECT_EQ(tested.count(&rule), 1u)
            << "rule " << &rule - all.data() << " about " << rule.key
            << ": want a case in settings_test.cpp that it alone refuses";
        EXPECT_NE(find_param(params(), rule.key), nullptr) << rule.key;
        EXPECT_TRUE(rule.other.empty() || find_param(params(), rule.other) != nullptr)
            << rule.other;
    }
    EXPECT_EQ(tested.size(), all.size());
}

/// A parameter with a range: texts that are refused, and what the message says is wanted.
struct RangeCase {
    std::string key;
    std::vector<std::string> bad;
    std::string wanted;
};

constexpr const char* kTypeSets =
    "INT8, INT16, FP16, INT8,INT16, INT8,FP16, INT16,FP16 or INT8,INT16,FP16";

const std::vector<RangeCase>& range_cases() {
    static const std::vector<RangeCase> kCases = {
        {"mac_atomic_c_size", {"0", "4", "24", "128", "-8", "x"}, "8, 16, 32 or 64"},
        {"mac_atomic_k_size", {"0", "4", "24", "64", "8k"}, "8, 16 or 32"},
        {"memory_atomic_size", {"0", "4", "24", "64", "none"}, "8, 16 or 32"},
        {"cbuf_bank_number", {"0", "1", "3", "24", "64"}, "a power of two in 2..32"},
        {"cbuf_bank_width", {"0", "4", "24", "256"}, "8, 16, 32, 64 or 128"},
        {"cbuf_bank_depth", {"0", "32", "96", "2048"}, "a power of two in 64..1024"},
        {"primary_memif_width", {"0", "32", "96", "1024"}, "a power of two in 64..512"},
        {"primary_memif_latency", {"0", "65536", "none", "1e3"}, "a number in 1..65535"},
        {"primary_memif_max_burst_length", {"0", "2", "3", "5", "32"}, "1, 4, 8 or 16"},
        {"mem_address_width", {"0", "31", "65"}, "a number in 32..64"},
        {"sdp_bs_throughput", {"3", "32", "-1"}, "1, 2, 4, 8, 16 or none"},
        {"sdp_bn_throughput", {"3", "32", "-1"}, "1, 2, 4, 8, 16 or none"},
        {"sdp_ew_throughput", {"3", "32", "-1"}, "1, 2, 4, 8, 16 or none"},
        {"pdp_throughput", {"0", "3", "16", "none"}, "a power of two in 1..8"},
        {"cdp_throughput", {"0", "3", "16", "none"}, "a power of two in 1..8"},
        {"row_throughput", {"0", "3", "16", "none"}, "a power of two in 1..8"},
        {"row_length", {"128", "300", "8192"}, "a power of two in 256..4096 or none"},
        {"secondary_memif_width", {"32", "96", "1024"}, "64, 128, 256, 512 or none"},
        {"secondary_memif_latency", {"-1", "65536"}, "a number in 1..65535 or none"},
        {"secondary_memif_max_burst_length", {"2", "32"}, "1, 4, 8, 16 or none"},
        {"feature_data_types", {"INT4", "int8", "INT16,INT8", ""}, kTypeSets},
        {"weight_data_types", {"FP32", "int8"}, kTypeSets},
        {"max_batch_size", {"-1", "33"}, "a number in 1..32 or none"},
        {"num_dma_read_clients", {"2", "12", "none"}, "a number in 3..11"},
        {"num_dma_write_clients", {"0", "7"}, "a number in 1..6"},
        {"register_map", {"", "v2", "none"}, "later or v1"},
        {"cfgrom_words", {"", "none", "Reference"}, "reference or derived"},
        {"control_bus", {"", "axi4", "AXI4-Lite", "none"}, "csb, axi4-lite or apb4"},
        {"memory_bus", {"", "axi", "axi4-lite", "none"}, "native, axi4 or axi3"},
        {"memory_bus_width", {"16", "96", "1024"}, "32, 64, 128, 256, 512 or none"},
        {"bus_clock", {"", "none", "aclk"}, "core or own"},
    };
    return kCases;
}

TEST(Ranges, EachFailsWithItsMessage) {
    for (const RangeCase& c : range_cases()) {
        for (const std::string& bad : c.bad) {
            const std::string shown =
                bad == "0" && c.wanted.find("none") != std::string::npos ? "none" : bad;
            const std::string flag = flag_name(c.key);
            EXPECT_EQ(errors_of({{c.key, bad}}).front(),
                      finding(flag, shown, c.wanted, "--" + flag));
        }
    }
}

TEST(Ranges, TruthValues) {
    for (const Param& param : params()) {
        if (!param.is_flag()) continue;
        const std::string flag = flag_name(param.key);
        for (const std::string bad : {"2", "maybe", "none", ""}) {
            EXPECT_EQ(errors_of({{std::string(param.key), bad}}),
                      std::vector<std::string>{finding(flag, bad, "true or false", "--" + flag)});
        }
    }
}

TEST(Ranges, EveryParameterHasACase) {
    std::set<std::string_view> tested;
    for (const RangeCase& c : range_cases()) {
        EXPECT_TRUE(tested.insert(c.key).second) << c.key;
        EXPECT_NE(find_param(params(), c.key), nullptr) << c.key;
        EXPECT_FALSE(c.bad.empty()) << c.key;
    }
    for (const Param& param : params()) {
        EXPECT_EQ(tested.count(param.key), param.is_flag() ? 0u : 1u)
            << param.key << ": want a case in settings_test.cpp";
    }
}

TEST(Settings, AllViolationsAtOnce) {
    const auto errors = errors_of({{"cbuf_bank_number", "24"},
                                   {"mac_atomic_c_size", "24"},
                                   {"winograd_enable", "1"},
                                   {"mem_address_width", "wide"}});
    EXPECT_EQ(errors,
              (std::vector<std::string>{
                  "mem-address-width = wide: want a number in 32..64 (--mem-address-width)",
                  "mac-atomic-c-size = 24: want 8, 16, 32 or 64 (--mac-atomic-c-size)",
                  "cbuf-bank-number = 24: want a power of two in 2..32 (--cbuf-bank-number)",
                  "winograd-enable = true: want false, as cbuf-bank-width is 8, not 128 "
                  "(--winograd-enable)"}));
}

TEST(Settings, SizesFollow) {
    Settings settings(family());
    Diags diags;
    const Origin flag{Origin::Level::kFlag, "flag"};
    apply_setting(settings, "mac_atomic_c_size", "32", flag, diags);
    apply_setting(settings, "mac-atomic-k-size", "16", flag, diags);
    apply_derived_defaults(settings);
    EXPECT_EQ(config_of(settings).cbuf_bank_width, 32);
    EXPECT_EQ(config_of(settings).memory_atomic_size, 16);
    EXPECT_EQ(config_of(settings).primary_memif_width, 128);
    EXPECT_TRUE(check(settings).empty());
    EXPECT_EQ(settings.origin(*find_param(params(), "cbuf_bank_width")).where,
              "follows mac-atomic-c-size");
}

TEST(Settings, FilesNameTheLine) {
    Settings settings(family());
    Diags diags;
    apply_toml(settings,
               "preset = \"nv_small\"\ncbuf_bank_number = 24\ncbuf-bank-dpth = 1\n"
               "feature_data_types = [\"INT8\", \"INT4\"]\nclock_gating = true\n",
               "my.toml", Origin::Level::kFile, diags);
    const Diags more = check(settings);
    diags.insert(diags.end(), more.begin(), more.end());
    ASSERT_EQ(diags.size(), 3u);
    EXPECT_EQ(diags[0].text,
              "cbuf-bank-dpth: want a parameter of dla (my.toml:3); did you mean cbuf_bank_depth?");
    EXPECT_EQ(diags[1].text, "cbuf-bank-number = 24: want a power of two in 2..32 (my.toml:2)");
    EXPECT_EQ(diags[2].text,
              std::string("feature-data-types = INT8,INT4: want ") + kTypeSets + " (my.toml:4)");
    EXPECT_TRUE(config_of(settings).clock_gating);
    diags.clear();
    for (const char* text : {"a = \n", "[|a]\n", "[a|b]\n", "|\n", "a\xef\xb3\xbf = 1\n"}) {
        apply_toml(settings, text, "bad.toml", Origin::Level::kFile, diags);
        ASSERT_EQ(diags.size(), 1u) << text;
        EXPECT_EQ(diags[0].text.substr(0, 11), "bad.toml:1:") << text;
        diags.clear();
    }
}

/// A wrong type, an unknown key and a value out of range: three messages.
TEST(Settings, FilesReportAllMistakes) {
    Settings settings(family());
    Diags diags;
    apply_toml(settings, "mac_atomic_c_size = 16.0\nfoo = 3\ncbuf_bank_number = 24\n", "my.toml",
               Origin::Level::kFile, diags);
    const Diags more = check(settings);
    diags.insert(diags.end(), more.begin(), more.end());
    ASSERT_EQ(diags.size(), 3u);
    EXPECT_EQ(diags[0].text, "foo: want a parameter of dla (my.toml:2)");
    EXPECT_EQ(diags[1].text,
              "mac-atomic-c-size = 16.0 (floating-point): want 8, 16, 32 or 64 (my.toml:1)");
    EXPECT_EQ(diags[2].text, "cbuf-bank-number = 24: want a power of two in 2..32 (my.toml:3)");
}

TEST(Settings, ExplicitWidthDoesNotFollow) {
    const auto errors = errors_of({{"mac_atomic_c_size", "16"}, {"cbuf_bank_width", "8"}});
    EXPECT_EQ(errors, (std::vector<std::string>{
                          "cbuf-bank-width = 8: want mac-atomic-c-size (16) (--cbuf-bank-width)"}));
}

TEST(Settings, NvSmallHasNoMessage) { EXPECT_TRUE(check(Settings(family())).empty()); }

}  // namespace
}  // namespace macrame::dla
