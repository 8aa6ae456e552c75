// uart_bridge: frames of all kinds between garbage, gaps and repeats, against a model that executes
// requests on a map of registers and of memory.
#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "fpga/host/frame.hpp"
#include "tb/common/random_state.hpp"

namespace macrame::fpga {
namespace {

constexpr int kDiv = BRIDGE_DIV;            // cycles per bit, as the design was made
constexpr int kGap = (1 << BRIDGE_GAP_W);   // silence that ends a frame
constexpr int kByte = 10 * kDiv;
constexpr std::uint32_t kDead = 0x00dead00u;  // nobody answers at this register

/// What a request does, from the definition of the protocol.
class Model {
public:
    std::map<std::uint32_t, std::uint32_t> registers;
    std::map<std::uint32_t, std::uint64_t> memory;
    int writes = 0;  ///< accesses that were carried out

    Answer execute(const Request& request) {
        Answer answer;
        answer.op = request.op;
        answer.tag = request.tag;
        const std::size_t n = request.beats.size();
        switch (request.op) {
            case Op::hello:
                known_ = false;
                if (n != 0) answer.error = Error::bad_request;
                return answer;
            case Op::read_reg:
            case Op::write_reg:
                return access(request, answer);
            case Op::read_mem:
                if (n != 1 || low(request.beats[0]) == 0 || low(request.beats[0]) > kMaxBeats) break;
                for (std::uint32_t i = 0; i < low(request.beats[0]); ++i)
                    answer.beats.push_back(memory[request.addr + 8 * i]);
                return answer;
            case Op::write_mem:
                if (n == 0) break;
                for (std::uint32_t i = 0; i < n; ++i)
                    memory[request.addr + 8 * i] = request.beats[i];
                return answer;
            case Op::fill_mem:
                if (n != 2) break;
                for (std::uint32_t i = 0; i < low(request.beats[1]); ++i)
                    memory[request.addr + 8 * i] = request.beats[0];
                return answer;
        }
        answer.error = Error::bad_request;
        return answer;
    }

private:
    static std::uint32_t low(std::uint64_t beat) { return static_cast<std::uint32_t>(beat); }

    Answer access(const Request& request, Answer answer) {
        const bool write = request.op == Op::write_reg;
        const bool again = write && known_ && tag_ == request.tag;
        if (request.beats.empty() && !again) answer.error = Error::bad_request;
        for (const std::uint64_t beat : request.beats) {
            if (again) break;
            if (low(beat) == kDead) {
                answer.error = Error::no_answer;
                answer.beats.clear();
                break;
            }
            if (write) {
                registers[low(beat)] = static_cast<std::uint32_t>(beat >> 32);
                ++writes;
            } else {
                answer.beats.push_back(reg_beat(low(beat), registers[low(beat)]));
            }
        }
        if (write) {
            known_ = answer.error == Error::none;
            tag_ = request.tag;
        }
        return answer;
    }

    bool known_ = false;
    std::uint8_t tag_ = 0;
};

class Bridge : public ::testing::TestWithParam<unsigned> {
protected:
    Bridge() : random_(GetParam()), context_(GetParam()), dut_(std::make_unique<Vdut>(&context_)) {
        dut_->clk = 0;
        dut_->rx = 1;
        dut_->irq = 0;
        dut_->bus_ready = dut_->bus_done = dut_->mem_ready = dut_->mem_done = 0;
        dut_->rst_n = 1;
        dut_->eval();
        dut_->rst_n = 0;
        cycles(3);
        dut_->rst_n = 1;
        cycles(20);
    }

    bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

    void cycles(int n) {
        for (int i = 0; i < n; ++i)
            cycle();
    }

    void cycle() {
        dut_->clk = 0;
        dut_->eval();
        const bool bus = dut_->bus_valid && dut_->bus_ready;
        const bool mem = dut_->mem_valid && dut_->mem_ready;
        if (bus) take_access();
        if (mem) take_request();
        listen();
        dut_->clk = 1;
        dut_->eval();
        answer_bus();
        answer_memory();
    }

