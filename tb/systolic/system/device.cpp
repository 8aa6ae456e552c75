#include "tb/systolic/system/device.hpp"

#include <stdexcept>

namespace macrame::tb {

namespace {

constexpr int kSettleCycles = 16;
constexpr int kAnswerCycles = 1000;  ///< most until software's port answers

AxiMemoryOptions with_seed(AxiMemoryOptions options, std::uint64_t number) {
    options.seed = 3 * options.seed + number;
    return options;
}

}  // namespace

Device::Device(verif::Memory& program, verif::Memory& data, const AxiMemoryOptions& axi)
    : fetch_(program, with_seed(axi, 0)),
      load_(data, with_seed(axi, 1)),
      store_(data, with_seed(axi, 2)) {}

void Device::settle() {
    for (int i = 0; i < kSettleCycles; ++i)
        clock();
}

void Device::write(std::uint32_t address, const systolic::Word& word) {
    software_.awaddr = address;
    software_.wdata = word;
    software_.wstrb = 0xffff;
    software_.wlast = software_.awvalid = software_.wvalid = software_.bready = true;
    for (int i = 0; i < kAnswerCycles; ++i) {
        const auto now = answers();
        clock();
        if (now.awready) software_.awvalid = false;
        if (now.wready) software_.wvalid = false;
        if (now.bvalid) return;
    }
    throw std::runtime_error("software's port does not answer a write");
}

systolic::Word Device::read(std::uint32_t address) {
    software_.araddr = address;
    software_.arvalid = software_.rready = true;
    for (int i = 0; i < kAnswerCycles; ++i) {
        const auto now = answers();
        clock();
        if (now.arready) software_.arvalid = false;
        if (now.rvalid) return now.rdata;
    }
    throw std::runtime_error("software's port does not answer a read");
}

bool Device::wait(std::uint64_t most_quiet_cycles) {
    std::uint64_t seen = traffic();
    for (std::uint64_t quiet = 0; quiet < most_quiet_cycles; ++quiet) {
        if (answers().irq) return true;
        clock();
        if (traffic() == seen) continue;
        seen = traffic();
        quiet = 0;
    }
    return false;
}

std::uint64_t Device::traffic() const {
    return fetch_.counts().read_bytes + load_.counts().read_bytes + store_.counts().write_bytes;
}

std::vector<std::string> Device::violations() const {
    std::vector<std::string> all;
    for (const AxiMemory* port : {&fetch_, &load_, &store_})
        all.insert(all.end(), port->violations().begin(), port->violations().end());
    return all;
}

}  // namespace macrame::tb
