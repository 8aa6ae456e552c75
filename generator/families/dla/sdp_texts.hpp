#pragma once
/// What templates of SDP have only for some element types, orders and stages.

#include "core/unit.hpp"
#include "families/dla/derived.hpp"

namespace macrame::dla {

/// Element types of a configuration.
struct SdpTypes {
    bool int8, int16, fp16;
    bool ints() const { return int8 || int16; }
    bool wide() const { return int16 || fp16; }
    bool mixed() const { return int8 && wide(); }      ///< atoms of more or fewer elements
    bool fp_choice() const { return fp16 && ints(); }  ///< layers in integers or not
    bool choice() const { return mixed() || fp_choice(); }
};

SdpTypes sdp_types(const Derived& derived);

/// Register stages as far as the slowest element type goes.
struct SdpStages {
    int in, x1, x2, ew, out;
    int front() const { return in + x1 + x2; }
};

SdpStages sdp_stages(const Config& config, const SdpTypes& types);

/// Words of an atom of the type with most elements.
int sdp_beats(const Derived& derived);

/// Parts that a word has for EW.
int sdp_ew_beats(const Config& config, const Derived& derived);

/// Those of the stages X1, X2, Y and the output convertor.
text::Scope sdp_stage_texts(const Config& config, const Derived& derived);

/// All of them.
text::Scope sdp_texts(const Config& config, const Derived& derived);

}  // namespace macrame::dla
