#pragma once
/// A small network for tests of the driver: copies that pass through local memory and accumulators,
/// with constants in local memory, an input in two pieces and an input of its own.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/tcu/macrame_tcu.h"
#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/run/networks.hpp"

namespace macrame::tcu {

inline macrame_tcu_architecture to_c(const Architecture& a) {
    const auto number = [](auto value) { return static_cast<std::uint32_t>(value); };
    return {number(a.data_type),
            number(a.array_size),
            static_cast<std::uint64_t>(a.dram0_depth),
            static_cast<std::uint64_t>(a.dram1_depth),
            number(a.local_depth),
            number(a.accumulator_depth),
            number(a.simd_registers_depth),
            number(a.stride0_depth),
            number(a.stride1_depth),
            number(a.lut_tables),
            number(a.lut_depth)};
}

inline Instruction move(int kind, std::uint64_t local, std::uint64_t other, std::uint64_t size,
                        int stride1 = 0) {
    Instruction out;
    out.opcode = kDataMove;
    out.flags = kind;
    out.address0 = local;
    out.address1 = other;
    out.size = size;
    out.stride1 = stride1;
    return out;
}

/// Output 0 = input 0 + input 1 twice a vector, and its last vector = the first constant.
struct Sample {
    explicit Sample(DataType type = DataType::fp16bp8) {
        files::Model& m = network.model;
        architecture.data_type = type;
        architecture.array_size = 4;
        architecture.dram0_depth = 128;
        architecture.dram1_depth = 64;
        architecture.local_depth = 32;
        architecture.accumulator_depth = 16;
        layout = layout_of(architecture);
        m.name = "sample";
        m.architecture = architecture;
        m.constants = {{"sample.tdata", 1, 2}};
        m.inputs = {{"in put", 4, 3}, {"second", 20, 1}, {"second", 40, 1}};
        m.outputs = {{"out", 8, 3}};
        m.program_file = "sample.tprog";
        m.constants_to_local = true;
        for (const Instruction& i :
             {move(kDram0ToLocal, 4, 4, 2), move(kLocalToAccumulator, 4, 0, 2),
              move(kDram0ToLocal, 8, 20, 1), move(kDram0ToLocal, 9, 40, 1),
              move(kLocalToAccumulatorAdd, 8, 0, 2), move(kAccumulatorToLocal, 10, 0, 2),
              move(kLocalToDram0, 10, 8, 2), move(kLocalToDram0, 1, 10, 1)}) {
            program.resize(program.size() + static_cast<std::size_t>(layout.bytes));
            encode(layout, i, program.data() + program.size() - layout.bytes);
        }
        m.program_bytes = program.size();
        for (int i = 0; i < 2 * architecture.vector_bytes(); ++i)
            constants.push_back(static_cast<std::uint8_t>(1 + i % 3));
        text = files::model_text(m);
        network.text = text;
        network.program = program;
        network.constants = std::make_shared<const std::vector<std::uint8_t>>(constants);
    }

    int open(macrame_tcu_network& net) const {
        return macrame_tcu_open(&net, text.data(), text.size());
    }
    int attach(macrame_tcu_network& net) const {
        const int error = open(net);
        return error != MACRAME_TCU_OK ? error
                                       : macrame_tcu_attach(&net, program.data(), program.size(),
                                                            constants.data(), constants.size());
    }

    Architecture architecture;
    Layout layout;
    std::string text;
    std::vector<std::uint8_t> program, constants;
    run::Network network;
};

}  // namespace macrame::tcu
