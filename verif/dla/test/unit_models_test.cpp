/// Golden models of the units around the pipeline against the documents and naive loops.

#include <gtest/gtest.h>

#include "verif/dla/model/cfgrom.hpp"
#include "verif/dla/model/csb_master.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/glb.hpp"
#include "verif/dla/model/mcif.hpp"

namespace macrame::dla::model {
namespace {

TEST(GlbModel, StatusMaskAndSet) {
    Glb glb({true, false, false, false});  // PDP, no CDP
    EXPECT_EQ(glb.read(Glb::kVersion), 0x00303031u);
    glb.write(Glb::kMask, ~0u);
    EXPECT_EQ(glb.read(Glb::kMask), 0x3f03ffu);
    glb.write(Glb::kSet, ~0u);
    EXPECT_EQ(glb.read(Glb::kStatus), 0x3f0033u);
    EXPECT_EQ(glb.read(Glb::kSet), 0u);
    EXPECT_FALSE(glb.interrupt());
    glb.write(Glb::kMask, ~2u);
    EXPECT_TRUE(glb.interrupt());
    glb.write(Glb::kStatus, 2);
    EXPECT_EQ(glb.read(Glb::kStatus), 0x3f0031u);
    EXPECT_FALSE(glb.interrupt());
    glb.raise(2);
    EXPECT_TRUE(glb.interrupt());
    glb.reset();
    EXPECT_EQ(glb.read(Glb::kMask) | glb.read(Glb::kStatus), 0u);
}

TEST(CfgromModel, DerivedWordsDifferFromTheReferenceWhereTheyShould) {
    Architecture small;
    small.pdp = small.cdp = true;
    const Cfgrom reference(small);
    small.cfgrom_derived = true;
    small.identity = static_cast<int>(0x80000001u);
    const Cfgrom derived(small);
    for (std::uint32_t offset = 0; offset < 0x1000; offset += 4) {
        if (offset == 0x018 || offset == 0x01c || offset == 0x19c || offset == 0x1a8) continue;
        EXPECT_EQ(derived.read(offset), reference.read(offset)) << offset;
    }
    EXPECT_EQ(reference.read(0x018), 50u);
    EXPECT_EQ(derived.read(0x018), 64u);
    EXPECT_EQ(reference.read(0x01c), 0x80u);
    EXPECT_EQ(derived.read(0x01c), 0x20u);
    EXPECT_EQ(derived.read(0x19c), 0x000cff00u);
    EXPECT_EQ(derived.read(0x1a8), 0x80000001u);
}

TEST(CfgromModel, DeviceTakesTheChoice) {
    verif::Memory memory("pri_mem");
    Architecture sizes;
    sizes.atomic_c = 32;
    EXPECT_EQ(Device(sizes, memory).csb_read(0x038), 8u);
    sizes.cfgrom_derived = true;
    EXPECT_EQ(Device(sizes, memory).csb_read(0x038), 32u);
    EXPECT_EQ(Device(sizes, memory).csb_read(0x000), 0x00010001u);
}

TEST(DeviceModel, TellsItsIdentityWhereTheDesignDoes) {
    verif::Memory memory("pri_mem");
    Architecture sizes;
    sizes.identity = static_cast<int>(0x89abcdefu);
    EXPECT_EQ(Device(sizes, memory).csb_read(0x3f018), 0u);
    sizes.identity_register = 0x3f018;
    EXPECT_EQ(Device(sizes, memory).csb_read(0x3f018), 0x89abcdefu);
    EXPECT_EQ(Device(sizes, memory).csb_read(0), 0x00010001u);
}

TEST(CsbMasterModel, PagesAndOrder) {
    CsbMaster csb({0, 1, 5});
    csb.accept({0x0401, 7, true, true}, 0);    // page 1
    csb.accept({0x0802, 0, false, false}, 9);  // page 2: no unit
    csb.accept({0x17ff, 8, true, false}, 0);   // page 5, posted
    csb.accept({0x0003, 0, false, false}, 6);
    auto access = csb.take_access();
    ASSERT_TRUE(access);
    EXPECT_EQ(access->page, 1u);
    EXPECT_EQ(access->word, 1u);
    EXPECT_TRUE(access->write);
    access = csb.take_access();
    ASSERT_TRUE(access);
    EXPECT_EQ(access->page, 5u);
    EXPECT_EQ(access->word, 0x3ffu);
    EXPECT_EQ(csb.take_access()->page, 0u);
    EXPECT_FALSE(csb.take_access());
    EXPECT_FALSE(csb.idle());
    EXPECT_TRUE(csb.take_answer()->write);
    EXPECT_EQ(csb.take_answer()->data, 0u);
    EXPECT_EQ(csb.take_answer()->data, 6u);
    EXPECT_FALSE(csb.take_answer());
    EXPECT_TRUE(csb.idle());
}

/// Every atom once, in order, in transactions as long as their block allows.
TEST(McifModel, CutCarriesTheAtomsOfTheRequest) {
    for (const McifSizes& sizes :
         {McifSizes{8, 8, 1}, McifSizes{8, 32, 1}, McifSizes{8, 16, 4}, McifSizes{32, 64, 4}}) {
        const auto atom = static_cast<std::uint64_t>(sizes.atom_bytes);
        const auto block = static_cast<std::uint64_t>(sizes.bus_bytes * sizes.max_burst);
        for (std::uint64_t first = 0; first < 20; ++first) {
            for (int atoms = 1; atoms < 20; ++atoms) {
                std::vector<std::uint64_t> want, got;
                for (int i = 0; i < atoms; ++i)
                    want.push_back((first + static_cast<std::uint64_t>(i)) * atom);
                std::uint64_t before = ~std::uint64_t{0};
                for (const McifTransaction& t : mcif_cut(sizes, first * atom, atoms)) {
                    const auto carried = mcif_atoms(sizes, t);
                    const auto bytes = static_cast<std::uint64_t>(t.beats * sizes.bus_bytes);
                    got.insert(got.end(), carried.begin(), carried.end());
                    EXPECT_EQ(t.addr % static_cast<std::uint64_t>(sizes.bus_bytes), 0u);
                    EXPECT_EQ(t.addr / block, (t.addr + bytes - 1) / block) << "crosses a block";
                    EXPECT_NE(t.addr / block, before) << "two transactions in a block";
                    EXPECT_LT(carried.back(), t.addr + bytes);
                    EXPECT_GE(carried.back(),
                              t.addr + bytes - static_cast<std::uint64_t>(sizes.bus_bytes))
                        << "a beat that nobody wants";
                    before = t.addr / block;
                }
                EXPECT_EQ(got, want);
            }
        }
    }
}

TEST(McifModel, StrobesAndLimits) {
    EXPECT_EQ(mcif_strobes({8, 8, 1}, 0x18), 0xffu);
    EXPECT_EQ(mcif_strobes({8, 32, 1}, 0x18), 0xff000000u);
    EXPECT_EQ(mcif_strobes({32, 64, 1}, 0x20), 0xffffffff00000000u);
    EXPECT_EQ(mcif_most_beats({8, 8, 4}, 7), 8);
    EXPECT_EQ(mcif_most_beats({8, 8, 4}, 0), 4);
    EXPECT_EQ(mcif_most_writes(0), 1);
}

std::string turns(McifArbiter& arbiter, const std::vector<bool>& asks, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        const int client = arbiter.grant(asks);
        out += client < 0 ? "-" : std::to_string(client);
        if (client >= 0) arbiter.served(client);
    }
    return out;
}

TEST(McifModel, WeightedRoundRobin) {
    McifArbiter arbiter({2, 1, 0, 3});
    EXPECT_EQ(turns(arbiter, {true, true, true, true}, 8), "00133300");
    EXPECT_EQ(turns(arbiter, {true, false, true, true}, 4), "3330");
    EXPECT_EQ(turns(arbiter, {false, true, false, false}, 3), "111");
    EXPECT_EQ(turns(arbiter, {false, false, true, false}, 2), "22");
    EXPECT_EQ(turns(arbiter, {false, false, false, false}, 1), "-");
    McifArbiter none({0, 0});
    EXPECT_EQ(turns(none, {true, true}, 4), "0101");
}

}  // namespace
}  // namespace macrame::dla::model
