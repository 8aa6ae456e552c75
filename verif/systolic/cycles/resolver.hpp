#pragma once

#include <array>
#include <cstddef>
#include <deque>

#include "verif/systolic/cycles/activity.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of the resolver. What there is once per module is an array in the order of kModules.
class Resolver {
public:
    template <typename T>
    using PerModule = std::array<T, kModuleCount>;

    struct Inputs {
        bool fetch2resolver_valid = false;
        Word fetch2resolver_word;
        bool control2resolver_run = true;  ///< false: nothing begins, what waits is dropped
        PerModule<bool> ready{};           ///< resolver2<m>_ready
        PerModule<bool> done{};            ///< <m>2resolver_done
    };
    struct Outputs {
        bool fetch2resolver_ready = false;
        PerModule<bool> valid{};       ///< resolver2<m>_valid
        PerModule<Word> parameters{};  ///< resolver2<m>_parameters, while valid
        bool resolver2control_idle = false, resolver2control_error = false;
        PerModule<bool> resolver2control_running{};
        PerModule<bool> resolver2control_waiting{};
        PerModule<bool> resolver2control_ended{};
    };

    explicit Resolver(const Architecture& architecture);

    const Outputs& outputs() const { return out_; }
    /// resolver2control_ended
    bool ended(std::size_t module) const { return queues_[module].ended; }
    bool some_ended() const { return some_ended_; }
    /// A rising edge changes something.
    bool moves(const Inputs& in) const;
    /// A rising edge.
    void clock(const Inputs& in);

    /// Instructions of each module that have come to its queue, begun and ended.
    struct Progress {
        PerModule<std::size_t> queued{}, begun{}, ended{};
    };
    const Progress& progress() const { return progress_; }
    /// An instruction of the module has ended and keeps its place, as a queue of tokens is full.
    bool lacks_room(std::size_t module) const { return queues_[module].done != 0; }
    /// Why it begins no other one.
    Activity waits(std::size_t module) const;
    bool idle() const { return !valid_; }

private:
    /// Of a neighbour before, and of one behind.
    struct Sides {
        bool prev = false, next = false;
    };
    struct Entry {
        Sides pops, pushes;
        Word parameters;
    };
    struct Queue {
        std::deque<Entry> entries;  ///< those in flight first
        std::size_t in_flight = 0;
        std::size_t done = 0;  ///< of those in flight, waiting for room for tokens
        bool ended = false;
        bool has_head() const { return in_flight < entries.size(); }
    };
    /// Between a module and the next one.
    struct Tokens {
        std::size_t to_next = 0, to_prev = 0;
    };

    bool has_tokens(std::size_t module, const Sides& pops) const;
    bool has_room(std::size_t module, const Sides& pushes) const;
    bool can_begin(std::size_t module) const;
    bool word_leaves() const {
        return !run_ || module_ == kModuleCount || queues_[module_].entries.size() < queue_depth_;
    }
    void change(const Inputs& in);
    void set_outputs();

    const std::size_t queue_depth_, token_depth_;
    bool run_ = false;
    bool valid_ = false;  ///< a word is here
    Word word_;
    std::size_t module_ = kModuleCount;  ///< of the word; kModuleCount: it is no instruction
    PerModule<Queue> queues_;
    std::array<Tokens, kModuleCount - 1> tokens_{};
    Progress progress_;
    Outputs out_;
    bool some_ended_ = false;
    bool still_ = false;  ///< no queue has ended one, waits for room or drops what it has
};

}  // namespace macrame::systolic::cycles
