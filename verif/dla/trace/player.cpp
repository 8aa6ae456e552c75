#include "player.hpp"

#include <algorithm>
#include <ctime>
#include <set>
#include <utility>

#include "cfg_reader.hpp"
#include "verif/common/crc32.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::trace {

namespace {

using verif::text::hex;

constexpr int kPinDelay = 200;  // cycles within which the pin follows S_INTR_STATUS
constexpr std::uint32_t kIntrMask = 0x4, kIntrStatus = 0xC;  // offsets in the GLB page

const char* port_name(Port port) { return port == Port::primary ? "pri_mem" : "sec_mem"; }

const verif::Memory& pick(Port port, const verif::Memory& primary, const verif::Memory& secondary) {
    return port == Port::primary ? primary : secondary;
}

bool holds(const Command& c, std::uint32_t value) {
    const std::uint32_t found = value & c.mask, wanted = c.value & c.mask;
    switch (c.compare) {
        case Compare::less_equal:
            return found <= wanted;
        case Compare::greater_equal:
            return found >= wanted;
        case Compare::equal:
            break;
    }
    return found == wanted;
}

/// A write that starts a layer, or a copy of BDMA.
bool starts_unit(const Command& c) {
    const std::string name = c.reg.substr(c.reg.find('.') + 1);
    return (c.value & 1u) != 0 &&
           (name == "D_OP_ENABLE" || name == "CFG_LAUNCH0" || name == "CFG_LAUNCH1");
}

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Player {
public:
    Player(const Trace& program, verif::Device& device, verif::Memory& primary,
           verif::Memory& secondary, const PlayOptions& options)
        : program_(program),
          device_(device),
          primary_(primary),
          secondary_(secondary),
          options_(options),
          done_(program.notifies.size(), false) {}

    PlayResult run() {
        prepare_memory(program_, primary_, secondary_);
        device_.load_memory(looked_at());
        device_.reset();
        const double start = cpu_seconds();
        start_ = device_.cycle();
        progress();
        for (const Command& command : program_.commands) {
            if (stop()) break;
            if (program_.serves_interrupts) service_pin();
            if (command.idle > 0) device_.advance(command.idle);
            execute(command);
            ++commands_;
            progress();
        }
        for (std::size_t i = 0; i < program_.notifies.size() && !stop(); ++i) {
            wait_event(
                i, program_.notifies[i].where,
                "interrupt " + program_.notifies[i].unit + " (" + program_.notifies[i].id + ")");
        }
        result_.cpu_s = cpu_seconds() - start;
        for (const std::string& v : device_.violations())
            fail("device: " + v);
        result_.passed = result_.failures.empty();
        return std::move(result_);
    }

private:
    /// Regions of the primary memory that are checked.
    std::vector<verif::MemoryRange> looked_at() const {
        std::vector<verif::MemoryRange> out;
        const auto add = [&](const RegionCheck& check) {
            if (check.port == Port::primary && check.size != 0)
                out.push_back({check.base, check.size});
        };
        for (const RegionCheck& check : program_.checks)
            add(check);
        for (const Command& command : program_.commands) {
            if (command.op == Op::check_region) add(command.check);
            if (command.op == Op::load && command.contents.port == Port::primary) {
                for (const Segment& s : command.contents.segments)
                    out.push_back({command.contents.base + s.offset, s.bytes.size()});
            }
        }
        return out;
    }

    bool stop() const {
        return gave_up_ || (options_.stop_at_failure && !result_.failures.empty());
    }

    void fail(const std::string& message) {
        if (result_.failures.size() < options_.max_messages) result_.failures.push_back(message);
    }

    // ---- time

    void progress() {
        last_progress_ = device_.cycle();
        if (options_.cycles != nullptr) options_.cycles->store(last_progress_);
    }

    /// Lets time pass while waiting. False, and the run is over, if nothing happens any more.
    bool wait_cycles(int n, const std::string& where, const std::string& what, int bit,
                     bool pin = true) {
        const std::uint64_t traffic = primary_.device_reads() + primary_.device_writes() +
                                      secondary_.device_reads() + secondary_.device_writes();
        if (traffic != last_traffic_) {
            last_traffic_ = traffic;
            progress();
        }
        if (device_.cycle() - last_progress_ > options_.timeout) {
            const std::string why =
                options_.explain ? options_.explain({commands_, bit, pin}) : std::string();
            fail(where + ": no progress for " + std::to_string(options_.timeout) +
                 " cycles while waiting for " + what + (why.empty() ? "" : ": ") + why);
            gave_up_ = result_.stuck = true;
            return false;
        }
        if (device_.cycle() - start_ > options_.max_cycles) {
            fail(where + ": more than " + std::to_string(options_.max_cycles) + " cycles");
            gave_up_ = result_.too_long = true;
            return false;
        }
        device_.advance(n);
        return true;
    }

    // ---- registers

    void pause() {
        if (options_.idle > 0) device_.advance(options_.idle);
    }

    std::uint32_t read(std::uint32_t addr) {
        pause();
        return device_.csb_read(addr);
    }

    void write(std::uint32_t addr, std::uint32_t value) {
        pause();
        device_.csb_write(addr, value, options_.posted && program_.serves_interrupts);
    }

    // ---- interrupts

    void service_pin() {
        if (!device_.interrupt()) return;
        const std::uint64_t rise = device_.interrupt_rise();
        const std::uint64_t cycle = rise != 0 ? rise : device_.cycle();
        const std::uint32_t status = read(program_.glb_base + kIntrStatus);
        const std::uint32_t mask = read(program_.glb_base + kIntrMask);
        const std::uint32_t active = status & ~mask;
        if (active == 0) {
            // The pin follows the status a few cycles later.
            for (int i = 0; i < kPinDelay && device_.interrupt(); ++i)
                device_.advance(1);
            if (!device_.interrupt()) return;
            if ((read(program_.glb_base + kIntrStatus) & ~mask) != 0) return;
            fail(program_.name + ": interrupt pin high, but S_INTR_STATUS = " + hex(status) +
                 " and S_INTR_MASK = " + hex(mask) + " have no active bit");
            gave_up_ = true;
            return;
        }
        result_.last_interrupt = std::max(result_.last_interrupt, cycle);
        for (int bit = 0; bit < 32; ++bit) {
            if ((active >> bit & 1u) != 0) fire(bit, cycle);
        }
        write(program_.glb_base + kIntrStatus, active);
        const std::uint32_t after = read(program_.glb_base + kIntrStatus);
        if ((after & active) != 0) {
            fail(program_.name + ": S_INTR_STATUS = " + hex(after) + " after writing " +
                 hex(active) + " to it: want these bits cleared");
            gave_up_ = true;
        }
        progress();
    }

    void fire(int bit, std::uint64_t cycle) {
        for (std::size_t i = 0; i < program_.notifies.size(); ++i) {
            const Notify& notify = program_.notifies[i];
            if (done_[i] || notify.bit != bit) continue;
            done_[i] = true;
            result_.interrupts.push_back({bit, notify.id, cycle});
            events_.insert(notify.id);
            for (const RegionCheck& check : program_.checks) {
                if (check.id == notify.id) run_check(check);
            }
            return;
        }
        fail(program_.name + ": interrupt " + interrupt_name(bit) + " in cycle " +
             std::to_string(cycle) + ": want no more of these");
        result_.interrupts.push_back({bit, "", cycle});
    }

    void wait_event(std::size_t notify, const std::string& where, const std::string& what) {
        while (!done_[notify] && !stop()) {
            if (device_.interrupt()) {
                service_pin();
            } else if (!wait_cycles(options_.wait_step, where, what,
                                    program_.notifies[notify].bit)) {
                return;
            }
        }
    }

    // ---- checks

    void run_check(const RegionCheck& check) {
        CheckResult out;
        out.where = check.where;
        out.what = check.command;
        if (!check.id.empty()) out.what += " " + check.id;
        if (check.kind != RegionCheck::Kind::nothing) {
            out.what += std::string(" ") + port_name(check.port) + " " + hex(check.base) + "+" +
                        hex(check.size);
        }
        if (check.port == Port::primary) device_.fetch_memory({check.base, check.size});
        out.message = compare_region(check, primary_, secondary_);
        out.passed = out.message.empty();
        if (!out.passed) fail(out.where + ": " + out.what + ": " + out.message);
        result_.checks.push_back(std::move(out));
    }

    // ---- commands

    void execute(const Command& c) {
        switch (c.op) {
            case Op::write:
                return do_write(c);
            case Op::read:
                result_.reads.push_back({c.reg, read(c.addr)});
                return;
            case Op::read_check:
                return do_read_check(c);
            case Op::poll:
                return do_poll(c);
            case Op::sync_wait:
                return do_sync_wait(c);
            case Op::sync_notify:
                events_.insert(c.id);
                return;
            case Op::wait_pin:
                return do_wait_pin(c);
            case Op::check_region:
                return run_check(c.check);
            case Op::load:
                return do_load(c.contents);
            case Op::reset:
                return device_.reset();
        }
    }

    void do_load(const MemoryInit& contents) {
        const bool primary = contents.port == Port::primary;
        for (const Segment& s : contents.segments) {
            const verif::MemoryRange range{contents.base + s.offset, s.bytes.size()};
            if (primary) device_.fetch_memory(range);
            (primary ? primary_ : secondary_).load(range.addr, s.bytes);
            if (primary) device_.store_memory(range);
        }
    }

    void do_write(const Command& c) {
        std::uint32_t value = c.value;
        if (!program_.serves_interrupts && c.addr == program_.glb_base + kIntrStatus) {
            value &= read(c.addr);  // not what comes meanwhile
            clear_status(value);
        }
        write(c.addr, value);
        ++result_.register_writes;
        if (result_.started || !starts_unit(c)) return;
        result_.started = true;
        result_.first_enable = device_.last_write();
    }

    /// Such programs clear whole status words: what nobody has looked at is remembered. A wait
    /// without a poll behind it was for one event.
    void clear_status(std::uint32_t cleared) {
        unseen_ |= cleared & ~polled_;
        polled_ &= ~cleared;
        last_cleared_ = cleared;
        if (waited_) unseen_ &= unseen_ - 1;
        waited_ = false;
    }

    /// Polls that depend on how fast the design is: one that wants to see CBUF before it is clear;
    /// one for a status of 0 behind a clear, when another event has come meanwhile.
    bool is_past(const Command& c, std::uint32_t value, bool status) const {
        if (program_.serves_interrupts || (c.value & c.mask) != 0) return false;
        if (c.addr == program_.flush_status) return value == 1;
        return status && (value & last_cleared_) == 0;
    }

    void do_read_check(const Command& c) {
        CheckResult out;
        const std::uint32_t value = read(c.addr);
        result_.reads.push_back({c.reg, value});
        out.where = c.where;
        out.what = "reg_read_check " + c.reg;
        out.passed = holds(c, value);
        if (!out.passed) {
            out.message = c.reg + " = " + hex(value) + ": want " + hex(c.value);
            fail(c.where + ": " + out.message);
        }
        result_.checks.push_back(std::move(out));
    }

    void do_poll(const Command& c) {
        const bool status =
            !program_.serves_interrupts && c.addr == program_.glb_base + kIntrStatus;
        std::uint32_t value = 0;
        while (true) {
            value = read(c.addr);
            if (is_past(c, value, status)) {
                result_.reads.push_back({c.reg, 0});
                return;
            }
            const std::uint32_t now = value;
            if (status) value |= unseen_;
            if (holds(c, value)) {
                if (status) see_event(c, now);
                break;
            }
            if (program_.serves_interrupts) service_pin();
            if (stop()) return;
            if (!wait_cycles(1, c.where,
                             c.reg + " = " + hex(c.value) + " (reads " + hex(value) + ")",
                             missing_event(c, value), false)) {
                return;
            }
        }
        if (status) {
            unseen_ &= ~c.mask;
            waited_ = false;
        }
        result_.reads.push_back({c.reg, value & c.mask});
    }

    /// The first bit that a poll of S_INTR_STATUS lacks; -1: it is for another register.
    int missing_event(const Command& c, std::uint32_t value) const {
        if (c.addr != program_.glb_base + kIntrStatus) return -1;
        const std::uint32_t lacks = c.value & c.mask & ~value;
        int bit = 0;
        while (bit < 32 && (lacks >> bit & 1u) == 0)
            ++bit;
        return bit < 32 ? bit : -1;
    }

    /// A poll has seen its bits of the status word.
    void see_event(const Command& c, std::uint32_t status) {
        polled_ |= status & c.mask;
        if ((status & c.mask) != 0) note_interrupt();
    }

    /// An event is there: when the pin rose, or now if it is masked.
    void note_interrupt() {
        const std::uint64_t rise = device_.interrupt() ? device_.interrupt_rise() : 0;
        result_.last_interrupt =
            std::max(result_.last_interrupt, rise != 0 ? rise : device_.cycle());
    }

    void do_sync_wait(const Command& c) {
        for (std::size_t i = 0; i < program_.notifies.size(); ++i) {
            if (program_.notifies[i].id != c.id) continue;
            wait_event(i, c.where, "interrupt " + program_.notifies[i].unit + " (" + c.id + ")");
        }
        // An event of sync_notify is in order by itself: commands run in file order.
    }

    void do_wait_pin(const Command& c) {
        while (unseen_ == 0 && !device_.interrupt()) {
            if (!wait_cycles(options_.wait_step, c.where, "the interrupt pin", -1)) return;
        }
        waited_ = true;
        if (device_.interrupt()) note_interrupt();
    }

    const Trace& program_;
    verif::Device& device_;
    verif::Memory& primary_;
    verif::Memory& secondary_;
    PlayOptions options_;
    PlayResult result_;
    std::vector<bool> done_;        // per declaration
    std::set<std::string> events_;  // that happened
    std::uint32_t unseen_ = 0;      // status bits cleared before they were polled
    std::uint32_t polled_ = 0;      // and those that were polled before
    std::uint32_t last_cleared_ = 0;
    bool waited_ = false;  // for the pin, and has not polled or cleared since
    bool gave_up_ = false;
    std::size_t commands_ = 0;  // done
    std::uint64_t start_ = 0, last_progress_ = 0, last_traffic_ = 0;
};

/// One byte of reproducible noise for address `addr`.
std::uint8_t noise(std::uint64_t addr) {
    std::uint64_t z = addr * 0x9E3779B97F4A7C15u + 0xD1B54A32D192ED03u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    return static_cast<std::uint8_t>(z >> 56);
}

}  // namespace

