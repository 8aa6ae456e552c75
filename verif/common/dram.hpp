#pragma once
/// Times of a DRAM with banks that several ports share: who moves his bytes when. It holds no data.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace macrame::verif {

/// In cycles of the accelerator.
struct DramOptions {
    double bytes_per_cycle = 0;  ///< of all ports together; 0: there is no DRAM
    int banks = 8;
    int row_bytes = 2048;  ///< neighbouring rows are in neighbouring banks
    int hit_cycles = 10;   ///< from a command to its first byte, of the row that is open
    int miss_cycles = 30;  ///< the same of another row: precharge and activate come first
};

/// Takes a command per cycle, of the ports in turn, for up to 64 bytes. Banks open rows at the same
/// time; the bytes of commands follow each other on one bus, reads and writes alike. Rows stay
/// open. Refresh and the turns of the bus are left out.
class Dram {
public:
    explicit Dram(const DramOptions& options);

    /// A queue of requests of its own, served in order.
    std::size_t add_queue();
    void request(std::size_t queue, std::uint64_t address, std::uint64_t bytes);
    /// A rising edge.
    void clock();
    /// Bytes of all requests of the queue that were moved by this time, in cycles since the begin.
    std::uint64_t moved(std::size_t queue, std::uint64_t time);

private:
    struct Request {
        std::uint64_t address, bytes;
    };
    struct Move {
        std::uint64_t end;    ///< when it is done
        std::uint64_t bytes;  ///< of the queue until then
    };
    struct Queue {
        std::deque<Request> requests;
        std::deque<Move> moves;
        std::uint64_t asked = 0;  ///< bytes of all commands
        std::uint64_t moved = 0;
    };
    struct Bank {
        bool open = false;
        std::uint64_t row = 0;
        std::uint64_t end = 0;  ///< of the bytes of its last command
    };

    void command(Queue& queue);

    const DramOptions options_;
    std::vector<Queue> queues_;
    std::vector<Bank> banks_;
    std::size_t turn_ = 0;  ///< the queue that is looked at first
    std::uint64_t now_ = 0;
    double bus_end_ = 0;  ///< of the bytes of all commands
};

}  // namespace macrame::verif
