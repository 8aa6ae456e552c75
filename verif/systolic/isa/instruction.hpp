#pragma once
/// Instructions, and the table of their fields from which coding, assembly text and documents are
/// made.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic {

/// The modules in their line; each talks to its neighbours only. LOAD has no one before it, STORE
/// no one behind it.
enum class Module { load, gemm, alu, store };
inline constexpr std::array<Module, 4> kModules = {Module::load, Module::gemm, Module::alu,
                                                   Module::store};
inline constexpr std::size_t kModuleCount = kModules.size();

constexpr std::size_t number(Module module) { return static_cast<std::size_t>(module); }

/// Tokens that an instruction waits for and gives: previous and next module in the line.
struct Flags {
    bool pop_prev = false;
    bool push_prev = false;
    bool pop_next = false;
    bool push_next = false;
};

/// "1001", in the order of the word: pop_prev, push_prev, pop_next, push_next.
std::string flags_text(const Flags& flags);

/// Parameters of LOAD and STORE. Strides count elements.
struct Transfer {
    std::int64_t dram_address = 0;
    std::int64_t sram_address = 0;
    std::int64_t x_size = 0;
    std::int64_t y_size = 0;
    std::int64_t z_size = 0;
    std::int64_t z_stride = 0;
    std::int64_t y_stride = 0;
    std::int64_t is_reset = 0;
    std::int64_t bitwidth = 0;    ///< 1: narrow elements
    std::int64_t requantise = 0;  ///< STORE: lanes are scaled by set `scale_set`
    std::int64_t scale_set = 0;
};

struct Gemm {
    std::int64_t input_address = 0;
    std::int64_t output_address = 0;
    std::int64_t weight_address = 0;
    std::int64_t ofmap_height = 0;
    std::int64_t ofmap_width = 0;
    std::int64_t active_rows = 0;
    std::int64_t active_cols = 0;
    std::int64_t stride_h = 0;
    std::int64_t stride_w = 0;
    std::int64_t pad_left = 0;
    std::int64_t pad_right = 0;
    std::int64_t pad_top = 0;
    std::int64_t pad_bottom = 0;
    std::int64_t preload_output = 0;
    std::int64_t pad_value = 0;
};

enum class AluOp { max, min, add, shift };

struct Alu {
    std::int64_t alu_opcode = 0;
    std::int64_t input_address = 0;
    std::int64_t output_address = 0;
    std::int64_t output_height = 0;
    std::int64_t output_width = 0;
    std::int64_t window_height = 0;
    std::int64_t window_width = 0;
    std::int64_t mem_stride_ow = 0;  ///< between output rows
    std::int64_t mem_stride_r = 0;   ///< between output columns
    std::int64_t mem_stride_s = 0;   ///< between window rows
    std::int64_t num_active = 0;
    std::int64_t use_immediate = 0;
    std::int64_t immediate_value = 0;
    std::int64_t accumulate = 0;  ///< the window goes on from the output: dst = dst op src
    std::int64_t multiply = 0;    ///< sums of element x immediate
};

/// It has the parameters of its module only; programs have millions of them.
struct Instruction {
    Instruction() : gemm() {}

    Module module = Module::load;
    Flags flags;
    union {  ///< of numbers alone, at first zeros
        Transfer transfer;
        Gemm gemm;
        Alu alu;
    };
    Word spare;  ///< bits of no field
};
static_assert(sizeof(Gemm) >= sizeof(Alu) && sizeof(Gemm) >= sizeof(Transfer));

/// A row of the table. Fields that the original has too narrow go on in bits that it leaves zero.
struct Field {
    std::string_view name;
    int width;
    int at;  ///< lowest bit
    std::string_view doc;
    /// Of one of these; the others are null.
    std::int64_t Transfer::*transfer;
    std::int64_t Gemm::*gemm;
    std::int64_t Alu::*alu;
    bool is_size = false;  ///< zero in all sizes: no operation
    bool is_signed = false;
    /// Further high bits, in spare bits of the original; of signed fields they are what differs
    /// from copies of the sign, so that zeros mean the original.
    int more_width = 0;
    int more_at = 0;

    int bits() const { return width + more_width; }
    std::int64_t lowest() const;
    std::int64_t highest() const;
    /// The bits that the field adds to a word with its high bits at `more_at`, and back.
    std::uint64_t coded(std::int64_t value) const;
    std::int64_t decoded(std::uint64_t bits) const;
};

/// The fields of a module from the highest bit down.
const std::vector<Field>& fields(Module module);
/// Null if there is none of that name.
const Field* find_field(Module module, std::string_view name);

std::int64_t value(const Instruction& instruction, const Field& field);
void set_value(Instruction& instruction, const Field& field, std::int64_t value);

/// "LOAD"
std::string_view module_name(Module module);
int opcode(Module module);

/// A flag with its bit and its name.
struct FlagRow {
    bool Flags::*flag;
    int at;
    std::string_view name;
};
inline constexpr std::array<FlagRow, 4> kFlags = {{
    {&Flags::pop_prev, 123, "pop_prev"},
    {&Flags::push_prev, 122, "push_prev"},
    {&Flags::pop_next, 121, "pop_next"},
    {&Flags::push_next, 120, "push_next"},
}};

/// True for flags of a neighbour that the module has.
bool is_legal(Module module, bool Flags::*flag);

/// All sizes are zero: the instruction touches nothing and only moves tokens.
bool is_nop(const Instruction& instruction);

/// Values are cut to the bits of their fields.
Word encode(const Instruction& instruction);

/// Nothing for an opcode that does not exist.
std::optional<Instruction> decode(const Word& word);

/// The tables of all instructions as Markdown.
std::string field_tables();

}  // namespace macrame::systolic
