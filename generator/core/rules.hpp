#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"

namespace macrame {

/// A constraint beyond the range of one parameter.
struct Rule {
    enum class Kind {
        kError,     ///< the configuration cannot be built
        kNotBuilt,  ///< in a preset a note (the unit is left out), asked for by the user an error
    };
    Kind kind = Kind::kError;
    std::string_view key;    ///< parameter the message is about
    std::string_view other;  ///< second parameter that must be in range to judge; may be empty
    bool (*holds)(const Config&) = nullptr;
    std::string (*wanted)(const Config&) = nullptr;  ///< "want" part; of kNotBuilt: the unit
};

/// All rules in the order in which they are reported.
const std::vector<Rule>& rules();

}  // namespace macrame
