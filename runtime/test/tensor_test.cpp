#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "compiler/program/program.hpp"
#include "runtime/macrame.h"
#include "verif/common/random.hpp"

namespace macrame::program {
namespace {

using Data = std::vector<std::uint8_t>;

/// A tensor somewhere in a block whose elements do not overlap, in one of the usual orders.
Tensor random_tensor(verif::Random& random) {
    Tensor t;
    t.element = static_cast<Element>(random.in(0, 4));
    t.height = static_cast<std::uint32_t>(random.low(1, 6));
    t.width = static_cast<std::uint32_t>(random.low(1, 6));
    t.channels = static_cast<std::uint32_t>(random.low(1, 20));
    t.group = static_cast<std::uint32_t>(random.pick({1, 2, 3, 4, 8, 16, 32}));
    t.filler = static_cast<std::int8_t>(
        t.element == Element::float32 ? 0 : random.pick({0, -1, 127, -128, 5}));
    const auto some = [&] { return static_cast<std::uint32_t>(random.pick({0, 0, 1, 8, 13})); };
    const auto atom = t.group * static_cast<std::uint32_t>(element_bytes(t.element));
    const std::uint32_t surfaces = (t.channels + t.group - 1) / t.group;
    if (random.chance(30)) {  // all groups of a pixel side by side
        t.surface_stride = atom + some();
        t.pixel_stride = t.surface_stride * surfaces + some();
        t.line_stride = t.pixel_stride * t.width + some();
    } else {  // surfaces
        t.pixel_stride = atom + some();
        t.line_stride = t.pixel_stride * t.width + some();
        t.surface_stride = t.line_stride * t.height + some();
    }
    t.offset = some();
    return t;
}

struct Machine {
    Program program;
    Data file, block;
    macrame_program opened{};
    macrame_machine machine{};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> to_device, from_device;

