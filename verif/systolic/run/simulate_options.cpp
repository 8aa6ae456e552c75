#include "verif/systolic/run/simulate_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "verif/common/run/verilog_bench.hpp"

namespace macrame::systolic::run {

namespace {

/// Options that programs without a design have.
constexpr std::array<std::string_view, 21> kShared = {
    "random",  "program", "input", "output", "count",  "model",    "both",
    "latency", "stall",   "seed",  "jobs",   "strict", "verbose",  "quiet",
    "csv",     "json",    "junit", "wave",   "counts", "coverage", "build-dir"};

}  // namespace

// clang-format off
verif::run::OptionRows option_rows(SimulateOptions& o) {
    verif::run::OptionRows rows;
    for (verif::run::Option& row : verif::run::option_rows(static_cast<verif::run::Options&>(o))) {
        if (std::find(kShared.begin(), kShared.end(), row.name) == kShared.end()) continue;
        if (row.name == "program") {
            row.doc = "run a program: words (.hex, an instruction per line), assembly text, or a "
                      "compiled network (.json)";
            row.needs = {};
            row.excludes = {"random"};
        }
        if (row.name == "random") row.excludes = {};
        if (row.name == "model")
            row.doc = "run the golden model instead of the design, and the cycle model";
        if (row.name == "latency" || row.name == "stall") row.excludes = {};  // the cycle model's
        if (row.name == "both") row.doc = "run both; every written byte must agree";
        if (row.name == "seed")
            row.doc = "of stalls, random programs and what else goes by chance";
        if (row.name == "strict")
            row.doc = "do not run programs in which the verifier finds something: they fail";
        if (row.name == "verbose")
            row.doc = "show all that the verifier finds, reference times, and what each module did or "
                      "waited for in how many cycles";
        rows.push_back(std::move(row));
    }
    verif::run::add_behind(rows, "program", {
        {"memory", &o.memory, "FILE", {},
         "memory before the program, from address 0; the rest is zero", {"program"}},
        {"dump", &o.dump, "FILE", {},
         "write memory after the program: to the end of its image or the last byte written",
         {"program"}, {}, verif::run::Offered::everywhere, false, true},
        {"expect", &o.expect, "FILE", {}, "memory after the program must be this", {"program"}},
        {"write-assembly", &o.write_assembly, "FILE", {}, "write the program as assembly text",
         {"program"}, {}, verif::run::Offered::everywhere, false, true},
        {"write-hex", &o.write_hex, "FILE", {}, "write the program as words", {"program"}, {},
         verif::run::Offered::everywhere, false, true},
        {"buffers", &o.buffers, "FILE", {},
         "write all buffers after every instruction of the model, as JSON", {"program"}, {},
         verif::run::Offered::everywhere, false, true},
        {"times", &o.times, "FILE", {},
         "write when each instruction was queued, begun and ended and what its module did or waited "
         "for in how many cycles, by the cycle model, as CSV", {"program"}, {"resets", "faults"},
         verif::run::Offered::everywhere, false, true},
        {"any-order", &o.any_order, "", {},
         "modules of the model go on in a random order that the tokens allow; memory must be as in "
         "the order of the stream"},
        {"steps", &o.steps, "", {},
         "compare what each instruction of the design writes with the golden model when it ends",
         {}, {"model", "resets", "faults"}},
        {"mutate", &o.mutate, "", {},
         "add or remove a token of each random program: the verifier must find it, or it must do "
         "no harm", {"random"}, {"steps", "any-order", "resets", "faults"}},
    });
    verif::run::add_behind(rows, "stall", {
        {"resets", &o.resets, "N", {0, 1000},
         "start each program N times before and reset the design at a random moment, not the memory",
         {}, {"model"}},
        {"faults", &o.faults, "N", {0, 1000},
         "start each program N times before with error answers of memory; check what is told of them",
         {}, {"model"}},
        {"dram-bytes", &o.dram.bytes_per_cycle, "N", {0.1, 256},
         "DRAM that all ports share: bytes per cycle; the latency comes on top"},
        {"dram-banks", &o.dram.banks, "N", {1, 256}, "its banks", {"dram-bytes"}},
        {"dram-row", &o.dram.row_bytes, "N", {64, 65536}, "bytes of a row", {"dram-bytes"}},
        {"dram-hit", &o.dram.hit_cycles, "N", {1, 1000}, "cycles to the first byte of an open row",
         {"dram-bytes"}},
        {"dram-miss", &o.dram.miss_cycles, "N", {1, 1000},
         "cycles to the first byte of another row: precharge, activate", {"dram-bytes"}},
    });
    verif::run::add_behind(rows, "coverage", {verif::run::verilog_row(o, {"mutate"})});
    return rows;
}
// clang-format on

}  // namespace macrame::systolic::run
