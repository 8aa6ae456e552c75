#include "explain.hpp"

#include <gtest/gtest.h>

#include "support.hpp"

namespace macrame::dla {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Request with(const Values& values) {
    Request request;
    request.preset = "nv_small";
    request.values = values;
    return request;
}

/// The answer to `macrame explain` with these options.
std::string explained(const Values& values, bool accepted) {
    bool is_accepted = !accepted;
    const std::string text = explain_configuration(with(values), emit::Assets(), is_accepted);
    EXPECT_EQ(is_accepted, accepted);
    return text;
}

TEST(Explain, RefusedWithReasonAndWhatWouldBeAccepted) {
    EXPECT_EQ(explained({{"mac_atomic_c_size", "64"}}, false),
              "mac-atomic-c-size = 64: want 1, 2 or 4 times memory-atomic-size (8) "
              "(--mac-atomic-c-size)\n"
              "    accepted: mac-atomic-c-size = 8, 16 or 32\n"
              "    or        mac-atomic-k-size = 16 or 32\n"
              "nv_small: refused, 1 reason\n");
    EXPECT_EQ(explained({{"cbuf_bank_number", "24"}, {"secondary_memif_enable", "true"}}, false),
              "cbuf-bank-number = 24: want a power of two in 2..32 (--cbuf-bank-number)\n"
              "    accepted: cbuf-bank-number = a power of two in 2..32\n"
              "secondary-memif-width = none: want at least one memory atom, 64 bits "
              "(nv_small.toml)\n"
              "    accepted: secondary-memif-width = 64, 128, 256 or 512\n"
              "    or        secondary-memif-enable = false\n"
              "secondary-memif-latency = none: want a number, as secondary-memif-enable is true "
              "(nv_small.toml)\n"
              "    accepted: secondary-memif-latency = a number in 1..65535\n"
              "    or        secondary-memif-enable = false\n"
              "secondary-memif-max-burst-length = none: want 1 or 4, as secondary-memif-enable is "
              "true (nv_small.toml)\n"
              "    accepted: secondary-memif-max-burst-length = 1 or 4\n"
              "    or        secondary-memif-enable = false\n"
              "nv_small: refused, 4 reasons\n");
}

TEST(Explain, MalformedValues) {
    EXPECT_EQ(explained({{"mem_address_width", "wide"}}, false),
              "mem-address-width = wide: want a number in 32..64 (--mem-address-width)\n"
              "nv_small: refused, 1 reason\n");
}

TEST(Explain, AcceptedShowsValuesAndOrigins) {
    const std::string text = explained({{"mac_atomic_c_size", "16"}}, true);
    EXPECT_NE(text.find("mac-atomic-c-size                 16          --mac-atomic-c-size\n"),
              std::string::npos);
    EXPECT_NE(text.find("cbuf-bank-width                   16          follows mac-atomic-c-size"),
              std::string::npos);
    EXPECT_NE(text.find("\nnv_small: accepted; 128 MACs, 256 KiB buffer, 64-bit memory port"),
              std::string::npos)
        << text;
}

/// What a repair says is accepted is: nothing is left of one reason, and nothing new comes.
TEST(Explain, RepairsRepair) {
    const std::vector<Values> broken = {
        {{"mac_atomic_c_size", "64"}},
        {{"cbuf_bank_depth", "1024"}, {"mac_atomic_c_size", "64"}, {"mac_atomic_k_size", "16"}},
        {{"sdp_bs_throughput", "16"}},
        {{"sdp_lut_enable", "true"}},
        {{"bdma_enable", "true"}},
        {{"num_dma_write_clients", "1"}},
        {{"primary_memif_width", "64"}, {"mac_atomic_k_size", "16"}, {"mac_atomic_c_size", "16"}},
    };
    for (const Values& values : broken) {
        Request request = with(values);
        Diags diags;
        const auto wrong = violations(resolve(request, emit::Assets(), diags));
        ASSERT_EQ(wrong.size(), 1u) << values.front().first;
        const std::vector<Repair> found = repairs(request, emit::Assets(), wrong.front());
        ASSERT_FALSE(found.empty()) << values.front().first;
        EXPECT_EQ(found.front().param, wrong.front().param) << values.front().first;
        for (const Repair& repair : found) {
            const std::string first = repair.values.substr(0, repair.values.find_first_of(", "));
            request.values = values;
            request.values.emplace_back(repair.param->key, first);
            EXPECT_TRUE(check(resolve(request, emit::Assets(), diags)).empty())
                << repair.param->key << " = " << first;
        }
    }
}

TEST(Explain, Sizes) {
    Config config;
    EXPECT_EQ(family().size_text(config), "64 MACs, 128 KiB buffer, 64-bit memory port");
    config.secondary_memif_enable = true;
    config.secondary_memif_width = 128;
    EXPECT_EQ(family().size_text(config),
              "64 MACs, 128 KiB buffer, 64-bit memory port, 128-bit second port");
}

}  // namespace
}  // namespace macrame::dla
