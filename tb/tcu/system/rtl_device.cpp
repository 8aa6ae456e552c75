#include "tb/tcu/system/rtl_device.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "Vtcu_top.h"
#include "Vtcu_top___024root.h"
#include "tb/common/lite_pins.hpp"
#include "tb/common/random_state.hpp"
#include "tb/tcu/system/memory_pins.hpp"
#include "tcu_regs.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

namespace macrame::tb {

namespace {

constexpr int kResetCycles = 16;

using tcu_regs::control::RESET;
using tcu_regs::control::STATUS;
constexpr std::size_t kMaxViolations = 20;

/// Nothing is under way if that is so for some cycles: a beat just taken may still be unseen.
constexpr int kRestCycles = 8;

/// Defines has_PIN<Top>: the top has this pin.
#define TCU_HAS(PIN)                                                                            \
    template <typename Top, typename = void>                                                    \
    struct Has_##PIN : std::false_type {};                                                      \
    template <typename Top>                                                                     \
    struct Has_##PIN<Top, std::void_t<decltype(std::declval<Top&>().PIN)>> : std::true_type {}; \
    template <typename Top>                                                                     \
    inline constexpr bool has_##PIN = Has_##PIN<Top>::value

TCU_HAS(error);
TCU_HAS(sample_tvalid);
TCU_HAS(status_tvalid);
TCU_HAS(s_axi_awvalid);
#undef TCU_HAS

template <typename Top>
bool error_flag(const Top& top) {
    if constexpr (has_error<Top>) return top.error != 0;
    return false;
}

/// Micro-operations from accumulators to local memory that are complete, as far as it counts. TOP
/// is the name of the top module.
#define TCU_SIGNAL_OF(TOP_NAME, NAME) TOP_NAME##__DOT__##NAME
#define TCU_SIGNAL(TOP_NAME, NAME) TCU_SIGNAL_OF(TOP_NAME, NAME)
std::uint64_t move_number(const Vtcu_top& top) { return top.rootp->TCU_SIGNAL(TOP, acc2all_moved); }
#undef TCU_SIGNAL
#undef TCU_SIGNAL_OF

struct Word {
    std::uint64_t data;
    bool last;
};

/// The receivers are ready or not.
template <typename Top>
void set_ready(Top& top, bool samples, bool status) {
    if constexpr (has_sample_tvalid<Top>) top.sample_tready = samples;
    if constexpr (has_status_tvalid<Top>) top.status_tready = status;
}

/// A sample that is taken in this cycle.
template <typename Top>
bool takes_sample(const Top& top, Word& word) {
    if constexpr (has_sample_tvalid<Top>) {
        word = {top.sample_tdata, top.sample_tlast != 0};
        return top.sample_tvalid && top.sample_tready;
    }
    return false;
}

/// The same for an instruction that comes back.
template <typename Top>
bool takes_status(const Top& top, std::vector<std::uint8_t>& bytes, bool& last) {
    if constexpr (has_status_tvalid<Top>) {
        bytes = get_bytes(top.status_tdata, static_cast<int>(bytes.size()));
        last = top.status_tlast != 0;
        return top.status_tvalid && top.status_tready;
    }
    return false;
}

template <typename Top>
void drive_registers(Top& top, const AxiLitePins& pins) {
    if constexpr (has_s_axi_awvalid<Top>) drive_axi_lite(top, pins);
}

template <typename Top>
void sample_registers(Top& top, AxiLitePins& pins) {
    if constexpr (has_s_axi_awvalid<Top>) sample_axi_lite(top, pins);
}

}  // namespace

RtlDevice::RtlDevice(tcu::run::Banks banks, const RtlOptions& options)
    : options_(options),
      context_(std::make_unique<RandomState>(options.axi.seed)),
      random_(options.axi.seed),
      stall_percent_(static_cast<int>(100 * options.axi.stall)),
      banks_(banks),
      registers_(options.axi.stall, options.axi.seed + 7) {
#if VM_TRACE
    context_->traceEverOn(true);
#endif
    top_ = std::make_unique<Vtcu_top>(context_.get());
#if VM_TRACE
    if (!options.wave.empty()) {
        fst_ = std::make_unique<VerilatedFstC>();
        top_->trace(fst_.get(), 99);
        fst_->open(options.wave.c_str());
    }
#else
    if (!options.wave.empty()) throw std::runtime_error("this build has no waves");
#endif
#if !VM_COVERAGE
    if (!options.counts.empty()) throw std::runtime_error("this build counts no coverage");
#endif
    top_->reset = 1;  // flops need an edge
    top_->clock = 0;
    top_->eval();
    reset();
#if VM_COVERAGE
    context_->coveragep()->zero();  // registers leaving their random contents are no toggles
    reset();
#endif
}

RtlDevice::~RtlDevice() {
#if VM_TRACE
    if (fst_) fst_->close();
#endif
    top_->final();
#if VM_COVERAGE
    if (!options_.counts.empty()) context_->coveragep()->write(options_.counts.c_str());
#endif
}

void RtlDevice::reset() {
    make_memories();
    forget();  // what is left of a program is not offered in the reset
    top_->reset = 0;
    for (int i = 0; i < kResetCycles; ++i)
        clock();
    top_->reset = 1;
    violations_.clear();
    forget();
}

/// New ones, which have nothing on their way.
void RtlDevice::make_memories() {
    offered_ = false;
    verif::AxiMemoryOptions axi = options_.axi;
    axi.seed *= 2;
    axi_[0] = std::make_unique<verif::AxiMemory>(banks_.dram0, axi);
    ++axi.seed;
    axi_[1] = std::make_unique<verif::AxiMemory>(banks_.dram1, axi);
    pins_ = {};
    registers_.reset(register_pins_);
}

/// All that was before a reset.
void RtlDevice::forget() {
    stream_.clear();
    sent_ = echoed_ = in_block_ = 0;
    cycle_ = 0;
    resting_ = 0;
    status_ = {};
    samples_.clear();
    consumed_.clear();
    moved_.clear();
    move_number_ = move_number(*top_);
}

void RtlDevice::advance(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i)
        clock();
}

