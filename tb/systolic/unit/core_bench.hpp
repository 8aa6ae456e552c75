#pragma once
/// gemm, array, obuf and alu with whoever hands them instructions, loads and stores: an operation
/// begins when those before it that touch the same places have ended. In every cycle the outputs of
/// their cycle models are those of the units.

#include <gtest/gtest.h>

#include <deque>

#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/unit/core_program.hpp"
#include "verif/systolic/check/conflict.hpp"
#include "verif/systolic/cycles/alu.hpp"
#include "verif/systolic/cycles/gemm.hpp"
#include "verif/systolic/cycles/obuf.hpp"

namespace macrame::tb {

class CoreBench : public UnitBench {
public:
    CoreBench(const Traffic& traffic, std::uint64_t seed) : UnitBench(seed), traffic_(traffic) {
        reset();
    }

    void add(CoreOp op) { ops_.push_back(std::move(op)); }
    std::size_t waiting() const { return ops_.size(); }

    /// Until all operations have ended; the cycles that it takes.
    long run() { return run_to(0); }
    long run_to(std::size_t count) {
        const long begin = cycle();
        while (ops_.size() > count) {
            tick();
            if (::testing::Test::HasFatalFailure()) break;
            if (cycle() > moved_ + 200000) {
                ADD_FAILURE() << "nothing moves in cycle " << cycle();
                break;
            }
        }
        return cycle() - begin;
    }

private:
    /// The first operation of a module that has not begun; null if there is none or it has to wait.
    CoreOp* first_waiting(Module module) {
        for (std::size_t i = 0; i < ops_.size(); ++i) {
            CoreOp& op = ops_[i];
            if (op.module != module || op.begun) continue;
            for (std::size_t k = 0; k < i; ++k) {
                if (ops_[k].done || ops_[k].module == module) continue;
                if (systolic::check::conflict(ops_[k].accesses, op.accesses)) return nullptr;
            }
            return &op;
        }
        return nullptr;
    }
    /// The oldest one that has begun and not ended.
    CoreOp* first_begun(Module module) {
        for (CoreOp& op : ops_)
            if (op.module == module && op.begun && !op.done) return &op;
        return nullptr;
    }
    CoreOp* transfer(Module module) {
        CoreOp* const op = first_begun(module);
        return op != nullptr ? op : first_waiting(module);
    }

    void drive(Vdut& dut) override {
        drive_instruction(Module::gemm, gemm_, dut.resolver2gemm_valid,
                          dut.resolver2gemm_parameters);
        drive_instruction(Module::alu, alu_, dut.resolver2alu_valid, dut.resolver2alu_parameters);
        drive_load(dut);
        drive_store(dut);
    }

    template <typename Valid, typename Parameters>
    void drive_instruction(Module module, CoreOp*& op, Valid& valid, Parameters& parameters) {
        if (op == nullptr && chance(traffic_.offer)) op = first_waiting(module);
        valid = op != nullptr;
        for (int i = 0; i < 120; i += 30)
            put_bits(parameters, i, 30, random().word() & 0x3fffffff);
        if (op == nullptr) return;
        const systolic::Word word = encode(op->instruction);
        for (int i = 0; i < 120; i += 30)
            put_bits(parameters, i, 30, static_cast<std::uint32_t>(get_bits(word, i, 30)));
    }

    void drive_load(Vdut& dut) {
        if (load_ == nullptr && chance(traffic_.offer)) load_ = transfer(Module::load);
        const bool valid = load_ != nullptr;
        dut.load2ibuf_write = valid && load_->buffer == Buffer::ibuf;
        dut.load2wbuf_write = valid && load_->buffer == Buffer::wbuf;
        dut.load2obuf_valid = valid && load_->buffer == Buffer::obuf;
        if (!valid) return;
        load_->begun = true;
        if (load_->buffer == Buffer::ibuf) {
            drive_row(dut.load2ibuf_entry, dut.load2ibuf_enable, dut.load2ibuf_data);
        } else if (load_->buffer == Buffer::wbuf) {
            drive_row(dut.load2wbuf_entry, dut.load2wbuf_enable, dut.load2wbuf_data);
        } else {
            drive_row(dut.load2obuf_entry, dut.load2obuf_enable, dut.load2obuf_data);
        }
    }

