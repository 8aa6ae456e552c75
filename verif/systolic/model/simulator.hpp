#pragma once
/// Functional simulator: runs a program in an order that queues and tokens allow, one event at a
/// time. After each, buffers, tokens and instructions that are not resolved can be asked for.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/systolic/model/machine.hpp"
#include "verif/systolic/model/scheduler.hpp"

namespace macrame::systolic::model {

class Simulator {
public:
    /// With a seed, the module that goes on is random; without, the one earliest in the stream.
    Simulator(const Architecture& architecture, const std::vector<Instruction>& program,
              verif::Memory& memory, std::optional<std::uint64_t> seed = {});
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    /// Goes on until an instruction has ended: its number. Nothing at the end, or if it stops.
    std::optional<std::size_t> step();
    /// To the end. What went wrong: a deadlock, an illegal instruction, tokens that are left.
    std::string run();

    /// Why it stopped before the end; empty if it did not.
    const std::string& error() const { return error_; }
    const Machine& machine() const { return machine_; }
    const Scheduler& scheduler() const { return scheduler_; }

private:
    Scheduler::Step choose(const std::vector<Scheduler::Step>& steps);

    std::vector<Instruction> program_;
    Machine machine_;
    Scheduler scheduler_;
    std::optional<verif::Random> random_;
    std::string error_;
};

}  // namespace macrame::systolic::model
