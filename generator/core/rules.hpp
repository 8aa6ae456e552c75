#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"

namespace macrame {

/// A constraint beyond the range of one parameter.
struct Rule {
    std::string_view key;    ///< parameter the message is about
    std::string_view other;  ///< second parameter that must be in range to judge; may be empty
    bool (*holds)(const Config&) = nullptr;
    std::string (*wanted)(const Config&) = nullptr;  ///< "want" part of the message
};

/// All rules in the order in which they are reported.
const std::vector<Rule>& rules();

}  // namespace macrame
