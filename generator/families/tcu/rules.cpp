#include <fmt/format.h>

#include "families/tcu/derived.hpp"
#include "families/tcu/tables.hpp"

namespace macrame::tcu {

namespace {

constexpr int kNarrowestBus = 32;

/// Widths of the bus that fit; where none does, sizes of the array that have one.
std::string bus_wanted(const Config& c) {
    const Architecture architecture = architecture_of(c);
    const int vector = 8 * architecture.vector_bytes();
    const int scalar = vector / architecture.array_size;
    std::string out = fmt::format("a part or a multiple of a vector, {} bits in memory", vector);
    if (vector % kNarrowestBus == 0 || kNarrowestBus % vector == 0) return out;
    const int multiple = kNarrowestBus / scalar;
    return out + fmt::format(": no width is, scalars of {} bits want an array-size that is {}",
                             scalar,
                             multiple == 2 ? "even" : fmt::format("a multiple of {}", multiple));
}

}  // namespace

const std::vector<Rule>& rules() {
    using C = const Config&;
    static const std::vector<Rule> kRules = {
        {"data_type", "", [](C c) { return c.data_type != "FLOAT32"; },
         [](C) {
             return std::string("a fixed-point type: FLOAT32 is for compilers and emulators only");
         }},
        {"number_of_threads", "", [](C c) { return c.number_of_threads == 1; },
         [](C) {
             return std::string(
                 "1: programs with two threads are for compilers and emulators only");
         }},
        {"lut_depth", "lut_tables", [](C c) { return (c.lut_depth == 0) == (c.lut_tables == 0); },
         [](C c) {
             return c.lut_tables == 0 ? std::string("none, as lut-tables is 0")
                                      : fmt::format("a number, as lut-tables is {}", c.lut_tables);
         }},
        {"lut_tables", "simd_registers_depth",
         [](C c) { return c.lut_tables <= c.simd_registers_depth; },
         [](C c) {
             return fmt::format("at most simd-registers-depth ({}): each table writes a register",
                                c.simd_registers_depth);
         }},
        {"lut_depth", "local_depth", [](C c) { return c.lut_depth <= c.local_depth; },
         [](C c) {
             return fmt::format("at most local-depth ({}): LoadLUT reads a whole table",
                                c.local_depth);
         }},
        {"axi_data_width", "array_size",
         [](C c) {
             // Not all sizes: other parameters may be out of their range.
             const int vector = 8 * architecture_of(c).vector_bytes();
             return vector % c.axi_data_width == 0 || c.axi_data_width % vector == 0;
         },
         bus_wanted},
    };
    return kRules;
}

const std::vector<DerivedDefault>& derived_defaults() {
    static const std::vector<DerivedDefault> kDerivedDefaults = {
        {"axi_data_width", "array_size", usual_axi_width},
        {"weight_buffers", "array_size", usual_weight_buffers},
    };
    return kDerivedDefaults;
}

}  // namespace macrame::tcu
