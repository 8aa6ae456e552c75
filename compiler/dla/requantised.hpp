#pragma once
/// The requantisation of layers, decided without any of them: functions of what a layer is to do.

#include <optional>
#include <string>
#include <vector>

#include "compiler/dla/context.hpp"
#include "compiler/dla/halves.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

/// `conv`: in front of it, if there is a choice between what is exact and what is fast.
Requantisation requantised(const Context& context, int index, const LayerTarget& target,
                           const ConvLayer* conv);

macrame::compiler::Exactness exactness_of(int index, const std::string& mapping,
                                          const std::vector<Deviation>& deviations,
                                          std::size_t channels);

/// How a layer is requantised, and how exact that is.
struct Choice {
    Requantisation single;
    std::optional<Halves> halves;  ///< in place of it, where they are more exact and wanted
    macrame::compiler::Exactness exactness;
};
Choice choose(const Context& context, int index, const LayerTarget& target, const ConvLayer* conv);

}  // namespace macrame::dla::compiler
