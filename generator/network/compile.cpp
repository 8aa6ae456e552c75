#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli.hpp"
#include "compiler/host_c/host_c.hpp"
#include "emit/file_io.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "network/commands.hpp"
#include "network/exactness.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "network/parts_file.hpp"
#include "network/report/report.hpp"
#include "network/runner.hpp"
#include "network/work.hpp"

namespace macrame::network {

namespace fs = std::filesystem;

namespace {

bool write_report(const Request& request, const Network& network, const Design& design) {
    if (request.report.empty()) return true;
    ReportInput page{network, design};
    page.host_mhz = request.host_mhz;
    page.advice = advice(network, design);
    return write(request.report, html(page));
}

/// The inputs that were given, as the family's simulator takes them, of each program.
bool add_inputs(const Request& request, const Design& design, const Network& network,
                std::map<std::string, std::string>& files) {
    if (request.input.empty()) return true;
    const auto inputs = read_inputs(request, network);
    if (!inputs) return false;
    const Target& target = *design.family.target;
    Runner runner(design, network);
    for (const Input& input : *inputs) {
        std::size_t program = 0;
        const bool done = runner.run_programs(
            input.tensors, [&](const compiler::Part& part, const std::vector<Bytes>& tensors) {
                files[program_name(network, program++) + ".inputs.bin"] +=
                    view(target.encode_inputs(part.cut.graph, part.compiled, tensors));
            });
        if (!done) return false;
    }
    return true;
}

bool write_files(const fs::path& folder, const std::map<std::string, std::string>& files) {
    return std::all_of(files.begin(), files.end(),
                       [&](const auto& file) { return write(folder / file.first, file.second); });
}

/// Files that come in pieces, one after the other.
class PieceWriter {
public:
    explicit PieceWriter(fs::path folder) : folder_(std::move(folder)) {}

    std::size_t files() const { return files_; }
    bool add(const std::string& name, std::string_view piece) {
        if (files_ == 0 || name != name_) {
            if (!close()) return false;
            name_ = name;
            ++files_;
            std::error_code code;
            fs::remove(folder_ / name, code);
            stream_.open(folder_ / name, std::ios::binary);
        }
        stream_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
        return stream_.good() || failed();
    }
    /// What was written is there.
    bool close() {
        if (!stream_.is_open()) return true;
        stream_.close();
        return stream_.good() || failed();
    }

private:
    bool failed() const {
        return !report_all({fmt::format("{}: cannot write: {}", (folder_ / name_).string(),
                                        emit::error_text(errno))});
    }

