#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::verif::run {

/// What a device wrote, with the name of the device for messages: "design".
struct WrittenMemory {
    std::string_view device;
    const Memory& memory;
};

/// Adds the differences between the bytes that the two wrote, up to a few. Returns the lowest of
/// their addresses.
std::optional<std::uint64_t> compare_memory(const WrittenMemory& a, const WrittenMemory& b,
                                            std::vector<std::string>& out);

}  // namespace macrame::verif::run
