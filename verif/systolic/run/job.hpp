#pragma once
/// What is to be run: programs and the memory that they work on.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::run {

struct Job {
    std::string name;
    std::vector<performance::PlacedProgram> programs;  ///< one after the other
    std::function<void(verif::Memory&)> fill;          ///< memory before
    std::uint64_t image_bytes = 0;                     ///< of it, from address 0
    std::uint64_t order = 0;                           ///< seed of a random one
    std::vector<std::size_t> layers;  ///< of networks: by instruction, of all programs
    std::function<void(const verif::Memory&)> take_outputs;  ///< of networks; memory behind
    std::function<void()> finish;  ///< called at the end, in the order of the jobs; may be empty

    /// Of all programs.
    std::vector<Instruction> instructions() const {
        std::vector<Instruction> out;
        for (const performance::PlacedProgram& program : programs)
            out.insert(out.end(), program.instructions.begin(), program.instructions.end());
        return out;
    }
    /// Instructions of the longest program.
    std::size_t longest() const {
        std::size_t most = 0;
        for (const performance::PlacedProgram& program : programs)
            most = std::max(most, program.instructions.size());
        return most;
    }
};

}  // namespace macrame::systolic::run