    fs::path folder_;
    std::string name_;
    std::ofstream stream_;
    std::size_t files_ = 0;
};

/// Of register writes, if somebody wants them: a trace has an input - zero points where there is
/// none - and what the golden model makes of it.
bool add_traces(const Request& request, const Design& design, const Network& network,
                std::map<std::string, std::string>& files) {
    if (!request.trace && request.input.empty()) return true;
    std::vector<Bytes> zeros;
    for (const graph::TensorId id : network.graph.inputs) {
        const graph::Tensor& tensor = network.graph.tensor(id);
        const std::vector<std::int32_t>& zero = tensor.quantisation.zero_point;
        zeros.emplace_back(tensor.bytes(), static_cast<std::uint8_t>(zero.empty() ? 0 : zero[0]));
    }
    for (std::size_t i = 0; i < network.graph.states.size(); ++i)
        zeros[network.graph.own_inputs() + i] = network.graph.states[i].bytes();
    if (!request.input.empty()) {
        const auto inputs = read_inputs(request, network);
        if (!inputs) return false;
        zeros = inputs->front().tensors;
    }
    std::size_t calls = 0;
    for (const compiler::Part& part : network.parts)
        calls += part.compiled.host.size();
    if (calls != 0) {
        fmt::print("no trace: the host runs {} operators between those of the hardware\n", calls);
        return true;
    }
    Runner runner(design, network);
    std::vector<std::vector<Bytes>> inputs;
    if (!runner.run(zeros, nullptr, [&](const compiler::Part&, const std::vector<Bytes>& tensors) {
            inputs.push_back(tensors);
        }))
        return false;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        files.merge(runner.program(i).traces(program_name(network, i), inputs[i]));
    return true;
}

/// The driver of the family has its tables from the C.
bool has_image(const Network& network) {
    return std::any_of(network.parts.begin(), network.parts.end(), [](const auto& part) {
        return part.compiled.own != nullptr && part.compiled.own->image();
    });
}

/// The host's share as C99; what has no function in C is told.
void add_host_c(const Network& network, std::map<std::string, std::string>& files) {
    compiler::host_c::Written made =
        compiler::host_c::write(network.graph, network.parts, network.name);
    if (made.problem.empty())
        fmt::print("{0}_host.c: the host's share in C99, {1} KiB of memory beside the tables\n",
                   network.name, (made.memory_bytes + 1023) / 1024);
    else
        fmt::print("no {}_host.c: {}: want it computed by whoever runs {}.parts.json\n",
                   network.name, made.problem, network.name);
    files.merge(made.files);
}

/// What is of one network, beside its programs.
bool add_files(const Request& request, const Design& design, const Network& network, bool several,
               std::map<std::string, std::string>& files) {
    const Target& target = *design.family.target;
    const bool registers = target.writes_registers();
    if (!(registers ? add_traces : add_inputs)(request, design, network, files)) return false;
    const std::string ending(target.program_ending());
    const std::string parts =
        parts_text(network, ending, several && registers ? kSeveral + ending : "");
    if (!parts.empty()) {
        files[network.name + ".parts.json"] = parts;
        add_host_c(network, files);
    } else if (has_image(network)) {
        add_host_c(network, files);
    }
    if (!write_report(request, network, design)) return false;
    const std::vector<std::string>& warnings = network.compiled.original_warnings;
    if (!registers) {
        for (const std::string& warning : warnings)
            fmt::print("{}\n", warning);
    } else if (!warnings.empty()) {
        fmt::print("the original hardware may not run {} layers: {}\n", warnings.size(),
                   warnings.front());
    }
    return true;
}

/// The programs: of one network in files of their own, of several in one. Adds the number of files.
bool write_programs(const Target& target, const std::vector<Network>& networks,
                    const fs::path& folder, std::size_t& count) {
    const std::vector<SharedProgram> programs = shared_programs(networks);
    if (networks.size() > 1) {
        const Target::Files files = target.files(programs, kSeveral);
        count += files.size();
        return write_files(folder, files);
    }
    PieceWriter writer(folder);
    const auto take = [&](const std::string& file, std::string_view piece) {
        return writer.add(file, piece);
    };
    const bool good = std::all_of(programs.begin(), programs.end(), [&](const SharedProgram& one) {
        return target.write_files(*one.compiled, one.name, take);
    });
    count += writer.files();
    return good && writer.close();
}

/// Layers of all networks, and the memory that their programs need together.
std::string sizes_text(const std::vector<Network>& networks, bool registers) {
    std::size_t layers = 0;
    std::uint64_t memory = 0;
    for (const Network& network : networks) {
        layers += network.compiled.layers.size();
        memory = std::max(memory, network.compiled.program.memory_bytes);
    }
    if (networks.size() > 1)
        for (const SharedProgram& one : shared_programs(networks))
            memory = std::max(memory, one.compiled->program.memory_bytes);
    return fmt::format("{} layers{}", layers,
                       registers ? fmt::format(", {} KiB of memory", memory / 1024) : "");
}

}  // namespace

int run_compile(const Request& request, const Design& design, const emit::Assets&) {
    const std::vector<Network> networks = load_all(request, design);
    if (networks.empty()) return kUserError;
    const bool several = networks.size() > 1;
    const fs::path out(request.out);
    std::error_code code;
    const bool made = fs::create_directories(out, code);
    if (code) {
        report_all({fmt::format("{}: {}: want a folder", request.out, code.message())});
        return kUserError;
    }
    const auto failed = [&] {
        if (made) fs::remove(out, code);
        return kUserError;
    };
    const Target& target = *design.family.target;
    Target::Files files;
    for (const Network& network : networks) {
        fmt::print("{}{}\n", several ? network.title + ": " : "",
                   text_of(network, work_of(network), request.host_mhz));
        if (!add_files(request, design, network, several, files)) return failed();
    }
    std::size_t count = files.size();
    if (!write_programs(target, networks, out, count) || !write_files(out, files)) return failed();
    fmt::print("{}: {} files, {}\n", request.out, count,
               sizes_text(networks, target.writes_registers()));
    for (const Network& network : networks)
        fmt::print("{}{}\n", several ? network.title + ": " : "", exactness_text(network));
    return kPassed;
}

}  // namespace macrame::network
