#include "verif/systolic/isa/rules.hpp"

#include "verif/common/text.hpp"
#include "verif/systolic/isa/sram_map.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic {

namespace {

using verif::text::shortest;

std::string above(std::string_view what, std::int64_t found, std::int64_t most,
                  std::string_view why) {
    if (found <= most) return "";
    return std::string(what) + " " + shortest(found) + ": want at most " + shortest(most) + ", " +
           std::string(why);
}

/// The first that is wrong.
std::string first(std::initializer_list<std::string> problems) {
    for (const std::string& text : problems)
        if (!text.empty()) return text;
    return "";
}

/// Flags, sizes that are zero beside others that are not, bits of no field.
std::string common_problem(const Instruction& i) {
    for (const FlagRow& row : kFlags) {
        if (i.flags.*row.flag && !is_legal(i.module, row.flag)) {
            return std::string(row.name) + ": " + std::string(module_name(i.module)) +
                   " has no module on that side";
        }
    }
    if (i.spare != Word{}) return "bits " + word_text(i.spare) + ": belong to no field, want zeros";
    if (is_nop(i)) return "";
    for (const Field& field : fields(i.module)) {
        if (field.is_size && value(i, field) == 0)
            return std::string(field.name) + " 0: want at least 1, or zero in all sizes";
    }
    return "";
}

/// Lowest and highest byte that the vectors touch.
struct Span {
    std::int64_t low;
    std::int64_t high;
};

Span memory_span(const Transfer& t, std::int64_t bytes) {
    const std::int64_t slice = (t.y_size - 1) * t.z_stride;
    const std::int64_t last = t.x_size * slice + (t.x_size - 1) * t.y_stride;  // strides: unsigned
    return {t.dram_address, t.dram_address + (last + t.z_size) * bytes - 1};
}

std::string absent(std::string_view field) {
    return std::string(field) + ": this machine has no requantisation";
}

std::string transfer_extension_problem(const Architecture& a, Module module, const Transfer& t) {
    if (t.requantise == 0) return t.scale_set == 0 ? "" : "scale_set: want requantise 1";
    if (!a.requantise) return absent("requantise 1");
    if (module != Module::store) return "requantise 1: LOAD does not scale";
    return t.bitwidth == 0 ? "requantise 1: wide elements: want bitwidth 1" : "";
}

std::string transfer_problem(const Architecture& a, Module module, const Transfer& t) {
    const auto place = place_of(a, t.sram_address);
    if (!place) {
        return "sram_address " + verif::text::hex(static_cast<std::uint64_t>(t.sram_address)) +
               ": no entry and bank of a buffer";
    }
    const std::string name(buffer_name(place->buffer));
    if (module == Module::store && place->buffer != Buffer::obuf)
        return "sram_address: STORE from " + name + ": want OBUF";
    if (t.bitwidth == 0 && (place->buffer == Buffer::ibuf || place->buffer == Buffer::wbuf))
        return "bitwidth 0: wide elements into " + name + ": want OBUF";
    if (t.bitwidth != 0 && place->buffer == Buffer::scale)
        return "bitwidth 1: narrow elements into " + name + ": want wide ones";
    const std::string extension = transfer_extension_problem(a, module, t);
    if (!extension.empty()) return extension;
    const std::int64_t bytes = transfer_bytes(a, place->buffer, t.bitwidth != 0);
    return first({
        above("z_size", t.z_size, banks(a, place->buffer) - place->bank,
              "the banks of " + name + " from bank " + shortest(place->bank)),
        above("x_size * y_size", t.x_size * t.y_size, entries(a, place->buffer) - place->entry,
              "the entries of " + name + " from entry " + shortest(place->entry)),
        above("last byte", memory_span(t, bytes).high,
              (std::int64_t{1} << a.address_width) - 1, "the end of memory"),
    });
}

std::string gemm_problem(const Architecture& a, const Gemm& g) {
    return first({
        above("active_rows", g.active_rows, a.rows, "the rows of the array"),
        above("active_cols", g.active_cols, a.columns, "the columns of the array"),
        above("weight_address + active_rows", g.weight_address + g.active_rows, a.wbuf_entries,
              "the entries of WBUF"),
        above("output_address + pixels", g.output_address + g.ofmap_height * g.ofmap_width,
              a.obuf_entries, "the entries of OBUF"),
        g.pad_value != model::wrap(g.pad_value, a.input_width)
            ? "pad_value " + shortest(g.pad_value) + ": want an input" : "",
    });
}

std::string alu_problem(const Architecture& a, const Alu& alu) {
    const std::int64_t last = (alu.output_height - 1) * alu.mem_stride_ow +
                              (alu.output_width - 1) * alu.mem_stride_r +
                              (alu.window_height - 1) * alu.mem_stride_s + alu.window_width - 1;
    const bool shift = alu.alu_opcode == static_cast<int>(AluOp::shift);
    return first({
        above("num_active", alu.num_active, a.columns, "the columns of the array"),
        above("input_address + pixels", alu.input_address + last + 1, a.obuf_entries,
              "the entries of OBUF"),
        above("output_address + pixels",
              alu.output_address + alu.output_height * alu.output_width, a.obuf_entries,
              "the entries of OBUF"),
        shift && alu.use_immediate == 0 ? "use_immediate 0: shift wants an immediate" : "",
        shift && alu.window_height * alu.window_width > 1
            ? "window: shift wants one of 1 x 1" : "",
        alu.accumulate != 0 && alu.use_immediate != 0 && alu.multiply == 0
            ? "accumulate 1: windows start from the immediate already" : "",
        alu.multiply != 0 && !a.requantise ? absent("multiply 1") : "",
        alu.multiply != 0 && alu.alu_opcode != static_cast<int>(AluOp::add)
            ? "multiply 1: want alu_opcode add" : "",
        alu.multiply != 0 && alu.use_immediate == 0 ? "multiply 1: want use_immediate 1" : "",
    });
}

}  // namespace

std::string problem(const Architecture& architecture, const Instruction& instruction) {
    const std::string common = common_problem(instruction);
    if (!common.empty() || is_nop(instruction)) return common;
    switch (instruction.module) {
        case Module::gemm:
            return gemm_problem(architecture, instruction.gemm);
        case Module::alu:
            return alu_problem(architecture, instruction.alu);
        default:
            return transfer_problem(architecture, instruction.module, instruction.transfer);
    }
}

}  // namespace macrame::systolic
