#pragma once
/// What the C that `compile` writes takes, as its headers have it: a type for each kind of program.

#include "runtime/macrame.h"
#include "runtime/tcu/macrame_tcu.h"

namespace macrame::network {

struct RegisterNet {
    const macrame_program* programs = nullptr;
    const macrame_machine* machines = nullptr;
    void (*reset)(const macrame_machine* machine) = nullptr;
    void* arena = nullptr;
    const char* failed = nullptr;
    const void* const* inputs = nullptr;
    void* const* outputs = nullptr;
};
struct CodedNet {
    macrame_tcu_network* programs = nullptr;
    const macrame_tcu_machine* machine = nullptr;
    void* arena = nullptr;
    const char* failed = nullptr;
    const void* const* inputs = nullptr;
    void* const* outputs = nullptr;
};
struct ImageNet {
    const macrame_machine* machines = nullptr;
    void* arena = nullptr;
    const char* failed = nullptr;
    const void* const* inputs = nullptr;
    void* const* outputs = nullptr;
};

}  // namespace macrame::network
