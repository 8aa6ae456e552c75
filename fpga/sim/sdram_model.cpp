#include "fpga/sim/sdram_model.hpp"

#include <algorithm>

namespace macrame::fpga {

namespace {

constexpr std::size_t kMaxViolations = 20;
constexpr unsigned kA10 = 1u << 10;
constexpr int kWords = 4;  // of a burst

}  // namespace

void SdramModel::violation(const std::string& what) {
    if (violations_.size() < kMaxViolations)
        violations_.push_back("sdram, cycle " + std::to_string(cycle_) + ": " + what);
}

std::uint16_t SdramModel::clock(const SdramPins& pins) {
    ++cycle_;
    now_ = static_cast<double>(cycle_) * times_.period;
    const unsigned command = (pins.cs_n ? 7u : 0u) | (pins.ras_n ? 4u : 0u) |
                             (pins.cas_n ? 2u : 0u) | (pins.we_n ? 1u : 0u);
    if (command != 7u) {
        want(now_ >= times_.t_power_up, "a command before power is up");
        want(now_ - last_refresh_ >= times_.t_rfc, "a command within tRFC");
        want(now_ - mode_set_ >= 2 * times_.period, "a command within tMRD");
    }
    switch (command) {
        case 0b011: activate(pins); break;
        case 0b101: burst(pins, false); break;
        case 0b100: burst(pins, true); break;
        case 0b010:
            for (unsigned i = 0; i < 4; ++i) {
                if ((pins.a & kA10) != 0 || i == pins.ba) precharge(banks_[i]);
            }
            break;
        case 0b001: refresh(); break;
        case 0b000: set_mode(pins.a); break;
        case 0b110: violation("burst terminate"); break;
        default: break;
    }
    if (cas_ != 0 && refreshes_ > 0)
        want(now_ - last_refresh_ < 9 * times_.t_refi, "no refresh for long");
    take_word(pins);
    // The word that is taken at the next edge but, with the edges here, driven from now on.
    std::uint16_t out = static_cast<std::uint16_t>(0xdead ^ cycle_);
    bool driving = false;
    while (!reads_.empty() && reads_.front().at <= cycle_) {
        const std::uint64_t addr = reads_.front().addr;
        out = static_cast<std::uint16_t>(memory_.read(addr) | memory_.read(addr + 1) << 8);
        if (dqm_before_ != 0) violation("a word is read under a mask");
        driving = reads_.front().at == cycle_;
        reads_.pop_front();
    }
    want(!(driving && pins.dq_driven), "both drive the data pins");
    dqm_two_before_ = dqm_before_;
    dqm_before_ = pins.dqm;
    return out;
}

void SdramModel::activate(const SdramPins& pins) {
    Bank& bank = banks_[pins.ba];
    want(cas_ != 0, "activate before the mode is set");
    want(!bank.open, "activate of an open bank");
    want(now_ - bank.precharged >= times_.t_rp, "activate within tRP");
    want(now_ - bank.activated >= times_.t_rc, "activate within tRC");
    want(now_ - last_activate_ >= times_.t_rrd, "activate within tRRD");
    bank.open = true;
    bank.row = pins.a;
    bank.activated = last_activate_ = now_;
}

void SdramModel::burst(const SdramPins& pins, bool write) {
    const Bank& bank = banks_[pins.ba];
    want(bank.open, "burst in a closed bank");
    want(now_ - bank.activated >= times_.t_rcd, "burst within tRCD");
    want((pins.a & kA10) == 0, "auto precharge");
    want(!bursts_ || cycle_ - burst_cycle_ >= kWords, "a burst ends another one");
    bursts_ = true;
    burst_cycle_ = cycle_;
    const unsigned column = pins.a & ((1u << col_bits_) - 1u);
    want(column % kWords == 0, "burst at column " + std::to_string(column));
    const std::uint64_t addr =
        ((std::uint64_t{bank.row} << 2 | pins.ba) << col_bits_ | column) * 2;
    if (write) {
        write_addr_ = addr;
        words_to_write_ = kWords;
        return;
    }
    // Valid at the edge `cas_` cycles from now: driven from the edge before.
    for (int i = 0; i < kWords; ++i)
        reads_.push_back({cycle_ + static_cast<std::uint64_t>(cas_ - 1 + i),
                          addr + 2 * static_cast<std::uint64_t>(i)});
}

void SdramModel::precharge(Bank& bank) {
    if (!bank.open) return;
    want(now_ - bank.activated >= times_.t_ras, "precharge within tRAS");
    want(now_ - last_write_ >= std::max(times_.t_wr, 2 * times_.period), "precharge within tWR");
    want(!bursts_ || cycle_ - burst_cycle_ >= kWords, "precharge ends a burst");
    bank.open = false;
    bank.precharged = now_;
}

void SdramModel::set_mode(unsigned mode) {
    const unsigned cas = mode >> 4 & 7u;
    want((mode & 0xfu) == 2u, "mode: want sequential bursts of four");
    want(cas == 2 || cas == 3, "mode: want CAS latency 2 or 3");
    want(mode >> 7 == 0, "mode: want standard operation and bursts of writes");
    want(refreshes_ >= 2, "mode: want two refreshes before");
    cas_ = static_cast<int>(cas);
    mode_set_ = now_;
}

void SdramModel::refresh() {
    for (const Bank& bank : banks_) {
        want(!bank.open, "refresh with an open bank");
        want(now_ - bank.precharged >= times_.t_rp, "refresh within tRP");
    }
    last_refresh_ = now_;
    ++refreshes_;
}

void SdramModel::take_word(const SdramPins& pins) {
    if (words_to_write_ == 0) {
        want(!pins.dq_driven, "the controller drives the data pins without a write");
        return;
    }
    want(pins.dq_driven, "the controller does not drive the data pins of a write");
    for (unsigned i = 0; i < 2; ++i) {
        if ((pins.dqm >> i & 1u) == 0)
            memory_.write(write_addr_ + i, static_cast<std::uint8_t>(pins.dq >> 8 * i));
    }
    write_addr_ += 2;
    --words_to_write_;
    last_write_ = now_;
}

}  // namespace macrame::fpga
