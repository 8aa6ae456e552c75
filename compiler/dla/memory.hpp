#pragma once
/// Places buffers in the block of a program.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/memory.hpp"

namespace macrame::dla::compiler {

/// A piece of memory.
struct Buffer {
    std::string name;
    std::uint64_t bytes = 0;
    /// What lies there in front of the first layer; empty: nothing. Constants, and borders around
    /// what layers write.
    std::vector<std::uint8_t> contents;
    bool keep = false;  ///< of inputs and outputs: never shared
    // Layers that write and read it first and last; filled in by plan_memory().
    int first = -1, last = -1;
    bool written = false;  ///< by a layer or the host; filled in by plan_memory()
    std::uint64_t offset = 0;
    bool state = false;  ///< an input that is an output, too
    bool there = false;  ///< in the memory of other programs; filled in by plan_memory()

    /// Is it the same at all times? Then programs may share it.
    bool is_constant() const { return !contents.empty() && !written; }
};

/// Weights begin at multiples of it (NVDLA memory formats); all buffers do.
constexpr std::uint64_t kWeightAlignment = 256;

/// Gives each buffer its offset, buffers that are not alive at the same time share memory, and puts
/// it into all places of the layers. Adds what sharing makes layers wait for. Returns where they
/// end: those with contents, and states, from `own_begin` on or where they are `there` already, the
/// others from 0 on; without it, all of them.
macrame::compiler::Ends plan_memory(std::vector<Buffer>& buffers, std::vector<Layer>& layers,
                                    std::optional<std::uint64_t> own_begin = std::nullopt,
                                    const macrame::compiler::Shared* there = nullptr);

}  // namespace macrame::dla::compiler
