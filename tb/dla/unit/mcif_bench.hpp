#pragma once
/// dla_mcif with its clients, on the AXI memory. Against the model on the way: how requests are
/// cut, whose turn it is, which bytes are written, how much is in flight, when a write is complete.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/unit/mcif_ports.hpp"
#include "verif/common/axi_memory.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/model/mcif.hpp"

namespace macrame::tb {

/// The unit with its clients and its memory.
class Bench {
public:
    Bench(const Conditions& conditions, std::uint64_t seed) : context_(seed) {
        start(conditions, seed);
    }

    static verif::AxiMemoryOptions options(const Conditions& c, std::uint64_t seed) {
        verif::AxiMemoryOptions o;
        o.latency = c.latency;
        o.stall = c.stall;
        o.interleave = c.interleave;
        o.seed = seed;
        o.bus_bytes = kBusBytes;
        o.max_burst = kMaxBurst;
        return o;
    }

    void start(const Conditions& c, std::uint64_t seed) {
        rng_.seed(seed);
        dut_ = std::make_unique<Vdut>(&context_);
        memory_.clear();
        Bytes content(2 * kRegionAtoms * kAtom);
        for (auto& byte : content)
            byte = static_cast<std::uint8_t>(rng_());
        memory_.load(kReadBase, content);
        axi_ = std::make_unique<verif::AxiMemory>(memory_, options(c, seed));
        power_on();
        for (int i = 0; i < 200; ++i)
            step();  // register file writes its reset values
        csb_write(5, c.limit | c.limit << 8);
        limit_ = c.limit;
    }

    /// Resets all, memory as well. The resets fall first: flops need an edge.
    void power_on() {
        dut_->clk = 0;
        dut_->TO_MIF(csb, _valid) = 0;
        dut_->rst_n = dut_->por_n = 1;
        silence(*dut_);
        take_requests_back();
        drive_axi();
        dut_->eval();
        dut_->rst_n = dut_->por_n = 0;
        step();
        step();
        dut_->rst_n = dut_->por_n = 1;
    }

    /// Resets the accelerator alone. What AXI may have seen goes on, clients get none of it.
    void reset(int cycles) {
        take_requests_back();
        dut_->rst_n = 0;
        step();
        // Reads from before the reset are known by their region.
        if (region_used_) {
            stale_cut_ = cut_;
            region_ = 1 - region_;
            region_used_ = false;
        }
        for (std::size_t c = 0; c < kClients; ++c) {
            cut_[c].clear();
            expected_[c].clear();
            answers_[c].clear();
            stale_reads_[c] += open_reads_[c];
            open_reads_[c] = 0;
        }
        for (auto& lasts : lasts_)
            lasts.clear();
        presented_ = {};
        turns_ = {};
        arbiter_ = model::McifArbiter(std::vector<int>(kClients, 1));
        limit_ = 255;
        for (int i = 1; i < cycles; ++i)
            step();
        dut_->rst_n = 1;
    }

    void take_requests_back() {
        for (int c = 0; c < kClients; ++c)
            with_client(c, [](auto& valid, auto&, auto&, auto&, auto&, auto&) { valid = 0; });
        for (std::size_t w = 0; w < kWriters; ++w) {
            with_writer(w, [](auto& valid, auto&, auto&, auto&, auto&, auto&) { valid = 0; });
            writes_[w].clear();
        }
        for (auto& queue : requests_)
            queue.clear();
        accepted_ = {};
    }

    void csb_write(unsigned word, std::uint32_t value) {
        dut_->TO_MIF(csb, _valid) = 1;
        dut_->csb_write = 1;
        dut_->csb_addr = word & 0x3FF;
        dut_->csb_wdata = value;
        step();
        dut_->TO_MIF(csb, _valid) = 0;
        step();
    }

    bool idle_bit() {
        dut_->TO_MIF(csb, _valid) = 1;
        dut_->csb_write = 0;
        dut_->csb_addr = 6;
        step();
        dut_->TO_MIF(csb, _valid) = 0;
        step();
        return (dut_->FROM_MIF(csb, _rdata) >> 8 & 1) != 0;
    }

    bool chance(double probability) {
        return std::uniform_real_distribution<>(0.0, 1.0)(rng_) < probability;
    }

