#pragma once
/// Golden model of MCIF: how requests become AXI transactions, which atoms those carry, whose turn
/// it is and how much may be in flight. It has no clock.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace macrame::dla::model {

/// Sizes of the memory port.
struct McifSizes {
    int atom_bytes = 8;
    int bus_bytes = 8;  ///< a power of two, at least an atom
    int max_burst = 1;  ///< beats

    int atoms_per_beat() const { return bus_bytes / atom_bytes; }
};

/// An AXI transaction of a read client.
struct McifTransaction {
    std::uint64_t addr = 0;  ///< of the first beat, aligned to the bus
    int beats = 0;
    int first = 0;  ///< lane of the first wanted atom in the first beat
    int atoms = 0;  ///< wanted, one behind the other
};

/// Cuts a read of `atoms` atoms from an atom aligned address. A transaction ends at an aligned
/// block of max_burst beats or with the request:
///
///     block   |  .  .  .  .  |  .  .  .  .  |      max_burst = 2, two atoms per beat
///     request          o  o     o  o  o            -> two transactions
inline std::vector<McifTransaction> mcif_cut(const McifSizes& sizes, std::uint64_t addr,
                                             int atoms) {
    const auto atom = static_cast<std::uint64_t>(sizes.atom_bytes);
    const auto per_beat = static_cast<std::uint64_t>(sizes.atoms_per_beat());
    const std::uint64_t block = per_beat * static_cast<std::uint64_t>(sizes.max_burst);
    assert(addr % atom == 0);
    std::vector<McifTransaction> out;
    std::uint64_t at = addr / atom;
    for (const std::uint64_t end = at + static_cast<std::uint64_t>(atoms); at < end;) {
        const std::uint64_t stop = std::min(end, (at / block + 1) * block);
        const std::uint64_t beat = at / per_beat;
        out.push_back({beat * per_beat * atom, static_cast<int>((stop - 1) / per_beat - beat) + 1,
                       static_cast<int>(at % per_beat), static_cast<int>(stop - at)});
        at = stop;
    }
    return out;
}

/// Addresses of the atoms that the client gets from a transaction, in order.
inline std::vector<std::uint64_t> mcif_atoms(const McifSizes& sizes, const McifTransaction& t) {
    std::vector<std::uint64_t> out;
    for (int i = t.first; i < t.first + t.atoms; ++i) {
        out.push_back(t.addr + static_cast<std::uint64_t>(i * sizes.atom_bytes));
    }
    return out;
}

/// Byte strobes of the only beat of a write of one atom.
inline std::uint64_t mcif_strobes(const McifSizes& sizes, std::uint64_t addr) {
    const auto lane = addr % static_cast<std::uint64_t>(sizes.bus_bytes);
    return ((std::uint64_t{1} << sizes.atom_bytes) - 1) << lane;
}

/// Most read beats in flight. A limit below the longest transaction means one transaction at a
/// time.
inline int mcif_most_beats(const McifSizes& sizes, int rd_os_cnt) {
    return std::max(rd_os_cnt + 1, sizes.max_burst);
}

/// Most writes in flight.
inline int mcif_most_writes(int wr_os_cnt) { return wr_os_cnt + 1; }

/// Weighted round robin. A client keeps its turn for up to `weight` transactions; then, or when it
/// does not ask, the next asking client in index order follows. Clients of weight 0 get least
/// service: one transaction each in turn, only while no client with a weight asks.
class McifArbiter {
public:
    explicit McifArbiter(std::vector<int> weights)
        : weights_(std::move(weights)), current_(count() - 1) {}

    /// Software changed the weights; whoever has the turn keeps what it was given.
    void set_weights(std::vector<int> weights) { weights_ = std::move(weights); }

    /// Client whose turn it is if these clients ask; -1: nobody asks.
    int grant(std::vector<bool> asks) const {
        const auto heavy = [&](std::size_t c) { return asks[c] && weights_[c] > 0; };
        bool any_heavy = false;
        for (std::size_t c = 0; c < asks.size(); ++c)
            any_heavy = any_heavy || heavy(c);
        for (std::size_t c = 0; any_heavy && c < asks.size(); ++c)
            asks[c] = heavy(c);
        if (left_ > 0 && asks[static_cast<std::size_t>(current_)]) return current_;
        for (int step = 1; step <= count(); ++step) {
            const int c = (current_ + step) % count();
            if (asks[static_cast<std::size_t>(c)]) return c;
        }
        return -1;
    }

    /// A transaction of this client went on its way.
    void served(int client) {
        const bool stays = client == current_ && left_ > 0;
        left_ = (stays ? left_ : weights_[static_cast<std::size_t>(client)]) - 1;
        left_ = std::max(left_, 0);
        current_ = client;
    }

private:
    int count() const { return static_cast<int>(weights_.size()); }

    std::vector<int> weights_;
    int current_;   ///< client of the last transaction
    int left_ = 0;  ///< transactions it may still do in a row
};

}  // namespace macrame::dla::model
