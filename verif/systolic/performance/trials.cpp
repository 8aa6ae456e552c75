#include "verif/systolic/performance/trials.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "verif/common/random.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/isa/accesses.hpp"

namespace macrame::systolic::performance {

namespace {

using Control = cycles::Control;
using Port = Device::Port;
using Register = Device::Register;
using verif::text::hex;

constexpr Port kPorts[] = {Port::fetch, Port::load, Port::store};
constexpr std::size_t kPortCount = 3;
constexpr std::uint32_t kErrors[] = {Control::kFetchError, Control::kLoadError,
                                     Control::kStoreError};

std::size_t number(Port port) { return static_cast<std::size_t>(port); }

std::uint32_t status_of(Device& device) {
    return static_cast<std::uint32_t>(device.read(Register::status).low);
}

void want(bool good, const std::string& what) {
    if (!good) throw std::runtime_error(what);
}

/// What memory holds, to be put back.
class Snapshot {
public:
    explicit Snapshot(const verif::Memory& memory) {
        for (const verif::MemoryRange& range : memory.contents())
            parts_.push_back({range.addr, memory.dump(range.addr, range.size)});
    }
    void put_back(verif::Memory& memory) const {
        memory.clear();
        for (const Part& part : parts_)
            memory.load(part.addr, part.bytes);
    }

private:
    struct Part {
        std::uint64_t addr;
        std::vector<std::uint8_t> bytes;
    };
    std::vector<Part> parts_;
};

class Trial {
public:
    Trial(Device& device, const Architecture& architecture, const PlacedProgram& program,
          int latency, verif::Random& random)
        : device_(device),
          architecture_(architecture),
          program_(program),
          quiet_(longest_quiet(architecture, program.instructions, latency)),
          random_(random) {}

    /// Undisturbed: how long it is, and how often memory answers.
    void measure() {
        for (const Port port : kPorts)
            device_.set_faults(port, {});
        const std::uint64_t begin = device_.now();
        start(device_, program_);
        want(device_.wait_idle(quiet_), "it stands still");
        cycles_ = device_.now() - begin;
        for (const Port port : kPorts)
            answers_[number(port)] = device_.memory(port).answers();
        want(status_of(device_) == Control::kDone, "STATUS is " + hex(status_of(device_)));
        clear_events(device_);
    }

    void reset() {
        start(device_, program_);
        device_.pass(random_.word() % cycles_);
        const std::string problem = stop(device_, quiet_);
        want(problem.empty(), problem);
        clear_events(device_);
    }

    /// The program ends by itself, whatever memory answers.
    void faults() {
        set_faults();
        start(device_, program_);
        want(device_.wait_idle(quiet_), "errors of memory: it stands still");
        want(device_.memory_idle(), "errors of memory: transactions are on their way");
        check_registers();
        for (const Port port : kPorts)
            device_.set_faults(port, {});
        clear_events(device_);
        want(!device_.irq(), "the interrupt stays");
    }

    /// A word is no instruction, or has a token more or less: it is stopped, ends or stands still.
    void broken() {
        const std::size_t at = random_.word() % program_.instructions.size();
        const bool illegal = random_.chance(50);
        Word word = encode(program_.instructions[at]);
        constexpr int kOpcode = 124, kFlags = 120;
        if (illegal) {
            set_bits(word, kOpcode, 4, 0);
        } else {
            const int flag = kFlags + random_.in(0, 3);
            set_bits(word, flag, 1, 1 - get_bits(word, flag, 1));
        }
        put_word(at, word);
        start(device_, program_);
        if (!device_.wait_idle(quiet_)) {
            const std::string problem = stop(device_, quiet_);
            want(!illegal && problem.empty(), "a broken program stands still; " + problem);
        } else {
            const std::uint32_t wanted =
                illegal ? Control::kIllegal | Control::kStopped : Control::kDone;
            want(status_of(device_) == wanted,
                 "a broken program: STATUS is " + hex(status_of(device_)));
        }
        put_word(at, encode(program_.instructions[at]));
        clear_events(device_);
    }

private:
    void put_word(std::size_t at, const Word& word) {
        const auto bytes = word_bytes(word);
        device_.program().load(program_.address + at * bytes.size(), bytes.data(), bytes.size());
    }

    /// One answer, or some of all.
    void set_faults() {
        const double share = random_.chance(50) ? random_.pick({1, 20, 300}) / 1000.0 : 0.0;
        std::uint64_t one = 0;
        for (const std::uint64_t count : answers_)
            one += count;
        one = share == 0.0 ? 1 + random_.word() % one : 0;
        for (const Port port : kPorts) {
            const std::uint64_t count = answers_[number(port)];
            device_.set_faults(port, {share, one <= count ? one : 0});
            one = one > count ? one - count : 0;
        }
    }

    const verif::AxiFaults& faults_of(Port port) const { return device_.memory(port).faults(); }

