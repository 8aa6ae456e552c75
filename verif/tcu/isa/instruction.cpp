#include "verif/tcu/isa/instruction.hpp"

#include <cassert>
#include <string>

#include "verif/common/text.hpp"

namespace macrame::tcu {

namespace {

struct SimdInfo {
    std::string_view name;
    int sources;
};
constexpr std::array<SimdInfo, 17> kSimdOps = {{
    {"NoOp", 0},
    {"Zero", 0},
    {"Move", 1},
    {"Not", 1},
    {"And", 2},
    {"Or", 2},
    {"Increment", 1},
    {"Decrement", 1},
    {"Add", 2},
    {"Subtract", 2},
    {"Multiply", 2},
    {"Abs", 1},
    {"GreaterThan", 2},
    {"GreaterThanEqual", 2},
    {"Min", 2},
    {"Max", 2},
    {"Lookup", 1},
}};

constexpr std::uint64_t mask(int bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The three operands of an instruction as numbers, and its header.
struct Word {
    std::array<std::uint64_t, 3> operand = {};
    int header = 0;
};

std::array<int, 3> operand_bits(const Layout& l) {
    return {l.operand0_bits, l.operand1_bits, l.operand2_bits};
}

Word read_word(const Layout& l, const std::uint8_t* bytes) {
    Word word;
    const std::array<int, 3> bits = operand_bits(l);
    for (std::size_t i = 0; i < 3; ++i) {
        for (int at = 0; at < bits[i]; at += 8)
            word.operand[i] |= std::uint64_t{*bytes++} << at;
    }
    word.header = *bytes;
    return word;
}

void write_word(const Layout& l, const Word& word, std::uint8_t* bytes) {
    const std::array<int, 3> bits = operand_bits(l);
    for (std::size_t i = 0; i < 3; ++i) {
        for (int at = 0; at < bits[i]; at += 8)
            *bytes++ = static_cast<std::uint8_t>(word.operand[i] >> at);
    }
    *bytes = static_cast<std::uint8_t>(word.header);
}

/// Where a field of an instruction lies: `bits` from bit `at` of an operand.
struct Place {
    std::size_t operand;
    int at;
    int bits;
};

/// Takes fields out of a word. What is left are the stray bits.
class Taker {
public:
    explicit Taker(Word& word) : word_(word) {}
    template <class T>
    void operator()(const Place& place, T& value, std::string_view) {
        value = static_cast<T>(take(place));
    }
    void size(const Place& place, std::uint64_t& value) { value = take(place) + 1; }

private:
    std::uint64_t take(const Place& place) {
        std::uint64_t& operand = word_.operand[place.operand];
        const std::uint64_t value = operand >> place.at & mask(place.bits);
        operand &= ~(mask(place.bits) << place.at);
        return value;
    }
    Word& word_;
};

/// Puts fields into a word.
class Putter {
public:
    explicit Putter(Word& word) : word_(word) {}
    template <class T>
    void operator()(const Place& place, const T& value, std::string_view) {
        put(place, static_cast<std::uint64_t>(value));
    }
    void size(const Place& place, const std::uint64_t& value) { put(place, value - 1); }

private:
    void put(const Place& place, std::uint64_t value) {
        assert(value <= mask(place.bits));
        word_.operand[place.operand] |= (value & mask(place.bits)) << place.at;
    }
    Word& word_;
};

/// Looks for the first field that is too large.
class Checker {
public:
    template <class T>
    void operator()(const Place& place, const T& value, std::string_view name) {
        check(name, static_cast<std::uint64_t>(value), 0, mask(place.bits));
    }
    void size(const Place& place, const std::uint64_t& value) {
        check("size", value, 1, mask(place.bits) + 1);
    }
    void check(std::string_view name, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
        if (!problem.empty() || (value >= low && value <= high)) return;
        problem = std::string(name) + " " + verif::text::shortest(value) + ": want " +
                  verif::text::shortest(low) + ".." + verif::text::shortest(high);
    }
    std::string problem;
};

/// All fields of the opcode but those of Configure, which knows no operands.
template <class Visitor, class AnInstruction>
void for_fields(const Layout& l, AnInstruction& i, Visitor& visit) {
    const Place size2{2, 0, l.operand2_bits};
    switch (i.opcode) {
        case kMatMul:
        case kDataMove:
            visit({0, 0, l.address0_bits}, i.address0, "address 0");
            visit({0, l.address0_bits, l.stride0_bits}, i.stride0, "stride code 0");
            visit({1, 0, l.address1_bits}, i.address1, "address 1");
            visit({1, l.address1_bits, l.stride1_bits}, i.stride1, "stride code 1");
            visit.size(size2, i.size);
            break;
        case kLoadWeights:
            visit({0, 0, l.address0_bits}, i.address0, "address 0");
            visit({0, l.address0_bits, l.stride0_bits}, i.stride0, "stride code 0");
            visit.size({1, 0, l.operand1_bits}, i.size);
            break;
        case kSimd:
            visit({0, 0, l.operand0_bits}, i.address0, "address 0");
            visit({1, 0, l.operand1_bits}, i.address1, "address 1");
            visit({2, 0, l.register_bits}, i.simd_dest, "destination");
            visit({2, l.simd_right_at, l.register_bits}, i.simd_right, "right source");
            visit({2, l.simd_left_at, l.register_bits}, i.simd_left, "left source");
            visit({2, l.simd_op_at, l.simd_op_bits}, i.simd_op, "SIMD operation");
            break;
        case kLoadLut:
            if (l.simd_op_bits == 4) break;
            visit({0, 0, l.address0_bits}, i.address0, "address 0");
            visit({0, l.address0_bits, l.stride0_bits}, i.stride0, "stride code 0");
            visit({1, 0, l.operand1_bits}, i.address1, "table");
            break;
        default:
            break;
    }
}

/// The operands as one number: bit `at` of it is where in which operand?
template <class Do>
void for_configure_bits(const Layout& l, Do&& with) {
    const std::array<int, 3> bits = operand_bits(l);
    std::size_t operand = 0;
    int at = 0;
    for (int i = 0; i < 4 + l.configure_value_bits; ++i, ++at) {
        while (at == bits[operand]) {
            ++operand;
            at = 0;
        }
        with(i, operand, at);
    }
}

}  // namespace

int simd_sources(int op) {
    return op >= 0 && op < static_cast<int>(kSimdOps.size())
               ? kSimdOps[static_cast<std::size_t>(op)].sources
               : 0;
}

std::string_view simd_name(int op) {
    return op >= 0 && op < static_cast<int>(kSimdOps.size())
               ? kSimdOps[static_cast<std::size_t>(op)].name
               : std::string_view();
}

bool operator==(const Instruction& a, const Instruction& b) {
    return a.opcode == b.opcode && a.flags == b.flags && a.address0 == b.address0 &&
           a.address1 == b.address1 && a.stride0 == b.stride0 && a.stride1 == b.stride1 &&
           a.size == b.size && a.simd_op == b.simd_op && a.simd_left == b.simd_left &&
           a.simd_right == b.simd_right && a.simd_dest == b.simd_dest &&
           a.config_register == b.config_register && a.config_value == b.config_value &&
           a.stray == b.stray;
}

Space move_space(int flags) {
    switch (flags) {
        case kDram0ToLocal:
        case kLocalToDram0:
            return Space::dram0;
        case kDram1ToLocal:
        case kLocalToDram1:
            return Space::dram1;
        case kAccumulatorToLocal:
        case kLocalToAccumulator:
        case kLocalToAccumulatorAdd:
            return Space::accumulators;
        default:
            return Space::none;
    }
}

bool moves_to_local(int flags) {
    return flags == kDram0ToLocal || flags == kDram1ToLocal || flags == kAccumulatorToLocal;
}

Instruction decode(const Layout& layout, const std::uint8_t* bytes) {
    Word word = read_word(layout, bytes);
    Instruction out;
    out.opcode = word.header >> 4;
    out.flags = word.header & 15;
    if (out.opcode == kConfigure) {
        for_configure_bits(layout, [&](int i, std::size_t operand, int at) {
            const auto bit = static_cast<std::uint32_t>(word.operand[operand] >> at & 1);
            word.operand[operand] &= ~(std::uint64_t{1} << at);
            if (i < 4) {
                out.config_register |= static_cast<int>(bit) << i;
            } else {
                out.config_value |= bit << (i - 4);
            }
        });
    }
    Taker taker(word);
    for_fields(layout, out, taker);
    out.stray = word.operand;
    return out;
}

void encode(const Layout& layout, const Instruction& instruction, std::uint8_t* bytes) {
    Word word;
    word.operand = instruction.stray;
    word.header = instruction.opcode << 4 | instruction.flags;
    if (instruction.opcode == kConfigure) {
        for_configure_bits(layout, [&](int i, std::size_t operand, int at) {
            const std::uint64_t bit =
                i < 4 ? static_cast<unsigned>(instruction.config_register) >> i & 1u
                      : instruction.config_value >> (i - 4) & 1u;
            word.operand[operand] |= bit << at;
        });
    }
    Putter putter(word);
    for_fields(layout, instruction, putter);
    write_word(layout, word, bytes);
}

std::string unfit(const Layout& layout, const Instruction& instruction) {
    Checker checker;
    checker.check("opcode", static_cast<std::uint64_t>(instruction.opcode), 0, 15);
    checker.check("flags", static_cast<std::uint64_t>(instruction.flags), 0, 15);
    if (instruction.opcode == kConfigure) {
        checker.check("register", static_cast<std::uint64_t>(instruction.config_register), 0, 15);
        checker.check("value", instruction.config_value, 0, mask(layout.configure_value_bits));
    }
    for_fields(layout, instruction, checker);
    return checker.problem;
}

}  // namespace macrame::tcu
