#pragma once
/// The bus side of plain register files. It offers the parts behind it
///
///     word    word offset of the register that is written, else of the one that is read
///     wr      it is written in this cycle ...
///     wdata   ... with this: bytes that are not strobed keep their value
///
/// and uses `value`, what that register reads as, and `mapped`, which is 1 if there is one.

#include <string>
#include <string_view>
#include <vector>

#include "regs/to_verilog.hpp"
#include "regs/verilog_text.hpp"

namespace macrame::regs {

/// One kind of bus.
struct BusSide {
    std::string_view doc;  ///< for the header of the file
    void (*ports)(Ports& ports, int word_w);
    void (*request)(std::string& out, int word_w);  ///< declares word and wr
    std::string_view data, strobes;                 ///< written data, its bytes; "": all bytes
    const char* answer;                             ///< from value and mapped
    bool errors;                                    ///< uses `mapped`
    std::vector<std::string> unused;                ///< bits of its ports that it does not use
};

const BusSide& bus_side(Bus bus);

}  // namespace macrame::regs
