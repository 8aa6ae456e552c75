/// Arrays, pictures and sounds of any kind end in as many elements as their sizes say, or in a
/// message.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "network/files/npy.hpp"
#include "network/files/picture.hpp"
#include "network/files/wav.hpp"

using namespace macrame::network;

namespace {

void check(const Picture& picture) {
    if (!picture.error.empty()) return;
    const auto pixels =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    if (pixels == 0 || picture.rgb.size() != 3 * pixels) std::abort();
    if (resized(picture, 3, 2).rgb.size() != 18) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const Array array = parse_npy(file);
    if (array.error.empty()) {
        std::size_t elements = 1;
        for (const std::size_t axis : array.shape)
            elements *= axis;
        if (array.elements() != elements) std::abort();
    }
    check(read_png(file));
    check(read_jpeg(file));
    const Sound sound = read_wav(file);
    if (sound.error.empty() && (sound.rate < 0 || 2 * sound.samples.size() > size)) std::abort();
    return 0;
}
