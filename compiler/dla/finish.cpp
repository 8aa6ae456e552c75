#include "compiler/dla/finish.hpp"

#include <numeric>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/dependencies.hpp"
#include "compiler/dla/schedule.hpp"

namespace macrame::dla::compiler {

void finish(const model::DeviceSizes& sizes, std::vector<Buffer>& buffers,
            std::vector<Layer>& layers, program::Program& program) {
    limit_dependencies(sizes, layers);
    share_banks(sizes, layers);
    program.memory_bytes = plan_memory(buffers, layers);
    program.commands = schedule(sizes, layers);
    estimate(sizes, program.commands, layers);
}

std::vector<Buffer> without_contents(const std::vector<Buffer>& buffers) {
    std::vector<Buffer> out;
    for (const Buffer& buffer : buffers) {
        const bool keep = buffer.keep || !buffer.contents.empty();
        out.push_back({buffer.name, buffer.bytes, {}, keep, -1, -1, 0});
    }
    return out;
}

std::uint64_t finished_cycles(const model::DeviceSizes& sizes, std::vector<Buffer> buffers,
                              std::vector<Layer> layers) {
    program::Program program;
    finish(sizes, buffers, layers, program);
    return std::accumulate(
        layers.begin(), layers.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Layer& layer) { return sum + layer.cycles; });
}

}  // namespace macrame::dla::compiler
