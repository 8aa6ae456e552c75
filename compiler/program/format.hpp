#pragma once
/// Sizes and places of the program file, as in README.md. runtime/macrame.c has them, too.

#include <cstddef>
#include <cstdint>

namespace macrame::program::format {

constexpr char kMagic[] = "MACRPRG";  ///< and the version, '1' to '3', behind it
constexpr std::size_t kMagicBytes = 7;
constexpr std::size_t kHeaderBytes = 160;
/// Of version 2, which has more behind the table of sections.
constexpr std::size_t kHeaderBytes2 = 176;
/// Of version 3, which may have several networks, and commands `unit`.
constexpr std::size_t kHeaderBytes3 = 192;

// Places in the header.
constexpr std::size_t kFileBytes = 8, kCrc = 16, kHeaderSize = 20, kIdentity = 24,
                      kInterruptStatus = 28, kMemoryBytes = 32, kAlignment = 40, kInputs = 44,
                      kFamily = 48, kConfiguration = 52, kNetwork = 56, kReserved = 60,
                      kSections = 64, kAddressBits = 160, kIdentityRegister = 164,
                      kParameters = 168, kReserved2 = 172, kNetworks = 176;

/// A record of section networks, which lies behind the header in version 3: name and network,
/// strings; numbers of commands, segments, layers, inputs and outputs; 0.
constexpr std::size_t kNetworkBytes = 32;

/// Commands `unit` of a program.
constexpr std::size_t kMostUnits = 32;

/// In the order of the file. Each begins at a multiple of 8, right behind the one before.
enum Section { kCommands, kSegments, kTensors, kLayers, kStrings, kData, kSectionCount };
struct SectionRow {
    const char* name;
    std::size_t record_bytes;
};
constexpr SectionRow kSectionTable[kSectionCount] = {{"commands", 16}, {"segments", 24},
                                                     {"tensors", 56},  {"layers", 24},
                                                     {"strings", 1},   {"data", 1}};

constexpr std::uint64_t round_up_8(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

}  // namespace macrame::program::format
