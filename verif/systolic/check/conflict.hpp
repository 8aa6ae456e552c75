#pragma once
/// Whether two instructions may change places.

#include <string>

#include "verif/systolic/isa/accesses.hpp"

namespace macrame::systolic::check {

/// Where an instruction and a later one meet, one of them writing.
struct Conflict {
    std::string place;  ///< "OBUF entry 3", "memory at 0x1000"; empty: nowhere
    bool earlier_writes = false;
    bool later_writes = false;

    explicit operator bool() const { return !place.empty(); }
};

Conflict conflict(const Accesses& earlier, const Accesses& later);
/// Is there one?
bool conflicts(const Accesses& earlier, const Accesses& later);

}  // namespace macrame::systolic::check
