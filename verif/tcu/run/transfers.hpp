#pragma once
/// Transfers to the instruction port as drivers of the original make them, in every form that is
/// known: Configures and a flush probe at the start, programs with a probe behind, padding.

#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::run {

/// How a driver ends a transfer. All leave whole instructions and whole beats.
enum class Padding {
    least,     ///< NoOps up to the next whole beat: the embedded driver
    block,     ///< zeros up to the next block, a whole one where nothing is missing
    and_block  ///< the same and one block more: PYNQ. A block has whole instructions and beats
};

struct TransferOptions {
    int beat_bytes = 8;
    Padding padding = Padding::least;
    std::uint32_t dram0_offset = 0;  ///< in 64 KiB
    std::uint32_t dram1_offset = 0;
    int timeout = 100;        ///< 0: not configured
    int sample_interval = 0;  ///< 0: no sampling; else the program counter is set to 1, too
};

/// What comes first after reset: registers and a probe.
std::vector<std::uint8_t> start_transfer(const Architecture& architecture,
                                         const TransferOptions& options);

/// Instructions, a probe behind them, padding.
std::vector<std::uint8_t> program_transfer(const Architecture& architecture,
                                           const std::vector<std::uint8_t>& stream,
                                           const TransferOptions& options);

/// A transfer as a DMA may bring it: in pieces of any number of whole beats.
std::vector<std::vector<std::uint8_t>> pieces(const std::vector<std::uint8_t>& transfer,
                                              int beat_bytes, verif::Random& random);

/// All that is sent for a program, one of the forms above at random. Banks are at 0.
std::vector<std::vector<std::uint8_t>> driver_transfers(const Architecture& architecture,
                                                        const std::vector<std::uint8_t>& stream,
                                                        int beat_bytes, bool samples,
                                                        verif::Random& random);

}  // namespace macrame::tcu::run
