#pragma once
/// What `macrame explore` tries of a family.

#include <cstddef>
#include <string_view>
#include <vector>

namespace macrame {

/// Parameters that change together, and the values worth trying, each as users write it. Parameters
/// that follow others (DerivedDefault) need no row.
struct SpaceRow {
    std::vector<std::string_view> keys;
    std::vector<std::vector<std::string_view>> values;  ///< one per key in each
    std::string_view matters;                           ///< "cycles, LUT", for people
    /// Operators may go to the host where the time of all networks is as good: what ends a
    /// classifier is no reason for a unit.
    bool by_time = false;
};

/// All combinations of the values of `searched` that the rules of the family allow, each with those
/// of `decided` that the networks want.
struct Space {
    std::vector<SpaceRow> searched;
    /// The networks decide: the first value with which the reference loses nothing, neither cycles
    /// nor operators, or no time. The last value has all that the others have. Rows that go by time
    /// are the last ones.
    std::vector<SpaceRow> decided;
    std::vector<std::size_t> reference;  ///< value of each row of `searched`
};

}  // namespace macrame
