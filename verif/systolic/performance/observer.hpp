#pragma once
/// What each module does in each cycle of a program on the cycle model, by instruction.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/systolic/cycles/top.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::performance {

using ActivityCycles = std::array<std::uint64_t, cycles::kActivities>;

/// In cycles from the start of the program.
struct InstructionTimes {
    std::uint64_t queued = 0;  ///< it comes to the queue of its module
    std::uint64_t begun = 0;   ///< its tokens are there, the module takes it
    std::uint64_t ended = 0;   ///< its tokens go on
    /// Those in which the module works at it or waits for it. A cycle of a module belongs to one
    /// instruction, or to none if it has none.
    ActivityCycles cycles{};
};

class Observer {
public:
    explicit Observer(const std::vector<Instruction>& program);

    /// A cycle of the machine before its edge, and after it.
    void before(const cycles::Top& machine, const cycles::WriteAnswer& store);
    void after(const cycles::Top& machine);

    const std::vector<InstructionTimes>& instructions() const { return instructions_; }
    /// Of all cycles of the program, by module.
    const std::array<ActivityCycles, kModuleCount>& modules() const { return modules_; }

private:
    std::array<std::vector<std::size_t>, kModuleCount> of_module_;  ///< their places
    std::vector<InstructionTimes> instructions_;
    std::array<ActivityCycles, kModuleCount> modules_{};
    cycles::Resolver::Progress seen_;
    std::uint64_t cycle_ = 0;
};

/// A line per instruction: its place, module, text, times and cycles.
std::string times_csv(const std::vector<Instruction>& program, const Observer& observer);
/// Cycles of each module by what it did.
std::vector<std::string> activity_table(const Observer& observer);

}  // namespace macrame::systolic::performance
