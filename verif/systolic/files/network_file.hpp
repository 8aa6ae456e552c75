#pragma once
/// Compiled networks: NAME.json of `macrame compile` and the memory that it names.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::files {

/// Bytes of an input or output, and where they lie.
struct NetworkPort {
    std::string name;
    std::int64_t address = 0;  ///< of pixel 0, 0, channel 0 of its plane
    std::int64_t height = 1, width = 1, channels = 1;
    std::int64_t block = 1;          ///< channels of a plane
    std::int64_t first_channel = 0;  ///< channel 0 is this one of the planes
    std::int64_t pixel_bytes = 1, line_bytes = 1, plane_bytes = 1;

    /// Row by row, column by column, channel by channel.
    std::vector<std::uint64_t> addresses() const;
};

/// So many instructions of a layer of the network.
struct NetworkLayer {
    std::size_t layer = 0;
    std::size_t instructions = 0;
};

struct NetworkProgram {
    std::uint64_t address = 0;
    std::vector<Instruction> instructions;
    std::vector<NetworkLayer> layers;  ///< in the order of the stream
};

/// Programs run one after the other on the memory.
struct Network {
    std::string name;
    std::vector<std::uint8_t> memory;  ///< from address 0; instructions are in it
    std::vector<NetworkProgram> programs;
    std::vector<NetworkPort> inputs, outputs;
};

/// What programs of a machine depend on, as headers and files have it.
struct Identity {
    std::uint32_t hash = 0;  ///< 0: not known
    std::string parameters;  ///< that it is a hash of: lines "name=value"
};

/// Mistakes go to `errors`; also that it is made for another architecture or identity.
std::optional<Network> read_network(const std::string& path, const Architecture& architecture,
                                    std::vector<std::string>& errors,
                                    const Identity& identity = {});

}  // namespace macrame::systolic::files
