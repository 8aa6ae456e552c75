#pragma once
/// Program stream, instruction queues and tokens: which module may do what next.
///
/// One stream is fetched in order; an instruction that does not fit in the queue of its module
/// holds up all behind it. The head of a queue begins when every token that it pops is there, takes
/// them, and leaves its queue at the end, when all that it pushes have room. What it does to memory
/// and buffers is done then.

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic {

/// The six token queues: between a module and the next one, in both directions.
enum class Tokens {
    load_to_gemm,
    gemm_to_load,
    gemm_to_alu,
    alu_to_gemm,
    alu_to_store,
    store_to_alu
};
inline constexpr std::size_t kTokenQueues = 6;

constexpr std::size_t number(Tokens tokens) { return static_cast<std::size_t>(tokens); }
std::string_view tokens_name(Tokens tokens);  ///< "LOAD to GEMM"

/// Up to two queues.
class TokenQueues {
public:
    const Tokens* begin() const { return queues_.data(); }
    const Tokens* end() const { return queues_.data() + size_; }
    std::size_t size() const { return size_; }
    void add(Tokens queue) { queues_[size_++] = queue; }

private:
    std::array<Tokens, 2> queues_{};
    std::size_t size_ = 0;
};

/// The queues of which an instruction pops, or to which it pushes. Flags of modules that do not
/// exist mean nothing.
TokenQueues popped(const Instruction& instruction);
TokenQueues pushed(const Instruction& instruction);

class Scheduler {
public:
    /// A step that is possible now: an instruction that begins, or one that ends.
    struct Step {
        Module module;
        std::size_t index;  ///< in the program
        bool end;
    };

    /// Unbounded: neither queues nor tokens have a limit.
    Scheduler(const Architecture& architecture, const std::vector<Instruction>& program,
              bool bounded = true);

    /// Empty at the end of the program and in a deadlock.
    std::vector<Step> steps() const;
    /// One of these.
    void take(const Step& step);

    bool done() const;
    std::size_t tokens(Tokens queue) const { return tokens_[number(queue)]; }
    /// Instructions in the queue of a module, the one in flight first.
    const std::deque<std::size_t>& queue(Module module) const { return queues_[number(module)]; }
    bool in_flight(Module module) const { return busy_[number(module)]; }
    /// Instructions that are not resolved, in program order: not fetched or in a queue.
    std::vector<std::size_t> unresolved() const;
    /// What each module waits for: "LOAD: instruction 4 waits for a token of GEMM to LOAD".
    std::vector<std::string> waits() const;

private:
    void fetch();
    bool has_tokens(const Instruction& instruction) const;
    bool has_room(const Instruction& instruction) const;

    const std::vector<Instruction>& program_;
    std::size_t queue_depth_;
    std::size_t token_depth_;
    std::size_t fetched_ = 0;
    std::array<std::deque<std::size_t>, kModuleCount> queues_;
    std::array<bool, kModuleCount> busy_{};
    std::array<std::size_t, kTokenQueues> tokens_{};
};

}  // namespace macrame::systolic
