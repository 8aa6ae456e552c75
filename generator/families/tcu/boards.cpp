/// The family on boards with an FPGA: what it needs there, and how a host plays programs.

#include <fmt/format.h>

#include <map>
#include <set>

#include "families/tcu/derived.hpp"
#include "families/tcu/family.hpp"
#include "families/tcu/platform.hpp"
#include "fpga/host/board_memory.hpp"
#include "fpga/support.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu {

namespace {

// ---------------------------------------------------------------- what it needs

int blocks(std::int64_t value, int per_block) {
    return static_cast<int>((value + per_block - 1) / per_block);
}

/// LUTs, estimated from above: 12,800 for the core of pynqz1 where area.sh counts 10,589, 24,600 for
/// an 8 x 8 array on ULX3S where synthesis of the whole board counts 21,400. Other sizes and types
/// have not been measured.
struct Measured {
    int rest;              ///< fetch, decode, issue, load, store and what else is there once
    int per_vector_bit;    ///< way of a vector: local memory, load, store, feed
    int mac, mac_per_bit;  ///< adder, rounding, saturation
    int lane, lane_per_bit;
};
constexpr Measured kEcp5 = {9000, 22, 20, 7, 60, 30};
constexpr Measured kXilinx = {4500, 11, 10, 4, 30, 15};

/// Multipliers of one product: 18 x 18 bits on ECP5, 25 x 18 on a 7-series FPGA.
int multipliers_per_product(const Derived& derived, bool xilinx) {
    if (derived.data_w <= 18) return 1;
    return xilinx ? 2 : 4;
}

/// Shapes of a block RAM: the widest, and the deeper one that long queues take.
struct Ram {
    int bits, words;
    int queue_bits, queue_words;
};

int rams(std::int64_t bits, std::int64_t words, const Ram& ram) {
    return blocks(bits, ram.bits) * blocks(words, ram.words);
}

/// Local memory, accumulators, the queue of issue, and loads on their way.
int rams(const Config& config, const Derived& derived, const Ram& ram) {
    constexpr int kQueueBits = 120;
    const std::int64_t vector = derived.vector_w;
    return 2 * rams(vector, derived.local_rows, ram) +
           config.array_vectors * rams(vector, derived.acc_rows, ram) +
           blocks(kQueueBits, ram.queue_bits) * blocks(config.queue_depth, ram.queue_words) +
           2 * rams(vector, derived.load_depth, ram);
}

fpga::Resources need(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const Derived derived = derive(config);
    const bool xilinx = board.flow == "vivado";
    const Measured& part = xilinx ? kXilinx : kEcp5;
    const int lanes = config.array_size * config.array_vectors;
    const int macs = config.array_size * lanes;
    fpga::Resources out;
    out.luts = part.rest + part.per_vector_bit * derived.vector_w +
               macs * (part.mac + part.mac_per_bit * derived.data_w) +
               lanes * (part.lane + part.lane_per_bit * derived.data_w);
    out.dsps = (macs + lanes) * multipliers_per_product(derived, xilinx);
    const Ram ram = xilinx                  ? Ram{72, 512, 18, 2048}
                    : board.flow == "ice40" ? Ram{16, 256, 4, 1024}
                                            : Ram{36, 512, 18, 1024};
    out.brams = rams(config, derived, ram);
    return out;
}

// ---------------------------------------------------------------- what no system serves

constexpr int kUartBus = 64;        ///< bits of the way to memory
constexpr int kWidestStream = 512;  ///< of what stands between an accelerator and a processor

std::vector<std::string> objections(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    std::vector<std::string> out;
    if (config.sample_block_size != 0)
        out.push_back(fmt::format("sample-block-size = {}: want 0, the board does not take samples",
                                  config.sample_block_size));
    if (config.status_port)
        out.emplace_back("status-port = true: want false, nothing on the board reads it");
    if (board.has_processor()) {
        if (config.axi_data_width > kWidestStream)
            out.push_back(
                fmt::format("axi-data-width = {}: want at most {}, as the way to its "
                            "memory",
                            config.axi_data_width, kWidestStream));
        return out;
    }
    if (config.axi_data_width != kUartBus)
        out.push_back(fmt::format("axi-data-width = {}: want {}, as the way to its memory",
                                  config.axi_data_width, kUartBus));
    return out;
}

AnyConfig beside_processor(const Design& design, const fpga::Board& /*board*/) {
    return design.config;
}

fpga::ProcessorPort processor_port(const Design& design) {
    const Config& config = std::any_cast<const Config&>(design.config);
    return {"irq", 64, config.axi_data_width, "stream"};
}

// ---------------------------------------------------------------- programs on a board

/// Registers of tcu_player.
constexpr std::uint32_t kAddress = 0x00, kBeats = 0x04, kState = 0x08, kCounter = 0x0c,
                        kCycles = 0x10;
constexpr std::uint32_t kAtRest = 1, kTimeoutFlag = 2, kTracepointFlag = 4, kErrorFlag = 8;

/// Where things are for the host: bank 1 behind bank 0, the instructions behind both.
constexpr std::uint64_t kBankBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kStreamAddress = 2 * kBankBytes;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kBeatBytes = 8;

/// Pages of the memory that instructions touch; those written are true.
class TouchedPages {
public:
    explicit TouchedPages(const Architecture& architecture)
        : layout_(layout_of(architecture)),
          vector_bytes_(static_cast<std::uint64_t>(architecture.vector_bytes())) {}

