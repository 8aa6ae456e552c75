#include "tb/dla/system/warm_up.hpp"

#include <random>

#include "verif/dla/trace/player.hpp"

namespace macrame::tb {

void warm_up(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
             const dla::trace::Program& program, int resets, std::uint64_t seed) {
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
        device.reset();  // here writes that the design has accepted reach memory
        primary.clear();
        secondary.clear();
    }
}

}  // namespace macrame::tb
