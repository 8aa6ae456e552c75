#include "families/mini/tables.hpp"

#include <fmt/format.h>

#include "families/mini/registers/registers.hpp"

namespace macrame::mini {

const Params& params() {
    static const Params kParams = {
        {"lanes", &Config::lanes, power_of_two(1, 4), "addends", "addends of a word"},
        {"width", &Config::width, choices({8, 16, 32}), "bits", "bits of an addend"},
    };
    return kParams;
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> kRules = {
        {"lanes", "width", [](const Config& c) { return c.lanes * c.width <= 32; },
         [](const Config& c) { return fmt::format("at most {}, a word of 32 bits", 32 / c.width); }},
    };
    return kRules;
}

const std::vector<const Unit*>& units() {
    static const Unit kTop{"top",
                           "adds the lanes of every word that is written to a sum",
                           nullptr,
                           {"mini_top.v"},
                           {},
                           {{"top", {"OPERAND"}, {"SUM"}, {"OPERAND", "CLEAR"}, "ACCUMULATOR"}},
                           nullptr};
    static const std::vector<const Unit*> kUnits = {&kTop};
    return kUnits;
}

}  // namespace macrame::mini
