#pragma once
/// Mutations of network files that know their structure: what they make is still a file whose parts
/// can be read, with other numbers in it.

#include <cstddef>
#include <cstdint>
#include <limits>

#include "verif/common/random.hpp"

/// Of libFuzzer or of verif/common/test/fuzz_main.cpp: a mutation that knows no structure.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);
/// For these: the next input, in place; returns its size.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t room, unsigned seed);

namespace macrame::front::test {

/// A number that a file should not have, or not there.
inline std::int32_t any_number(verif::Random& random) {
    constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
    switch (random.in(0, 9)) {
        case 0:
            return 0;
        case 1:
            return -1;
        case 2:
            return kLargest;
        case 3:
            return -kLargest - 1;
        case 4:
            return 1 << random.in(0, 30);
        case 5:
            return (1 << random.in(1, 30)) - 1;
        case 6:
            return static_cast<std::int32_t>(random.word());
        default:
            return random.in(-2, 40);
    }
}

/// Mutates the file, which has at most `room` bytes behind it; false: it cannot be read.
bool mutate_tflite(std::uint8_t* data, std::size_t size, verif::Random& random);
bool mutate_onnx(std::uint8_t* data, std::size_t& size, std::size_t room, verif::Random& random);

}  // namespace macrame::front::test
