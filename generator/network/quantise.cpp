#include "network/quantise.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "build_cache.hpp"
#include "cli.hpp"
#include "compiler/front/front.hpp"
#include "compiler/front/onnx_writer.hpp"
#include "core/process.hpp"
#include "emit/file_io.hpp"
#include "emit/sha256.hpp"
#include "emit/write.hpp"
#include "network/commands.hpp"
#include "network/network.hpp"
#include "network/scratch.hpp"

namespace macrame {

void add_quantise_options(CLI::App& command, network::QuantiseOptions& options) {
    command
        .add_option("--data", options.data,
                    "folder of inputs to calibrate with: *.npy, or KEY.INPUT.npy where the network "
                    "has several inputs")
        ->required();
    command.add_option("--check", options.check,
                       "folder of inputs for the figures (every fourth of --data, which is not "
                       "calibrated with then)");
    command.add_option("--out", options.out, "int8 network to write, ONNX")->required();
    command
        .add_option("--method", options.method,
                    "ranges of activations: what loses least of the squares, 99.99 percent of the "
                    "values, or all values (mse)")
        ->check(CLI::IsMember({"mse", "percentile", "minmax"}));
    command
        .add_option("--keep-host", options.keep_host,
                    "operators that may stay in float32 on the host, at most (64)")
        ->check(CLI::Range(0, 1 << 20));
    command.add_option("--json", options.json, "write what each step brought to this file, too");
}

namespace network {

namespace {

namespace fs = std::filesystem;

/// Finds or makes the Python environment, then runs the script there. Arguments: the folder, then
/// those of the script.
constexpr const char* kStart = R"(python=$(bash "$0/scripts/executors.sh") || {
    echo "macrame: quantise: want Python 3 with venv and access to PyPI, for onnx and onnxruntime" >&2
    exit 2
}
exec "$python" -B "$0/compiler/quantise/quantise.py" "$@")";

/// Brings the script to a folder of the user's cache, one for each state of it; empty: messages are
/// in `diags`.
fs::path install(const emit::Assets& assets, Diags& diags) {
    const std::optional<fs::path> cache = cache_folder(diags);
    if (!cache) return {};
    emit::OutputSet files;
    std::vector<std::string> paths = assets.list("compiler/quantise/");
    paths.emplace_back("scripts/executors.sh");
    std::string all;
    for (const std::string& path : paths) {
        const std::string text = assets.read(path).value();
        all += path + '\n' + text;
        files.add(path, text);
    }
    const fs::path folder = *cache / ("quantise-" + emit::sha256(all).substr(0, 16));
    const Interrupts interrupts;
    const auto lock = emit::FolderLock::take(folder.string(), diags);
    if (lock == nullptr) return {};
    diags = emit::write(files, *lock).diags;
    return folder;
}

/// The script reads ONNX: a file of another format is written as one, in `scratch`. Empty: messages
/// have been reported.
std::string onnx_of(const Request& request, const Scratch& scratch) {
    const emit::FileText file = emit::read_file(request.network, std::size_t{1} << 30);
    const std::string& bytes = file.bytes;
    if (!file.error.empty() || front::is_onnx({bytes.begin(), bytes.end()})) return request.network;
    const front::ReadResult read = front::read(request.network, request.shapes, request.fixed);
    if (report_all(read.errors)) return "";
    const front::WrittenOnnx made = front::write_onnx(read.graph);
    const fs::path path = scratch.path() / fs::path(request.network).stem().concat(".onnx");
    std::string problem = made.error.empty() ? scratch.problem() : made.error;
    const std::string onnx(made.bytes.begin(), made.bytes.end());
    if (problem.empty()) problem = emit::write_file(path, onnx);
    if (!problem.empty()) {
        report_all({fmt::format("{}: {}", request.network, problem)});
        return "";
    }
    return path.string();
}

std::vector<std::string> arguments_of(const Request& request, const std::string& network) {
    const QuantiseOptions& options = request.quantise;
    std::vector<std::string> out = {
        network,        "--data",      options.data,
        "--out",        options.out,   "--method",
        options.method, "--keep-host", std::to_string(options.keep_host)};
    if (!options.check.empty()) out.insert(out.end(), {"--check", options.check});
    if (!options.json.empty()) out.insert(out.end(), {"--json", options.json});
    for (const auto& [name, shape] : request.shapes)
        out.insert(out.end(), {"--shape", fmt::format("{}={}", name, fmt::join(shape, ","))});
    // A network that was written anew has them as constants.
    if (network == request.network)
        for (const auto& [name, values] : request.fixed)
            out.insert(out.end(), {"--fix", fmt::format("{}={}", name, fmt::join(values, ","))});
    return out;
}

}  // namespace

int run_quantise(const Request& request, const emit::Assets& assets,
                 std::optional<Design> (*design_of)(const Request&, const emit::Assets&)) {
    const bool named =
        request.preset || request.config_file || request.family || !request.values.empty();
    const std::optional<Design> design = named ? design_of(request, assets) : std::nullopt;
    if (named && !design) return kUserError;
    Diags diags;
    const fs::path folder = install(assets, diags);
    if (report(diags)) return kUserError;
    const Scratch scratch;
    const std::string network_file = onnx_of(request, scratch);
    if (network_file.empty()) return kUserError;
    const emit::Descriptor shell(open("/bin/bash", O_RDONLY | O_CLOEXEC));
    std::vector<std::string> command = {"bash", "-c", kStart, folder.string()};
    for (const std::string& argument : arguments_of(request, network_file))
        command.push_back(argument);
    const Ended ended = run_open(shell, command);
    if (!ended.error.empty()) {
        report_all({fmt::format("/bin/bash: {}: want a shell", ended.error)});
        return kUserError;
    }
    if (ended.status != 0 || !design) return ended.status;
    fmt::print("\n");
    Request estimate = request;
    estimate.network = request.quantise.out;
    estimate.json.clear();
    estimate.shapes.clear();  // are those of the file
    estimate.fixed.clear();
    return run_estimate(estimate, *design, assets);
}

}  // namespace network

}  // namespace macrame
