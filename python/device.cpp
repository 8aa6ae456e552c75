/// macrame._macrame.Device: runtime/device for Python.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/configuration.hpp"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // a function has the name of a struct, as in C
#include "macrame_device.h"
#pragma GCC diagnostic pop
#include "module.hpp"
#include "stable.hpp"

namespace {

using macrame::api::Error;
using macrame::python::Bytes;
using macrame::python::method;

/// An accelerator in a program of its own. What that program has said of errors is an Error.
class Device {
public:
    Device(const std::string& words, bool design)
        : own_(macrame_device_create(words.c_str(),
                                     design ? MACRAME_DEVICE_RTL : MACRAME_DEVICE_MODEL)) {
        if (own_ == nullptr) fail(macrame_device_error_text(nullptr));
    }
    ~Device() { macrame_device_destroy(own_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    void close() {
        if (own_ == nullptr) return;
        const std::string text = macrame_device_error_text(own_);
        if (macrame_device_destroy(std::exchange(own_, nullptr)) != 0) fail(text);
    }

    void reset() {
        macrame_device_reset(open());
        check();
    }
    std::uint32_t read(std::uint32_t address) {
        return checked(macrame_device_read(open(), address));
    }
    void write(std::uint32_t address, std::uint32_t value) {
        macrame_device_write(open(), address, value);
        check();
    }
    std::string read_memory(int port, std::uint64_t address, std::size_t bytes) {
        std::string made(bytes, '\0');
        macrame_device_memory_read(open(), macrame_device_port(port), address, made.data(), bytes);
        return checked(std::move(made));
    }
    void write_memory(int port, std::uint64_t address, std::string_view bytes) {
        macrame_device_memory_write(open(), macrame_device_port(port), address, bytes.data(),
                                    bytes.size());
        check();
    }
    bool wait(std::uint64_t cycles) { return checked(macrame_device_wait(open(), cycles)) != 0; }
    std::uint64_t advance(std::uint64_t cycles) {
        return checked(macrame_device_advance(open(), cycles));
    }
    std::uint64_t cycles() { return checked(macrame_device_cycles(open())); }
    std::uint32_t identity() { return checked(macrame_device_identity(open())); }
    struct macrame_device_statistics statistics() {
        struct macrame_device_statistics made = {};
        macrame_device_statistics(open(), &made);
        return checked(made);
    }

private:
    macrame_device* open() {
        if (own_ == nullptr) throw Error("the device is closed");
        return own_;
    }
    [[noreturn]] static void fail(const std::string& text) {
        throw Error(text.empty() ? "the program of the device has ended" : text);
    }
    void check() {
        if (macrame_device_error(own_) != 0) fail(macrame_device_error_text(own_));
    }
    template <typename Value>
    Value checked(Value value) {
        check();
        return value;
    }

    macrame_device* own_;
};

std::unique_ptr<Device> device(const std::string& words, bool design) {
    return std::make_unique<Device>(words, design);
}

Bytes read_memory(Device& device, int port, std::uint64_t address, std::size_t bytes) {
    return {device.read_memory(port, address, bytes)};
}

std::map<std::string, std::uint64_t> statistics(Device& device) {
    const struct macrame_device_statistics all = device.statistics();
    return {{"cycles", all.cycles},
            {"register_reads", all.register_reads},
            {"register_writes", all.register_writes},
            {"layers", all.layers},
            {"interrupts", all.interrupts},
            {"read_bytes", all.read_bytes},
            {"write_bytes", all.write_bytes},
            {"read_stalls", all.read_stalls},
            {"write_stalls", all.write_stalls}};
}

}  // namespace

std::vector<PyMethodDef> device_methods() {
    return {
        method<&device>("device"),
        method<&Device::close>("device_close"),
        method<&Device::reset>("device_reset"),
        method<&Device::read>("device_read"),
        method<&Device::write>("device_write"),
        method<&read_memory>("device_read_memory"),
        method<&Device::write_memory>("device_write_memory"),
        method<&Device::wait>("device_wait"),
        method<&Device::advance>("device_advance"),
        method<&Device::cycles>("device_cycles"),
        method<&Device::identity>("device_identity"),
        method<&statistics>("device_statistics"),
    };
}
