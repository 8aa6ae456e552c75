#include "verif/common/run/device_server.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <utility>
#include <vector>

#include "verif/common/run/device_wire.h"
#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr int kStep = 256;                 // cycles per advance() of a wait
constexpr std::uint64_t kPiece = 1 << 20;  // bytes of memory moved at a time
constexpr std::uint64_t macrame_wire_statistics::*kFields[] = {
    &macrame_wire_statistics::cycles,          &macrame_wire_statistics::register_reads,
    &macrame_wire_statistics::register_writes, &macrame_wire_statistics::layers,
    &macrame_wire_statistics::interrupts,      &macrame_wire_statistics::read_bytes,
    &macrame_wire_statistics::write_bytes,     &macrame_wire_statistics::read_stalls,
    &macrame_wire_statistics::write_stalls};
constexpr const char* kBroken = "the stream ends inside of a request, or one is unknown";

class Server {
public:
    Server(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
           const ServeOptions& options)
        : socket_(socket),
          device_(device),
          ports_{&primary, secondary},
          untimed_(untimed),
          options_(options) {}

    Served run() {
        std::string problem = requests();
        note_violations();
        return {std::move(problem), std::move(violations_)};
    }

private:
    std::string requests() {
        device_.reset();
        answer(MACRAME_WIRE_HELLO);
        macrame_wire_request request{};
        while (!broken_) {
            const std::size_t got = receive(&request, sizeof request);
            if (got == 0) return "";
            if (got < sizeof request || !execute(request)) break;
            tell_violations();
        }
        return problem_.empty() ? kBroken : problem_;
    }

    /// The device forgets them at a reset.
    void note_violations() {
        tell_violations();
        const std::vector<std::string> found = device_.violations();
        violations_.insert(violations_.end(), found.begin(), found.end());
        told_ = 0;
    }

    /// Those that are new.
    void tell_violations() {
        if (!options_.complain) return;
        const std::vector<std::string> found = device_.violations();
        for (; told_ < found.size(); ++told_)
            options_.complain(found[told_]);
    }

