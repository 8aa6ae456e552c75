#pragma once
/// Do layers touch the same memory that nothing keeps apart?
///
/// A unit may read as soon as it is enabled, and layers of different units run side by side. The
/// model runs them one after the other, so it has one of several results if a layer reads what
/// another writes and was enabled before that had ended. Each step of the model hands over its
/// accesses with the time, in register writes, at which their unit was enabled.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "memory_access.hpp"

namespace macrame::dla::model {

/// What one client reads or writes for a layer.
struct MemoryStream {
    DmaClient client = DmaClient::kBdma;
    bool write = false;
    bool secondary = false;     ///< at the second port
    std::uint64_t enabled = 0;  ///< when its unit was
    std::uint64_t layer = 0;    ///< of CDMA: its number, from 1
    bool flying = false;        ///< of PDP: behind SDP

    bool same(const MemoryStream& o) const {
        return client == o.client && write == o.write && secondary == o.secondary &&
               enabled == o.enabled && layer == o.layer && flying == o.flying;
    }
};

class Races {
public:
    /// The stream of the step to which accesses are added: an index for add().
    std::size_t open(const MemoryStream& stream);
    void add(std::size_t stream, std::uint64_t addr, std::size_t count);

    /// A step has ended. `now`: register writes so far. `begun`: when the last unit of the layer
    /// that has ended was enabled, 0 if none has. `convolved`: layers of CDMA that CSC has done.
    /// `oldest`: the enable of a unit that waits, or later. The text of a race; empty: none.
    std::string end_step(std::uint64_t now, std::uint64_t begun, std::uint64_t convolved,
                         std::uint64_t oldest);
    void clear();

private:
    struct Run {
        std::uint64_t begin = 0, end = 0;
        bool operator<(const Run& o) const { return begin < o.begin; }
    };
    struct Record {
        MemoryStream stream;
        std::uint64_t time = 0;  ///< of the step, in register writes
        bool sorted = false;
        std::uint64_t begin = 0, end = 0;  ///< all lies between these
        std::vector<Run> runs;
    };

    static bool ordered(const MemoryStream& first, const MemoryStream& then,
                        std::uint64_t convolved);
    static std::string meeting(Record& a, Record& b);

    std::vector<Record> step_, before_;
};

}  // namespace macrame::dla::model
