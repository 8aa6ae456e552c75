#include "verif/dla/run/simulate_options.hpp"

#include "verif/common/run/verilog_bench.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::run {

using verif::text::shortest;

// clang-format off
verif::run::OptionRows option_rows(SimulateOptions& o) {
    verif::run::OptionRows rows = verif::run::option_rows(static_cast<verif::run::Options&>(o));
    verif::run::add_behind(rows, "random", {
        {"original-safe", &o.original_safe, "", {},
         "only random programs that the original hardware runs, too", {"random"}},
        {"mutate", &o.mutate, "UNITS",
         {}, "change a register field of one of these units (PDP,CDP; or all) in each random program: "
         "design and golden model must do the same, or the layer checker say why not",
         {"random"}, {"original-safe", "resets", "faults", "coverage", "model"}},
        {"layer", &o.layers, "SHAPE", {}, "run a convolution layer of this shape on random data; several: one behind the other", {},
         {"trace", "random", "program"}, verif::run::Offered::everywhere, true},
        {"picture", &o.picture, "", {}, "filter a picture (convolution, PReLU, bias)", {},
         {"trace", "random", "program", "layer"}, verif::run::Offered::everywhere, true},
        {"image", &o.picture_in, "FILE", {}, "the picture, a PPM; default: the bundled one",
         {"picture"}},
        {"png", &o.picture_out, "FILE", {}, "write the picture and what the filters make of it",
         {"picture"}, {}, verif::run::Offered::everywhere, false, true},
        {"serve", &o.serve, "FD", {3, 1023},
         "give the device to a driver at this socket (runtime/device)", {},
         {"trace", "random", "program", "picture", "layer", "both", "jobs", "csv", "json", "junit",
          "coverage", "counts", "csb-idle", "resets", "faults"},
         verif::run::Offered::everywhere, true},
        {"record", &o.record, "FILE", {}, "write what the driver does as a trace, which --trace plays again",
         {"serve"}, {}, verif::run::Offered::everywhere, false, true},
    });
    verif::run::add_behind(rows, "latency", {
        {"secondary-latency", &o.secondary_latency, "N", {1, 100000},
         "of the memory at the second port; default: as --latency", {}, {"model"}},
    });
    verif::run::add_behind(rows, "interleave", {
        {"csb-idle", &o.csb_idle, "N", {0, 100000}, "idle cycles before each register access",
         {}, {"model"}},
        {"bus-clock-div", &o.bus_clock_div, "R", {0.1, 64.0},
         "core clock cycles per cycle of the bus clock: CSB, or all buses with bus-clock = own",
         {}, {"model"}},
        {"resets", &o.resets, "N", {0, 1000},
         "start each program N times before and reset the design at a random moment, not the memory",
         {}, {"model", "program"}},
        {"faults", &o.faults, "N", {0, 1000},
         "start each program N times before with error answers of memory; check what is told of them",
         {}, {"model", "program"}},
    });
    verif::run::add_behind(rows, "coverage", {verif::run::verilog_row(o, {"program", "serve"})});
    return rows;
}
// clang-format on

std::string objection(const SimulateOptions& options, const Has& has) {
    if (options.faults > 0 && !has.responses)
        return "--faults = " + shortest(options.faults) +
               ": want 0, or memory-bus = axi4 or axi3: the memory port has no error answers";
    if (options.bus_clock_div != 1.0 && !has.bus_clock)
        return "--bus-clock-div = " + shortest(options.bus_clock_div) +
               ": want 1, or bus-clock = own: this design has one clock";
    if (options.secondary_latency != 0 && !has.second_port)
        return "--secondary-latency = " + shortest(options.secondary_latency) +
               ": want secondary-memif-enable, too: this design has one memory port";
    return "";
}

std::vector<std::string> to_arguments(const SimulateOptions& options) {
    using verif::run::Offered;
    SimulateOptions chosen = options;
    SimulateOptions fresh;
    return verif::run::to_arguments(verif::run::offered(option_rows(chosen), Offered::delivered),
                                    verif::run::offered(option_rows(fresh), Offered::delivered));
}

}  // namespace macrame::dla::run
