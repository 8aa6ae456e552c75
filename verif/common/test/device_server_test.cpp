/// Drivers in another process: what their device tells at the end.

#include "verif/common/run/device_server.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "verif/common/run/device_wire.h"

namespace macrame::verif::run {
namespace {

/// Every register write breaks a rule; a reset forgets that.
class Careless : public Device {
public:
    void reset() override { violations_.clear(); }
    void csb_write(std::uint32_t byte_addr, std::uint32_t, bool) override {
        violations_.push_back("write to " + std::to_string(byte_addr));
    }
    std::uint32_t csb_read(std::uint32_t) override { return 0; }
    bool interrupt() override { return false; }
    void advance(int) override {}
    std::uint64_t cycle() override { return 0; }
    std::vector<std::string> violations() const override { return violations_; }

private:
    std::vector<std::string> violations_;
};

/// A design with addresses of so many bits.
ServeOptions addresses(int bits) {
    ServeOptions options;
    options.design.address_bits = bits;
    return options;
}

/// What serve() says of these requests.
Served after(const std::vector<macrame_wire_request>& requests, const ServeOptions& options = {}) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    for (const macrame_wire_request& request : requests) {
        EXPECT_EQ(::send(ends[0], &request, sizeof request, 0),
                  static_cast<ssize_t>(sizeof request));
    }
    ::shutdown(ends[0], SHUT_WR);
    Careless device;
    Memory memory("pri_mem");
    const Served served = serve(ends[1], device, memory, nullptr, false, options);
    ::close(ends[0]);
    ::close(ends[1]);
    return served;
}

TEST(DeviceServer, ViolationsBeforeAResetAreTold) {
    const Served served = after({{MACRAME_WIRE_WRITE, 0, 4, 1},
                                 {MACRAME_WIRE_RESET, 0, 0, 0},
                                 {MACRAME_WIRE_WRITE, 0, 8, 1}});
    EXPECT_EQ(served.problem, "");
    EXPECT_EQ(served.violations, (std::vector<std::string>{"write to 4", "write to 8"}));
}

/// Also at the last byte, and where the addresses wrap around.
TEST(DeviceServer, EndsAtMemoryThatTheDesignCannotAddress) {
    for (const macrame_wire_op op : {MACRAME_WIRE_MEMORY_READ, MACRAME_WIRE_MEMORY_WRITE}) {
        EXPECT_EQ(after({{op, 0, 0x100000000u, 0}}, addresses(33)).problem, "");
        EXPECT_EQ(after({{op, 0, 0x100000000u, 4}}, addresses(32)).problem,
                  "4 bytes of memory at 0x100000000: want them below the end of addresses of 32 "
                  "bits");
        EXPECT_EQ(after({{op, 0, 0xfffffffdu, 4}}, addresses(32)).problem,
                  "4 bytes of memory at 0xfffffffd: want them below the end of addresses of 32 "
                  "bits");
        EXPECT_EQ(after({{op, 0, ~std::uint64_t{0}, 2}}, addresses(64)).problem,
                  "2 bytes of memory at 0xffffffffffffffff: want them below the end of addresses "
                  "of 64 bits");
    }
    EXPECT_EQ(after({{MACRAME_WIRE_MEMORY_READ, 0, 0xfffffffcu, 4}}, addresses(32)).problem, "");
}

TEST(DeviceServer, ViolationsAreToldWithTheirRequest) {
    std::vector<std::string> told;
    ServeOptions options;
    options.complain = [&](const std::string& text) { told.push_back(text); };
    after({{MACRAME_WIRE_WRITE, 0, 4, 1}, {99, 0, 0, 0}}, options);
    EXPECT_EQ(told, (std::vector<std::string>{"write to 4"}));
}

/// Objects to a register.
class Objects : public DriverWatch {
public:
    void reset() override { ++resets; }
    std::string write(std::uint32_t address, std::uint32_t) override {
        return address == 8 ? "not this one" : "";
    }
    void read(std::uint32_t, std::uint32_t) override {}
    void load(bool, std::uint64_t, const std::vector<std::uint8_t>&) override {}
    void look(bool, std::uint64_t, const std::vector<std::uint8_t>&) override {}
    void waited(std::uint64_t, bool) override {}
    int resets = 0;
};

TEST(DeviceServer, AWatchMayEndIt) {
    Objects watch;
    ServeOptions options;
    options.watches = {&watch};
    const Served served = after({{MACRAME_WIRE_RESET, 0, 0, 0},
                                 {MACRAME_WIRE_WRITE, 0, 4, 1},
                                 {MACRAME_WIRE_WRITE, 0, 8, 1},
                                 {MACRAME_WIRE_WRITE, 0, 12, 1}},
                                options);
    EXPECT_EQ(served.problem, "not this one");
    EXPECT_EQ(served.violations, (std::vector<std::string>{"write to 4"}));
    EXPECT_EQ(watch.resets, 1);
}

TEST(DeviceServer, EndsAtARequestThatIsUnknown) {
    const Served served = after({{99, 0, 0, 0}, {MACRAME_WIRE_WRITE, 0, 4, 1}});
    EXPECT_EQ(served.problem, "the stream ends inside of a request, or one is unknown");
    EXPECT_TRUE(served.violations.empty());
}

}  // namespace
}  // namespace macrame::verif::run
