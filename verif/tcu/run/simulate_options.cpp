#include "verif/tcu/run/simulate_options.hpp"

#include <algorithm>
#include <string_view>

#include "verif/common/run/verilog_bench.hpp"

namespace macrame::tcu::run {

namespace {

verif::run::Option& row(verif::run::OptionRows& rows, std::string_view name) {
    return *std::find_if(rows.begin(), rows.end(),
                         [&](const verif::run::Option& r) { return r.name == name; });
}

}  // namespace

// clang-format off
verif::run::OptionRows option_rows(SimulateOptions& o) {
    verif::run::OptionRows rows = verif::run::option_rows(static_cast<verif::run::Options&>(o));
    // No traces; a file per network; one memory behind each port, whose answers stay in order; programs with undefined
    // results never run.
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const verif::run::Option& r) {
        return r.name == "trace" || r.name == "network" || r.name == "interleave" ||
               r.name == "strict";
    }), rows.end());
    row(rows, "random").excludes = {};
    row(rows, "program").doc = "run a network (.tmodel) or a program (.tprog, or .tasm: assembly text)";
    row(rows, "program").needs = {};
    row(rows, "program").excludes = {"random"};
    row(rows, "input").doc =
        "inputs of the network, one behind the other: vectors in DRAM coding, or .csv";
    row(rows, "both").doc = "run both; every written byte and the program counter must agree";
    verif::run::add_behind(rows, "count", {
        {"dram0", &o.dram0, "FILE", {}, "DRAM0 before the program, from address 0; the rest is zero",
         {"program"}},
        {"dram1", &o.dram1, "FILE", {}, "the same of DRAM1", {"program"}},
        {"dump-dram0", &o.dump_dram0, "FILE", {},
         "write DRAM0 after the program: to the end of its image or the last byte written, in "
         "whole 64 KiB, at most the whole bank",
         {"program"}, {}, verif::run::Offered::everywhere, false, true},
        {"dump-dram1", &o.dump_dram1, "FILE", {}, "the same of DRAM1", {"program"}, {},
         verif::run::Offered::everywhere, false, true},
        {"write-tasm", &o.write_tasm, "FILE", {}, "write the program as assembly text",
         {"program"}, {}, verif::run::Offered::everywhere, false, true},
        {"write-tprog", &o.write_tprog, "FILE", {}, "write the program as bytes", {"program"}, {},
         verif::run::Offered::everywhere, false, true},
        {"conformance", &o.conformance, "FOLDER", {},
         "run conformance data: networks and programs with expected memory",
         {}, {"random", "program"}, verif::run::Offered::everywhere, true},
    });
    verif::run::add_behind(rows, "conformance", {
        {"driver", &o.driver, "", {},
         "run networks by the C driver behind a DMA, and send programs as Tensil's drivers do",
         {}, {"cycles", "sample-interval"}},
    });
    verif::run::add_behind(rows, "random", {
        {"compat", &o.compat, "", {},
         "only random programs that the original hardware runs, too", {"random"}},
    });
    verif::run::add_behind(rows, "quiet", {
        {"cycles", &o.cycles, "", {}, "a table of cycles per kind of instruction", {}, {"model"}},
        {"sample-interval", &o.sample_interval, "N", {1, 65535},
         "configure the sample interval before the program, and show what held it up",
         {"program"}, {"model"}},
        {"samples", &o.samples, "FILE", {}, "write the words of the sample stream, 8 bytes each",
         {"program"}, {"model"}, verif::run::Offered::everywhere, false, true},
    });
    verif::run::add_behind(rows, "stall", {
        {"resets", &o.resets, "N", {0, 1000},
         "start each program N times before and make a soft reset at a random moment",
         {}, {"model", "driver"}},
        {"faults", &o.faults, "N", {0, 1000},
         "start each program N times before with error answers of memory; check what is told of them "
         "and that nothing is stored that depends on them",
         {}, {"model", "driver"}},
    });
    verif::run::add_behind(rows, "seed", {
        {"random-memory", &o.random_memory, "", {},
         "noise in local memory and accumulators of the model, which are undefined after reset"},
    });
    verif::run::add_behind(rows, "coverage", {verif::run::verilog_row(o, {"driver"})});
    return rows;
}
// clang-format on

std::vector<std::string> to_arguments(const SimulateOptions& options) {
    SimulateOptions given = options;
    SimulateOptions defaults;
    return verif::run::to_arguments(option_rows(given), option_rows(defaults));
}

}  // namespace macrame::tcu::run
