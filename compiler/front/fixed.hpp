#pragma once
/// Inputs that the caller makes constants.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/front/front.hpp"

namespace macrame::front {

/// How an element lies in a file.
struct ElementForm {
    enum class Kind { integer, natural, real, truth };
    Kind kind = Kind::integer;
    std::size_t bytes = 1;
};

/// The elements of an input that is given, as they lie in the file; nothing of one that is not.
/// What is given is used up. Throws a Refusal.
std::optional<std::vector<std::uint8_t>> fixed_elements(Fixed& fixed, const std::string& name,
                                                        ElementForm form,
                                                        const std::vector<int>& shape);

}  // namespace macrame::front