    /// Bytes received, fewer only at the end of the stream.
    std::size_t receive(void* to, std::size_t bytes) {
        auto* const at = static_cast<std::uint8_t*>(to);
        std::size_t done = 0;
        while (done < bytes) {
            const ssize_t n = ::recv(socket_, at + done, bytes - done, 0);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) break;
            done += static_cast<std::size_t>(n);
        }
        return done;
    }

    void send(const void* from, std::size_t bytes) {
        const auto* at = static_cast<const std::uint8_t*>(from);
        while (bytes > 0 && !broken_) {
            const ssize_t n = ::send(socket_, at, bytes, MSG_NOSIGNAL);
            if (n < 0 && errno == EINTR) continue;
            broken_ = n <= 0;
            if (broken_) return;
            at += n;
            bytes -= static_cast<std::size_t>(n);
        }
    }
    void answer(std::uint64_t value) { send(&value, sizeof value); }

    /// Null, and the problem is known, if the device has no such port or does not reach there.
    Memory* memory(const macrame_wire_request& r) {
        Memory* const found = r.port < 2 ? ports_[r.port] : nullptr;
        if (found == nullptr) problem_ = "no memory port " + text::shortest(r.port);
        const std::uint64_t last = r.address + (r.value == 0 ? 0 : r.value - 1);
        const bool wraps = last < r.address;
        if (!wraps &&
            (options_.design.address_bits >= 64 || last >> options_.design.address_bits == 0))
            return found;
        problem_ = text::shortest(r.value) + " bytes of memory at " + text::hex(r.address) +
                   ": want them below the end of addresses of " +
                   text::shortest(options_.design.address_bits) + " bits";
        return nullptr;
    }

    bool execute(const macrame_wire_request& r) {
        const auto address = static_cast<std::uint32_t>(r.address);
        switch (r.op) {
            case MACRAME_WIRE_RESET:
                return reset();
            case MACRAME_WIRE_READ:
                read(address);
                return true;
            case MACRAME_WIRE_WRITE:
                return write(address, static_cast<std::uint32_t>(r.value));
            case MACRAME_WIRE_MEMORY_READ:
                return read_memory(r);
            case MACRAME_WIRE_MEMORY_WRITE:
                return write_memory(r);
            case MACRAME_WIRE_WAIT: {
                pass(r.value, true);
                const bool came = device_.interrupt();
                for (DriverWatch* watch : options_.watches)
                    watch->waited(r.value, came);
                tell_violations();  // before the driver has its answer
                answer(came ? 1 : 0);
                return true;
            }
            case MACRAME_WIRE_ADVANCE:
                pass(r.value, false);
                tell_violations();
                answer(cycle());
                return true;
            case MACRAME_WIRE_CYCLES:
                answer(cycle());
                return true;
            case MACRAME_WIRE_STATISTICS:
                statistics();
                return true;
            case MACRAME_WIRE_IDENTITY:
                answer(options_.design.identity);
                return true;
            default:
                return false;
        }
    }

    bool reset() {
        note_violations();
        take_counts();
        device_.reset();
        skipped_ = 0;
        base_ = totals();
        for (DriverWatch* watch : options_.watches)
            watch->reset();
        return true;
    }

    void read(std::uint32_t address) {
        const std::uint32_t value = device_.csb_read(address);
        const std::vector<std::uint32_t>& told = options_.design.identity_registers;
        const bool tells = std::count(told.begin(), told.end(), address) != 0;
        ++reads_;
        for (DriverWatch* watch : options_.watches)
            watch->read(address, value);
        answer(value == 0 && tells ? options_.design.identity : value);
        if (untimed_) device_.advance(1);
        note_interrupt();
    }

    bool write(std::uint32_t address, std::uint32_t value) {
        for (DriverWatch* watch : options_.watches) {
            problem_ = watch->write(address, value);
            if (!problem_.empty()) return false;
        }
        ++writes_;
        device_.csb_write(address, value);
        note_interrupt();
        return true;
    }

    bool read_memory(const macrame_wire_request& r) {
        const Memory* const from = memory(r);
        if (from == nullptr) return false;
        answer(r.value);
        for (std::uint64_t done = 0; done < r.value && !broken_;) {
            const std::uint64_t size = std::min(kPiece, r.value - done);
            const std::vector<std::uint8_t> bytes = from->dump(r.address + done, size);
            for (DriverWatch* watch : options_.watches)
                watch->look(r.port != 0, r.address + done, bytes);
            send(bytes.data(), bytes.size());
            done += size;
        }
        return !broken_;
    }

    bool write_memory(const macrame_wire_request& r) {
        Memory* const to = memory(r);
        std::vector<std::uint8_t> bytes;
        for (std::uint64_t done = 0; to != nullptr && done < r.value;) {
            bytes.resize(static_cast<std::size_t>(std::min(kPiece, r.value - done)));
            if (receive(bytes.data(), bytes.size()) < bytes.size()) return false;
            to->load(r.address + done, bytes);
            for (DriverWatch* watch : options_.watches)
                watch->load(r.port != 0, r.address + done, bytes);
            done += bytes.size();
        }
        return to != nullptr;
    }

    // ---- time

    std::uint64_t cycle() const { return device_.cycle() + skipped_; }

    /// Lets cycles pass, or fewer, until the interrupt line is high. Those in which nothing can
    /// happen are only counted.
    void pass(std::uint64_t cycles, bool until_interrupt) {
        const std::uint64_t start = cycle();
        while (!until_interrupt || !device_.interrupt()) {
            const std::uint64_t passed = cycle() - start;
            if (passed >= cycles) break;
            if (device_.still()) {
                skipped_ += cycles - passed;
                break;
            }
            device_.advance(
                static_cast<int>(std::min<std::uint64_t>(cycles - passed, untimed_ ? 1 : kStep)));
        }
        note_interrupt();
    }

    // ---- counts

    void note_interrupt() {
        const bool high = device_.interrupt();
        if (high && !was_high_) ++interrupts_;
        was_high_ = high;
    }

    /// All so far; those of the device since its reset.
    macrame_wire_statistics totals() const {
        const AxiCounts counts = options_.counts ? options_.counts() : AxiCounts{};
        macrame_wire_statistics out{};
        out.cycles = cycle();
        out.register_reads = reads_;
        out.register_writes = writes_;
        out.layers = options_.layers ? options_.layers() : 0;
        out.interrupts = interrupts_;
        out.read_bytes = counts.read_bytes;
        out.write_bytes = counts.write_bytes;
        out.read_stalls = counts.ar_stalls;
        out.write_stalls = counts.aw_stalls;
        return out;
    }

    void statistics() {
        take_counts();
        const macrame_wire_statistics out = std::exchange(counted_, {});
        answer(sizeof out);
        send(&out, sizeof out);
    }

    /// Adds what came since the last time. A reset of the device begins its counts again.
    void take_counts() {
        const macrame_wire_statistics now = totals();
        for (std::uint64_t macrame_wire_statistics::*field : kFields)
            counted_.*field += now.*field - base_.*field;
        base_ = now;
    }

    int socket_;
    Device& device_;
    std::array<Memory*, 2> ports_;
    bool untimed_;
    const ServeOptions& options_;
    bool broken_ = false;
    std::string problem_;
    std::vector<std::string> violations_;  // before resets
    std::size_t told_ = 0;                 // of those since the reset
    std::uint64_t skipped_ = 0;            // cycles that only were counted
    std::uint64_t reads_ = 0, writes_ = 0, interrupts_ = 0;
    bool was_high_ = false;
    macrame_wire_statistics counted_{}, base_{};
};

}  // namespace

Served serve(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
             const ServeOptions& options) {
    return Server(socket, device, primary, secondary, untimed, options).run();
}

}  // namespace macrame::verif::run
