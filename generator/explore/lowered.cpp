#include "explore/lowered.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "explore/units.hpp"
#include "families/family.hpp"

namespace macrame::explore {

namespace {

/// So much over a limit, and larger points of the same kind are over it, too.
constexpr double kFar = 1.1;

std::string over(int value, const std::optional<int>& limit, const char* what) {
    if (!limit || value <= *limit) return "";
    return fmt::format("{} {} of {}", value, what, *limit);
}

bool is_far_over(const Area& area, const Limits& limits) {
    const auto far = [](int value, const std::optional<int>& limit) {
        return limit && value > kFar * *limit;
    };
    return far(area.luts, limits.luts) || far(area.dsps, limits.dsps) ||
           far(area.brams, limits.brams);
}

/// "no_sdp_ew", "pdp_truex1": the value of a row for a name.
std::string word_of(const SpaceRow& row, std::size_t value) {
    std::string_view name = row.keys.front();
    constexpr std::string_view kEnable = "_enable";
    if (name.size() > kEnable.size() && name.substr(name.size() - kEnable.size()) == kEnable)
        name.remove_suffix(kEnable.size());
    const auto& values = row.values[value];
    if (values.front() == "false") return fmt::format("no_{}", name);
    return fmt::format("{}_{}", name, fmt::join(values, "x"));
}

/// All combinations with none of `most` exceeded, but `most` itself.
std::vector<Decided> less_than(const Decided& most) {
    std::vector<Decided> out = {{}};
    for (const std::size_t last : most) {
        std::vector<Decided> longer;
        for (const Decided& one : out) {
            for (std::size_t value = 0; value <= last; ++value) {
                longer.push_back(one);
                longer.back().push_back(value);
            }
        }
        out = std::move(longer);
    }
    out.pop_back();  // the last one is `most`
    return out;
}

/// Is a point at least as large in every row of the space, and as the other in the first one?
bool is_larger(const Values& values, const Values& than) {
    return values.front() == than.front() &&
           std::equal(values.begin(), values.end(), than.begin(),
                      [](std::size_t a, std::size_t b) { return a >= b; });
}

}  // namespace

std::string over_limits(const Area& area, const Limits& limits) {
    for (const std::string& text :
         {over(area.luts, limits.luts, "LUTs"), over(area.dsps, limits.dsps, "DSPs"),
          over(area.brams, limits.brams, "block RAMs")})
        if (!text.empty()) return text;
    return "";
}

std::vector<Point> lowered_points(const Family& family, const Decided& decided,
                                  const Limits& limits, const CostTable& costs,
                                  const emit::Assets& assets, Diags& diags) {
    const std::vector<SpaceRow>& rows = family.space->decided;
    std::vector<Point> out;
    for (const Decided& less : less_than(decided)) {
        std::string suffix;
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (less[row] != decided[row]) suffix += "-" + word_of(rows[row], less[row]);
        std::vector<Values> far;
        for (Point& point : points_of(family, less)) {
            if (std::any_of(far.begin(), far.end(),
                            [&](const Values& small) { return is_larger(point.values, small); }))
                continue;
            const std::optional<Area> area =
                costs.area(units_of(point.design, assets, diags), point.design, diags);
            if (!area) return {};
            if (is_far_over(*area, limits)) far.push_back(point.values);
            if (!over_limits(*area, limits).empty()) continue;
            point.name += suffix;
            point.design.name = point.name;
            out.push_back(std::move(point));
        }
    }
    return out;
}

}  // namespace macrame::explore
