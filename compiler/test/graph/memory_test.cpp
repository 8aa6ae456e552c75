#include "compiler/memory.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace macrame::compiler {

namespace {

using Clash = std::optional<std::pair<std::size_t, std::size_t>>;

std::vector<std::uint64_t> offsets(std::vector<Block> blocks) {
    plan(blocks);
    std::vector<std::uint64_t> out;
    for (const Block& block : blocks)
        out.push_back(block.offset);
    return out;
}

using Offsets = std::vector<std::uint64_t>;

TEST(MemoryPlan, BlocksOfOtherTimesShare) {
    EXPECT_EQ(offsets({{100, 1, 0, 1, 0}, {100, 1, 2, 3, 0}}), (Offsets{0, 0}));
    EXPECT_EQ(offsets({{100, 1, 0, 2, 0}, {100, 1, 2, 3, 0}}), (Offsets{0, 100}));
}

TEST(MemoryPlan, TheLargestComesFirstThenGapsAreFilled) {
    // 40 lies in the gap below 60, which had to make way for 100.
    EXPECT_EQ(offsets({{40, 1, 2, 3, 0}, {100, 1, 0, 1, 0}, {60, 1, 1, 3, 0}}),
              (Offsets{0, 0, 100}));
}

TEST(MemoryPlan, EachBeginsAtItsAlignment) {
    EXPECT_EQ(offsets({{65, 64, 0, 0, 0}, {10, 64, 0, 0, 0}, {9, 4, 0, 0, 0}}),
              (Offsets{0, 128, 68}));
}

TEST(MemoryPlan, ClashesAreFound) {
    EXPECT_EQ(clash({{10, 1, 0, 1, 0}, {10, 1, 2, 3, 5}}), Clash());
    EXPECT_EQ(clash({{10, 1, 0, 2, 0}, {10, 1, 2, 3, 5}}), Clash({0, 1}));
    EXPECT_EQ(clash({{10, 1, 0, 2, 0}, {10, 1, 2, 3, 10}}), Clash());
    // Between them is one of another time.
    EXPECT_EQ(clash({{1, 1, 0, 0, 9}, {5, 1, 5, 5, 3}, {10, 1, 0, 2, 0}}), Clash({2, 0}));
}

TEST(MemoryPlan, NoByteIsInUseTwice) {
    std::mt19937 random(1);
    const auto below = [&](int end) {
        return static_cast<int>(random() % static_cast<unsigned>(end));
    };
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<Block> blocks;
        std::uint64_t sum = 0;
        for (int i = 0; i < 20; ++i) {
            Block block;
            block.bytes = static_cast<std::uint64_t>(below(30));
            block.alignment = std::uint64_t{1} << below(4);
            block.first = below(10);
            block.last = block.first + below(4);
            sum += block.bytes + block.alignment;
            blocks.push_back(block);
        }
        const std::uint64_t end = plan(blocks);
        EXPECT_LE(end, sum);
        std::set<std::pair<int, std::uint64_t>> used;
        std::size_t count = 0;
        for (const Block& block : blocks) {
            EXPECT_EQ(block.offset % block.alignment, 0U);
            EXPECT_LE(block.offset + block.bytes, end);
            for (int time = block.first; time <= block.last; ++time)
                for (std::uint64_t byte = 0; byte < block.bytes; ++byte, ++count)
                    used.insert({time, block.offset + byte});
        }
        EXPECT_EQ(used.size(), count) << "trial " << trial;
    }
}

}  // namespace

}  // namespace macrame::compiler
