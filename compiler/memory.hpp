#pragma once
/// Memory of a program: blocks that are not in use at the same time share it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace macrame::compiler {

/// A piece of memory that is in use from one layer to another, both included.
struct Block {
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 1;
    int first = 0, last = 0;
    std::uint64_t offset = 0;  ///< filled in by plan()
};

/// Gives each block its offset: the largest first, each at the lowest place where nothing lies that
/// is in use at the same time. Returns where the highest ends. Throws std::logic_error if clash()
/// finds something.
std::uint64_t plan(std::vector<Block>& blocks);

/// Where the two kinds of blocks end.
struct Ends {
    std::uint64_t shared = 0, own = 0;
};

/// The same of a program that shares memory with others: blocks that are its `own` lie from
/// `begin` on, but behind all others, which lie from 0 on.
Ends plan_apart(std::vector<Block>& blocks, const std::vector<bool>& own, std::uint64_t begin);

/// Two blocks that share memory and are in use at the same time; none: all is well.
std::optional<std::pair<std::size_t, std::size_t>> clash(const std::vector<Block>& blocks);

}  // namespace macrame::compiler
