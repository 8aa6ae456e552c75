#include "verif/tcu/isa/rules.hpp"

#include <string_view>

#include "verif/common/text.hpp"

namespace macrame::tcu {

namespace {

using verif::text::shortest;

std::uint64_t unsigned_depth(std::int64_t depth) { return static_cast<std::uint64_t>(depth); }

/// The rule of the original for one memory: `last` is the size less one, strides do not count.
bool outside(std::uint64_t address, std::uint64_t last, int depth) {
    return address >= unsigned_depth(depth) || address + last >= unsigned_depth(depth);
}

bool simd_error(const Architecture& a, const Instruction& i) {
    const int registers = a.simd_registers_depth;
    const bool input = i.simd_left == 0 || i.simd_right == 0;
    return i.address0 >= unsigned_depth(a.accumulator_depth) ||
           i.address1 >= unsigned_depth(a.accumulator_depth) || i.simd_left > registers ||
           i.simd_right > registers || i.simd_dest > registers || i.has(8) ||
           i.has(kSimdRead) != input || i.simd_op > kSimdLookup ||
           (i.simd_op == kSimdLookup && i.simd_dest + a.lut_tables > registers);
}

/// Collects the first problem.
class Finder {
public:
    std::string problem;

    void range(std::string_view memory, std::uint64_t address, std::uint64_t size, int stride,
               std::int64_t depth) {
        const std::uint64_t last = address + ((size - 1) << stride);
        below(memory, last, depth);
    }
    void below(std::string_view what, std::uint64_t value, std::int64_t limit) {
        if (!problem.empty() || value < unsigned_depth(limit)) return;
        problem = std::string(what) + " " + shortest(value) + ": want below " + shortest(limit);
    }
};

void find_move(const Architecture& a, const Instruction& i, Finder& find) {
    find.range("local memory", i.address0, i.size, i.stride0, a.local_depth);
    switch (move_space(i.flags)) {
        case Space::dram0:
            return find.range("DRAM0", i.address1, i.size, i.stride1, a.dram0_depth);
        case Space::dram1:
            return find.range("DRAM1", i.address1, i.size, i.stride1, a.dram1_depth);
        default:
            return find.range("accumulators", i.address1, i.size, i.stride1, a.accumulator_depth);
    }
}

void find_simd(const Architecture& a, const Instruction& i, Finder& find) {
    const int registers = a.simd_registers_depth + 1;
    const auto code = [](int value) { return static_cast<std::uint64_t>(value); };
    const int sources = simd_sources(i.simd_op);
    find.below("SIMD operation", code(i.simd_op), kSimdLookup + 1);
    if (i.has(kSimdRead)) find.below("accumulators", i.address1, a.accumulator_depth);
    if (i.has(kSimdWrite)) find.below("accumulators", i.address0, a.accumulator_depth);
    if (sources > 0) find.below("register", code(i.simd_left), registers);
    if (sources > 1) find.below("register", code(i.simd_right), registers);
    if (i.simd_op != kSimdNoOp) find.below("register", code(i.simd_dest), registers);
    if (i.simd_op == kSimdLookup)
        find.below("register", code(i.simd_dest + a.lut_tables), registers);
}

}  // namespace

bool is_ignored(const Architecture& a, const Instruction& i) {
    switch (i.opcode) {
        case kNoOp:
        case kMatMul:
        case kLoadWeights:
        case kSimd:
        case kConfigure:
            return false;
        case kDataMove:
            return move_space(i.flags) == Space::none;
        case kLoadLut:
            return a.lut_tables == 0;
        default:
            return true;
    }
}

bool raises_error(const Architecture& a, const Instruction& i) {
    if (is_ignored(a, i)) return true;
    const std::uint64_t last = i.size - 1;
    const std::uint64_t entries = static_cast<std::uint64_t>(a.lut_depth);
    switch (i.opcode) {
        case kMatMul:
            return outside(i.address1, last, a.accumulator_depth) ||
                   outside(i.address0, last, a.local_depth) || i.has(4) || i.has(8);
        case kDataMove:
            return outside(i.address0, last, a.local_depth) ||
                   (move_space(i.flags) == Space::accumulators &&
                    outside(i.address1, last, a.accumulator_depth));
        case kLoadWeights:
            return last > unsigned_depth(a.array_size) + 1 ||
                   outside(i.address0, last, a.local_depth) || i.has(2) || i.has(4) || i.has(8);
        case kSimd:
            return simd_error(a, i);
        case kLoadLut:
            return i.address1 > unsigned_depth(a.lut_tables) ||
                   outside(i.address0, entries - 1, a.local_depth) || i.flags != 0;
        default:
            return false;
    }
}

std::string undefined(const Architecture& a, const Instruction& i) {
    if (is_ignored(a, i)) return {};
    Finder find;
    const auto code = [](int value) { return static_cast<std::uint64_t>(value); };
    switch (i.opcode) {
        case kMatMul:
            if (!i.has(kMatMulZeroes))
                find.range("local memory", i.address0, i.size, i.stride0, a.local_depth);
            find.range("accumulators", i.address1, i.size, i.stride1, a.accumulator_depth);
            find.below("stride code", code(i.stride1), a.stride1_depth);
            break;
        case kDataMove:
            find_move(a, i, find);
            find.below("stride code", code(i.stride0), a.stride0_depth);
            find.below("stride code", code(i.stride1), a.stride1_depth);
            break;
        case kLoadWeights:
            if (!i.has(kLoadWeightsZeroes))
                find.range("local memory", i.address0, i.size, i.stride0, a.local_depth);
            break;
        case kSimd:
            find_simd(a, i, find);
            break;
        case kLoadLut:
            find.below("table", i.address1, a.lut_tables + 1);
            find.range("local memory", i.address0, static_cast<std::uint64_t>(a.lut_depth),
                       i.stride0, a.local_depth);
            break;
        default:
            break;
    }
    return find.problem;
}

std::string misfit(const Architecture& p, const Architecture& m) {
    const auto more = [](std::string_view what, std::int64_t found, std::int64_t most) {
        return found <= most
                   ? std::string()
                   : std::string(what) + " " + shortest(found) + ": want at most " + shortest(most);
    };
    if (p.data_type != m.data_type) {
        return "data_type " + std::string(info(p.data_type).name) + ": want " +
               std::string(info(m.data_type).name);
    }
    if (p.array_size != m.array_size)
        return "array_size " + shortest(p.array_size) + ": want " + shortest(m.array_size);
    for (const std::string& text :
         {more("dram0_depth", p.dram0_depth, m.dram0_depth),
          more("dram1_depth", p.dram1_depth, m.dram1_depth),
          more("local_depth", p.local_depth, m.local_depth),
          more("accumulator_depth", p.accumulator_depth, m.accumulator_depth),
          more("simd_registers_depth", p.simd_registers_depth, m.simd_registers_depth),
          more("stride0_depth", p.stride0_depth, m.stride0_depth),
          more("stride1_depth", p.stride1_depth, m.stride1_depth)}) {
        if (!text.empty()) return text;
    }
    if (p.lut_tables != m.lut_tables || p.lut_depth != m.lut_depth) {
        return "lookup tables " + shortest(p.lut_tables) + " x " + shortest(p.lut_depth) +
               ": want " + shortest(m.lut_tables) + " x " + shortest(m.lut_depth);
    }
    if (!same_coding(layout_of(p), layout_of(m)))
        return "instructions with other widths of operands: want depths of the same widths";
    return {};
}

}  // namespace macrame::tcu
