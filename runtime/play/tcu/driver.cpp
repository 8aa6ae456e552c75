#include "runtime/play/tcu/driver.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "runtime/tcu/macrame_axi_dma.h"
#include "runtime/tcu/macrame_tcu.h"
#include "verif/common/text.hpp"
#include "verif/tcu/run/job.hpp"

namespace macrame::tcu::play {

namespace {

using verif::text::shortest;

constexpr std::uint64_t kStreamAddress = std::uint64_t{1} << 32;  ///< behind what banks can reach
constexpr std::uint64_t kSlice = 1000;                            ///< cycles between two looks
constexpr int kIdleSlices = 500;  ///< no instruction, however long, moves nothing for that long

struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
};

/// Memory of the host; pages that nobody touches cost nothing.
struct Block {
    explicit Block(std::uint64_t size)
        : memory(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(size), 1))) {
        if (!memory) throw std::runtime_error("no memory for " + shortest(size) + " bytes");
    }
    std::unique_ptr<std::uint8_t, Free> memory;
};

/// MM2S of an AXI DMA in simple mode: takes beats out of the stream block.
class Dma {
public:
    Dma(run::Device& device, const macrame_tcu_block& stream, int beat_bytes, int length_bits)
        : device_(device),
          stream_(stream),
          beat_bytes_(static_cast<std::uint64_t>(beat_bytes)),
          length_limit_(std::uint64_t{1} << length_bits) {}

    std::uint32_t read(std::uint32_t address) {
        if (address == kControl) return control_;
        if (address != kStatus) return 0;
        if (moving_ && --left_ == 0) {
            moving_ = false;
            status_ |= kIdle | kComplete;
        }
        return (control_ & kRun) != 0 ? status_ : status_ | kHalted;
    }

    void write(std::uint32_t address, std::uint32_t value) {
        if (address == kControl) {
            control_ = (value & kReset) != 0 ? 0 : value;
            if ((value & kReset) != 0) moving_ = false, status_ = 0;
        } else if (address == kStatus) {
            status_ &= ~(value & kCauses);
        } else if (address == kLow) {
            address_ = (address_ & ~kLowMask) | value;
        } else if (address == kHigh) {
            address_ = (address_ & kLowMask) | std::uint64_t{value} << 32;
        } else if (address == kLength) {
            start(value);
        }
    }

private:
    enum : std::uint32_t { kControl = 0, kStatus = 4, kLow = 0x18, kHigh = 0x1c, kLength = 0x28 };
    enum : std::uint32_t { kRun = 1, kReset = 4, kHalted = 1, kIdle = 2, kDecodeError = 0x40 };
    enum : std::uint32_t { kComplete = 0x1000, kCauses = 0x7000 };
    static constexpr std::uint64_t kLowMask = 0xffffffffu;
    static constexpr int kLooks = 3;  ///< at the status before a transfer is complete

    /// A second transfer before the first is complete is lost on the hardware: an error here.
    void start(std::uint64_t length) {
        const std::uint64_t offset = address_ - stream_.device_address;
        if ((control_ & kRun) == 0 || moving_ || length == 0 || length >= length_limit_ ||
            length % beat_bytes_ != 0 || offset % beat_bytes_ != 0 || offset > stream_.bytes ||
            length > stream_.bytes - offset) {
            status_ |= kDecodeError;
            return;
        }
        const std::uint8_t* from = stream_.memory + offset;
        device_.send(Bytes(from, from + length));
        moving_ = true;
        left_ = kLooks;
        status_ &= ~kIdle;
    }

    run::Device& device_;
    const macrame_tcu_block& stream_;
    std::uint64_t beat_bytes_, length_limit_;
    std::uint64_t address_ = 0;
    std::uint32_t control_ = 0, status_ = 0;
    bool moving_ = false;
    int left_ = 0;
};

/// What changes as long as the device does something.
std::uint64_t progress(const run::Device& device) {
    const verif::AxiCounts bank0 = device.counts(0), bank1 = device.counts(1);
    return device.status().program_counter + bank0.read_bytes + bank0.write_bytes +
           bank1.read_bytes + bank1.write_bytes;
}

