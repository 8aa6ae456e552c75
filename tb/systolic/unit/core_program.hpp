#pragma once
/// Random operations on the buffers, with what they leave according to the golden model.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "systolic_params.hpp"
#include "tb/systolic/system/architecture.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/random.hpp"
#include "verif/systolic/isa/accesses.hpp"
#include "verif/systolic/model/machine.hpp"

namespace macrame::tb {

using systolic::Buffer;
using systolic::Instruction;
using systolic::Module;

/// An instruction of gemm or alu; or entries that are loaded or stored.
struct CoreOp {
    Module module = Module::gemm;
    Instruction instruction;
    systolic::Accesses accesses;
    Buffer buffer = Buffer::obuf;
    int entry = 0, bank = 0, banks = 0;
    std::vector<std::vector<std::int32_t>> rows;  ///< loaded; or what is stored
    std::size_t asked = 0, answered = 0;          ///< rows
    bool begun = false, done = false;
};

/// What random operations are like.
struct CoreMix {
    const char* name;
    int gemm, alu, load;  ///< percent; the rest stores
    int small;            ///< percent of folds and outputs of few steps
    int again;            ///< percent that go on where the one before was
};

class CoreProgram {
public:
    CoreProgram(const CoreMix& mix, verif::Random& random)
        : mix_(mix), random_(random), machine_(a_, memory_) {}

    const systolic::Architecture& architecture() const { return a_; }

    CoreOp next() {
        const int kind = random_.in(1, 100);
        if (kind <= mix_.gemm) return compute(Module::gemm);
        if (kind <= mix_.gemm + mix_.alu) return compute(Module::alu);
        if (kind <= mix_.gemm + mix_.alu + mix_.load)
            return load(static_cast<Buffer>(random_.in(0, 2)), false);
        return store(false);
    }

    /// Random entries, or all of the buffer.
    CoreOp load(Buffer buffer, bool all) {
        CoreOp op = transfer(Module::load, buffer, all);
        for (std::vector<std::int32_t>& row : op.rows) {
            const int entry = op.entry + static_cast<int>(&row - op.rows.data());
            for (int bank = 0; bank < banks(a_, buffer); ++bank) {
                row.push_back(element(element_width(a_, buffer)));
                if (bank >= op.bank && bank < op.bank + op.banks)
                    machine_.set({buffer, entry, bank}, row.back());
            }
        }
        return op;
    }

    CoreOp store(bool all) {
        CoreOp op = transfer(Module::store, Buffer::obuf, all);
        op.bank = 0;
        op.banks = a_.columns;
        op.accesses.buffers[0].banks = {0, a_.columns};
        for (std::size_t i = 0; i < op.rows.size(); ++i)
            op.rows[i] = machine_.entry(Buffer::obuf, op.entry + static_cast<int>(i));
        return op;
    }

    /// An instruction that is legal.
    CoreOp compute(const Instruction& instruction) {
        CoreOp op;
        op.module = instruction.module;
        op.instruction = instruction;
        op.accesses = systolic::accesses(a_, instruction);
        machine_.execute(instruction);
        return op;
    }

    /// Fields that the instruction set may have; nothing if it has not.
    static void set_field(Instruction& instruction, std::string_view name, std::int64_t value) {
        const systolic::Field* const field = find_field(instruction.module, name);
        if (field != nullptr) set_value(instruction, *field, value);
    }

private:
    std::int32_t element(int width) {
        const auto bits = static_cast<std::int64_t>(random_.bits() >> (64 - width));
        const std::int64_t half = std::int64_t{1} << (width - 1);
        if (random_.chance(15)) return static_cast<std::int32_t>(random_.chance(50) ? -half : half - 1);
        return static_cast<std::int32_t>(bits - half);
    }

    CoreOp transfer(Module module, Buffer buffer, bool all) {
        CoreOp op;
        const int last = entries(a_, buffer), width = banks(a_, buffer);
        op.module = module;
        op.buffer = buffer;
        op.entry = all ? 0 : random_.in(0, last - 1);
        op.bank = all ? 0 : random_.low(0, width - 1);
        op.banks = all ? width : random_.in(1, width - op.bank);
        op.rows.resize(static_cast<std::size_t>(all ? last : random_.low(1, last - op.entry)));
        const auto count = static_cast<int>(op.rows.size());
        systolic::BufferAccess access;
        access.buffer = buffer;
        access.entries = {{op.entry, op.entry + count}};
        access.banks = {op.bank, op.bank + op.banks};
        access.write = module == Module::load;
        op.accesses.buffers = {access};
        return op;
    }

