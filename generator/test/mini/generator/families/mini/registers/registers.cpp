#include "families/mini/registers/registers.hpp"

namespace macrame::mini {

using regs::Access;
using regs::Hw;
using regs::Kind;

const regs::RegisterSet& registers() {
    static const regs::RegisterMap kMap{
        "ACCUMULATOR",
        "an accumulator",
        0,
        {},
        {{"OPERAND", 0x0, Kind::single,
          {{"OPERAND", 31, 0, Access::rw, Hw::plain, 0, "addends, lane 0 in the low bits"}}},
         {"SUM", 0x4, Kind::single,
          {{"SUM", 31, 0, Access::ro, Hw::status, 0, "of all addends so far"}}},
         {"CLEAR", 0x8, Kind::single,
          {{"CLEAR", 0, 0, Access::wo, Hw::trigger, 0, "a write makes the sum 0"}}}}};
    static const regs::RegisterSet kSet{"mini", {&kMap}, "", "MINI_", ""};
    return kSet;
}

}  // namespace macrame::mini
