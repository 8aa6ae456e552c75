#pragma once
/// Sound in files: WAV with 16-bit samples of one channel.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::network {

struct Sound {
    int rate = 0;  ///< samples per second
    std::vector<std::int16_t> samples;
    std::string error;  ///< then there is nothing else
};

Sound read_wav(std::string_view file);

}  // namespace macrame::network
