/// The family on boards with an FPGA: what it needs there, and how a host plays programs.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "families/tcu/derived.hpp"
#include "families/tcu/family.hpp"
#include "families/tcu/platform.hpp"
#include "fpga/block_ram.hpp"
#include "fpga/host/board_memory.hpp"
#include "fpga/host/segments.hpp"
#include "fpga/support.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu {

namespace {

using fpga::block_rams;

// ---------------------------------------------------------------- what it needs

/// LUTs of the parts, fitted to what area.sh counts (boards_test.cpp).
struct Measured {
    int rest;             ///< what is there once
    int per_vector_byte;  ///< way of a vector: local memory, load, store, feed, acc
    int per_second_byte;  ///< more of it with two vectors per cycle
    int per_bus_bit;
    int mac, mac_per_byte;  ///< adder, rounding, clamping
    int sums;               ///< of a product that takes several multipliers
};
constexpr Measured kEcp5 = {9500, 350, 420, 2, 41, 1, 154};
constexpr Measured kIce40 = {4080, 400, 0, 0, 20, 56, 0};  // logic cells, without order-blocks
constexpr Measured kXilinx = {4850, 188, 225, 2, 3, 17, 57};

/// Multipliers of a product: 18 x 18 bits, and 25 x 18 need as many for 32 x 32.
int multipliers_per_product(const Derived& derived) { return derived.data_w <= 18 ? 1 : 4; }

int luts(const Config& config, const Derived& derived, const Measured& part) {
    const int macs = config.array_vectors * config.array_size * config.array_size;
    const int mac = part.mac + part.mac_per_byte * derived.data_w / 8 +
                    (multipliers_per_product(derived) > 1 ? part.sums : 0);
    const int vector_byte =
        part.per_vector_byte + (config.array_vectors - 1) * part.per_second_byte;
    return part.rest + vector_byte * derived.vector_w / 8 +
           part.per_bus_bit * config.axi_data_width + macs * mac;
}

/// Local memory, accumulators, the queue of issue, loads on their way, tables of numbers in decode,
/// lookup tables.
int rams(const Config& config, const Derived& derived, const fpga::BlockRam& ram) {
    const std::int64_t vector = derived.vector_w;
    const int queue_w = 8 + derived.local_addr_w + derived.stride_code0_w + 2 * derived.acc_addr_w +
                        derived.stride_code1_w + derived.size_w + derived.simd_op_w +
                        3 * derived.simd_code_w + 2 * (derived.transfer_tag_w + 1) +
                        2 * (derived.compute_tag_w + 1);
    constexpr int kTables = 5;
    const int lookup = config.lut_tables == 0 ? 0 : config.lut_tables + 1;
    return 2 * block_rams(vector, derived.local_rows, ram) +
           config.array_vectors * block_rams(vector, derived.acc_rows, ram) +
           block_rams(queue_w, config.queue_depth, ram) +
           2 * block_rams(vector, derived.load_depth, ram) +
           kTables * block_rams(derived.transfer_tag_w, config.order_blocks, ram) +
           config.array_size * lookup * block_rams(derived.data_w, config.lut_depth, ram);
}

fpga::Resources need(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const Derived derived = derive(config);
    const bool xilinx = board.flow == "vivado";
    const int products = config.array_size * (config.array_size * config.array_vectors + 1);
    fpga::Resources out;
    const bool ice40 = board.flow == "ice40";
    out.luts = luts(config, derived, xilinx ? kXilinx : ice40 ? kIce40 : kEcp5);
    if (board.dsps > 0)
        out.dsps = products * multipliers_per_product(derived);
    else  // products out of LUTs
        out.luts += products * derived.data_w * (derived.data_w + 2);
    if (xilinx)
        out.brams = fpga::blocks(rams(config, derived, fpga::kHalfRamb36), 2);
    else
        out.brams = rams(config, derived, ice40 ? fpga::kIce40Ram : fpga::kEbr);
    return out;
}

// ---------------------------------------------------------------- what no system serves

constexpr int kUartBus = 64;        ///< bits of the way to memory
constexpr int kSmallBus = 32;       ///< the same in a small FPGA
constexpr int kWidestStream = 512;  ///< of what stands between an accelerator and a processor

std::vector<std::string> objections(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    std::vector<std::string> out;
    if (board.flow == "ice40" && config.order_blocks != 0)
        out.push_back(fmt::format("order-blocks = {}: want none, there is no RAM for its tables",
                                  config.order_blocks));
    if (config.sample_block_size != 0)
        out.push_back(fmt::format("sample-block-size = {}: want 0, the board does not take samples",
                                  config.sample_block_size));
    if (config.status_port)
        out.emplace_back("status-port = true: want false, nothing on the board reads it");
    if (config.control_port && !board.has_processor())
        out.emplace_back("control-port = true: want false, the host has registers of the board");
    if (board.has_processor()) {
        if (config.axi_data_width > kWidestStream)
            out.push_back(
                fmt::format("axi-data-width = {}: want at most {}, as the way to its "
                            "memory",
                            config.axi_data_width, kWidestStream));
        return out;
    }
    const int bus = board.flow == "ice40" ? kSmallBus : kUartBus;
    if (config.axi_data_width != bus)
        out.push_back(fmt::format("axi-data-width = {}: want {}, as the way to its memory",
                                  config.axi_data_width, bus));
    return out;
}

/// Drivers ask for the identity and for bus errors.
AnyConfig beside_processor(const Design& design, const fpga::Board& /*board*/) {
    Config config = std::any_cast<const Config&>(design.config);
    config.control_port = true;
    return config;
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
constexpr std::uint64_t kSmallBankBytes = std::uint64_t{1} << 28;  ///< in a small FPGA
constexpr std::uint64_t kPage = 512;

/// Pages of the memory that instructions touch; those written are true.
class TouchedPages {
public:
    TouchedPages(const Architecture& architecture, std::uint64_t memory_bytes)
        : layout_(layout_of(architecture)),
          vector_bytes_(static_cast<std::uint64_t>(architecture.vector_bytes())),
          bank_bytes_(memory_bytes < fpga::kSmallMemory ? kSmallBankBytes : kBankBytes) {}

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
        if (addr >= bank_bytes_)
            throw fpga::BoardError(
                fmt::format("the program uses address {:#x} of bank {}: want less than {}", addr,
                            bank, bank_bytes_ == kBankBytes ? "1 GiB" : "256 MiB"));
        bool& written = pages_[(bank * kBankBytes + addr) / kPage];
        written = written || writes;
    }

    static constexpr std::uint64_t kMask = 0xffffffffu;
    Layout layout_;
    std::uint64_t vector_bytes_;
    std::uint64_t bank_bytes_;
    std::uint64_t offsets_[2] = {0, 0};
    std::map<std::uint64_t, bool> pages_;
    std::set<std::uint64_t> written_;
};

/// The tensor unit on a board. Its memory gets what the instructions touch before they run, and
/// what they wrote comes back.
class BoardDevice : public run::Device {
public:
    /// `beat_bits`: of the instruction stream.
    BoardDevice(fpga::BoardLink& link, run::Banks banks, const Architecture& architecture,
                int beat_bits)
        : link_(link),
          banks_(banks),
          architecture_(architecture),
          memory_bytes_(std::uint64_t{link.read_reg(fpga::board_reg::kMemory)} * 1024),
          beat_bytes_(static_cast<std::size_t>(beat_bits) / 8),
          pages_(architecture, memory_bytes_) {}

