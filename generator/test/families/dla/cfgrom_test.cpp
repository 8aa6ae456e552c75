/// Words of the configuration ROM recomputed for published configurations.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/identity.hpp"
#include "families/dla/tables.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Word by byte offset; words that are 0 are absent.
std::map<int, std::string> all_words(const Config& config) {
    std::map<int, std::string> result;
    const text::Scope scope = cfgrom_unit().scope(config, Derived{});
    for (const text::Value& item : std::get<text::List>(scope.find("words")->data)) {
        const auto& row = std::get<text::Scope>(item.data);
        const auto text_of = [&](std::string_view name) {
            return std::get<std::string>(row.find(name)->data);
        };
        result[4 * std::stoi(text_of("addr"), nullptr, 16)] = text_of("value");
    }
    return result;
}

/// Those that are not of the descriptor of programs, which is the last one of derived words.
std::map<int, std::string> words(const Config& config) {
    std::map<int, std::string> result = all_words(config);
    if (config.cfgrom_words != "derived") return result;
    const std::uint32_t identity = program_identity("dla", params(), config);
    const int at = static_cast<int>(cfgrom_identity_offset(config));
    EXPECT_EQ(result.rbegin()->first, at);
    EXPECT_EQ(result[at], fmt::format("{:08x}", identity));
    EXPECT_EQ(result[at - 12], "000cff00");
    result.erase(at);
    result.erase(at - 12);
    return result;
}

TEST(Cfgrom, ReferenceWordsDoNotDependOnTheConfiguration) {
    Config large;
    large.mac_atomic_c_size = 64;
    EXPECT_EQ(words(large), words(Config{}));
    EXPECT_EQ(words(large)[0x018], "00000032");
    EXPECT_EQ(words(large).count(0x19c), 0u);
}

TEST(Cfgrom, RecomputedNvSmall) {
    Config config;
    config.cfgrom_words = "derived";
    std::map<int, std::string> expected = words(Config{});
    expected[0x018] = "00000040";
    expected[0x01c] = "00000020";
    EXPECT_EQ(words(config), expected);
}

TEST(Cfgrom, RecomputedNvLarge) {
    Config config;
    config.cfgrom_words = "derived";
    config.mac_atomic_c_size = 64;
    config.mac_atomic_k_size = config.memory_atomic_size = 32;
    config.cbuf_bank_number = 16;
    config.cbuf_bank_width = 64;
    config.sdp_lut_enable = config.sdp_ew_enable = true;
    config.sdp_bs_throughput = config.sdp_bn_throughput = 16;
    config.sdp_ew_throughput = 4;
    config.pdp_throughput = config.cdp_throughput = 8;
    config.primary_memif_latency = 1024;
    config.primary_memif_width = 256;
    config.mem_address_width = 64;
    std::map<int, std::string> got = words(config);
    const std::map<int, std::string> expected = {
        {0x014, "00000020"}, {0x018, "00000400"}, {0x01c, "00000020"}, {0x020, "00000800"},
        {0x038, "00000040"}, {0x03c, "00000020"}, {0x040, "00000020"}, {0x044, "00000010"},
        {0x048, "00000040"}, {0x04c, "00000200"}, {0x104, "00000020"}, {0x11c, "00000020"},
        {0x12c, "0000003c"}, {0x140, "00000010"}, {0x144, "00000010"}, {0x148, "00000004"},
        {0x170, "00000008"}, {0x184, "0000000d"}, {0x198, "00000008"}};
    for (const auto& [offset, word] : expected)
        EXPECT_EQ(got[offset], word) << offset;
}

// Offsets of all published words stay; the second port is one more descriptor at the end.
TEST(Cfgrom, RecomputedSecondPort) {
    Config config;
    config.cfgrom_words = "derived";
    std::map<int, std::string> expected = words(config);
    config.secondary_memif_enable = true;
    config.secondary_memif_width = 256;
    config.secondary_memif_latency = 100;
    config.secondary_memif_max_burst_length = 4;
    expected[0x19c] = "00180002";
    expected[0x1a4] = "00000001";
    expected[0x1a8] = "00000020";
    expected[0x1ac] = "00000064";
    expected[0x1b0] = "00000080";
    expected[0x1b4] = "00000400";
    EXPECT_EQ(words(config), expected);
    config.cfgrom_words = "reference";
    EXPECT_EQ(words(config), words(Config{}));
}

// All features, as documented for nv_large, beside the types and formats of pixels of 16 bits.
TEST(Cfgrom, RecomputedTypesAndModes) {
    Config config;
    config.cfgrom_words = "derived";
    std::map<int, std::string> expected = words(config);
    config.feature_data_types = config.weight_data_types = "INT8,INT16,FP16";
    config.winograd_enable = config.batch_enable = config.weight_compression_enable = true;
    config.max_batch_size = 32;
    config.sdp_lut_enable = config.sdp_ew_enable = true;
    config.sdp_ew_throughput = 1;
    for (const int offset : {0x030, 0x034, 0x084, 0x088, 0x0b8, 0x0bc, 0x0d8, 0x0dc, 0x0f8, 0x0fc,
                             0x130, 0x134, 0x16c, 0x194})
        expected[offset] = "00000250";
    for (const int offset : {0x050, 0x0a8, 0x10c, 0x13c})
        expected[offset] = "00000020";
    expected[0x02c] = expected[0x080] = "0000001b";
    expected[0x0b4] = expected[0x0d4] = "00000011";
    expected[0x0f4] = "00000003";
    expected[0x12c] = "0000003f";
    expected[0x148] = "00000001";
    expected[0x054] = "0fffffff";
    expected[0x058] = "000000ff";
    EXPECT_EQ(words(config), expected);
    config.feature_data_types = config.weight_data_types = "INT8,INT16";
    EXPECT_EQ(words(config)[0x054], "0ffff6df");
    EXPECT_EQ(words(config)[0x030], "00000050");
}

TEST(Cfgrom, RecomputedMovers) {
    Config config;
    config.cfgrom_words = "derived";
    std::map<int, std::string> expected = words(config);
    config.bdma_enable = config.rubik_enable = config.rubik_contract_enable = true;
    expected[0x19c] = "0004000e";
    expected[0x1a4] = "0004000f";
    EXPECT_EQ(words(config), expected);
    config.bdma_enable = false;
    EXPECT_EQ(words(config)[0x19c], "0004000f");
}

TEST(Cfgrom, RecomputedWithoutUnits) {
    Config config;
    config.cfgrom_words = "derived";
    std::map<int, std::string> expected = words(config);
    config.image_enable = config.pdp_enable = config.cdp_enable = false;
    config.sdp_bs_enable = config.sdp_bn_enable = false;
    for (const int offset : {0x02c, 0x054, 0x058, 0x080, 0x12c, 0x140, 0x144, 0x170, 0x198})
        EXPECT_EQ(expected.erase(offset), 1u) << offset;
    EXPECT_EQ(words(config), expected);
}

}  // namespace
}  // namespace macrame::dla
