#pragma once
/// Builds a program instruction by instruction and places the tokens that it needs: each waits for
/// those before it in the stream that it conflicts with, by way of the modules between, if need be
/// with instructions that do nothing else.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/systolic/check/order.hpp"
#include "verif/systolic/check/reach.hpp"
#include "verif/systolic/isa/accesses.hpp"

namespace macrame::systolic::stimulus {

class TokenPlacer {
public:
    /// Tokens come from the earliest instruction that will do.
    explicit TokenPlacer(const Architecture& architecture);
    /// By chance tokens come from early or late instructions, and some are not needed.
    TokenPlacer(const Architecture& architecture, std::uint64_t seed);

    /// Adds a legal instruction; its flags are set here, and later.
    void add(Instruction instruction);

    const std::vector<Instruction>& program() const { return program_; }
    /// Begins another program, in the memory of this one.
    void clear();

private:
    /// An instruction in its module.
    struct Entry {
        std::size_t at = 0;  ///< in the stream
        check::Reach reach;
        mutable std::unique_ptr<Accesses> touched;  ///< once that was asked for
        check::Counts before{};                     ///< what has ended when it begins
    };
    /// Of a token, in the stream.
    struct Pair {
        std::size_t push, pop;
    };
    /// A token queue with its ends.
    struct Link {
        Module from, to;
        Tokens queue;
        bool Flags::*push;
        bool Flags::*pop;
    };
    static const std::array<Link, kTokenQueues> kLinks;

    const Accesses& touched(const Instruction& instruction, const Entry& entry) const;
    bool conflict(const Entry& earlier, const Instruction& instruction, const Entry& entry) const;
    check::Counts needs(const Instruction& instruction, const Entry& entry) const;
    /// The part of the needs that this link can bring and its end does not have yet.
    static check::Counts over(const Link& link, const check::Counts& needs,
                              const check::Counts& known);
    std::size_t pusher(const Link& link, const check::Counts& needs);
    /// One of the instructions that can give a token, which are sorted, the last one first.
    std::size_t choose(const std::vector<std::size_t>& able);
    bool can_push(const Link& link, std::size_t ordinal, const check::Counts& needs) const;
    void take(const Link& link, std::size_t ordinal, Instruction& to);
    check::Counts after(const Link& link, std::size_t ordinal) const;
    void append(const Instruction& instruction, Entry entry);
    void forget();

    Architecture architecture_;
    std::optional<verif::Random> random_;
    std::vector<Instruction> program_;
    std::array<std::vector<Entry>, kModuleCount> entries_;
    std::array<check::Counts, kModuleCount> known_{};  ///< by each module
    check::Counts forgotten_{};                        ///< entries without accesses
    std::array<std::vector<Pair>, kTokenQueues> pairs_;
};

}  // namespace macrame::systolic::stimulus
