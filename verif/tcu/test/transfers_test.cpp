/// Transfers as drivers of the original make them: bytes from the facts, whole beats, the same
/// results.

#include "verif/tcu/run/transfers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "verif/tcu/isa/layout.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/stimulus/random_program.hpp"
#include "verif/tcu/test/architectures.hpp"

namespace macrame::tcu::run {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes joined(const std::vector<Bytes>& parts) {
    Bytes out;
    for (const Bytes& part : parts)
        out.insert(out.end(), part.begin(), part.end());
    return out;
}

TEST(TcuTransfers, BytesOfTheDrivers) {
    const Architecture& pynqz1 = test::architectures().at("pynqz1");
    TransferOptions options;
    options.dram0_offset = 0x1680;
    options.dram1_offset = 0x1780;
    const Bytes configures = {0x00, 0x68, 1, 0,    0,    0, 0, 0xf0, 0x04, 0x78, 1, 0,
                              0,    0,    0, 0xf0, 0x48, 6, 0, 0,    0,    0,    0, 0xf0};
    const Bytes probe = {0xff, 0x1f, 0xff, 0xff, 0x0f, 0, 0, 0x20,
                         0xff, 0x1f, 0xfe, 0xff, 0x0f, 0, 0, 0x21};
    EXPECT_EQ(start_transfer(pynqz1, options), joined({configures, probe}));
    options.padding = Padding::and_block;
    EXPECT_EQ(start_transfer(pynqz1, options), joined({configures, probe, Bytes(8)}));
    const Bytes program(8, 0x11);
    EXPECT_EQ(program_transfer(pynqz1, program, options), joined({program, probe, Bytes(8)}));
    // Sampling: the program counter first, the interval last, both as Configures.
    options.padding = Padding::least;
    options.sample_interval = 1000;
    const Bytes counter = {0x1a, 0, 0, 0, 0, 0, 0, 0xf0};
    const Bytes interval = {0x8b, 0x3e, 0, 0, 0, 0, 0, 0xf0};
    EXPECT_EQ(start_transfer(pynqz1, options), joined({counter, configures, interval, probe}));
    // 9 bytes on 16: blocks of 144.
    const Architecture& zcu104 = test::architectures().at("zcu104");
    options.beat_bytes = 16;
    options.timeout = options.sample_interval = 0;
    EXPECT_EQ(program_transfer(zcu104, Bytes(9 * 14), options).size(), 144u);
    options.padding = Padding::block;
    EXPECT_EQ(program_transfer(zcu104, Bytes(9 * 14), options).size(), 288u);
    EXPECT_EQ(program_transfer(zcu104, Bytes(9 * 15), options).size(), 288u);
    options.padding = Padding::and_block;
    EXPECT_EQ(program_transfer(zcu104, Bytes(9 * 15), options).size(), 432u);
}

TEST(TcuTransfers, HaveWholeBeatsAndLeaveWhatProgramsLeave) {
    verif::Random random(3);
    int cut = 0;
    for (const char* name : {"n2_fp16bp8", "n4_fp8bp4", "n8_fp18bp10", "n16_fp32bp16"}) {
        const Architecture& architecture = test::architectures().at(name);
        const Layout layout = layout_of(architecture);
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            const auto program = stimulus::random_program(architecture, seed, false);
            const int beat = random.pick({4, 8, 16, 64, 128});
            const auto sent =
                driver_transfers(architecture, program.program, beat, seed % 2 == 0, random);
            for (const Bytes& one : sent) {
                EXPECT_EQ(one.size() % static_cast<std::size_t>(beat), 0u);
                if (one.size() % static_cast<std::size_t>(layout.bytes) != 0) ++cut;
            }
            const Bytes all = joined(sent);
            EXPECT_EQ(all.size() % static_cast<std::size_t>(layout.bytes), 0u);
            EXPECT_NE(
                std::search(all.begin(), all.end(), program.program.begin(), program.program.end()),
                all.end());

            verif::Memory memory[2][2];
            for (auto& banks : memory) {
                banks[0].load(program.dram0_at, program.dram0);
                banks[1].load(program.dram1_at, program.dram1);
            }
            GoldenModel plain(architecture, {memory[0][0], memory[0][1]});
            plain.send(program.program);
            plain.run(0);
            GoldenModel driven(architecture, {memory[1][0], memory[1][1]});
            for (const Bytes& one : sent) {
                driven.send(one);
                if (random.chance(50)) driven.run(0);
            }
            driven.run(0);
            for (int bank = 0; bank < 2; ++bank) {
                const std::uint64_t bytes =
                    static_cast<std::uint64_t>(bank == 0 ? architecture.dram0_depth
                                                         : architecture.dram1_depth) *
                    static_cast<std::uint64_t>(architecture.vector_bytes());
                EXPECT_TRUE(memory[0][bank].dump(0, bytes) == memory[1][bank].dump(0, bytes))
                    << name << " seed " << seed << " bank " << bank;
            }
        }
    }
    EXPECT_GT(cut, 100);  // pieces that end within an instruction are among them
}

}  // namespace
}  // namespace macrame::tcu::run
