#pragma once

#include <optional>
#include <string>

#include "emit/write.hpp"

namespace macrame {

/// Brings a folder to the state of the set. Nothing after a mistake, which is reported. An interrupt
/// waits until then.
std::optional<emit::WriteReport> write_folder(const emit::OutputSet& set,
                                              const std::string& folder);

}  // namespace macrame
