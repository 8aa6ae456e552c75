#pragma once
/// Builds a program instruction by instruction and places the tokens that it needs: each waits for
/// those before it in the stream that it conflicts with, by way of the modules between, if need be
/// with instructions that do nothing else.

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/systolic/check/order.hpp"
#include "verif/systolic/check/reach.hpp"
#include "verif/systolic/isa/accesses.hpp"

namespace macrame::systolic::check {

/// Numbered from 0, of which the first ones may be gone.
template <typename Item>
class Tail {
public:
    std::size_t size() const { return gone_ + items_.size(); }
    bool empty() const { return size() == 0; }
    Item& operator[](std::size_t number) { return items_[number - gone_]; }
    const Item& operator[](std::size_t number) const { return items_[number - gone_]; }
    /// Those that are there.
    const std::vector<Item>& items() const { return items_; }
    void push_back(Item item) { items_.push_back(std::move(item)); }
    /// Nobody asks for those in front of this one any more.
    void drop_before(std::size_t number) {
        if (number <= gone_ || number - gone_ < items_.size() / 2 + kFew) return;
        items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(number - gone_));
        gone_ = number;
    }
    void clear() {
        items_.clear();
        gone_ = 0;
    }

private:
    static constexpr std::size_t kFew = 256;
    std::vector<Item> items_;
    std::size_t gone_ = 0;
};

class TokenPlacer {
public:
    /// Tokens come from the earliest instruction that will do.
    explicit TokenPlacer(const Architecture& architecture);
    /// By chance tokens come from early or late instructions, and some are not needed.
    TokenPlacer(const Architecture& architecture, std::uint64_t seed);

    /// Adds a legal instruction; its flags are set here, and later.
    void add(Instruction instruction);

    const std::vector<Instruction>& program() const {
        assert(!only_counts_);
        return program_.items();
    }
    std::size_t size() const { return program_.size(); }
    /// Begins another program, in the memory of this one.
    void clear();
    /// Of the next instructions only the number is asked for: those that no other depends on go.
    void only_count() { only_counts_ = true; }

private:
    /// An instruction in its module.
    struct Entry {
        std::size_t at = 0;  ///< in the stream
        Reach reach;
        mutable std::unique_ptr<Accesses> touched;  ///< once that was asked for
        Counts before{};                            ///< what has ended when it begins
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
    Counts needs(const Instruction& instruction, const Entry& entry) const;
    /// The part of the needs that this link can bring and its end does not have yet.
    static Counts over(const Link& link, const Counts& needs, const Counts& known);
    std::size_t pusher(const Link& link, const Counts& needs);
    /// One of the instructions that can give a token, which are sorted, the last one first.
    std::size_t choose(const std::vector<std::size_t>& able);
    bool can_push(const Link& link, std::size_t ordinal, const Counts& needs) const;
    void take(const Link& link, std::size_t ordinal, Instruction& to);
    Counts after(const Link& link, std::size_t ordinal) const;
    void append(const Instruction& instruction, Entry entry);
    void forget();

    Architecture architecture_;
    std::optional<verif::Random> random_;
    Tail<Instruction> program_;
    bool only_counts_ = false;
    std::array<Tail<Entry>, kModuleCount> entries_;
    std::array<Counts, kModuleCount> known_{};  ///< by each module
    Counts forgotten_{};                        ///< entries without accesses
    std::array<std::vector<Pair>, kTokenQueues> pairs_;
};

}  // namespace macrame::systolic::check