/// The callbacks of the driver.
class Host {
public:
    Host(const System& system, run::Device& device, run::Banks banks, std::uint64_t program_bytes)
        : system_(system),
          device_(device),
          banks_(banks),
          bytes0_(run::bank_bytes(system.architecture, 0)),
          bytes1_(run::bank_bytes(system.architecture, 1)),
          stream_bytes_(program_bytes + 65536),
          dram0_(bytes0_),
          dram1_(bytes1_),
          stream_(stream_bytes_),
          registers_(device, machine_.stream, system.beat_bytes, system.dma_length_bits) {
        const Architecture& a = system.architecture;
        machine_.architecture = {static_cast<std::uint32_t>(a.data_type),
                                 static_cast<std::uint32_t>(a.array_size),
                                 static_cast<std::uint64_t>(a.dram0_depth),
                                 static_cast<std::uint64_t>(a.dram1_depth),
                                 static_cast<std::uint32_t>(a.local_depth),
                                 static_cast<std::uint32_t>(a.accumulator_depth),
                                 static_cast<std::uint32_t>(a.simd_registers_depth),
                                 static_cast<std::uint32_t>(a.stride0_depth),
                                 static_cast<std::uint32_t>(a.stride1_depth),
                                 static_cast<std::uint32_t>(a.lut_tables),
                                 static_cast<std::uint32_t>(a.lut_depth)};
        machine_.beat_bytes = static_cast<std::uint32_t>(system.beat_bytes);
        machine_.dram0 = {dram0_.memory.get(), system.bank0, bytes0_};
        machine_.dram1 = {dram1_.memory.get(), system.bank1, bytes1_};
        machine_.stream = {stream_.memory.get(), kStreamAddress, stream_bytes_};
        machine_.separate_memories = system.separate_memories ? 1 : 0;
        machine_.interrupts = system.interrupts ? 1 : 0;
        machine_.user = this;
        machine_.send = [](void* user, std::uint64_t offset, std::uint64_t bytes) {
            return macrame_axi_dma_send(&of(user).dma_, offset, bytes);
        };
        if (system.sees_rest)
            machine_.at_rest = [](void* user) { return of(user).device_.run(0) ? 1 : 0; };
        machine_.wait = [](void* user) { return of(user).wait(); };
        machine_.sync = [](void* user, const macrame_tcu_block* block, std::uint64_t offset,
                           std::uint64_t bytes,
                           int to_device) { of(user).sync(*block, offset, bytes, to_device != 0); };
        if (device.has_registers()) set_registers();
        dma_.user = this;
        dma_.read = [](void* user, std::uint32_t address) {
            return of(user).registers_.read(address);
        };
        dma_.write = [](void* user, std::uint32_t address, std::uint32_t value) {
            of(user).registers_.write(address, value);
        };
        dma_.device_address = kStreamAddress;
        dma_.beat_bytes = machine_.beat_bytes;
        dma_.length_bits = static_cast<std::uint32_t>(system.dma_length_bits);
        dma_.max_polls = 100;
    }

    const macrame_tcu_machine* machine() const { return &machine_; }
    bool start() { return macrame_axi_dma_start(&dma_) == 0; }

private:
    void set_registers() {
        machine_.identity = system_.identity;
        machine_.read_register = [](void* user, std::uint32_t address) {
            return of(user).device_.read_register(address);
        };
        machine_.write_register = [](void* user, std::uint32_t address, std::uint32_t value) {
            of(user).device_.write_register(address, value);
        };
        machine_.drain = [](void* user) { return macrame_axi_dma_drain(&of(user).dma_); };
    }

    static Host& of(void* user) { return *static_cast<Host*>(user); }

    int wait() {
        device_.run(kSlice);
        if (system_.turn) system_.turn();
        const std::uint64_t now = progress(device_);
        idle_ = now == seen_ ? idle_ + 1 : 0;
        seen_ = now;
        return idle_ < kIdleSlices ? 0 : 1;
    }

