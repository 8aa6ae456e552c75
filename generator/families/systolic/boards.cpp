/// The family on boards with an FPGA: what it needs there, and how a host plays programs.

#include <fmt/format.h>

#include <algorithm>

#include "families/systolic/derived.hpp"
#include "families/systolic/family.hpp"
#include "families/systolic/registers.hpp"
#include "fpga/block_ram.hpp"
#include "fpga/host/board_memory.hpp"
#include "fpga/host/segments.hpp"
#include "fpga/support.hpp"
#include "verif/systolic/isa/accesses.hpp"
#include "verif/systolic/run/simulate.hpp"

namespace macrame::systolic {

namespace {

// ---------------------------------------------------------------- what it needs

/// LUTs of the parts, fitted to what area.sh counts (boards_test.cpp).
struct Measured {
    int rest;             ///< what is there once
    int per_column_bit;   ///< of an accumulator: OBUF, ALU, STORE
    int per_scale;        ///< a lane of STORE that requantises
    int per_exact_scale;  ///< the same with exact scales
    int per_mac;          ///< without its multiplier
};
constexpr Measured kEcp5 = {7470, 40, 717, 1147, 22};
constexpr Measured kIce40 = {5500, 40, 0, 0, 40};  // logic cells of a project
constexpr Measured kXilinx = {6090, 10, 500, 655, 17};
constexpr int kIce40Queues = 10;  ///< block RAMs in place of LUT RAM: STORE, the serial line

/// Elements of a beat of STORE, that are requantised side by side.
int scales(const Config& config, const Derived& derived) {
    return derived.scales != 0 ? std::min(config.cols, derived.axi_bytes / derived.in_bytes) : 0;
}

/// Of a LOAD or STORE: elements of a slice, and of all of it.
constexpr int kTransferProducts = 2 * 2;

/// IBUF, WBUF, OBUF, beats of LOAD that wait.
int rams(const Config& c, const Derived& derived, const fpga::BlockRam& ram) {
    using fpga::block_rams;
    constexpr int kBurstBeats = 256, kBurstBytes = 4096;
    const int beats = 2 * std::min(kBurstBeats, kBurstBytes / derived.axi_bytes);
    return c.rows * block_rams(c.in_width, c.ibuf_entries, ram) +
           c.cols * block_rams(c.weight_width, c.wbuf_entries, ram) +
           2 * c.cols * block_rams(c.out_width, c.obuf_entries / 2, ram) +
           block_rams(c.axi_data_width, beats, ram);
}

fpga::Resources need(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    const Derived derived = derive(config);
    const bool xilinx = board.flow == "vivado", ice40 = board.flow == "ice40";
    const Measured& part = xilinx ? kXilinx : ice40 ? kIce40 : kEcp5;
    const int macs = config.rows * config.cols, lanes = scales(config, derived);
    fpga::Resources out;
    out.luts = part.rest + part.per_column_bit * config.cols * config.out_width +
               (derived.exact_scales != 0 ? part.per_exact_scale : part.per_scale) * lanes +
               part.per_mac * macs;
    if (board.dsps >
        0)  // a scale has two of 18 x 18 bits, an exact one four, the ALU one of 16 x 16 per column
        out.dsps = macs + (derived.exact_scales != 0 ? 4 : 2) * lanes +
                   (derived.scales != 0 ? config.cols : 0) + kTransferProducts;
    else  // products out of LUTs
        out.luts += macs * config.in_width * (config.weight_width + 2);
    if (xilinx)
        out.brams = fpga::blocks(rams(config, derived, fpga::kHalfRamb36), 2);
    else
        out.brams = rams(config, derived, ice40 ? fpga::kIce40Ram : fpga::kEbr) +
                    (ice40 ? kIce40Queues : 0);
    return out;
}

// ---------------------------------------------------------------- what no system serves

constexpr int kUartBus = 64;     ///< bits of the way to memory
constexpr int kSmallBus = 32;    ///< the same in a small FPGA
constexpr int kSocAddress = 31;  ///< bits of addresses in the RAM of a system on chip

std::vector<std::string> objections(const Design& design, const fpga::Board& board) {
    const Config& config = std::any_cast<const Config&>(design.config);
    std::vector<std::string> out;
    if (board.is_soc() && config.address_width < kSocAddress)
        out.push_back(fmt::format("address-width = {}: want at least {}, as its RAM is there",
                                  config.address_width, kSocAddress));
    if (board.is_soc()) return out;
    if (board.has_processor())
        return {"the family systolic is not built for boards with a processor"};
    const int bus = board.flow == "ice40" ? kSmallBus : kUartBus;
    if (config.axi_data_width != bus)
        out.push_back(fmt::format("axi-data-width = {}: want {}, as the way to its memory",
                                  config.axi_data_width, bus));
    if (board.flow == "ice40" && config.queue_depth != 1)
        out.push_back(fmt::format("queue-depth = {}: want 1, there is no RAM for queues",
                                  config.queue_depth));
    if (board.flow == "ice40" && config.requantise != kNoScales)
        out.push_back(fmt::format(
            "requantise = {}: want false, there are no multipliers for scales", config.requantise));
    return out;
}

AnyConfig beside_processor(const Design& design, const fpga::Board& /*board*/) {
    return design.config;
}

fpga::ProcessorPort processor_port(const Design& design) {
    return {"irq", 4, std::any_cast<const Config&>(design.config).axi_data_width};
}

// ---------------------------------------------------------------- programs on a board

constexpr std::uint32_t kEvents = 0xfe;  ///< of STATUS: a 1 clears one

/// The bit of a field of STATUS.
std::uint32_t status_bit(std::string_view name) {
    for (const regs::Field& field : control_registers().find("STATUS")->fields)
        if (field.name == name) return std::uint32_t{1} << field.lsb;
    return 0;
}

/// What STATUS tells behind a program: "LOAD_ERROR, STOPPED"; empty: nothing but DONE.
std::string events_text(std::uint32_t status) {
    std::string out;
    for (const regs::Field& field : control_registers().find("STATUS")->fields) {
        if ((status >> field.lsb & 1) == 0 || field.name == "DONE") continue;
        out += fmt::format("{}{}", out.empty() ? "" : ", ", field.name);
    }
    return out;
}

std::vector<std::uint8_t> bytes_of(const std::vector<Instruction>& program) {
    std::vector<std::uint8_t> bytes;
    for (const Instruction& instruction : program) {
        const auto word = word_bytes(encode(instruction));
        bytes.insert(bytes.end(), word.begin(), word.end());
    }
    return bytes;
}

/// No program takes longer, however slow the memory of a board is.
std::uint64_t most_cycles(const std::vector<Instruction>& program) {
    constexpr std::int64_t kPerInstruction = 10000, kPerElement = 64;
    std::int64_t sum = 0;
    for (const Instruction& i : program) {
        const std::int64_t window = i.alu.window_height * i.alu.window_width + 1;
        sum += kPerInstruction +
               kPerElement * (i.transfer.x_size * i.transfer.y_size * i.transfer.z_size +
                              i.gemm.ofmap_height * i.gemm.ofmap_width +
                              i.alu.output_height * i.alu.output_width * window);
    }
    return static_cast<std::uint64_t>(sum);
}

/// What a program does in memory.
struct Traffic {
    std::vector<Interval> touched, written;  ///< bytes; ascending, apart
};

Traffic traffic_of(const Architecture& architecture, const std::vector<Instruction>& program) {
    Traffic out;
    for (const Instruction& instruction : program) {
        const Accesses found = accesses(architecture, instruction);
        for (const Interval& bytes : found.memory) {
            out.touched.push_back(bytes);
            if (found.memory_write) out.written.push_back(bytes);
        }
    }
    out.touched = joined(std::move(out.touched));
    out.written = joined(std::move(out.written));
    return out;
}

/// The machine on a board. Its memory gets the program and what this touches before it runs, and
/// what it wrote comes back.
class BoardMachine {
public:
    BoardMachine(fpga::BoardLink& link, const Config& config)
        : link_(link),
          config_(config),
          memory_bytes_(std::uint64_t{link.read_reg(fpga::board_reg::kMemory)} * 1024) {}