    template <typename Entry, typename Enable, typename Data>
    void drive_row(Entry& entry, Enable& enable, Data& data) {
        const auto row = static_cast<int>(load_->asked);
        const int width = element_width(architecture(), load_->buffer);
        put_number(entry, load_->entry + row);
        for (int i = 0; i < banks(architecture(), load_->buffer); ++i) {
            put_bits(enable, i, 1, i >= load_->bank && i < load_->bank + load_->banks);
            const auto value = static_cast<std::uint32_t>(
                load_->rows[load_->asked][static_cast<std::size_t>(i)]);
            put_bits(data, i * width, width, width == 32 ? value : value & ((1U << width) - 1));
        }
    }

    void drive_store(Vdut& dut) {
        if (store_ == nullptr && chance(traffic_.take)) {
            store_ = transfer(Module::store);
            if (store_ != nullptr && store_->asked == store_->rows.size()) store_ = nullptr;
        }
        dut.store2obuf_valid = store_ != nullptr;
        put_number(dut.store2obuf_entry, random().in(0, systolic_params::obuf_entries - 1));
        if (store_ == nullptr) return;
        store_->begun = true;
        put_number(dut.store2obuf_entry, store_->entry + static_cast<int>(store_->asked));
    }

    void sample(Vdut& dut) override {
        if (!dut.rst_n) return;
        compare(dut);
        take_result(dut);
        if (dut.gemm2resolver_done) end(Module::gemm);
        if (dut.alu2resolver_done) end(Module::alu);
        accept(gemm_, dut.resolver2gemm_valid && dut.resolver2gemm_ready);
        accept(alu_, dut.resolver2alu_valid && dut.resolver2alu_ready);
        const bool loaded = dut.load2ibuf_write || dut.load2wbuf_write ||
                            (dut.load2obuf_valid && dut.load2obuf_ready);
        if (loaded) {
            if (++load_->asked == load_->rows.size()) end(Module::load);
            load_ = nullptr;
        }
        if (dut.store2obuf_valid && dut.store2obuf_ready) {
            ++store_->asked;
            store_ = nullptr;
        }
        while (!ops_.empty() && ops_.front().done)
            ops_.pop_front();
    }

    static void accept(CoreOp*& op, bool taken) {
        if (!taken) return;
        op->begun = true;
        op = nullptr;
    }

    void end(Module module) {
        CoreOp* const op = first_begun(module);
        ASSERT_NE(op, nullptr) << "done without an operation in cycle " << cycle();
        op->done = true;
        moved_ = cycle();
    }

    void take_result(const Vdut& dut) {
        if (!dut.obuf2store_valid) return;
        CoreOp* const op = first_begun(Module::store);
        ASSERT_NE(op, nullptr);
        ASSERT_LT(op->answered, op->asked);
        constexpr int kWidth = systolic_params::out_width;
        for (int i = 0; i < systolic_params::cols; ++i) {
            const auto want = static_cast<std::uint32_t>(
                op->rows[op->answered][static_cast<std::size_t>(i)]);
            ASSERT_EQ(get_bits(dut.obuf2store_data, i * kWidth, kWidth),
                      kWidth == 32 ? want : want & ((1U << kWidth) - 1))
                << "cycle " << cycle() << " entry " << op->entry + static_cast<int>(op->answered)
                << " lane " << i;
        }
        if (++op->answered == op->rows.size()) end(Module::store);
    }

