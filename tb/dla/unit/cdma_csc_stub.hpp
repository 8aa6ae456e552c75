#pragma once
/// CSC on the other side of dla_cdma.

#include <cstddef>
#include <deque>
#include <vector>

#include "tb/dla/unit/cdma_stimulus.hpp"

namespace macrame::tb::cdma {

/// CSC as far as CDMA sees it: takes slices and entries, gives them back, agrees on bank changes.
struct CscStub {
    std::vector<Program> layers;
    std::size_t index = 0;
    int phase = 0;         // 0 bank change, 1 start of layer, 2 working
    int slices = 0;        // announced, not given back
    int remaining = 0;     // of these, kept from the layer before
    int entries = 0;       // weight entries announced, not given back
    int weights_kept = 0;  // of these, kept from the layer before
    int weights_used = 0;  // given back in this layer
    std::deque<int> data_rls, weight_rls;
    bool bank_change = false;

    bool finished() const { return index == layers.size(); }
};

}  // namespace macrame::tb::cdma