    /// One program after the other; a problem ends it.
    performance::Run run(const run::RtlJob& job) {
        link_.write_reg(fpga::board_reg::kReset, 1);
        link_.write_reg(fpga::board_reg::kReset, 0);
        performance::Run out;
        for (const performance::PlacedProgram& program : job.programs) {
            if (out.problem.empty()) run(program.instructions, job.memory, out);
            out.ends.resize(out.ends.size() + program.instructions.size());  // it does not tell
        }
        return out;
    }

private:
    void run(const std::vector<Instruction>& instructions, verif::Memory& memory,
             performance::Run& out) {
        if (instructions.size() > kMostInstructions)
            throw fpga::BoardError("the program has more than " +
                                   std::to_string(kMostInstructions) + " instructions");
        const Traffic traffic = traffic_of(architecture_of(config_), instructions);
        const std::vector<verif::MemoryRange> data = pages(traffic.touched);
        std::vector<std::uint8_t> program = bytes_of(instructions);
        const verif::MemoryRange place = place_beside(data, program.size());
        program.resize(static_cast<std::size_t>(place.size));
        std::vector<verif::MemoryRange> all = data;
        all.push_back(place);
        map_memory(link_, all);
        upload(link_, place.addr, program);
        for (const verif::MemoryRange& range : data)
            upload(link_, range.addr, memory.dump(range.addr, range.size));
        write("STATUS", kEvents);
        write("PROGRAM_ADDRESS", static_cast<std::uint32_t>(place.addr));
        write("PROGRAM_COUNT", static_cast<std::uint32_t>(instructions.size()));
        write("GO", 1);
        out.stands_still = !wait(most_cycles(instructions));
        out.problem = out.stands_still ? stop() : problem();
        out.counters.cycles += cycles();
        fetch(traffic.written, memory);
    }