    explicit Machine(const Tensor& t) {
        program.memory_bytes = 60'000;
        program.inputs = program.outputs = {t};
        file = write(program);
        EXPECT_EQ(macrame_open(&opened, file.data(), file.size()), MACRAME_OK) << problem(program);
        block.assign(static_cast<std::size_t>(program.memory_bytes), 0xA5);
        machine.user = this;
        machine.memory = block.data();
        machine.memory_bytes = block.size();
        machine.sync = [](void* user, std::uint64_t offset, std::uint64_t bytes, int to) {
            auto& self = *static_cast<Machine*>(user);
            (to != 0 ? self.to_device : self.from_device).emplace_back(offset, bytes);
        };
    }
};

/// Byte `b` of element (y, x, c) in the block, from the definition.
std::uint64_t place(const Tensor& t, std::uint32_t y, std::uint32_t x, std::uint32_t c,
                    std::uint32_t b) {
    const auto element = static_cast<std::uint64_t>(element_bytes(t.element));
    return t.offset + std::uint64_t{c / t.group} * t.surface_stride +
           std::uint64_t{y} * t.line_stride + std::uint64_t{x} * t.pixel_stride +
           c % t.group * element + b;
}

TEST(TensorRows, GoIntoTheirPlacesAndNothingElseChanges) {
    verif::Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const Tensor t = random_tensor(random);
        Machine m(t);
        macrame_tensor tensor{};
        ASSERT_EQ(macrame_get_input(&m.opened, 0, &tensor), MACRAME_OK);
        const auto element = static_cast<std::uint32_t>(element_bytes(t.element));
        const auto axis = static_cast<std::uint32_t>(random.in(0, 2));
        std::uint32_t sizes[] = {t.height, t.width, t.channels};
        const std::uint32_t length = sizes[axis];
        sizes[axis] = static_cast<std::uint32_t>(random.in(0, 4));
        std::vector<std::int64_t> wide;
        std::vector<std::int32_t> narrow;
        for (std::uint32_t row = 0; row < sizes[axis]; ++row) {
            narrow.push_back(random.in(-static_cast<int>(length), static_cast<int>(length) - 1));
            wide.push_back(narrow.back());
        }
        Data rows(std::size_t{sizes[0]} * sizes[1] * sizes[2] * element + 1), wanted = m.block;
        for (std::uint8_t& byte : rows)
            byte = static_cast<std::uint8_t>(random.word());
        std::size_t n = 0;
        std::uint32_t at[3];
        for (at[0] = 0; at[0] < sizes[0]; ++at[0])
            for (at[1] = 0; at[1] < sizes[1]; ++at[1])
                for (at[2] = 0; at[2] < sizes[2]; ++at[2])
                    for (std::uint32_t b = 0; b < element; ++b) {
                        std::uint32_t to[] = {at[0], at[1], at[2]};
                        const std::int64_t given = wide[at[axis]];
                        to[axis] = static_cast<std::uint32_t>(given < 0 ? given + length : given);
                        wanted[place(t, to[0], to[1], to[2], b)] = rows[n++];
                    }
        narrow.push_back(0);  // there is one to point to
        wide.push_back(0);
        const bool is_wide = random.chance(50);
        const void* const places = is_wide ? static_cast<const void*>(wide.data()) : narrow.data();
        const auto put = [&](std::uint32_t along, std::uint32_t count) {
            return macrame_put_rows(&m.machine, &tensor, along, count, rows.data(), places,
                                    is_wide ? 8 : 4);
        };
        ASSERT_EQ(put(axis, sizes[axis]), MACRAME_OK);
        ASSERT_EQ(m.block, wanted) << i;
        EXPECT_EQ(m.to_device, (decltype(m.to_device){{tensor.offset, tensor.span}}));
        EXPECT_EQ(put(3, 1), MACRAME_BAD_ARGUMENT);
        narrow[0] = random.chance(50) ? static_cast<int>(length) : -static_cast<int>(length) - 1;
        wide[0] = narrow[0];
        EXPECT_EQ(put(axis, 1), MACRAME_BAD_ARGUMENT);
        EXPECT_EQ(macrame_put_rows(&m.machine, &tensor, axis, 1, rows.data(), places, 2),
                  MACRAME_BAD_ARGUMENT);
        EXPECT_EQ(macrame_put_rows(&m.machine, &tensor, axis, 1, nullptr, places, 4),
                  MACRAME_BAD_ARGUMENT);
        EXPECT_EQ(m.block, wanted) << i;
    }
}

TEST(TensorLayout, EqualsTheDefinition) {
    verif::Random random(1);
    for (int i = 0; i < 2000; ++i) {
        const Tensor t = random_tensor(random);
        Machine m(t);
        const auto element = static_cast<std::uint32_t>(element_bytes(t.element));
        Data data(std::size_t{t.height} * t.width * t.channels * element);
        for (std::uint8_t& byte : data)
            byte = static_cast<std::uint8_t>(random.word());
        Data wanted = m.block;
        const std::uint32_t padded = (t.channels + t.group - 1) / t.group * t.group;
        std::size_t n = 0;
        std::uint64_t last = 0;
        for (std::uint32_t y = 0; y < t.height; ++y) {
            for (std::uint32_t x = 0; x < t.width; ++x) {
                for (std::uint32_t c = 0; c < padded; ++c) {
                    for (std::uint32_t b = 0; b < element; ++b) {
                        const auto filler = static_cast<std::uint8_t>(
                            b == 0 || t.filler >= 0 ? (b == 0 ? t.filler : 0) : 0xFF);
                        const std::uint64_t at = place(t, y, x, c, b);
                        wanted[at] = c < t.channels ? data[n++] : filler;
                        last = std::max(last, at);
                    }
                }
            }
        }
        ASSERT_EQ(macrame_write_input(&m.opened, &m.machine, 0, data.data(), data.size()),
                  MACRAME_OK);
        ASSERT_EQ(m.block, wanted) << i;
        Data back(data.size());
        ASSERT_EQ(macrame_read_output(&m.opened, &m.machine, 0, back.data(), back.size()),
                  MACRAME_OK);
        ASSERT_EQ(back, data) << i;
        const std::pair<std::uint64_t, std::uint64_t> span{t.offset, last + 1 - t.offset};
        ASSERT_EQ(m.to_device.size(), 1u);
        EXPECT_EQ(m.to_device[0], span);
        ASSERT_EQ(m.from_device.size(), 1u);
        EXPECT_EQ(m.from_device[0], span);
    }
}

TEST(TensorLayout, LengthsMustFit) {
    verif::Random random(2);
    Tensor t = random_tensor(random);
    Machine m(t);
    macrame_tensor info{};
    ASSERT_EQ(macrame_get_input(&m.opened, 0, &info), MACRAME_OK);
    Data data(static_cast<std::size_t>(info.bytes) + 1);
    for (const std::uint64_t bytes : {info.bytes - 1, info.bytes + 1, std::uint64_t{0}}) {
        EXPECT_EQ(macrame_write_input(&m.opened, &m.machine, 0, data.data(), bytes),
                  MACRAME_WRONG_LENGTH);
        EXPECT_EQ(macrame_read_output(&m.opened, &m.machine, 0, data.data(), bytes),
                  MACRAME_WRONG_LENGTH);
    }
    EXPECT_EQ(macrame_write_input(&m.opened, &m.machine, 1, data.data(), info.bytes),
              MACRAME_BAD_ARGUMENT);
    EXPECT_EQ(macrame_read_output(&m.opened, &m.machine, 0, nullptr, info.bytes),
              MACRAME_BAD_ARGUMENT);
    EXPECT_TRUE(m.to_device.empty());
    EXPECT_TRUE(m.from_device.empty());
}

/// Tensors of a caller are checked as those of a file.
TEST(TensorLayout, OwnTensorsStayInside) {
    Data block(64);
    macrame_machine machine{};
    machine.memory = block.data();
    machine.memory_bytes = block.size();
    macrame_tensor t{};
    t.height = 2;
    t.width = 2;
    t.channels = 3;
    t.group = 4;
    t.line_stride = 8;
    t.pixel_stride = 4;
    t.offset = 48;
    Data data(12, 7);
    EXPECT_EQ(macrame_write_tensor(&machine, &t, data.data(), data.size()), MACRAME_OK);
    EXPECT_EQ(block[63], 0);
    EXPECT_EQ(block[62], 7);
    t.offset = 49;
    EXPECT_EQ(macrame_write_tensor(&machine, &t, data.data(), data.size()), MACRAME_BAD_TENSOR);
    EXPECT_EQ(macrame_read_tensor(&machine, &t, data.data(), data.size()), MACRAME_BAD_TENSOR);
    t.offset = 0;
    t.height = 0x80000000u;
    t.line_stride = 0;
    EXPECT_EQ(macrame_read_tensor(&machine, &t, data.data(), data.size()), MACRAME_BAD_TENSOR);
}

TEST(Prepare, CopiesContentsAndNothingElse) {
    Program program;
    program.memory_bytes = 100;
    program.segments = {{3, {1, 2, 3}}, {98, {4, 5}}, {50, {}}};
    const Data file = write(program);
    macrame_program opened{};
    ASSERT_EQ(macrame_open(&opened, file.data(), file.size()), MACRAME_OK);
    Data block(100, 0xEE), wanted = block;
    macrame_machine machine{};
    machine.memory = block.data();
    machine.memory_bytes = block.size();
    ASSERT_EQ(macrame_prepare(&opened, &machine), MACRAME_OK);
    wanted[3] = 1;
    wanted[4] = 2;
    wanted[5] = 3;
    wanted[98] = 4;
    wanted[99] = 5;
    EXPECT_EQ(block, wanted);

    machine.memory_bytes = 99;
    EXPECT_EQ(macrame_prepare(&opened, &machine), MACRAME_SMALL_MEMORY);
    machine.memory_bytes = 100;
    machine.device_address = 32;
    EXPECT_EQ(macrame_prepare(&opened, &machine), MACRAME_BAD_ALIGNMENT);
    machine.device_address = 64;
    EXPECT_EQ(macrame_prepare(&opened, &machine), MACRAME_OK);
    machine.memory = nullptr;
    EXPECT_EQ(macrame_prepare(&opened, &machine), MACRAME_BAD_ARGUMENT);
}

}  // namespace
}  // namespace macrame::program
