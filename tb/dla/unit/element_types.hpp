#pragma once
/// Element types of the configuration under test.

#include <vector>

#include "dla_params.hpp"
#include "verif/dla/model/precision.hpp"

namespace macrame::tb {

inline std::vector<dla::model::Precision> types() {
    using dla::model::Precision;
    std::vector<Precision> out;
    if (dla_params::int8 != 0) out.push_back(Precision::int8);
    if (dla_params::int16 != 0) out.push_back(Precision::int16);
    if (dla_params::fp16 != 0) out.push_back(Precision::fp16);
    return out;
}

}  // namespace macrame::tb