    // ---- the two buses, with random pauses

    void take_access() {
        if (dut_->bus_addr == kDead) return;
        if (dut_->bus_write) {
            seen_.registers[dut_->bus_addr] = dut_->bus_wdata;
            ++seen_.writes;
        }
        ASSERT_FALSE(access_.has_value()) << "two accesses at a time";
        access_ = seen_.registers[dut_->bus_addr];
    }
    void answer_bus() {
        dut_->bus_done = 0;
        dut_->bus_rdata = static_cast<std::uint32_t>(random_());
        if (access_ && chance(0.3)) {
            dut_->bus_done = 1;
            dut_->bus_rdata = *access_;
            access_.reset();
        }
        dut_->bus_ready = chance(0.5);
    }
    void take_request() {
        if (dut_->mem_write) seen_.memory[dut_->mem_addr] = dut_->mem_wdata;
        requests_.push_back(dut_->mem_write ? random_() : seen_.memory[dut_->mem_addr]);
    }
    void answer_memory() {
        dut_->mem_done = 0;
        dut_->mem_rdata = random_();
        if (!requests_.empty() && chance(0.4)) {
            dut_->mem_done = 1;
            dut_->mem_rdata = requests_.front();
            requests_.pop_front();
        }
        dut_->mem_ready = chance(0.6);
    }

    // ---- the line

    void send(std::uint8_t byte) {
        const unsigned bits = 0x200u | unsigned{byte} << 1;
        for (int i = 0; i < 10; ++i) {
            dut_->rx = bits >> i & 1u;
            cycles(kDiv);
        }
        if (chance(0.1)) cycles(static_cast<int>(below(3 * kByte)));
    }
    void send(const std::vector<std::uint8_t>& bytes) {
        for (const std::uint8_t byte : bytes)
            send(byte);
    }
    /// Looks at the line in the middle of each bit.
    void listen() {
        if (phase_ < 0) {
            if (dut_->tx == 0) phase_ = 0;
            return;
        }
        ++phase_;
        if (phase_ % kDiv != kDiv / 2) return;
        const int bit = phase_ / kDiv;
        if (bit >= 1 && bit <= 8)
            heard_ = static_cast<std::uint8_t>(heard_ >> 1 | (dut_->tx ? 0x80u : 0u));
        if (bit < 9) return;
        EXPECT_EQ(dut_->tx, 1) << "stop bit";
        reader_.put(heard_);
        ++bytes_heard_;
        phase_ = -1;
    }

    std::optional<Answer> wait_answer() {
        for (int i = 0; i < 400 * kByte + 5000; ++i) {
            if (std::optional<Answer> answer = reader_.take()) return answer;
            cycle();
        }
        return std::nullopt;
    }

    Request random_request() {
        Request request;
        request.op = static_cast<Op>(1 + below(6));
        request.tag = static_cast<std::uint8_t>(below(4));
        request.addr = 8 * below(64);
        std::size_t count = chance(0.2) ? kMaxBeats : 1 + below(5);
        if (request.op == Op::hello) count = 0;
        if (request.op == Op::read_mem) count = 1;
        if (request.op == Op::fill_mem) count = 2;
        if (chance(0.05)) count = below(4);
        for (std::size_t i = 0; i < count; ++i)
            request.beats.push_back(random_());
        if (request.op == Op::read_reg || request.op == Op::write_reg) {
            for (std::uint64_t& beat : request.beats)
                beat = reg_beat(chance(0.01) ? kDead : below(8), static_cast<std::uint32_t>(beat));
        }
        if (request.op == Op::read_mem && count > 0)
            request.beats[0] = chance(0.1)    ? below(40)
                               : chance(0.05) ? 1u + (1u << (6 + below(26)))
                                              : 1 + below(kMaxBeats);
        if (request.op == Op::fill_mem && count > 1) request.beats[1] = below(100);
        if (chance(0.03)) request.op = static_cast<Op>(7 + below(100));
        return request;
    }

