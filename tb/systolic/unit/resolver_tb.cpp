/// Unit test of systolic_resolver, in every cycle against its cycle model; and what it does against
/// the definition: order of each module, tokens, places of queues and tokens, illegal words.

#include "verif/systolic/cycles/resolver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <vector>

#include "systolic_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/unit_bench.hpp"
#include "tb/systolic/system/architecture.hpp"
#include "verif/systolic/model/scheduler.hpp"

namespace {

namespace p = systolic_params;
using macrame::systolic::Instruction;
using macrame::systolic::kModuleCount;
using macrame::systolic::kModules;
using macrame::systolic::kTokenQueues;
using macrame::systolic::Module;
using macrame::systolic::number;
using macrame::systolic::popped;
using macrame::systolic::pushed;
using macrame::systolic::Scheduler;
using macrame::systolic::Tokens;
using macrame::systolic::Word;
using macrame::systolic::cycles::Resolver;
using macrame::tb::architecture;
using macrame::tb::get_bytes;
using macrame::tb::put_bytes;
using macrame::tb::Traffic;
using macrame::tb::UnitBench;

constexpr int kParameterBytes = 15;

std::size_t most_in_flight(std::size_t module) {
    return module == number(Module::gemm) ? static_cast<std::size_t>(p::queue_depth) : 1;
}

/// Random flags, and random parameters in the word.
struct Item {
    Instruction instruction;
    Word word;
    bool illegal = false;
};

/// A program that comes to its end: in the order of the stream tokens are there and have room.
std::vector<Item> random_program(macrame::verif::Random& random, int count, int illegal_percent) {
    std::array<int, kTokenQueues> tokens{};
    std::vector<Item> program;
    while (program.size() < static_cast<std::size_t>(count)) {
        Item item;
        Instruction& i = item.instruction;
        i.module = kModules[static_cast<std::size_t>(random.in(0, 3))];
        i.flags = {random.chance(50), random.chance(50), random.chance(50), random.chance(50)};
        const auto pops = popped(i), pushes = pushed(i);
        const bool can_pop = std::all_of(pops.begin(), pops.end(),
                                         [&](Tokens q) { return tokens[number(q)] > 0; });
        const bool can_push =
            std::all_of(pushes.begin(), pushes.end(),
                        [&](Tokens q) { return tokens[number(q)] < p::token_depth; });
        if (!can_pop || !can_push) continue;
        for (const Tokens q : pops)
            --tokens[number(q)];
        for (const Tokens q : pushes)
            ++tokens[number(q)];
        item.word = encode(i);
        item.word.low = random.bits();
        item.word.high = (item.word.high >> 56 << 56) | random.bits() >> 8;
        program.push_back(item);
        if (!random.chance(illegal_percent)) continue;
        Item bad;
        bad.illegal = true;
        bad.word = {random.bits() | std::uint64_t{1} << 62, random.bits()};  // opcodes lack it
        program.push_back(bad);
    }
    return program;
}

class Bench : public UnitBench {
public:
    /// `longest`: cycles that a module works at most.
    Bench(const Traffic& traffic, int longest, std::uint64_t seed)
        : UnitBench(seed), traffic_(traffic), longest_(longest) {
        reset();
    }

    /// From the first word to the end of the last instruction.
    void run(const std::vector<Item>& program) {
        start(program);
        const long limit = cycle() + 100 + 100 * static_cast<long>(program.size() + 1) +
                           static_cast<long>(program.size()) * longest_;
        while (next_ < program.size() || !idle_) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(cycle(), limit) << "nothing moves";
        }
        tick();  // the pulse of the last one
        for (const std::size_t m : {0U, 1U, 2U, 3U})
            EXPECT_EQ(ended_[m], of_module_[m].size());
        EXPECT_EQ(errors_, illegal_);
    }

    /// The program, for so many cycles; then nothing begins until all that had begun has ended.
    void run_and_stop(const std::vector<Item>& program, int cycles) {
        start(program);
        for (int i = 0; i < cycles && next_ < program.size(); ++i)
            tick();
        runs_ = false;
        program_.resize(next_ + (offers_ ? 1 : 0));  // fetch hands on what it has offered
        for (int i = 0; i < 4 || !idle_; ++i) {
            tick();
            if (::testing::Test::HasFatalFailure()) return;
            ASSERT_LT(i, 100000) << "nothing moves";
        }
        EXPECT_EQ(ended_, begun_);
        runs_ = true;
    }

