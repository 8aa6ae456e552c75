#include "verif/tcu/isa/assembly.hpp"

#include <algorithm>
#include <array>

#include "verif/common/text.hpp"

namespace macrame::tcu {

using verif::text::shortest;

namespace {

constexpr std::array<std::string_view, 12> kRegisterNames = {"DRAM0Offset",
                                                             "DRAM0Cache",
                                                             "",
                                                             "",
                                                             "DRAM1Offset",
                                                             "DRAM1Cache",
                                                             "",
                                                             "",
                                                             "Timeout",
                                                             "Tracepoint",
                                                             "ProgramCounter",
                                                             "SampleInterval"};

std::string place(std::string_view memory, std::uint64_t address, int stride) {
    return std::string(memory) + "(" + shortest(address) + ")" +
           (stride == 0 ? "" : "@2^" + shortest(stride));
}

/// An address that is not used: usually zero and not shown.
std::string zeroes(const Instruction& i) {
    return i.address0 == 0 && i.stride0 == 0 ? "Zeroes" : place("Zeroes", i.address0, i.stride0);
}

std::string size(const Instruction& i) { return " " + shortest(i.size - 1) + "(+1)"; }

std::string_view space_name(Space space) {
    switch (space) {
        case Space::accumulators:
            return "Acc";
        case Space::dram0:
            return "DRAM0";
        case Space::dram1:
            return "DRAM1";
        default:
            return "Address";
    }
}

std::string move_text(const Instruction& i) {
    const Space space = move_space(i.flags);
    std::string kind = moves_to_local(i.flags) ? "<-" : "->";
    if (i.flags == kLocalToAccumulatorAdd) kind = "->, Acc";
    if (space == Space::none) kind = verif::text::hex(static_cast<std::uint64_t>(i.flags));
    return "DataMove(" + kind + ") " + place("Local", i.address0, i.stride0) + " " +
           place(space_name(space), i.address1, i.stride1) + size(i);
}

std::string source(int code) { return code == 0 ? "In" : "R" + shortest(code); }

std::string simd_text(const Instruction& i) {
    std::string flags;
    if (i.has(kSimdRead)) flags += 'R';
    if (i.has(kSimdWrite)) flags += 'W';
    if (i.has(kSimdAccumulate)) flags += 'A';
    const std::string_view known = simd_name(i.simd_op);
    const std::string op = known.empty() ? "Op" + shortest(i.simd_op) : std::string(known);
    const int shown = i.simd_right != 0 ? 2 : i.simd_left != 0 ? 1 : 0;
    const int sources = std::max(shown, simd_sources(i.simd_op));
    std::string out = "SIMD" + (flags.empty() ? "" : "(" + flags + ")") + " " + op + "(";
    if (sources > 0) out += source(i.simd_left);
    if (sources > 1) out += ", " + source(i.simd_right);
    return out + ") -> " + (i.simd_dest == 0 ? "Out" : source(i.simd_dest)) + " " +
           place("Acc", i.address0, 0) + " <- " + place("Acc", i.address1, 0);
}

/// Flags that the text of the instruction shows.
int shown_flags(int opcode) {
    switch (opcode) {
        case kMatMul:
            return kMatMulAccumulate | kMatMulZeroes;
        case kDataMove:
            return 15;
        case kLoadWeights:
            return kLoadWeightsZeroes;
        case kSimd:
            return kSimdRead | kSimdWrite | kSimdAccumulate;
        default:
            return 0;
    }
}

std::string fields_text(const Layout& layout, const Instruction& i) {
    switch (i.opcode) {
        case kNoOp:
            return "Wait";
        case kMatMul:
            return std::string(i.has(kMatMulAccumulate) ? "MatMul(Acc) " : "MatMul ") +
                   (i.has(kMatMulZeroes) ? zeroes(i) : place("Local", i.address0, i.stride0)) +
                   " " + place("Acc", i.address1, i.stride1) + size(i);
        case kDataMove:
            return move_text(i);
        case kLoadWeights:
            return "LoadWeights " +
                   (i.has(kLoadWeightsZeroes) ? zeroes(i) : place("Local", i.address0, i.stride0)) +
                   size(i);
        case kSimd:
            return simd_text(i);
        case kConfigure: {
            const std::string_view name = configure_name(i.config_register);
            return "Configure " +
                   (name.empty() ? "Register(" + shortest(i.config_register) + ")"
                                 : std::string(name)) +
                   " " + shortest(i.config_value);
        }
        case kLoadLut:
            if (layout.simd_op_bits > 4) {
                return "LoadLUT " + place("Local", i.address0, i.stride0) + " " +
                       place("Table", i.address1, 0);
            }
            break;
        default:
            break;
    }
    return "Invalid(" + shortest(i.opcode) + ")";
}

/// Bits of no field as one number, hexadecimal; empty if there are none.
std::string stray_text(const Layout& layout, const Instruction& i) {
    Instruction rest;  // a NoOp, which has no fields
    rest.flags = i.flags & ~shown_flags(i.opcode);
    rest.stray = i.stray;
    if (rest.flags == 0 && rest.stray == Instruction().stray) return {};
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(layout.bytes));
    encode(layout, rest, bytes.data());
    std::string digits;
    for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte)
        digits += verif::text::hex_digits(*byte, 2);
    const std::size_t first = digits.find_first_not_of('0');
    return first == digits.npos ? std::string() : " | 0x" + digits.substr(first);
}

}  // namespace

std::string_view configure_name(int config_register) {
    return config_register < static_cast<int>(kRegisterNames.size())
               ? kRegisterNames[static_cast<std::size_t>(config_register)]
               : std::string_view();
}

std::string assembly_text(const Layout& layout, const Instruction& instruction) {
    return fields_text(layout, instruction) + stray_text(layout, instruction);
}

std::string disassemble(const Layout& layout, const std::vector<std::uint8_t>& program) {
    return disassemble(layout, program, 0, program.size());
}

std::string disassemble(const Layout& layout, const std::vector<std::uint8_t>& program,
                        std::size_t first, std::size_t count) {
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    const std::size_t all = program.size() / bytes;
    const std::size_t end = first + std::min(count, all - std::min(first, all));
    constexpr std::size_t kLine = 64;  // longer ones are few: the text is not copied while it grows
    std::string out;
    out.reserve((end - first) * kLine);
    for (std::size_t i = first; i < end; ++i) {
        out += "[" + shortest(i) + "] 0 " +
               assembly_text(layout, decode(layout, program.data() + i * bytes)) + "\r\n";
    }
    return out;
}

}  // namespace macrame::tcu
