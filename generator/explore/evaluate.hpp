#pragma once
/// Evaluates points, with a file from which an interrupted run goes on.

#include <filesystem>
#include <string>
#include <vector>

#include "emit/assets.hpp"
#include "explore/cost.hpp"
#include "explore/estimator.hpp"
#include "explore/options.hpp"
#include "explore/points.hpp"

namespace macrame::explore {

/// What a point costs.
struct Result {
    std::vector<NetworkCost> networks;  ///< without their layers
    Area area;
    /// False: the area is over the limits, and the networks have no numbers.
    bool estimated = true;
};

struct Job {
    const std::vector<NetworkFile>& networks;
    const CostTable& costs;
    const emit::Assets& assets;
    int threads = 1;
    int part = 1, parts = 1;            ///< every so-manieth point
    double memory_bytes_per_cycle = 0;  ///< as Estimator has it
    Limits limits = {};                 ///< points over them are not estimated, but for presets
    std::vector<std::filesystem::path> parts_files = {};  ///< of other parts, with the same head
};

/// As a line of the file, with the name of the point, and back.
std::string line_of(const std::string& point, const Result& result);
Result result_of(const std::string& line);

/// A result for each point in their order; of points that are in other parts an empty one. `file`
/// has a line for each that is known: it is gone on with if its first line is `head`. One that was
/// not estimated and is within these limits is not known. Files of other parts have to be there,
/// and to say the same of a point that several have; what none has is evaluated, and how many are
/// is told.
std::vector<Result> evaluate(const std::vector<Point>& points, const Job& job,
                             const std::filesystem::path& file, const std::string& head,
                             Diags& diags);

}  // namespace macrame::explore
