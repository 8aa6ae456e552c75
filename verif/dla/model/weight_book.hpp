#pragma once
/// What the original hardware counts of the weights in its convolution buffer, which is not what is
/// there: where a chain of legal layers fails on it. Numbers are entries.
///
///     CDMA occupies WEIGHT_BYTES; CSC gives back what the weights fill:
///
///       |<------- WEIGHT_BYTES ------->|
///       | weights of the layer  | tail |      the tail stays, and is in front of the next layer
///
/// A second count decides whether fetched weights are accepted. No change of banks clears it: tails
/// are lost for good, and so are weights that were kept for another bank split. While CDMA has no
/// layer it does not count what is given back; how much that is depends on the speed of the
/// registers, so the book takes all of it.

#include <algorithm>
#include <cstdint>

namespace macrame::dla::model {

/// The weights of a layer.
struct WeightUse {
    int data_banks = 0, weight_banks = 0;
    std::int64_t region = 0;    ///< of all its weight banks
    std::int64_t occupied = 0;  ///< WEIGHT_BYTES
    std::int64_t filled = 0;    ///< weights without the tail
    std::int64_t least = 0;     ///< must fit at once
    bool reuse = false, skip_release = false;
};

class WeightBook {
public:
    /// Tail in front of the weights of a layer that keeps the banks; 0: none, or it moves.
    std::int64_t tail_before(const WeightUse& use) const { return stays(use) ? tail_ : 0; }
    /// Asks for weights that were kept for other banks.
    bool asks_for_moved(const WeightUse& use) const {
        return use.reuse && kept_ > 0 && !stays(use);
    }
    /// Lost entries leave too little room, however fast the registers are.
    bool blocked(const WeightUse& use) const {
        return fetches(use) && leaves_too_little(lost_before(use), use);
    }
    /// They do if CDMA is idle when weights are given back.
    bool may_block(const WeightUse& use) const {
        const std::int64_t late = stays(use) && !use.reuse ? kept_ : 0;
        return fetches(use) && leaves_too_little(lost_before(use) + idle_ + late, use);
    }
    /// None of these.
    bool safe(const WeightUse& use) const {
        return tail_before(use) == 0 && !asks_for_moved(use) && !may_block(use);
    }
    /// Entries that may be lost when the next layer begins.
    std::int64_t may_be_lost() const { return lost_ + idle_ + kept_; }

    /// The layer has run.
    void run(const WeightUse& use) {
        lost_ = lost_before(use);
        if (stays(use) && !use.reuse) idle_ += kept_;  // given back before CDMA begins
        if (!stays(use)) tail_ = 0;
        data_banks_ = use.data_banks;
        weight_banks_ = use.weight_banks;
        kept_ = use.skip_release ? use.occupied : 0;
        if (use.skip_release) return;
        const std::int64_t tail = use.occupied - use.filled;
        tail_ += tail;
        lost_ += tail;
        idle_ += std::max<std::int64_t>(std::min(use.occupied, use.region) - tail, 0);
    }

private:
    bool stays(const WeightUse& use) const {
        return use.data_banks == data_banks_ && use.weight_banks == weight_banks_;
    }
    static bool leaves_too_little(std::int64_t lost, const WeightUse& use) {
        return lost > 0 && lost + use.least > use.region;
    }
    bool fetches(const WeightUse& use) const { return !(use.reuse && stays(use) && kept_ > 0); }
    std::int64_t lost_before(const WeightUse& use) const {
        return lost_ + (asks_for_moved(use) ? kept_ : 0);
    }

    int data_banks_ = 0, weight_banks_ = 0;  ///< of the layer before; 0: there was none
    std::int64_t kept_ = 0;                  ///< not given back by that layer
    std::int64_t tail_ = 0;                  ///< of all layers since the banks changed
    std::int64_t lost_ = 0;                  ///< counted for ever
    std::int64_t idle_ = 0;                  ///< more, if CDMA was idle
};

}  // namespace macrame::dla::model
