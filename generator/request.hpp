#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/design.hpp"
#include "explore/options.hpp"
#include "network/quantise.hpp"
#include "verif/common/run/options.hpp"

namespace macrame {

/// What the user asked for.
struct Request {
    std::string command;  ///< generate, simulate, compile, ...
    std::optional<std::string> family;
    std::optional<std::string> preset;
    std::optional<std::string> config_file;
    ModuleNames names;
    std::string out;
    std::string templates_folder;
    std::string subject;                                      ///< of list and explain
    std::vector<std::pair<std::string, std::string>> values;  ///< parameter key, text
    std::shared_ptr<verif::run::Options> simulate;            ///< the struct of the family
    std::string board;                                        ///< of fpga, estimate
    std::string board_folder;                                 ///< boards of the user; empty: none
    int core_mhz = 0;                                         ///< the same; 0: as the board has it
    std::string port;                                         ///< of host: the serial device
    int baud = 1000000;                                       ///< the same
    // Of compile, run and estimate.
    std::string network;                             ///< file
    std::vector<std::string> networks;               ///< of compile: all of them, NAME=FILE too
    std::map<std::string, std::vector<int>> shapes;  ///< of inputs that the file leaves open
    std::map<std::string, std::vector<std::string>> fixed;    ///< elements of inputs, for constants
    std::vector<std::pair<std::string, std::string>> states;  ///< outputs that become inputs
    std::vector<std::string> input;                           ///< files and folders
    bool trace = false;                                       ///< write one, of `input` or of zeros
    std::string output;
    std::optional<int> count;   ///< of inputs; all
    bool exact = false;         ///< of networks: also where it is slower
    bool for_original = false;  ///< of compile
    std::string strategy;       ///< of networks: one of the family's; empty: its first
    bool no_host = false;       ///< of networks: what the hardware cannot do is refused
    bool resize = false;        ///< pictures
    std::string input_type;     ///< of raw inputs: "float32", "elements"; empty: as in the file
    std::string output_type;    ///< the same of outputs
    std::optional<std::pair<double, double>> pixel_range;  ///< real values of pixels 0 and 255
    std::string dump;                                      ///< of compile: a pass, or all
    std::string labels, classes;                           ///< files
    std::string json, report;                              ///< files
    std::string layers;                            ///< of run: folder for tensors; empty: none
    std::optional<std::string> compare_layers;     ///< the same of references; empty: the executor
    std::optional<int> latency;                    ///< of memory, in cycles: of estimate
    double memory_bytes_per_cycle = 0;             ///< the same: most that it moves; 0: the port's
    int mhz = 0;                                   ///< clock of the accelerator; 0: not said
    int host_mhz = 1000;                           ///< the same of the host
    std::shared_ptr<verif::run::Options> machine;  ///< of run: on what
    network::QuantiseOptions quantise;             ///< of quantise
    explore::Options explore;                      ///< of explore
};

}  // namespace macrame