    void sync(const macrame_tcu_block& block, std::uint64_t offset, std::uint64_t bytes,
              bool to_device) {
        if (block.memory == machine_.stream.memory) return;  // the DMA takes it from there
        verif::Memory& memory = block.memory == machine_.dram0.memory ? banks_.dram0 : banks_.dram1;
        const std::uint64_t address = block.device_address + offset;
        if (to_device) {
            memory.load(address, block.memory + offset, bytes);
        } else {
            const Bytes found = memory.dump(address, bytes);
            std::copy(found.begin(), found.end(), block.memory + offset);
        }
    }

    const System& system_;
    run::Device& device_;
    run::Banks banks_;
    std::uint64_t bytes0_, bytes1_, stream_bytes_;
    Block dram0_, dram1_, stream_;
    macrame_tcu_machine machine_{};
    macrame_axi_dma dma_{};
    Dma registers_;
    std::uint64_t seen_ = 0;
    int idle_ = 0;
};

std::string problem_text(int error, const macrame_tcu_problem& problem) {
    std::string out = std::string(macrame_tcu_error_text(error)) + ": " + problem.what;
    if (problem.place != 0) out += " at " + shortest(problem.place);
    if (problem.found != 0 || problem.wanted != 0)
        out += ": found " + shortest(problem.found) + ", want " + shortest(problem.wanted);
    return out;
}

}  // namespace

std::string drive(const run::Network& network, const System& system, run::Device& device,
                  run::Banks banks, const std::vector<Bytes>& inputs, std::vector<Bytes>& outputs) {
    Host host(system, device, banks, network.program.size());
    macrame_tcu_network net;
    const auto bad = [&](int error) { return "driver: " + problem_text(error, net.problem); };
    device.reset();
    if (!host.start()) return "driver: the DMA does not answer";
    int error = macrame_tcu_open(&net, network.text.data(), network.text.size());
    if (error == 0)
        error = macrame_tcu_attach(&net, network.program.data(), network.program.size(),
                                   network.constants->data(), network.constants->size());
    if (error == 0) error = macrame_tcu_load(&net, host.machine());
    if (error != 0) return bad(error);
    for (const Bytes& input : inputs) {
        std::size_t at = 0;
        for (std::uint32_t i = 0; i < net.input_count; ++i) {
            macrame_tcu_tensor tensor;
            error = macrame_tcu_get_input(&net, i, &tensor);
            if (error == 0)
                error = macrame_tcu_write_vectors(&net, host.machine(), i, input.data() + at,
                                                  tensor.vectors);
            if (error != 0) return bad(error);
            at += static_cast<std::size_t>(tensor.vectors * net.vector_bytes);
        }
        error = macrame_tcu_run(&net, host.machine());
        if (error != 0) return bad(error);
        Bytes all;
        for (std::uint32_t i = 0; i < net.output_count; ++i) {
            macrame_tcu_tensor tensor;
            error = macrame_tcu_get_output(&net, i, &tensor);
            Bytes one(static_cast<std::size_t>(tensor.vectors * net.vector_bytes));
            if (error == 0)
                error =
                    macrame_tcu_read_vectors(&net, host.machine(), i, one.data(), tensor.vectors);
            if (error != 0) return bad(error);
            all.insert(all.end(), one.begin(), one.end());
        }
        outputs.push_back(all);
    }
    return {};
}

std::string drive_job(const run::Platform& platform, const run::Network& network,
                      const Bytes& input, run::Device& device, run::Banks banks,
                      const std::function<void()>& turn) {
    System system;
    system.architecture = platform.architecture;
    system.identity = platform.identity;
    system.beat_bytes = platform.beat_bytes;
    system.turn = turn;
    std::vector<Bytes> outputs;
    const std::string error = drive(network, system, device, banks, {input}, outputs);
    if (!error.empty()) return error;
    if (outputs.front() != run::network_output(network, banks.dram0))
        return "driver: reads other outputs than there are in DRAM0";
    return {};
}

}  // namespace macrame::tcu::play