void prepare_memory(const Trace& program, verif::Memory& primary, verif::Memory& secondary) {
    for (const MemoryInit& init : program.memory) {
        verif::Memory& memory = init.port == Port::primary ? primary : secondary;
        if (init.size != 0 && init.pattern >= 0) {
            memory.fill(init.base, init.size, static_cast<std::uint8_t>(init.pattern));
        } else {
            std::vector<std::uint8_t> bytes(init.size);
            for (std::uint64_t i = 0; i < init.size; ++i) {
                const std::uint64_t addr = init.base + i;
                bytes[i] =
                    init.pattern == kPatternAddress ? static_cast<std::uint8_t>(addr) : noise(addr);
            }
            memory.load(init.base, bytes);
        }
        for (const Segment& s : init.segments)
            memory.load(init.base + s.offset, s.bytes);
    }
}

std::string compare_region(const RegionCheck& check, const verif::Memory& primary,
                           const verif::Memory& secondary) {
    const verif::Memory& memory = pick(check.port, primary, secondary);
    if (check.kind == RegionCheck::Kind::nothing) return {};
    if (check.kind == RegionCheck::Kind::crc) {
        const std::uint32_t found = verif::crc32(memory.dump(check.base, check.size));
        if (found == check.crc) return {};
        return "checksum " + hex(found) + ": want " + hex(check.crc);
    }
    std::uint64_t differences = 0;
    std::string first;
    for (const Segment& s : check.expected) {
        for (std::size_t i = 0; i < s.bytes.size(); ++i) {
            if (s.offset + i >= check.size) break;
            const std::uint64_t addr = check.base + s.offset + i;
            const std::uint8_t found = memory.peek(addr);
            if (found == s.bytes[i]) continue;
            if (differences++ == 0) {
                first = "byte at " + hex(addr) + " (offset " + hex(s.offset + i) + ") is " +
                        hex(found) + ": want " + hex(s.bytes[i]);
            }
        }
    }
    if (differences > 1) first += ", and " + std::to_string(differences - 1) + " more";
    return first;
}

PlayResult play(const Trace& program, verif::Device& device, verif::Memory& primary,
                verif::Memory& secondary, const PlayOptions& options) {
    return Player(program, device, primary, secondary, options).run();
}

}  // namespace macrame::dla::trace
