/// Unit test of dla_axi_mem: random transactions of all clients with random pauses on every channel,
/// errors among the answers, against the model; the memory checks the rules of AXI.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/system/top_pins.hpp"
#include "verif/common/axi_memory.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/axi_mem.hpp"

namespace macrame::tb {
namespace {

namespace model = dla::model;

constexpr int kBus = dla_params::bus_bytes;  // of the core
constexpr int kAxi = dla_params::axi_bytes;
constexpr int kPieces = kAxi < kBus ? kBus / kAxi : 1;
constexpr int kAtom = dla_params::atom_bytes;
constexpr int kBurst = dla_params::max_burst;
constexpr std::uint64_t kRegion = 1 << 16;

/// Percent of cycles in which the core idles, pauses of memory, its latency, share of errors.
struct Case {
    int idle;
    double stall;
    int latency;
    double faults;
    std::uint64_t seed;
};

struct WriteBeat {
    std::uint8_t data[64];
    std::uint64_t strobes, addr;
    bool last;
};

class Bench {
public:
    explicit Bench(const Case& c)
        : case_(c), context_(c.seed), top_(&context_), axi_(memory_, axi_options(c)),
          random_(c.seed + 7) {
        axi_.set_faults({c.faults});
    }
    ~Bench() { top_.final(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    void run(int cycles) {
        reset();
        for (int i = 0; i < cycles && !::testing::Test::HasFailure(); ++i)
            tick(true);
        for (int i = 0; i < 20000 * kPieces && !idle() && !::testing::Test::HasFailure(); ++i)
            tick(false);
        EXPECT_TRUE(idle()) << "an answer is lost";
        EXPECT_EQ(axi_.violations(), std::vector<std::string>{});
        EXPECT_EQ(axi_.faults().count, errors_);
        for (std::uint64_t addr = 0; addr < kRegion; ++addr)
            ASSERT_EQ(memory_.read(addr), shadow_.read(addr)) << std::hex << addr;
    }
    int beats() const { return beats_; }

private:
    static verif::AxiMemoryOptions axi_options(const Case& c) {
        verif::AxiMemoryOptions options;
        options.latency = c.latency;
        options.stall = c.stall;
        options.seed = c.seed;
        options.bus_bytes = kAxi;
        options.beat_bytes = std::min(kBus, kAxi);
        options.fault_bytes = kBus;
        options.max_burst = kBurst * kPieces;
        return options;
    }

    bool idle() const {
        return reads_.idle() && writes_.idle() && w_beats_.empty() && !top_.core_awvalid &&
               !top_.core_arvalid && expected_reads_.empty() && expected_writes_.empty() &&
               wanted_errors_[0].empty() && wanted_errors_[1].empty();
    }

    void reset() {
        top_.core_awvalid = top_.core_wvalid = top_.core_arvalid = 0;
        drive_axi(top_, pins_, kAxi);
        top_.rst_n = 1;
        top_.clk = 0;
        top_.eval();
        top_.rst_n = 0;
        for (int i = 0; i < 4; ++i) {
            top_.clk = 0;
            top_.eval();
            context_.timeInc(1);
            top_.clk = 1;
            top_.eval();
        }
        top_.rst_n = 1;
    }

    void tick(bool more) {
        top_.clk = 0;
        top_.eval();
        sample_axi(top_, pins_, kAxi);
        sample_full_axi(top_, pins_);
        // What memory answers at this edge the model hears of at once, and the core later.
        if (pins_.r_valid && pins_.r_ready) {
            read_piece();
        }
        if (pins_.b_valid && pins_.b_ready) answer_write();
        check_core();
        check_errors();
        const bool ar = top_.core_arvalid && top_.core_arready;
        const bool aw = top_.core_awvalid && top_.core_awready;
        const bool w = top_.core_wvalid && top_.core_wready;
        if (ar) reads_.request(top_.core_arid, top_.core_araddr, top_.core_arlen + 1);
        if (aw) writes_.request(top_.core_awid, top_.core_awaddr, top_.core_awlen + 1);
        if (ar) beats_ += top_.core_arlen + 1;
        if (w) {
            ++beats_;
            w_beats_.pop_front();
        }
        top_.clk = 1;
        top_.eval();
        axi_.clock(pins_);
        drive_axi(top_, pins_, kAxi);
        drive_full_axi(top_, pins_);
        if (!top_.core_arvalid || ar) drive_read(more);
        if (!top_.core_awvalid || aw) drive_write(more);
        if (!top_.core_wvalid || w) drive_data();
        top_.core_bready = !pause();
        top_.core_rready = !pause();
    }

    /// A beat of the bus: in its lane of a wider one, or a piece of a beat of the core.
    void read_piece() {
        const std::uint64_t lane = kAxi > kBus ? reads_.addr() % kAxi / kBus * kBus : 0;
        std::memcpy(piece_.data + piece_.count * std::min(kBus, kAxi), pins_.r_data + lane,
                    std::min(kBus, kAxi));
        if (piece_.resp < 2) piece_.resp = pins_.r_resp;
        if (++piece_.count < kPieces) return;
        expected_reads_.push_back({reads_.read_beat(piece_.resp), {}});
        Expected& read = expected_reads_.back();
        if (!read.answer.zero) std::memcpy(read.data, piece_.data, kBus);
        if (read.answer.error) wanted_errors_[0].push_back(*read.answer.error);
        piece_ = {};
    }

    bool pause() { return random_.chance(case_.idle); }

    /// Where some beats of a transaction begin: they do not leave a block of the longest one.
    std::uint64_t start_of(int beats) {
        const std::uint64_t block = random_.word() % kRegion / (kBurst * kBus) * (kBurst * kBus);
        return block + static_cast<std::uint64_t>(random_.in(0, kBurst - beats) * kBus);
    }

    void drive_read(bool more) {
        top_.core_arvalid = more && !pause();
        const int beats = random_.in(1, kBurst);
        top_.core_arid = static_cast<std::uint8_t>(random_.in(0, 9));
        top_.core_arlen = static_cast<std::uint8_t>(beats - 1);
        put_number(top_.core_araddr, start_of(beats));
    }

    /// Transactions of the core have one beat; the bridge knows longer ones.
    void drive_write(bool more) {
        top_.core_awvalid = more && w_beats_.size() < 2 * kBurst && !pause();
        if (!top_.core_awvalid) return;
        const int beats = random_.chance(50) ? 1 : random_.in(1, kBurst);
        const std::uint64_t addr = start_of(beats) + random_.word() % kBus / kAtom * kAtom;
        top_.core_awid = static_cast<std::uint8_t>(random_.in(1, 3));
        top_.core_awlen = static_cast<std::uint8_t>(beats - 1);
        put_number(top_.core_awaddr, addr);
        for (int i = 0; i < beats; ++i) {
            WriteBeat beat{};
            for (std::uint8_t& byte : beat.data)
                byte = static_cast<std::uint8_t>(random_.word());
            const std::uint64_t atom = kAtom < 64 ? (std::uint64_t{1} << kAtom) - 1 : ~0ull;
            beat.addr = i == 0 ? addr : addr / kBus * kBus + static_cast<std::uint64_t>(i * kBus);
            beat.strobes = atom << beat.addr % kBus;
            beat.last = i == beats - 1;
            w_beats_.push_back(beat);
            written_.push_back(beat);
        }
    }

    /// What was written without an error is in memory.
    void answer_write() {
        const model::CoreAnswer answer = writes_.write_answer(pins_.b_resp);
        expected_writes_.push_back(answer);
        if (answer.error) wanted_errors_[1].push_back(*answer.error);
        WriteBeat beat;
        do {
            beat = written_.front();
            written_.pop_front();
            for (std::uint64_t i = 0; i < kBus && !answer.error; ++i) {
                if ((beat.strobes >> i & 1) != 0)
                    shadow_.write(beat.addr / kBus * kBus + i, beat.data[i]);
            }
        } while (!beat.last);
    }

    void drive_data() {
        top_.core_wvalid = !w_beats_.empty() && !pause();
        if (!top_.core_wvalid) return;
        put_bytes(top_.core_wdata, w_beats_.front().data, kBus);
        put_number(top_.core_wstrb, w_beats_.front().strobes);
        top_.core_wlast = w_beats_.front().last;
    }

    void check_core() {
        if (top_.core_rvalid && top_.core_rready) {
            ASSERT_FALSE(expected_reads_.empty());
            const Expected want = expected_reads_.front();
            expected_reads_.pop_front();
            EXPECT_EQ(top_.core_rid, want.answer.client);
            EXPECT_EQ(top_.core_rlast != 0, want.answer.last);
            std::uint8_t data[64] = {};
            get_bytes(top_.core_rdata, data, kBus);
            EXPECT_EQ(std::memcmp(data, want.data, kBus), 0);
        }
        if (top_.core_bvalid && top_.core_bready) {
            ASSERT_FALSE(expected_writes_.empty());
            EXPECT_EQ(top_.core_bid, expected_writes_.front().client);
            expected_writes_.pop_front();
        }
    }

    /// Errors are told in the order of the answers.
    void check_errors() {
        for (int kind : {0, 1}) {
            if ((top_.error >> kind & 1) == 0) continue;
            ++errors_;
            std::uint64_t addr = 0;
            for (int bit = 0; bit < dla_params::addr_w; bit += 8) {
                const int width = std::min(8, dla_params::addr_w - bit);
                const int lo = kind * dla_params::addr_w + bit;
                addr |= std::uint64_t{get_bits(top_.error_addr, lo, width)} << bit;
            }
            ASSERT_FALSE(wanted_errors_[kind].empty());
            const model::BusError want = wanted_errors_[kind].front();
            wanted_errors_[kind].pop_front();
            EXPECT_EQ(addr, want.addr);
            EXPECT_EQ(top_.error_client >> (4 * kind) & 15u, want.client);
            EXPECT_EQ((top_.error_decode >> kind & 1) != 0, want.decode);
        }
    }

    struct Expected {
        model::CoreAnswer answer;
        std::uint8_t data[64];
    };

    struct Piece {
        std::uint8_t data[64] = {};
        std::uint32_t resp = 0;
        int count = 0;
    };

    Case case_;
    RandomState context_;
    Vdut top_;
    verif::Memory memory_{"memory"};
    verif::AxiMemory axi_;
    verif::AxiPins pins_;
    verif::Random random_;
    model::AxiMem reads_{kBus}, writes_{kBus};
    Piece piece_;  ///< of a beat of the core
    std::deque<Expected> expected_reads_;
    std::deque<model::CoreAnswer> expected_writes_;
    std::deque<model::BusError> wanted_errors_[2];  ///< of reads, of writes
    verif::Memory shadow_{"shadow"};
    std::deque<WriteBeat> written_;  ///< not yet answered
    std::deque<WriteBeat> w_beats_;
    std::uint64_t errors_ = 0;
    int beats_ = 0;  ///< asked for and written
};

TEST(AxiMem, RandomTransactions) {
    for (const Case& c : {Case{0, 0.0, 1, 0.0, 1}, {0, 0.0, 40, 0.1, 2}, {50, 0.5, 5, 0.02, 3},
                          {10, 0.9, 1, 0.5, 4}, {90, 0.0, 300, 0.1, 5}, {0, 0.2, 200, 0.0, 6}}) {
        Bench bench(c);
        bench.run(15000);
        ASSERT_FALSE(HasFailure()) << "seed " << c.seed;
        EXPECT_GT(bench.beats(), 1000);
    }
}

/// A beat per cycle and direction: no pauses of its own.
TEST(AxiMem, GoesAtFullSpeed) {
    Bench bench({0, 0.0, 20, 0.0, 7});
    bench.run(10000);
    EXPECT_GT(bench.beats(), 19500 / kPieces);
}

}  // namespace
}  // namespace macrame::tb
