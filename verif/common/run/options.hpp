#pragma once
/// The options of a simulation, one row each. `macrame simulate`, the simulator that is delivered
/// with a design, their help, the arguments that one gives to the other and the documentation are
/// made from these rows. A family adds its own: a struct that has Options as base, and
/// `rows = option_rows(options)` with more rows behind.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace macrame::verif::run {

/// What executes the programs.
enum class Subject {
    rtl,    ///< the Verilated design
    model,  ///< the golden model
    both    ///< one after the other; everything that a program can see must agree
};

/// What to run and how, for every family.
struct Options {
    std::vector<std::string> traces;  ///< trace files, their folders, or folders of these
    int random_layers = 0;            ///< this many random programs instead of traces
    std::string program;              ///< a compiled network instead of traces
    std::string network;              ///< of a program of several, by name
    std::string input;                ///< file with its inputs; the same for the outputs
    std::string output;
    int count = 0;  ///< so many of the inputs; 0: all
    Subject subject = Subject::rtl;
    int latency = 32;         ///< of the memory, cycles
    double stall = 0.0;       ///< probability of a stall per channel and cycle
    bool interleave = false;  ///< answers to different clients overtake each other
    std::uint64_t seed = 1;   ///< of stalls and random programs
    int jobs = 1;             ///< programs that run at the same time
    bool strict = false;      ///< programs that break a programming rule fail and do not run
    bool verbose = false;     ///< every check, not only the failed ones, and warnings about rules
    bool quiet = false;       ///< only failures and the summary
    std::string csv;          ///< file for the table; the same for the two below
    std::string json;
    std::string junit;
    std::string coverage;      ///< table of functional coverage to add to, "-": only print
    std::string wave;          ///< FST of the run; of several programs one file each
    std::string counts;        ///< folder for line and toggle counts, one file per program
    std::string verilog;       ///< folder for files of the programs for benches in Verilog
    std::string build_folder;  ///< where macrame generates and builds; empty: in the user's cache
};

/// A flag that chooses the subject.
struct SubjectFlag {
    Subject* to = nullptr;
    Subject value = Subject::rtl;
};

/// Programs that have an option.
enum class Offered {
    everywhere,
    delivered,  ///< the simulator that comes with a design
    generator   ///< macrame simulate
};

/// Limits of a number.
struct Range {
    double low = 0.0;
    double high = 0.0;
};

/// One option, bound to the struct that takes its value. The default is what the struct holds.
struct Option {
    std::string_view name;  ///< without dashes
    std::variant<bool*, SubjectFlag, int*, std::uint64_t*, double*, std::string*,
                 std::vector<std::string>*>
        to;
    std::string_view value;  ///< "N", "FILE"; empty: a flag
    Range range;             ///< of an int or double
    std::string_view doc;
    std::vector<std::string_view> needs = {};     ///< given together with this one only
    std::vector<std::string_view> excludes = {};  ///< never together
    Offered offered = Offered::everywhere;
    bool work = false;    ///< says what is to run: one of these must be given
    bool output = false;  ///< a file or folder that is written

    bool is_flag() const { return value.empty(); }
};
using OptionRows = std::vector<Option>;

/// The rows that all families have.
OptionRows option_rows(Options& options);

/// Adds rows behind the one of this name, so that help shows what belongs together.
void add_behind(OptionRows& rows, std::string_view name, OptionRows more);

/// The rows that a program offers.
OptionRows offered(OptionRows rows, Offered by);

/// An option as it was written.
struct Given {
    std::string name;                  ///< without dashes
    std::optional<std::string> value;  ///< behind = or as the next word
};

/// Sets what was given. Returns all mistakes, each with what was found and what was wanted:
/// "--latency = 1e3: want a whole number in 1..100000".
std::vector<std::string> set_options(const OptionRows& rows, const std::vector<Given>& given);

/// Takes a command line apart: `--name value`, `--name=value`, flags; words without dashes are
/// traces.
std::vector<Given> read_arguments(const OptionRows& rows, const std::vector<std::string>& words);

/// The arguments that make `defaults` what `rows` is bound to. Both have the same rows.
std::vector<std::string> to_arguments(const OptionRows& rows, const OptionRows& defaults);

/// "a whole number in 1..100000", "a number in 0..0.95", "a file"
std::string allowed_text(const Option& option);

/// The default, as one would write it; empty for none and for flags.
std::string default_text(const Option& option);

/// Two columns: "  --latency N      memory latency in cycles (32)".
std::string help_text(const OptionRows& rows);

/// The same as a table for documents.
std::string markdown_table(const OptionRows& rows);

}  // namespace macrame::verif::run
