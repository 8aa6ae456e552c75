#include <algorithm>
#include <numeric>

#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {
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
    };
}

}  // namespace macrame::tcu
