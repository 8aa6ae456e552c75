#pragma once

#include <array>
#include <cstdint>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of control. Pins of software have no prefix.
class Control {
public:
    template <typename T>
    using PerModule = std::array<T, kModuleCount>;

    /// Words of the registers. Running, ended and waiting have 32 bits per module.
    enum class Register : std::uint32_t {
        program,
        status,
        cycles,
        running,
        ended,
        waiting,
        command,
        identity
    };
    // Bits of STATUS.
    static constexpr std::uint32_t kBusy = 1u << 0;
    static constexpr std::uint32_t kDone = 1u << 1;
    static constexpr std::uint32_t kRefused = 1u << 2;
    static constexpr std::uint32_t kFetchError = 1u << 3;
    static constexpr std::uint32_t kLoadError = 1u << 4;
    static constexpr std::uint32_t kStoreError = 1u << 5;
    static constexpr std::uint32_t kIllegal = 1u << 6;
    static constexpr std::uint32_t kStopped = 1u << 7;
    static constexpr std::uint32_t kEvents = 0xfe;
    /// Of ERROR_SOURCE.
    enum class Source : std::uint32_t { none, fetch, load, store };

    struct Inputs {
        bool awvalid = false;
        std::uint32_t awid = 0, awaddr = 0, awsize = 4, awburst = 1;
        bool wvalid = false, wlast = false;
        Word wdata;
        std::uint32_t wstrb = 0;
        bool bready = false;
        bool arvalid = false;
        std::uint32_t arid = 0, araddr = 0, arlen = 0, arsize = 4, arburst = 1;
        bool rready = false;
        bool control2fetch_ready = false;
        bool fetch2control_idle = false, fetch2control_error = false;
        std::uint64_t fetch2control_address = 0;  ///< matters with an error, as the next two
        bool load2control_error = false, store2control_error = false;
        std::uint64_t load2control_address = 0, store2control_address = 0;
        bool resolver2control_idle = false, resolver2control_error = false;
        PerModule<bool> resolver2control_running{};
        PerModule<bool> resolver2control_waiting{};
        PerModule<bool> resolver2control_ended{};
    };
    /// What belongs to a valid matters while it is true.
    struct Outputs {
        bool awready = false, wready = false;
        bool bvalid = false;
        std::uint32_t bid = 0;
        bool arready = false;
        bool rvalid = false, rlast = false;
        std::uint32_t rid = 0;
        Word rdata;
        bool irq = false;
        bool control2fetch_valid = false;
        std::uint64_t control2fetch_address = 0;
        std::uint32_t control2fetch_count = 0;
        bool control2fetch_run = false, control2resolver_run = false;
    };

    /// `config_address`: where the registers begin. `identity`: what the register of it reads.
    Control(const Architecture& architecture, std::uint32_t config_address,
            std::uint32_t identity = 0);

    Outputs outputs() const {
        Outputs out;
        out.awready = !aw_.here;
        out.wready = aw_.here && !bvalid_;
        out.bvalid = bvalid_;
        out.bid = aw_.id;
        out.arready = !ar_.here;
        out.rvalid = rvalid_;
        out.rlast = rlast_;
        out.rid = ar_.id;
        out.rdata = rdata_;
        out.irq = irq_;
        out.control2fetch_valid = send_;
        out.control2fetch_address = address_ & address_mask_;
        out.control2fetch_count = count_;
        out.control2fetch_run = out.control2resolver_run = run_;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    /// No register is accessed, nothing is on its way to fetch.
    bool is_left_alone(const Inputs& in) const {
        return !in.awvalid && !in.wvalid && !in.arvalid && !aw_.here && !write_.here && !ar_.here &&
               !send_;
    }
    /// So many rising edges at which it is left alone, and no unit tells of an error or of the end.
    void count(const PerModule<bool>& running, const PerModule<bool>& waiting,
               const PerModule<bool>& ended, std::uint32_t edges = 1) {
        irq_ = (events_ & enable_) != 0;
        clock_counters(running, waiting, ended, edges);
    }
    /// Events are those that the interrupt has seen.
    bool is_still() const { return irq_ == ((events_ & enable_) != 0); }

    bool irq() const { return irq_; }
    bool busy() const { return busy_; }
    /// Of the program that runs, or of the last one.
    std::uint64_t cycles() const { return cycles_; }

private:
    using Counts = PerModule<std::uint32_t>;
    /// A burst, one beat at a time.
    struct Burst {
        bool here = false;
        std::uint32_t id = 0, address = 0, step = 0;
        void begin(std::uint32_t its_id, std::uint32_t at, std::uint32_t size, std::uint32_t kind);
        void next_beat();
    };
    /// A beat of a write, a cycle later.
    struct Write {
        bool here = false;
        Register at = Register::program;
        Word data;
        std::uint32_t strobes = 0;
    };

    bool is_register(std::uint32_t address) const;
    Word read(Register at) const;
    void clock_registers(const Inputs& in);
    void clock_events(const Inputs& in, std::uint32_t happens, bool starts);
    void clock_error(const Inputs& in);
    void clock_counters(const PerModule<bool>& running, const PerModule<bool>& waiting,
                        const PerModule<bool>& ended, std::uint32_t edges) {
        if (run_) cycles_ += edges;
        for (std::size_t m = 0; m < kModuleCount; ++m) {
            running_[m] += running[m] ? edges : 0;
            waiting_[m] += waiting[m] ? edges : 0;
            ended_[m] += ended[m] ? edges : 0;
        }
    }
    void write_program();
    void clock_write(const Inputs& in);
    void clock_read(const Inputs& in);

    const std::uint64_t address_mask_;
    const std::uint32_t config_address_;
    const std::uint32_t identity_;

    Burst aw_;
    bool bvalid_ = false;
    Write write_;

    Burst ar_;
    std::uint32_t ar_left_ = 0;  ///< beats behind the next one
    bool rvalid_ = false, rlast_ = false;
    Word rdata_;

    bool busy_ = false;  ///< a program runs or is being stopped
    bool run_ = false;   ///< it runs
    bool send_ = false, irq_ = false;
    std::uint32_t address_ = 0, count_ = 0;
    std::uint32_t events_ = 0, enable_;  ///< at the bits of STATUS
    Source error_source_ = Source::none;
    std::uint64_t error_address_ = 0;
    std::uint64_t cycles_ = 0;
    Counts running_{}, ended_{}, waiting_{};
};

}  // namespace macrame::systolic::cycles
