#include "random_bdma.hpp"

#include <algorithm>

#include "dla_regs.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

constexpr int kUnit = 32, kSlots = 20;

/// Lines and surfaces on one side of a copy.
struct Side {
    std::uint64_t base = 0;
    std::uint32_t line = 0, surface = 0;
};

struct Copy {
    int units = 1, lines = 1, surfaces = 1;
    Side from, to;

    /// Strides of a side with random gaps; returns its bytes.
    std::uint64_t place(ProgramBuilder& b, Side& side) const {
        const auto gap = [&](int most) { return b.random.chance(50) ? 0 : b.random.low(1, most); };
        const int line = units + gap(4);
        const int surface = line * lines + gap(6);
        side.line = static_cast<std::uint32_t>(line * kUnit);
        side.surface = static_cast<std::uint32_t>(surface * kUnit);
        return static_cast<std::uint64_t>(surface) * kUnit * static_cast<unsigned>(surfaces);
    }
};

Copy any_copy(ProgramBuilder& b, trace::Port to) {
    Copy copy;
    copy.units = b.chance_of_huge() ? b.random.in(200, 2000) : b.random.low(1, 24);
    const bool line = copy.units >= 200 || b.random.chance(40);
    copy.lines = line ? 1 : b.random.low(1, 12);
    copy.surfaces = line || b.random.chance(60) ? 1 : b.random.low(2, 5);
    const std::uint64_t size = copy.place(b, copy.from);
    copy.from.base = b.load_random(size, kUnit, b.any_port(), b.any_noise());
    copy.to.base = b.guarded(copy.place(b, copy.to), to);
    return copy;
}

/// What the layer before wrote, in one line, with what lies between.
bool copy_result(ProgramBuilder& b, Copy& copy, trace::Port to) {
    constexpr std::uint64_t kMostUnits = 8192;
    const Cube& cube = *b.result();
    const std::uint64_t units = (cube.size + kUnit - 1) / kUnit;
    if (cube.far || cube.base % kUnit != 0 || units > kMostUnits) return false;
    b.wait_layer(cube.layer);
    copy = {};
    copy.units = static_cast<int>(units);
    copy.from.base = cube.base;
    copy.to.base = b.guarded(units * kUnit, to);
    return true;
}

void push(ProgramBuilder& b, const Copy& copy) {
    namespace r = regs::bdma;
    b.put(r::CFG_SRC_ADDR_LOW(low_of(copy.from.base)));
    b.put(r::CFG_SRC_ADDR_HIGH(high_of(copy.from.base)));
    b.put(r::CFG_DST_ADDR_LOW(low_of(copy.to.base)));
    b.put(r::CFG_DST_ADDR_HIGH(high_of(copy.to.base)));
    b.put(r::CFG_LINE(minus1(copy.units)));
    b.put(r::CFG_CMD(0)
              .SRC_RAM_TYPE(b.ram_type(copy.from.base))
              .DST_RAM_TYPE(b.ram_type(copy.to.base)));
    b.put(r::CFG_LINE_REPEAT(minus1(copy.lines)));
    b.put(r::CFG_SRC_LINE(copy.from.line));
    b.put(r::CFG_DST_LINE(copy.to.line));
    b.put(r::CFG_SURF_REPEAT(minus1(copy.surfaces)));
    b.put(r::CFG_SRC_SURF(copy.from.surface));
    b.put(r::CFG_DST_SURF(copy.to.surface));
    b.put(r::CFG_OP(1));
}

}  // namespace

void make_bdma(ProgramBuilder& b) {
    namespace r = regs::bdma;
    const bool full = b.random.chance(10);
    const int group = b.take_copies(full);
    if (b.random.chance(30)) b.put(r::CFG_STATUS(b.random.word() & 1u));
    const trace::Port to = b.any_port();  // of all copies of a group
    const int copies = full ? kSlots : b.random.low(1, kSlots / 2);
    std::uint64_t bytes = 0;
    bool chained = false;
    for (int i = 0; i < copies; ++i) {
        Copy copy;
        const bool result = b.result() != nullptr && b.random.chance(15);
        if (result && copy_result(b, copy, to)) {
            chained = true;
        } else {
            copy = any_copy(b, to);
        }
        push(b, copy);
        bytes += static_cast<std::uint64_t>(copy.units * copy.lines * copy.surfaces) * kUnit;
    }
    b.expect("BDMA", 6, group);
    if (group == 0) {
        b.put(r::CFG_LAUNCH0(1));
    } else {
        b.put(r::CFG_LAUNCH1(1));
    }
    b.describe("bdma group " + std::to_string(group) + ", " + std::to_string(copies) + " copies, " +
               std::to_string(bytes) + " bytes" + (chained ? ", of a result" : ""));
}

}  // namespace macrame::dla::stimulus
