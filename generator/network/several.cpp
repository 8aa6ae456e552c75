#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/host_c/names.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "network/network.hpp"
#include "network/parts_file.hpp"

namespace macrame::network {

namespace {

/// NAME=FILE, or a file, which has its name.
std::pair<std::string, std::string> named(const std::string& text) {
    const std::size_t end = text.find('=');
    std::error_code code;
    if (end == std::string::npos || end == 0 || std::filesystem::exists(text, code))
        return {"", text};
    return {text.substr(0, end), text.substr(end + 1)};
}

/// Options that are about one network.
std::string one_network_alone(const Request& request) {
    const std::pair<const char*, bool> options[] = {{"input", !request.input.empty()},
                                                    {"report", !request.report.empty()},
                                                    {"json", !request.json.empty()},
                                                    {"dump", !request.dump.empty()}};
    for (const auto& [name, given] : options)
        if (given)
            return fmt::format("--{} with {} networks: want one network", name,
                               request.networks.size());
    return {};
}

/// Files and C have the names of networks.
std::string name_problem(const std::vector<Network>& networks) {
    std::map<std::string, std::string> seen = {{kSeveral, ""}};
    for (const Network& network : networks) {
        const std::string& name = network.name;
        const char* const want = "want another name: NAME=FILE";
        if (name.empty() || name.find('/') != std::string::npos)
            return fmt::format("network '{}': want a name without / in it: NAME=FILE", name);
        const auto [found, added] = seen.try_emplace(compiler::host_c::c_name(name), name);
        if (added) continue;
        if (found->second.empty())
            return fmt::format("network {}: the files of all are called so: {}", name, want);
        return fmt::format("networks {} and {}: the same name in C: {}", found->second, name, want);
    }
    return {};
}

/// What networks remember together is the same in all; then they may have the same arena.
std::string state_problem(const Request& request, const std::vector<Network>& networks) {
    if (request.states.empty()) return {};
    for (const Network& network : networks) {
        const graph::Graph &graph = network.graph, &first = networks[0].graph;
        if (graph.states.size() != request.states.size())
            return fmt::format(
                "network {} has {} states of its own beside those of --state: want none",
                network.name, graph.states.size() - request.states.size());
        for (std::size_t i = 0; i < graph.states.size(); ++i) {
            const graph::Tensor &a = first.tensor(first.inputs[first.own_inputs() + i]),
                                &b = graph.tensor(graph.inputs[graph.own_inputs() + i]);
            if (a.type == b.type && a.shape == b.shape &&
                a.quantisation.scale == b.quantisation.scale &&
                a.quantisation.zero_point == b.quantisation.zero_point)
                continue;
            return fmt::format(
                "state {}: {} {} in {}, {} {} in {}, or other scales: want the same in all "
                "networks",
                request.states[i].second, graph::name_of(a.type), graph::text_of(a.shape),
                networks[0].name, graph::name_of(b.type), graph::text_of(b.shape), network.name);
        }
    }
    return {};
}

/// Compiles the programs again, each behind those in front of it; all share what is in front of the
/// first, constants that are equal, and states. Messages are those of programs that have no room.
std::vector<std::string> place(const Request& request, const Design& design,
                               std::vector<Network>& networks) {
    std::uint64_t begin = 0;
    for (const Network& network : networks)
        for (const compiler::Part& part : network.parts)
            begin = std::max(begin, part.compiled.shared_end);
    compiler::Shared there;
    for (std::size_t i = 0; i < networks.size(); ++i) {
        Request own = request;
        own.network = named(request.networks[i]).second;
        for (compiler::Part& part : networks[i].parts) {
            if (!part.hardware) continue;
            networks[i].options.own_begin = begin;
            networks[i].options.there = &there;
            part.compiled =
                design.family.target->compile(design, part.cut.graph, networks[i].options);
            if (!part.compiled.ok()) return part.compiled.errors;
            complete(own, part.compiled);
            begin = std::max(begin, part.compiled.own_end);
            compiler::Shared& kept = part.compiled.kept;
            std::move(kept.contents.begin(), kept.contents.end(),
                      std::back_inserter(there.contents));
            // Those of --state are one in all networks; other names say nothing.
            if (!request.states.empty())
                there.states.insert(there.states.end(), kept.states.begin(), kept.states.end());
            kept = {};
        }
        networks[i].options.there = nullptr;
    }
    return {};
}

}  // namespace

std::vector<Network> load_all(const Request& request, const Design& design) {
    std::vector<std::string> wanted = request.networks;
    if (wanted.empty()) wanted = {request.network};
    const bool several = wanted.size() > 1;
    std::string problem = several ? one_network_alone(request) : "";
    if (!problem.empty() && report_all({problem})) return {};
    std::vector<Network> out;
    for (const std::string& text : wanted) {
        const auto [name, file] = named(text);
        Request own = request;
        own.network = file;
        std::optional<Network> network = load_one(own, design);
        if (!network) return {};
        if (!name.empty()) network->name = network->title = name;
        out.push_back(std::move(*network));
    }
    if (!several) return out;
    problem = name_problem(out);
    if (problem.empty()) problem = state_problem(request, out);
    if (!problem.empty() && report_all({problem})) return {};
    if (report_all(place(request, design, out))) return {};
    return out;
}

std::vector<SharedProgram> shared_programs(const std::vector<Network>& networks) {
    std::vector<SharedProgram> out;
    for (const Network& network : networks) {
        std::size_t program = 0;
        for (const compiler::Part& part : network.parts)
            if (part.hardware) out.push_back({program_name(network, program++), &part.compiled});
    }
    return out;
}

}  // namespace macrame::network
