#include "explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli.hpp"
#include "core/version.hpp"
#include "core/words.hpp"
#include "emit/file_io.hpp"
#include "emit/sha256.hpp"
#include "explore/estimator.hpp"
#include "explore/evaluate.hpp"
#include "explore/front.hpp"
#include "explore/lowered.hpp"
#include "explore/output.hpp"
#include "explore/setup.hpp"
#include "network/network.hpp"
#include "resolve.hpp"

namespace macrame::explore {

namespace {

namespace fs = std::filesystem;

/// What a parameter that the networks decide may cost in cycles.
constexpr double kMostLost = 0.01;
/// Of random points.
constexpr std::uint64_t kSeed = 32;

/// What the networks have decided.
struct Decision {
    Decided values;
    std::vector<std::string> texts;         ///< "pdp-enable true, pdp-throughput 1 (pooling)"
    std::vector<std::vector<int>> of_host;  ///< as Scoring::of_host
};

using Costs = std::vector<NetworkCost>;

Costs estimates(Estimator& estimator, const Point& point, std::size_t networks) {
    Costs out;
    for (std::size_t n = 0; n < networks; ++n)
        out.push_back(estimator.estimate(point.design, n));
    return out;
}

/// Do no networks lose operators with products, and all together no time?
bool takes_as_long(const Costs& costs, const Costs& best, double cycles_of_host) {
    const auto cycles = [&](const NetworkCost& cost) {
        return static_cast<double>(cost.cycles + 1) +
               cycles_of_host * static_cast<double>(cost.host_cycles);
    };
    double more = 0;
    for (std::size_t n = 0; n < costs.size(); ++n) {
        if (!costs[n].errors.empty() || costs[n].refused.size() > best[n].refused.size())
            return false;
        more += std::log(cycles(costs[n]) / cycles(best[n]));
    }
    return more <= std::log(1 + kMostLost) * static_cast<double>(costs.size());
}

/// Do no networks lose anything?
bool is_enough(const Costs& costs, const Costs& best) {
    for (std::size_t n = 0; n < costs.size(); ++n) {
        const double most = (1 + kMostLost) * static_cast<double>(best[n].cycles);
        if (!costs[n].errors.empty() || static_cast<double>(costs[n].cycles) > most ||
            costs[n].host_cycles > best[n].host_cycles ||
            costs[n].refused.size() > best[n].refused.size())
            return false;
    }
    return true;
}

Decision decide(const Family& family, const std::vector<NetworkFile>& networks,
                double memory_bytes_per_cycle, double cycles_of_host) {
    const std::vector<SpaceRow>& rows = family.space->decided;
    Estimator estimator(networks, memory_bytes_per_cycle);
    Decision out;
    for (const SpaceRow& row : rows)
        out.values.push_back(row.values.size() - 1);
    const Costs best = estimates(estimator, reference_point(family, out.values), networks.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (std::size_t value = 0; value < rows[row].values.size(); ++value) {
            out.values[row] = value;
            const Costs costs =
                estimates(estimator, reference_point(family, out.values), networks.size());
            if (rows[row].by_time ? takes_as_long(costs, best, cycles_of_host)
                                  : is_enough(costs, best))
                break;
        }
        std::string text;
        for (std::size_t i = 0; i < rows[row].keys.size(); ++i)
            text += fmt::format("{}{} {}", i == 0 ? "" : ", ", flag_name(rows[row].keys[i]),
                                rows[row].values[out.values[row]][i]);
        out.texts.push_back(fmt::format("{}: {}", rows[row].matters, text));
    }
    for (const NetworkCost& cost : best) {
        std::vector<int> nodes;
        for (const Refused& one : cost.refused)
            nodes.push_back(one.node);
        out.of_host.push_back(std::move(nodes));
    }
    return out;
}

/// Words are what the sums of units do not know.
bool has_words_of(const Design& a, const Design& b) {
    const Params& params = a.family.params;
    return std::all_of(params.begin(), params.end(), [&](const Param& param) {
        return param.kind != Param::Kind::text ||
               value_text(a.config, param) == value_text(b.config, param);
    });
}

/// Presets whose units are known; a line is printed of the others.
std::vector<Point> presets_of(const Family& family, const CostTable& costs, const Design& like,
                              const emit::Assets& assets) {
    std::vector<Point> out;
    std::vector<std::string> others;
    for (const std::string& name : preset_names(family, assets)) {
        Request request;
        request.family = std::string(family.name);
        request.preset = name;
        Diags diags;
        const Settings settings = resolve(request, assets, diags);
        Point point{name, settings.design, Point::Kind::preset};
        const bool known = diags.empty() && check(settings).empty() &&
                           has_words_of(point.design, like) &&
                           costs.area(units_of(point.design, assets, diags), point.design, diags);
        if (known)
            out.push_back(std::move(point));
        else
            others.push_back(name);
    }
    if (!others.empty())
        fmt::print("presets whose area is not known: {}\n", fmt::join(others, ", "));
    return out;
}

std::string program_hash() {
    const emit::FileText program = emit::read_file("/proc/self/exe", std::size_t{4} << 30);
    return emit::sha256(program.bytes).substr(0, 16);
}

/// First line of the file of points: what results depend on.
std::string head_of(const Family& family, const std::vector<NetworkFile>& networks,
                    const CostTable& costs, double memory_bytes_per_cycle) {
    nlohmann::ordered_json hashes = nlohmann::ordered_json::array();
    for (const NetworkFile& network : networks)
        hashes.push_back(network.hash.substr(0, 16));
    return nlohmann::ordered_json{{"family", family.name},
                                  {"program", program_hash()},
                                  {"area", costs.hash()},
                                  {"memory_bytes_per_cycle", memory_bytes_per_cycle},
                                  {"networks", std::move(hashes)}}
        .dump();
}

/// The front with the cycles of the family's cycle model, if it has one: those of all points would
/// take too long, so points that estimates put on it get them until all that are on it have them.
void find_front_by_model(std::vector<Scored>& points, Estimator& estimator,
                         const Scoring& scoring) {
    find_front(points);
    if (!points.front().point.design.family.target->has_cycle_model()) return;
    for (bool all = false; !all; find_front(points)) {
        all = true;
        for (Scored& one : points) {
            const bool wanted = one.front || one.point.kind == Point::Kind::preset;
            if (!wanted || one.modelled) continue;
            all = false;
            for (std::size_t n = 0; n < one.result.networks.size(); ++n) {
                one.result.networks[n] = estimator.model(one.point.design, n);
                one.result.networks[n].layers.clear();
            }
            score_again(one, scoring);
            one.modelled = true;
        }
    }
}

/// Points with less of what the networks want, where none with all of it is within the limits.
/// A line is told of them. The file of points is one of their own: which they are depends on
/// limits.
std::vector<Scored> scored_lowered(const Family& family, Decision& decision, const Job& job,
                                   const Scoring& scoring, const fs::path& file,
                                   const std::string& head, Diags& diags) {
    std::vector<Point> points =
        lowered_points(family, decision.values, scoring.limits, job.costs, job.assets, diags);
    if (!diags.empty()) return {};
    decision.texts.push_back(
        fmt::format("no point with all of that fits: {} fit with less of it", points.size()));
    std::vector<Result> results = evaluate(points, job, file, head, diags);
    std::vector<Scored> out;
    for (std::size_t i = 0; i < points.size(); ++i)
        out.push_back(score(std::move(points[i]), std::move(results[i]), scoring));
    return out;
}

bool write_all(const Outcome& outcome, const fs::path& folder, bool several) {
    const std::string name(several ? std::string(outcome.family.name) + "_" : "");
    bool good = network::write(folder / (name + "front.csv"), csv_of(outcome, true)) &&
                network::write(folder / (name + "points.csv"), csv_of(outcome, false)) &&
                network::write(folder / (name + "front.json"), json_of(outcome)) &&
                network::write(folder / (name + "report.html"), page_of(outcome));
    std::error_code code;
    fs::create_directories(folder / "configurations", code);
    for (const Scored* one : front_of(outcome.points))
        good = good && network::write(folder / "configurations" / (one->point.name + ".toml"),
                                      toml_of(one->point));
    return good;
}

/// Explores one family; the exit status.
int explore_family(const Request& request, const Setup& setup, const Family& family,
                   const emit::Assets& assets) {
    const Options& options = request.explore;
    std::vector<std::string> errors;
    const std::vector<NetworkFile> networks =
        read_networks(options.networks, *family.target, errors, request.shapes, request.fixed);
    if (network::report_all(errors)) return kUserError;
    Diags diags;
    const std::optional<CostTable> costs = CostTable::read(family, setup.target, assets, diags);
    if (!costs && setup.families.size() > 1) {
        fmt::print("{}: left out\n", diags.front().text);
        return kPassed;
    }
    if (report(diags)) return kUserError;
    Decision decision = decide(family, networks, setup.memory_bytes_per_cycle,
                               setup.mhz / static_cast<double>(options.host_mhz));
    std::vector<Point> points = points_of(family, decision.values);
    for (Point& preset : presets_of(family, *costs, points.front().design, assets))
        points.push_back(std::move(preset));
    for (Point& random : random_points(family, decision.values, options.random, kSeed))
        points.push_back(std::move(random));
    const fs::path folder = request.out;
    const Job job{networks,
                  *costs,
                  assets,
                  setup.threads,
                  setup.part,
                  setup.parts,
                  setup.memory_bytes_per_cycle,
                  setup.limits,
                  {}};
    const std::string head = head_of(family, networks, *costs, setup.memory_bytes_per_cycle);
    const std::string file = fmt::format(".points_{}.jsonl", family.name);
    Job merging = job;
    for (const std::string& part : options.merge)
        merging.parts_files.push_back(fs::path(part) / file);
    std::vector<Result> results = evaluate(points, merging, folder / file, head, diags);
    if (report(diags)) return kUserError;
    if (setup.parts > 1) {
        fmt::print("part {} of {}: done; --merge puts the results of all parts together\n",
                   setup.part, setup.parts);
        return kPassed;
    }
    const Scoring scoring{setup.weights, setup.mhz,    setup.own_clock, options.host_mhz,
                          options.goal,  setup.limits, decision.of_host};
    Outcome outcome{family, networks, setup, options.goal, options.board, {}, {}, {}};
    for (std::size_t i = 0; i < points.size(); ++i)
        outcome.points.push_back(score(std::move(points[i]), std::move(results[i]), scoring));
    const bool fits = std::any_of(outcome.points.begin(), outcome.points.end(),
                                  [](const Scored& one) { return one.is_candidate(); });
    if (!fits && !decision.values.empty()) {
        for (Scored& one : scored_lowered(
                 family, decision, job, scoring,
                 folder / fmt::format(".points_{}_less.jsonl", family.name), head, diags))
            outcome.points.push_back(std::move(one));
        if (report(diags)) return kUserError;
    }
    outcome.decided = decision.texts;
    Estimator estimator(networks, setup.memory_bytes_per_cycle);
    find_front_by_model(outcome.points, estimator, scoring);
    if (const Scored* best = chosen(outcome.points, outcome.goal)) {
        for (std::size_t n = 0; n < networks.size(); ++n)
            outcome.layers.push_back(estimator.model(best->point.design, n).layers);
    }
    fmt::print("{}: {} points\n{}", family.name, outcome.points.size(), text_of(outcome));
    if (!write_all(outcome, folder, setup.families.size() > 1)) return kUserError;
    if (options.verify == 0) return kPassed;
    outcome.verified = verify(verify_script(diags), folder, options.verify, diags);
    const bool good = network::write(folder / "report.html", page_of(outcome));
    return report(diags) || !good ? kFailed : kPassed;
}

}  // namespace

int run_explore(const Request& request, const emit::Assets& assets) {
    Diags diags;
    const std::optional<Setup> setup = setup_of(request.explore, assets, diags);
    std::error_code code;
    if (request.explore.verify != 0) verify_script(diags);
    if (setup && setup->families.size() > 1 && request.explore.verify != 0)
        diags.push_back({finding("family", "all", "one family with --verify", "--family")});
    if (request.explore.parts > 1 && request.explore.verify != 0)
        diags.push_back({"--verify: of a part: want all points, without --part"});
    if (request.explore.parts > 1 && !request.explore.merge.empty())
        diags.push_back({"--merge: with --part: want one of them"});
    if (setup) fs::create_directories(request.out, code);
    if (code)
        diags.push_back(
            {fmt::format("{}: {}: want a folder (--out)", request.out, code.message())});
    if (report(diags)) return kUserError;
    for (const Family* family : setup->families) {
        const int status = explore_family(request, *setup, *family, assets);
        if (status != kPassed) return status;
    }
    fmt::print("{}: report.html, front.csv, front.json, points.csv, configurations/\n",
               request.out);
    return kPassed;
}

}  // namespace macrame::explore
