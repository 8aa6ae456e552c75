#include "runtime/play/play.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "compiler/test/program/picture_program.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/test/published_sizes.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame::program {
namespace {

constexpr std::uint64_t kBlock = 0x40000000u;

TEST(Play, EqualsTheTracePlayer) {
    for (const auto& config : dla::published::configs()) {
        const Example example(config.sizes);
        verif::Memory primary, secondary;
        dla::model::Device traced(config.sizes, primary, &secondary);
        const auto wanted = dla::trace::play(example.example.program(), traced, primary, secondary);
        ASSERT_TRUE(wanted.passed) << config.name;

        const Program program = convert(example);
        ASSERT_EQ(problem(program), "");
        verif::Memory memory("", 0x77), second;
        dla::model::Device device(config.sizes, memory, &second);
        PlayOptions options;
        options.block = kBlock;
        const PlayResult got = play(write(program), {pixels()}, device, memory, options);
        ASSERT_TRUE(got.passed()) << config.name << ": " << got.error;
        ASSERT_EQ(got.outputs.size(), 1u);
        ASSERT_EQ(got.outputs[0].size(), 37u * 21 * 8);
        const std::uint64_t bytes = example.example.program().checks.at(0).size;
        EXPECT_EQ(memory.dump(kBlock + program.outputs[0].offset, bytes),
                  primary.dump(0xa0000000u, bytes))
            << config.name;
        for (std::size_t i = 0; i < got.outputs[0].size(); ++i) {
            ASSERT_EQ(got.outputs[0][i],
                      primary.peek(0xa0000000u + i / 8 * example.atom() + i % 8));
        }
        EXPECT_TRUE(got.started);
        EXPECT_GT(got.cycles(), 0u);
        ASSERT_EQ(got.layers.size(), 1u);
        EXPECT_LE(got.layers[0].cycle, got.first_command);
    }
}

/// Two inputs one after the other on one device give what each gives alone.
TEST(Play, AgainWithAnotherInput) {
    const Example example(dla::published::configs()[0].sizes);
    const Bytes file = write(convert(example));
    verif::Memory memory;
    dla::model::Device device(example.sizes, memory);
    const Bytes first = play(file, {pixels()}, device, memory).outputs.at(0);
    Bytes other = pixels();
    other[1000] ^= 0x40u;
    EXPECT_NE(play(file, {other}, device, memory).outputs.at(0), first);
    EXPECT_EQ(play(file, {pixels()}, device, memory).outputs.at(0), first);
}

TEST(Play, ErrorsSayWhere) {
    const Example example(dla::published::configs()[0].sizes);
    const auto error = [&](auto&& change, const std::vector<Bytes>& inputs) {
        Program program = convert(example);
        change(program);
        verif::Memory memory;
        dla::model::Device device(example.sizes, memory);
        PlayOptions options;
        options.timeout = 20'000;
        const PlayResult result = play(write(program), inputs, device, memory, options);
        EXPECT_TRUE(result.outputs.empty());
        return result.error;
    };
    const auto same = [](Program&) {};
    EXPECT_EQ(error(same, {}), "program: 0 inputs: want 1");
    EXPECT_EQ(error(same, {Bytes(5)}), "input 0: the length of the data is not that of the tensor");
    EXPECT_EQ(error([](Program& p) { p.commands.back().value = 3; }, {pixels()}),
              "command 76 in layer filters: no interrupt within the time limit");
    EXPECT_EQ(
        error(
            [](Program& p) {
                p.commands.push_back({Code::host, 0, 1, 0});
            },
            {pixels()}),
        "command 77 in layer filters: the program needs an operator of the host, and there is "
        "no function for these");
    EXPECT_EQ(error([](Program& p) { p.memory_bytes = std::uint64_t{1} << 60; }, {pixels()}),
              "program: 1152921504606846976 bytes of memory: want at most 2147483648");
    verif::Memory memory;
    dla::model::Device device(example.sizes, memory);
    EXPECT_EQ(play(Bytes(100), {}, device, memory).error,
              "program: not a program file, or one of another version");
}

/// A device that breaks down in the middle of a layer.
class Broken : public dla::model::Device {
public:
    using dla::model::Device::Device;
    void advance(int) override { throw std::runtime_error("bus: no answer"); }
};

TEST(Play, WhatTheDeviceThrowsPassesThrough) {
    const Example example(dla::published::configs()[0].sizes);
    verif::Memory memory;
    Broken device(example.sizes, memory);
    try {
        play(write(convert(example)), {pixels()}, device, memory);
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "bus: no answer");
    }
}

/// A host operator between two halves of a program sees what the device wrote.
TEST(Play, HostOperatorWorksOnTheMemory) {
    const Example example(dla::published::configs()[0].sizes);
    Program program = convert(example);
    program.commands.push_back({Code::host, 0, 3, 0});
    const std::uint64_t at = program.outputs[0].offset;
    verif::Memory memory;
    dla::model::Device device(example.sizes, memory);
    const Bytes plain = play(write(convert(example)), {pixels()}, device, memory).outputs.at(0);
    PlayOptions options;
    options.host = [&](std::uint32_t number, std::uint8_t* block) {
        EXPECT_EQ(number, 3u);
        for (std::size_t i = 0; i < plain.size(); ++i)
            block[at + i] = static_cast<std::uint8_t>(block[at + i] + 1);
        return true;
    };
    const PlayResult got = play(write(program), {pixels()}, device, memory, options);
    ASSERT_TRUE(got.passed()) << got.error;
    for (std::size_t i = 0; i < plain.size(); ++i)
        ASSERT_EQ(got.outputs[0][i], static_cast<std::uint8_t>(plain[i] + 1));
}

/// A device that takes its time.
class Slow : public dla::model::Device {
public:
    using dla::model::Device::Device;
    void advance(int n) override {
        time_ += static_cast<std::uint64_t>(n);
        if (time_ > 1'000'000) dla::model::Device::advance(n);
    }
    std::uint64_t cycle() override { return time_; }

private:
    std::uint64_t time_ = 0;
};

TEST(Play, SamplesOfTheMemoryPortStayEvenAndFew) {
    const Example example(dla::published::configs()[0].sizes);
    verif::Memory memory;
    Slow device(example.sizes, memory);
    PlayOptions options;
    options.counts = [&] {
        verif::AxiCounts counts;
        counts.read_bytes = 2 * device.cycle();
        return counts;
    };
    const PlayResult got = play(write(convert(example)), {pixels()}, device, memory, options);
    ASSERT_TRUE(got.passed()) << got.error;
    ASSERT_GT(got.samples.size(), 400u);
    ASSERT_LE(got.samples.size(), 1025u);
    EXPECT_EQ(got.samples.back().cycle, device.cycle());
    for (std::size_t i = 0; i < got.samples.size(); ++i) {
        EXPECT_EQ(got.samples[i].counts.read_bytes, 2 * got.samples[i].cycle);
        if (i == 0 || i + 1 == got.samples.size()) continue;
        EXPECT_EQ(got.samples[i].cycle - got.samples[i - 1].cycle,
                  got.samples[1].cycle - got.samples[0].cycle);
    }
    options.counts = nullptr;
    EXPECT_TRUE(play(write(convert(example)), {pixels()}, device, memory, options).samples.empty());
}

}  // namespace
}  // namespace macrame::program