    static std::uint64_t region_base(int region) {
        return kReadBase + static_cast<std::uint64_t>(region) * kRegionAtoms * kAtom;
    }

    /// The transaction at AR was asked for before the last reset.
    bool ar_is_stale() const { return (pins_.ar_addr >= region_base(1)) != (region_ == 1); }

    Request random_request(int longest) {
        const auto atoms = 1 + static_cast<int>(rng_() % static_cast<unsigned>(longest));
        const auto first = rng_() % static_cast<unsigned>(kRegionAtoms - atoms + 1);
        return {region_base(region_) + first * kAtom, atoms};
    }

    /// Calls f(valid, ready, addr, size, rsp_valid, rsp_data) with the ports of a read client.
    template <typename F>
    void with_client(int client, F f) {
        Vdut& d = *dut_;
        switch (client) {
#define CLIENT(i, x)                                                                             \
    case i:                                                                                      \
        f(d.TO_MIF(x, _rd_req_valid), d.TO_MIF(x, _rd_req_ready), d.TO_MIF(x, _rd_req_addr),     \
          d.TO_MIF(x, _rd_req_size), d.FROM_MIF(x, _rd_rsp_valid), d.FROM_MIF(x, _rd_rsp_data)); \
        break;
            CLIENT(0, cdma_dat)
            CLIENT(1, cdma_wt)
            CLIENT(2, sdp)
            CLIENT(3, sdp_b)
            CLIENT(4, sdp_n)
            CLIENT(5, cdp)
#undef CLIENT
            default:
                break;
        }
    }

    /// Calls f(valid, ready, addr, data, last, complete) with the ports of a write client.
    template <typename F>
    void with_writer(std::size_t writer, F f) {
        Vdut& d = *dut_;
        if (writer == 0) {
            f(d.TO_MIF(sdp, _wr_req_valid), d.TO_MIF(sdp, _wr_req_ready),
              d.TO_MIF(sdp, _wr_req_addr), d.TO_MIF(sdp, _wr_req_data), d.TO_MIF(sdp, _wr_req_last),
              d.FROM_MIF(sdp, _wr_rsp_complete));
        } else {
            f(d.TO_MIF(cdp, _wr_req_valid), d.TO_MIF(cdp, _wr_req_ready),
              d.TO_MIF(cdp, _wr_req_addr), d.TO_MIF(cdp, _wr_req_data), d.TO_MIF(cdp, _wr_req_last),
              d.FROM_MIF(cdp, _wr_rsp_complete));
        }
    }

    /// One clock cycle: present requests, let everything settle, look, rising edge.
    void step() {
        Vdut& d = *dut_;
        present_reads();
        present_writes();
        drive_axi();
        d.clk = 0;
        d.eval();
        ++cycle_;
        sample_axi();
        if (d.por_n) {
            look_at_axi();
            axi_->clock(pins_);
        }
        look_at_clients();
        context_.timeInc(1);
        d.clk = 1;
        d.eval();
        retire();
        presented_[2] = presented_[1];
        presented_[1] = presented_[0];
    }

    void present_reads() {
        for (int c = 0; c < kClients; ++c) {
            with_client(c, [&](auto& valid, auto&, auto& addr, auto& size, auto&, auto&) {
                auto& queue = requests_[static_cast<std::size_t>(c)];
                if (!valid && !queue.empty() && !chance(gap_)) {
                    valid = 1;
                    put_number(addr, queue.front().addr);
                    put_number(size, queue.front().atoms - 1);
                    const auto cut =
                        model::mcif_cut(kSizes, queue.front().addr, queue.front().atoms);
                    auto& wanted = cut_[static_cast<std::size_t>(c)];
                    wanted.insert(wanted.end(), cut.begin(), cut.end());
                    presented_[0][static_cast<std::size_t>(c)] += static_cast<int>(cut.size());
                }
            });
        }
    }

    void present_writes() {
        for (std::size_t w = 0; w < kWriters; ++w) {
            with_writer(w, [&](auto& valid, auto&, auto& addr, auto& data, auto& last, auto&) {
                auto& queue = writes_[w];
                if (valid || queue.empty() || chance(gap_)) return;
                valid = 1;
                put_number(addr, queue.front().addr);
                put_bytes(data, queue.front().data);
                last = queue.front().last;
            });
        }
    }

