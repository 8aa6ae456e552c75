#pragma once
/// Names, sizes and clients of the memory interface under test, dla_mcif or dla_cvif.

#include <array>
#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/model/mcif.hpp"

// Names and sizes of the port.
#ifndef MIF
#define MIF mcif
#define AXI_PORT dbb
#define BUS_BYTES bus_bytes
#define MAX_BURST max_burst
#endif
#define JOIN_(a, b, c, d) a##b##c##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#define TO_MIF(unit, port) JOIN(unit, 2, MIF, port)
#define FROM_MIF(unit, port) JOIN(MIF, 2, unit, port)
#define AXI(pin) FROM_MIF(AXI_PORT, pin)

namespace macrame::tb {

namespace p = dla_params;
namespace model = macrame::dla::model;
using macrame::verif::Memory;

constexpr int kClients = 6, kWriters = 2;
constexpr std::array<unsigned, kClients> kIds = {8, 9, 1, 5, 6, 3};  // in the order of turns
constexpr std::array<unsigned, kWriters> kWriterIds = {1, 3};
constexpr std::uint64_t kReadBase = 0x10000, kWriteBase = 0x80000;
constexpr int kRegionAtoms = 2048;
constexpr auto kAtom = static_cast<std::uint64_t>(p::atom_bytes);
constexpr int kBusBytes = p::BUS_BYTES, kMaxBurst = p::MAX_BURST;
constexpr int kAtomsPerBeat = kBusBytes / p::atom_bytes;
constexpr model::McifSizes kSizes = {p::atom_bytes, kBusBytes, kMaxBurst};
/// Weights come beside the answers of the other clients.
constexpr bool kWeightsApart = p::types16 != 0 && p::secondary_memif_enable && kAtomsPerBeat > 1;
/// Atoms of weights that a port can answer in a cycle, an aligned pair.
constexpr int kWeightAtoms = p::wt_atoms;
/// Transactions of a client whose wanted atoms any configuration can remember.
constexpr int kNotes = 16;

using Bytes = std::vector<std::uint8_t>;

/// Only designs with a bus of several atoms have rlast.
template <int Atoms, typename Dut>
void put_rlast(Dut& dut, bool last) {
    if constexpr (Atoms > 1) dut.AXI(_r_rlast) = last;
}

/// Clients that only some designs have ask for nothing.
template <typename Dut>
void silence(Dut& dut) {
    if constexpr (p::sdp_ew_enable != 0) dut.TO_MIF(sdp_e, _rd_req_valid) = 0;
    if constexpr (p::pdp_enable != 0) {
        dut.TO_MIF(pdp, _rd_req_valid) = 0;
        dut.TO_MIF(pdp, _wr_req_valid) = 0;
    }
    if constexpr (p::rubik_enable != 0) {
        dut.TO_MIF(rubik, _rd_req_valid) = 0;
        dut.TO_MIF(rubik, _wr_req_valid) = 0;
    }
    if constexpr (p::row_enable != 0) {
        dut.TO_MIF(row, _rd_req_valid) = 0;
        dut.TO_MIF(row, _wr_req_valid) = 0;
    }
    if constexpr (p::bdma_enable != 0) {
        dut.TO_MIF(bdma, _rd_req_valid) = 0;
        dut.TO_MIF(bdma, _wr_req_valid) = 0;
    }
}

struct Request {
    std::uint64_t addr;
    int atoms;
};

struct Write {
    std::uint64_t addr;
    Bytes data;
    bool last;
};

struct Conditions {
    const char* name;
    int latency;
    double stall;  ///< of the memory
    double gap;    ///< of the clients
    bool interleave;
    int longest;     ///< request, atoms
    unsigned limit;  ///< RD_OS_CNT and WR_OS_CNT
};

}  // namespace macrame::tb
