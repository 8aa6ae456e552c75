#pragma once
/// A compiled network in the family's own form: instructions, constants, where inputs and outputs
/// lie in DRAM0.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/tcu/instructions.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/run/device.hpp"

namespace macrame::tcu::compiler {

/// An input or output: vectors of DRAM0 in the order of files, pixel after pixel, the channels of
/// each in whole vectors.
struct Port {
    std::string name;
    graph::TensorId tensor = graph::kNone;
    int height = 1, width = 1, channels = 1;
    double factor = 1;         ///< scalars are the real values times this
    std::vector<int> vectors;  ///< addresses; kNowhere: zeros
    int pack = 1;              ///< pixels of a line that count as one, as in TensorLayout

    static constexpr int kNowhere = -1;
    int blocks(int lanes) const { return (channels * pack + lanes - 1) / lanes; }
    /// Vectors that lie somewhere.
    std::size_t stored() const {
        return vectors.size() -
               static_cast<std::size_t>(std::count(vectors.begin(), vectors.end(), kNowhere));
    }
};

struct TcuProgram : macrame::compiler::OwnProgram {
    Architecture architecture;
    bool constants_in_local = false;  ///< to be copied there from DRAM1 before the first run
    Instructions instructions;
    std::vector<int> layers;              ///< by instruction
    std::vector<std::int32_t> constants;  ///< codes of vectors
    std::uint64_t constants_begin = 0;    ///< vector of DRAM1
    std::vector<Port> inputs, outputs;

    std::vector<macrame::compiler::CodedTensor> coded_inputs() const override;
    std::vector<macrame::compiler::CodedTensor> coded_outputs() const override;
};

/// When each layer had its last result in local memory, of the times `moved` of all
/// micro-operations that bring results there: one for each block of `local_block` vectors. Empty if
/// their number is another one.
std::vector<std::uint64_t> layer_ends(const TcuProgram& program, int local_block,
                                      const std::vector<std::uint64_t>& moved);

/// Instructions as the stream has them.
std::vector<std::uint8_t> stream(const TcuProgram& program);

/// The files that drivers load, by name: NAME.tmodel, .tprog, .tdata; NAME.tasm for people.
std::map<std::string, std::string> files(const TcuProgram& program, const std::string& name);

/// Takes a file in pieces, one file after the other; false: it cannot.
using Write = std::function<bool(const std::string& file, std::string_view piece)>;
/// The same files, in less memory.
bool write_files(const TcuProgram& program, const std::string& name, const Write& write);

/// The same of programs that share DRAM1: `name`.tdata has the constants of all, which each .tmodel
/// wants loaded.
std::map<std::string, std::string> files(
    const std::vector<std::pair<std::string, const TcuProgram*>>& programs,
    const std::string& name);

/// Vectors of all inputs back to back in DRAM coding for the elements of their tensors; elements of
/// the tensors of all outputs for their vectors.
std::vector<std::uint8_t> encode_inputs(const graph::Graph& graph, const TcuProgram& program,
                                        const std::vector<graph::Bytes>& inputs);
std::vector<graph::Bytes> decode_outputs(const graph::Graph& graph, const TcuProgram& program,
                                         const std::vector<std::uint8_t>& vectors);

/// Is told after some instructions of which layer they were.
using AfterLayer = std::function<void(int layer)>;

/// Elements of the graph's tensors for its inputs, from a run on a device with these memories. The
/// device is reset before. `error` is one line, empty if it ran to its end. With `after`, which is
/// for the golden model, instructions run layer by layer.
std::vector<graph::Bytes> run(const graph::Graph& graph, const TcuProgram& program,
                              tcu::run::Device& device, tcu::run::Banks banks,
                              const std::vector<graph::Bytes>& inputs, std::string& error,
                              const AfterLayer& after = nullptr);

}  // namespace macrame::tcu::compiler
