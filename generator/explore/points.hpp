#pragma once
/// The configurations of a space.

#include <cstdint>
#include <string>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "core/space.hpp"
#include "families/family.hpp"

namespace macrame::explore {

/// A value of each row of a space, by number.
using Values = std::vector<std::size_t>;

struct Point {
    std::string name;  ///< its values: "16x16-8-128-8x256-true"; of a preset its name
    Design design;
    enum class Kind { space, preset, random } kind = Kind::space;
    Values values = {};  ///< of the rows that are searched; empty: it is not of the space
};

/// Of the rows of `decided`.
using Decided = Values;

/// The configuration on which networks decide.
Point reference_point(const Family& family, const Decided& decided);

/// All legal ones, in the order of the rows, without those that are the same as one before.
std::vector<Point> points_of(const Family& family, const Decided& decided);

/// Legal ones with any values of the parameters of `searched`, each on its own but for those that
/// always have the same: what the space leaves out. The same for the same seed.
std::vector<Point> random_points(const Family& family, const Decided& decided, int count,
                                 std::uint64_t seed);

/// Of the user's file: what is not as the family has it by itself.
std::string toml_of(const Point& point);

}  // namespace macrame::explore