    /// Takes back what was accepted.
    void retire() {
        for (int c = 0; c < kClients; ++c) {
            if (!accepted_[static_cast<std::size_t>(c)]) continue;
            with_client(c, [&](auto& valid, auto&, auto&, auto&, auto&, auto&) { valid = 0; });
            requests_[static_cast<std::size_t>(c)].pop_front();
        }
        for (std::size_t w = 0; w < kWriters; ++w) {
            if (!write_accepted_[w]) continue;
            with_writer(w, [](auto& valid, auto&, auto&, auto&, auto&, auto&) { valid = 0; });
            ++writes_accepted_[w];
            writers_.push_back(kWriterIds[w]);
            auto& queue = writes_[w];
            written_.emplace_back(queue.front());
            if (queue.front().last) lasts_[w].push_back(writes_accepted_[w]);
            queue.pop_front();
        }
    }

    void drive_axi() {
        Vdut& d = *dut_;
        d.AXI(_aw_awready) = pins_.aw_ready;
        d.AXI(_w_wready) = pins_.w_ready;
        d.AXI(_ar_arready) = pins_.ar_ready;
        d.AXI(_b_bvalid) = pins_.b_valid;
        d.AXI(_b_bid) = pins_.b_id & 15u;
        d.AXI(_r_rvalid) = pins_.r_valid;
        d.AXI(_r_rid) = pins_.r_id & 15u;
        put_rlast<kAtomsPerBeat>(d, pins_.r_last);
        put_bytes(d.AXI(_r_rdata), pins_.r_data, kBusBytes);
    }

    void sample_axi() {
        Vdut& d = *dut_;
        pins_.aw_valid = d.AXI(_aw_awvalid) != 0;
        pins_.aw_id = d.AXI(_aw_awid);
        pins_.aw_len = d.AXI(_aw_awlen);
        pins_.aw_addr = d.AXI(_aw_awaddr);
        pins_.w_valid = d.AXI(_w_wvalid) != 0;
        pins_.w_last = d.AXI(_w_wlast) != 0;
        get_bytes(d.AXI(_w_wstrb), pins_.w_strb, (kBusBytes + 7) / 8);
        get_bytes(d.AXI(_w_wdata), pins_.w_data, kBusBytes);
        pins_.b_ready = d.AXI(_b_bready) != 0;
        pins_.ar_valid = d.AXI(_ar_arvalid) != 0;
        pins_.ar_id = d.AXI(_ar_arid);
        pins_.ar_len = d.AXI(_ar_arlen);
        pins_.ar_addr = d.AXI(_ar_araddr);
        pins_.r_ready = d.AXI(_r_rready) != 0;
    }

    void look_at_axi() {
        if (pins_.ar_valid && ar_free_) look_at_turn();
        ar_free_ = !pins_.ar_valid || pins_.ar_ready;
        calm_ = !pins_.ar_valid || (calm_ && pins_.ar_ready);
        notes_free_ = *std::max_element(open_reads_.begin(), open_reads_.end()) < kNotes;
        if (pins_.ar_valid && pins_.ar_ready) look_at_read();
        if (pins_.r_valid && pins_.r_ready) --beats_;
        if (pins_.r_valid && pins_.r_ready && pins_.r_last) {
            const auto c = static_cast<std::size_t>(client_of(pins_.r_id));
            if (c < kClients) --(stale_reads_[c] > 0 ? stale_reads_ : open_reads_)[c];
        }
        if (pins_.aw_valid && pins_.aw_ready) {
            ASSERT_FALSE(writers_.empty()) << "a write of nobody";
            EXPECT_EQ(pins_.aw_id, writers_.front());
            writers_.pop_front();
            EXPECT_EQ(pins_.aw_len, 0u);
            EXPECT_EQ(pins_.aw_addr, written_.at(aw_count_++).addr);
            ++open_writes_;
        }
        if (pins_.w_valid && pins_.w_ready) {
            std::uint64_t strobes = 0;
            get_bytes(pins_.w_strb, reinterpret_cast<std::uint8_t*>(&strobes), sizeof strobes);
            EXPECT_EQ(strobes, model::mcif_strobes(kSizes, written_.at(w_count_++).addr));
        }
        if (pins_.b_valid && pins_.b_ready) {
            --open_writes_;
            ++answered_writes_[pins_.b_id == kWriterIds[0] ? 0 : 1];
        }
        EXPECT_LE(beats_, model::mcif_most_beats(kSizes, static_cast<int>(limit_)));
        EXPECT_LE(open_writes_, model::mcif_most_writes(static_cast<int>(limit_)));
        if (kAtomsPerBeat == 1) {
            EXPECT_TRUE(pins_.r_ready) << "R cannot stall";
        }
    }

