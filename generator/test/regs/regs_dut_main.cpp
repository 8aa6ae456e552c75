/// Writes the register files under test of regs_tb.cpp: one map on every kind of bus.
///
///     regs_dut <directory> <top>   writes native_regs.v, axi_regs.v, apb_regs.v, and for
///                                  scripts/lint.sh filelist.f and manifest.json

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <utility>

#include "regs/to_verilog.hpp"

namespace {

using namespace macrame;
using regs::Access;
using regs::Hw;
using regs::Kind;

/// Holes between and behind the registers, fields across bytes, and all kinds of access.
regs::RegisterMap sample() {
    return {"SAMPLE",
            "registers of all kinds",
            0,
            {},
            {{"ID",
              0x00,
              Kind::single,
              {{"ID", 31, 0, Access::ro, Hw::constant, 0xca5e0001, "what this is"}}},
             {"CTRL",
              0x04,
              Kind::single,
              {{"ENABLE", 0, 0, Access::rw, Hw::plain, 1, "runs"},
               {"MODE", 6, 4, Access::rw, Hw::plain, 5, "kept for software"},
               {"LEVEL", 19, 8, Access::rw, Hw::plain, 0xabc, "in two bytes"}}},
             {"DATA", 0x08, Kind::single, {{"DATA", 31, 0, Access::rw, Hw::plain, 0, "a word"}}},
             {"STATUS",
              0x0c,
              Kind::single,
              {{"BUSY", 0, 0, Access::ro, Hw::status, 0, "live"},
               {"STICKY", 1, 1, Access::rw, Hw::plain, 0, "beside live bits"},
               {"COUNT", 31, 16, Access::ro, Hw::status, 0, "live"}}},
             {"KEY", 0x14, Kind::single, {{"KEY", 15, 0, Access::wo, Hw::trigger, 0, "reads 0"}}}}};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: {} <directory> <top>\n", argv[0]);
        return 2;
    }
    const regs::RegisterMap map = sample();
    const RegUse use{"sample",
                     {"CTRL.ENABLE", "CTRL.LEVEL", "DATA", "STATUS.STICKY"},
                     {"STATUS.BUSY", "STATUS.COUNT"},
                     {"CTRL", "KEY"}};
    bool good = true;
    std::ofstream list(fmt::format("{}/filelist.f", argv[1]));
    list << argv[2] << "\n";
    std::ofstream(fmt::format("{}/manifest.json", argv[1])) << "{\n \"top\": \"regs_dut\",\n}\n";
    for (const auto& [name, bus] :
         {std::pair("native", regs::Bus::native), std::pair("axi", regs::Bus::axi4_lite),
          std::pair("apb", regs::Bus::apb4)}) {
        const std::string module = fmt::format("{}_regs", name);
        std::ofstream file(fmt::format("{}/{}.v", argv[1], module));
        file << regs::to_verilog(map, use, bus, module);
        list << module << ".v\n";
        good = good && file.flush();
    }
    return good && list.flush() ? 0 : 1;
}