    /// Bytes that are no frame, and silence behind them.
    void garbage() {
        std::vector<std::uint8_t> bytes(below(30));
        for (std::uint8_t& byte : bytes)
            byte = chance(0.3) ? 0xa5 : static_cast<std::uint8_t>(random_());
        if (chance(0.5)) {  // half a frame, or a whole one with a wrong bit
            bytes = encode(random_request());
            if (chance(0.5)) bytes.resize(below(static_cast<std::uint32_t>(bytes.size())));
            else bytes[1 + below(static_cast<std::uint32_t>(bytes.size()) - 1)] ^=
                    static_cast<std::uint8_t>(1u << below(8));
        }
        const int before = bytes_heard_;
        send(bytes);
        cycles(kGap + 2 * kByte);
        EXPECT_EQ(bytes_heard_, before) << "an answer to garbage";
    }

    void check(const Request& request) {
        send(encode(request));
        const Answer wanted = model_.execute(request);
        const std::optional<Answer> found = wait_answer();
        ASSERT_TRUE(found.has_value()) << "op " << static_cast<int>(request.op);
        EXPECT_EQ(found->op, wanted.op);
        EXPECT_EQ(found->tag, wanted.tag);
        EXPECT_EQ(static_cast<int>(found->error), static_cast<int>(wanted.error));
        EXPECT_EQ(found->interrupt, dut_->irq != 0);
        EXPECT_EQ(found->beats, wanted.beats) << "op " << static_cast<int>(request.op);
        EXPECT_EQ(seen_.writes, model_.writes);
    }

    std::mt19937_64 random_;
    tb::RandomState context_;
    std::unique_ptr<Vdut> dut_;
    Model model_;
    Model seen_;  // its maps: what the design did
    std::optional<std::uint32_t> access_;
    std::deque<std::uint64_t> requests_;
    AnswerReader reader_;
    int phase_ = -1;
    std::uint8_t heard_ = 0;
    int bytes_heard_ = 0;
};

TEST_P(Bridge, AnswersWhateverComesBetween) {
    Request last;
    for (int i = 0; i < 120 && !HasFailure(); ++i) {
        if (chance(0.25)) garbage();
        dut_->irq = chance(0.5);
        const Request request = chance(0.15) ? last : random_request();
        check(request);
        if (chance(0.2)) cycles(static_cast<int>(below(2 * kGap)));
        last = request;
    }
    for (const auto& [addr, beat] : model_.memory)
        EXPECT_EQ(seen_.memory[addr], beat) << addr;
    EXPECT_EQ(seen_.registers[3], model_.registers[3]);
}

TEST_P(Bridge, RepeatedWriteIsCarriedOutOnce) {
    const Request write{Op::write_reg, 7, 0, {reg_beat(4, 1), reg_beat(8, 2)}};
    check(write);
    check(write);
    EXPECT_EQ(seen_.writes, 2);
    check({Op::hello, 7, 0, {}});
    check(write);
    EXPECT_EQ(seen_.writes, 4);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Bridge, ::testing::Values(1u, 2u, 3u, 4u));

TEST(Frames, ReaderFindsAnswersInGarbage) {
    const Answer answer{Op::read_reg, 9, true, Error::none, {1, 2}};
    AnswerReader reader;
    std::vector<std::uint8_t> bytes{0x5a, 0x5a, 0, 1, 0};  // looks like the start of a frame
    for (const std::uint8_t byte : encode(answer))
        bytes.push_back(byte);
    for (const std::uint8_t byte : bytes)
        reader.put(byte);
    // The false start waits for more until it is seen to be none.
    std::optional<Answer> found = reader.take();
    for (int i = 0; i < 300 && !found; ++i) {
        reader.put(0);
        found = reader.take();
    }
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->beats, answer.beats);
    EXPECT_EQ(found->tag, 9);
    EXPECT_TRUE(found->interrupt);
}

}  // namespace
}  // namespace macrame::fpga