    static int client_of(unsigned id) {
        return static_cast<int>(std::find(kIds.begin(), kIds.end(), id) - kIds.begin());
    }

    /// A transaction has arrived at AR. It got its turn two cycles ago if AR never had to wait.
    void look_at_turn() {
        const int client = client_of(pins_.ar_id);
        ASSERT_LT(client, kClients) << "id " << pins_.ar_id;
        const auto c = static_cast<std::size_t>(client);
        if (ar_is_stale()) {
            EXPECT_FALSE(region_used_) << "behind one from after the reset";
            ++stale_reads_[c];
            return;
        }
        std::vector<bool> asked(kClients);
        for (std::size_t i = 0; i < kClients; ++i)
            asked[i] = presented_[2][i] > turns_[i];
        // A client whose notes may be full asks or does not: then any turn is right.
        if (calm_ && (kAtomsPerBeat == 1 || notes_free_)) {
            EXPECT_EQ(client, arbiter_.grant(asked)) << "cycle " << cycle_;
            ++turns_checked_;
        }
        EXPECT_EQ(std::count(stale_reads_.begin(), stale_reads_.end(), 0), kClients)
            << "answers from before the reset are missing";
        arbiter_.served(client);
        region_used_ = true;
        ++turns_[c];
        ++open_reads_[c];
    }

    /// A transaction is on its way: the next one of its client.
    void look_at_read() {
        ++transactions_[pins_.ar_id];
        beats_ += static_cast<int>(pins_.ar_len) + 1;
        const auto c = static_cast<std::size_t>(client_of(pins_.ar_id));
        ASSERT_LT(c, cut_.size()) << "id " << pins_.ar_id;
        auto& cut = (ar_is_stale() ? stale_cut_ : cut_)[c];
        ASSERT_FALSE(cut.empty()) << "nobody asked, client " << c << " cycle " << cycle_;
        const model::McifTransaction want = cut.front();
        cut.pop_front();
        EXPECT_EQ(pins_.ar_addr, want.addr) << "client " << c << " cycle " << cycle_;
        EXPECT_EQ(pins_.ar_len + 1, static_cast<unsigned>(want.beats))
            << "client " << c << " cycle " << cycle_;
        if (ar_is_stale()) return;
        const auto atoms = model::mcif_atoms(kSizes, want);
        expected_[c].insert(expected_[c].end(), atoms.begin(), atoms.end());
    }

    void look_at_clients() {
        for (int c = 0; c < kClients; ++c) {
            const auto i = static_cast<std::size_t>(c);
            with_client(c, [&](auto& valid, auto& ready, auto&, auto&, auto& rsp, auto& data) {
                accepted_[i] = valid && ready && dut_->rst_n;
                if (!rsp || !dut_->por_n) return;
                EXPECT_TRUE(dut_->rst_n) << "answer in reset";
                const int lanes = i == 1 ? kWeightAtoms : 1;
                const Bytes bytes = get_bytes(data, lanes * p::atom_bytes);
                for (int lane = 0; lane < lanes; ++lane) {
                    if ((rsp >> lane & 1) != 0) take_answer(i, bytes, lane, lanes);
                }
            });
        }
        for (std::size_t w = 0; w < kWriters; ++w) {
            with_writer(w, [&](auto& valid, auto& ready, auto&, auto&, auto&, auto& complete) {
                write_accepted_[w] = valid && ready && dut_->rst_n;
                if (!complete || !dut_->por_n) return;
                ASSERT_FALSE(lasts_[w].empty()) << "complete without a last write";
                EXPECT_GE(answered_writes_[w], lasts_[w].front()) << "complete before the answer";
                lasts_[w].pop_front();
                ++completes_;
            });
        }
    }

