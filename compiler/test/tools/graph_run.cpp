/// Executes a network file by its definition and writes every tensor: for comparisons with other
/// executors.
///
///     graph_run NETWORK INPUTS FOLDER
///
/// INPUTS has the elements of all inputs of the network back to back, for one run or several, which
/// carry over what the network keeps. The
/// folder gets 0000.bin, ... : tensors in the order of writing, those of all runs back to back; and
/// index.txt: "0000.bin int8 1x8x8x16 conv1/Relu" for each; and outputs.bin: those of the network,
/// run after run.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"

namespace {

using macrame::graph::Bytes;
using macrame::graph::Graph;
using macrame::graph::TensorId;

Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path + ": cannot read");
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const char* data, std::size_t bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(data, static_cast<std::streamsize>(bytes));
    if (!file.flush()) throw std::runtime_error(path.string() + ": cannot write");
}

/// What each tensor held in all runs, in the order of writing.
struct Written {
    TensorId id;
    Bytes bytes;
};

std::vector<Written> run_all(const Graph& graph, const Bytes& inputs, Bytes& outputs) {
    std::vector<Written> written;
    std::vector<Bytes> kept(graph.states.begin(), graph.states.end());
    std::size_t at = 0;
    do {
        std::vector<Bytes> arguments;
        for (std::size_t i = 0; i < graph.own_inputs(); ++i) {
            const TensorId id = graph.inputs[i];
            const std::size_t bytes = graph.tensor(id).bytes();
            if (bytes > inputs.size() - at)
                throw std::runtime_error(
                    fmt::format("inputs: {} bytes: want whole runs", inputs.size()));
            const auto begin = inputs.begin() + static_cast<std::ptrdiff_t>(at);
            arguments.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(bytes));
            at += bytes;
        }
        arguments.insert(arguments.end(), kept.begin(), kept.end());
        std::size_t next = 0;
        auto results = macrame::graph::run(graph, arguments, [&](TensorId id, const Bytes& bytes) {
            if (next == written.size()) written.push_back({id, {}});
            Bytes& all = written[next++].bytes;
            all.insert(all.end(), bytes.begin(), bytes.end());
        });
        const auto own = results.begin() + static_cast<std::ptrdiff_t>(graph.own_outputs());
        kept.assign(own, results.end());
        results.erase(own, results.end());
        for (const Bytes& result : results)
            outputs.insert(outputs.end(), result.begin(), result.end());
    } while (at < inputs.size());
    return written;
}

int run(const std::string& network, const std::string& inputs,
        const std::filesystem::path& folder) {
    const macrame::front::ReadResult result = macrame::front::read(network);
    for (const std::string& error : result.errors)
        fmt::print(stderr, "{}\n", error);
    if (!result.ok()) return 2;
    std::filesystem::create_directories(folder);
    std::string index;
    std::size_t count = 0;
    Bytes outputs;
    for (const Written& written : run_all(result.graph, contents(inputs), outputs)) {
        const macrame::graph::Tensor& tensor = result.graph.tensor(written.id);
        const std::string file = fmt::format("{:04}.bin", count++);
        index += fmt::format(
            "{} {} {} {}\n", file, macrame::graph::name_of(tensor.type),
            tensor.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(tensor.shape, "x")),
            tensor.name);
        write(folder / file, reinterpret_cast<const char*>(written.bytes.data()),
              written.bytes.size());
    }
    write(folder / "index.txt", index.data(), index.size());
    write(folder / "outputs.bin", reinterpret_cast<const char*>(outputs.data()), outputs.size());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fputs("usage: graph_run NETWORK INPUTS FOLDER\n", stderr);
        return 2;
    }
    try {
        return run(argv[1], argv[2], argv[3]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "graph_run: {}\n", error.what());
        return 2;
    }
}
