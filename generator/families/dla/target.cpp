/// Networks on the dla family.

#include "families/target.hpp"

#include "compiler/dla/compile.hpp"
#include "compiler/dla/trace.hpp"
#include "core/design.hpp"
#include "emit/sizes.hpp"
#include "families/dla/config.hpp"
#include "families/dla/family.hpp"
#include "families/dla/units.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla {

namespace {

using macrame::compiler::Compiled;
using macrame::compiler::Options;

model::Architecture architecture(const Design& design) {
    return model::architecture_of(emit::numbers(design));
}

/// Where the hardware may tell its identity: designs without a register for it read 0 where others
/// of the same units have it among the words of their ROM.
std::uint32_t identity_word(const Design& design) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const std::uint32_t own = design.identity_register();
    return own != 0 || has_v1_map(config) ? own : cfgrom_identity_offset(config);
}

Compiled compile(const Design& design, const graph::Graph& graph, const Options& options) {
    model::Architecture sizes = architecture(design);
    const Config& config = std::any_cast<const Config&>(design.config);
    // Of a driver that waits for each answer.
    if (config.control_bus != "csb") sizes.control_cycles = 18;
    Compiled made = compiler::compile(graph, sizes, options);
    made.program.configuration = design.name;
    made.program.identity = design.identity();
    made.program.parameters = design.program_parameters();
    made.program.identity_register = identity_word(design);
    made.program.address_bits = static_cast<std::uint32_t>(sizes.addr_w);
    return made;
}

/// The golden model and what it may address at its second port.
struct GoldenModel : verif::Device {
    GoldenModel(const model::Architecture& sizes, verif::Memory& memory)
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

/// An input as it lies in memory.
compiler::TraceData in_memory(program::Tensor tensor, const std::vector<std::uint8_t>& packed) {
    compiler::TraceData out{tensor.offset, std::vector<std::uint8_t>(program::span(tensor))};
    tensor.offset = 0;
    program::put(tensor, packed, out.bytes.data());
    return out;
}

class DlaTarget : public RegisterTarget {
public:
    Compiled compile(const Design& design, const graph::Graph& graph,
                     const Options& options) const override {
        return dla::compile(design, graph, options);
    }
    std::vector<std::string> passes() const override { return compiler::pass_names(); }
    std::string_view original() const override { return "original"; }
    bool takes_latency() const override { return true; }
    graph::Sums sums(const Design& design) const override {
        const model::Architecture sizes = architecture(design);
        return sizes.sdp_bs && sizes.sdp_bn ? graph::Sums::digits : graph::Sums::whole;
    }
    std::vector<Suggestion> suggestions() const override {
        return {
            {"SDP", {"sdp_bs_throughput", "sdp_bn_throughput"}, "elements"},
            {"SDP", {"sdp_ew_throughput"}, "elements"},
            {"SDP", {"sdp_bs_throughput", "sdp_bn_throughput", "sdp_ew_throughput"}, "elements"},
            {"PDP", {"pdp_throughput"}, "elements"}};
    }
    std::unique_ptr<verif::Device> make_model(const Design& design,
                                              verif::Memory& memory) const override {
        return std::make_unique<GoldenModel>(architecture(design), memory);
    }
    Files traces(const program::Program& program, const std::string& name,
                 const std::vector<Bytes>& inputs, const verif::Memory& after,
                 std::uint64_t block) const override {
        std::vector<compiler::TraceData> in, out;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            in.push_back(in_memory(program.inputs[i], inputs[i]));
        for (const program::Tensor& t : program.outputs)
            out.push_back({t.offset, after.dump(block + t.offset, program::span(t))});
        return compiler::to_trace(program, name, block, in, out);
    }
};

}  // namespace

const Target& target() {
    static const DlaTarget kTarget;
    return kTarget;
}

}  // namespace macrame::dla
