/// Random programs: reproducible, legal, and the golden model computes them as the definition says.

#include "verif/dla/stimulus/random_layers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "naive_reference.hpp"
#include "published_sizes.hpp"
#include "verif/dla/stimulus/compare_devices.hpp"

namespace macrame {
namespace {

using dla::model::Architecture;

struct Case {
    const char* name;
    Architecture sizes;
};

std::vector<Case> cases() {
    std::vector<Case> out(5, Case{"nv_small", {}});
    out[1].name = "q2";
    out[1].sizes = {32, 16, 16, 32, 32, 512, 64};
    out[2].name = "q4";
    out[2].sizes = {32, 8, 8, 32, 32, 128, 32};
    out[3].name = "large";
    out[3].sizes = {64, 32, 32, 64, 16, 512, 64};
    out[4].name = "small_buffer";
    out[4].sizes = {8, 8, 8, 8, 8, 128, 32};
    return out;
}

std::string lines(const std::vector<std::string>& in) {
    std::string out;
    for (const std::string& s : in)
        out += "\n  " + s;
    return out;
}

TEST(RandomLayers, SameSeedSameProgram) {
    const auto a = dla::stimulus::random_program({}, 5), b = dla::stimulus::random_program({}, 5);
    const auto c = dla::stimulus::random_program({}, 6);
    ASSERT_EQ(a.commands.size(), b.commands.size());
    for (std::size_t i = 0; i < a.commands.size(); ++i) {
        ASSERT_EQ(a.commands[i].addr, b.commands[i].addr);
        ASSERT_EQ(a.commands[i].value, b.commands[i].value);
    }
    ASSERT_EQ(a.memory.size(), b.memory.size());
    EXPECT_NE(a.commands.size(), c.commands.size());
}

/// All that a program is, as one number.
class Digest {
public:
    void add(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001B3u; }
    void add(const dla::trace::Trace& program) {
        for (const dla::trace::Command& c : program.commands) {
            add(static_cast<std::uint64_t>(c.op));
            add(c.addr);
            add(c.value);
            add(static_cast<std::uint64_t>(c.idle));
        }
        for (const dla::trace::MemoryInit& init : program.memory) {
            add(init.base);
            add(init.size);
            for (const dla::trace::Segment& segment : init.segments) {
                add(segment.offset);
                for (const std::uint8_t byte : segment.bytes)
                    add(byte);
            }
        }
        for (const dla::trace::Notify& notify : program.notifies)
            add(static_cast<std::uint64_t>(notify.bit));
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0xCBF29CE484222325u;
};

/// Seeds that found something stay what they are: what other configurations have beside int8 draws
/// no random number in these.
TEST(RandomLayers, ProgramsOfInt8StayWhatTheyAre) {
    const auto digest_of = [](const Architecture& sizes, bool original_safe) {
        Digest digest;
        for (std::uint64_t seed = 1; seed <= 30; ++seed)
            digest.add(dla::stimulus::random_program(sizes, seed, original_safe));
        return digest.value();
    };
    Architecture movers;
    movers.bdma = movers.rubik_contract = movers.rubik_reshape = true;
    const std::vector<dla::published::Config> all = dla::published::configs();
    EXPECT_EQ(digest_of(all.front().sizes, false), 16784803659791045715u);
    EXPECT_EQ(digest_of(all.front().sizes, true), 13396448964413364476u);
    EXPECT_EQ(digest_of(all.back().sizes, false), 7989461369597848597u);
    EXPECT_EQ(digest_of(all.back().sizes, true), 17465185297696802559u);
    EXPECT_EQ(digest_of(movers, false), 4819029049281390370u);
}

TEST(RandomLayers, NoTwoSeedsMakeTheSameLayers) {
    std::set<std::string> seen;
    std::size_t layers = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        dla::stimulus::RandomOptions options;
        options.seed = seed;
        for (const std::string& layer : dla::stimulus::random_layers({}, options).layers) {
            seen.insert(layer);
            ++layers;
        }
    }
    EXPECT_GT(seen.size(), layers * 98 / 100);  // a few tiny layers may be equal by chance
}

TEST(RandomLayers, ModelComputesTheDefinition) {
    int reuse = 0, layers = 0, images = 0, planes = 0, extended = 0, images_again = 0;
    for (const Case& c : cases()) {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            dla::stimulus::RandomOptions options;
            options.seed = seed;
            options.max_macs = 60'000;
            const dla::stimulus::RandomProgram random =
                dla::stimulus::random_layers(c.sizes, options);
            verif::Memory memory("pri_mem"), unused("sec_mem"), expected("expected");
            dla::model::Device device(c.sizes, memory);
            memory.log_writes(true);
            const dla::trace::PlayResult result =
                dla::trace::play(random.program, device, memory, unused);
            ASSERT_TRUE(result.passed)
                << c.name << " seed " << seed << lines(random.layers) << lines(result.failures);
            test::NaiveReference(c.sizes, expected).run(random.program);
            const auto written = memory.written(), wanted = expected.written();
            ASSERT_EQ(written.size(), wanted.size()) << c.name << " seed " << seed;
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                ASSERT_EQ(written[i].addr, wanted[i].addr);
                ASSERT_EQ(written[i].size, wanted[i].size);
                ASSERT_EQ(memory.dump(wanted[i].addr, wanted[i].size),
                          expected.dump(wanted[i].addr, wanted[i].size))
                    << c.name << " seed " << seed << lines(random.layers);
            }
            layers += static_cast<int>(random.layers.size());
            for (const std::string& l : random.layers) {
                const bool again = l.find("data-reuse") != std::string::npos;
                const bool image = l.find("image of") != std::string::npos;
                reuse += l.find("-reuse") != std::string::npos ? 1 : 0;
                images += image ? 1 : 0;
                images_again += image && again ? 1 : 0;
                planes += l.find("format 28") != std::string::npos ||
                                  l.find("format 29") != std::string::npos
                              ? 1
                              : 0;
                extended +=
                    l.find("2 rows") != std::string::npos || l.find("4 rows") != std::string::npos
                        ? 1
                        : 0;
            }
        }
    }
    EXPECT_GT(layers, 500);
    EXPECT_GT(reuse, 50);
    EXPECT_GT(images, 100);
    EXPECT_GT(images_again, 10);
    EXPECT_GT(planes, 15);
    EXPECT_GT(extended, 40);
}

