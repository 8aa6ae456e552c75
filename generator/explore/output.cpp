#include "explore/output.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace macrame::explore {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c == '\n' ? ' ' : c;
    }
    return out + "\"";
}

std::string_view kind_of(const Point& point) {
    switch (point.kind) {
        case Point::Kind::space:
            return "space";
        case Point::Kind::preset:
            return "preset";
        case Point::Kind::random:
            return "random";
    }
    return "";
}

Json limit(const std::optional<int>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of_point(const Outcome& outcome, const Scored& one) {
    const Area& area = one.result.area;
    Json networks = Json::array();
    for (std::size_t n = 0; n < outcome.networks.size(); ++n) {
        const NetworkCost& cost = one.result.networks[n];
        Json refused = Json::array();
        for (const Refused& op : cost.refused)
            refused.push_back({{"operator", op.node},
                               {"name", op.name},
                               {"reason", op.reason},
                               {"needs", {{"buffer_bytes", op.buffer_bytes}}}});
        networks.push_back({{"network", outcome.networks[n].name},
                            {"ms", one.ms[n]},
                            {"cycles", cost.cycles},
                            {"host_cycles", cost.host_cycles},
                            {"multiply_adds", cost.multiply_adds},
                            {"macs_per_cycle", cost.macs_per_cycle},
                            {"read_bytes", cost.read_bytes},
                            {"write_bytes", cost.write_bytes},
                            {"memory_bytes", cost.memory_bytes},
                            {"constant_bytes", cost.constant_bytes},
                            {"channels", cost.channels},
                            {"proved_channels", cost.proved},
                            {"refused", std::move(refused)}});
    }
    Json parameters = Json::object();
    for (const Param& param : outcome.family.params)
        parameters[std::string(param.key)] = value_text(one.point.design.config, param);
    return {{"name", one.point.name},
            {"kind", kind_of(one.point)},
            {"front", one.front},
            {"unfit", one.unfit},
            {"dominated_by", one.dominated_by},
            {"cycles_by", one.modelled ? "cycle model" : "estimate"},
            {"mhz", one.mhz},
            {"ms", one.time},
            {"bytes", one.traffic},
            {"luts", area.luts},
            {"ffs", area.ffs},
            {"dsps", area.dsps},
            {"brams", area.brams},
            {"longest_path_ns", area.ns},
            {"slowest_unit", area.slowest},
            {"measured_units", area.measured},
            {"units", area.units},
            {"measured_luts", area.measured_luts},
            {"luts_error", area.luts_error},
            {"networks", std::move(networks)},
            {"parameters", std::move(parameters)}};
}

std::string row_text(const Scored& one) {
    const Area& area = one.result.area;
    std::string out =
        fmt::format("{:<30} {:>8} {:>6.0f} {:>6} {:>6} {:>7.1f} {:>5}", one.point.name, area.luts,
                    area.luts_error, area.dsps, area.brams, area.ns, one.mhz);
    for (const double ms : one.ms)
        out += fmt::format(" {:>10.3f}", ms);
    return out + fmt::format(
                     " {:>10.3f} {:>8}", one.time,
                     area.all_measured() ? "all" : fmt::format("{}/{}", area.measured, area.units));
}

}  // namespace

