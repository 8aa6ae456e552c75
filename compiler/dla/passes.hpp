#pragma once
/// The state that passes work on, and those that follow the choice of layers: trials of others run
/// them, too.

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/graph/graph.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

class Lowering;

/// A network while it becomes a program.
struct State {
    const model::Architecture& sizes;
    macrame::compiler::Options options = {};
    const graph::Graph* graph = nullptr;  ///< trials have none
    std::shared_ptr<const graph::Graph> columns =
        {};                                   ///< `graph`, where columns are channels of it
    macrame::compiler::Memo memo = {};        ///< where the options have none
    std::shared_ptr<Lowering> lowering = {};  ///< where tensors lie; trials have none
    std::vector<Layer> layers = {};
    std::vector<Buffer> buffers = {};
    macrame::compiler::Compiled result = {};
};

/// What layers really wait for.
void limit_dependencies(State& state);
/// Convolutions that can share the banks of CBUF do.
void share_banks(State& state);
/// Offsets of buffers.
void place_buffers(State& state);
/// Register writes and waits.
void schedule(State& state);
/// Cycles of layers.
void estimate(State& state);

/// Buffers for a trial: what they hold does not matter for time.
std::vector<Buffer> without_contents(const std::vector<Buffer>& buffers);
/// Cycles of these layers behind the passes above.
std::uint64_t finished_cycles(const model::Architecture& sizes, std::vector<Buffer> buffers,
                              std::vector<Layer> layers);

}  // namespace macrame::dla::compiler
