/// The clock of a Verilated SoC, and the other end of its serial line: what the firmware sends goes
/// to stdout, until a line "end STATUS". Exit status: 0, 1 for another STATUS, 2 for no end.
///   Vsoc [MOST_CYCLES]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "Vsoc.h"
#include "verilated.h"

namespace {

/// Takes the level of the line in each cycle, and finds the bytes.
class Receiver {
public:
    /// True behind the last bit of a byte.
    bool take(bool level) {
        if (wait_ == 0 && level) return false;  // nothing comes
        if (wait_ == 0) {
            wait_ = SERIAL_CYCLES * 3 / 2, bits_ = 0, byte_ = 0;
            return false;
        }
        if (--wait_ > 0) return false;
        if (bits_ == 8) return true;  // in the middle of the stop bit
        byte_ |= (level ? 1u : 0u) << bits_++;
        wait_ = SERIAL_CYCLES;
        return false;
    }
    char byte() const { return static_cast<char>(byte_); }

private:
    int wait_ = 0, bits_ = 0;
    unsigned byte_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    const std::uint64_t most = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1000000000;
    Vsoc top;
    Receiver receiver;
    std::string line;
    top.serial_rx = 1;
    for (std::uint64_t cycle = 0; cycle < most; ++cycle) {
        top.rst = cycle < 16;
        top.clk = 0;
        top.eval();
        top.clk = 1;
        top.eval();
        if (!receiver.take(top.serial_tx != 0)) continue;
        std::putchar(receiver.byte());
        line += receiver.byte();
        if (receiver.byte() != '\n') continue;
        std::fflush(stdout);
        if (line.rfind("end ", 0) == 0) return std::atoi(line.c_str() + 4) == 0 ? 0 : 1;
        line.clear();
    }
    std::fputs(("soc: no end within " + std::to_string(most) + " cycles\n").c_str(), stderr);
    return 2;
}
