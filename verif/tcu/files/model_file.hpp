#pragma once
/// .tmodel files: what a compiled network consists of.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::files {

/// A run of vectors. Objects that are not contiguous have several of the same name.
struct Segment {
    std::string name;  ///< of an input or output; the file of constants
    std::uint64_t base = 0;
    std::uint64_t size = 0;  ///< vectors
};

struct Model {
    std::string name;
    std::string program_file;  ///< relative to the folder of the .tmodel
    std::uint64_t program_bytes = 0;
    std::vector<Segment> constants;  ///< one; in DRAM1, or in local memory, see below
    std::vector<Segment> inputs;     ///< in DRAM0
    std::vector<Segment> outputs;
    Architecture architecture;
    bool constants_to_local = false;  ///< to be copied from DRAM1 to local memory at the same base

    std::uint64_t input_vectors() const;
    std::uint64_t output_vectors() const;
};

/// The model that `text` is, of the file of that name. Mistakes go to `errors`.
std::optional<Model> parse_model(std::string_view text, const std::string& file,
                                 std::vector<std::string>& errors);

std::optional<Model> read_model(const std::string& path, std::vector<std::string>& errors);

/// One line of JSON, keys in the order of the original.
std::string model_text(const Model& model);

}  // namespace macrame::tcu::files
