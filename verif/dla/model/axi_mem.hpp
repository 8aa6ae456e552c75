#pragma once
/// Golden model of the memory bus: who gets an answer, what an error makes of it, and what is told
/// of it. Requests and answers are in order.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace macrame::dla::model {

/// An error answer as the register page gets it.
struct BusError {
    std::uint32_t client = 0;
    std::uint64_t addr = 0;  ///< of the beat that was read, of the transaction that was written
    bool decode = false;     ///< DECERR, not SLVERR
};

/// What the core sees of an answer.
struct CoreAnswer {
    std::uint32_t client = 0;
    bool last = true;
    bool zero = false;  ///< data is replaced by zeros
    std::optional<BusError> error;
};

class AxiMem {
public:
    explicit AxiMem(int bus_bytes) : bus_bytes_(static_cast<std::uint64_t>(bus_bytes)) {}

    void request(std::uint32_t client, std::uint64_t addr, int beats) {
        requests_.push_back({client, addr, beats});
    }
    bool idle() const { return requests_.empty(); }
    /// Of the next beat.
    std::uint64_t addr() const { return requests_.front().addr; }

    /// A beat of the oldest read.
    CoreAnswer read_beat(std::uint32_t resp) {
        Request& request = requests_.front();
        CoreAnswer out{request.client, request.beats == 1, resp >= 2, {}};
        if (resp >= 2) out.error = BusError{request.client, request.addr, resp == 3};
        request.addr += bus_bytes_;
        if (--request.beats == 0) requests_.pop_front();
        return out;
    }

    /// The answer to the oldest write.
    CoreAnswer write_answer(std::uint32_t resp) {
        const Request request = requests_.front();
        requests_.pop_front();
        CoreAnswer out{request.client, true, false, {}};
        if (resp >= 2) out.error = BusError{request.client, request.addr, resp == 3};
        return out;
    }

private:
    struct Request {
        std::uint32_t client;
        std::uint64_t addr;
        int beats;
    };
    std::uint64_t bus_bytes_;
    std::deque<Request> requests_;
};

}  // namespace macrame::dla::model
