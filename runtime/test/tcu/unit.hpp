#pragma once
/// A unit for tests of the driver: the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/tcu/macrame_tcu.h"
#include "runtime/test/tcu/sample_network.hpp"
#include "verif/tcu/run/golden_model.hpp"
#include "verif/tcu/run/job.hpp"

namespace macrame::tcu {

using run::Bytes;

inline constexpr std::uint64_t kBank0 = 0x16800000, kBank1 = 0x17800000, kStream = 0x20000000;

/// A unit whose memory is that of the processor, with a look at what was sent.
struct Unit {
    explicit Unit(const Architecture& a, int beat_bytes = 8) : architecture(a) {
        block0.resize(static_cast<std::size_t>(run::bank_bytes(a, 0)));
        block1.resize(static_cast<std::size_t>(run::bank_bytes(a, 1)));
        machine.architecture = to_c(a);
        machine.beat_bytes = static_cast<std::uint32_t>(beat_bytes);
        machine.dram0 = {block0.data(), kBank0, block0.size()};
        machine.dram1 = {block1.data(), kBank1, block1.size()};
        machine.stream = {stream.data(), kStream, stream.size()};
        machine.max_polls = 3;
        machine.user = this;
        machine.send = [](void* user, std::uint64_t offset, std::uint64_t bytes) {
            return static_cast<Unit*>(user)->send(offset, bytes);
        };
        machine.wait = [](void* user) { return static_cast<Unit*>(user)->waits; };
    }

    int send(std::uint64_t offset, std::uint64_t bytes) {
        if (refuses) return 1;
        EXPECT_EQ(bytes % machine.beat_bytes, 0u);
        EXPECT_LE(offset + bytes, stream.size());
        sent.emplace_back(stream.data() + offset, stream.data() + offset + bytes);
        if (!works) return 0;
        dram0.load(kBank0, block0);
        dram1.load(kBank1, block1);
        model.send(sent.back());
        model.run(0);
        const Bytes now0 = dram0.dump(kBank0, block0.size());
        const Bytes now1 = dram1.dump(kBank1, block1.size());
        std::copy(now0.begin(), now0.end(), block0.begin());
        std::copy(now1.begin(), now1.end(), block1.begin());
        return 0;
    }

    Architecture architecture;
    macrame_tcu_machine machine{};
    Bytes block0, block1, stream = Bytes(65536);
    verif::Memory dram0{"DRAM0"}, dram1{"DRAM1"};
    run::GoldenModel model{architecture, {dram0, dram1}};
    std::vector<Bytes> sent;
    bool works = true, refuses = false;
    int waits = 0;
};

}  // namespace macrame::tcu
