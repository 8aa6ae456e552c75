#include "verif/systolic/files/program_file.hpp"

#include <fstream>

#include "verif/common/text.hpp"
#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/isa/rules.hpp"

namespace macrame::systolic::files {

namespace {

using verif::text::shortest;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::optional<std::string> read_text(const std::string& path, std::vector<std::string>& errors) {
    std::string problem;
    auto text = verif::text::read_file(path, problem);
    if (!text) errors.push_back(path + ": " + problem);
    return text;
}

/// One line: fills the instruction, or says what is wrong.
std::string read_line(std::string_view line, const Architecture* architecture, Instruction& out) {
    const auto word = parse_word(line);
    if (!word) return "found " + verif::text::shown(line) + ": want 32 hexadecimal digits";
    const auto instruction = decode(*word);
    if (!instruction)
        return "opcode " + shortest(get_bits(*word, 124, 4)) + ": want 8, 9, 10 or 11";
    out = *instruction;
    return architecture == nullptr ? "" : problem(*architecture, out);
}

}  // namespace

std::optional<std::vector<Instruction>> parse_hex(std::string_view text, const std::string& file,
                                                  const Architecture* architecture,
                                                  std::vector<std::string>& errors) {
    std::vector<Instruction> program;
    const std::size_t before = errors.size();
    for (int number = 1; !text.empty(); ++number) {
        const std::string_view line = verif::text::trim(verif::text::next_line(text));
        if (line.empty()) continue;
        Instruction instruction;
        const std::string wrong = read_line(line, architecture, instruction);
        if (!wrong.empty()) errors.push_back(file + ":" + shortest(number) + ": " + wrong);
        program.push_back(instruction);
    }
    if (errors.size() > before) return std::nullopt;
    return program;
}

std::string hex_text(const std::vector<Instruction>& program) {
    std::string out;
    for (const Instruction& instruction : program)
        out += word_text(encode(instruction)) + "\n";
    return out;
}

std::optional<std::vector<Instruction>> read_program(const std::string& path,
                                                     const Architecture* architecture,
                                                     std::vector<std::string>& errors) {
    const auto text = read_text(path, errors);
    if (!text) return std::nullopt;
    return ends_with(path, ".hex") ? parse_hex(*text, path, architecture, errors)
                                   : assemble(*text, path, architecture, errors);
}

std::optional<std::vector<std::uint8_t>> read_bytes(const std::string& path,
                                                    std::vector<std::string>& errors) {
    const auto text = read_text(path, errors);
    if (!text) return std::nullopt;
    return std::vector<std::uint8_t>(text->begin(), text->end());
}

bool write_bytes(const std::string& path, const std::vector<std::uint8_t>& bytes,
                 std::vector<std::string>& errors) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) errors.push_back(path + ": cannot be written");
    return static_cast<bool>(out);
}

}  // namespace macrame::systolic::files
