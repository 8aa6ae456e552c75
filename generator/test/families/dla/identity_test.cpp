/// Which parameters compiled programs depend on, and where software finds the identity.

#include <fmt/format.h>

#include "emit/sizes.hpp"
#include "support.hpp"
#include "test/identity_check.hpp"

namespace macrame::dla {
namespace {

TEST(DlaIdentity, IsOfWhatProgramsDependOn) {
    expect_identity_of_all_but(
        family(), {"primary_memif_latency", "primary_memif_max_burst_length", "sdp_bs_throughput",
                   "sdp_bn_throughput", "sdp_ew_throughput", "pdp_throughput", "cdp_throughput",
                   "secondary_memif_latency", "secondary_memif_max_burst_length", "row_throughput",
                   "retiming_enable", "num_dma_read_clients", "num_dma_write_clients",
                   "clock_gating", "cfgrom_words", "control_bus", "memory_bus", "memory_bus_width",
                   "bus_clock"});
}

// On the page of the system top, else in the derived words; other maps and the reference have none.
TEST(DlaIdentity, IsReadWhereThereIsAWordForIt) {
    Config config;
    EXPECT_EQ(design(config).identity_register(), 0u);
    config.cfgrom_words = "derived";
    EXPECT_EQ(design(config).identity_register(), 0x1a8u);
    config.bdma_enable = true;
    EXPECT_EQ(design(config).identity_register(), 0x1b0u);
    config.register_map = "v1";
    EXPECT_EQ(design(config).identity_register(), 0u);
    config.memory_bus = "axi4";
    EXPECT_EQ(design(config).identity_register(), 0x3f018u);
}

TEST(DlaIdentity, IsInTheHeaders) {
    const Design small = design();
    const std::string c = emit::sizes_h(small), cpp = emit::sizes_hpp(small);
    const std::string number = fmt::format("{:#x}u", small.identity());
    EXPECT_NE(c.find("#define DLA_IDENTITY " + number + "\n"), std::string::npos);
    EXPECT_NE(c.find("#define DLA_IDENTITY_REGISTER 0x0u\n"), std::string::npos);
    EXPECT_NE(c.find("#define DLA_PROGRAM_PARAMETERS \\\n    \"mac_atomic_c_size=8\\n\" \\\n"),
              std::string::npos);
    EXPECT_NE(cpp.find("unsigned identity = " + number + ";\n"), std::string::npos);
    EXPECT_NE(cpp.find("{\"identity\", static_cast<int>(identity)}"), std::string::npos);
}

}  // namespace
}  // namespace macrame::dla
