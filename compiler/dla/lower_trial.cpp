/// What is tried and perhaps undone.

#include <utility>

#include "compiler/dla/lower.hpp"
#include "compiler/dla/passes.hpp"

namespace macrame::dla::compiler {

Lowering::Mark Lowering::mark() const {
    return {layers.size(), buffers.size(), exactness.size(), locations_, gathered_};
}

void Lowering::undo(const Mark& mark) {
    layers.resize(mark.layers);
    buffers.resize(mark.buffers);
    exactness.resize(mark.exactness);
    locations_ = mark.locations;
    gathered_ = mark.gathered;
}

std::uint64_t Lowering::cycles_since(const Mark& mark) const {
    const auto first = static_cast<int>(mark.layers);
    std::vector<Layer> made(layers.begin() + first, layers.end());
    for (Layer& layer : made) {
        std::vector<int> after;
        for (const int other : layer.after)
            if (other >= first) after.push_back(other - first);
        layer.after = std::move(after);
    }
    return finished_cycles(sizes_, without_contents(buffers), std::move(made));
}

}  // namespace macrame::dla::compiler
