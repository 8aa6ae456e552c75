#pragma once
/// Which parameters has a program let memory see? What comes behind a parameter can hide it: an
/// output that saturates tells nothing of a shift. So a layer shows a parameter only if memory
/// would be another with another value of it, and that is tried, on the golden model.
///
///     Sight sight(sizes);
///     sight.bins(bins);                          // all of them, none hit
///     sight.layer("SDP", registers, command);    // for each layer of the program
///     sight.play(program, bins);                 // hits "group.name seen class"
///
/// README.md has the list: parameter, what hides it, bins.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "verif/common/bins.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/model/register_words.hpp"
#include "verif/dla/model/sizes.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

/// A parameter: a field of a register, in some layers of a unit.
struct SeenParameter {
    using Sizes = const dla::model::Architecture&;
    using Now = const dla::model::RegisterWords&;

    std::string_view unit, name;
    std::uint32_t address;
    int low, width;           ///< of the field
    std::vector<int> lowest;  ///< classes of its value as in Bins::range(); may be empty: one
    bool (*exists)(Sizes sizes);
    bool (*used)(Sizes sizes, Now now);     ///< by a layer with these registers
    std::uint32_t (*other)(std::uint32_t);  ///< the value that is tried instead
};
/// coverage_bins_seen.cpp
const std::vector<SeenParameter>& seen_parameters();

class Sight {
public:
    explicit Sight(const dla::model::Architecture& sizes) : sizes_(sizes) {}

    /// Makes the bins.
    void bins(verif::Bins& bins) const;
    /// A layer of the program begins with this command, the write of D_OP_ENABLE.
    void layer(std::string_view unit, const dla::model::RegisterWords& now, std::size_t command);
    /// Tries what the layers since the last call have, but not more than a few of a program: those
    /// that were tried least. A class that was seen once is not tried again. `program` is in the
    /// register map that has no name.
    void play(const trace::Trace& program, verif::Bins& bins);

private:
    struct Try {
        std::size_t parameter, command;
        int value;           ///< of the field
        std::uint32_t word;  ///< of the register, the other value in it
    };
    /// Bytes that were written, in both memories.
    struct Written {
        std::vector<verif::MemoryRange> primary, secondary;
        std::vector<std::uint8_t> bytes;
    };

    void hit(verif::Bins& bins, std::size_t parameter, int value) const;
    int class_of(std::size_t parameter, int value) const;
    void run(const trace::Trace& program, const std::function<void(int, bool)>& ties,
             const Written* like, Written& out) const;

    dla::model::Architecture sizes_;
    using Key = std::pair<std::size_t, int>;  ///< parameter, class
    Key key_of(const Try& one) const { return {one.parameter, class_of(one.parameter, one.value)}; }

    std::vector<Try> tries_;
    std::map<Key, int> tried_;
    std::set<Key> done_;
};

}  // namespace macrame::dla::stimulus