    std::uint32_t address(std::string_view name) const {
        return static_cast<std::uint32_t>(config_.config_address) +
               control_registers().find(name)->offset;
    }
    std::uint32_t read(std::string_view name) { return link_.read_reg(address(name)); }
    void write(std::string_view name, std::uint32_t value) {
        link_.write_reg(address(name), value);
    }

    /// What went wrong with a program that has ended; empty: nothing.
    std::string problem() {
        const std::uint32_t status = read("STATUS");
        const std::string events = events_text(status);
        if (events.empty())
            return (status & status_bit("DONE")) != 0 ? "" : "it has ended without DONE";
        std::string out = "STATUS tells " + events;
        const std::uint32_t source = read("ERROR_SOURCE");
        const auto& names = control_registers().find("ERROR_SOURCE")->fields.front().values;
        if (source != 0 && source < names.size())
            out += fmt::format(", of {} at {:#x}", names[source], read("ERROR_ADDRESS"));
        return out;
    }

    /// Ends a program that stands still. What is told of it.
    std::string stop() {
        constexpr int kMostLooks = 1000;
        write("RESET", 1);
        for (int i = 0; read("RESET") != 0; ++i)
            if (i == kMostLooks) return "it stands still, and RESET does not end";
        const bool stopped = (read("STATUS") & status_bit("STOPPED")) != 0;
        return stopped ? "it stands still" : "it stands still, and RESET does not stop it";
    }

    /// The pages of the board's memory around these bytes, merged.
    std::vector<verif::MemoryRange> pages(const std::vector<Interval>& intervals) const {
        const std::uint64_t page = std::uint64_t{1} << fpga::page_bits(memory_bytes_);
        std::vector<verif::MemoryRange> out;
        for (const Interval& bytes : intervals) {
            const std::uint64_t begin = static_cast<std::uint64_t>(bytes.begin) / page * page;
            const std::uint64_t end =
                (static_cast<std::uint64_t>(bytes.end) + page - 1) / page * page;
            if (!out.empty() && out.back().addr + out.back().size >= begin)
                out.back().size = std::max(out.back().size, end - out.back().addr);
            else
                out.push_back({begin, end - begin});
        }
        return out;
    }

    /// Whole pages for the program in front of, between or behind the data, where memory has room.
    verif::MemoryRange place_beside(const std::vector<verif::MemoryRange>& data,
                                    std::size_t bytes) const {
        const std::uint64_t page = std::uint64_t{1} << fpga::page_bits(memory_bytes_);
        const std::uint64_t size = (bytes + page - 1) / page * page;
        const std::uint64_t all = std::uint64_t{1} << config_.address_width;
        std::vector<std::uint64_t> begins = {0};
        for (const verif::MemoryRange& range : data)
            begins.push_back(range.addr + range.size);
        std::string reason;
        for (std::size_t i = 0; i < begins.size(); ++i) {
            const std::uint64_t end = i < data.size() ? data[i].addr : all;
            if (begins[i] + size > end) continue;
            std::vector<verif::MemoryRange> ranges = data;
            ranges.push_back({begins[i], size});
            if (fpga::plan_segments(ranges, memory_bytes_, reason)) return ranges.back();
        }
        throw fpga::BoardError("the program " + (reason.empty() ? "leaves no room" : reason));
    }

    /// False if it takes too long.
    bool wait(std::uint64_t most_cycles) {
        while ((read("STATUS") & status_bit("BUSY")) != 0)
            if (cycles() > most_cycles) return false;
        return true;
    }

    std::uint64_t cycles() {
        const std::uint64_t high = read("CYCLES_HIGH");
        return high << 32 | read("CYCLES_LOW");
    }

    /// Known as written by a device.
    void fetch(const std::vector<Interval>& written, verif::Memory& memory) {
        for (const Interval& bytes : written) {
            const auto begin = static_cast<std::uint64_t>(bytes.begin);
            const auto size = static_cast<std::size_t>(bytes.end - bytes.begin);
            const verif::MemoryRange beats = fpga::beats_around({begin, size});
            const std::vector<std::uint8_t> found = download(link_, beats);
            memory.write(begin, found.data() + (begin - beats.addr), size);
        }
    }

    fpga::BoardLink& link_;
    Config config_;
    std::uint64_t memory_bytes_;
};

int play(const Design& design, const verif::run::Options& options, fpga::BoardLink& link) {
    const Config& config = std::any_cast<const Config&>(design.config);
    run::Platform platform;
    platform.program = "macrame";
    platform.name = fmt::format("{} on {}", design.name, link.place());
    platform.architecture = architecture_of(config);
    platform.identity = {design.identity(), design.program_parameters()};
    platform.own_memory = true;
    BoardMachine machine(link, config);
    platform.run_rtl = [&machine](const run::RtlJob& job) {
        try {
            return machine.run(job);
        } catch (const fpga::BoardError& error) {
            performance::Run out;
            out.problem = error.what();
            return out;
        }
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
        {"program", "memory", "dump", "expect", "random", "seed", "both"},
        // Half of the usual weight of timing: there is time, wire is what counts.
        " --placer-heap-timingweight 5",
        {".bin"}};
    return kSupport;
}

}  // namespace macrame::systolic