std::string csv_of(const Outcome& outcome, bool front_alone) {
    std::string out =
        "name,kind,front,unfit,dominated_by,luts,luts_error,ffs,dsps,brams,ns,slowest,measured_"
        "units,units,"
        "mhz,ms,bytes";
    for (const NetworkFile& network : outcome.networks)
        out += fmt::format(",{0}_ms,{0}_cycles,{0}_host_cycles", network.name);
    out += "\n";
    std::vector<const Scored*> rows;
    for (const Scored& one : outcome.points)
        rows.push_back(&one);
    if (front_alone) rows = front_of(outcome.points);
    for (const Scored* row : rows) {
        const Area& area = row->result.area;
        out += fmt::format("{},{},{},{},{},{},{:.0f},{},{},{},{:.2f},{},{},{},{},{:.6f},{:.0f}",
                           row->point.name, kind_of(row->point), row->front ? 1 : 0,
                           quoted(row->unfit), row->dominated_by, area.luts, area.luts_error,
                           area.ffs, area.dsps, area.brams, area.ns, area.slowest, area.measured,
                           area.units, row->mhz, row->time, row->traffic);
        for (std::size_t n = 0; n < outcome.networks.size(); ++n) {
            if (!row->result.estimated) {
                out += ",,,";
                continue;
            }
            out += fmt::format(",{:.6f},{},{}", row->ms[n], row->result.networks[n].cycles,
                               row->result.networks[n].host_cycles);
        }
        out += "\n";
    }
    return out;
}

std::string json_of(const Outcome& outcome) {
    const Limits& limits = outcome.setup.limits;
    Json front = Json::array(), presets = Json::array();
    for (const Scored* one : front_of(outcome.points))
        front.push_back(json_of_point(outcome, *one));
    for (const Scored& one : outcome.points)
        if (one.point.kind == Point::Kind::preset) presets.push_back(json_of_point(outcome, one));
    Json networks = Json::array();
    for (const NetworkFile& network : outcome.networks)
        networks.push_back({{"name", network.name},
                            {"file", network.file},
                            {"input_bytes", network.input_bytes()}});
    const Scored* best = chosen(outcome.points, outcome.goal);
    const Scored* random = best_random(outcome.points);
    return Json{{"family", outcome.family.name},
                {"board", outcome.board},
                {"target", outcome.setup.target},
                {"limits",
                 {{"lut", limit(limits.luts)},
                  {"dsp", limit(limits.dsps)},
                  {"bram", limit(limits.brams)}}},
                {"memory_bytes_per_cycle", outcome.setup.memory_bytes_per_cycle},
                {"goal", outcome.goal},
                {"networks", std::move(networks)},
                {"weights", outcome.setup.weights},
                {"decided", outcome.decided},
                {"points", outcome.points.size()},
                {"best_random", random == nullptr ? Json(nullptr) : Json(random->goal)},
                {"chosen", best == nullptr ? Json(nullptr) : Json(best->point.name)},
                {"front", std::move(front)},
                {"presets", std::move(presets)}}
               .dump(1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

std::string text_of(const Outcome& outcome) {
    std::string out;
    for (const std::string& line : outcome.decided)
        out += line + "\n";
    std::string head = fmt::format("{:<30} {:>8} {:>6} {:>6} {:>6} {:>7} {:>5}", "point", "LUT",
                                   "+-", "DSP", "BRAM", "ns", "MHz");
    for (const NetworkFile& network : outcome.networks)
        head += fmt::format(" {:>10.10}", network.name);
    out += head + fmt::format(" {:>10} {:>8}\n", "mean ms", "measured");
    for (const Scored* one : front_of(outcome.points))
        out += row_text(*one) + "\n";
    for (const Scored& one : outcome.points) {
        if (one.point.kind != Point::Kind::preset) continue;
        out += row_text(one);
        if (!one.dominated_by.empty()) out += "  dominated by " + one.dominated_by;
        if (!one.unfit.empty()) out += "  does not fit: " + one.unfit;
        out += "\n";
    }
    const Scored* random = best_random(outcome.points);
    const std::vector<const Scored*> front = front_of(outcome.points);
    if (random != nullptr && !front.empty())
        out += fmt::format("best of the random points: {:.4g}, best of the front: {:.4g} ({})\n",
                           random->goal, front.back()->goal,
                           changes(front.back()->point.design, random->point.design));
    if (const Scored* best = chosen(outcome.points, outcome.goal))
        out += fmt::format("goal {}: {}\n", outcome.goal, best->point.name);
    else
        out += "no point fits\n";
    return out;
}

}  // namespace macrame::explore