    /// Goes on where the last stream ended.
    void add(const std::vector<std::uint8_t>& stream) {
        const auto size = static_cast<std::size_t>(layout_.bytes);
        for (std::size_t at = 0; at + size <= stream.size(); at += size)
            add(decode(layout_, stream.data() + at));
    }

    /// Page number in the address space of the host; is it written?
    const std::map<std::uint64_t, bool>& pages() const { return pages_; }
    /// Addresses of the vectors written, in the address space of the host.
    const std::set<std::uint64_t>& written() const { return written_; }

private:
    void add(const Instruction& instruction) {
        if (instruction.is(kConfigure)) {
            const std::uint64_t offset = (std::uint64_t{instruction.config_value} << 16) & kMask;
            if (instruction.config_register == kDram0Offset) offsets_[0] = offset;
            if (instruction.config_register == kDram1Offset) offsets_[1] = offset;
            return;
        }
        if (!instruction.is(kDataMove) || instruction.flags > kLocalToDram1) return;
        const bool writes = !moves_to_local(instruction.flags);
        const std::size_t bank = move_space(instruction.flags) == Space::dram1 ? 1 : 0;
        for (std::uint64_t i = 0; i < instruction.size; ++i) {
            const std::uint64_t vector = instruction.address1 + (i << instruction.stride1);
            const std::uint64_t addr = (vector * vector_bytes_ + offsets_[bank]) & kMask;
            add(bank, addr, writes);
            add(bank, addr + vector_bytes_ - 1, writes);
            if (writes) written_.insert(bank * kBankBytes + addr);
        }
    }

    void add(std::size_t bank, std::uint64_t addr, bool writes) {
        if (addr >= kBankBytes)
            throw fpga::BoardError(fmt::format(
                "the program uses address {:#x} of bank {}: want less than 1 GiB", addr, bank));
        bool& written = pages_[(bank * kBankBytes + addr) / kPage];
        written = written || writes;
    }

    static constexpr std::uint64_t kMask = 0xffffffffu;
    Layout layout_;
    std::uint64_t vector_bytes_;
    std::uint64_t offsets_[2] = {0, 0};
    std::map<std::uint64_t, bool> pages_;
    std::set<std::uint64_t> written_;
};

/// The tensor unit on a board. Its memory gets what the instructions touch before they run, and
/// what they wrote comes back.
class BoardDevice : public run::Device {
public:
    BoardDevice(fpga::BoardLink& link, run::Banks banks, const Architecture& architecture)
        : link_(link), banks_(banks), architecture_(architecture), pages_(architecture) {}

    void reset() override {
        link_.write_reg(fpga::board_reg::kReset, 1);
        link_.write_reg(fpga::board_reg::kReset, 0);
        pages_ = TouchedPages(architecture_);
        stream_.clear();
        cycles_ = 0;
        status_ = {};
    }

