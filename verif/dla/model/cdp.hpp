#pragma once
/// Golden model of CDP and CDP_RDMA: local response normalisation across channels.
///
///     v = icvt(in);  sum = squares of the channels around it;  out = ocvt(LUT(sum) * v)
///
/// The padding channels of the last surface are written, too: with v = 0. fp16: cdp_float.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arithmetic.hpp"
#include "cdp_float.hpp"
#include "cdp_rdma.hpp"
#include "cube.hpp"
#include "elements.hpp"
#include "lut.hpp"
#include "memory_access.hpp"

namespace macrame::dla::model {

/// The D_ registers of CDP that matter, as real numbers. It has no sizes: they are in CDP_RDMA.
struct CdpLayer : CdpRdmaLayer {
    std::uint64_t dst_addr = 0;
    std::uint32_t dst_line = 0, dst_surf = 0;  ///< strides in bytes
    std::uint32_t dst_ram_type = 1;            ///< memory port
    int half = 1;                              ///< channels on each side of the window: 1..4
    bool sqsum_bypass = false, mul_bypass = false;
    bool nan_to_zero = false;    ///< of fp16 input
    std::int16_t in_offset = 0;  ///< int8: 8 bits
    std::int16_t in_scale = 1;
    int in_shift = 0;             ///< 0..31
    std::int32_t out_offset = 0;  ///< int8: 25 bits
    std::int16_t out_scale = 1;
    int out_shift = 0;  ///< 0..63
};

/// Widths of a type: what goes into the rounding shift of the convertors and what comes out.
struct CdpBits {
    int in_product, v, out_product, out, start;

