#include "explore/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/words.hpp"
#include "explore/lowered.hpp"

namespace macrame::explore {

namespace {

/// Of what an estimate before placement says, what is left behind it.
constexpr double kRoutedShare = 0.85;

bool is_of_host(const Scoring& scoring, std::size_t network, int node) {
    const std::vector<int>& nodes = scoring.of_host[network];
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

/// Why a point is not to be had.
std::string unfit_text(const Result& result, const Scoring& scoring) {
    for (std::size_t n = 0; n < result.networks.size(); ++n) {
        const NetworkCost& cost = result.networks[n];
        if (!cost.errors.empty()) return cost.errors.front();
        for (const Refused& one : cost.refused) {
            if (is_of_host(scoring, n, one.node)) continue;
            const std::string needs =
                one.buffer_bytes == 0
                    ? ""
                    : fmt::format(" (a buffer of {} KiB would do)", one.buffer_bytes / 1024);
            return fmt::format("operator {} ({}): {}{}", one.node, one.name, one.reason, needs);
        }
    }
    return over_limits(result.area, scoring.limits);
}

/// As good in everything, better in something.
bool dominates(const Scored& a, const Scored& b) {
    const auto values = [](const Scored& s) {
        return std::array<double, 4>{s.goal, static_cast<double>(s.result.area.luts),
                                     static_cast<double>(s.result.area.dsps),
                                     static_cast<double>(s.result.area.brams)};
    };
    const auto left = values(a), right = values(b);
    bool better = false;
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (left[i] > right[i]) return false;
        better |= left[i] < right[i];
    }
    return better;
}

/// The order of points of the same goal and LUTs.
auto order(const Scored& s) {
    const Area& area = s.result.area;
    return std::make_tuple(area.luts, s.goal, area.dsps, area.brams, s.point.name);
}

}  // namespace

int clock_of(double ns) {
    return ns <= 0 ? 0 : static_cast<int>(std::floor(kRoutedShare * 1000 / ns));
}

Scored score(Point point, Result result, const Scoring& scoring) {
    Scored out{std::move(point), std::move(result)};
    score_again(out, scoring);
    return out;
}

void score_again(Scored& out, const Scoring& scoring) {
    out.ms.clear();
    out.mhz = scoring.own_clock ? clock_of(out.result.area.ns) : scoring.mhz;
    double time = 0, bytes = 0;
    for (std::size_t n = 0; n < out.result.networks.size(); ++n) {
        const NetworkCost& cost = out.result.networks[n];
        const double ms = static_cast<double>(cost.cycles) / (1000.0 * std::max(out.mhz, 1)) +
                          static_cast<double>(cost.host_cycles) / (1000.0 * scoring.host_mhz);
        out.ms.push_back(ms);
        time += scoring.weights[n] * std::log(std::max(ms, 1e-9));
        bytes += scoring.weights[n] *
                 std::log(static_cast<double>(cost.read_bytes + cost.write_bytes + 1));
    }
    out.time = out.result.estimated ? std::exp(time) : 0;
    out.traffic = out.result.estimated ? std::exp(bytes) : 0;
    out.goal = scoring.goal == "traffic" ? out.traffic : out.time;
    out.unfit = unfit_text(out.result, scoring);
}

void find_front(std::vector<Scored>& points) {
    for (Scored& one : points) {
        one.front = false;
        one.dominated_by.clear();
    }
    std::vector<Scored*> fit;
    for (Scored& one : points)
        if (one.is_candidate()) fit.push_back(&one);
    std::sort(fit.begin(), fit.end(),
              [](const Scored* a, const Scored* b) { return order(*a) < order(*b); });
    double best = 0;
    for (Scored* one : fit) {
        if (best != 0 && one->goal >= best) continue;
        one->front = true;
        best = one->goal;
    }
    for (Scored& one : points) {
        for (const Scored* other : fit) {
            if (!dominates(*other, one)) continue;
            one.dominated_by = other->point.name;
            if (other->front) break;
        }
    }
}

std::vector<const Scored*> front_of(const std::vector<Scored>& points) {
    std::vector<const Scored*> out;
    for (const Scored& one : points)
        if (one.front) out.push_back(&one);
    std::sort(out.begin(), out.end(),
              [](const Scored* a, const Scored* b) { return order(*a) < order(*b); });
    return out;
}

const Scored* chosen(const std::vector<Scored>& points, const std::string& goal) {
    const Scored* best = nullptr;
    const auto value = [&](const Scored& one) {
        return goal == "area" ? one.goal * one.result.area.luts : one.goal;
    };
    for (const Scored* one : front_of(points))
        if (best == nullptr || value(*one) < value(*best)) best = one;
    return best;
}

const Scored* best_random(const std::vector<Scored>& points) {
    const Scored* best = nullptr;
    for (const Scored& one : points)
        if (one.point.kind == Point::Kind::random && one.unfit.empty() &&
            (best == nullptr || one.goal < best->goal))
            best = &one;
    return best;
}

std::string changes(const Design& from, const Design& to) {
    std::string out;
    for (const Param& param : from.family.params) {
        const std::string a = value_text(from.config, param), b = value_text(to.config, param);
        if (a == b) continue;
        // What follows is not told.
        const std::vector<DerivedDefault>& rows = from.family.derived_defaults;
        if (std::any_of(rows.begin(), rows.end(), [&](const DerivedDefault& row) {
                return row.key == param.key && param.get(to.config) == row.value(to.config);
            }))
            continue;
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", flag_name(param.key), b);
    }
    return out;
}

std::string step_text(const Scored& from, const Scored& to) {
    const Area &a = from.result.area, &b = to.result.area;
    std::string out = fmt::format("{:+} LUT", b.luts - a.luts);
    if (a.dsps != b.dsps) out += fmt::format(", {:+} DSP", b.dsps - a.dsps);
    if (a.brams != b.brams) out += fmt::format(", {:+} block RAM", b.brams - a.brams);
    return fmt::format("{}: {}, {:+.1f} %", out, changes(from.point.design, to.point.design),
                       100 * (to.goal / from.goal - 1));
}

}  // namespace macrame::explore
