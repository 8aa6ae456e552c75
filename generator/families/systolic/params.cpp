#include "families/systolic/tables.hpp"
#include "verif/systolic/files/case_file.hpp"

namespace macrame::systolic {

namespace {

/// The limits of a key of conformance files.
Allowed range_of(std::string_view name) {
    for (const files::ConfigKey& key : files::kConfigKeys)
        if (key.name == name) return range(key.low, key.high);
    return {};
}

}  // namespace

const Params& params() {
    static const Params kParams = {
        {"rows", &Config::rows, range_of("rows"), "channels",
         "rows of the array: input channels of a fold; need not be a power of two"},
        {"cols", &Config::cols, range_of("cols"), "filters",
         "columns of the array: filters of a fold, lanes of the ALU"},
        {"in_width", &Config::in_width, range_of("in_width"), "bits", "width of inputs"},
        {"weight_width", &Config::weight_width, range_of("weight_width"), "bits",
         "width of weights"},
        {"out_width", &Config::out_width, range_of("out_width"), "bits",
         "width of accumulators, which wrap"},
        {"ibuf_entries", &Config::ibuf_entries, range_of("ibuf_entries"), "pixels",
         "entries of the input buffer, an element per row each"},
        {"wbuf_entries", &Config::wbuf_entries, range_of("wbuf_entries"), "rows of filters",
         "entries of the weight buffer, an element per column each"},
        {"obuf_entries", &Config::obuf_entries, range_of("obuf_entries"), "pixels",
         "entries of the accumulators, OBUF1 and OBUF2 together"},
        {"queue_depth", &Config::queue_depth, range_of("queue_depth"), "instructions",
         "that a module holds, the one in flight included"},
        {"token_depth", &Config::token_depth, range_of("token_depth"), "tokens",
         "that wait between two modules, in each direction"},
        {"address_width", &Config::address_width, range_of("address_width"), "bits",
         "memory address width"},
        {"axi_data_width", &Config::axi_data_width, power_of_two(32, 1024), "bits",
         "data width of the memory ports"},
        {"config_address", &Config::config_address, range(0, 0x7fffff80), "bytes",
         "where the registers begin, on the port of software", Programs::ignore},
        {"requantise", &Config::requantise, words({kNoScales, kPlainScales, kExactScales}), "",
         "scales in STORE, products in ALU, for quantised networks; exact: rounding of TFLite, "
         "too"},
    };
    return kParams;
}

}  // namespace macrame::systolic
