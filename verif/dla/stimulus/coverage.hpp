#pragma once
/// Functional coverage: which modes, shapes and register values have the programs used?
///
///     Coverage coverage(sizes);
///     coverage.play(program);              // every layer at its D_OP_ENABLE
///     coverage.reads(play_result.reads);   // what only results tell: hits of tables, saturation
///     print(coverage.bins().table());             // bins, counts, holes
///
/// A bin is "group.what"; coverage_bins.cpp says which there are. Bins that the configuration
/// cannot reach do not exist.

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sight.hpp"
#include "verif/common/bins.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/register_words.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

using verif::Bins;

/// Register values of one unit at its D_OP_ENABLE.
using UnitRegisters = dla::model::RegisterWords;

/// A unit of which layers are seen, and how: `before` are the registers of its layer before, null
/// for the first one.
struct CoveredUnit {
    std::string_view name;  ///< "CSC"
    bool (*exists)(const dla::model::Architecture& sizes);
    void (*sample)(Bins& bins, const dla::model::Architecture& sizes, const UnitRegisters& now,
                   const UnitRegisters* before);
};
const std::vector<CoveredUnit>& covered_units();

/// A counter that tells of something in the data: a value above 0 hits the bin.
struct CoveredCounter {
    std::string_view reg;  ///< "SDP.D_PERF_LUT_UFLOW"
    std::string_view group, bin;
    bool (*exists)(const dla::model::Architecture& sizes);
};
const std::vector<CoveredCounter>& covered_counters();

class Coverage {
public:
    explicit Coverage(const dla::model::Architecture& sizes);

    /// Follows the register writes of a program from reset to its end, and tries on the golden
    /// model what memory sees of its parameters.
    void play(const trace::Trace& program);
    /// Register reads of a run, the golden model's or the design's.
    void reads(const std::vector<trace::RegisterRead>& reads);

    Bins& bins() { return bins_; }
    const Bins& bins() const { return bins_; }

private:
    struct Unit {
        const CoveredUnit* covered = nullptr;
        std::uint32_t producer = 0;
        UnitRegisters single;
        std::array<UnitRegisters, 2> group;
        UnitRegisters before;
        bool has_before = false;
    };
    struct DeviceState;  // layers in flight

    void enable(Unit& unit, DeviceState& machine, std::size_t command);
    void launch(int group, DeviceState& machine);
    void sample_machine(const DeviceState& machine);

    dla::model::Architecture sizes_;
    Bins bins_;
    Sight sight_;
    std::map<std::string, const CoveredCounter*> counters_;
};

}  // namespace macrame::dla::stimulus
