#pragma once
/// Programs, conformance data and layers for the tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/systolic/files/case_file.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/assembly.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::test {

using Bytes = std::vector<std::uint8_t>;
using Program = std::vector<Instruction>;

/// The folder that a variable names; empty if there is none.
inline std::string folder_of(const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

/// Ends the test if there is no conformance data.
#define SKIP_WITHOUT_CONFORMANCE()                                                       \
    if (::macrame::systolic::test::folder_of("MACRAME_SYSTOLIC").empty())                \
    GTEST_SKIP() << "no conformance data: want MACRAME_SYSTOLIC to name its folder"

/// A program with memory before and after it.
struct Case {
    std::string name;
    Architecture architecture;
    Program program;
    Bytes before;
    Bytes after;
};

inline Case read_case(const std::string& folder) {
    Case out;
    out.name = folder;
    std::vector<std::string> errors;
    const auto architecture = files::read_architecture(folder + "/case.json", errors);
    out.architecture = architecture.value_or(Architecture());
    const auto program = files::read_program(folder + "/program.hex", &out.architecture, errors);
    out.program = program.value_or(Program());
    out.before = files::read_bytes(folder + "/memory_before.bin", errors).value_or(Bytes());
    out.after = files::read_bytes(folder + "/memory_after.bin", errors).value_or(Bytes());
    for (const std::string& error : errors)
        ADD_FAILURE() << error;
    return out;
}

inline std::string worked_example() { return folder_of("MACRAME_SYSTOLIC") + "/worked_example"; }

/// The worked example, all layers, all instruction programs.
inline std::vector<Case> all_cases() {
    std::vector<std::string> folders = {worked_example()};
    for (const char* part : {"/cases", "/ops"}) {
        for (const auto& entry :
             std::filesystem::directory_iterator(folder_of("MACRAME_SYSTOLIC") + part))
            folders.push_back(entry.path().string());
    }
    std::sort(folders.begin(), folders.end());
    std::vector<Case> out;
    for (const std::string& folder : folders)
        out.push_back(read_case(folder));
    EXPECT_GT(out.size(), 1U);
    return out;
}

/// A program in assembly text, which must be right.
inline Program program_of(const std::string& text, const Architecture* architecture = nullptr) {
    std::vector<std::string> errors;
    auto out = assemble(text, "program", architecture, errors);
    for (const std::string& error : errors)
        ADD_FAILURE() << error;
    return out.value_or(Program());
}

inline Instruction instruction_of(const std::string& text) { return program_of(text).at(0); }

}  // namespace macrame::systolic::test
