/// Unit test of dla_mcif: random traffic, also across resets of the accelerator alone, throughput,
/// shares of the clients. cvif_tb.cpp is the same for dla_cvif.

#include "tb/dla/unit/mcif_bench.hpp"

namespace macrame::tb {
namespace {

/// Gives every client something to do. Returns how many writes want to know when they are done.
int ask(Bench& b, int longest, int most_atoms, int writes) {
    for (auto& queue : b.requests_) {
        for (int atoms = 0; atoms < most_atoms; atoms += queue.back().atoms) {
            queue.push_back(b.random_request(longest));
        }
    }
    int lasts = 0;
    for (int i = 0; i < writes; ++i) {
        Write w{kWriteBase + b.rng_() % kRegionAtoms * kAtom, Bytes(kAtom), b.chance(0.05)};
        for (auto& byte : w.data)
            byte = static_cast<std::uint8_t>(b.rng_());
        lasts += w.last;
        // A region per writer: they overtake each other.
        const std::size_t writer = b.rng_() % kWriters;
        w.addr += writer * kRegionAtoms * kAtom;
        b.writes_[writer].push_back(w);
    }
    return lasts;
}

/// Lets everything come to its end, with `lasts` completions, and looks at what memory holds.
void finish(Bench& b, int lasts) {
    const int before = b.completes_;
    b.run();
    ASSERT_FALSE(b.busy()) << "stuck";
    b.check_answers();
    EXPECT_EQ(b.completes_ - before, lasts);
    Memory want;
    for (const Write& w : b.written_)
        want.load(w.addr, w.data);
    for (const Write& w : b.written_) {
        ASSERT_EQ(b.memory_.dump(w.addr, kAtom), want.dump(w.addr, kAtom));
    }
    EXPECT_EQ(b.axi_->violations(), std::vector<std::string>{});
    EXPECT_TRUE(b.idle_bit());
    for (const auto& transactions : b.transactions_) {
        EXPECT_NE(std::find(kIds.begin(), kIds.end(), transactions.first), kIds.end());
    }
}

void random_traffic(const Conditions& c, std::uint64_t seed) {
    SCOPED_TRACE(std::string(c.name) + ", seed " + std::to_string(seed));
    Bench b(c, seed);
    b.gap_ = c.gap;
    finish(b, ask(b, c.longest, 1200, 600));
}

/// Resets the accelerator at any moment, time and again; memory goes on.
void random_resets(const Conditions& c, std::uint64_t seed) {
    SCOPED_TRACE(std::string(c.name) + ", seed " + std::to_string(seed));
    Bench b(c, seed);
    b.gap_ = c.gap;
    for (int round = 0; round < 20; ++round) {
        ask(b, c.longest, 600, 300);
        for (auto steps = b.rng_() % (round % 2 == 0 ? 20 : 500); steps > 0; --steps)
            b.step();
        if (::testing::Test::HasFailure()) return;
        b.reset(1 + static_cast<int>(b.rng_() % 40));
    }
    finish(b, ask(b, c.longest, 600, 300));
}

class Mcif : public ::testing::TestWithParam<Conditions> {};

TEST_P(Mcif, AnswersEveryRequestAndWritesEveryAtom) {
    for (std::uint64_t seed : {1u, 2u, 3u})
        random_traffic(GetParam(), seed);
}

TEST_P(Mcif, MayBeResetAlone) {
    for (std::uint64_t seed : {1u, 2u, 3u})
        random_resets(GetParam(), seed);
}

INSTANTIATE_TEST_SUITE_P(Conditions, Mcif,
                         ::testing::Values(Conditions{"NoStall", 1, 0.0, 0.0, false, 40, 255},
                                           Conditions{"SingleAtoms", 20, 0.0, 0.0, true, 1, 255},
                                           Conditions{"Random", 12, 0.4, 0.3, true, 40, 255},
                                           Conditions{"Worst", 30, 0.9, 0.0, true, 100, 255},
                                           Conditions{"SlowMemory", 700, 0.1, 0.0, true, 40, 255},
                                           Conditions{"SlowClients", 3, 0.1, 0.9, true, 9, 255},
                                           Conditions{"Limit8", 40, 0.2, 0.1, true, 40, 7},
                                           Conditions{"Limit4", 10, 0.0, 0.0, true, 40, 3},
                                           Conditions{"Limit1", 5, 0.0, 0.0, false, 10, 0}),
                         [](const auto& test) { return std::string(test.param.name); });

constexpr Conditions kIdeal{"Ideal", 32, 0.0, 0.0, false, 1, 255};

TEST(McifThroughput, OneTransactionPerCycle) {
    for (int longest : {1, 64}) {
        for (int client = 0; client < kClients; ++client) {
            Bench b(kIdeal, 1);
            int atoms = 0;
            while (atoms < 512) {
                b.requests_[static_cast<std::size_t>(client)].push_back(
                    {kReadBase + static_cast<std::uint64_t>(atoms) * kAtom, longest});
                atoms += longest;
            }
            const auto start = b.cycle_;
            while (b.atoms_ < 512 && b.cycle_ < start + 5000)
                b.step();
            // Latency of the memory, of AR and R, and what a bus of several atoms brings along.
            EXPECT_LE(b.cycle_ - start, 512u + 32u + 4u + 8u) << longest << " client " << client;
        }
    }
}

/// Weights alone: as many atoms per cycle as CDMA takes, from either half of a beat on.
TEST(McifThroughput, WeightsInPairs) {
    for (std::uint64_t first : {0u, 1u}) {
        Bench b(kIdeal, 1);
        for (std::uint64_t i = 0; i < 512; i += 64)
            b.requests_[1].push_back({kReadBase + (first + i) * kAtom, 64});
        const auto start = b.cycle_;
        while (b.atoms_ < 512 && b.cycle_ < start + 5000)
            b.step();
        // A request that begins in the upper half has a pair more.
        const auto pairs = 512u / kWeightAtoms + (kWeightAtoms > 1 ? 8u * first : 0u);
        EXPECT_LE(b.cycle_ - start, pairs + 32u + 4u + 8u) << first;
        EXPECT_GE(b.cycle_ - start, pairs) << first;
    }
}

/// Cycles that data and weights take, 512 atoms of each. Their requests are as those of CDMA.
std::uint64_t cycles_of_both() {
    Bench b(kIdeal, 1);
    for (std::size_t client : {0u, 1u}) {
        for (std::uint64_t i = 0; i < 512; i += 8)
            b.requests_[client].push_back({kReadBase + i * kAtom, 8});
    }
    const auto start = b.cycle_;
    while (b.atoms_ < 1024 && b.cycle_ < start + 5000)
        b.step();
    return b.cycle_ - start;
}

TEST(McifThroughput, DataAndWeights) {
    const std::uint64_t atoms = kWeightsApart ? 512 : 1024;
    EXPECT_LE(cycles_of_both(), atoms + 32u + 4u + 8u);
    EXPECT_GE(cycles_of_both(), atoms);
}

TEST(McifThroughput, OneWritePerCycle) {
    Bench b(kIdeal, 1);
    for (std::uint64_t i = 0; i < 200; ++i) {
        b.writes_[i % kWriters].push_back(
            {kWriteBase + i * kAtom, Bytes(kAtom, std::uint8_t(i)), i == 199});
    }
    const auto start = b.cycle_;
    while (b.completes_ == 0 && b.cycle_ < start + 5000)
        b.step();
    EXPECT_LE(b.cycle_ - start, 200u + 32u + 6u);
}

/// Transactions of every client when all of them always ask.
std::array<int, kClients> shares_of(const std::vector<int>& weights, int transactions) {
    model::McifArbiter arbiter(weights);
    std::array<int, kClients> out{};
    for (int i = 0; i < transactions; ++i) {
        const int client = arbiter.grant(std::vector<bool>(kClients, true));
        arbiter.served(client);
        ++out[static_cast<std::size_t>(client)];
    }
    return out;
}

TEST(McifWeights, ShareTransactions) {
    const std::vector<int> shared = {4, 2, 1, 0, 8, 3};
    const std::vector<unsigned> weights(shared.begin(), shared.end());
    Bench b(kIdeal, 1);
    b.arbiter_.set_weights(shared);
    b.csb_write(0, weights[2] << 8 | weights[5] << 24);               // SDP, CDP
    b.csb_write(1, weights[3] | weights[4] << 8 | weights[0] << 24);  // SDP_B, SDP_N, data
    b.csb_write(2, weights[1]);                                       // weights
    for (auto& queue : b.requests_)
        queue.assign(4000, {kReadBase, 1});
    const int before = static_cast<int>(b.cycle_);
    for (int i = 0; i < 1500; ++i)
        b.step();
    EXPECT_GT(b.turns_checked_, 20);
    int all = 0;
    for (const auto& entry : b.transactions_)
        all += entry.second;
    if (kAtomsPerBeat == 1) {
        EXPECT_GE(all, static_cast<int>(b.cycle_) - before - 3);
    }
    const std::array<int, kClients> shares = shares_of(shared, all);
    for (std::size_t c = 0; c < kClients; ++c) {
        EXPECT_NEAR(b.transactions_[kIds[c]], shares[c], 16) << c;
    }
    // Weight 0 is served when it is alone.
    for (std::size_t c = 0; c < kClients; ++c) {
        if (c != 3) b.requests_[c].resize(1);
    }
    for (int i = 0; i < 300; ++i)
        b.step();
    EXPECT_GT(b.transactions_[kIds[3]], 100);
}

}  // namespace
}  // namespace macrame::tb
