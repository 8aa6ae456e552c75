#include "compiler/dla/choose_exact.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/dla/cost.hpp"
#include "compiler/dla/passes.hpp"
#include "compiler/dla/searches.hpp"
#include "compiler/host_time.hpp"
#include "compiler/ties.hpp"

namespace macrame::dla::compiler {

namespace {

/// Of the cycles of a network: what exactness may add to them.
constexpr double kMostAdded = 0.02;
/// Of the cycles of the host: what averages that only it has exactly may add to them.
constexpr double kMostAddedHost = 0.05;
/// Networks that are finished to see their cycles, beside the two ends.
constexpr int kTrials = 4;

/// Values that differ, by operator.
std::map<int, std::int64_t> wrong_values(const Lowering& lowering) {
    std::map<int, std::int64_t> out;
    for (const macrame::compiler::Exactness& exact : lowering.build.exactness)
        if (exact.values > 0) out[exact.node] += exact.values;
    return out;
}

/// Averages that only the host has exactly.
std::set<int> averages_by_order(const Lowering& lowering) {
    std::set<int> out;
    for (const macrame::compiler::Exactness& exact : lowering.build.exactness)
        if (macrame::compiler::rounds_by_order(exact)) out.insert(exact.node);
    return out;
}

double cycles_of_host(const graph::Graph& graph, const Lowering& lowering) {
    double sum = 0;
    const auto add = [&](int node) {
        sum += static_cast<double>(macrame::compiler::host_cycles(graph, graph.nodes[at(node)]));
    };
    for (const auto* nodes : {&lowering.host_first, &lowering.host_nodes})
        std::for_each(nodes->begin(), nodes->end(), add);
    for (const macrame::compiler::HostOperator& op : lowering.host)
        add(op.node);
    return sum;
}

/// Cycles of the layers of each operator, each on its own.
std::map<int, std::int64_t> cycles_alone(const model::Architecture& sizes,
                                         const Lowering& lowering) {
    std::map<int, std::int64_t> out;
    for (const Layer& layer : lowering.build.layers)
        out[layer.node] += static_cast<std::int64_t>(bounds(sizes, layer).most() + kQueued);
    return out;
}

/// Lowers a network, some of its operators exactly.
class ExactChoice {
public:
    ExactChoice(const graph::Graph& graph, const model::Architecture& sizes,
                const macrame::compiler::Options& options)
        : graph_(graph),
          sizes_(sizes),
          options_(options),
          searches_(options.memo == nullptr ? own_ : kept(*options.memo)) {}

    std::unique_ptr<Lowering> run() {
        std::unique_ptr<Lowering> plain = lower({});
        if (options_.exact || !plain->errors.empty()) return plain;
        plain = with_averages_on_host(std::move(plain));
        std::map<int, std::int64_t> wrong = wrong_values(*plain);
        for (const int node : averages_by_order(*plain))
            wrong.erase(node);  // not at that cost
        if (wrong.empty()) return plain;
        std::set<int> nodes;
        for (const auto& [node, values] : wrong)
            nodes.insert(node);
        std::unique_ptr<Lowering> exact = lower(nodes);
        find_candidates(*plain, *exact, wrong);
        if (candidates_.empty()) return plain;
        const std::uint64_t cycles = finished(*plain);
        most_ = cycles + static_cast<std::uint64_t>(kMostAdded * static_cast<double>(cycles));
        if (candidates_.size() < nodes.size()) exact = with(candidates_.size());
        if (fits(*exact)) return exact;
        return search(std::move(plain), cycles);
    }

private:
    struct Candidate {
        int node = 0;
        std::int64_t added = 0;  ///< cycles
    };

    static Searches& kept(macrame::compiler::Memo& memo) {
        if (memo.kept == nullptr) memo.kept = std::make_shared<Searches>();
        return dynamic_cast<Searches&>(*memo.kept);
    }

    std::unique_ptr<Lowering> lower(std::set<int> precise) {
        precise.insert(on_host_.begin(), on_host_.end());
        auto lowering =
            std::make_unique<Lowering>(graph_, sizes_, options_, searches_, std::move(precise));
        lowering->run();
        return lowering;
    }

    /// Gives the host averages that only it has exactly, if it is at work anyway and hardly has
    /// more to do then.
    std::unique_ptr<Lowering> with_averages_on_host(std::unique_ptr<Lowering> plain) {
        on_host_ = averages_by_order(*plain);
        if (on_host_.empty() || !options_.host_commands) {
            on_host_.clear();
            return plain;
        }
        std::unique_ptr<Lowering> made = lower({});
        const double most = (1 + kMostAddedHost) * cycles_of_host(graph_, *plain);
        if (made->errors.empty() && cycles_of_host(graph_, *made) <= most) return made;
        on_host_.clear();
        return plain;
    }

    std::uint64_t finished(const Lowering& lowering) const {
        return finished_cycles(sizes_, without_contents(lowering.build.buffers),
                               lowering.build.layers);
    }

    bool fits(const Lowering& lowering) const {
        return lowering.errors.empty() && finished(lowering) <= most_;
    }

    /// Operators that get more exact, those that add the fewest cycles first.
    void find_candidates(const Lowering& plain, const Lowering& exact,
                         const std::map<int, std::int64_t>& wrong) {
        std::map<int, std::int64_t> left = wrong_values(exact);
        std::map<int, std::int64_t> before = cycles_alone(sizes_, plain);
        std::map<int, std::int64_t> behind = cycles_alone(sizes_, exact);
        for (const auto& [node, values] : wrong)
            if (left[node] < values) candidates_.push_back({node, behind[node] - before[node]});
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.added < b.added; });
    }

    /// The first candidates are exact.
    std::unique_ptr<Lowering> with(std::size_t count) {
        std::set<int> precise;
        for (std::size_t i = 0; i < count; ++i)
            precise.insert(candidates_[i].node);
        return lower(precise);
    }

    /// Between none and all of the candidates: first where their own cycles say.
    std::unique_ptr<Lowering> search(std::unique_ptr<Lowering> best, std::uint64_t cycles) {
        std::size_t low = 0, high = candidates_.size(), next = 0;
        std::int64_t left = static_cast<std::int64_t>(most_ - cycles);
        while (next < high && candidates_[next].added <= left)
            left -= candidates_[next++].added;
        for (int trial = 0; trial < kTrials && high - low > 1; ++trial) {
            next = std::clamp(next, low + 1, high - 1);
            std::unique_ptr<Lowering> made = with(next);
            if (fits(*made)) {
                best = std::move(made);
                low = next;
            } else {
                high = next;
            }
            next = low + (high - low) / 2;
        }
        return best;
    }

    const graph::Graph& graph_;
    const model::Architecture& sizes_;
    const macrame::compiler::Options& options_;
    Searches own_;
    Searches& searches_;     ///< what they find does not depend on sizes
    std::set<int> on_host_;  ///< averages
    std::vector<Candidate> candidates_;
    std::uint64_t most_ = 0;  ///< cycles
};

}  // namespace

std::unique_ptr<Lowering> lowered(const graph::Graph& graph, const model::Architecture& sizes,
                                  const macrame::compiler::Options& options) {
    return ExactChoice(graph, sizes, options).run();
}

}  // namespace macrame::dla::compiler
