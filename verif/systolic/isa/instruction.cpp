#include "verif/systolic/isa/instruction.hpp"

#include <algorithm>
#include <iterator>

#include "verif/common/text.hpp"

namespace macrame::systolic {

namespace {

constexpr int kOpcodeAt = 124;
constexpr int kOpcodeWidth = 4;

struct ModuleRow {
    std::string_view name;
    int opcode;
};
/// In the order of the enumeration.
constexpr std::array<ModuleRow, kModuleCount> kRows = {
    {{"LOAD", 8}, {"GEMM", 10}, {"ALU", 11}, {"STORE", 9}}};

Field row(std::string_view name, int width, int at, std::int64_t Transfer::*member,
          std::string_view doc) {
    return {name, width, at, doc, member, nullptr, nullptr};
}
Field row(std::string_view name, int width, int at, std::int64_t Gemm::*member,
          std::string_view doc) {
    return {name, width, at, doc, nullptr, member, nullptr};
}
Field row(std::string_view name, int width, int at, std::int64_t Alu::*member,
          std::string_view doc) {
    return {name, width, at, doc, nullptr, nullptr, member};
}
Field size(Field field) {
    field.is_size = true;
    return field;
}
Field two_s_complement(Field field) {
    field.is_signed = true;
    return field;
}
Field wider(Field field, int width, int at) {
    field.more_width = width;
    field.more_at = at;
    return field;
}

// clang-format off
const std::vector<Field> kTransfer = {
    row("dram_address", 32, 88, &Transfer::dram_address, "byte address of the first element"),
    row("sram_address", 26, 62, &Transfer::sram_address,
        "buffer, entry and bank of the first element"),
    size(row("x_size", 8, 54, &Transfer::x_size, "slices: rows of pixels, taps of weights")),
    size(row("y_size", 8, 46, &Transfer::y_size,
        "vectors of a slice: pixels of a row, channels of a tap")),
    size(row("z_size", 8, 38, &Transfer::z_size, "elements of a vector, contiguous")),
    wider(row("z_stride", 8, 30, &Transfer::z_stride,
        "elements from a vector to the next one of the slice"), 5, 15),
    wider(row("y_stride", 8, 22, &Transfer::y_stride,
        "elements from the last vector of a slice to the next slice"), 12, 3),
    row("is_reset", 1, 21, &Transfer::is_reset, "no meaning"),
    row("bitwidth", 1, 20, &Transfer::bitwidth,
        "1: narrow elements, those of inputs or weights; 0: wide ones, those of OBUF"),
    row("requantise", 1, 2, &Transfer::requantise, "of STORE, 1: lanes are scaled to narrow ones"),
    row("scale_set", 2, 0, &Transfer::scale_set, "with these words of scale memory"),
};

const std::vector<Field> kGemm = {
    row("input_address", 15, 105, &Gemm::input_address, "entry of IBUF, modulo its size"),
    row("output_address", 15, 90, &Gemm::output_address, "entry of OBUF"),
    row("weight_address", 15, 75, &Gemm::weight_address, "entry of WBUF of array row 0"),
    size(row("ofmap_height", 8, 67, &Gemm::ofmap_height, "output rows")),
    size(row("ofmap_width", 8, 59, &Gemm::ofmap_width, "output columns")),
    size(row("active_rows", 8, 51, &Gemm::active_rows, "channels used")),
    size(row("active_cols", 8, 43, &Gemm::active_cols, "filters used")),
    wider(row("stride_h", 4, 39, &Gemm::stride_h, "entries of IBUF per output row"), 8, 10),
    row("stride_w", 4, 35, &Gemm::stride_w, "entries of IBUF per output column"),
    row("pad_left", 4, 31, &Gemm::pad_left, "output columns that are fed with zeros"),
    row("pad_right", 4, 27, &Gemm::pad_right, "the same at the other end"),
    row("pad_top", 4, 23, &Gemm::pad_top, "output rows that are fed with zeros"),
    row("pad_bottom", 4, 19, &Gemm::pad_bottom, "the same at the other end"),
    row("preload_output", 1, 18, &Gemm::preload_output,
        "1: go on from the sums in OBUF; 0: from zero"),
    two_s_complement(row("pad_value", 8, 2, &Gemm::pad_value, "what padded pixels are fed with")),
};

const std::vector<Field> kAlu = {
    row("alu_opcode", 2, 118, &Alu::alu_opcode,
        "max, min, add or shift (arithmetic, to the right)"),
    row("input_address", 15, 103, &Alu::input_address, "entry of OBUF"),
    row("output_address", 15, 88, &Alu::output_address, "entry of OBUF"),
    size(row("output_height", 8, 80, &Alu::output_height, "output rows")),
    size(row("output_width", 8, 72, &Alu::output_width, "output columns")),
    size(row("window_height", 4, 68, &Alu::window_height, "rows of a window")),
    size(row("window_width", 4, 64, &Alu::window_width, "columns of a window, one entry apart")),
    row("mem_stride_ow", 8, 56, &Alu::mem_stride_ow, "entries per output row"),
    row("mem_stride_r", 8, 48, &Alu::mem_stride_r, "entries per output column"),
    row("mem_stride_s", 8, 40, &Alu::mem_stride_s, "entries per window row"),
    size(row("num_active", 8, 32, &Alu::num_active, "lanes used")),
    row("use_immediate", 1, 31, &Alu::use_immediate,
        "1: windows start from the immediate; 0: from their first element"),
    wider(two_s_complement(row("immediate_value", 8, 23, &Alu::immediate_value,
        "the immediate; of shift the distance, negative: to the left")), 8, 13),
    row("accumulate", 1, 22, &Alu::accumulate, "1: windows start from the output"),
    row("multiply", 1, 21, &Alu::multiply, "of add, 1: sums of elements times the immediate"),
};
// clang-format on

std::uint64_t cut(std::int64_t value, int bits) {
    return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

std::int64_t Field::lowest() const { return is_signed ? -(std::int64_t{1} << (bits() - 1)) : 0; }

std::int64_t Field::highest() const {
    return (std::int64_t{1} << (is_signed ? bits() - 1 : bits())) - 1;
}

namespace {

/// High bits of a signed field as they stand in a word, or back.
std::uint64_t against_sign(const Field& field, std::uint64_t bits) {
    const bool negative = field.is_signed && (bits >> (field.width - 1) & 1) != 0;
    return negative ? bits ^ cut(-1, field.more_width) << field.width : bits;
}

}  // namespace

std::uint64_t Field::coded(std::int64_t value) const {
    return against_sign(*this, cut(value, bits()));
}

std::int64_t Field::decoded(std::uint64_t word_bits) const {
    const auto found = static_cast<std::int64_t>(against_sign(*this, word_bits));
    return found > highest() ? found - (std::int64_t{1} << bits()) : found;
}

std::string flags_text(const Flags& flags) {
    std::string out;
    for (const FlagRow& row : kFlags)
        out += flags.*row.flag ? '1' : '0';
    return out;
}

const std::vector<Field>& fields(Module module) {
    return module == Module::gemm ? kGemm : module == Module::alu ? kAlu : kTransfer;
}

const Field* find_field(Module module, std::string_view name) {
    for (const Field& field : fields(module))
        if (field.name == name) return &field;
    return nullptr;
}

std::int64_t value(const Instruction& instruction, const Field& field) {
    if (field.transfer != nullptr) return instruction.transfer.*field.transfer;
    if (field.gemm != nullptr) return instruction.gemm.*field.gemm;
    return instruction.alu.*field.alu;
}

void set_value(Instruction& instruction, const Field& field, std::int64_t value) {
    if (field.transfer != nullptr) instruction.transfer.*field.transfer = value;
    if (field.gemm != nullptr) instruction.gemm.*field.gemm = value;
    if (field.alu != nullptr) instruction.alu.*field.alu = value;
}

std::string_view module_name(Module module) { return kRows[number(module)].name; }

int opcode(Module module) { return kRows[number(module)].opcode; }

bool is_legal(Module module, bool Flags::*flag) {
    const bool of_prev = flag == &Flags::pop_prev || flag == &Flags::push_prev;
    return module != (of_prev ? Module::load : Module::store);
}

bool is_nop(const Instruction& instruction) {
    static const std::array<std::vector<Field>, kModuleCount> kSizes = [] {
        std::array<std::vector<Field>, kModuleCount> out;
        for (const Module module : kModules)
            for (const Field& field : fields(module))
                if (field.is_size) out[number(module)].push_back(field);
        return out;
    }();
    const std::vector<Field>& sizes = kSizes[number(instruction.module)];
    return std::all_of(sizes.begin(), sizes.end(),
                       [&](const Field& field) { return value(instruction, field) == 0; });
}

Word encode(const Instruction& instruction) {
    Word word = instruction.spare;
    set_bits(word, kOpcodeAt, kOpcodeWidth, static_cast<std::uint64_t>(opcode(instruction.module)));
    for (const FlagRow& row : kFlags)
        set_bits(word, row.at, 1, instruction.flags.*row.flag ? 1 : 0);
    for (const Field& field : fields(instruction.module)) {
        const std::uint64_t bits = field.coded(value(instruction, field));
        set_bits(word, field.at, field.width, bits);
        if (field.more_width > 0)
            set_bits(word, field.more_at, field.more_width, bits >> field.width);
    }
    return word;
}

namespace {

/// Bits that are no field of a module's instructions: 1.
const Word& spare_bits(Module module) {
    static const std::array<Word, kModuleCount> kUnused = [] {
        std::array<Word, kModuleCount> out;
        for (const Module m : kModules) {
            Word& word = out[number(m)];
            word = {~std::uint64_t{0}, ~std::uint64_t{0}};
            set_bits(word, kOpcodeAt, kOpcodeWidth, 0);
            for (const FlagRow& row : kFlags)
                set_bits(word, row.at, 1, 0);
            for (const Field& field : fields(m)) {
                set_bits(word, field.at, field.width, 0);
                set_bits(word, field.more_at, field.more_width, 0);
            }
        }
        return out;
    }();
    return kUnused[number(module)];
}

}  // namespace

std::optional<Instruction> decode(const Word& word) {
    Instruction out;
    const auto code = static_cast<int>(get_bits(word, kOpcodeAt, kOpcodeWidth));
    const auto module =
        std::find_if(kModules.begin(), kModules.end(), [&](Module m) { return opcode(m) == code; });
    if (module == kModules.end()) return std::nullopt;
    out.module = *module;
    const Word& spare = spare_bits(out.module);
    out.spare = {word.high & spare.high, word.low & spare.low};
    for (const FlagRow& row : kFlags)
        out.flags.*row.flag = get_bits(word, row.at, 1) != 0;
    for (const Field& field : fields(out.module)) {
        std::uint64_t bits = get_bits(word, field.at, field.width);
        if (field.more_width > 0)
            bits |= get_bits(word, field.more_at, field.more_width) << field.width;
        set_value(out, field, field.decoded(bits));
    }
    return out;
}

std::string field_tables() {
    using verif::text::shortest;
    const auto bits = [](int at, int width) {
        return (width > 1 ? shortest(at + width - 1) + ":" : "") + shortest(at);
    };
    std::string out;
    for (const Module module : kModules) {
        out += (out.empty() ? "## " : "\n## ") + std::string(module_name(module)) +
               "\n\n| bits | field | meaning |\n|---|---|---|\n| 127:124 | opcode | " +
               shortest(opcode(module)) + " |\n";
        for (const FlagRow& row : kFlags) {
            out += "| " + bits(row.at, 1) + " | " + std::string(row.name) + " | " +
                   (is_legal(module, row.flag) ? "" : "0: there is no such neighbour") + " |\n";
        }
        for (const Field& field : fields(module)) {
            const std::string more =
                field.more_width > 0 ? bits(field.more_at, field.more_width) + ", " : "";
            out += "| " + more + bits(field.at, field.width) + " | " + std::string(field.name) +
                   " | " + std::string(field.doc) + " |\n";
        }
    }
    return out;
}

}  // namespace macrame::systolic
