#include "verif/systolic/isa/assembly.hpp"

#include <algorithm>
#include <set>

#include "verif/common/text.hpp"
#include "verif/systolic/isa/rules.hpp"

namespace macrame::systolic {

namespace {

using verif::text::shortest;
using verif::text::shown;

constexpr std::array<std::string_view, 4> kAluOps = {"max", "min", "add", "shift"};
constexpr std::string_view kSpare = "spare";
constexpr std::size_t kNameColumns = 5;
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 40;  // no field has as many values

bool is_address_in_bytes(const Field& field) {
    return field.name == "dram_address" || field.name == "sram_address";
}

std::string value_text(const Field& field, std::int64_t number) {
    if (field.alu == &Alu::alu_opcode)
        return std::string(alu_op_name(static_cast<AluOp>(number)));
    return is_address_in_bytes(field) ? verif::text::hex(static_cast<std::uint64_t>(number))
                                      : shortest(number);
}

std::optional<std::int64_t> value_of(const Field& field, std::string_view text) {
    if (field.alu == &Alu::alu_opcode) {
        const auto* const op = std::find(kAluOps.begin(), kAluOps.end(), text);
        if (op != kAluOps.end()) return op - kAluOps.begin();
    }
    const bool minus = !text.empty() && text.front() == '-';
    const auto found = verif::text::number(text.substr(minus ? 1 : 0));
    if (!found || *found > kTooLarge) return std::nullopt;
    const auto number = static_cast<std::int64_t>(*found) * (minus ? -1 : 1);
    if (number < field.lowest() || number > field.highest()) return std::nullopt;
    return number;
}

/// The words of a line.
std::string_view next_word(std::string_view& line) {
    line = verif::text::trim(line);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    return word;
}

std::string field_names(Module module) {
    std::vector<std::string> names;
    for (const Field& field : fields(module))
        names.emplace_back(field.name);
    return verif::text::join(names, "or");
}

/// One line: fills the instruction, or says what is wrong.
class Line {
public:
    std::string read(std::string_view line, Instruction& out) {
        const std::string_view name = next_word(line);
        const auto* const module = std::find_if(kModules.begin(), kModules.end(), [&](Module m) {
            return module_name(m) == name;
        });
        if (module == kModules.end())
            return "found " + shown(name) + ": want LOAD, GEMM, ALU or STORE";
        out.module = *module;
        for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
            const std::size_t equals = word.find('=');
            const std::string key(word.substr(0, equals));
            if (!seen_.insert(key).second) return shown(key) + ": want it once";
            const std::string wrong = equals == word.npos
                                          ? flag(key, out)
                                          : field(key, word.substr(equals + 1), out);
            if (!wrong.empty()) return wrong;
        }
        return "";
    }

private:
    static std::string flag(std::string_view name, Instruction& out) {
        std::vector<std::string> legal;
        for (const FlagRow& row : kFlags) {
            if (is_legal(out.module, row.flag)) legal.emplace_back(row.name);
            if (row.name == name) out.flags.*row.flag = true;
        }
        if (std::find(legal.begin(), legal.end(), name) != legal.end()) return "";
        return "found " + shown(name) + ": want a flag of " +
               std::string(module_name(out.module)) + ", " + verif::text::join(legal, "or") +
               ", or name=value";
    }

    static std::string field(std::string_view name, std::string_view text, Instruction& out) {
        if (name == kSpare) {
            const auto bits = parse_word(text);
            if (!bits) return "spare " + shown(text) + ": want 32 hexadecimal digits";
            Instruction clean = out;
            clean.spare = *bits;
            const Word fields_only = decode(encode(clean))->spare;
            if (fields_only != *bits) return "spare " + shown(text) + ": want bits of no field";
            out.spare = *bits;
            return "";
        }
        const Field* const found = find_field(out.module, name);
        if (found == nullptr)
            return "found " + shown(name) + ": want " + field_names(out.module);
        const auto number = value_of(*found, text);
        if (!number) {
            return std::string(name) + " = " + shown(text) + ": want " +
                   (found->alu == &Alu::alu_opcode ? "max, min, add, shift or " : "") +
                   "a number in " + shortest(found->lowest()) + ".." + shortest(found->highest());
        }
        set_value(out, *found, *number);
        return "";
    }

    std::set<std::string> seen_;
};

}  // namespace

std::string_view alu_op_name(AluOp op) { return kAluOps[static_cast<std::size_t>(op)]; }

std::string assembly_text(const Instruction& instruction) {
    std::string out = verif::text::pad_right(module_name(instruction.module), kNameColumns);
    for (const FlagRow& row : kFlags)
        if (instruction.flags.*row.flag) out += " " + std::string(row.name);
    const bool nop = is_nop(instruction);
    for (const Field& field : fields(instruction.module)) {
        const std::int64_t number = value(instruction, field);
        const bool shows_operation = field.alu == &Alu::alu_opcode && !nop;
        if (number != 0 || shows_operation)
            out += " " + std::string(field.name) + "=" + value_text(field, number);
    }
    if (instruction.spare != Word{})
        out += " " + std::string(kSpare) + "=" + word_text(instruction.spare);
    return std::string(verif::text::trim(out));
}

std::string disassemble(const std::vector<Instruction>& program) {
    std::string out;
    for (const Instruction& instruction : program)
        out += assembly_text(instruction) + "\n";
    return out;
}

std::optional<std::vector<Instruction>> assemble(std::string_view text, const std::string& file,
                                                 const Architecture* architecture,
                                                 std::vector<std::string>& errors) {
    std::vector<Instruction> program;
    const std::size_t before = errors.size();
    if (text.find('\0') != text.npos) {
        errors.push_back(file + ": not a text: want instructions, or the .json file of a network");
        return std::nullopt;
    }
    for (int number = 1; !text.empty(); ++number) {
        const std::string_view whole = verif::text::next_line(text);
        const std::string_view line = verif::text::trim(whole.substr(0, whole.find(';')));
        if (line.empty()) continue;
        Instruction instruction;
        std::string wrong = Line().read(line, instruction);
        if (wrong.empty() && architecture != nullptr) wrong = problem(*architecture, instruction);
        if (!wrong.empty()) errors.push_back(file + ":" + shortest(number) + ": " + wrong);
        program.push_back(instruction);
    }
    if (errors.size() > before) return std::nullopt;
    return program;
}

}  // namespace macrame::systolic
