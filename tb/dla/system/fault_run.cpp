#include "tb/dla/system/fault_run.hpp"

#include <optional>
#include <stdexcept>
#include <string>

#include "verif/common/random.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame::tb {

namespace {

// SYSCTL, see doc/registers.md of a design.
constexpr std::uint32_t kStatus = 0x3f000, kAddrLow = 0x3f004, kAddrHigh = 0x3f008;
constexpr std::uint32_t kClear = 0x3f00c, kMask = 0x3f010;
constexpr std::uint32_t kError = 1, kWrite = 2, kDecode = 4, kSecondPort = 8;

void want(bool good, const std::string& what) {
    if (!good) throw std::runtime_error("faults: " + what);
}

/// The clients that read, and those that write.
bool is_client(std::uint32_t client, bool write) {
    return write ? client >= 1 && client <= 3 : client >= 1 && client <= 9 && client != 4;
}

/// What the registers tell against what memory has answered.
void check_registers(RtlDevice& device) {
    const AxiFaults& primary = device.faults(0);
    const AxiFaults& secondary = device.faults(1);
    const std::uint64_t count = primary.count + secondary.count;
    const std::uint32_t status = device.csb_read(kStatus);
    const std::string shown = verif::text::hex(status);
    want(((status & kError) != 0) == (count != 0), "S_ERROR_STATUS = " + shown);
    want(status >> 16 == (count > 0xffff ? 0xffff : count),
         "COUNT of " + shown + ": want " + std::to_string(count));
    if (count == 0) return;
    const AxiFaults& port = (status & kSecondPort) != 0 ? secondary : primary;
    const bool write = (status & kWrite) != 0;
    const std::optional<AxiFault>& fault = write ? port.first_write : port.first_read;
    want(fault.has_value(), "no error of the kind that S_ERROR_STATUS = " + shown + " tells");
    const std::uint64_t addr =
        device.csb_read(kAddrLow) | static_cast<std::uint64_t>(device.csb_read(kAddrHigh)) << 32;
    want(addr == fault->addr, "S_ERROR_ADDR = " + verif::text::hex(addr) + ": want " +
                                  verif::text::hex(fault->addr));
    want(((status & kDecode) != 0) == (fault->resp == 3), "DECODE of " + shown);
    want(is_client(status >> 4 & 15, write), "CLIENT of " + shown);
}

}  // namespace

void fault_run(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
               const dla::trace::Program& program, int rounds, std::uint64_t seed) {
    verif::Random random(seed);
    device.reset();
    for (int i = 0; i < rounds; ++i) {
        device.csb_write(kMask, 1, false);  // the program serves interrupts of layers only
        const int per_mille = random.pick({1, 20, 300});
        device.set_faults(per_mille / 1000.0);
        dla::trace::PlayOptions options;
        options.stop_at_failure = false;  // what it computes is wrong, but it ends
        const dla::trace::PlayResult result =
            dla::trace::play(program, device, primary, secondary, options);
        for (const std::string& failure : result.failures)
            want(failure.find("no progress") == failure.npos, failure);
        device.set_faults_off();
        check_registers(device);
        device.reset();  // the interrupts of the core are gone
        device.csb_write(kMask, 0, false);
        const bool any = device.faults(0).count + device.faults(1).count != 0;
        device.advance(4);
        want(device.interrupt() == any, "the interrupt pin");
        device.csb_write(kClear, 0, false);
        want(device.csb_read(kStatus) == 0, "S_ERROR_STATUS is not cleared");
        want(!device.interrupt(), "the interrupt pin stays");
        primary.clear();
        secondary.clear();
    }
}

}  // namespace macrame::tb