    /// So many cycles in which no module takes anything: words that are taken.
    std::size_t fill(const std::vector<Item>& program, int cycles) {
        start(program);
        for (int i = 0; i < cycles; ++i)
            tick();
        return next_;
    }

private:
    /// Control does not run between programs.
    void start(const std::vector<Item>& program) {
        program_.clear();
        runs_ = false;
        tick();
        tick();
        runs_ = true;
        tick();
        program_ = program;
        next_ = 0;
        errors_ = illegal_ = 0;
        tokens_ = {};
        begun_ = ended_ = accepted_ = {};
        for (auto& list : of_module_)
            list.clear();
        for (std::size_t i = 0; i < program.size(); ++i) {
            if (program[i].illegal) {
                ++illegal_;
            } else {
                of_module_[number(program[i].instruction.module)].push_back(i);
            }
        }
    }

    void drive(Vdut& dut) override {
        offers_ = next_ < program_.size() && (offers_ || chance(traffic_.offer));
        in_ = {};
        in_.fetch2resolver_valid = offers_;
        in_.fetch2resolver_word =
            offers_ ? program_[next_].word : Word{random().bits(), random().bits()};
        for (std::size_t m = 0; m < kModuleCount; ++m) {
            in_.ready[m] = chance(traffic_.take);
            in_.done[m] = !ends_at_[m].empty() && ends_at_[m].front() <= cycle();
        }
        in_.control2resolver_run = runs_;
        dut.control2resolver_run = runs_;
        dut.fetch2resolver_valid = in_.fetch2resolver_valid;
        const std::array<std::uint64_t, 2> word = {in_.fetch2resolver_word.low,
                                                   in_.fetch2resolver_word.high};
        put_bytes(dut.fetch2resolver_word, reinterpret_cast<const std::uint8_t*>(word.data()), 16);
        dut.resolver2load_ready = in_.ready[0];
        dut.resolver2gemm_ready = in_.ready[1];
        dut.resolver2alu_ready = in_.ready[2];
        dut.resolver2store_ready = in_.ready[3];
        dut.load2resolver_done = in_.done[0];
        dut.gemm2resolver_done = in_.done[1];
        dut.alu2resolver_done = in_.done[2];
        dut.store2resolver_done = in_.done[3];
    }

    template <typename Port>
    static Word parameters_of(const Port& port) {
        std::array<std::uint8_t, 16> bytes{};
        get_bytes(port, bytes.data(), kParameterBytes);
        return macrame::systolic::word_of_bytes(bytes.data());
    }

    void sample(Vdut& dut) override {
        const Resolver::Outputs out = model_.outputs();
        const std::array<bool, 4> valid = {
            dut.resolver2load_valid != 0, dut.resolver2gemm_valid != 0,
            dut.resolver2alu_valid != 0, dut.resolver2store_valid != 0};
        const std::array<Word, 4> parameters = {parameters_of(dut.resolver2load_parameters),
                                                parameters_of(dut.resolver2gemm_parameters),
                                                parameters_of(dut.resolver2alu_parameters),
                                                parameters_of(dut.resolver2store_parameters)};
        ASSERT_EQ(dut.fetch2resolver_ready, out.fetch2resolver_ready) << "cycle " << cycle();
        ASSERT_EQ(dut.resolver2control_idle, out.resolver2control_idle) << "cycle " << cycle();
        ASSERT_EQ(dut.resolver2control_error, out.resolver2control_error) << "cycle " << cycle();
        for (std::size_t m = 0; m < kModuleCount; ++m) {
            SCOPED_TRACE("module " + std::to_string(m) + ", cycle " + std::to_string(cycle()));
            ASSERT_EQ(valid[m], out.valid[m]);
            ASSERT_TRUE(!valid[m] || parameters[m] == out.parameters[m]);
            ASSERT_EQ(dut.resolver2control_running >> m & 1, out.resolver2control_running[m]);
            ASSERT_EQ(dut.resolver2control_waiting >> m & 1, out.resolver2control_waiting[m]);
            ASSERT_EQ(dut.resolver2control_ended >> m & 1, out.resolver2control_ended[m]);
            if (dut.resolver2control_ended >> m & 1) end(m);
            if (in_.done[m]) ends_at_[m].pop_front();
        }
        for (std::size_t m = 0; m < kModuleCount; ++m)
            if (valid[m] && in_.ready[m]) begin(m, parameters[m]);
        if (::testing::Test::HasFatalFailure()) return;
        idle_ = dut.resolver2control_idle;
        errors_ += dut.resolver2control_error;
        if (offers_ && dut.fetch2resolver_ready) accept();
        model_.clock(in_);
    }

    void accept() {
        const Item& item = program_[next_++];
        offers_ = idle_ = false;
        if (item.illegal) return;
        const std::size_t m = number(item.instruction.module);
        ++accepted_[m];
        // One more is on its way to its queue.
        if (!runs_) return;
        ASSERT_LE(accepted_[m] - ended_[m], static_cast<std::size_t>(p::queue_depth) + 2);
    }

