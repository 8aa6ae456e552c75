#include "tb/systolic/system/probe.hpp"

#include <algorithm>
#include <stdexcept>

#include "verilated.h"
#include "verilated_sym_props.h"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::tb {

namespace {

using systolic::Architecture;
using systolic::Buffer;
using systolic::Place;

#define MACRAME_TEXT_OF(NAME) #NAME
#define MACRAME_TEXT(NAME) MACRAME_TEXT_OF(NAME)
constexpr const char* kTop = "TOP." MACRAME_TEXT(TOP) ".";
#undef MACRAME_TEXT
#undef MACRAME_TEXT_OF

std::string at(int index) { return "[" + std::to_string(index) + "]"; }

/// Lanes of STORE, which share the columns of scale memory.
int lanes(const Architecture& a) { return a.bus_bytes / systolic::element_bytes(a.input_width); }

}  // namespace

Probe::Signal::Signal(const VerilatedContext& context, const std::string& scope, const char* name) {
    const VerilatedScope* const found = context.scopeFind((kTop + scope).c_str());
    const VerilatedVar* const variable = found == nullptr ? nullptr : found->varFind(name);
    if (variable == nullptr) throw std::runtime_error("no " + scope + "." + name + " in the design");
    data_ = variable->datap();
    bytes_ = variable->vltype() == VLVT_UINT8 ? 1 : variable->vltype() == VLVT_UINT16 ? 2 : 4;
}

std::uint32_t Probe::Signal::value(int word) const {
    if (bytes_ == 1) return static_cast<const CData*>(data_)[word];
    if (bytes_ == 2) return static_cast<const SData*>(data_)[word];
    return static_cast<const IData*>(data_)[word];
}

Probe::Probe(const VerilatedContext& context, const Architecture& architecture)
    : architecture_(architecture), ended_(context, "u_resolver", "resolver2control_ended") {
    const Architecture& a = architecture_;
    for (int i = 0; i < a.rows; ++i)
        ibuf_.emplace_back(context, "u_array.gen_ibuf" + at(i) + ".u_ibuf.u_bank", "mem");
    for (int j = 0; j < a.columns; ++j) {
        const std::string column = "u_obuf.gen_column" + at(j) + ".u_column";
        wbuf_.emplace_back(context, "u_array.gen_wbuf" + at(j) + ".u_wbuf.u_bank", "mem");
        for (const char* half : {".u_half0", ".u_half1"})
            obuf_.emplace_back(context, column + half, "mem");
        last_.emplace_back(context, column, "last_q");
    }
    for (int i = 0; a.requantise && i < std::min(lanes(a), a.columns); ++i)
        for (const char* word : {"u_bias", "u_multiplier", "u_shift", "u_limits"})
            scales_.emplace_back(
                context, "u_store.u_lanes.gen_scale" + at(i) + ".gen_some.u_scale." + word, "mem");
    for (int i = 0; a.exact && i < std::min(lanes(a), a.columns); ++i)
        roundings_.emplace_back(
            context, "u_store.u_lanes.gen_scale" + at(i) + ".gen_some.u_scale.u_rounding", "mem");
    done_.resize(systolic::kModuleCount);
    done_[number(systolic::Module::load)] = {context, "u_resolver", "load2resolver_done"};
    done_[number(systolic::Module::alu)] = {context, "u_resolver", "alu2resolver_done"};
    done_[number(systolic::Module::store)] = {context, "u_resolver", "store2resolver_done"};
}

std::int64_t Probe::value(const Place& place) const {
    if (place.buffer == Buffer::scale) return scale(place);
    const auto bank = static_cast<std::size_t>(place.bank);
    const int half = architecture_.obuf_entries / 2;
    const bool upper = place.entry >= half;
    const std::uint32_t found =
        place.buffer == Buffer::ibuf   ? ibuf_[bank].value(place.entry)
        : place.buffer == Buffer::wbuf ? wbuf_[bank].value(place.entry)
                                       : obuf_[2 * bank + upper].value(place.entry - upper * half);
    return systolic::model::wrap(found, element_width(architecture_, place.buffer));
}

std::int64_t Probe::scale(const Place& place) const {
    const int lane = place.bank % lanes(architecture_);
    const int group = place.bank / lanes(architecture_);
    const int set = place.entry / systolic::kScaleWords;
    const int word = place.entry % systolic::kScaleWords;
    const std::uint32_t found = scales_[static_cast<std::size_t>(lane * systolic::kScaleWords + word)]
                                    .value(group * systolic::kScaleSets + set);
    if (word != 2) return systolic::model::wrap(found, 32);
    // Of the third word only the zero point, the shift and the rounding are there.
    std::uint32_t whole = found >> 6 << 16 | (found & 63);
    if (architecture_.exact)
        whole |=
            roundings_[static_cast<std::size_t>(lane)].value(group * systolic::kScaleSets + set)
            << 6;
    return systolic::model::wrap(whole, 32);
}

}  // namespace macrame::tb
