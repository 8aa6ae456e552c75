/// macrame._macrame.Device: runtime/device for Python.
#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api/configuration.hpp"
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // a function has the name of a struct, as in C
#include "macrame_device.h"
#pragma GCC diagnostic pop

namespace py = pybind11;

namespace {

using macrame::api::Error;

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

py::dict statistics(Device& device) {
    const struct macrame_device_statistics all = device.statistics();
    py::dict made;
    made["cycles"] = all.cycles;
    made["register_reads"] = all.register_reads;
    made["register_writes"] = all.register_writes;
    made["layers"] = all.layers;
    made["interrupts"] = all.interrupts;
    made["read_bytes"] = all.read_bytes;
    made["write_bytes"] = all.write_bytes;
    made["read_stalls"] = all.read_stalls;
    made["write_stalls"] = all.write_stalls;
    return made;
}

}  // namespace

void add_device(py::module_& m) {
    using Release = py::call_guard<py::gil_scoped_release>;
    py::class_<Device>(m, "Device")
        .def(py::init<const std::string&, bool>(), Release())
        .def("close", &Device::close, Release())
        .def("reset", &Device::reset, Release())
        .def("read", &Device::read, Release())
        .def("write", &Device::write, Release())
        .def("read_memory",
             [](Device& self, int port, std::uint64_t address, std::size_t bytes) {
                 return py::bytes(self.read_memory(port, address, bytes));
             })
        .def("write_memory", &Device::write_memory)
        .def("wait", &Device::wait, Release())
        .def("advance", &Device::advance, Release())
        .def_property_readonly("cycles", &Device::cycles)
        .def_property_readonly("identity", &Device::identity)
        .def("statistics", &statistics);
}
