#include "verif/systolic/cycles/alu.hpp"

#include "verif/systolic/cycles/parameters.hpp"

namespace macrame::systolic::cycles {

namespace {

constexpr int kLastElementToDone = 4;

}  // namespace

void Alu::accept(const Word& parameters) {
    op_ = instruction_of(Module::alu, parameters).alu;
    if (op_.output_height == 0) {
        out_.alu2resolver_done = true;
        return;
    }
    out_.resolver2alu_ready = false;
    some_ = true;
    before_ = op_.accumulate != 0;
    row_ = column_ = line_ = element_ = 0;
    row_entry_ = window_entry_ = line_entry_ = static_cast<int>(op_.input_address);
    output_ = static_cast<int>(op_.output_address);
}

void Alu::next_window() {
    element_ = line_ = 0;
    ++output_;
    before_ = op_.accumulate != 0;
    if (++column_ == op_.output_width) {
        column_ = 0;
        ++row_;
        row_entry_ += static_cast<int>(op_.mem_stride_ow);
        window_entry_ = row_entry_;
    } else {
        window_entry_ += static_cast<int>(op_.mem_stride_r);
    }
    line_entry_ = window_entry_;
    some_ = row_ != op_.output_height;
}

void Alu::ask() {
    const bool ends =
        !before_ && element_ + 1 == op_.window_width && line_ + 1 == op_.window_height;
    out_.alu2obuf_valid = true;
    out_.alu2obuf_read_entry = before_ ? output_ : line_entry_ + element_;
    out_.alu2obuf_write_entry = output_;
    out_.alu2obuf_write = ends;
    if (before_) {
        before_ = false;
    } else if (ends) {
        next_window();
    } else if (++element_ == op_.window_width) {
        element_ = 0;
        ++line_;
        line_entry_ += static_cast<int>(op_.mem_stride_s);
    }
    out_.alu2obuf_last = !some_;
}

void Alu::clock(const Inputs& in) {
    const bool takes = in.resolver2alu_valid && out_.resolver2alu_ready;
    if (is_still() && !takes) return;
    out_.alu2resolver_done = ending_ == 1;
    if (ending_ == 1) out_.resolver2alu_ready = true;
    if (ending_ > 0) --ending_;
    if (in.obuf2alu_last) ending_ = kLastElementToDone - 1;
    if (!out_.alu2obuf_valid || in.alu2obuf_ready) {
        out_.alu2obuf_valid = false;
        if (some_) ask();
    }
    if (takes) accept(in.resolver2alu_parameters);
}

}  // namespace macrame::systolic::cycles
