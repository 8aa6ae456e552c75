#include "tb/tcu/system/fault_run.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "tcu_params.hpp"
#include "tcu_regs.hpp"
#include "verif/common/random.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/model/machine.hpp"

namespace macrame::tb {

namespace {

using tcu_regs::control::BUS_ERROR_ADDRESS;
using tcu_regs::control::BUS_ERROR_CAUSE;
using tcu_regs::control::IDENTITY;
using tcu_regs::control::PROGRAM_COUNTER;
using tcu_regs::control::STATUS;

constexpr std::uint64_t kSlice = 200;            ///< cycles between two looks
constexpr std::uint64_t kMostCycles = 20000000;  ///< of a program
constexpr std::uint64_t kSettleCycles = 100;
constexpr std::uint64_t kMostBurstBytes = 4096;
/// Longer programs are not looked at byte by byte.
constexpr std::size_t kMostInstructions = 20000;

/// Values of a byte in memory.
using Values = std::map<std::uint64_t, std::bitset<256>>;

/// What the program stores in each byte, as the golden model does it.
std::array<Values, 2> stored_values(const tcu::Architecture& architecture, tcu::run::Banks banks,
                                    const std::vector<std::uint8_t>& stream) {
    std::array<Values, 2> out;
    const tcu::Layout layout = tcu::layout_of(architecture);
    const auto size = static_cast<std::size_t>(layout.bytes);
    const auto machine = tcu::model::make_machine(architecture, banks.dram0, banks.dram1);
    machine->reset(std::nullopt);
    for (std::size_t at = 0; at + size <= stream.size(); at += size) {
        const tcu::Instruction instruction = tcu::decode(layout, stream.data() + at);
        machine->execute(instruction);
        if (!instruction.is(tcu::kDataMove) || tcu::moves_to_local(instruction.flags)) continue;
        for (std::size_t bank = 0; bank < 2; ++bank) {
            verif::Memory& memory = bank == 0 ? banks.dram0 : banks.dram1;
            for (const verif::MemoryRange& range : memory.written()) {
                for (std::uint64_t i = 0; i < range.size; ++i)
                    out[bank][range.addr + i].set(memory.peek(range.addr + i));
            }
            memory.forget_writes();
        }
    }
    return out;
}

void want(bool good, const std::string& what) {
    if (!good) throw std::runtime_error("faults and resets: " + what);
}

class FaultRun {
public:
    FaultRun(RtlDevice& device, tcu::run::Banks banks, const std::vector<std::uint8_t>& stream,
             const std::function<void()>& fill, std::uint64_t seed)
        : device_(device), banks_(banks), stream_(stream), fill_(fill), random_(seed + 1) {}

    void run(const tcu::Architecture& architecture, int faults, int resets) {
        const auto bytes = static_cast<std::size_t>(tcu::layout_of(architecture).bytes);
        fill_();
        looks_ = faults > 0 && stream_.size() / bytes <= kMostInstructions;
        if (looks_) stored_ = stored_values(architecture, banks_, stream_);
        start(stream_.size());
        want(device_.run(kMostCycles), "the program does not end undisturbed");
        length_ = device_.cycle();
        answers_ = {device_.answers(0), device_.answers(1)};
        recover();
        for (int i = 0; i < resets; ++i)
            reset_once();
        for (int i = 0; i < faults; ++i)
            fault_once();
    }

private:
    /// The first bytes of the program.
    void start(std::size_t bytes) {
        fill_();
        device_.send({stream_.begin(), stream_.begin() + static_cast<std::ptrdiff_t>(bytes)});
    }

    std::uint64_t some_cycles() { return 1 + random_.bits() % length_; }

    /// Nothing of the time before is left.
    void recover() {
        device_.recover();
        device_.advance(kSettleCycles);
        want(!device_.bus_error_pin() && !device_.interrupt() && device_.idle_pin(),
             "a pin tells of what was before the reset");
        want(device_.status().program_counter == 0, "the program counter is not reset");
        if (!device_.has_registers()) return;
        const STATUS status(device_.read_register(STATUS::kAddress));
        want(status.IDLE() != 0 && status.BUS_ERROR() == 0 && status.IRQ() == 0,
             "STATUS behind a soft reset = " + verif::text::hex(status.raw));
        want(device_.read_register(PROGRAM_COUNTER::kAddress) == 0,
             "the register PROGRAM_COUNTER is not reset");
        want(device_.read_register(IDENTITY::kAddress) == tcu_params::identity,
             "IDENTITY is not that of the headers");
    }

    /// In the middle, or where a stream ends that is cut: within an instruction it waits for ever.
    void reset_once() {
        const std::size_t beats = stream_.size() / tcu_params::axi_bytes;
        const bool cut = random_.chance(30);
        start(cut ? random_.bits() % beats * tcu_params::axi_bytes : stream_.size());
        device_.advance(some_cycles());
        recover();
    }

