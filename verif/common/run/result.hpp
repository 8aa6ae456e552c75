#pragma once
/// What came of a program, and of all of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrame::verif::run {

enum class Verdict { passed, failed, skipped };

/// What the memory ports have moved by a cycle.
struct PortSample {
    std::uint64_t cycle = 0;  ///< behind the first command
    std::uint64_t read_bytes = 0, write_bytes = 0, read_stalls = 0, write_stalls = 0;
};

/// When the layers of a compiled network ran, in cycles behind its first command.
struct LayerTimes {
    std::vector<std::uint64_t> begins;  ///< the first command of each layer
    std::vector<std::uint64_t> ends;    ///< per wait of the program, in order: what it waits for
    std::vector<PortSample> samples;    ///< evenly spread
};

/// A line of the table.
struct Row {
    std::string name;
    Verdict verdict = Verdict::passed;
    std::string reason;                 ///< why skipped, or failed without having run
    std::vector<std::string> failures;  ///< one line each
    bool has_cycles = false;            ///< false: the subject has no clock
    std::uint64_t cycles = 0;           ///< from the first start of a unit to the last interrupt
    std::uint64_t total_cycles = 0;     ///< from reset to the end
    std::uint64_t macs = 0;             ///< multiply-accumulates
    std::uint64_t wide_macs = 0;        ///< of them those that take two multipliers each
    std::uint64_t layers = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;
    std::uint64_t read_stalls = 0;
    std::uint64_t write_stalls = 0;
    std::size_t commands = 0;  ///< what the program tells the device to do
    std::size_t checks = 0;    ///< what can fail: comparisons, waits
    double cpu_s = 0.0;
    std::optional<LayerTimes> layer_times;          ///< of a compiled network on the design
    std::vector<std::uint64_t> moved;               ///< when results were in local memory
    std::optional<std::uint64_t> first_difference;  ///< in its memory, an offset
};

/// "ok", "FAIL", "FAIL: not run", "skipped: needs PDP"
inline std::string result_text(const Row& row) {
    const std::string word = row.verdict == Verdict::passed   ? "ok"
                             : row.verdict == Verdict::failed ? "FAIL"
                                                              : "skipped";
    return row.reason.empty() ? word : word + ": " + row.reason;
}

/// Counts over all programs so far.
struct Summary {
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
    std::uint64_t layers = 0;
    std::uint64_t total_cycles = 0;  ///< of the design
    double cpu_s = 0.0;

    void add(const Row& row) {
        ++(row.verdict == Verdict::passed   ? passed
           : row.verdict == Verdict::failed ? failed
                                            : skipped);
        layers += row.layers;
        total_cycles += row.has_cycles ? row.total_cycles : 0;
        cpu_s += row.cpu_s;
    }
    std::size_t done() const { return passed + failed + skipped; }
};

/// "3 passed, 1 failed, 2 skipped"
inline std::string summary_text(const Summary& sum) {
    std::string out =
        std::to_string(sum.passed) + " passed, " + std::to_string(sum.failed) + " failed";
    return sum.skipped == 0 ? out : out + ", " + std::to_string(sum.skipped) + " skipped";
}

}  // namespace macrame::verif::run
