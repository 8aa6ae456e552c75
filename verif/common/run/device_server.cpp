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
constexpr const char* kBroken = "the stream ends inside of a request, or one is unknown";

class Server {
public:
    Server(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
           const ServedDesign& design)
        : socket_(socket),
          device_(device),
          ports_{&primary, secondary},
          untimed_(untimed),
          design_(design) {}

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
        }
        return problem_.empty() ? kBroken : problem_;
    }

    /// The device forgets them at a reset.
    void note_violations() {
        const std::vector<std::string> found = device_.violations();
        violations_.insert(violations_.end(), found.begin(), found.end());
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
        if (!wraps && (design_.address_bits >= 64 || last >> design_.address_bits == 0))
            return found;
        problem_ = text::shortest(r.value) + " bytes of memory at " + text::hex(r.address) +
                   ": want them below the end of addresses of " +
                   text::shortest(design_.address_bits) + " bits";
        return nullptr;
    }

    bool execute(const macrame_wire_request& r) {
        const auto address = static_cast<std::uint32_t>(r.address);
        switch (r.op) {
            case MACRAME_WIRE_RESET:
                note_violations();
                device_.reset();
                return true;
            case MACRAME_WIRE_READ:
                answer(device_.csb_read(address));
                if (untimed_) device_.advance(1);
                return true;
            case MACRAME_WIRE_WRITE:
                device_.csb_write(address, static_cast<std::uint32_t>(r.value));
                return true;
            case MACRAME_WIRE_MEMORY_READ:
                return read_memory(r);
            case MACRAME_WIRE_MEMORY_WRITE:
                return write_memory(r);
            case MACRAME_WIRE_WAIT:
                answer(wait(r.value) ? 1 : 0);
                return true;
            case MACRAME_WIRE_CYCLES:
                answer(device_.cycle());
                return true;
            case MACRAME_WIRE_IDENTITY:
                answer(design_.identity);
                return true;
            default:
                return false;
        }
    }

    bool read_memory(const macrame_wire_request& r) {
        const Memory* const from = memory(r);
        if (from == nullptr) return false;
        answer(r.value);
        for (std::uint64_t done = 0; done < r.value && !broken_;) {
            const std::uint64_t size = std::min(kPiece, r.value - done);
            const std::vector<std::uint8_t> bytes = from->dump(r.address + done, size);
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
            done += bytes.size();
        }
        return to != nullptr;
    }

    bool wait(std::uint64_t cycles) {
        const std::uint64_t start = device_.cycle();
        while (!device_.interrupt()) {
            const std::uint64_t passed = device_.cycle() - start;
            if (passed >= cycles) return false;
            device_.advance(
                static_cast<int>(std::min<std::uint64_t>(cycles - passed, untimed_ ? 1 : kStep)));
        }
        return true;
    }

    int socket_;
    Device& device_;
    std::array<Memory*, 2> ports_;
    bool untimed_;
    ServedDesign design_;
    bool broken_ = false;
    std::string problem_;
    std::vector<std::string> violations_;  // before resets
};

}  // namespace

Served serve(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
             const ServedDesign& design) {
    return Server(socket, device, primary, secondary, untimed, design).run();
}

}  // namespace macrame::verif::run
