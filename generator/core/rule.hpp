#pragma once

#include <string>
#include <string_view>

#include "core/of_config.hpp"
#include "core/param.hpp"

namespace macrame {

/// A constraint beyond the range of one parameter.
struct Rule {
    std::string_view key;    ///< parameter the message is about
    std::string_view other;  ///< second parameter that must be in range to judge; may be empty
    OfConfig<bool> holds;
    OfConfig<std::string> wanted;  ///< "want" part of the message
};

/// The default of a parameter that has to equal something: it follows when the user changed only the
/// other one.
struct DerivedDefault {
    std::string_view key;     ///< parameter that follows
    std::string_view leader;  ///< parameter that it follows, or words for the message
    OfConfig<ParamValue> value;
};

}  // namespace macrame
