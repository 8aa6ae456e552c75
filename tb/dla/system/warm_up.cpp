#include "tb/dla/system/warm_up.hpp"

#include <random>

#include "verif/dla/trace/player.hpp"

namespace macrame::tb {

void warm_up(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
             const dla::trace::Trace& program, int resets, std::uint64_t seed) {
    std::mt19937_64 rng(seed);
    const auto play = [&] { dla::trace::play(program, device, primary, secondary, {}); };
    play();
    const std::uint64_t length = device.cycle();
    for (int i = 0; i < resets; ++i) {
        device.stop_at(device.cycle() + 1 + rng() % length);
        try {
            play();
        } catch (const RtlDevice::Stopped&) {
        }
        device.stop_at(RtlDevice::kNever);
        // Here writes that the design has accepted reach memory; or nothing does.
        if (RtlDevice::is_system() && i % 2 != 0) {
            device.reset_all();
        } else {
            device.reset();
        }
        primary.clear();
        secondary.clear();
    }
}

}  // namespace macrame::tb
