#pragma once
/// What the testbench sees inside of a Verilated design (probe.vlt): buffers, and when instructions
/// end.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/isa/sram_map.hpp"

class VerilatedContext;

namespace macrame::tb {

class Probe {
public:
    Probe(const VerilatedContext& context, const systolic::Architecture& architecture);

    /// An element of a buffer.
    std::int64_t value(const systolic::Place& place) const;
    /// The module says that an instruction is done; not of gemm.
    bool done(systolic::Module module) const { return done_[number(module)].value(0) != 0; }
    /// The last sum of an instruction of gemm comes to this column of OBUF with the next edge.
    bool last(int column) const { return last_[static_cast<std::size_t>(column)].value(0) != 0; }
    /// An instruction has left the queue of its module.
    bool ended(systolic::Module module) const {
        return (ended_.value(0) >> number(module) & 1) != 0;
    }

private:
    /// A variable of the design, or a RAM: words of up to 32 bits.
    class Signal {
    public:
        Signal() = default;
        Signal(const VerilatedContext& context, const std::string& scope, const char* name);
        std::uint32_t value(int word) const;

    private:
        const void* data_ = nullptr;
        int bytes_ = 0;  ///< of a word: 1, 2, 4
    };

    std::int64_t scale(const systolic::Place& place) const;

    systolic::Architecture architecture_;
    std::vector<Signal> ibuf_, wbuf_, obuf_;  ///< by bank; of OBUF both halves one after the other
    std::vector<Signal> scales_;              ///< by lane, kScaleWords each
    std::vector<Signal> roundings_;           ///< by lane, of exact scales
    std::vector<Signal> done_, last_;
    Signal ended_;
};

}  // namespace macrame::tb
