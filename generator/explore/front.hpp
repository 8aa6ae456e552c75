#pragma once
/// Which points are worth building.

#include <optional>
#include <string>
#include <vector>

#include "explore/evaluate.hpp"
#include "explore/options.hpp"

namespace macrame::explore {

/// What points are compared by.
struct Scoring {
    std::vector<double> weights;  ///< of the networks, 1 in all
    int mhz = 100;                ///< clock; with `own_clock` the most that a point may have
    bool own_clock = false;
    int host_mhz = 1000;
    std::string goal = "time";
    Limits limits;
    /// Operators of each network that the host does on any configuration.
    std::vector<std::vector<int>> of_host;
};

/// A point and how good it is.
struct Scored {
    Point point;
    Result result;
    int mhz = 0;
    std::vector<double> ms = {};  ///< of each network, with the host
    double time = 0;              ///< their weighted geometric mean, ms; 0: not estimated
    double traffic = 0;           ///< the same of bytes at the memory ports
    double goal = 0;              ///< what is to be small
    std::string unfit = {};       ///< why it is not to be had; empty: it is
    bool front = false;
    bool modelled = false;  ///< cycles are of the family's cycle model
    std::string dominated_by =
        {};  ///< a point that is as good in everything and better in something

    /// May it be on the front?
    bool is_candidate() const { return unfit.empty() && point.kind == Point::Kind::space; }
};

/// Clock that a path allows: before placement, with room for wires.
int clock_of(double ns);

Scored score(Point point, Result result, const Scoring& scoring);
/// Of another result.
void score_again(Scored& point, const Scoring& scoring);

/// Sets `front` and `dominated_by`. On the front are those that fit and for which there is no other
/// with as good a goal and as few LUTs.
void find_front(std::vector<Scored>& points);

/// Those on it, by LUTs.
std::vector<const Scored*> front_of(const std::vector<Scored>& points);

/// The one that the goal asks for; null: none fits.
const Scored* chosen(const std::vector<Scored>& points, const std::string& goal);

/// The random point with the best goal that fits; null: there is none.
const Scored* best_random(const std::vector<Scored>& points);

/// What leads from a point to another: "+1,188 LUT, +8 DSP: sdp-bs-throughput 2; -10 % time".
std::string step_text(const Scored& from, const Scored& to);
/// Parameters that differ: "sdp-bs-throughput 1 -> 2".
std::string changes(const Design& from, const Design& to);

}  // namespace macrame::explore