BusAnswer RtlDevice::access(const BusAccess& wanted) {
    constexpr int kMostCycles = 1000;
    registers_.start(wanted);
    for (int i = 0; i < kMostCycles; ++i) {
        clock();
        if (const auto answer = wanted.write ? registers_.take_write() : registers_.take_read()) {
            if (answer->resp != 0) violation("a register answers with an error");
            return *answer;
        }
    }
    throw std::runtime_error("the registers do not answer");
}

bool RtlDevice::has_registers() const { return has_s_axi_awvalid<Vtcu_top>; }

std::uint32_t RtlDevice::read_register(std::uint32_t address) {
    return access({false, address}).data;
}

void RtlDevice::write_register(std::uint32_t address, std::uint32_t value) {
    access({true, address, value});
}

void RtlDevice::recover() {
    if (has_registers())
        soft_reset();
    else
        reset();
}

void RtlDevice::soft_reset() {
    constexpr int kMostLooks = 100000;
    const auto in_reset = [this] {
        return STATUS(read_register(STATUS::kAddress)).IN_RESET() != 0;
    };
    write_register(RESET::kAddress, 1);
    for (int i = 0; !in_reset(); ++i) {
        if (i == kMostLooks) throw std::runtime_error("the soft reset does not come to IN_RESET");
    }
    if (!buses_idle()) throw std::runtime_error("a bus is not at rest in the soft reset");
    for (int i = 0; sent_ < stream_.size() || offered_; ++i) {
        if (i == kMostLooks) throw std::runtime_error("instructions are not dropped in the reset");
        clock();
    }
    write_register(RESET::kAddress, 0);
    while (in_reset()) {
    }
    violations_ = violations();
    make_memories();
    forget();
}

void RtlDevice::set_faults(const verif::AxiFaultPlan& bank0, const verif::AxiFaultPlan& bank1) {
    axi_[0]->set_faults(bank0);
    axi_[1]->set_faults(bank1);
}

bool RtlDevice::idle_pin() const { return top_->idle != 0; }
bool RtlDevice::bus_error_pin() const { return top_->bus_error != 0; }
bool RtlDevice::interrupt() const { return top_->irq != 0; }

void RtlDevice::send(const std::vector<std::uint8_t>& bytes) {
    if (bytes.size() % static_cast<std::size_t>(options_.axi.bus_bytes) != 0)
        throw std::runtime_error("the instruction stream has to have whole beats");
    stream_.insert(stream_.end(), bytes.begin(), bytes.end());
    resting_ = 0;
}

bool RtlDevice::run(std::uint64_t most_cycles) {
    for (std::uint64_t i = 0; i < most_cycles && resting_ < kRestCycles; ++i) {
        clock();
        resting_ = at_rest() ? resting_ + 1 : 0;
    }
    if (resting_ >= kRestCycles) note_unseen();
    return resting_ >= kRestCycles;
}

bool RtlDevice::at_rest() const { return sent_ == stream_.size() && top_->idle && buses_idle(); }

bool RtlDevice::buses_idle() const {
    const auto idle = [](const verif::AxiMemory& axi, const verif::AxiPins& pins) {
        return axi.idle() && !pins.ar_valid && !pins.aw_valid && !pins.w_valid && !pins.r_valid &&
               !pins.b_valid;
    };
    return idle(*axi_[0], pins_[0]) && idle(*axi_[1], pins_[1]);
}

/// A cycle: inputs settle while the clock is low, both sides see each other, the clock rises.
void RtlDevice::clock() {
    drive();
    top_->clock = 0;
    context_->time(time_);
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
    if (top_->reset) sample();
    top_->clock = 1;
    context_->time(time_);
    top_->eval();
#if VM_TRACE
    if (fst_) fst_->dump(time_);
#endif
    ++time_;
    ++cycle_;
}

