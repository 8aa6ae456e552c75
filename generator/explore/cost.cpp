#include "explore/cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/words.hpp"
#include "emit/sha256.hpp"
#include "families/family.hpp"

namespace macrame::explore {

namespace {

constexpr std::string_view kColumns[] = {"lut", "ff", "dsp", "ram", "ns"};

double& column(UnitCost& cost, std::string_view name) {
    if (name == "lut") return cost.luts;
    if (name == "ff") return cost.ffs;
    if (name == "dsp") return cost.dsps;
    return name == "ram" ? cost.rams : cost.ns;
}

int whole(double value) { return static_cast<int>(std::lround(value)); }

}  // namespace

const std::vector<std::string>& targets() {
    static const std::vector<std::string> kTargets = {"xc7", "ecp5"};
    return kTargets;
}

std::string target_of_flow(std::string_view flow) {
    if (flow == "vivado") return "xc7";
    return flow == "ecp5" ? "ecp5" : "";
}

std::optional<CostTable> CostTable::read(const Family& family, const std::string& target,
                                         const emit::Assets& assets, Diags& diags) {
    const std::string path = fmt::format("generator/families/{}/cost/{}", family.name, target);
    const std::optional<std::string> lines = assets.read(path + ".jsonl");
    const std::optional<std::string> fit = assets.read(path + ".fit.json");
    if (!lines || !fit) {
        diags.push_back({fmt::format(
            "{} on {}: no units are measured: want scripts/explore/fill.py", family.name, target)});
        return std::nullopt;
    }
    CostTable out;
    out.target_ = target;
    out.hash_ = emit::sha256(*lines + *fit).substr(0, 16);
    try {
        for (std::size_t at = lines->find('\n') + 1; at < lines->size();) {
            const std::size_t end = std::min(lines->find('\n', at), lines->size());
            const nlohmann::json row = nlohmann::json::parse(lines->substr(at, end - at));
            UnitCost cost;
            for (const std::string_view name : kColumns)
                column(cost, name) = row.at(std::string(name)).get<double>();
            cost.measured = true;
            out.measured_.emplace(row.at("key").get<std::string>(), cost);
            at = end + 1;
        }
        const nlohmann::json formulas = nlohmann::json::parse(*fit);
        for (const auto& [unit, columns] : formulas.at("units").items())
            for (const auto& [name, formula] : columns.items())
                out.formulas_[unit].emplace(name, Formula::read(formula.dump(), family));
    } catch (const std::exception& error) {
        diags.push_back({fmt::format("{}: {}", path, error.what())});
        return std::nullopt;
    }
    return out;
}

std::optional<UnitCost> CostTable::unit(const UnitText& unit, const Design& design) const {
    const auto found = measured_.find(unit.key);
    if (found != measured_.end()) return found->second;
    const auto formulas = formulas_.find(unit.name);
    if (formulas == formulas_.end()) return std::nullopt;
    UnitCost cost;
    for (const std::string_view name : kColumns) {
        const auto formula = formulas->second.find(std::string(name));
        if (formula != formulas->second.end())
            column(cost, name) = std::max(0.0, formula->second.at(design.config));
    }
    const auto luts = formulas->second.find("lut");
    if (luts != formulas->second.end()) cost.error = luts->second.error();
    return cost;
}

std::optional<Area> CostTable::area(const std::vector<UnitText>& units, const Design& design,
                                    Diags& diags) const {
    UnitCost sum;
    Area out;
    for (const UnitText& one : units) {
        const std::optional<UnitCost> cost = unit(one, design);
        if (!cost) {
            diags.push_back({fmt::format("{}: unit {} ({}): want a measured unit or a fit",
                                         design.name, one.name, one.key)});
            return std::nullopt;
        }
        sum.luts += cost->luts * one.copies;
        sum.ffs += cost->ffs * one.copies;
        sum.dsps += std::round(cost->dsps) * one.copies;
        sum.rams += std::round(cost->rams) * one.copies;
        if (cost->ns > out.ns) {
            out.ns = cost->ns;
            out.slowest = one.name;
        }
        ++out.units;
        const double off = cost->error * cost->luts * one.copies;
        out.luts_error = std::hypot(out.luts_error, off);
        if (!cost->measured) continue;
        ++out.measured;
        out.measured_luts += cost->luts * one.copies;
    }
    out.luts = whole(sum.luts);
    out.ffs = whole(sum.ffs);
    out.dsps = whole(sum.dsps);
    // xc7 counts halves.
    out.brams = whole(target_ == "xc7" ? std::ceil(sum.rams / 2) : sum.rams);
    return out;
}

}  // namespace macrame::explore
