#include "explore/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "core/settings.hpp"
#include "verif/common/random.hpp"

namespace macrame::explore {

namespace {

void apply(Settings& settings, const std::vector<SpaceRow>& rows, const Values& values) {
    Diags diags;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::vector<std::string_view>& value = rows[row].values.at(values[row]);
        for (std::size_t i = 0; i < value.size(); ++i)
            apply_setting(settings, rows[row].keys.at(i), value[i],
                          {Origin::Level::kFlag, "space of explore"}, diags);
    }
    if (!diags.empty()) throw std::logic_error(diags.front().text);
}

std::string name_of(const std::vector<SpaceRow>& rows, const Values& values) {
    std::string out;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string one;
        std::string_view before;
        for (const std::string_view value : rows[row].values[values[row]]) {
            // Parameters that are always the same are told once.
            if (value != before || rows[row].keys.front().substr(0, 3) == "mac")
                one += (one.empty() ? "" : "x") + std::string(value);
            before = value;
        }
        out += (out.empty() ? "" : "-") + one;
    }
    return out;
}

std::optional<Point> point_of(const Family& family, const Values& searched,
                              const Decided& decided) {
    const Space& space = *family.space;
    Settings settings(family);
    apply(settings, space.searched, searched);
    apply(settings, space.decided, decided);
    apply_derived_defaults(settings);
    if (!check(settings).empty()) return std::nullopt;
    Point point{name_of(space.searched, searched), settings.design, Point::Kind::space, searched};
    point.design.name = point.name;
    return point;
}

/// The next combination of numbers below those of the values; false: that was the last.
bool advance(Values& values, const std::vector<SpaceRow>& rows) {
    for (std::size_t row = rows.size(); row-- > 0;) {
        if (++values[row] < rows[row].values.size()) return true;
        values[row] = 0;
    }
    return false;
}

/// Do the parameters of a row always have one value, as stages that run at the larger of theirs?
bool is_same_everywhere(const SpaceRow& row) {
    return std::all_of(row.values.begin(), row.values.end(), [](const auto& value) {
        return std::all_of(value.begin(), value.end(),
                           [&](std::string_view one) { return one == value.front(); });
    });
}

/// Values of a flag or a list, powers of two in a range, as users write them.
std::vector<std::string> values_of(const Param& param) {
    if (param.is_flag()) return {"false", "true"};
    std::vector<std::string> out;
    for (const int number : param.allowed.choices)
        out.push_back(fmt::to_string(number));
    if (!out.empty()) return out;
    for (int number = 1; number > 0 && number <= param.allowed.high; number *= 2)
        if (number >= param.allowed.low) out.push_back(fmt::to_string(number));
    return out;
}

}  // namespace

Point reference_point(const Family& family, const Decided& decided) {
    std::optional<Point> point = point_of(family, family.space->reference, decided);
    if (!point) throw std::logic_error("the reference of a space is not legal");
    return *std::move(point);
}

std::vector<Point> points_of(const Family& family, const Decided& decided) {
    std::vector<Point> out;
    std::set<std::string> seen;
    Values values(family.space->searched.size());
    do {
        std::optional<Point> point = point_of(family, values, decided);
        if (!point) continue;
        std::string text;
        for (const Param& param : family.params)
            text += value_text(point->design.config, param) + " ";
        if (seen.insert(text).second) out.push_back(*std::move(point));
    } while (advance(values, family.space->searched));
    return out;
}

std::vector<Point> random_points(const Family& family, const Decided& decided, int count,
                                 std::uint64_t seed) {
    std::vector<Point> out;
    verif::Random random(seed);
    while (out.size() < static_cast<std::size_t>(count)) {
        Settings settings(family);
        Diags diags;
        for (const SpaceRow& row : family.space->searched) {
            std::string value;
            for (const std::string_view key : row.keys) {
                const std::vector<std::string> values = values_of(*find_param(family.params, key));
                if (value.empty() || !is_same_everywhere(row))
                    value = values[random.bits() % values.size()];
                apply_setting(settings, key, value,
                              {Origin::Level::kFlag, "random point of explore"}, diags);
            }
        }
        apply(settings, family.space->decided, decided);
        apply_derived_defaults(settings);
        if (!diags.empty() || !check(settings).empty()) continue;
        Point point{fmt::format("random_{}", out.size() + 1), settings.design, Point::Kind::random};
        point.design.name = point.name;
        out.push_back(std::move(point));
    }
    return out;
}

std::string toml_of(const Point& point) {
    const Family& family = point.design.family;
    std::string out = fmt::format("# {}\nfamily = \"{}\"\n", point.name, family.name);
    for (const Param& param : family.params) {
        const std::string value = value_text(point.design.config, param);
        if (value == value_text(family.defaults, param)) continue;
        const bool word = param.kind == Param::Kind::text || value == "none";
        out += word ? fmt::format("{} = \"{}\"\n", param.key, value)
                    : fmt::format("{} = {}\n", param.key, value);
    }
    return out;
}

}  // namespace macrame::explore
