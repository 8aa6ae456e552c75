#include <fmt/format.h>

#include <algorithm>

#include "families/tcu/documents.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

namespace {

/// A field of an instruction and what it means.
struct Part {
    std::string name;
    int lsb = 0;
    int bits = 0;
    std::string meaning;
};

std::string bits_text(int lsb, int bits) {
    return bits == 1 ? fmt::to_string(lsb) : fmt::format("{}:{}", lsb + bits - 1, lsb);
}

/// The section of an instruction. Fields without bits are left out, gaps are bits that must be 0.
Section instruction(const Layout& l, std::string_view name, int opcode, std::string_view text,
                    const std::vector<Part>& parts) {
    Section out{fmt::format("{} (opcode {:#x})", name, opcode),
                std::string(text),
                {},
                {"bits", "field", "meaning"},
                {}};
    int next = 0;
    const auto gap = [&](int end) {
        if (end > next) out.picture.push_back({"", next, end - next});
    };
    for (const Part& part : parts) {
        if (part.bits == 0) continue;
        gap(part.lsb);
        out.picture.push_back({part.name, part.lsb, part.bits});
        out.rows.push_back({bits_text(part.lsb, part.bits), part.name, part.meaning});
        next = part.lsb + part.bits;
    }
    gap(l.opcode_at);
    out.picture.push_back({fmt::format("{:#x}", opcode), l.opcode_at, 4});
    out.rows.push_back({bits_text(l.opcode_at, 4), "opcode", fmt::format("{:#x}", opcode)});
    return out;
}

/// Address and stride code of operand 0; the same for operand 1.
std::vector<Part> operand0(const Layout& l, std::string_view memory) {
    return {
        {"address 0", l.operand0_at, l.address0_bits, fmt::format("first vector in {}", memory)},
        {"stride 0", l.operand0_at + l.address0_bits, l.stride0_bits, "code s: a step of 2^s"}};
}

std::vector<Part> operand1(const Layout& l, std::string_view memory) {
    return {
        {"address 1", l.operand1_at, l.address1_bits, fmt::format("first vector in {}", memory)},
        {"stride 1", l.operand1_at + l.address1_bits, l.stride1_bits, "code s: a step of 2^s"}};
}

Part size2(const Layout& l) { return {"size", l.operand2_at, l.operand2_bits, "vectors, less 1"}; }

std::vector<Part> together(std::initializer_list<std::vector<Part>> lists) {
    std::vector<Part> out;
    for (const std::vector<Part>& list : lists)
        out.insert(out.end(), list.begin(), list.end());
    return out;
}

Section sizes(const Architecture& a, const Layout& l) {
    const auto row = [](std::string_view what, std::string_view formula, int value) {
        return std::vector<std::string>{std::string(what), fmt::format("`{}`", formula),
                                        fmt::to_string(value)};
    };
    Section out{"Sizes",
                "`clog2(n)` bits tell n values apart; `bytes8(n)` is n rounded up to whole bytes.",
                {},
                {"bits", "formula", "here"},
                {}};
    out.rows = {
        row("L, address of local memory", fmt::format("clog2({})", a.local_depth), l.local_bits),
        row("A, address of accumulators", fmt::format("clog2({})", a.accumulator_depth),
            l.accumulator_bits),
        row("D0, address in DRAM0", fmt::format("clog2({})", a.dram0_depth), l.dram0_bits),
        row("D1, address in DRAM1", fmt::format("clog2({})", a.dram1_depth), l.dram1_bits),
        row("S0, stride code of operand 0", fmt::format("clog2({})", a.stride0_depth),
            l.stride0_bits),
        row("S1, stride code of operand 1", fmt::format("clog2({})", a.stride1_depth),
            l.stride1_bits),
        row("R, SIMD source or destination", fmt::format("clog2({} + 1)", a.simd_registers_depth),
            l.register_bits),
        row("operand 0", "bytes8(max(L, A) + S0)", l.operand0_bits),
        row("operand 1", "bytes8(max(L, A, D0, D1) + S1)", l.operand1_bits),
        row("operand 2",
            fmt::format("bytes8(max(min(L, A), min(L, D0), min(L, D1), {} + 3 R))", l.simd_op_bits),
            l.operand2_bits),
        row("instruction", "operands 0, 1, 2, flags 4, opcode 4", l.bits),
    };
    return out;
}

std::vector<Section> instructions(const Architecture& a, const Layout& l) {
    const std::string chain =
        fmt::format("The chain has {} rows: bias, then the weights of each of the {} inputs. ",
                    a.array_size + 1, a.array_size);
    const auto flag = [&](int bit, std::string_view name, std::string_view meaning) {
        return Part{std::string(name), l.flags_at + bit, 1, std::string(meaning)};
    };
    std::vector<Section> out = {
        instruction(l, "NoOp", kNoOp, "Does nothing; all bytes are 0.", {}),
        instruction(l, "MatMul", kMatMul,
                    "Each vector of local memory times the weights, plus the bias, goes to the "
                    "accumulators.",
                    together({operand0(l, "local memory; not used with zeroes"),
                              operand1(l, "the accumulators"),
                              {size2(l), flag(0, "accumulate", "adds to the accumulators"),
                               flag(1, "zeroes", "zero vectors in place of local memory")}})),
        instruction(l, "DataMove", kDataMove,
                    "Copies vectors. Kinds: `0` DRAM0 to local memory, `1` back, `2` DRAM1 to "
                    "local memory, `3` back, `0xc` accumulators to local memory, `0xd` back, "
                    "`0xf` the same, added to the accumulators. Other kinds do nothing.",
                    together({operand0(l, "local memory"),
                              operand1(l, "the other memory"),
                              {size2(l), {"kind", l.flags_at, 4, "from where to where"}}})),
        instruction(l, "LoadWeights", kLoadWeights,
                    chain + "Vectors are shifted in from the highest address down, so that a set "
                            "stands in memory with the bias first.",
                    together({operand0(l, "local memory; not used with zeroes"),
                              {{"size", l.operand1_at, l.operand1_bits, "vectors, less 1"},
                               flag(0, "zeroes", "zero vectors in place of local memory")}})),
        instruction(
            l, "SIMD", kSimd,
            "One operation on all lanes. Sources: `0` the vector read, r register r. "
            "Destination: `0` the output alone, r register r and the output.",
            {{"write address", l.operand0_at, l.operand0_bits, "vector of the accumulators"},
             {"read address", l.operand1_at, l.operand1_bits, "vector of the accumulators"},
             {"destination", l.operand2_at, l.register_bits, "see above"},
             {"right", l.operand2_at + l.simd_right_at, l.register_bits, "right source"},
             {"left", l.operand2_at + l.simd_left_at, l.register_bits, "left source"},
             {"operation", l.operand2_at + l.simd_op_at, l.simd_op_bits, "see below"},
             flag(0, "read", "reads the vector at the read address"),
             flag(1, "write", "writes the output to the write address"),
             flag(2, "accumulate", "adds the output to what is there")}),
    };
    if (a.lut_tables > 0) {
        out.push_back(
            instruction(l, "LoadLUT", kLoadLut,
                        fmt::format("Loads {} entries of a table from local memory, each lane "
                                    "its own. Table 0 has the keys, in rising order; of "
                                    "equal ones Lookup takes the first.",
                                    a.lut_depth),
                        together({operand0(l, "local memory"),
                                  {{"table", l.operand1_at, l.operand1_bits,
                                    fmt::format("0..{}", a.lut_tables)}}})));
    }
    out.push_back(instruction(
        l, "Configure", kConfigure, "Writes a configuration register.",
        {{"register", 0, 4, "see below"}, {"value", 4, l.configure_value_bits, "new value"}}));
    return out;
}

Section operations(const Architecture& a) {
    Section out{"SIMD operations",
                "True is 1.0, the sum, difference and product saturate, the product is rounded to "
                "nearest even.",
                {},
                {"code", "operation", "result"},
                {}};
    static const std::vector<std::string> kResults = {
        "nothing is read or written",
        "0",
        "left",
        "left is 0",
        "both are not 0",
        "one of them is not 0",
        "left + 1.0",
        "left - 1.0",
        "left + right",
        "left - right",
        "left times right",
        "left without sign; the smallest number stays as it is",
        "left > right",
        "left >= right",
        "the smaller",
        "the larger",
        "left less the closest key; registers behind the destination get the tables' values"};
    const std::size_t count = kResults.size() - (a.lut_tables > 0 ? 0 : 1);
    for (std::size_t op = 0; op < count; ++op) {
        out.rows.push_back(
            {fmt::format("{:#x}", op), std::string(simd_name(static_cast<int>(op))), kResults[op]});
    }
    return out;
}

Section configuration() {
    return {"Configuration registers",
            "Others are accepted and have no effect.",
            {},
            {"register", "name", "meaning", "reset"},
            {{"`0x0`, `0x4`", "offset of DRAM0, DRAM1", "added to byte addresses, in 64 KiB", "0"},
             {"`0x1`, `0x5`", "cache of DRAM0, DRAM1", "AxCACHE", "0"},
             {"`0x8`", "timeout", "cycles that an instruction may wait before the flag", "option"},
             {"`0x9`", "tracepoint", "flag while the program counter has this value", "all ones"},
             {"`0xa`", "program counter", "counts instructions taken", "0"},
             {"`0xb`", "sample interval", "cycles between samples, 0: none", "0"}}};
}

/// A number of vectors, or the address of one, that leaves room in a memory of this depth.
std::uint64_t fitting(std::int64_t wanted, std::int64_t depth) {
    return static_cast<std::uint64_t>(std::min(wanted, depth / 8));
}

Instruction move(int kind, std::uint64_t local, std::uint64_t other, int stride1,
                 std::uint64_t size) {
    Instruction out;
    out.opcode = kDataMove;
    out.flags = kind;
    out.address0 = local;
    out.address1 = other;
    out.stride1 = stride1;
    out.size = std::max<std::uint64_t>(1, size);
    return out;
}

Instruction load_weights(int flags, std::uint64_t local, std::uint64_t size) {
    Instruction out;
    out.opcode = kLoadWeights;
    out.flags = flags;
    out.address0 = local;
    out.size = std::max<std::uint64_t>(1, size);
    return out;
}

Instruction simd(int flags, int op, int dest, std::uint64_t write, std::uint64_t read) {
    Instruction out;
    out.opcode = kSimd;
    out.flags = flags;
    out.simd_op = op;
    out.simd_dest = dest;
    out.address0 = write;
    out.address1 = read;
    return out;
}

/// Usual instructions, with numbers that fit this architecture.
std::vector<Instruction> examples(const Architecture& a) {
    const auto local = [&](int wanted) { return fitting(wanted, a.local_depth); };
    const auto acc = [&](int wanted) { return fitting(wanted, a.accumulator_depth); };
    const auto stride = [](int wanted, int depth) { return std::min(wanted, depth - 1); };
    Instruction multiply;
    multiply.opcode = kMatMul;
    multiply.flags = kMatMulAccumulate;
    multiply.address0 = local(0x20);
    multiply.stride0 = stride(1, a.stride0_depth);
    multiply.address1 = acc(0x40);
    multiply.size = std::max<std::uint64_t>(1, std::min(local(16), acc(16)));
    Instruction maximum = simd(kSimdRead | kSimdWrite, kSimdMax, 0, acc(5), acc(6));
    maximum.simd_right = std::min(1, a.simd_registers_depth);
    Instruction offset;
    offset.opcode = kConfigure;
    offset.config_register = kDram0Offset;
    offset.config_value = 0x1234;
    return {
        Instruction(),
        move(kDram1ToLocal, local(0x10), fitting(0x123, a.dram1_depth), stride(2, a.stride1_depth),
             std::min(local(64), fitting(64, a.dram1_depth))),
        load_weights(0, local(0x10),
                     std::min(static_cast<std::uint64_t>(a.array_size) + 1, local(1 << 16))),
        load_weights(kLoadWeightsZeroes, 0, 1),
        multiply,
        simd(0, kSimdZero, std::min(1, a.simd_registers_depth), 0, 0),
        maximum,
        move(kAccumulatorToLocal, local(0x30), acc(0x40), stride(3, a.stride1_depth), acc(2)),
        move(kLocalToAccumulatorAdd, local(0x30), acc(0x40), 0, 1),
        move(kLocalToDram0, local(0x30), fitting(0x123, a.dram0_depth), 0, 1),
        offset,
    };
}

Section encodings(const Architecture& a, const Layout& l) {
    Section out{"Examples",
                "Assembly as `macrame` writes it; the bytes in the order of a program file.",
                {},
                {"instruction", "bytes"},
                {}};
    for (const Instruction& example : examples(a)) {
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(l.bytes));
        encode(l, example, bytes.data());
        out.rows.push_back({fmt::format("`{}`", assembly_text(l, example)),
                            fmt::format("`{:02x}`", fmt::join(bytes, " "))});
    }
    return out;
}

}  // namespace

Page instruction_page(const Architecture& a, std::string_view name) {
    const Layout l = layout_of(a);
    Page page{
        fmt::format("Instructions of {}", name),
        fmt::format(
            "An instruction has {} bytes and stands in memory with the lowest byte first: operand "
            "0 in bits {}, operand 1 in bits {}, operand 2 in bits {}, flags in bits {}, opcode in "
            "bits {}. Addresses, steps and sizes count vectors of {} scalars. Bits without a "
            "field are 0. Other opcodes are taken in one cycle and do nothing.",
            l.bytes, bits_text(0, l.operand0_bits), bits_text(l.operand1_at, l.operand1_bits),
            bits_text(l.operand2_at, l.operand2_bits), bits_text(l.flags_at, 4),
            bits_text(l.opcode_at, 4), a.array_size),
        {sizes(a, l)}};
    for (Section& section : instructions(a, l))
        page.sections.push_back(std::move(section));
    page.sections.push_back(operations(a));
    page.sections.push_back(configuration());
    page.sections.push_back(encodings(a, l));
    return page;
}

}  // namespace macrame::tcu
