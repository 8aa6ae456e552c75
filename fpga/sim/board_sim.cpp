/// The Verilated top of a board: its clock, its reset button, its SDRAM if it has one, its serial
/// line at a pseudo-terminal. Prints the name of that; ends when the other end was there and has
/// gone.

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>
#include <verilated.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>

#include "Vboard.h"
#if BOARD_SDRAM
#include "fpga/sim/sdram_model.hpp"
#endif

namespace {

constexpr int kDiv = 4;            // cycles per bit, as board_sim.v tells the design
constexpr int kLockCycles = 50;    // more than a clock generator takes
constexpr int kLookCycles = 200;   // between two looks at the terminal

/// The far end of a terminal whose near end others open.
class Terminal {
public:
    bool open_new() {
        file_ = posix_openpt(O_RDWR | O_NOCTTY);
        if (file_ < 0 || grantpt(file_) != 0 || unlockpt(file_) != 0) return false;
        // Bytes as they are, from the first one on; the near end is held open until there is a user.
        near_ = open(name().c_str(), O_RDWR | O_NOCTTY);
        termios mode{};
        if (near_ < 0 || tcgetattr(near_, &mode) != 0) return false;
        cfmakeraw(&mode);
        return tcsetattr(near_, TCSANOW, &mode) == 0;
    }
    std::string name() const { return ptsname(file_); }

    /// Takes what has arrived. False if the user has gone.
    bool look(std::deque<std::uint8_t>& in) {
        pollfd wanted{file_, POLLIN, 0};
        poll(&wanted, 1, 0);
        if ((wanted.revents & POLLIN) != 0) {
            std::array<std::uint8_t, 512> bytes;
            const ssize_t count = read(file_, bytes.data(), bytes.size());
            for (ssize_t i = 0; i < count; ++i)
                in.push_back(bytes[static_cast<std::size_t>(i)]);
            if (count > 0 && near_ >= 0) {
                close(near_);
                near_ = -1;
            }
        }
        return near_ >= 0 || (wanted.revents & POLLHUP) == 0;
    }
    void put(std::uint8_t byte) {
        if (write(file_, &byte, 1) != 1) std::fputs("board: a byte is lost\n", stderr);
    }

private:
    int file_ = -1, near_ = -1;
};

class Board {
public:
    explicit Board(Terminal& terminal)
        : terminal_(terminal), top_(std::make_unique<Vboard>(&context_)) {
        top_->clk = 0;
        top_->uart_rx = 1;
        // Simulated flops are reset by an edge: the button, once the clock generator has locked.
        top_->reset = !BOARD_RESET_LEVEL;
        for (int i = 0; i < kLockCycles; ++i)
            cycle();
        top_->reset = BOARD_RESET_LEVEL;
        for (int i = 0; i < 20; ++i) {
            cycle();
            powered_ = true;
        }
        top_->reset = !BOARD_RESET_LEVEL;
    }

    /// False if the user has gone.
    bool run() {
        for (int i = 0; i < kLookCycles; ++i)
            cycle();
        return terminal_.look(in_);
    }

    /// Broken rules of the SDRAM.
    bool report() const {
#if BOARD_SDRAM
        for (const std::string& text : sdram_.violations())
            std::fputs((text + "\n").c_str(), stderr);
        return sdram_.violations().empty();
#else
        return true;
#endif
    }

private:
    void cycle() {
        clock(0);
        send();
        if (powered_) hear();
        clock(1);
    }

    void clock(unsigned level) {
        top_->clk = level & 1u;
        top_->eval();
#if BOARD_SDRAM
        const bool high = top_->sdram_clk != 0;
        if (high && !sdram_clk_ && powered_) {
            macrame::fpga::SdramPins pins;
            pins.cs_n = top_->sdram_cs_n, pins.ras_n = top_->sdram_ras_n;
            pins.cas_n = top_->sdram_cas_n, pins.we_n = top_->sdram_we_n;
            pins.ba = top_->sdram_ba, pins.a = top_->sdram_a, pins.dqm = top_->sdram_dqm;
            pins.dq_driven = top_->sdram_dq_oe, pins.dq = top_->sdram_dq_o;
            if (top_->sdram_cke) top_->sdram_dq_i = sdram_.clock(pins);
        }
        sdram_clk_ = high;
#endif
    }

    /// Bytes of the user to the design.
    void send() {
        if (send_phase_ == 0) {
            if (in_.empty()) return;
            send_bits_ = 0x200u | unsigned{in_.front()} << 1;
            in_.pop_front();
        }
        if (send_phase_ % kDiv == 0) top_->uart_rx = send_bits_ >> send_phase_ / kDiv & 1u;
        if (++send_phase_ == 10 * kDiv) send_phase_ = 0;
    }

    /// The other way; a bit is looked at in its middle.
    void hear() {
        if (hear_phase_ < 0) {
            if (top_->uart_tx == 0) hear_phase_ = 0;
            return;
        }
        if (++hear_phase_ % kDiv != kDiv / 2) return;
        const int bit = hear_phase_ / kDiv;
        if (bit >= 1 && bit <= 8) heard_ = heard_ >> 1 | (top_->uart_tx != 0 ? 0x80u : 0u);
        if (bit < 9) return;
        terminal_.put(static_cast<std::uint8_t>(heard_));
        hear_phase_ = -1;
    }

    Terminal& terminal_;
    VerilatedContext context_;
    std::unique_ptr<Vboard> top_;
#if BOARD_SDRAM
    static macrame::fpga::SdramTimes times() {
        macrame::fpga::SdramTimes out;
        out.period = 1000.0 / BOARD_MHZ;
        return out;
    }
    macrame::verif::Memory chip_{"sdram"};
    macrame::fpga::SdramModel sdram_{chip_, 9, times()};
    bool sdram_clk_ = false;  ///< as it was
#endif
    bool powered_ = false;  ///< chips see the pins from the first edge of the reset on
    std::deque<std::uint8_t> in_;
    int send_phase_ = 0, hear_phase_ = -1;
    unsigned send_bits_ = 0, heard_ = 0;
};

}  // namespace

int main() {
    Terminal terminal;
    if (!terminal.open_new()) {
        std::fputs("board: no pseudo-terminal\n", stderr);
        return 2;
    }
    std::fputs((terminal.name() + "\n").c_str(), stdout);
    std::fflush(stdout);
    Board board(terminal);
    while (board.run()) {
    }
    return board.report() ? 0 : 1;
}
