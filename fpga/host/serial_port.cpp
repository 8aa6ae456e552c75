#include "fpga/host/serial_port.hpp"

#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace macrame::fpga {

namespace {

struct Speed {
    int baud;
    speed_t code;
};
constexpr std::array<Speed, 8> kSpeeds = {{{115200, B115200},
                                           {230400, B230400},
                                           {460800, B460800},
                                           {921600, B921600},
                                           {1000000, B1000000},
                                           {1500000, B1500000},
                                           {2000000, B2000000},
                                           {3000000, B3000000}}};

/// Serial devices of this computer, as far as they have the usual names.
std::string devices() {
    std::string list;
    glob_t found{};
    glob("/dev/ttyUSB*", 0, nullptr, &found);
    glob("/dev/ttyACM*", GLOB_APPEND, nullptr, &found);
    for (std::size_t i = 0; i < found.gl_pathc; ++i)
        list += (i == 0 ? "" : ", ") + std::string(found.gl_pathv[i]);
    globfree(&found);
    return list.empty() ? "there is no /dev/ttyUSB* or /dev/ttyACM*" : "there is " + list;
}

std::string error_text() { return std::generic_category().message(errno); }

}  // namespace

const std::vector<int>& baud_rates() {
    static const std::vector<int> kRates = [] {
        std::vector<int> rates;
        for (const Speed& speed : kSpeeds)
            rates.push_back(speed.baud);
        return rates;
    }();
    return kRates;
}

SerialPort::SerialPort(const std::string& path, int baud) : path_(path) {
    file_ = open(path.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (file_ < 0) {
        const bool forbidden = errno == EACCES;
        const std::string problem = path + ": " + error_text() + ": want ";
        if (forbidden)
            throw std::runtime_error(problem + "read and write access, as the group dialout has");
        throw std::runtime_error(problem + "a serial device; " + devices());
    }
    termios mode{};
    if (tcgetattr(file_, &mode) != 0) {
        close(file_);
        throw std::runtime_error(path + ": not a terminal: want a serial device");
    }
    cfmakeraw(&mode);
    mode.c_cflag |= CLOCAL | CREAD;
    mode.c_cflag &= ~static_cast<tcflag_t>(CSTOPB | CRTSCTS);
    mode.c_cc[VMIN] = 0;
    mode.c_cc[VTIME] = 0;
    for (const Speed& speed : kSpeeds) {
        if (speed.baud == baud) cfsetspeed(&mode, speed.code);
    }
    if (tcsetattr(file_, TCSANOW, &mode) != 0) {
        const std::string problem = error_text();
        close(file_);
        throw std::runtime_error(path + ": cannot set the speed: " + problem);
    }
    tcflush(file_, TCIOFLUSH);
}

SerialPort::~SerialPort() { close(file_); }

void SerialPort::write(const std::vector<std::uint8_t>& bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::write(file_, bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            throw std::runtime_error(path_ + ": cannot write: " + error_text());
        if (count > 0) done += static_cast<std::size_t>(count);
    }
}

std::vector<std::uint8_t> SerialPort::read(int timeout_ms) {
    std::vector<std::uint8_t> bytes(512);
    pollfd wanted{file_, POLLIN, 0};
    const int ready = poll(&wanted, 1, timeout_ms);
    if (ready <= 0) return {};
    const ssize_t count = ::read(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        throw std::runtime_error(path_ + ": cannot read: " + error_text());
    if (count == 0 && (wanted.revents & POLLHUP) != 0)
        throw std::runtime_error(path_ + ": the other end has gone");
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
}

}  // namespace macrame::fpga
