#include "explore/evaluate.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "emit/file_io.hpp"
#include "explore/lowered.hpp"

namespace macrame::explore {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const NetworkCost& cost) {
    Json refused = Json::array();
    for (const Refused& one : cost.refused)
        refused.push_back({{"operator", one.node},
                           {"name", one.name},
                           {"reason", one.reason},
                           {"buffer_bytes", one.buffer_bytes}});
    return {{"cycles", cost.cycles},
            {"host_cycles", cost.host_cycles},
            {"read_bytes", cost.read_bytes},
            {"write_bytes", cost.write_bytes},
            {"memory_bytes", cost.memory_bytes},
            {"constant_bytes", cost.constant_bytes},
            {"multiply_adds", cost.multiply_adds},
            {"macs_per_cycle", cost.macs_per_cycle},
            {"channels", cost.channels},
            {"proved", cost.proved},
            {"refused", std::move(refused)},
            {"errors", cost.errors}};
}

NetworkCost cost_of(const Json& json) {
    NetworkCost cost;
    cost.cycles = json.at("cycles");
    cost.host_cycles = json.at("host_cycles");
    cost.read_bytes = json.at("read_bytes");
    cost.write_bytes = json.at("write_bytes");
    cost.memory_bytes = json.at("memory_bytes");
    cost.constant_bytes = json.at("constant_bytes");
    cost.multiply_adds = json.at("multiply_adds");
    cost.macs_per_cycle = json.at("macs_per_cycle");
    cost.channels = json.at("channels");
    cost.proved = json.at("proved");
    for (const Json& one : json.at("refused"))
        cost.refused.push_back(
            {one.at("operator"), one.at("name"), one.at("reason"), one.at("buffer_bytes")});
    cost.errors = json.at("errors").get<std::vector<std::string>>();
    return cost;
}

/// Lines of the file by point, without one that was cut.
std::map<std::string, Result> known_results(const std::filesystem::path& file,
                                            const std::string& head, Diags& diags) {
    std::map<std::string, Result> out;
    const emit::FileText text = emit::read_file(file);
    if (text.missing) return out;
    for (std::size_t at = 0, end; (end = text.bytes.find('\n', at)) != std::string::npos;
         at = end + 1) {
        const std::string line = text.bytes.substr(at, end - at);
        if (line == head) continue;
        if (at == 0) break;
        try {
            out.emplace(Json::parse(line).at("point").get<std::string>(), result_of(line));
        } catch (const Json::exception& error) {
            diags.push_back(
                {fmt::format("{}: {}: want lines of this program", file.string(), error.what())});
            return out;
        }
    }
    if (text.bytes.substr(0, head.size() + 1) != head + "\n")
        diags.push_back(
            {fmt::format("{}: of other networks, options or another program: want "
                         "another folder, or none of this name",
                         file.string())});
    return out;
}

/// Adds what files of parts know.
void add_parts(std::map<std::string, Result>& known,
               const std::vector<std::filesystem::path>& files, const std::string& head,
               Diags& diags) {
    for (const std::filesystem::path& file : files) {
        if (emit::read_file(file).missing) {
            diags.push_back({file.string() + ": not there: want the folder of a part (--part)"});
            continue;
        }
        for (auto& [name, result] : known_results(file, head, diags)) {
            const auto [at, added] = known.emplace(name, result);
            if (added || line_of(name, at->second) == line_of(name, result)) continue;
            // A part with wider limits has estimated what another one has not.
            if (at->second.estimated != result.estimated)
                at->second = at->second.estimated ? at->second : result;
            else
                diags.push_back(
                    {fmt::format("{}: {}: another part has other results for it: want "
                                 "parts of one program",
                                 file.string(), name)});
        }
    }
}

/// Tells how far it is, now and then.
class Progress {
public:
    explicit Progress(std::size_t all) : all_(all) {}

    void step() {
        using std::chrono::duration;
        ++done_;
        const auto now = std::chrono::steady_clock::now();
        if (now - told_ < std::chrono::seconds(5)) return;
        told_ = now;
        const double seconds = duration<double>(now - begin_).count();
        const double rate = static_cast<double>(done_) / seconds;
        fmt::print(stderr, "explore: {} of {} points, {:.1f} per second, {:.0f} s left\n", done_,
                   all_, rate, static_cast<double>(all_ - done_) / rate);
    }

private:
    std::size_t all_, done_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), told_ = begin_;
};

