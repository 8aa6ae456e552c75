#pragma once
/// A compiled network: programs that run one after the other, and the memory that they work on.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/systolic/layer.hpp"
#include "verif/systolic/files/network_file.hpp"
#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic::compiler {

/// An input or output of the network. Elements lie where `surface` says; in files row by row,
/// column by column, channel by channel.
struct Port {
    std::string name;
    graph::TensorId tensor = graph::kNone;
    TensorLayout surface;
};

/// Each begins and ends with empty token queues.
struct Program {
    Program() = default;
    Program(const std::vector<Instruction>& instructions, std::vector<files::NetworkLayer> its);

    std::size_t size() const { return words.size(); }
    std::vector<Instruction> instructions() const;

    std::vector<Word> words;  ///< of the instructions, which take more than twenty times as much
    std::vector<files::NetworkLayer> layers;  ///< in the order of the stream
};

/// Memory in front of a run, from address 0. What is not told of is zero.
struct InitialMemory {
    /// A picture with its border.
    struct Fill {
        std::uint64_t address = 0, bytes = 0;
        std::uint8_t value = 0;
    };
    std::vector<Fill> fills;
    std::uint64_t constants_begin = 0;
    std::vector<std::uint8_t> constants;  ///< behind all else

    std::uint64_t size() const { return constants_begin + constants.size(); }
};

struct SystolicProgram : macrame::compiler::OwnProgram {
    Architecture architecture;
    std::uint32_t identity = 0;  ///< of what the programs depend on; 0: any hardware
    std::string parameters;      ///< that it is a hash of: lines "name=value"
    std::vector<Program> programs;
    InitialMemory memory;
    std::uint64_t own_begin = 0;  ///< in front of it lies what programs share
    std::vector<Port> inputs, outputs;

    std::optional<macrame::compiler::ImageProgram> image() const override;
};

/// Where the instructions of a program may begin behind that.
std::uint64_t program_begin(std::uint64_t bytes);

/// Bytes of the memory with all instructions behind it.
std::uint64_t image_bytes(const SystolicProgram& program);

/// By name: NAME.bin, the memory with all instructions behind it; NAME.json, which tells where
/// what lies; NAME.hex, NAME.1.hex, ..., the programs.
std::map<std::string, std::string> files(const SystolicProgram& program, const std::string& name);

/// Takes a file in pieces, one file after the other; false: it cannot.
using Write = std::function<bool(const std::string& file, std::string_view piece)>;
/// The same files, in less memory.
bool write_files(const SystolicProgram& program, const std::string& name, const Write& write);

/// The same of programs that share memory: `name`.bin, and for each the other files by its own
/// name.
std::map<std::string, std::string> files(
    const std::vector<std::pair<std::string, const SystolicProgram*>>& programs,
    const std::string& name);

/// Elements of all inputs, one after the other; tensors of all outputs.
std::vector<std::uint8_t> encode_inputs(const std::vector<graph::Bytes>& inputs);
std::vector<graph::Bytes> decode_outputs(const SystolicProgram& program,
                                         const std::vector<std::uint8_t>& bytes);
std::size_t output_bytes(const SystolicProgram& program);

/// Outputs for inputs, on the functional simulator in the order of the stream. `error` is one line,
/// empty if it came to its end.
std::vector<graph::Bytes> run(const SystolicProgram& program,
                              const std::vector<graph::Bytes>& inputs, std::string& error);

}  // namespace macrame::systolic::compiler
