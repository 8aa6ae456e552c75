#pragma once
/// Options of the command explore.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace macrame::explore {

/// What an FPGA has for the accelerator.
struct Limits {
    std::optional<int> luts, dsps, brams;
};

struct Options {
    std::vector<std::string> networks;  ///< files
    std::string family = "dla";         ///< "all": each that has a space
    std::string board;                  ///< its limits, clock and target
    std::string board_folder;           ///< boards of the user; empty: none
    Limits limits;                      ///< in place of those of the board
    std::string target;                 ///< of area: xc7, ecp5; empty: that of the board, xc7
    std::string goal = "time";          ///< time, area, traffic
    std::vector<double> weights;        ///< of the networks; empty: all the same
    int mhz = 0;                        ///< clock; 0: that of the board, 100
    bool own_clock = false;             ///< each point has the clock that its longest path allows
    int host_mhz = 1000;
    double memory_bytes_per_cycle = 0;  ///< most that memory moves; 0: the board's, else the port's
    int jobs = 0;                       ///< threads; 0: one per processor
    int random = 0;                     ///< points outside of the space, to see what it leaves out
    int verify = 0;           ///< so many points of the front are generated, synthesised and run
    int part = 1, parts = 1;  ///< which of the points are evaluated
    std::vector<std::string> merge;  ///< folders of parts, whose results are taken
};

}  // namespace macrame::explore

namespace macrame {

void add_explore_options(CLI::App& command, explore::Options& options);

}  // namespace macrame