    explicit CdpBits(Precision p)
        : CdpBits(p == Precision::int8 ? CdpBits{25, 9, 42, 8, 22} : CdpBits{33, 17, 50, 16, 38}) {}

private:
    CdpBits(int a, int b, int c, int d, int e)
        : in_product(a), v(b), out_product(c), out(d), start(e) {}
};

/// Input convertor: 9 bits, int16: 17.
inline std::int64_t cdp_convert_in(const CdpLayer& layer, std::int32_t x) {
    const CdpBits bits(layer.precision);
    const std::int64_t product = (std::int64_t{x} - layer.in_offset) * layer.in_scale;
    return round_shift_right(product, layer.in_shift, bits.in_product, bits.v).value;
}

/// Output convertor: 8 or 16 bits.
inline Rounded cdp_convert_out(const CdpLayer& layer, std::int64_t m) {
    const CdpBits bits(layer.precision);
    const std::int64_t product = (m - layer.out_offset) * layer.out_scale;
    return round_shift_right(product, layer.out_shift, bits.out_product, bits.out);
}

/// (x - base) * scale, shifted; not saturated to the result but to 17 bits, which is enough for
/// the sum with an entry to saturate in the same way.
inline std::int64_t cdp_slope(std::int64_t distance, std::int16_t scale, int shift) {
    // More than 2^33 saturates whatever scale and shift are, if scale is not 0.
    const std::int64_t limit = std::int64_t{1} << 33;
    const std::int64_t p = std::clamp(distance, -limit, limit) * scale;
    if (shift >= 0) return round_shift_right(p, shift, 56, 17).value;
    const std::int64_t near = std::clamp<std::int64_t>(p, -65536, 65536);
    return std::clamp<std::int64_t>(near * (std::int64_t{1} << -shift), -65536, 65535);
}

/// Result of the lookup: 16 bits. `x`: sum of 21 (37) bits or converted input; the places of the
/// tables have `start_bits`.
struct CdpLookup {
    std::int64_t value = 0;
    LutEvent event = LutEvent::kHybrid;
};

inline CdpLookup cdp_lookup(const Lut& lut, std::int64_t x, int start_bits = 22) {
    constexpr int kFraction = kCdpFraction;
    const std::int64_t le_distance = x - wrap(lut.le.start, start_bits);
    const std::int64_t lo_distance = x - wrap(lut.lo.start, start_bits);
    const LutPlace le =
        lut.le_linear ? lut_linear(le_distance, lut.le.select, kLeEntries - 1, kFraction)
                      : lut_exponential(le_distance, lut.le_offset, kLeEntries - 1, kFraction);
    const LutPlace lo = lut_linear(lo_distance, lut.lo.select, kLoEntries - 1, kFraction);
    const LutChoice choice = lut_choose(lut, le, lo);
    const auto entry = [&](int index) -> std::int64_t {
        const auto i = static_cast<std::size_t>(index);
        return choice.lo ? lut.lo_table[i] : lut.le_table[i];
    };
    const Lut::Range& range = choice.lo ? lut.lo : lut.le;
    const int i = choice.place.index;
    std::int64_t value = entry(i);
    if (choice.place.state == LutState::kIn) {
        const std::int64_t product =
            (entry(i + 1) - value) * static_cast<std::int64_t>(choice.place.fraction);
        value += round_shift_right(product, kFraction, 56, 18).value;
    } else if (choice.place.state == LutState::kOver) {
        value += cdp_slope(x - range.end, range.oflow_scale, range.oflow_shift);
    } else {
        const bool bias = !choice.lo && !lut.le_linear && lut.le_offset >= 0 && lut.le_offset <= 38;
        const std::int64_t base =
            bias ? wrap(range.start + (std::int64_t{1} << lut.le_offset), 39) : range.start;
        value += cdp_slope(x - base, range.uflow_scale, range.uflow_shift);
    }
    return {std::clamp<std::int64_t>(value, -32768, 32767), choice.event};
}

/// Counters of a layer.
struct CdpCounts {
    LutCounts lut{};
    std::uint32_t nan_in = 0, inf_in = 0, nan_out = 0, saturated = 0;
};

/// All channels of one pixel, whole atoms: `in` and the result are bytes as in memory.
inline std::vector<std::int8_t> cdp_pixel_float(const CdpLayer& layer, const Lut& lut,
                                                const std::vector<std::int8_t>& in,
                                                CdpCounts& counts) {
    const std::size_t total = in.size() / 2;
    std::vector<std::uint32_t> v(total, 0);
    for (std::size_t c = 0; c < total && static_cast<int>(c) < layer.channels; ++c) {
        const auto x = static_cast<std::uint32_t>(element_at(Precision::fp16, in, c));
        counts.nan_in += Fp16::is_nan(x) ? 1 : 0;
        counts.inf_in += Fp16::is_inf(x) ? 1 : 0;
        v[c] = layer.nan_to_zero && Fp16::is_nan(x) ? 0 : widen<Fp16, Fp17>(x);
    }
    std::vector<std::int8_t> out;
    for (std::size_t c = 0; c < total; ++c) {
        const std::uint32_t x = layer.sqsum_bypass
                                    ? widen<Fp17, Fp32>(v[c])
                                    : cdp_sum_float(v, static_cast<int>(c), layer.half);
        const CdpLookupFloat found = cdp_lookup_float(lut, x);
        ++counts.lut[static_cast<std::size_t>(found.event)];
        std::uint32_t m = Fp17::mul(v[c], found.value);
        if (layer.mul_bypass) m = Fp17::is_nan(v[c]) ? v[c] : found.value;
        const std::uint32_t result = narrow<Fp17, Fp16>(m);
        counts.nan_out += Fp16::is_nan(result) ? 1 : 0;
        add_element(Precision::fp16, out, static_cast<std::int32_t>(result));
    }
    return out;
}

inline std::vector<std::int8_t> cdp_pixel(const CdpLayer& layer, const Lut& lut,
                                          const std::vector<std::int8_t>& in, CdpCounts& counts) {
    if (layer.precision == Precision::fp16) return cdp_pixel_float(layer, lut, in, counts);
    const int start_bits = CdpBits(layer.precision).start;
    const int total = static_cast<int>(in.size()) / bytes_of(layer.precision);
    std::vector<std::int64_t> v(static_cast<std::size_t>(total), 0);
    for (std::size_t c = 0; c < v.size() && static_cast<int>(c) < layer.channels; ++c)
        v[c] = cdp_convert_in(layer, element_at(layer.precision, in, c));
    std::vector<std::int8_t> out;
    for (int c = 0; c < total; ++c) {
        std::int64_t sum = 0;
        for (int n = std::max(0, c - layer.half); n <= std::min(total - 1, c + layer.half); ++n)
            sum += v[static_cast<std::size_t>(n)] * v[static_cast<std::size_t>(n)];
        const std::int64_t own = v[static_cast<std::size_t>(c)];
        const CdpLookup found = cdp_lookup(lut, layer.sqsum_bypass ? own : sum, start_bits);
        ++counts.lut[static_cast<std::size_t>(found.event)];
        const Rounded result =
            cdp_convert_out(layer, layer.mul_bypass ? found.value : found.value * own);
        counts.saturated += result.saturated ? 1 : 0;
        add_element(layer.precision, out, static_cast<std::int32_t>(result.value));
    }
    return out;
}

/// Runs a layer from memory to memory, pixel by pixel: line, column, then all surfaces.
inline CdpCounts cdp_layer(int atom_bytes, const CdpLayer& layer, const Lut& lut,
                           const MemoryRead& read, const MemoryWrite& write) {
    CdpCounts counts;
    const auto u64 = [](int n) { return static_cast<std::uint64_t>(n); };
    const int atoms = surfaces(atom_bytes / bytes_of(layer.precision), layer.channels);
    const auto atom = static_cast<std::size_t>(atom_bytes);
    std::vector<std::uint8_t> bytes(u64(atoms) * atom);
    for (int h = 0; h < layer.height; ++h) {
        for (int w = 0; w < layer.width; ++w) {
            for (int s = 0; s < atoms; ++s) {
                const std::uint64_t from = atom_address(atom_bytes, layer.src_addr, layer.src_line,
                                                        layer.src_surf, s, h, w);
                read(from, &bytes[u64(s) * atom], atom);
            }
            const std::vector<std::int8_t> in(bytes.begin(), bytes.end());
            const std::vector<std::int8_t> out = cdp_pixel(layer, lut, in, counts);
            std::transform(out.begin(), out.end(), bytes.begin(),
                           [](std::int8_t x) { return static_cast<std::uint8_t>(x); });
            for (int s = 0; s < atoms; ++s) {
                const std::uint64_t to = atom_address(atom_bytes, layer.dst_addr, layer.dst_line,
                                                      layer.dst_surf, s, h, w);
                write(to, &bytes[u64(s) * atom], atom);
            }
        }
    }
    return counts;
}

/// Only accesses of the kind that S_LUT_ACCESS_CFG names go on to the next entry, at most to the
/// last one.
class CdpLutAccess : public LutAccess {
public:
    void write_data(Lut& lut, std::uint32_t value) {
        if (!writes_) return;
        put(lut, value);
        advance();
    }
    std::uint32_t read_data(Lut& lut) {
        const std::uint32_t value = get(lut);
        if (!writes_) advance();
        return value;
    }
    /// What reading LUT_ADDR returns.
    int pointer() const { return pointer_; }

private:
    void advance() {
        if (pointer_ < last()) ++pointer_;
    }
};

/// CDP in the device.
class CdpUnit : public Unit {
public:
    using Unit::Unit;

    CdpLayer layer() const;
    bool step() override;

    void write(std::uint32_t offset, std::uint32_t data) override;
    std::uint32_t read(std::uint32_t offset) override;

private:
    Lut lut(Precision precision) const;
    /// Where a table begins or ends.
    template <class High, class Low>
    std::int64_t bound() const;

    Lut tables_;  // only the entries; the rest is in registers
    CdpLutAccess access_;
};

}  // namespace macrame::dla::model
