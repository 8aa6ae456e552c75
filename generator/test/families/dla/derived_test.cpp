#include "families/dla/derived.hpp"

#include <gtest/gtest.h>

#include "cli.hpp"
#include "support.hpp"

namespace macrame::dla {
namespace {

/// Published derived values of the official configurations.
constexpr int Derived::*kColumns[] = {&Derived::bits_per_element,
                                      &Derived::mac_count,
                                      &Derived::cmac_cells,
                                      &Derived::psum_w,
                                      &Derived::atomc_div_atomk,
                                      &Derived::cbuf_bytes,
                                      &Derived::entry_bytes,
                                      &Derived::cbuf_entries,
                                      &Derived::cbuf_addr_w,
                                      &Derived::atom_bits,
                                      &Derived::sdp_max_throughput,
                                      &Derived::sdp_ew_throughput_effective,
                                      &Derived::sdp2pdp_width,
                                      &Derived::memif_width,
                                      &Derived::dma_mask_bits,
                                      &Derived::mcif_burst_atoms,
                                      &Derived::axi_max_bytes_per_request,
                                      &Derived::primary_bandwidth_elements_div4,
                                      &Derived::cdma_fetch_grain_max_bit,
                                      &Derived::dma_read_clients,
                                      &Derived::dma_write_clients};
constexpr std::size_t kCount = std::size(kColumns);

struct Row {
    const char* preset;
    int values[kCount];
};

constexpr Row kRows[] = {
    {"nv_small", {8, 64, 4, 19, 1, 131072, 8, 16384, 14, 64, 1, 0, 8, 64, 1, 1, 8, 2, 13, 7, 3}},
    {"nv_small_256",
     {8, 256, 4, 21, 4, 131072, 32, 4096, 12, 64, 1, 0, 8, 64, 1, 1, 8, 2, 13, 7, 3}},
    {"nv_small_256_full",
     {8, 256, 4, 21, 4, 131072, 32, 4096, 12, 64, 2, 1, 16, 64, 1, 4, 32, 2, 13, 8, 3}},
    {"nv_medium_512",
     {8, 512, 8, 21, 2, 524288, 32, 16384, 14, 128, 4, 0, 32, 128, 1, 4, 64, 4, 14, 7, 3}},
    {"nv_medium_1024_full",
     {8, 1024, 16, 21, 1, 524288, 32, 16384, 14, 256, 8, 2, 64, 256, 1, 4, 128, 8, 13, 8, 3}},
    {"nv_large",
     {8, 2048, 16, 22, 2, 524288, 64, 8192, 13, 256, 16, 4, 128, 256, 1, 1, 32, 8, 13, 8, 3}},
};

Config preset(const std::string& name) {
    Request request;
    request.preset = name;
    Diags diags;
    const Settings settings = resolve(request, emit::Assets(), diags);
    EXPECT_TRUE(diags.empty()) << name;
    return config_of(settings);
}

TEST(Derived, OfficialConfigurations) {
    for (const Row& row : kRows) {
        const Derived derived = derive(preset(row.preset));
        for (std::size_t i = 0; i < kCount; ++i) {
            EXPECT_EQ(derived.*kColumns[i], row.values[i]) << row.preset << " column " << i;
        }
    }
}

TEST(Derived, ContractPageColumnNvSmall) {
    const Derived d = derive(Config{});
    EXPECT_EQ(d.atomic_c, 8);
    EXPECT_EQ(d.atomic_k, 8);
    EXPECT_EQ(d.atom_bytes, 8);
    EXPECT_EQ(d.entry_bits, 64);
    EXPECT_EQ(d.atoms_per_entry, 1);
    EXPECT_EQ(d.cbuf_row_w, 9);
    EXPECT_EQ(d.cbuf_bank_w, 5);
    EXPECT_EQ(d.cbuf_rd_latency, 4);
    EXPECT_EQ(d.csc_latency, 10);
    EXPECT_EQ(d.cmac_latency, 5);
    EXPECT_EQ(d.acc_w, 32);
    EXPECT_EQ(d.cacc_depth, 16);
    EXPECT_EQ(d.addr_w, 32);
    EXPECT_EQ(d.bus_bits, 64);
    EXPECT_EQ(d.bus_bytes, 8);
    EXPECT_EQ(d.atoms_per_beat, 1);
    EXPECT_EQ(d.max_burst, 1);
    EXPECT_EQ(d.sdp_lanes, 1);
    EXPECT_EQ(d.clock_gating, 0);
}

/// Two where both ports and the entries are made of pairs, data and weights have two ways.
TEST(Derived, WeightAtomsPerCycle) {
    EXPECT_EQ(derive(preset("nv_full")).wt_atoms, 2);
    EXPECT_EQ(derive(preset("nv_large")).wt_atoms, 1);
    for (int Config::*width : {&Config::primary_memif_width, &Config::secondary_memif_width}) {
        Config config = preset("nv_full");
        config.*width = 8 * config.memory_atomic_size;
        EXPECT_EQ(derive(config).wt_atoms, 1);
    }
    Config config = preset("nv_full");
    config.cbuf_bank_width = config.memory_atomic_size;
    EXPECT_EQ(derive(config).wt_atoms, 1);
    config = preset("nv_full");
    config.secondary_memif_enable = false;
    EXPECT_EQ(derive(config).wt_atoms, 1);
    config = preset("nv_full");
    config.feature_data_types = "INT8";
    EXPECT_EQ(derive(config).wt_atoms, 1);
}

TEST(Derived, CreditsGrowWithManyChannelsPerKernel) {
    Config config;
    config.mac_atomic_c_size = 32;
    EXPECT_EQ(derive(config).cacc_depth, 32);
    config.mac_atomic_c_size = 16;
    EXPECT_EQ(derive(config).cacc_depth, 16);
}

/// Depth covers (latency + 8) * bytes per cycle, within 16..512 and a power of two.
TEST(Derived, ReadChannelDepths) {
    Config config;
    EXPECT_EQ(derive(config).sdp_m_fifo_depth, 16);
    EXPECT_EQ(derive(config).pdp_fifo_depth, 16);
    EXPECT_EQ(derive(config).cdp_fifo_depth, 32);
    EXPECT_EQ(derive(config).img_fifo_depth, 64);
    config.primary_memif_latency = 56;
    EXPECT_EQ(derive(config).sdp_b_fifo_depth, 32);
    config.primary_memif_latency = 57;
    EXPECT_EQ(derive(config).sdp_b_fifo_depth, 64);
    config.primary_memif_latency = 1024;
    EXPECT_EQ(derive(config).sdp_m_fifo_depth, 256);
    EXPECT_EQ(derive(config).sdp_n_fifo_depth, 512);
    config.primary_memif_latency = 65535;
    EXPECT_EQ(derive(config).sdp_m_fifo_depth, 512);
}

/// Memory gives one atom per cycle: a faster reader needs no more.
TEST(Derived, ReadChannelDepthOfFastReaders) {
    Config config;
    config.primary_memif_latency = 120;
    config.sdp_bs_throughput = config.pdp_throughput = config.cdp_throughput = 8;
    const Derived d = derive(config);
    for (const int depth : {d.sdp_m_fifo_depth, d.sdp_b_fifo_depth, d.sdp_n_fifo_depth,
                            d.pdp_fifo_depth, d.cdp_fifo_depth}) {
        EXPECT_EQ(depth, 128);
    }
}

/// The slower port counts, in every channel.
TEST(Derived, ReadChannelDepthOfTheSecondPort) {
    Config config;
    config.sdp_ew_enable = true;
    config.sdp_ew_throughput = 1;
    config.secondary_memif_latency = 1016;
    EXPECT_EQ(derive(config).pdp_fifo_depth, 16);
    config.secondary_memif_enable = true;
    const Derived d = derive(config);
    for (const int depth : {d.sdp_m_fifo_depth, d.pdp_fifo_depth, d.cdp_fifo_depth})
        EXPECT_EQ(depth, 128);
    for (const int depth :
         {d.img_fifo_depth, d.sdp_b_fifo_depth, d.sdp_n_fifo_depth, d.sdp_e_fifo_depth}) {
        EXPECT_EQ(depth, 512);
    }
}

TEST(Derived, Clog2) {
    EXPECT_EQ(clog2(0), 0);
    EXPECT_EQ(clog2(1), 0);
    EXPECT_EQ(clog2(2), 1);
    EXPECT_EQ(clog2(3), 2);
    EXPECT_EQ(clog2(1 << 30), 30);
}

TEST(Derived, FieldsHaveUniqueNames) {
    const auto& fields = derived_fields();
    EXPECT_EQ(fields.size() * sizeof(int), sizeof(Derived));
    for (std::size_t i = 0; i < fields.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(fields[i].name, fields[j].name);
        }
    }
}

}  // namespace
}  // namespace macrame::dla