    void set_faults() {
        if (random_.chance(50)) {
            const double share = random_.pick({1, 20, 300}) / 1000.0;
            device_.set_faults({share, 0}, {share, 0});
            return;
        }
        const std::uint64_t all = answers_[0] + answers_[1];
        const std::uint64_t number = all == 0 ? 1 : 1 + random_.bits() % all;
        const bool second = number > answers_[0];
        device_.set_faults({0.0, second ? 0 : number}, {0.0, second ? number - answers_[0] : 0});
    }

    std::uint64_t count() const { return device_.faults(0).count + device_.faults(1).count; }

    void fault_once() {
        set_faults();
        start(stream_.size());
        if (random_.chance(25)) {
            device_.advance(some_cycles());
        } else {
            bool ended = false;
            const std::uint64_t most = device_.cycle() + kMostCycles;
            while (!ended && !device_.bus_error_pin()) {
                ended = device_.run(kSlice);
                want(device_.cycle() < most, "the program neither ends nor fails");
            }
            device_.run(2 * length_);  // not with an error
            device_.advance(kSettleCycles);
            check_pins();
            if (device_.has_registers()) check_registers();
        }
        check_memory();
        device_.set_faults({}, {});
        recover();
    }

    /// What the pins tell against what memory has answered.
    void check_pins() const {
        const bool any = count() != 0;
        const std::string shown = " behind " + verif::text::shortest(count()) + " errors";
        want(device_.bus_error_pin() == any, "the pin bus_error" + shown);
        want(device_.idle_pin() == !any, "the pin idle" + shown);
        want(!any || device_.interrupt(), "no interrupt" + shown);
    }

    /// The same of the registers.
    void check_registers() {
        const STATUS status(device_.read_register(STATUS::kAddress));
        const std::string shown = "STATUS = " + verif::text::hex(status.raw) + " behind " +
                                  verif::text::shortest(count()) + " errors";
        const bool any = count() != 0;
        want((status.BUS_ERROR() != 0) == any && (status.IDLE() != 0) == !any, shown);
        if (!any) return;
        want(status.IRQ() != 0, "no interrupt, " + shown);
        const BUS_ERROR_CAUSE cause(device_.read_register(BUS_ERROR_CAUSE::kAddress));
        const std::uint64_t addr = device_.read_register(BUS_ERROR_ADDRESS::kAddress);
        const verif::AxiFaults& bank = device_.faults(cause.BANK());
        const std::optional<verif::AxiFault>& fault =
            cause.WRITE() != 0 ? bank.first_write : bank.first_read;
        const std::string told = "BUS_ERROR_CAUSE = " + verif::text::hex(cause.raw) +
                                 ", BUS_ERROR_ADDRESS = " + verif::text::hex(addr);
        want(fault.has_value(), told + ": no error of this kind");
        want((cause.DECODE() != 0) == (fault->resp == 3), told + ": the response");
        const bool near = cause.WRITE() != 0
                              ? fault->addr == addr
                              : fault->addr >= addr && fault->addr - addr < kMostBurstBytes;
        want(near, told + ": want " + verif::text::hex(fault->addr));
    }

    /// Nothing is stored that depends on data that did not come.
    void check_memory() const {
        for (std::size_t number = 0; looks_ && number < 2; ++number) {
            const verif::Memory& memory = number == 0 ? banks_.dram0 : banks_.dram1;
            for (const verif::MemoryRange& range : memory.written()) {
                for (std::uint64_t addr = range.addr; addr < range.addr + range.size; ++addr) {
                    const auto found = stored_[number].find(addr);
                    want(found != stored_[number].end() && found->second.test(memory.peek(addr)),
                         memory.name() + " byte " + verif::text::hex(addr) + " = " +
                             verif::text::hex_digits(memory.peek(addr), 2) +
                             ": the program never stores that there");
                }
            }
        }
    }

    RtlDevice& device_;
    tcu::run::Banks banks_;
    const std::vector<std::uint8_t>& stream_;
    const std::function<void()>& fill_;
    verif::Random random_;
    std::array<Values, 2> stored_;
    bool looks_ = false;  ///< at stored_
    std::uint64_t length_ = 1;
    std::array<std::uint64_t, 2> answers_ = {};
};

}  // namespace

void fault_run(RtlDevice& device, tcu::run::Banks banks, const tcu::Architecture& architecture,
               const std::vector<std::uint8_t>& stream, const std::function<void()>& fill,
               const tcu::run::SimulateOptions& options) {
    FaultRun(device, banks, stream, fill, options.seed)
        .run(architecture, options.faults, options.resets);
    device.recover();
    fill();
}

}  // namespace macrame::tb
