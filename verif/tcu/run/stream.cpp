#include "verif/tcu/run/stream.hpp"

#include <cassert>
#include <numeric>

#include "verif/tcu/isa/instruction.hpp"

namespace macrame::tcu::run {

namespace {

void append(const Layout& layout, const Instruction& instruction, std::vector<std::uint8_t>& out) {
    out.resize(out.size() + static_cast<std::size_t>(layout.bytes));
    encode(layout, instruction, out.data() + out.size() - layout.bytes);
}

}  // namespace

std::vector<std::uint8_t> padded(const Layout& layout, int beat_bytes,
                                 std::vector<std::uint8_t> stream) {
    assert(stream.size() % static_cast<std::size_t>(layout.bytes) == 0);
    const auto block = static_cast<std::size_t>(std::lcm(layout.bytes, beat_bytes));
    stream.resize((stream.size() + block - 1) / block * block);
    return stream;
}

std::vector<std::uint8_t> flush_probe(const Architecture& architecture) {
    const Layout layout = layout_of(architecture);
    Instruction probe;
    probe.opcode = kDataMove;
    probe.flags = kDram0ToLocal;
    probe.address0 = static_cast<std::uint64_t>(architecture.local_depth) - 1;
    probe.address1 = static_cast<std::uint64_t>(architecture.dram0_depth) - 1;
    std::vector<std::uint8_t> out;
    append(layout, probe, out);
    probe.flags = kLocalToDram0;
    --probe.address1;
    append(layout, probe, out);
    return out;
}

std::vector<std::uint8_t> configure(const Layout& layout, int config_register,
                                    std::uint32_t value) {
    Instruction instruction;
    instruction.opcode = kConfigure;
    instruction.config_register = config_register;
    instruction.config_value = value;
    std::vector<std::uint8_t> out;
    append(layout, instruction, out);
    return out;
}

std::vector<std::uint8_t> load_constants(const Layout& layout, std::uint64_t base,
                                         std::uint64_t size) {
    Instruction load;
    load.opcode = kDataMove;
    load.flags = kDram1ToLocal;
    load.address0 = load.address1 = base;
    load.size = size;
    std::vector<std::uint8_t> out;
    append(layout, load, out);
    return out;
}

}  // namespace macrame::tcu::run
