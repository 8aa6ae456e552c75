#pragma once
/// A serial line or anything that looks like one: a UART, the near end of a pseudo-terminal.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace macrame::fpga {

class SerialPort {
public:
    /// Opens the device for bytes as they are, at this speed. Throws std::runtime_error: what was
    /// found, what was wanted.
    SerialPort(const std::string& path, int baud);
    ~SerialPort();
    SerialPort(const SerialPort&) = delete;
    SerialPort& operator=(const SerialPort&) = delete;

    const std::string& path() const { return path_; }

    /// Sends all of it. Throws if the device has gone.
    void write(const std::vector<std::uint8_t>& bytes);
    /// What has arrived; waits until something has, or so long. Throws if the device has gone.
    std::vector<std::uint8_t> read(int timeout_ms);

private:
    std::string path_;
    int file_ = -1;
};

/// Speeds that can be asked for.
const std::vector<int>& baud_rates();

}  // namespace macrame::fpga