    /// An atom for client `i`: one of `lanes` side by side, where the next one that it wants lies.
    void take_answer(std::size_t i, const Bytes& bytes, int lane, int lanes) {
        const std::size_t number = answers_[i].size();
        ASSERT_LT(number, expected_[i].size()) << "answer too many, client " << i;
        EXPECT_EQ(expected_[i][number] / kAtom % static_cast<unsigned>(lanes),
                  static_cast<unsigned>(lane))
            << "client " << i << " cycle " << cycle_;
        const auto first = bytes.begin() + lane * p::atom_bytes;
        answers_[i].emplace_back(first, first + p::atom_bytes);
        ++atoms_;
    }

    /// All answers so far against memory, in request order.
    void check_answers() {
        for (std::size_t c = 0; c < kClients; ++c) {
            EXPECT_TRUE(cut_[c].empty()) << "client " << c;
            ASSERT_EQ(answers_[c].size(), expected_[c].size()) << "client " << c;
            for (std::size_t i = 0; i < answers_[c].size(); ++i) {
                ASSERT_EQ(answers_[c][i], memory_.dump(expected_[c][i], kAtom))
                    << "client " << c << " atom " << i;
            }
        }
    }

    void run() {
        int quiet = 0;  // the last transaction may still be on its way, beats may wait
        for (int i = 0; i < 200000 && quiet < 6 * kAtomsPerBeat + 4; ++i) {
            step();
            quiet = busy() || !axi_->idle() ? 0 : quiet + 1;
        }
    }

    bool busy() const {
        for (const auto& queue : requests_) {
            if (!queue.empty()) return true;
        }
        for (const auto& cut : cut_) {
            if (!cut.empty()) return true;
        }
        return !writes_[0].empty() || !writes_[1].empty();
    }

    RandomState context_;
    std::unique_ptr<Vdut> dut_;
    Memory memory_;
    std::unique_ptr<verif::AxiMemory> axi_;
    verif::AxiPins pins_;
    std::mt19937_64 rng_;
    double gap_ = 0.0;
    unsigned limit_ = 255;
    std::uint64_t cycle_ = 0;
    std::array<std::deque<Request>, kClients> requests_;
    std::array<std::deque<model::McifTransaction>, kClients> cut_;  ///< not yet on their way
    std::array<std::vector<std::uint64_t>, kClients> expected_;     ///< atoms on their way
    std::array<std::vector<Bytes>, kClients> answers_;
    std::array<bool, kClients> accepted_{};
    std::array<bool, kWriters> write_accepted_{};
    model::McifArbiter arbiter_{std::vector<int>(kClients, 1)};
    int region_ = 0;            ///< of memory, that clients read
    bool region_used_ = false;  ///< AR has seen one of it
    /// Of the last region, not on their way when the reset came.
    std::array<std::deque<model::McifTransaction>, kClients> stale_cut_;
    /// Transactions asked for up to this cycle, the one before, the one before that.
    std::array<std::array<int, kClients>, 3> presented_{};
    std::array<int, kClients> turns_{};        ///< transactions that AR has seen
    std::array<int, kClients> open_reads_{};   ///< transactions
    std::array<int, kClients> stale_reads_{};  ///< from before the last reset
    bool ar_free_ = true, notes_free_ = true;  ///< in the cycle before
    bool calm_ = true;                         ///< nothing waits in front of AR
    int turns_checked_ = 0;
    std::size_t aw_count_ = 0, w_count_ = 0;
    std::array<std::deque<Write>, kWriters> writes_;
    std::deque<unsigned> writers_;  ///< of the writes that AXI has not seen
    std::vector<Write> written_;
    std::array<std::deque<int>, kWriters>
        lasts_;  ///< the writer's writes up to and with each pending last one
    std::array<int, kWriters> writes_accepted_{}, answered_writes_{};
    std::map<unsigned, int> transactions_;
    int beats_ = 0, open_writes_ = 0, completes_ = 0;
    std::uint64_t atoms_ = 0;
};

}  // namespace macrame::tb