    void send(const std::vector<std::uint8_t>& bytes) override {
        stream_.insert(stream_.end(), bytes.begin(), bytes.end());
    }

    bool run(std::uint64_t most_cycles) override {
        if (!stream_.empty()) start();
        const std::uint32_t begin = link_.read_reg(kCycles);
        std::uint32_t state = 0;
        do {
            state = link_.read_reg(kState);
        } while ((state & kAtRest) == 0 && link_.read_reg(kCycles) - begin < most_cycles);
        status_.timeout = (state & kTimeoutFlag) != 0;
        status_.tracepoint = (state & kTracepointFlag) != 0;
        status_.error = (state & kErrorFlag) != 0;
        status_.program_counter = link_.read_reg(kCounter);
        if ((state & kAtRest) == 0) return false;
        cycles_ += link_.read_reg(kCycles);
        for (const auto& [page, written] : pages_.pages()) {
            if (!written) continue;
            const std::uint64_t addr = page * kPage;
            memory_of(addr).load(addr % kBankBytes, download(link_, {addr, kPage}));
        }
        for (const std::uint64_t addr : pages_.written()) {  // known as written by a device
            verif::Memory& memory = memory_of(addr);
            const std::uint64_t at = addr % kBankBytes;
            const auto size = static_cast<std::size_t>(architecture_.vector_bytes());
            memory.write(at, memory.dump(at, size).data(), size);
        }
        return true;
    }

    std::uint64_t cycle() const override { return cycles_; }
    run::Status status() const override { return status_; }
    const std::vector<std::uint64_t>& samples() const override { return none_; }
    const std::vector<std::uint64_t>& consumed() const override { return none_; }
    verif::AxiCounts counts(int /*bank*/) const override { return {}; }
    std::vector<std::string> violations() const override { return {}; }

private:
    verif::Memory& memory_of(std::uint64_t addr) {
        return addr < kBankBytes ? banks_.dram0 : banks_.dram1;
    }

    void start() {
        pages_.add(stream_);
        std::vector<verif::MemoryRange> ranges = {
            fpga::beats_around({kStreamAddress, stream_.size()})};
        for (const auto& [page, written] : pages_.pages()) {
            verif::MemoryRange& last = ranges.back();
            if (last.addr + last.size == page * kPage)
                last.size += kPage;
            else
                ranges.push_back({page * kPage, kPage});
        }
        map_memory(link_, ranges);
        for (std::size_t i = 1; i < ranges.size(); ++i) {
            const std::uint64_t addr = ranges[i].addr;
            upload(link_, addr, memory_of(addr).dump(addr % kBankBytes, ranges[i].size));
        }
        upload(link_, kStreamAddress, stream_);
        const std::size_t beats = stream_.size() / kBeatBytes;
        stream_.clear();
        link_.write_reg(kAddress, static_cast<std::uint32_t>(kStreamAddress));
        link_.write_reg(kBeats, static_cast<std::uint32_t>(beats));
    }

    fpga::BoardLink& link_;
    run::Banks banks_;
    Architecture architecture_;
    TouchedPages pages_;
    std::vector<std::uint8_t> stream_;  ///< not yet sent
    std::uint64_t cycles_ = 0;
    run::Status status_;
    std::vector<std::uint64_t> none_;
};

int play(const Design& design, const verif::run::Options& options, fpga::BoardLink& link) {
    run::Platform platform = platform_of(design);
    platform.name = fmt::format("{} on {}", design.name, link.place());
    const Architecture architecture = platform.architecture;
    platform.make_rtl = [&link, architecture](run::Banks banks, const run::SimulateOptions&) {
        return std::make_unique<BoardDevice>(link, banks, architecture);
    };
    return run::simulate(static_cast<const run::SimulateOptions&>(options), platform);
}

}  // namespace

const fpga::BoardSupport& board_support() {
    static const fpga::BoardSupport kSupport{
        need,
        objections,
        beside_processor,
        processor_port,
        play,
        {"program", "input", "output", "count", "dram0", "dram1", "dump-dram0", "dump-dram1",
         "conformance", "random", "compat", "seed", "both"}};
    return kSupport;
}

}  // namespace macrame::tcu
