#pragma once
/// What the commands of networks share.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/graph.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/parts.hpp"
#include "core/design.hpp"
#include "request.hpp"

namespace macrame::network {

using graph::Bytes;

/// A network and what the family makes of it.
struct Network {
    graph::Graph graph;
    /// The graph with its products of float32, where those of `graph` are only near.
    std::optional<graph::Graph> reference = {};
    /// Of all that is compiled for it: its parts, and other configurations.
    std::shared_ptr<compiler::Memo> memo = std::make_shared<compiler::Memo>();
    compiler::Options options;          ///< with `memo`
    double memory_bytes_per_cycle = 0;  ///< most that memory moves; 0: what the ports do
    std::vector<compiler::Part> parts;  ///< programs, and what the host does between them
    compiler::Compiled compiled;        ///< the report on all of them
    std::string name;                   ///< of the file, without its ending
    std::string title;                  ///< the same; the folder's where the file is called model
    /// Numbers of those that are float32 in the file and integers in the graph.
    std::vector<std::size_t> real_inputs = {}, real_outputs = {};
    std::vector<compiler::PassText> dumps = {};  ///< of passes in front of the back end
};

/// Reads and compiles the network of the request; nothing after an error, which is printed. That
/// there are several is one.
std::optional<Network> load(const Request& request, const Design& design);
/// The same of Request::network alone; of several it has no place in their memory yet.
std::optional<Network> load_one(const Request& request, const Design& design);
/// What a program has from the request.
void complete(const Request& request, compiler::Compiled& made);

/// Reads and compiles all networks of the request, several into the same memory: what one computes
/// holds until another one runs. Nothing after an error, which is printed.
std::vector<Network> load_all(const Request& request, const Design& design);

/// Sets parts and report: what the family makes of a graph, with the options of the network.
void compile(Network& network, const Design& design, const graph::Graph& graph);

/// What the files that several networks share are called.
inline constexpr const char* kSeveral = "networks";

/// Prints the messages; true if there is one.
bool report_all(const std::vector<std::string>& errors);

/// Replaces the file; false after an error, which is printed.
bool write(const std::filesystem::path& path, std::string_view bytes);

std::string_view view(const Bytes& bytes);

}  // namespace macrame::network
