#include "simulate.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "core/derived.hpp"
#include "emit/manifest.hpp"
#include "emit/sha256.hpp"
#include "verif/dla/run/platform.hpp"

namespace macrame {

namespace {

namespace fs = std::filesystem;

constexpr int kUserError = 2;
constexpr int kLogLines = 30;
constexpr const char* kPicture = "verif/dla/stimulus/knot.ppm";

/// Runs a program and waits. `log`: its output goes there; empty: to the terminal.
int run(const std::vector<std::string>& command, const std::string& log) {
    std::vector<char*> arguments;
    for (const std::string& word : command)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::cout.flush();
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!log.empty() && (std::freopen(log.c_str(), "w", stdout) == nullptr ||
                             dup2(fileno(stdout), fileno(stderr)) < 0)) {
            _exit(127);
        }
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

fs::path cache_folder() {
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != 0) {
        return fs::path(xdg) / "macrame";
    }
    const char* home = std::getenv("HOME");
    return fs::path(home != nullptr ? home : "/tmp") / ".cache" / "macrame";
}

void print_tail(const fs::path& log) {
    std::ifstream in(log);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    const std::size_t first = lines.size() > kLogLines ? lines.size() - kLogLines : 0;
    for (std::size_t i = first; i < lines.size(); ++i)
        std::cerr << "    " << lines[i] << "\n";
}

/// The sizes of the golden model and of the testbench; dla_params.hpp has them for a design.
dla::model::DeviceSizes device_sizes(const Config& config, const Derived& derived) {
    dla::model::DeviceSizes out;
    out.cfgrom_derived = config.cfgrom_words == "derived";
    out.atomic_c = derived.atomic_c;
    out.atomic_k = derived.atomic_k;
    out.atom_bytes = derived.atom_bytes;
    out.cbuf_banks = derived.cbuf_banks;
    out.entry_bytes = derived.entry_bytes;
    out.cbuf_depth = derived.cbuf_depth;
    out.bus_bytes = derived.bus_bytes;
    out.memif_latency = config.primary_memif_latency;
    out.max_burst = derived.max_burst;
    out.addr_w = derived.addr_w;
    out.sdp_lut = config.sdp_lut_enable;
    out.sdp_bs = config.sdp_bs_enable;
    out.sdp_bn = config.sdp_bn_enable;
    out.sdp_ew = config.sdp_ew_enable;
    out.sdp_bs_throughput = config.sdp_bs_throughput;
    out.sdp_bn_throughput = config.sdp_bn_throughput;
    out.sdp_ew_throughput = config.sdp_ew_throughput;
    out.pdp_throughput = config.pdp_throughput;
    out.cdp_throughput = config.cdp_throughput;
    out.image = config.image_enable;
    out.pdp = config.pdp_enable;
    out.cdp = config.cdp_enable;
    out.secondary = config.secondary_memif_enable;
    out.secondary_bus_bytes = config.secondary_memif_width / 8;
    out.secondary_latency = config.secondary_memif_latency;
    out.secondary_max_burst = config.secondary_memif_max_burst_length;
    return out;
}

}  // namespace

int simulate_model(const Config& config, dla::run::SimulateOptions options, const emit::Assets& assets) {
    const dla::run::Platform platform =
        dla::run::make_platform(config.name, device_sizes(config, derive(config)));
    if (options.picture && options.picture_in.empty()) {
        options.picture_in = (fs::temp_directory_path() / "macrame_picture.ppm").string();
        std::ofstream(options.picture_in, std::ios::binary) << assets.read(kPicture).value_or("");
    }
    return dla::run::simulate(options, platform);
}

int simulate_design(const Config& config, const emit::OutputSet& set,
                    const dla::run::SimulateOptions& options, const std::string& folder) {
    const std::string digest = emit::sha256(emit::manifest(config, set));
    const fs::path out = folder.empty()
                             ? cache_folder() / (config.name + "-" + digest.substr(0, 12))
                             : fs::path(folder);
    const emit::WriteReport written = emit::write(set, out, emit::stale_files(out, set));
    for (const Diag& diag : written.diags)
        std::cerr << "macrame: " << diag.text << "\n";
    if (!written.diags.empty()) return kUserError;

    const std::string kind = options.wave.empty() ? "build" : "build-waves";
    const fs::path log = out / "tb" / (kind + ".log");
    if (!fs::exists(out / "tb" / kind / "sim")) {
        std::cout << "building " << (out / "tb").string() << " (once for this configuration)\n";
    }
    std::vector<std::string> make = {"make", "-C", (out / "tb").string(), "-j2"};
    if (!options.wave.empty()) make.emplace_back("WAVES=1");
    if (const int status = run(make, log.string()); status != 0) {
        std::cerr << "macrame: the build failed (make: exit status " << status << "), end of "
                  << log.string() << ":\n";
        print_tail(log);
        return kUserError;
    }
    std::vector<std::string> command = dla::run::to_arguments(options);
    command.insert(command.begin(), (out / "tb" / kind / "sim").string());
    return run(command, "");
}

}  // namespace macrame
