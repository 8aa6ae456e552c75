#include "verif/common/run/verilog_bench.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr std::uint64_t kPage = 4096, kWord = 8;
constexpr std::size_t kLongestName = 64;

/// One word: letters, digits and a few signs stay.
std::string word_of(const std::string& text) {
    std::string out;
    for (const char c : text.substr(0, kLongestName)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '-';
        out += plain ? c : '_';
    }
    return out.empty() ? "-" : out;
}

std::string line_text(const BenchLine& line) {
    std::string out(1, line.letter);
    for (const std::uint64_t number : {line.a, line.b, line.c, line.d})
        out += " " + text::hex(number).substr(2);
    return out + " " + word_of(line.name) + "\n";
}

/// The bytes as one number, the first in the lowest bits.
std::string number_text(const std::uint8_t* bytes, std::size_t count) {
    std::string out;
    for (std::size_t i = count; i-- > 0;)
        out += text::hex_digits(bytes[i], 2);
    return out + "\n";
}

std::string words_text(const std::vector<std::uint8_t>& bytes, std::size_t word) {
    std::string out;
    for (std::size_t at = 0; at + word <= bytes.size(); at += word)
        out += number_text(bytes.data() + at, word);
    return out;
}

/// Contents of all pages that `pages` has.
std::string image_text(const Memory& memory, const Memory& pages) {
    std::string out;
    for (const MemoryRange& range : pages.contents())
        out += words_text(memory.dump(range.addr, range.size), kWord);
    return out;
}

void save(const std::filesystem::path& path, const std::string& text,
          std::vector<std::string>& errors) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) errors.push_back(path.string() + ": cannot write: want room for it");
}

}  // namespace

void write_bench(const std::string& folder, const BenchProgram& program,
                 std::vector<std::string>& errors) {
    const std::filesystem::path to = std::filesystem::path(folder) / word_of(program.name);
    std::error_code failure;
    std::filesystem::create_directories(to, failure);
    if (failure) {
        errors.push_back("--verilog = " + folder + ": " + failure.message() +
                         ": want a folder that can be written");
        return;
    }
    std::string commands;
    std::uint64_t number = 0;
    for (const BenchMemory& memory : program.memories) {
        std::string numbers;
        std::uint64_t pages = 0;
        for (const MemoryRange& range : memory.after.contents()) {
            for (std::uint64_t at = 0; at < range.size; at += kPage) {
                numbers += text::hex((range.addr + at) / kPage).substr(2) + "\n";
                ++pages;
            }
        }
        save(to / (memory.name + "_pages.hex"), numbers, errors);
        save(to / (memory.name + "_before.hex"), image_text(memory.before, memory.after), errors);
        save(to / (memory.name + "_after.hex"), image_text(memory.after, memory.after), errors);
        commands += line_text({'m', number++, pages, 0, 0, memory.name});
    }
    if (program.beat_bytes != 0)
        save(to / "stream.hex", words_text(program.stream, program.beat_bytes), errors);
    for (const BenchLine& line : program.lines)
        commands += line_text(line);
    save(to / "program.hex", commands + line_text({'q', 0, 0, 0, 0, "end"}), errors);
}

Option verilog_row(Options& options, std::vector<std::string_view> excludes) {
    return {"verilog",
            &options.verilog,
            "FOLDER",
            {},
            "write each program, with memory before and after it, for the bench of tb/verilog",
            {"model"},
            std::move(excludes)};
}

}  // namespace macrame::verif::run
