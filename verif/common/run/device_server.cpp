#include "verif/common/run/device_server.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "verif/common/run/device_wire.h"

namespace macrame::verif::run {

namespace {

constexpr int kStep = 256;                 // cycles per advance() of a wait
constexpr std::uint64_t kPiece = 1 << 20;  // bytes of memory moved at a time

class Server {
public:
    Server(int socket, Device& device, Memory& primary, Memory& secondary, bool untimed)
        : socket_(socket),
          device_(device),
          primary_(primary),
          secondary_(secondary),
          untimed_(untimed) {}

    bool run() {
        device_.reset();
        answer(MACRAME_WIRE_HELLO);
        macrame_wire_request request{};
        while (!broken_) {
            const std::size_t got = receive(&request, sizeof request);
            if (got == 0) return true;
            if (got < sizeof request) return false;
            if (!execute(request)) return false;
        }
        return false;
    }

private:
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

    Memory& memory(std::uint32_t port) { return port == 0 ? primary_ : secondary_; }

    bool execute(const macrame_wire_request& r) {
        const auto address = static_cast<std::uint32_t>(r.address);
        switch (r.op) {
            case MACRAME_WIRE_RESET:
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
            default:
                return false;
        }
    }

    bool read_memory(const macrame_wire_request& r) {
        answer(r.value);
        for (std::uint64_t done = 0; done < r.value && !broken_;) {
            const std::uint64_t size = std::min(kPiece, r.value - done);
            const std::vector<std::uint8_t> bytes = memory(r.port).dump(r.address + done, size);
            send(bytes.data(), bytes.size());
            done += size;
        }
        return !broken_;
    }

    bool write_memory(const macrame_wire_request& r) {
        std::vector<std::uint8_t> bytes;
        for (std::uint64_t done = 0; done < r.value;) {
            bytes.resize(static_cast<std::size_t>(std::min(kPiece, r.value - done)));
            if (receive(bytes.data(), bytes.size()) < bytes.size()) return false;
            memory(r.port).load(r.address + done, bytes);
            done += bytes.size();
        }
        return true;
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
    Memory& primary_;
    Memory& secondary_;
    bool untimed_;
    bool broken_ = false;
};

}  // namespace

bool serve(int socket, Device& device, Memory& primary, Memory& secondary, bool untimed) {
    return Server(socket, device, primary, secondary, untimed).run();
}

}  // namespace macrame::verif::run
