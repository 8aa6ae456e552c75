#pragma once
/// Networks that leave it to their caller to carry a state from one run to the next.

#include <string>

#include "compiler/front/front.hpp"

namespace macrame::front {

/// Makes an output what an input is in the next run: the same real values in the input's type and
/// quantisation, 0 in the first run. Both go behind the others (Graph::states). Empty, or what is
/// wrong: "state OUT=IN: what was found: what was wanted".
std::string keep_state(ReadResult& read, const std::string& output, const std::string& input);

}  // namespace macrame::front
