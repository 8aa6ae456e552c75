#pragma once
/// Messages of the program as exceptions.

#include <string>

#include "api/configuration.hpp"
#include "emit/assets.hpp"
#include "messages.hpp"

namespace macrame::api {

/// All that is in the program.
const emit::Assets& assets();

/// What `work`, which gives an optional, has made; an Error with its messages where that is
/// nothing.
template <typename Work>
auto or_error(const Work& work) {
    const Collected collected;
    auto made = work();
    if (made) return std::move(*made);
    std::string text;
    for (const Diag& diag : collected.diags())
        text += (text.empty() ? "" : "\n") + diag.text;
    throw Error(text);
}

}  // namespace macrame::api