void RtlDevice::drive() {
    const int bus = options_.axi.bus_bytes;
    drive_reads(*top_, pins_[0], bus, Bank<0>{});
    drive_writes(*top_, pins_[0], Bank<0>{});
    drive_reads(*top_, pins_[1], bus, Bank<1>{});
    drive_writes(*top_, pins_[1], Bank<1>{});
    if (!offered_ && sent_ < stream_.size()) offered_ = !stalls();
    top_->instruction_tvalid = offered_;
    if (offered_) {
        put_bytes(top_->instruction_tdata, stream_.data() + sent_, bus);
        top_->instruction_tlast = sent_ + static_cast<std::size_t>(bus) == stream_.size();
    }
    set_ready(*top_, !stalls(), !stalls());
    drive_registers(*top_, register_pins_);
}

void RtlDevice::sample() {
    const int bus = options_.axi.bus_bytes;
    sample_reads(*top_, pins_[0], Bank<0>{});
    sample_writes(*top_, pins_[0], bus, Bank<0>{});
    sample_reads(*top_, pins_[1], Bank<1>{});
    sample_writes(*top_, pins_[1], bus, Bank<1>{});
    for (std::size_t bank = 0; bank < 2; ++bank)
        axi_[bank]->clock(pins_[bank]);
    if (offered_ && top_->instruction_tready) {
        sent_ += static_cast<std::size_t>(bus);
        offered_ = false;
    }
    sample_registers(*top_, register_pins_);
    registers_.clock(register_pins_);
    sample_state();
    take_samples();
    take_status();
}

/// Each instruction that is consumed changes the program counter, but for those that set it to what
/// it is.
void RtlDevice::sample_state() {
    if (top_->program_counter != status_.program_counter) {
        note_unseen();
        consumed_.push_back(cycle_ - 1);
    }
    status_.program_counter = top_->program_counter;
    if (move_number(*top_) != move_number_) moved_.push_back(cycle_ - 1);
    move_number_ = move_number(*top_);
    status_.timeout = status_.timeout || top_->timeout;
    status_.tracepoint = status_.tracepoint || top_->tracepoint;
    status_.error = status_.error || error_flag(*top_);
}

/// Instructions that the program counter does not show are taken to be consumed as early as can be:
/// in the cycle after the one before.
void RtlDevice::note_unseen() {
    while (keeps_counter(consumed_.size()))
        consumed_.push_back(consumed_.empty() ? 0 : consumed_.back() + 1);
}

/// Does this instruction of the stream set the program counter to what it is?
bool RtlDevice::keeps_counter(std::size_t number) const {
    constexpr int kMostValueBits = 28;
    const auto size = static_cast<std::size_t>(options_.instruction_bytes);
    if ((number + 1) * size > sent_) return false;
    const std::uint8_t* const bytes = stream_.data() + number * size;
    if (bytes[size - 1] >> 4 != tcu::kConfigure || (bytes[0] & 15) != tcu::kProgramCounter)
        return false;
    std::uint64_t operands = 0;
    for (std::size_t i = 0; i < std::min(size - 1, sizeof operands); ++i)
        operands |= std::uint64_t{bytes[i]} << 8 * i;
    const std::uint64_t value = operands >> 4 & ((std::uint64_t{1} << kMostValueBits) - 1);
    return value == status_.program_counter;
}

void RtlDevice::take_samples() {
    Word word{};
    if (!takes_sample(*top_, word)) return;
    samples_.push_back(word.data);
    ++in_block_;
    const bool ends = in_block_ == static_cast<std::size_t>(options_.sample_block);
    if (word.last != ends) violation("sample_tlast on the wrong word");
    if (word.last) in_block_ = 0;
}

void RtlDevice::take_status() {
    const auto size = static_cast<std::size_t>(options_.instruction_bytes);
    std::vector<std::uint8_t> bytes(size);
    bool last = false;
    if (!takes_status(*top_, bytes, last)) return;
    const std::size_t at = size * echoed_++;
    if (at + size > sent_ || !std::equal(bytes.begin(), bytes.end(),
                                         stream_.begin() + static_cast<std::ptrdiff_t>(at))) {
        violation("status is not instruction " + std::to_string(echoed_ - 1));
    }
    if (!last) violation("status_tlast is low");
}

const std::vector<std::uint64_t>& RtlDevice::consumed() const {
    static const std::vector<std::uint64_t> kUnknown;
    const std::size_t all = sent_ / static_cast<std::size_t>(options_.instruction_bytes);
    return consumed_.size() == all ? consumed_ : kUnknown;
}

verif::AxiCounts RtlDevice::counts(int bank) const {
    return axi_[static_cast<std::size_t>(bank)]->counts();
}

void RtlDevice::violation(const std::string& what) {
    if (violations_.size() < kMaxViolations)
        violations_.push_back("cycle " + std::to_string(cycle_) + ": " + what);
}

std::vector<std::string> RtlDevice::violations() const {
    std::vector<std::string> all = violations_;
    const std::vector<std::string>& more = registers_.violations();
    all.insert(all.end(), more.begin(), more.end());
    for (std::size_t bank = 0; bank < 2; ++bank) {
        for (const std::string& text : axi_[bank]->violations())
            all.push_back("dram" + std::to_string(bank) + ", " + text);
    }
    return all;
}

}  // namespace macrame::tb
