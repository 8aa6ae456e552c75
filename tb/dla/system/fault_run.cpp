#include "tb/dla/system/fault_run.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "dla_params.hpp"
#include "verif/common/random.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/run/platform.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame::tb {

namespace {

// SYSCTL, see doc/registers.md of a design.
constexpr std::uint32_t kStatus = 0x3f000, kAddrLow = 0x3f004, kAddrHigh = 0x3f008;
constexpr std::uint32_t kClear = 0x3f00c, kMask = 0x3f010;
constexpr int kSettleCycles = 100000;
constexpr int kToRegisters = 16;  ///< cycles from an answer on the bus to SYSCTL and its pin
constexpr std::uint32_t kError = 1, kWrite = 2, kDecode = 4, kSecondPort = 8;

void want(bool good, const std::string& what) {
    if (!good) throw std::runtime_error("faults: " + what);
}

/// Who reads and who writes what, as the golden model does it: bits of clients per beat.
class Accesses {
public:
    explicit Accesses(const dla::trace::Trace& program) {
        verif::Memory primary, secondary;
        dla::model::Device model(dla::model::architecture_of(dla_params::sizes), primary,
                                 &secondary);
        model.watch_memory([this](const dla::model::MemoryAccess& access) {
            const std::uint64_t bus = beat_bytes(access.secondary);
            const std::uint64_t end = access.addr + access.count;
            for (std::uint64_t at = access.addr / bus * bus; at < end; at += bus)
                clients_[{access.write, access.secondary, at}] |=
                    1u << static_cast<int>(access.client);
        });
        dla::trace::play(program, model, primary, secondary);
    }

    bool has(std::uint32_t client, bool write, bool secondary, std::uint64_t addr) const {
        const std::uint64_t bus = beat_bytes(secondary);
        const auto found = clients_.find({write, secondary, addr / bus * bus});
        return found != clients_.end() && (found->second >> client & 1u) != 0;
    }

    static std::uint64_t beat_bytes(bool secondary) {
        return static_cast<std::uint64_t>(secondary ? dla_params::secondary_bus_bytes
                                                    : dla_params::bus_bytes);
    }

private:
    std::map<std::tuple<bool, bool, std::uint64_t>, std::uint32_t> clients_;
};

/// What the registers tell against what memory has answered.
void check_registers(RtlDevice& device, const Accesses& accesses) {
    const verif::AxiFaults& primary = device.faults(0);
    const verif::AxiFaults& secondary = device.faults(1);
    const std::uint64_t count = primary.count + secondary.count;
    const std::uint32_t status = device.csb_read(kStatus);
    const std::string shown = verif::text::hex(status);
    want(((status & kError) != 0) == (count != 0), "S_ERROR_STATUS = " + shown);
    want(status >> 16 == (count > 0xffff ? 0xffff : count),
         "COUNT of " + shown + ": want " + std::to_string(count));
    if (count == 0) return;
    const verif::AxiFaults& port = (status & kSecondPort) != 0 ? secondary : primary;
    const bool write = (status & kWrite) != 0;
    const std::optional<verif::AxiFault>& fault = write ? port.first_write : port.first_read;
    want(fault.has_value(), "no error of the kind that S_ERROR_STATUS = " + shown + " tells");
    // Errors count by the beats of the core, whatever the width of the bus.
    const std::uint64_t core = Accesses::beat_bytes((status & kSecondPort) != 0);
    const std::uint64_t addr =
        device.csb_read(kAddrLow) | static_cast<std::uint64_t>(device.csb_read(kAddrHigh)) << 32;
    want(addr / core == fault->addr / core,
         "S_ERROR_ADDR = " + verif::text::hex(addr) + ": want " + verif::text::hex(fault->addr));
    want(((status & kDecode) != 0) == (fault->resp == 3), "DECODE of " + shown);
    want(accesses.has(status >> 4 & 15, write, (status & kSecondPort) != 0, addr),
         "CLIENT of " + shown + " does not access " + verif::text::hex(addr));
}

/// Errors in some of the answers, or in one of them; the program to its end, or a reset before
/// that.
class FaultRun {
public:
    FaultRun(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
             const dla::trace::Trace& program, std::uint64_t seed)
        : device_(device),
          primary_(primary),
          secondary_(secondary),
          program_(program),
          random_(seed),
          accesses_(program) {}

    void run(int rounds) {
        device_.reset();
        device_.set_faults({}, {});
        const std::uint64_t start = device_.cycle();
        play();
        const std::uint64_t length = device_.cycle() - start;
        const std::uint64_t answers[2] = {device_.answers(0), device_.answers(1)};
        for (int i = 0; i < rounds; ++i) {
            device_.csb_write(kMask, 1, false);  // the program serves interrupts of layers only
            set_faults(answers);
            if (random_.chance(25)) device_.stop_at(device_.cycle() + 1 + random_.word() % length);
            try {
                play();
            } catch (const RtlDevice::Stopped&) {
            }
            device_.stop_at(RtlDevice::kNever);
            device_.set_faults_off();
            recover();
        }
    }

private:
    void set_faults(const std::uint64_t (&answers)[2]) {
        if (random_.chance(50)) {
            const double share = random_.pick({1, 20, 300}) / 1000.0;
            device_.set_faults({share, 0}, {share, 0});
            return;
        }
        const std::uint64_t number = 1 + random_.word() % (answers[0] + answers[1]);
        const bool second = number > answers[0];
        device_.set_faults({0.0, second ? 0 : number}, {0.0, second ? number - answers[0] : 0});
    }

    /// What is computed may be wrong, but it ends.
    void play() {
        primary_.clear();
        secondary_.clear();
        dla::trace::PlayOptions options;
        options.stop_at_failure = false;
        const dla::trace::PlayResult result =
            dla::trace::play(program_, device_, primary_, secondary_, options);
        for (const std::string& failure : result.failures)
            want(failure.find("no progress") == failure.npos, failure);
    }

    /// As the documents tell: reset, look, clear.
    void recover() {
        device_.reset();
        for (int i = 0; !device_.memory_idle(); ++i) {
            want(i < kSettleCycles, "transactions do not end");
            device_.advance(1);
        }
        device_.advance(device_.long_cycles(kToRegisters));
        check_registers(device_, accesses_);
        device_.csb_write(kMask, 0, false);
        const bool any = device_.faults(0).count + device_.faults(1).count != 0;
        device_.advance(device_.long_cycles(kToRegisters));
        want(device_.interrupt() == any, "the interrupt pin");
        device_.csb_write(kClear, 0, false);
        want(device_.csb_read(kStatus) == 0, "S_ERROR_STATUS is not cleared");
        want(!device_.interrupt(), "the interrupt pin stays");
    }

    RtlDevice& device_;
    verif::Memory& primary_;
    verif::Memory& secondary_;
    const dla::trace::Trace& program_;
    verif::Random random_;
    Accesses accesses_;
};

}  // namespace

void fault_run(RtlDevice& device, verif::Memory& primary, verif::Memory& secondary,
               const dla::trace::Trace& program, int rounds, std::uint64_t seed) {
    FaultRun(device, primary, secondary, program, seed).run(rounds);
    primary.clear();
    secondary.clear();
}

}  // namespace macrame::tb
