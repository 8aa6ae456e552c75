#pragma once
/// Golden model of CMAC and CACC at work: a kernel group on all output positions.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cacc.hpp"
#include "cacc_fp16.hpp"
#include "cmac.hpp"
#include "cmac_fp16.hpp"
#include "conv_operands.hpp"

namespace macrame::dla::model {

/// A MAC cell and its accumulators, by the type of elements.
struct IntegerMac {
    using Acc = std::int64_t;
    Precision type;

    Acc add(Acc acc, const std::int16_t* d, const std::int16_t* w, std::size_t lanes) const {
        return accumulate(acc, type == Precision::int8 ? short_sum(d, w, lanes) : psum(d, w, lanes),
                          bits());
    }
    void add_tile(TileOf<Acc>& acc, const std::int16_t* d, const std::int16_t* w) const {
        const TileOf<std::int64_t> sums = winograd_psums(d, w);
        for (std::size_t i = 0; i < acc.size(); ++i)
            acc[i] = accumulate(acc[i], sums[i], bits());
    }
    static FinalValue finish(Acc acc, int truncate) { return final_value(acc, truncate); }
    static bool tie(Acc acc, int truncate) { return negative_tie(acc, truncate); }

private:
    int bits() const { return type == Precision::int8 ? kAccBits : kAccBitsInt16; }
    /// 32 bits are enough for products of int8.
    static std::int32_t short_sum(const std::int16_t* d, const std::int16_t* w, std::size_t lanes) {
        std::int32_t sum = 0;
        for (std::size_t i = 0; i < lanes; ++i)
            sum += d[i] * w[i];
        return sum;
    }
};

struct Fp16Mac {
    using Acc = FloatAcc;

    Acc add(const Acc& acc, const std::int16_t* d, const std::int16_t* w, std::size_t lanes) const {
        return accumulate(acc, fp16_psum(patterns(d), patterns(w), lanes));
    }
    void add_tile(TileOf<Acc>& acc, const std::int16_t* d, const std::int16_t* w) const {
        const TileOf<std::uint64_t> sums = fp16_winograd_psums(patterns(d), patterns(w));
        for (std::size_t i = 0; i < acc.size(); ++i)
            acc[i] = accumulate(acc[i], sums[i]);
    }
    static FinalValue finish(const Acc& acc, int) {
        return {static_cast<std::int32_t>(final_fp32(acc)), false};
    }
    static bool tie(const Acc&, int) { return false; }

private:
    static const std::uint16_t* patterns(const std::int16_t* elements) {
        return reinterpret_cast<const std::uint16_t*>(elements);
    }
};

/// Results of a layer as they go to SDP.
struct ConvResults {
    std::vector<std::int32_t> words;
    std::uint64_t saturated = 0;  ///< D_OUT_SATURATION
    NegativeTies ties;
};

/// Results of one kernel group in delivery order: position by position and batch by batch,
/// `atomic_k` kernels each (0 for kernels that do not exist).
template <class Mac>
void convolve_group(const Mac& mac, int atomic_c, int atomic_k, const ConvLayer& layer,
                    const ConvInput& input, const Elements& weights, ConvResults& out) {
    const int operations = operations_of(layer, atomic_c);
    const auto lanes = static_cast<std::size_t>(atomic_c);
    const std::size_t kernel = static_cast<std::size_t>(operations) * lanes;
    const auto kernels = static_cast<int>(weights.size() / kernel);
    Elements data(kernel);
    const auto deliver = [&](std::int64_t at, const typename Mac::Acc& acc) {
        const FinalValue result = mac.finish(acc, layer.truncate);
        out.saturated += result.saturated ? 1 : 0;
        out.words[static_cast<std::size_t>(at)] = result.value;
        if (mac.tie(acc, layer.truncate)) out.ties.words.push_back(static_cast<std::size_t>(at));
    };
    for (int place = 0; place < places_of(layer); ++place) {
        for (int batch = 0; batch < layer.batches; ++batch) {
            input.operands(place, batch, data.data());
            auto at = static_cast<std::int64_t>(out.words.size());
            out.words.resize(out.words.size() +
                             static_cast<std::size_t>(layer.is_winograd ? 4 * atomic_k : atomic_k));
            const std::int16_t* w = weights.data();
            for (int k = 0; k < kernels; ++k, ++at) {
                TileOf<typename Mac::Acc> acc{};
                for (std::size_t o = 0; o < kernel; o += lanes, w += lanes) {
                    if (layer.is_winograd) {
                        mac.add_tile(acc, &data[o], w);
                    } else {
                        acc[0] = mac.add(acc[0], &data[o], w, lanes);
                    }
                }
                for (int i = 0; i < (layer.is_winograd ? 4 : 1); ++i)
                    deliver(at + std::int64_t{1} * i * atomic_k, acc[static_cast<std::size_t>(i)]);
            }
        }
    }
}

/// The same for the type of the layer.
inline void convolve_group(int atomic_c, int atomic_k, const ConvLayer& layer,
                           const ConvInput& input, const Elements& weights, ConvResults& out) {
    if (layer.precision == Precision::fp16) {
        convolve_group(Fp16Mac{}, atomic_c, atomic_k, layer, input, weights, out);
    } else {
        convolve_group(IntegerMac{layer.precision}, atomic_c, atomic_k, layer, input, weights, out);
    }
}

}  // namespace macrame::dla::model
