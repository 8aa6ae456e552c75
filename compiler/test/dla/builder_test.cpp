/// Layers and buffers without a network.
#include "compiler/dla/builder.hpp"

#include <gtest/gtest.h>

#include "compiler/dla/geometry.hpp"

namespace macrame::dla::compiler {
namespace {

TEST(Builder, ACopyOfAPixelThatIsNotPackedIsOneForEachAtom) {
    const model::Architecture sizes;
    Builder build(sizes);
    build.begin(7, "copied");
    const int channels = 3 * sizes.atom_bytes;
    const Cube whole = build.new_cube("whole", 4, 4, channels);
    const Cube to = build.new_cube("to", 1, 1, channels);
    const std::vector<int> made = build.add_copy(part_of(sizes, whole, 1, 2, 1, 1), to, {});
    ASSERT_EQ(made.size(), 3U);
    EXPECT_EQ(build.layers[2].node, 7);
    EXPECT_EQ(build.layers[2].name, "copied");
    EXPECT_EQ(std::get<SdpLayer>(build.layers[2].work).post.output.place.offset,
              static_cast<std::uint64_t>(2 * sizes.atom_bytes));
    EXPECT_EQ(build.add_copy(whole, build.new_cube("all", 4, 4, channels), {}).size(), 1U);
}

TEST(Builder, ASnapshotBringsBackWhatThereWas) {
    const model::Architecture sizes;
    Builder build(sizes);
    const Cube a = build.new_cube("a", 2, 2, 8), b = build.new_cube("b", 2, 2, 8);
    build.add_copy(a, b, {});
    const Builder::Snapshot before = build.snapshot();
    build.add_copy(b, build.new_cube("c", 2, 2, 8), {0});
    build.add_constant("d", {1, 2, 3});
    build.exactness.push_back({0, "fine", 1, 0, 5, 10, 1});
    EXPECT_EQ(build.wrong_since(before), 5);
    EXPECT_GT(build.cycles_since(before), 0U);
    build.restore(before);
    EXPECT_EQ(build.layers.size(), 1U);
    EXPECT_EQ(build.buffers.size(), 2U);
    EXPECT_TRUE(build.exactness.empty());
    EXPECT_EQ(build.cycles_since(before), 0U);
}

TEST(Builder, WhatRegistersHaveNoRoomForIsRefused) {
    const model::Architecture sizes;
    Builder build(sizes);
    SdpLayer sdp;
    sdp.input = build.new_cube("long", 9000, 1, 8);
    sdp.post.output = sdp.input;
    try {
        build.add(sdp, {});
        FAIL();
    } catch (const Unsupported& found) {
        EXPECT_EQ(found.text.find("9000 width: want at most 8192"), 0U) << found.text;
    }
    EXPECT_TRUE(build.layers.empty());
    // In pieces there is.
    EXPECT_EQ(build.add_sdp(sdp.input, sdp.post, {}).size(), 2U);
}

}  // namespace
}  // namespace macrame::dla::compiler
