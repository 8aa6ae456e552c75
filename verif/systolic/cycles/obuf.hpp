#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of obuf.
class Obuf {
public:
    struct Inputs {
        bool gemm2obuf_step = false, gemm2obuf_last = false;
        int gemm2obuf_entry = 0;
        bool load2obuf_valid = false;
        int load2obuf_entry = 0;
        bool store2obuf_valid = false;
        int store2obuf_entry = 0;
        bool alu2obuf_valid = false, alu2obuf_write = false, alu2obuf_last = false;
        int alu2obuf_read_entry = 0, alu2obuf_write_entry = 0;
    };
    struct Outputs {
        bool obuf2gemm_done = false;
        bool load2obuf_ready = false;
        bool store2obuf_ready = false, obuf2store_valid = false;
        bool alu2obuf_ready = false;
        bool obuf2alu_valid = false, obuf2alu_write = false, obuf2alu_last = false;
    };

    explicit Obuf(const Architecture& architecture);

    Outputs outputs() const {
        Outputs out;
        out.obuf2gemm_done = lasts_[at_];
        out.load2obuf_ready = load_seen_ && busy_[load_half_] == 0 && !alu_writes(load_half_);
        out.store2obuf_ready = !store_ || grants_store();
        out.obuf2store_valid = stored_;
        out.alu2obuf_ready = !request_.valid || grants_element();
        out.obuf2alu_valid = granted_[0].valid;
        out.obuf2alu_write = granted_[0].write;
        out.obuf2alu_last = granted_[0].last;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    // What waits here for a half that is another module's, or for sums of ALU itself.
    bool holds_load() const { return load_seen_ && !outputs().load2obuf_ready; }
    bool holds_alu() const { return request_.valid && !grants_element(); }
    bool holds_store() const { return store_ && !grants_store(); }

private:
    struct Request {
        bool valid = false, write = false, last = false;
        int read_entry = 0, write_entry = 0;
    };

    std::size_t half(int entry) const { return entry < half_ ? 0 : 1; }
    bool is_busy(int entry) const { return busy_[half(entry)] > 0; }
    /// ALU writes to the half of an entry.
    bool alu_writes(std::size_t half_of) const {
        const Request& writing = granted_.back();
        return writing.write && half(writing.write_entry) == half_of;
    }
    bool grants_element() const {
        if (!request_.valid || is_busy(request_.read_entry)) return false;
        if (request_.write && is_busy(request_.write_entry)) return false;
        for (const Request& before : granted_)
            if (before.write && before.write_entry == request_.read_entry) return false;
        return true;
    }
    bool grants_store() const {
        return store_ && !is_busy(store_entry_) &&
               !(half(request_.read_entry) == half(store_entry_) && grants_element());
    }

    const int half_;           ///< entries
    const int to_last_write_;  ///< cycles that a half is busy with a step
    std::array<int, 2> busy_{};
    std::vector<bool> lasts_;  ///< ends of instructions, the oldest one at `at_`
    std::size_t at_ = 0;
    Request request_;                   ///< of ALU
    bool element_ = false;              ///< comes in this cycle
    std::array<Request, 4> granted_{};  ///< to ALU, the newest one first
    bool store_ = false, stored_ = false;
    int store_entry_ = 0;
    bool load_seen_ = false;
    std::size_t load_half_ = 0;
};

}  // namespace macrame::systolic::cycles
