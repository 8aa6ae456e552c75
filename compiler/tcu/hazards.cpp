#include "compiler/tcu/hazards.hpp"

#include <fmt/format.h>

#include <optional>

#include "verif/tcu/isa/rules.hpp"

namespace macrame::tcu::compiler {

namespace {

/// Writes of accumulators by an instruction, in order.
struct Writes {
    std::uint64_t first = 0, last = 0, count = 0;
    bool accumulate = false, simd = false;

    std::uint64_t step() const { return count > 1 ? (last - first) / (count - 1) : 0; }
};

std::optional<Writes> writes_of(const Instruction& i) {
    const auto strided = [&](bool accumulate) {
        return Writes{i.address1, i.address1 + ((i.size - 1) << i.stride1), i.size, accumulate,
                      false};
    };
    if (i.is(kMatMul)) return strided(i.has(kMatMulAccumulate));
    if (i.is(kDataMove) && (i.flags == kLocalToAccumulator || i.flags == kLocalToAccumulatorAdd))
        return strided(i.flags == kLocalToAccumulatorAdd);
    if (i.is(kSimd) && i.has(kSimdWrite))
        return Writes{i.address0, i.address0, 1, i.has(kSimdAccumulate), true};
    return std::nullopt;
}

/// The last writes of the accumulators.
class StreamOrder {
public:
    /// What is wrong with the next; empty if nothing is.
    std::string next(const Instruction& instruction) {
        if (instruction.is(kLoadWeights) && array_) before_ = {};  // waits until the array is empty
        array_ = instruction.is(kMatMul) || (array_ && !instruction.is(kLoadWeights));
        const std::optional<Writes> writes = writes_of(instruction);
        if (!writes) return "";
        const std::string text = problem(*writes);
        if (writes->count > 1) {
            before_ = {};
            add({writes->last - writes->step(), writes->accumulate, writes->simd});
            add({writes->last, writes->accumulate, writes->simd});
        } else {
            add({writes->first, writes->accumulate, writes->simd});
        }
        return text;
    }

private:
    struct Write {
        std::uint64_t address = 0;
        bool accumulate = false, simd = false;
    };

    void add(const Write& write) {
        if (!before_.empty() && before_.size() == 2) before_.erase(before_.begin());
        before_.push_back(write);
    }

    std::string problem(const Writes& writes) const {
        if (!writes.accumulate || before_.empty()) return "";
        const Write& last = before_.back();
        if (last.address != writes.first) return "";
        if (last.accumulate && !(last.simd && writes.simd))
            return fmt::format("accumulates at {} right behind another accumulation", writes.first);
        if (!last.accumulate && before_.size() == 2 && before_.front().address == writes.first)
            return fmt::format("accumulates at {} right behind two writes of it", writes.first);
        return "";
    }

    std::vector<Write> before_;
    bool array_ = false;
};

std::string simd_problem(const Instruction& i) {
    const bool read = i.has(kSimdRead);
    if (i.simd_op == kSimdNoOp)
        return read || i.has(kSimdWrite) ? "SIMD NoOp that reads or writes" : "";
    const int sources = simd_sources(i.simd_op);
    // The original looks at both sources of operations that use one.
    const bool wants = sources > 0 && (i.simd_left == 0 || i.simd_right == 0);
    if (sources == 0) return read ? "SIMD that reads without need" : "";
    if (wants && !read) return "SIMD with a source that it does not read";
    if (!wants && read) return "SIMD that reads without need";
    return "";
}

/// Banks whose writes may still be on the way.
class Banks {
public:
    std::string next(const Instruction& i) {
        if (i.is(kDataMove)) {
            if (i.flags == kLocalToDram0) writing_[0] = true;
            if (i.flags == kLocalToDram1) writing_[1] = true;
            if (i.flags == kDram0ToLocal) writing_[0] = false;
            if (i.flags == kDram1ToLocal) writing_[1] = false;
        }
        if (!i.is(kConfigure)) return "";
        for (const int bank : {0, 1}) {
            const int offset = bank == 0 ? kDram0Offset : kDram1Offset;
            if (i.config_register == offset && writing_[bank])
                return fmt::format("configures DRAM{} behind its writes", bank);
        }
        return "";
    }

private:
    bool writing_[2] = {false, false};
};

}  // namespace

std::vector<Hazard> hazards(const Architecture& architecture, const Instructions& program) {
    std::vector<Hazard> found;
    StreamOrder stream;
    Banks banks;
    for (std::size_t n = 0; n < program.size(); ++n) {
        const Instruction& i = program[n];
        const auto add = [&](std::string text) {
            if (!text.empty()) found.push_back({n, std::move(text)});
        };
        if (is_ignored(architecture, i)) continue;
        add(undefined(architecture, i));
        if (i.is(kSimd)) add(simd_problem(i));
        add(banks.next(i));
        add(stream.next(i));
    }
    return found;
}

std::vector<Hazard> probe_conflicts(const Architecture& architecture, const Instructions& program) {
    std::vector<Hazard> found;
    for (std::size_t n = 0; n < program.size(); ++n) {
        const Instruction& i = program[n];
        const std::uint64_t last0 = i.address0 + ((i.size - 1) << i.stride0);
        const std::uint64_t last1 = i.address1 + ((i.size - 1) << i.stride1);
        const bool local = (i.is(kMatMul) && !i.has(kMatMulZeroes)) || i.is(kDataMove) ||
                           (i.is(kLoadWeights) && !i.has(kLoadWeightsZeroes));
        if (local && last0 + 1 >= static_cast<std::uint64_t>(architecture.local_depth))
            found.push_back({n, fmt::format("uses vector {} of local memory", last0)});
        if (i.is(kDataMove) && move_space(i.flags) == Space::dram0 &&
            last1 + 2 >= static_cast<std::uint64_t>(architecture.dram0_depth))
            found.push_back({n, fmt::format("uses vector {} of DRAM0", last1)});
    }
    return found;
}

Assembled spaced(const Architecture& architecture, const Assembled& program, int spare) {
    Instruction spacer;
    spacer.opcode = kMatMul;
    spacer.flags = kMatMulZeroes;
    spacer.address1 = static_cast<std::uint64_t>(spare);
    Assembled out;
    out.instructions = Instructions(architecture);
    StreamOrder stream;
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        StreamOrder before = stream;
        if (!stream.next(program.instructions[n]).empty()) {
            before.next(spacer);
            before.next(program.instructions[n]);
            stream = before;
            out.instructions.push_back(spacer);
            out.layers.push_back(program.layers[n]);
        }
        out.instructions.push_back(program.instructions[n]);
        out.layers.push_back(program.layers[n]);
    }
    return out;
}

}  // namespace macrame::tcu::compiler
