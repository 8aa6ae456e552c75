#pragma once
/// Networks for programs: compiled for a configuration, and run.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.hpp"

namespace macrame::api {

/// As the options of the command line.
struct SessionOptions {
    bool exact = false;    ///< the reference's bytes, also where that is slower
    bool no_host = false;  ///< what the hardware cannot do is an Error
    bool layers = false;   ///< tensors of layers stay in memory, for the golden model's run()
    std::string strategy;  ///< one of the family's; empty: its first
    std::map<std::string, std::vector<int>> shapes;  ///< of inputs that the file leaves open
};

/// An input or output as the file declares it.
struct Value {
    std::string name;
    std::vector<int> shape;
    std::string type;  ///< "float32", "int8", ...
};

/// A tensor at the end of a layer, as the file has it.
struct LayerTensor {
    std::string kind;  ///< of the operator: "CONV_2D"; of inputs "input"
    Value value;
    std::string elements;  ///< little-endian
};

/// What runs the programs of the accelerator.
enum class Machine {
    golden_model,
    design  ///< Verilated; built once, in the user's cache
};

/// A network on a configuration. States that a network keeps go on from run to run. Threads that
/// run the same one wait for each other.
class MACRAME_API Session {
public:
    /// Reads and compiles; an Error says what is refused.
    Session(Configuration configuration, const std::string& network,
            const SessionOptions& options = {}, Machine machine = Machine::golden_model);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const std::vector<Value>& inputs() const { return inputs_; }
    const std::vector<Value>& outputs() const { return outputs_; }

    /// Elements of the outputs for those of the inputs, row by row, little-endian. `layers` becomes
    /// what `macrame run --layers` writes: the inputs, then what each operator of the file writes;
    /// an Error of the design, and where the options have no `layers`.
    std::vector<std::string> run(const std::vector<std::string_view>& inputs,
                                 std::vector<LayerTensor>* layers = nullptr);
    /// States are as at the start.
    void reset();

    /// Of the last run on the design.
    std::optional<std::uint64_t> cycles() const { return cycles_; }
    /// What `macrame estimate --json` writes.
    std::string estimate(int host_mhz = 1000) const;
    /// What `macrame compile` writes of each program of the hardware, by name.
    std::map<std::string, std::string> programs() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    std::vector<Value> inputs_, outputs_;
    std::optional<std::uint64_t> cycles_;
};

}  // namespace macrame::api
