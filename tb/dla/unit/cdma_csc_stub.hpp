#pragma once
/// CSC on the other side of dla_cdma.

#include <cstddef>
#include <deque>
#include <vector>

#include "tb/dla/unit/cdma_stimulus.hpp"

namespace macrame::tb::cdma {

/// Weights or masks in their ring, as CSC has them.
struct RingStub {
    int entries = 0;      // announced, not given back
    int kept = 0;         // of these, kept from the layer before
    int used = 0;         // given back in this layer
    int claimed = 0;      // entries in use, as CDMA counts
    std::deque<int> rls;  // on their way back

    /// Start of a layer. True: entries of the layer before go back.
    void start(bool reuse) {
        if (kept > 0 && !reuse) {
            rls.push_back(kept);
            entries -= kept;
        }
        used = 0;
    }
    /// All that the layer needs was here.
    bool done(bool keep, int need) const { return keep ? entries >= need : used == need; }
};

/// CSC as far as CDMA sees it: takes slices and entries, gives them back, agrees on bank changes.
struct CscStub {
    std::vector<Program> layers;
    std::size_t index = 0;
    int phase = 0;      // 0 bank change, 1 start of layer, 2 working
    int slices = 0;     // announced, not given back
    int remaining = 0;  // of these, kept from the layer before
    RingStub weights, masks;
    std::deque<int> data_rls;
    bool bank_change = false;

    bool finished() const { return index == layers.size(); }
};

}  // namespace macrame::tb::cdma