    void check_registers() {
        std::uint32_t wanted = 0;
        for (const Port port : kPorts)
            if (faults_of(port).count != 0) wanted |= kErrors[number(port)];
        const bool any = wanted != 0;
        wanted |= any ? Control::kStopped : Control::kDone;
        const std::uint32_t found = status_of(device_);
        want(found == wanted,
             "errors of memory: STATUS is " + hex(found) + ", want " + hex(wanted));
        want(device_.irq(), "errors of memory: no interrupt");
        if (any) check_first();
    }

    /// The registers of the first error.
    void check_first() {
        const std::uint64_t both = device_.read(Register::command).high;
        const std::uint64_t source = both & 0xffffffff, address = both >> 32;
        want(source >= 1 && source <= kPortCount, "ERROR_SOURCE is " + hex(source));
        const Port port = kPorts[source - 1];
        const verif::AxiFaults& faults = faults_of(port);
        const std::optional<verif::AxiFault>& first =
            port == Port::store ? faults.first_write : faults.first_read;
        want(first.has_value(), "ERROR_SOURCE is " + hex(source) + ", which had no error");
        const bool fits =
            port == Port::fetch ? first->addr == address : has_transfer(port, address, first->addr);
        want(fits,
             "ERROR_ADDRESS is " + hex(address) + ", the first error was at " + hex(first->addr));
    }

    /// A LOAD or STORE that begins at `address` and moves bytes of the beat or burst at `at`.
    bool has_transfer(Port port, std::uint64_t address, std::uint64_t at) const {
        const Module module = port == Port::load ? Module::load : Module::store;
        const auto beat = static_cast<std::uint64_t>(architecture_.bus_bytes);
        for (const Instruction& i : program_.instructions) {
            if (i.module != module) continue;
            if (static_cast<std::uint64_t>(i.transfer.dram_address) != address) continue;
            for (const Interval& bytes : accesses(architecture_, i).memory)
                if (static_cast<std::uint64_t>(bytes.begin) < at + beat &&
                    static_cast<std::uint64_t>(bytes.end) > at)
                    return true;
        }
        return false;
    }

    Device& device_;
    const Architecture& architecture_;
    const PlacedProgram& program_;
    const std::uint64_t quiet_;
    verif::Random& random_;
    std::uint64_t cycles_ = 0;
    std::uint64_t answers_[kPortCount] = {};
};

}  // namespace

std::uint64_t longest_quiet(const Architecture& architecture,
                            const std::vector<Instruction>& program, int latency) {
    std::int64_t most = 0;
    for (const Instruction& i : program) {
        const Alu& alu = i.alu;
        const std::int64_t elements =
            alu.output_height * alu.output_width * (alu.window_height * alu.window_width + 1);
        most = std::max({most, i.gemm.ofmap_height * i.gemm.ofmap_width, 8 * elements});
    }
    const auto queues = static_cast<std::uint64_t>(2 * architecture.queue_depth + 1);
    return 20000 + 100 * static_cast<std::uint64_t>(latency) +
           queues * static_cast<std::uint64_t>(most + 2 * architecture.rows);
}

void start(Device& device, const PlacedProgram& program) {
    constexpr int kAddress = 0, kCount = 4, kGo = 0;
    device.write32(Register::program, kCount,
                   static_cast<std::uint32_t>(program.instructions.size()));
    device.write32(Register::program, kAddress, static_cast<std::uint32_t>(program.address));
    device.write32(Register::command, kGo, 1);
}

void clear_events(Device& device) {
    constexpr std::uint64_t kAll = Control::kEvents;
    device.write(Register::status, {0, kAll << 32 | kAll});
    device.pass(2);  // to the interrupt
}

std::string stop(Device& device, std::uint64_t most_quiet_cycles) {
    constexpr int kReset = 4;
    device.write32(Register::command, kReset, 1);
    if (!device.wait_idle(most_quiet_cycles)) return "a RESET does not end";
    const std::uint32_t status = status_of(device);
    constexpr std::uint32_t kFine = Control::kStopped | Control::kDone;
    if ((status & Control::kStopped) == 0 || (status & ~kFine) != 0)
        return "STATUS behind a RESET is " + hex(status);
    if (device.read(Register::command).low != 0) return "RESET stays 1";
    if (!device.memory_idle()) return "transactions are on their way behind a RESET";
    return "";
}

std::string try_out(Device& device, const Architecture& architecture,
                    const std::vector<PlacedProgram>& programs, const Trials& trials, int latency) {
    const Snapshot before(device.data());
    verif::Random random(trials.seed);
    try {
        for (const PlacedProgram& program : programs) {
            Trial trial(device, architecture, program, latency, random);
            trial.measure();
            for (int i = 0; i < trials.resets; ++i)
                trial.reset();
            for (int i = 0; i < trials.faults; ++i) {
                trial.faults();
                if (i % 2 != 0) trial.broken();
            }
        }
    } catch (const std::runtime_error& error) {
        return std::string("trials: ") + error.what();
    }
    before.put_back(device.data());
    return "";
}

}  // namespace macrame::systolic::performance
