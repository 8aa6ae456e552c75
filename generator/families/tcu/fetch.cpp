#include <algorithm>
#include <numeric>
#include <string>

#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {
namespace {

/// A number of 0 bits that makes a count of units one of bits: "4'd0".
std::string unit_shift(int unit_bytes) {
    const int bits = 3 + clog2(unit_bytes);
    return std::to_string(bits) + "'d0";
}

}  // namespace

text::Scope fetch_scope(const Config&, const Derived& d) {
    // Wide beats are cut into words that are just as wide as an instruction needs.
    const int wide = 1 << clog2(d.instruction_bytes);
    const int word = std::min(d.axi_bytes, wide);
    const int unit = std::gcd(word, d.instruction_bytes);
    const int words = d.axi_bytes / word;
    return {
        {"fetch_latency", words == 1 ? 2 : 3},
        {"fetch_unit_bytes", unit},
        {"fetch_word_bytes", word},
        {"fetch_words", words},
        {"unit_shift", unit_shift(unit)},
    };
}

}  // namespace macrame::tcu