    /// The outputs of a cycle, then a cycle of the models.
    void compare(const Vdut& dut) {
        const auto gemm = gemm_model_.outputs();
        const auto obuf = obuf_model_.outputs();
        const auto alu = alu_model_.outputs();
        same("resolver2gemm_ready", dut.resolver2gemm_ready, gemm.resolver2gemm_ready);
        same("gemm2resolver_done", dut.gemm2resolver_done, gemm.gemm2resolver_done);
        same("gemm2array_weight_read", dut.gemm2array_weight_read, gemm.gemm2array_weight_read);
        // The address of WBUF rests where it came to with the last row.
        const auto entry = static_cast<long>(dut.gemm2array_weight_entry);
        if (!entry_moves_ && weight_entry_ >= 0) {
            same("gemm2array_weight_entry", entry, weight_entry_);
        }
        weight_entry_ = entry;
        entry_moves_ = dut.gemm2array_weight_read ||
                       (dut.resolver2gemm_valid && dut.resolver2gemm_ready);
        same("gemm2array_step", dut.gemm2array_step, gemm.gemm2array_step);
        same("gemm2array_swap", dut.gemm2array_swap, gemm.gemm2array_swap);
        same("gemm2obuf_step", dut.gemm2obuf_step, gemm.gemm2obuf_step);
        same("gemm2obuf_last", dut.gemm2obuf_last, gemm.gemm2obuf_last);
        if (gemm.gemm2obuf_step) {
            same("gemm2obuf_preload", dut.gemm2obuf_preload, gemm.gemm2obuf_preload);
            same("gemm2obuf_entry", dut.gemm2obuf_entry, gemm.gemm2obuf_entry);
        }
        same("obuf2gemm_done", dut.obuf2gemm_done, obuf.obuf2gemm_done);
        same("load2obuf_ready", dut.load2obuf_ready, obuf.load2obuf_ready);
        same("store2obuf_ready", dut.store2obuf_ready, obuf.store2obuf_ready);
        same("obuf2store_valid", dut.obuf2store_valid, obuf.obuf2store_valid);
        same("alu2obuf_ready", dut.alu2obuf_ready, obuf.alu2obuf_ready);
        same("obuf2alu_valid", dut.obuf2alu_valid, obuf.obuf2alu_valid);
        if (obuf.obuf2alu_valid) {
            same("obuf2alu_write", dut.obuf2alu_write, obuf.obuf2alu_write);
        }
        same("obuf2alu_last", dut.obuf2alu_last, obuf.obuf2alu_last);
        same("resolver2alu_ready", dut.resolver2alu_ready, alu.resolver2alu_ready);
        same("alu2resolver_done", dut.alu2resolver_done, alu.alu2resolver_done);
        same("alu2obuf_valid", dut.alu2obuf_valid, alu.alu2obuf_valid);
        if (alu.alu2obuf_valid) {
            same("alu2obuf_read_entry", dut.alu2obuf_read_entry, alu.alu2obuf_read_entry);
            same("alu2obuf_write_entry", dut.alu2obuf_write_entry, alu.alu2obuf_write_entry);
            same("alu2obuf_write", dut.alu2obuf_write, alu.alu2obuf_write);
            same("alu2obuf_last", dut.alu2obuf_last, alu.alu2obuf_last);
        }
        clock_models(dut, gemm, obuf, alu);
    }

    template <typename Got, typename Want>
    void same(const char* port, Got got, Want want) const {
        ASSERT_EQ(static_cast<int>(got), static_cast<int>(want))
            << port << " in cycle " << cycle();
    }

    void clock_models(const Vdut& dut, const systolic::cycles::Gemm::Outputs& gemm,
                      const systolic::cycles::Obuf::Outputs& obuf,
                      const systolic::cycles::Alu::Outputs& alu) {
        systolic::Word gemm_word, alu_word;
        for (int i = 0; i < 120; i += 30) {
            set_bits(gemm_word, i, 30, get_bits(dut.resolver2gemm_parameters, i, 30));
            set_bits(alu_word, i, 30, get_bits(dut.resolver2alu_parameters, i, 30));
        }
        gemm_model_.clock({dut.resolver2gemm_valid != 0, gemm_word, obuf.obuf2gemm_done});
        alu_model_.clock({dut.resolver2alu_valid != 0, alu_word, obuf.alu2obuf_ready,
                          obuf.obuf2alu_last});
        systolic::cycles::Obuf::Inputs in;
        in.gemm2obuf_step = gemm.gemm2obuf_step;
        in.gemm2obuf_last = gemm.gemm2obuf_last;
        in.gemm2obuf_entry = gemm.gemm2obuf_entry;
        in.load2obuf_valid = dut.load2obuf_valid;
        in.load2obuf_entry = dut.load2obuf_entry;
        in.store2obuf_valid = dut.store2obuf_valid;
        in.store2obuf_entry = dut.store2obuf_entry;
        in.alu2obuf_valid = alu.alu2obuf_valid;
        in.alu2obuf_write = alu.alu2obuf_write;
        in.alu2obuf_last = alu.alu2obuf_last;
        in.alu2obuf_read_entry = alu.alu2obuf_read_entry;
        in.alu2obuf_write_entry = alu.alu2obuf_write_entry;
        obuf_model_.clock(in);
    }

    Traffic traffic_;
    std::deque<CoreOp> ops_;  ///< in the order of the program; references stay
    CoreOp *gemm_ = nullptr, *alu_ = nullptr, *load_ = nullptr, *store_ = nullptr;  ///< offered
    systolic::cycles::Gemm gemm_model_{architecture()};
    systolic::cycles::Obuf obuf_model_{architecture()};
    systolic::cycles::Alu alu_model_;
    long moved_ = 0;
    long weight_entry_ = -1;  ///< in the cycle before; -1: not known
    bool entry_moves_ = true;     ///< it may be another one in the next cycle
};

}  // namespace macrame::tb
