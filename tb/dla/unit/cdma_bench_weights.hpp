#pragma once
/// The part of the bench of dla_cdma that looks at weights and masks.

#include "tb/dla/unit/cdma_bench.hpp"

namespace macrame::tb::cdma {

inline void Bench::check_weight_request(const Vdut& d) {
    const int wt_atoms = d.cdma_wt2mcif_rd_req_size + 1;
    const std::uint64_t addr = d.cdma_wt2mcif_rd_req_addr;
    const bool masks =
        masks_now() && !mask_streams_.empty() && addr == bus_addr(mask_streams_.front().addr);
    weight_asked_ += masks ? 0 : wt_atoms;
    auto& streams = masks ? mask_streams_ : weight_streams_;
    ASSERT_FALSE(streams.empty()) << "weight request too many, cycle " << cycle();
    Request& stream = streams.front();
    EXPECT_EQ(addr, bus_addr(stream.addr)) << "cycle " << cycle();
    EXPECT_LE(wt_atoms, stream.atoms);
    EXPECT_TRUE(wt_atoms % kQ == 0 || wt_atoms == stream.atoms);
    RingStub& ring = masks ? csc_.masks : csc_.weights;
    ring.claimed += (wt_atoms + kQ - 1) / kQ;
    EXPECT_LE(ring.claimed, (masks ? 1 : csc_.layers[layer_].regs.weight_banks) * p::cbuf_depth)
        << "weights requested without room, cycle " << cycle();
    stream.addr += static_cast<std::uint64_t>(wt_atoms) * p::atom_bytes;
    stream.atoms -= wt_atoms;
    if (stream.atoms == 0) streams.pop_front();
    weight_outstanding_ += wt_atoms;
}

/// The atoms of weights or masks of a cycle: one, or an aligned pair of which the upper one may be
/// missing.
inline void Bench::sample_weight_writes(const Vdut& d) {
    const bool masks = masks_now() && d.cdma2cbuf_wt_wr_addr >= p::cbuf_entries - p::cbuf_depth;
    const unsigned sel = wt_sel<kQ>(d);
    const Atom data = get_bytes(d.cdma2cbuf_wt_wr_data, kWeightAtoms * p::atom_bytes);
    const int atoms = count_bits(sel);
    ASSERT_TRUE(atoms == 1 || atoms == kWeightAtoms) << "weight select, cycle " << cycle();
    std::size_t& writes = masks ? mask_writes_ : weight_writes_;
    for (int atom = 0; atom < kQ; ++atom) {
        if ((sel >> atom & 1) == 0) continue;
        const auto half = data.begin() + atom % kWeightAtoms * p::atom_bytes;
        check_write(true, d.cdma2cbuf_wt_wr_addr, atom, Atom(half, half + p::atom_bytes),
                    masks ? mask_log_ : weight_log_, masks ? "masks" : "weight");
    }
    writes += static_cast<std::size_t>(atoms);
    weight_pairs_ += atoms > 1;
    weight_outstanding_ -= atoms;
    std::deque<std::size_t>& ends = masks ? mask_entry_ends_ : entry_ends_;
    const bool due = !ends.empty() && ends.front() == writes;
    (masks ? mask_due_ : entry_due_) = due;
    if (due) ends.pop_front();
}

}  // namespace macrame::tb::cdma
