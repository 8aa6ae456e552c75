#include "network/passes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "families/target.hpp"
#include "network/parts_file.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

std::vector<std::string> pass_names(const Family& family) {
    std::vector<std::string> names = {std::string(kRead), std::string(kCanonical),
                                      std::string(kPartition)};
    if (family.target == nullptr) return names;
    const std::vector<std::string> own = family.target->passes();
    names.insert(names.end(), own.begin(), own.end());
    return names;
}

std::string partition_text(const Network& network) {
    const auto name = [&](int node) {
        const graph::Node& of = network.graph.nodes[static_cast<std::size_t>(node)];
        return fmt::format("{}: {}  ({})", node, graph::name_of(of.op), of.where);
    };
    std::string out;
    std::size_t program = 0;
    for (const compiler::Part& part : network.parts) {
        out += part.hardware ? fmt::format("program {}\n", program_name(network, program++))
                             : std::string("host\n");
        for (const int node : part.nodes) {
            // Of a part of the hardware, too, the host may have the ends.
            const bool host = part.hardware && network.compiled.on_host(node);
            out += fmt::format("    operator {}{}\n", name(node), host ? ", on the host" : "");
        }
    }
    for (const compiler::Refusal& one : network.compiled.refused)
        out += fmt::format("not for the hardware: operator {}: {}\n", name(one.node), one.reason);
    return out;
}

bool write_dumps(const Request& request, const Network& network, const Family& family) {
    if (request.dump.empty()) return true;
    std::error_code code;
    fs::create_directories(request.out, code);  // what is wrong with it, writing tells
    const std::vector<std::string> names = pass_names(family);
    const auto write_all = [&](const std::string& name,
                               const std::vector<compiler::PassText>& dumps) {
        return std::all_of(dumps.begin(), dumps.end(), [&](const compiler::PassText& dump) {
            const auto place = std::find(names.begin(), names.end(), dump.pass) - names.begin();
            return write(
                fs::path(request.out) / fmt::format("{}.{:02}-{}.txt", name, place + 1, dump.pass),
                dump.text);
        });
    };
    if (!write_all(network.name, network.dumps)) return false;
    std::size_t program = 0;
    for (const compiler::Part& part : network.parts)
        if (part.hardware && !write_all(program_name(network, program++), part.compiled.dumps))
            return false;
    // Of what ended with an error.
    return write_all(network.name, network.compiled.dumps);
}

}  // namespace macrame::network
