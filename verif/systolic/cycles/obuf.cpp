#include "verif/systolic/cycles/obuf.hpp"

namespace macrame::systolic::cycles {

Obuf::Obuf(const Architecture& architecture)
    : half_(architecture.obuf_entries / 2),
      to_last_write_(architecture.columns + 4),
      lasts_(static_cast<std::size_t>(architecture.columns + 4)) {}

void Obuf::clock(const Inputs& in) {
    const Outputs now = outputs();
    const bool element = grants_element(), stored = grants_store();

    for (std::size_t h = 0; h < 2; ++h) {
        if (in.gemm2obuf_step && half(in.gemm2obuf_entry) == h) {
            busy_[h] = to_last_write_;
        } else if (busy_[h] > 0) {
            --busy_[h];
        }
    }
    lasts_[at_] = in.gemm2obuf_last;
    at_ = at_ + 1 == lasts_.size() ? 0 : at_ + 1;

    stored_ = stored;
    for (std::size_t age = granted_.size() - 1; age > 0; --age)
        granted_[age] = granted_[age - 1];
    granted_[0] = element ? request_ : Request{};
    if (now.alu2obuf_ready) {
        request_ = {in.alu2obuf_valid, in.alu2obuf_write, in.alu2obuf_last, in.alu2obuf_read_entry,
                    in.alu2obuf_write_entry};
    }
    if (now.store2obuf_ready) {
        store_ = in.store2obuf_valid;
        store_entry_ = in.store2obuf_entry;
    }
    load_seen_ = in.load2obuf_valid && !now.load2obuf_ready;
    load_half_ = half(in.load2obuf_entry);
}

}  // namespace macrame::systolic::cycles
