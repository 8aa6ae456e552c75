#include "verif/common/dram.hpp"

#include <gtest/gtest.h>

namespace macrame::verif {
namespace {

constexpr std::uint64_t kRow = 1024;

DramOptions options() {
    DramOptions out;
    out.bytes_per_cycle = 16;
    out.banks = 4;
    out.row_bytes = static_cast<int>(kRow);
    out.hit_cycles = 10;
    out.miss_cycles = 30;
    return out;
}

/// The cycle in which the last of so many bytes has come.
std::uint64_t end_of(Dram& dram, std::size_t queue, std::uint64_t bytes) {
    for (std::uint64_t time = 1; time < 10000; ++time) {
        dram.clock();
        if (dram.moved(queue, time) == bytes) return time;
    }
    return 0;
}

TEST(Dram, OpenRowsStream) {
    Dram dram(options());
    const std::size_t queue = dram.add_queue();
    dram.request(queue, 0, kRow);
    EXPECT_EQ(end_of(dram, queue, kRow), 30 + kRow / 16);
}

TEST(Dram, AnOpenRowAnswersEarlier) {
    Dram dram(options());
    const std::size_t queue = dram.add_queue();
    dram.request(queue, 0, 16);
    EXPECT_EQ(end_of(dram, queue, 16), 30U + 1);
    dram.request(queue, 64, 16);
    for (int i = 0; i < 9; ++i)
        dram.clock();
    EXPECT_EQ(dram.moved(queue, 31 + 10), 16U);
    EXPECT_EQ(dram.moved(queue, 31 + 11), 32U);
}

TEST(Dram, RowsOfOneBankFollowEachOther) {
    Dram dram(options());
    const std::size_t queue = dram.add_queue();
    for (std::uint64_t row = 0; row < 3; ++row)
        dram.request(queue, row * 4 * kRow, 64);
    EXPECT_EQ(end_of(dram, queue, 3 * 64), 3U * (30 + 4));
}

TEST(Dram, BanksOpenRowsAtTheSameTime) {
    Dram dram(options());
    const std::size_t queue = dram.add_queue();
    dram.request(queue, 0, 4 * kRow);  // a row of each bank
    EXPECT_EQ(end_of(dram, queue, 4 * kRow), 30 + 4 * kRow / 16);
}

TEST(Dram, PortsShareIt) {
    Dram dram(options());
    const std::size_t first = dram.add_queue(), second = dram.add_queue();
    dram.request(first, 0, 4 * kRow);
    dram.request(second, 256, 512);  // the same row
    const std::uint64_t end = end_of(dram, second, 512);
    EXPECT_EQ(end, 30U + 2 * 512 / 16);
    EXPECT_EQ(dram.moved(first, end), 512U);
}

}  // namespace
}  // namespace macrame::verif
