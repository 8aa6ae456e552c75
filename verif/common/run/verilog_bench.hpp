#pragma once
/// Files of a program for the benches in Verilog: tb/verilog/README.md has their format.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/common/run/options.hpp"

namespace macrame::verif::run {

/// A command: what its numbers mean depends on the letter.
struct BenchLine {
    char letter = 'q';
    std::uint64_t a = 0, b = 0, c = 0, d = 0;
    std::string name;  ///< for messages; bytes that are no letters become '_'
};

/// A memory of the bench, by the name that its files have.
struct BenchMemory {
    std::string name;
    const Memory& before;
    const Memory& after;  ///< has all pages of `before`, too
};

struct BenchProgram {
    std::string name;
    std::vector<BenchLine> lines;  ///< without loads of memories and the end
    std::vector<BenchMemory> memories;
    std::vector<std::uint8_t> stream;  ///< whole beats of `beat_bytes`
    std::size_t beat_bytes = 0;        ///< 0: the bench has no stream
};

/// Writes the program to a folder of its name in `folder`, which is made. What cannot be written is
/// an error.
void write_bench(const std::string& folder, const BenchProgram& program,
                 std::vector<std::string>& errors);

/// The row of the option that asks for that; `excludes` are options whose programs have no such
/// files.
Option verilog_row(Options& options, std::vector<std::string_view> excludes);

}  // namespace macrame::verif::run
