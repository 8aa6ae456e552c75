/// A network in the firmware of a system on chip (fpga/soc/firmware).

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/host_c/host_c.hpp"
#include "compiler/host_c/names.hpp"
#include "families/family.hpp"
#include "families/target.hpp"
#include "fpga/support.hpp"
#include "network/commands.hpp"
#include "network/cycles.hpp"
#include "network/inputs.hpp"
#include "network/network.hpp"
#include "network/parts_file.hpp"

namespace macrame::network {

namespace {

constexpr std::string_view kFolder = "network/";
constexpr int kRamLatency = 2;  ///< of fpga/soc/shared_ram.py, in cycles

bool complain(const Network& network, const std::string& problem) {
    report_all({fmt::format("{}: {}", network.title, problem)});
    return false;
}

/// network.S: the files of the programs and the inputs as they are, with tables of where they are.
std::string data_text(const std::vector<std::string>& files,
                      const std::vector<std::string>& inputs) {
    std::string tables =
        "# The network of the firmware, made by macrame soc.\n"
        "    .section .rodata\n    .balign 8\n"
        "    .global network_files, network_inputs\nnetwork_files:\n";
    std::string data;
    const auto add = [&data](const std::string& label, const std::string& file) {
        data += fmt::format("    .balign 8\n{0}:\n    .incbin \"{1}{2}\"\n{0}_end:\n", label,
                            kFolder, file);
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
        tables += fmt::format("    .word file{0}, file{0}_end - file{0}\n", i);
        add(fmt::format("file{}", i), files[i]);
    }
    tables += "network_inputs:\n";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        tables += fmt::format("    .word input{}\n", i);
        add(fmt::format("input{}", i), inputs[i]);
    }
    return tables + data;
}

/// Cycles of the accelerator at the memory of the system; nothing after an error, which is printed.
std::optional<std::uint64_t> estimate(Request request, const Design& design) {
    if (design.family.target->takes_latency()) request.latency = kRamLatency;
    request.memory_bytes_per_cycle = design.family.boards->processor_port(design).memory_bits / 8.0;
    const auto network = load(request, design);
    std::optional<Measured> model;
    if (!network || !model_cycles(*network, design, model)) return std::nullopt;
    return model ? model->cycles : network->compiled.cycles();
}

/// network.h: beside what the header of the network's C has.
std::string header_text(const Network& network, std::uint64_t cycles) {
    std::string sizes;
    std::uint64_t words = 0;
    for (std::size_t i = 0; i < network.graph.own_outputs(); ++i) {
        sizes += fmt::format("{}NETWORK_OUTPUT_{}_BYTES", i == 0 ? "" : ", ", i);
        words += (network.graph.tensor(network.graph.outputs[i]).bytes() + 7) / 8;
    }
    return fmt::format(
        "/* The network of the firmware, made by macrame soc. */\n"
        "#ifndef NETWORK_H\n#define NETWORK_H\n\n#include \"network_host.h\"\n\n"
        "#define NETWORK_NAME {}\n#define NETWORK_OUTPUT_BYTES {}\n"
        "#define NETWORK_OUTPUT_WORDS {} /* of 64 bits */\n"
        "#define NETWORK_ESTIMATE {}u /* cycles of the accelerator */\n\n#endif\n",
        compiler::host_c::quoted(network.title), sizes, words, cycles);
}

}  // namespace

bool add_firmware(const Request& request, const Design& design, emit::OutputSet& files) {
    auto network = load(request, design);
    if (!network) return false;
    network->name = "network";  // of files and in C, whatever its own is
    const auto inputs = read_inputs(request, *network);
    if (!inputs) return false;
    if (inputs->size() != 1)
        return complain(*network, fmt::format("{} inputs: want one (--input)", inputs->size()));
    compiler::host_c::Written share =
        compiler::host_c::write(network->graph, network->parts, network->name);
    if (!share.problem.empty())
        return complain(*network, fmt::format("{}: want operators that the firmware can compute",
                                              share.problem));
    std::map<std::string, std::string> made = std::move(share.files);
    std::vector<std::string> listed, tensors;
    const std::vector<Network> alone = {*network};
    for (const SharedProgram& program : shared_programs(alone)) {
        Target::Files own = design.family.target->files(*program.compiled, program.name);
        for (const std::string_view ending : design.family.boards->firmware_files) {
            listed.push_back(program.name + std::string(ending));
            made[listed.back()] = std::move(own.at(listed.back()));
        }
    }
    if (listed.empty())
        return complain(*network, "no operator of it is for the hardware: want one at least");
    for (std::size_t i = 0; i < network->graph.own_inputs(); ++i) {
        tensors.push_back(fmt::format("input{}.bin", i));
        made[tensors.back()] = view(inputs->front().tensors[i]);
    }
    made["network.S"] = data_text(listed, tensors);
    const std::optional<std::uint64_t> cycles = estimate(request, design);
    if (!cycles) return false;
    made["network.h"] = header_text(*network, *cycles);
    for (auto& [path, bytes] : made)
        files.add(std::string(kFolder) + path, std::move(bytes));
    return true;
}

}  // namespace macrame::network
