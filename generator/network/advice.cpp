/// Which parameters make a network faster.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/settings.hpp"
#include "core/words.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "network/operators.hpp"

namespace macrame::network {

namespace {

constexpr double kWorthSaying = 0.05;  ///< of the cycles
constexpr double kWorthRaising = 0.02;

int value_of(const AnyConfig& config, const Param& param) {
    return std::get<int>(param.get(config));
}

std::vector<const Param*> params_of(const Suggestion& suggestion, const Design& design) {
    std::vector<const Param*> out;
    for (const std::string_view key : suggestion.params) {
        const Param* param = find_param(design.family.params, key);
        if (param != nullptr && value_of(design.config, *param) != 0) out.push_back(param);
    }
    return out;
}

int lowest(const std::vector<const Param*>& params, const AnyConfig& config) {
    int out = value_of(config, *params.front());
    for (const Param* param : params)
        out = std::min(out, value_of(config, *param));
    return out;
}

/// The slowest of the parameters twice as fast, nothing if that is not allowed.
std::optional<AnyConfig> raised(const Family& family, const AnyConfig& config,
                                const std::vector<const Param*>& params) {
    Settings settings(family);
    settings.design.config = config;
    const int low = lowest(params, config);
    for (const Param* param : params)
        if (value_of(config, *param) == low)
            param->set(settings.design.config, ParamValue(2 * low));
    if (!check(settings).empty()) return std::nullopt;
    return settings.design.config;
}

/// Without compiling: the unit takes `times` elements where it took one.
std::uint64_t guess(const Network& network, const std::string& limiter, int times) {
    std::uint64_t cycles = 0;
    for (const compiler::LayerReport& layer : network.compiled.layers) {
        cycles += layer.cycles;
        if (layer.limiter != limiter) continue;
        const std::uint64_t then =
            std::max({layer.mac_cycles, layer.memory_cycles,
                      layer.post_cycles / static_cast<std::uint64_t>(times)});
        cycles -= std::min(layer.cycles, layer.bound() - then);
    }
    return cycles;
}

std::optional<Advice> advice_on(const Network& network, const Design& design,
                                const Suggestion& suggestion,
                                const std::vector<const Param*>& params,
                                const LimiterShare& share) {
    Advice out;
    out.limiter = share.limiter;
    out.operators = share.operators;
    out.cycles = network.compiled.cycles();
    out.share = static_cast<double>(share.cycles) / static_cast<double>(out.cycles);
    const int now = lowest(params, design.config);
    out.now = fmt::format("{} {} per cycle", now, suggestion.per_cycle);
    if (now == 1 && !suggestion.per_cycle.empty())
        out.now = fmt::format("one {} per cycle",
                              suggestion.per_cycle.substr(0, suggestion.per_cycle.size() - 1));
    // As far as it still brings something.
    std::optional<AnyConfig> best;
    std::uint64_t before = out.cycles;
    for (auto next = raised(design.family, design.config, params); next;
         next = raised(design.family, *next, params)) {
        const std::uint64_t after = guess(network, share.limiter, lowest(params, *next) / now);
        const double gain = static_cast<double>(before) - static_cast<double>(after);
        const bool worth = gain >= kWorthRaising * static_cast<double>(out.cycles);
        if (!worth && (best || now > 1)) break;  // of one per cycle people want to know
        before = after;
        best = *next;
        if (!worth) break;
    }
    if (!best) return std::nullopt;
    for (const Param* param : params) {
        const int value = value_of(*best, *param);
        if (value == value_of(design.config, *param)) continue;
        out.options +=
            fmt::format("{}--{} {}", out.options.empty() ? "" : " ", flag_name(param->key), value);
    }
    const Design then{design.family, design.name, *best, {}};
    compiler::Options options = network.options;
    options.reports_alone = true;
    const compiler::Compiled made = design.family.target->compile(then, network.graph, options);
    if (!made.ok()) return std::nullopt;
    out.cycles_then = made.cycles();
    const double gain = static_cast<double>(out.cycles) - static_cast<double>(out.cycles_then);
    if (now > 1 && gain < kWorthRaising * static_cast<double>(out.cycles)) return std::nullopt;
    return out;
}

}  // namespace

std::string Advice::text() const {
    const double less = 100.0 * (1.0 - static_cast<double>(cycles_then) /
                                           static_cast<double>(std::max<std::uint64_t>(cycles, 1)));
    const std::string gain =
        less < 0.5 ? "brings next to nothing, as something else takes nearly as long"
                   : fmt::format("would bring {} cycles instead of {} ({:.0f} % less)", cycles_then,
                                 cycles, less);
    return fmt::format("{} takes {} and limits {} operator{} with {:.0f} % of the cycles: {} {}",
                       limiter, now, operators, operators == 1 ? "" : "s", 100 * share, options,
                       gain);
}

std::vector<Advice> advice(const Network& network, const Design& design) {
    std::vector<Advice> out;
    const double all = static_cast<double>(network.compiled.cycles());
    for (const LimiterShare& share : limiter_shares(operator_costs(network))) {
        if (static_cast<double>(share.cycles) < kWorthSaying * all) continue;
        // More parameters have to bring more.
        std::optional<Advice> best;
        std::vector<std::vector<const Param*>> tried;
        for (const Suggestion& suggestion : design.family.target->suggestions()) {
            const std::vector<const Param*> params = params_of(suggestion, design);
            const bool again = std::find(tried.begin(), tried.end(), params) != tried.end();
            if (suggestion.limiter != share.limiter || params.empty() || again) continue;
            tried.push_back(params);
            std::optional<Advice> made = advice_on(network, design, suggestion, params, share);
            const double least = kWorthRaising * all;
            if (made && (!best || static_cast<double>(made->cycles_then) + least <
                                      static_cast<double>(best->cycles_then)))
                best = std::move(made);
        }
        if (best) out.push_back(*std::move(best));
    }
    return out;
}

}  // namespace macrame::network
