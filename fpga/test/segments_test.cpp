/// plan_segments: programs that are spread over 4 GiB in a small memory.

#include "fpga/host/segments.hpp"

#include <gtest/gtest.h>

#include <map>

namespace macrame::fpga {
namespace {

constexpr std::uint64_t kMemory = 64 * 1024;

/// Pages that share a place, from the definition of the table.
int collisions(const std::vector<verif::MemoryRange>& ranges, const Segments& segments) {
    std::map<std::uint64_t, std::uint64_t> pages;
    int out = 0;
    for (const verif::MemoryRange& range : ranges) {
        for (std::uint64_t page = range.addr / 4096; page <= (range.addr + range.size - 1) / 4096;
             ++page) {
            const std::uint64_t place = (page % 65536 + segments[page / 65536]) % (kMemory / 4096);
            out += pages.emplace(place, page).first->second != page;
        }
    }
    return out;
}

TEST(Segments, RangesFindDifferentPlaces) {
    const std::vector<verif::MemoryRange> ranges = {
        {0x80000000, 0x4001}, {0x80003000, 8}, {0x9000fff8, 0x10}, {0xa0008000, 0x5000}};
    std::string problem;
    const auto segments = plan_segments(ranges, kMemory, problem);
    ASSERT_TRUE(segments.has_value()) << problem;
    EXPECT_EQ(collisions(ranges, *segments), 0);
}

TEST(Segments, WhatDoesNotFit) {
    std::string problem;
    EXPECT_FALSE(plan_segments({{0, 0x8000}, {0x20000000, 0x8001}}, kMemory, problem));
    EXPECT_EQ(problem, "does not fit the memory of the board, 64 KiB");
    // Two pages of a segment whose distance is the size of the memory.
    EXPECT_FALSE(plan_segments({{0, 8}, {0x10000, 8}}, kMemory, problem));
    EXPECT_FALSE(plan_segments({{0xffffffff, 2}}, kMemory, problem));
    EXPECT_EQ(problem, "address 0x100000000: want addresses of 32 bits");
}

TEST(Segments, SmallMemoriesHaveSmallPages) {
    std::string problem;
    const std::vector<verif::MemoryRange> ranges = {
        {0, 0x200}, {0x40000000, 0x201}, {0x80000100, 0x100}};
    EXPECT_TRUE(plan_segments(ranges, 0x800, problem)) << problem;
    EXPECT_FALSE(plan_segments({{0, 0x200}, {0x40000000, 0x601}}, 0x800, problem));
}

TEST(Segments, Everything) {
    std::string problem;
    const std::vector<verif::MemoryRange> ranges = {{0x30000000, kMemory}};
    EXPECT_TRUE(plan_segments(ranges, kMemory, problem)) << problem;
    EXPECT_TRUE(plan_segments({}, kMemory, problem));
}

}  // namespace
}  // namespace macrame::fpga
