#include "verif/systolic/isa/instruction.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

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

constexpr Field row(std::string_view name, int width, int at, std::int64_t Transfer::*member,
                    std::string_view doc) {
    return {name, width, at, doc, member, nullptr, nullptr};
}
constexpr Field row(std::string_view name, int width, int at, std::int64_t Gemm::*member,
                    std::string_view doc) {
    return {name, width, at, doc, nullptr, member, nullptr};
}
constexpr Field row(std::string_view name, int width, int at, std::int64_t Alu::*member,
                    std::string_view doc) {
    return {name, width, at, doc, nullptr, nullptr, member};
}
constexpr Field size(Field field) {
    field.is_size = true;
    return field;
}
constexpr Field two_s_complement(Field field) {
    field.is_signed = true;
    return field;
}
constexpr Field wider(Field field, int width, int at) {
    field.more_width = width;
    field.more_at = at;
    return field;
}

// clang-format off
constexpr std::array kTransfer = {
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

constexpr std::array kGemm = {
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

constexpr std::array kAlu = {
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

constexpr std::uint64_t cut(std::int64_t value, int bits) {
    return static_cast<std::uint64_t>(value) & low_bits(bits);
}

constexpr int bits_of(const Field& field) { return field.width + field.more_width; }

constexpr std::int64_t highest_of(const Field& field) {
    return (std::int64_t{1} << (field.is_signed ? bits_of(field) - 1 : bits_of(field))) - 1;
}

/// High bits of a signed field as they stand in a word, or back.
constexpr std::uint64_t against_sign(const Field& field, std::uint64_t bits) {
    const bool negative = field.is_signed && (bits >> (field.width - 1) & 1) != 0;
    return negative ? bits ^ cut(-1, field.more_width) << field.width : bits;
}

constexpr std::uint64_t coded_as(const Field& field, std::int64_t value) {
    return against_sign(field, cut(value, bits_of(field)));
}

constexpr std::int64_t decoded_as(const Field& field, std::uint64_t word_bits) {
    const auto found = static_cast<std::int64_t>(against_sign(field, word_bits));
    return found > highest_of(field) ? found - (std::int64_t{1} << bits_of(field)) : found;
}

}  // namespace

std::int64_t Field::lowest() const { return is_signed ? -(std::int64_t{1} << (bits() - 1)) : 0; }

std::int64_t Field::highest() const { return highest_of(*this); }

std::uint64_t Field::coded(std::int64_t value) const { return coded_as(*this, value); }

std::int64_t Field::decoded(std::uint64_t word_bits) const { return decoded_as(*this, word_bits); }

std::string flags_text(const Flags& flags) {
    std::string out;
    for (const FlagRow& row : kFlags)
        out += flags.*row.flag ? '1' : '0';
    return out;
}

const std::vector<Field>& fields(Module module) {
    static const std::vector<Field> kOfTransfer(kTransfer.begin(), kTransfer.end());
    static const std::vector<Field> kOfGemm(kGemm.begin(), kGemm.end());
    static const std::vector<Field> kOfAlu(kAlu.begin(), kAlu.end());
    return module == Module::gemm ? kOfGemm : module == Module::alu ? kOfAlu : kOfTransfer;
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

namespace {

/// Coding of the instructions of a module. The table is known when this is compiled, so a field
/// takes a few operations: programs have millions of instructions.
template <const auto& kTable>
class Coding {
public:
    static bool is_nop(const Instruction& instruction) { return is_nop(instruction, kAll); }
    static void encode(const Instruction& from, Word& to) { encode(from, to, kAll); }
    static void decode(const Word& from, Instruction& to) { decode(from, to, kAll); }

private:
    static constexpr auto kAll =
        std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(kTable)>>>();

    template <std::size_t n, typename Any>
    static auto& parameter(Any& instruction) {
        if constexpr (kTable[n].transfer != nullptr)
            return instruction.transfer.*kTable[n].transfer;
        else if constexpr (kTable[n].gemm != nullptr)
            return instruction.gemm.*kTable[n].gemm;
        else
            return instruction.alu.*kTable[n].alu;
    }

    template <std::size_t... n>
    static bool is_nop(const Instruction& instruction, std::index_sequence<n...>) {
        return ((!kTable[n].is_size || parameter<n>(instruction) == 0) && ...);
    }

    template <std::size_t... n>
    static void encode(const Instruction& from, Word& to, std::index_sequence<n...>) {
        (put<n>(parameter<n>(from), to), ...);
    }
    template <std::size_t n>
    static void put(std::int64_t value, Word& to) {
        constexpr Field kField = kTable[n];
        const std::uint64_t bits = coded_as(kField, value);
        set_bits(to, kField.at, kField.width, bits);
        if constexpr (kField.more_width > 0)
            set_bits(to, kField.more_at, kField.more_width, bits >> kField.width);
    }

    template <std::size_t... n>
    static void decode(const Word& from, Instruction& to, std::index_sequence<n...>) {
        ((parameter<n>(to) = get<n>(from)), ...);
    }
    template <std::size_t n>
    static std::int64_t get(const Word& from) {
        constexpr Field kField = kTable[n];
        std::uint64_t bits = get_bits(from, kField.at, kField.width);
        if constexpr (kField.more_width > 0)
            bits |= get_bits(from, kField.more_at, kField.more_width) << kField.width;
        return decoded_as(kField, bits);
    }
};

}  // namespace

bool is_nop(const Instruction& instruction) {
    if (instruction.module == Module::gemm) return Coding<kGemm>::is_nop(instruction);
    if (instruction.module == Module::alu) return Coding<kAlu>::is_nop(instruction);
    return Coding<kTransfer>::is_nop(instruction);
}

Word encode(const Instruction& instruction) {
    Word word = instruction.spare;
    set_bits(word, kOpcodeAt, kOpcodeWidth, static_cast<std::uint64_t>(opcode(instruction.module)));
    for (const FlagRow& row : kFlags)
        set_bits(word, row.at, 1, instruction.flags.*row.flag ? 1 : 0);
    if (instruction.module == Module::gemm)
        Coding<kGemm>::encode(instruction, word);
    else if (instruction.module == Module::alu)
        Coding<kAlu>::encode(instruction, word);
    else
        Coding<kTransfer>::encode(instruction, word);
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
    if (out.module == Module::gemm)
        Coding<kGemm>::decode(word, out);
    else if (out.module == Module::alu)
        Coding<kAlu>::decode(word, out);
    else
        Coding<kTransfer>::decode(word, out);
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