    CoreOp compute(Module module) {
        Instruction instruction;
        do {
            instruction = {};
            instruction.module = module;
            if (random_.chance(5)) break;  // no operation
            if (module == Module::gemm) {
                gemm(instruction);
            } else {
                alu(instruction);
            }
        } while (!machine_.execute(instruction).empty());
        CoreOp op;
        op.module = module;
        op.instruction = instruction;
        op.accesses = systolic::accesses(a_, instruction);
        return op;
    }

    /// One, all, or any number.
    int part_of(int all) {
        return random_.chance(30) ? all : random_.chance(30) ? 1 : random_.in(1, all);
    }
    /// An output near the last one, or anywhere.
    int output(int& last) {
        if (!random_.chance(mix_.again)) return last = random_.in(0, a_.obuf_entries - 1);
        return last = std::clamp(last + random_.pick({0, 0, 0, -1, 1, 2}), 0, a_.obuf_entries - 1);
    }
    int size() { return random_.chance(mix_.small) ? random_.low(1, 2) : random_.low(1, 20); }

    void gemm(Instruction& instruction) {
        systolic::Gemm& g = instruction.gemm;
        g.input_address = random_.in(0, 0x7fff);
        g.output_address = output(last_gemm_);
        g.active_rows = part_of(a_.rows);
        g.active_cols = part_of(a_.columns);
        g.weight_address = random_.in(0, a_.wbuf_entries - static_cast<int>(g.active_rows));
        g.ofmap_height = size();
        g.ofmap_width = size();
        g.stride_h = random_.chance(80) ? random_.in(0, 15) : random_.in(0, 0xfff);
        g.stride_w = random_.low(0, 15);
        for (std::int64_t* pad : {&g.pad_left, &g.pad_right, &g.pad_top, &g.pad_bottom})
            *pad = random_.chance(70) ? 0 : random_.low(0, 15);
        g.preload_output = random_.chance(70);
        set_field(instruction, "pad_value", random_.chance(50) ? 0 : element(std::min(a_.input_width, 8)));
    }

    void alu(Instruction& instruction) {
        systolic::Alu& alu = instruction.alu;
        alu.alu_opcode = random_.in(0, 3);
        const bool shift = alu.alu_opcode == static_cast<int>(systolic::AluOp::shift);
        const bool one = shift || random_.chance(50);
        const bool in_place = random_.chance(30);
        alu.output_address = output(last_alu_);
        alu.input_address = in_place ? alu.output_address : output(last_alu_);
        alu.output_height = size();
        alu.output_width = size();
        alu.window_height = one ? 1 : random_.low(1, 15);
        alu.window_width = one ? 1 : random_.low(1, 15);
        alu.mem_stride_ow = in_place && one ? alu.output_width : random_.low(0, 12);
        alu.mem_stride_r = in_place && one ? 1 : random_.low(0, 3);
        alu.mem_stride_s = random_.low(0, 12);
        alu.num_active = part_of(a_.columns);
        alu.use_immediate = shift ? 1 : random_.in(0, 1);
        alu.immediate_value = shift ? random_.in(-40, 40) : element(8);
        alu.accumulate = alu.use_immediate == 0 && random_.chance(40) ? 1 : 0;
        const systolic::Field& immediate = *find_field(Module::alu, "immediate_value");
        if (random_.chance(30) && immediate.bits() > 8) alu.immediate_value = element(16);
        if (systolic_params::scales != 0 && random_.chance(30)) {
            alu.alu_opcode = static_cast<int>(systolic::AluOp::add);
            alu.use_immediate = 1;
            alu.accumulate = random_.in(0, 1);
            set_field(instruction, "multiply", 1);
        }
    }

    CoreMix mix_;
    verif::Random& random_;
    systolic::Architecture a_ = tb::architecture();
    verif::Memory memory_;
    systolic::model::Machine machine_;
    int last_gemm_ = 0, last_alu_ = 0;
};

}  // namespace macrame::tb