    /// By definition: in order, tokens are there and are taken.
    void begin(std::size_t m, const Word& parameters) {
        ASSERT_LT(begun_[m], of_module_[m].size());
        const Item& item = program_[of_module_[m][begun_[m]]];
        Word expected = item.word;
        expected.high = expected.high << 8 >> 8;
        ASSERT_EQ(parameters, expected) << "module " << m << ", instruction " << begun_[m];
        for (const Tokens q : popped(item.instruction)) {
            ASSERT_GT(tokens_[number(q)], 0) << tokens_name(q);
            --tokens_[number(q)];
        }
        ++begun_[m];
        ASSERT_LE(begun_[m] - ended_[m], most_in_flight(m));
        ASSERT_LE(begun_[m] - ended_[m], static_cast<std::size_t>(p::queue_depth));
        long at = cycle() + 2 + random().in(0, longest_);
        if (!ends_at_[m].empty()) at = std::max(at, ends_at_[m].back() + 1);
        ends_at_[m].push_back(at);
    }

    /// An instruction has ended in the cycle before: all that it pushes had room.
    void end(std::size_t m) {
        ASSERT_LT(ended_[m], begun_[m]);
        const Item& item = program_[of_module_[m][ended_[m]]];
        for (const Tokens q : pushed(item.instruction)) {
            ++tokens_[number(q)];
            if (!runs_) continue;  // it goes nowhere
            ASSERT_LE(tokens_[number(q)], p::token_depth) << tokens_name(q);
        }
        ++ended_[m];
    }

    Traffic traffic_;
    int longest_;
    Resolver model_{architecture()};
    Resolver::Inputs in_;
    std::vector<Item> program_;
    std::size_t next_ = 0;  ///< word of the stream
    int errors_ = 0, illegal_ = 0;
    bool offers_ = false, idle_ = true, runs_ = true;
    // The definition.
    std::array<int, kTokenQueues> tokens_{};
    std::array<std::vector<std::size_t>, kModuleCount> of_module_;
    std::array<std::size_t, kModuleCount> accepted_{}, begun_{}, ended_{};
    std::array<std::deque<long>, kModuleCount> ends_at_;
};

constexpr Traffic kTraffic[] = {{"fast", 100, 100},
                                {"random", 60, 60},
                                {"few words", 10, 100},
                                {"few taken", 100, 10}};

TEST(Resolver, OrderAndTokens) {
    for (const Traffic& traffic : kTraffic) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, seed % 2 == 0 ? 0 : 30, seed);
            const auto program = random_program(bench.random(), 400, seed % 3 == 0 ? 10 : 0);
            std::vector<Instruction> legal;
            for (const Item& item : program)
                if (!item.illegal) legal.push_back(item.instruction);
            Scheduler scheduler(architecture(), legal);
            while (!scheduler.steps().empty())
                scheduler.take(scheduler.steps().front());
            ASSERT_TRUE(scheduler.done()) << "the program is wrong";
            bench.run(program);
            if (HasFailure()) return;
        }
    }
}

/// A program that is stopped leaves nothing: no tokens, no instructions. Also one that lacks tokens
/// and leaves some.
TEST(Resolver, NothingIsLeftOfAStoppedProgram) {
    for (const Traffic& traffic : kTraffic) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
            Bench bench(traffic, seed % 2 == 0 ? 0 : 30, seed);
            for (int i = 0; i < 6; ++i) {
                auto broken = random_program(bench.random(), 100, seed % 3 == 0 ? 10 : 0);
                const auto count = static_cast<std::ptrdiff_t>(bench.random().in(1, 30));
                broken.erase(broken.begin(), broken.begin() + count);
                bench.run_and_stop(broken, bench.random().in(1, 300));
                if (HasFailure()) return;
                bench.run(random_program(bench.random(), 60, 0));
                if (HasFailure()) return;
            }
        }
    }
}

/// A module that takes nothing: its queue fills, a word waits before it and all others behind.
TEST(Resolver, AFullQueueHoldsUpTheStream) {
    for (const Module module : kModules) {
        Bench bench({"full", 100, 0}, 0, 1 + number(module));
        std::vector<Item> program(p::queue_depth + 10);
        for (Item& item : program) {
            item.instruction.module = module;
            item.word = encode(item.instruction);
        }
        EXPECT_EQ(bench.fill(program, p::queue_depth + 20),
                  static_cast<std::size_t>(p::queue_depth) + 1);
    }
}

/// Instructions without tokens go through one per cycle.
TEST(Resolver, AWordPerCycle) {
    Bench bench({"fast", 100, 100}, 0, 9);
    std::vector<Item> program(std::min(4 * p::queue_depth, 64));
    for (std::size_t i = 0; i < program.size(); ++i) {
        program[i].instruction.module = kModules[i % 4];
        program[i].word = encode(program[i].instruction);
    }
    EXPECT_EQ(bench.fill(program, static_cast<int>(program.size())), program.size());
}

}  // namespace