    void reset() override {
        link_.write_reg(fpga::board_reg::kReset, 1);
        link_.write_reg(fpga::board_reg::kReset, 0);
        pages_ = TouchedPages(architecture_, memory_bytes_);
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
    const std::vector<std::uint64_t>& moved() const override { return none_; }
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
        const std::size_t beats = stream_.size() / beat_bytes_;
        stream_.resize(static_cast<std::size_t>(ranges.front().size));  // whole beats of the line
        upload(link_, kStreamAddress, stream_);
        stream_.clear();
        link_.write_reg(kAddress, static_cast<std::uint32_t>(kStreamAddress));
        link_.write_reg(kBeats, static_cast<std::uint32_t>(beats));
    }

    fpga::BoardLink& link_;
    run::Banks banks_;
    Architecture architecture_;
    std::uint64_t memory_bytes_;
    std::size_t beat_bytes_;
    TouchedPages pages_;
    std::vector<std::uint8_t> stream_;  ///< not yet sent
    std::uint64_t cycles_ = 0;
    run::Status status_;
    std::vector<std::uint64_t> none_;
};

int play_on_board(const Design& design, const verif::run::Options& options, fpga::BoardLink& link) {
    run::Platform platform = platform_of(design);
    platform.name = fmt::format("{} on {}", design.name, link.place());
    const Architecture architecture = platform.architecture;
    const int beat_bits = std::any_cast<const Config&>(design.config).axi_data_width;
    platform.make_rtl = [&link, architecture, beat_bits](run::Banks banks,
                                                         const run::SimulateOptions&) {
        return std::make_unique<BoardDevice>(link, banks, architecture, beat_bits);
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
        play_on_board,
        {"program", "input", "output", "count", "dram0", "dram1", "dump-dram0", "dump-dram1",
         "conformance", "random", "compat", "seed", "both"},
        // Of nextpnr from 0.8 on. Its usual placer leaves half as much wire again: an array of 8 x
        // 8 is not routed in an hour.
        " --placer static --router router2",
        {".tmodel", ".tprog", ".tdata"}};
    return kSupport;
}

}  // namespace macrame::tcu
