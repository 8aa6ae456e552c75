#pragma once

#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of alu.
class Alu {
public:
    struct Inputs {
        bool resolver2alu_valid = false;
        Word resolver2alu_parameters;
        bool alu2obuf_ready = false;
        bool obuf2alu_last = false;
    };
    /// What belongs to a valid matters while it is true.
    struct Outputs {
        bool resolver2alu_ready = false;
        bool alu2resolver_done = false;
        bool alu2obuf_valid = false, alu2obuf_write = false, alu2obuf_last = false;
        int alu2obuf_read_entry = 0, alu2obuf_write_entry = 0;
    };

    Alu() { out_.resolver2alu_ready = true; }

    Outputs outputs() const { return out_; }
    /// Edges change nothing as long as there is no instruction.
    bool is_still() const { return out_.resolver2alu_ready && !out_.alu2resolver_done; }
    /// A rising edge.
    void clock(const Inputs& in);

private:
    void accept(const Word& parameters);
    void ask();
    void next_window();

    Outputs out_;
    systolic::Alu op_;
    bool some_ = false;    ///< elements are left
    bool before_ = false;  ///< what is in the output comes first
    int row_ = 0, column_ = 0, line_ = 0, element_ = 0;
    int row_entry_ = 0, window_entry_ = 0, line_entry_ = 0, output_ = 0;
    int ending_ = 0;  ///< cycles to the end
};

}  // namespace macrame::systolic::cycles
