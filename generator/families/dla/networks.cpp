/// Networks on the dla family.

#include "compiler/dla/compile.hpp"
#include "compiler/dla/trace.hpp"
#include "core/design.hpp"
#include "emit/sizes.hpp"
#include "families/dla/family.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla {

namespace {

model::DeviceSizes device_sizes(const Design& design) {
    return model::device_sizes_of(emit::numbers(design));
}

macrame::compiler::Compiled compile(const Design& design, const graph::Graph& graph) {
    macrame::compiler::Compiled made = compiler::compile(graph, device_sizes(design));
    made.program.configuration = design.name;
    return made;
}

/// The golden model and what it may address at its second port.
struct Machine : verif::Device {
    Machine(const model::DeviceSizes& sizes, verif::Memory& memory)
        : device(sizes, memory, sizes.secondary ? &secondary : nullptr) {}
    void reset() override { device.reset(); }
    void csb_write(std::uint32_t addr, std::uint32_t data, bool posted) override {
        device.csb_write(addr, data, posted);
    }
    std::uint32_t csb_read(std::uint32_t addr) override { return device.csb_read(addr); }
    bool interrupt() override { return device.interrupt(); }
    void advance(int n) override { device.advance(n); }
    std::uint64_t cycle() override { return device.cycle(); }

    verif::Memory secondary{"sec_mem"};
    model::Device device;
};

std::unique_ptr<verif::Device> make_model(const Design& design, verif::Memory& memory) {
    return std::make_unique<Machine>(device_sizes(design), memory);
}

/// Bytes from a tensor's first to its last group.
std::uint64_t span(const program::Tensor& t) {
    const std::uint32_t surfaces = (t.channels + t.group - 1) / t.group;
    return std::uint64_t{surfaces - 1} * t.surface_stride +
           std::uint64_t{t.height - 1} * t.line_stride + std::uint64_t{t.width} * t.pixel_stride;
}

/// An input as it lies in memory.
compiler::TraceData in_memory(const program::Tensor& t, const std::vector<std::uint8_t>& packed) {
    compiler::TraceData out{t.offset, {}};
    out.bytes.assign(span(t), static_cast<std::uint8_t>(t.filler));
    std::size_t from = 0;
    for (std::uint32_t y = 0; y < t.height; ++y) {
        for (std::uint32_t x = 0; x < t.width; ++x) {
            for (std::uint32_t c = 0; c < t.channels; ++c) {
                const std::uint64_t to = c / t.group * std::uint64_t{t.surface_stride} +
                                         y * std::uint64_t{t.line_stride} +
                                         x * std::uint64_t{t.pixel_stride} + c % t.group;
                out.bytes[to] = packed[from++];
            }
        }
    }
    return out;
}

std::map<std::string, std::string> traces(const program::Program& program, const std::string& name,
                                          const std::vector<std::vector<std::uint8_t>>& inputs,
                                          const verif::Memory& after, std::uint64_t block) {
    std::vector<compiler::TraceData> in, out;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        in.push_back(in_memory(program.inputs[i], inputs[i]));
    for (const program::Tensor& t : program.outputs)
        out.push_back({t.offset, after.dump(block + t.offset, span(t))});
    return compiler::to_trace(program, name, block, in, out);
}

}  // namespace

const Networks& networks() {
    static const Networks kNetworks{compile, make_model, traces};
    return kNetworks;
}

}  // namespace macrame::dla
