#pragma once
/// What the bins of several units share, and the units. Part of functional coverage; see
/// coverage.hpp.

#include <cstdint>
#include <string>

#include "coverage.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::stimulus::cover {

namespace regs = dla_regs;
using Sizes = const dla::model::Architecture&;
using Now = const UnitRegisters&;
using Before = const UnitRegisters*;

inline std::int64_t plus1(std::uint32_t field) { return std::int64_t{field} + 1; }
inline int flag(std::uint32_t field) { return field != 0 ? 1 : 0; }

/// Types of elements, coded as in fields; -1: none.
inline const Bins::Labels kTypes = {"int8", "int16", "fp16"};
/// The same of the configuration alone: names, and the place of a field among them.
struct Types {
    explicit Types(Sizes sizes);
    int at(std::uint32_t field) const { return field <= 2 ? places[field] : -1; }

    Bins::Labels names;
    int places[3] = {-1, -1, -1};
};
/// A layer of fp16 with and without NaN made 0.
void nan_flush(Bins& bins, Sizes sizes, std::uint32_t type, std::uint32_t flush);

inline const Bins::Labels kOffOn = {"off", "on"};

/// Number of channels or kernels against the width of the hardware.
void fit(Bins& bins, const std::string& name, std::int64_t value, std::int64_t width);

void shape(Bins& bins, std::int64_t width, std::int64_t height, std::int64_t channels,
           std::int64_t atom, bool may_be_long = true);

/// Lines and surfaces with or without gaps.
void packing(Bins& bins, const std::string& name, std::int64_t width, std::int64_t height,
             std::int64_t line_stride, std::int64_t surface_stride, std::int64_t atom);

void ram(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t type, bool used = true);

void high_address(Bins& bins, Sizes sizes, const std::string& name, std::uint32_t high);

void convertor(Bins& bins, const std::string& name, std::int64_t offset, std::int64_t scale,
               std::int64_t shift, bool on);

/// How the two tables of a lookup table are used.
template <class Cfg>
void lut(Bins& bins, const Cfg& cfg, bool used) {
    const auto pick = [used](std::uint32_t field) { return used ? flag(field) : -1; };
    bins.choice("table LE", {"exponential", "linear"}, pick(cfg.LUT_LE_FUNCTION()));
    bins.choice("table underflow takes", {"LE", "LO"}, pick(cfg.LUT_UFLOW_PRIORITY()));
    bins.choice("table overflow takes", {"LE", "LO"}, pick(cfg.LUT_OFLOW_PRIORITY()));
    bins.choice("table hybrid takes", {"LE", "LO"}, pick(cfg.LUT_HYBRID_PRIORITY()));
}

// ---- a layer of a unit; `before` is the one before it, null for the first

void cdma(Bins& bins, Sizes sizes, Now now, Before before);
void csc(Bins& bins, Sizes sizes, Now now, Before before);
void cacc(Bins& bins, Sizes sizes, Now now, Before before);
void sdp_rdma(Bins& bins, Sizes sizes, Now now, Before before);
void sdp(Bins& bins, Sizes sizes, Now now, Before before);
void pdp_rdma(Bins& bins, Sizes sizes, Now now, Before before);
void pdp(Bins& bins, Sizes sizes, Now now, Before before);
void cdp_rdma(Bins& bins, Sizes sizes, Now now, Before before);
void cdp(Bins& bins, Sizes sizes, Now now, Before before);
void row(Bins& bins, Sizes sizes, Now now, Before before);
void rubik(Bins& bins, Sizes sizes, Now now, Before before);
void bdma(Bins& bins, Sizes sizes, Now now, Before before);  ///< a copy

}  // namespace macrame::dla::stimulus::cover
