#pragma once
/// An SDR SDRAM of 16 bits with 4 banks, as the JEDEC standard has it, that checks the times between
/// commands. Bursts of four words, sequential, CAS latency 2 or 3.

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"

namespace macrame::fpga {

/// Times of a part in ns.
struct SdramTimes {
    double period = 16.0;  ///< of the clock
    double t_rcd = 20;     ///< activate to read or write
    double t_rp = 20;      ///< precharge to activate
    double t_ras = 45;     ///< activate to precharge
    double t_rc = 67;      ///< activate to activate of a bank
    double t_rrd = 15;     ///< activate to activate of another bank
    double t_wr = 15;      ///< last data written to precharge, and at least 2 cycles
    double t_rfc = 67;     ///< refresh to anything
    double t_refi = 7812;  ///< average between refreshes
    double t_power_up = 100000;
};

/// Pins at a rising edge of the SDRAM's clock.
struct SdramPins {
    bool cs_n = true, ras_n = true, cas_n = true, we_n = true;
    unsigned ba = 0, a = 0, dqm = 0;
    bool dq_driven = false;  ///< by the controller
    std::uint16_t dq = 0;    ///< what it drives
};

class SdramModel {
public:
    SdramModel(verif::Memory& memory, int col_bits, const SdramTimes& times)
        : memory_(memory), col_bits_(col_bits), times_(times) {}

    /// A rising edge. Returns what the SDRAM drives until the next one; any number if nothing.
    std::uint16_t clock(const SdramPins& pins);

    const std::vector<std::string>& violations() const { return violations_; }
    std::uint64_t refreshes() const { return refreshes_; }

private:
    struct Bank {
        bool open = false;
        unsigned row = 0;
        double activated = -1e9, precharged = -1e9;
    };
    struct Word {  ///< of a burst that is read
        std::uint64_t at;
        std::uint64_t addr;
    };

    void violation(const std::string& what);
    void want(bool holds, const std::string& what) {
        if (!holds) violation(what);
    }
    void activate(const SdramPins& pins);
    void burst(const SdramPins& pins, bool write);
    void precharge(Bank& bank);
    void set_mode(unsigned mode);
    void refresh();
    void take_word(const SdramPins& pins);

    verif::Memory& memory_;
    int col_bits_;
    SdramTimes times_;
    std::array<Bank, 4> banks_;
    std::uint64_t cycle_ = 0;
    double now_ = 0;  ///< ns
    double last_activate_ = -1e9, last_refresh_ = -1e9, last_write_ = -1e9, mode_set_ = -1e9;
    std::uint64_t write_end_cycle_ = 0;
    std::uint64_t refreshes_ = 0;
    int cas_ = 0;  ///< 0: the mode is not set
    std::deque<Word> reads_;
    std::uint64_t burst_cycle_ = 0;      ///< of the last READ or WRITE
    bool bursts_ = false;
    int words_to_write_ = 0;
    std::uint64_t write_addr_ = 0;
    unsigned dqm_before_ = 0, dqm_two_before_ = 0;  ///< masks of reads come two cycles late
    std::vector<std::string> violations_;
};

}  // namespace macrame::fpga
