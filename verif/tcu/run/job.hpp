#pragma once
/// One program with its memory on the design, on the golden model or on both.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/common/run/runner.hpp"
#include "verif/tcu/run/device.hpp"
#include "verif/tcu/run/simulate.hpp"

namespace macrame::tcu::run {

using Bytes = std::vector<std::uint8_t>;
/// Images are shared by the runs of a network.
using SharedBytes = std::shared_ptr<const Bytes>;

/// Bytes of a bank before, or expected after, the run.
struct Piece {
    int bank = 0;
    std::uint64_t address = 0;
    SharedBytes bytes;
};

/// The digest of the first bytes of DRAM0.
struct Digest {
    std::uint64_t size = 0;
    std::string sha256;
};

/// Both banks after a run.
struct Memories {
    verif::Memory dram0{"DRAM0"};
    verif::Memory dram1{"DRAM1"};
    verif::Memory& bank(int number) { return number == 0 ? dram0 : dram1; }
};

struct Job {
    std::string name;
    std::vector<Piece> before;  ///< the rest is zero
    Bytes stream;               ///< whole instructions
    std::vector<Piece> after;   ///< what must be there then
    std::optional<Digest> digest;
    /// Brings memory and stream in place of `before` and `stream`, and runs it; what went wrong.
    std::function<std::string(Device&, Banks, const std::function<void()>& turn)> drive;
    std::uint64_t most_cycles = 0;  ///< fails if the design takes more; 0: no limit
    /// Called with what the design, else the model, leaves when it has come to its end. Messages
    /// about files go to the vector.
    std::function<void(Memories&, std::vector<std::string>&)> finish;
};

/// Runs it as `options` say. Programs with undefined results fail and do not run.
verif::run::Outcome run_job(const Job& job, const SimulateOptions& options,
                            const Platform& platform, const verif::run::Turn& turn);

/// All bytes of a bank.
std::uint64_t bank_bytes(const Architecture& architecture, int bank);

/// The bytes of a bank that a dump has: up to the end of its image before the run or the last byte
/// written, whichever is more, rounded up to whole 64 KiB; at most the whole bank.
std::uint64_t dump_bytes(const Architecture& architecture, int bank, std::uint64_t image,
                         const verif::Memory& memory);

}  // namespace macrame::tcu::run