/// Pooling alone, in strips, behind SDP and at the end of a chain; the model runs all of it.
TEST(RandomLayers, PoolInEveryWay) {
    Architecture sizes;
    sizes.pdp = true;
    int alone = 0, strips = 0, behind_sdp = 0, chains = 0;
    for (std::uint64_t seed = 1; seed <= 90; ++seed) {
        dla::stimulus::RandomOptions options;
        options.seed = seed;
        options.max_macs = 20'000;
        const dla::stimulus::RandomProgram random = dla::stimulus::random_layers(sizes, options);
        verif::Memory memory("pri_mem"), unused("sec_mem");
        dla::model::Device device(sizes, memory);
        const dla::trace::PlayResult result =
            dla::trace::play(random.program, device, memory, unused);
        ASSERT_TRUE(result.passed)
            << "seed " << seed << lines(random.layers) << lines(result.failures);
        for (const std::string& l : random.layers) {
            const bool pooled = l.find("| PDP") != std::string::npos;
            alone += l.rfind("pdp ", 0) == 0 ? 1 : 0;
            strips += l.find(" strips") != std::string::npos ? 1 : 0;
            behind_sdp += pooled && l.rfind("sdp ", 0) == 0 ? 1 : 0;
            chains += pooled && l.find("conv ") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(alone, 15);
    EXPECT_GT(strips, 4);
    EXPECT_GT(behind_sdp, 8);
    EXPECT_GT(chains, 15);
}

/// Layers of all types and modes; the model runs them.
TEST(RandomLayers, OtherTypesAndModes) {
    std::map<std::string, int> found;
    for (const dla::published::Config& config : dla::published::types16_configs()) {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            dla::stimulus::RandomOptions options;
            options.seed = seed;
            options.max_macs = 60'000;
            const dla::stimulus::RandomProgram random =
                dla::stimulus::random_layers(config.sizes, options);
            verif::Memory primary("pri_mem"), secondary("sec_mem");
            dla::model::Device device(config.sizes, primary, &secondary);
            const dla::trace::PlayResult result = dla::trace::play(
                dla::trace::in_map(random.program, "",
                                   dla::model::register_variant(config.sizes.v1_map)),
                device, primary, secondary);
            ASSERT_TRUE(result.passed) << config.name << " seed " << seed << lines(random.layers)
                                       << lines(result.failures);
            for (const std::string& layer : random.layers) {
                for (const char* part : {"winograd ", "compressed ", " times ", "conv int16",
                                         "conv fp16", " to int16", " to fp16", " in int8"}) {
                    found[part] += layer.find(part) != std::string::npos ? 1 : 0;
                }
            }
        }
    }
    for (const auto& [part, count] : found)
        EXPECT_GT(count, 15) << part;
}

TEST(RandomLayers, BatchesFitTheDesign) {
    Architecture sizes;
    sizes.batch = true;
    sizes.max_batch = 3;
    std::set<std::uint32_t> seen;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        for (const dla::trace::Command& c : dla::stimulus::random_program(sizes, seed).commands) {
            // Values above are of writes that only try the register.
            if (c.op == dla::trace::Op::write && c.reg == "CDMA.D_BATCH_NUMBER" && c.value < 32) {
                seen.insert(c.value);
            }
        }
    }
    EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2}));
}

TEST(RandomLayers, AddressesFitTheBus) {
    Architecture sizes;
    for (const int bits : {32, 33, 40, 64}) {
        sizes.addr_w = bits;
        std::uint64_t all = 0;
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const dla::trace::Trace program = dla::stimulus::random_program(sizes, seed);
            for (const dla::trace::MemoryInit& init : program.memory)
                all |= init.base;
        }
        EXPECT_EQ(all >> (bits - 1) >> 1, 0u) << bits;
        if (bits > 32) {
            EXPECT_EQ(all >> 32, ~std::uint64_t{0} >> (96 - bits)) << bits;
        }
    }
}

TEST(RandomLayers, CompareDevicesFindsAWrongByteAndRegister) {
    /// The golden model with one fault.
    struct Faulty : dla::model::Device {
        using Device::Device;
        std::uint32_t csb_read(std::uint32_t addr) override {
            const std::uint32_t v = Device::csb_read(addr);
            return addr == 0x90C8 ? v ^ 1u : v;  // SDP.D_CVT_SHIFT
        }
    };
    const dla::trace::Trace program = dla::stimulus::random_program({}, 3);
    verif::Memory a("pri_mem"), a2("sec_mem"), b("pri_mem"), b2("sec_mem");
    dla::model::Device good({}, a);
    Faulty bad({}, b);
    const auto differences =
        dla::stimulus::compare_devices(program, {"good", good, a, a2}, {"bad", bad, b, b2});
    ASSERT_FALSE(differences.empty());
    EXPECT_NE(differences[0].find("SDP.D_CVT_SHIFT: good "), std::string::npos) << differences[0];
}

}  // namespace
}  // namespace macrame