/// Nobody asks for its cycles.
bool is_too_large(const Point& point, const Area& area, const Job& job) {
    return point.kind != Point::Kind::preset && !over_limits(area, job.limits).empty();
}

Result evaluate_one(const Point& point, const Job& job, Estimator& estimator, Diags& diags) {
    Result out;
    const std::vector<UnitText> units = units_of(point.design, job.assets, diags);
    if (!diags.empty()) return out;
    if (const std::optional<Area> area = job.costs.area(units, point.design, diags))
        out.area = *area;
    out.estimated = !is_too_large(point, out.area, job);
    if (!out.estimated) {
        out.networks.resize(job.networks.size());
        return out;
    }
    for (std::size_t n = 0; n < job.networks.size(); ++n) {
        out.networks.push_back(estimator.estimate(point.design, n));
        out.networks.back().layers.clear();
    }
    return out;
}

}  // namespace

std::string line_of(const std::string& point, const Result& result) {
    Json networks = Json::array();
    for (const NetworkCost& cost : result.networks)
        networks.push_back(json_of(cost));
    const Area& area = result.area;
    return Json{{"point", point},
                {"area",
                 {{"luts", area.luts},
                  {"ffs", area.ffs},
                  {"dsps", area.dsps},
                  {"brams", area.brams},
                  {"ns", area.ns},
                  {"slowest", area.slowest},
                  {"measured_luts", area.measured_luts},
                  {"luts_error", area.luts_error},
                  {"units", area.units},
                  {"measured", area.measured}}},
                {"estimated", result.estimated},
                {"networks", std::move(networks)}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result result_of(const std::string& line) {
    const Json json = Json::parse(line);
    Result out;
    for (const Json& one : json.at("networks"))
        out.networks.push_back(cost_of(one));
    out.estimated = json.at("estimated");
    const Json& area = json.at("area");
    out.area.luts = area.at("luts");
    out.area.ffs = area.at("ffs");
    out.area.dsps = area.at("dsps");
    out.area.brams = area.at("brams");
    out.area.ns = area.at("ns");
    out.area.slowest = area.at("slowest");
    out.area.measured_luts = area.at("measured_luts");
    out.area.luts_error = area.at("luts_error");
    out.area.units = area.at("units");
    out.area.measured = area.at("measured");
    return out;
}

std::vector<Result> evaluate(const std::vector<Point>& points, const Job& job,
                             const std::filesystem::path& file, const std::string& head,
                             Diags& diags) {
    std::map<std::string, Result> known = known_results(file, head, diags);
    add_parts(known, job.parts_files, head, diags);
    if (!diags.empty()) return {};
    std::vector<Result> out(points.size());
    std::vector<std::size_t> waiting;
    // What was cut goes, and a file of parts put together has its first line once.
    std::ofstream lines(file, std::ios::binary | std::ios::trunc);
    lines << head << "\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto found = known.find(points[i].name);
        if (found != known.end() &&
            (found->second.estimated || is_too_large(points[i], found->second.area, job))) {
            out[i] = std::move(found->second);
            lines << line_of(points[i].name, out[i]) << "\n";
        } else if (i % static_cast<std::size_t>(job.parts) ==
                   static_cast<std::size_t>(job.part - 1)) {
            waiting.push_back(i);
        }
    }
    lines.flush();
    if (!job.parts_files.empty() && !waiting.empty())
        fmt::print("{} points are in none of the parts: evaluated now\n", waiting.size());
    std::mutex lock;
    std::atomic<std::size_t> next = 0;
    Progress progress(waiting.size());
    const auto work = [&] {
        Estimator estimator(job.networks, job.memory_bytes_per_cycle);
        for (std::size_t n; (n = next++) < waiting.size();) {
            const Point& point = points[waiting[n]];
            Diags problems;
            Result result = evaluate_one(point, job, estimator, problems);
            const std::lock_guard guard(lock);
            diags.insert(diags.end(), problems.begin(), problems.end());
            if (!diags.empty()) return;
            lines << line_of(point.name, result) << "\n" << std::flush;
            out[waiting[n]] = std::move(result);
            progress.step();
        }
    };
    std::vector<std::future<void>> running;
    for (int i = 1; i < job.threads; ++i)
        running.push_back(std::async(std::launch::async, work));
    work();
    for (std::future<void>& one : running)
        one.get();
    if (!lines) diags.push_back({file.string() + ": cannot write: want room for it"});
    return out;
}

}  // namespace macrame::explore
