#include "verif/common/dram.hpp"

#include <algorithm>
#include <cmath>

namespace macrame::verif {

namespace {

constexpr std::uint64_t kCommandBytes = 64;

std::uint64_t whole(int number) { return static_cast<std::uint64_t>(number); }

}  // namespace

Dram::Dram(const DramOptions& options)
    : options_(options), banks_(static_cast<std::size_t>(options.banks)) {}

std::size_t Dram::add_queue() {
    queues_.emplace_back();
    return queues_.size() - 1;
}

void Dram::request(std::size_t queue, std::uint64_t address, std::uint64_t bytes) {
    queues_[queue].requests.push_back({address, bytes});
}

void Dram::clock() {
    // Commands go so far ahead that the bus is never idle while rows are opened.
    for (std::size_t i = 0;
         i < queues_.size() && bus_end_ <= static_cast<double>(now_ + whole(options_.miss_cycles));
         ++i) {
        const std::size_t chosen = (turn_ + i) % queues_.size();
        if (queues_[chosen].requests.empty()) continue;
        command(queues_[chosen]);
        turn_ = chosen + 1;
        break;
    }
    ++now_;
}

/// Up to the end of a block of 64 bytes, of the row or of the request.
void Dram::command(Queue& queue) {
    Request& request = queue.requests.front();
    const std::uint64_t row_bytes = whole(options_.row_bytes);
    const std::uint64_t bytes =
        std::min({request.bytes, kCommandBytes - request.address % kCommandBytes,
                  row_bytes - request.address % row_bytes});
    const std::uint64_t row = request.address / row_bytes / banks_.size();
    Bank& bank = banks_[request.address / row_bytes % banks_.size()];
    const bool hit = bank.open && bank.row == row;
    const std::uint64_t first = hit ? std::max(now_ + whole(options_.hit_cycles), bank.end)
                                    : std::max(now_, bank.end) + whole(options_.miss_cycles);
    bus_end_ = std::max(static_cast<double>(first), bus_end_) +
               static_cast<double>(bytes) / options_.bytes_per_cycle;
    const auto end = static_cast<std::uint64_t>(std::ceil(bus_end_));
    bank = {true, row, end};
    queue.asked += bytes;
    queue.moves.push_back({end, queue.asked});
    request.address += bytes;
    request.bytes -= bytes;
    if (request.bytes == 0) queue.requests.pop_front();
}

std::uint64_t Dram::moved(std::size_t queue, std::uint64_t time) {
    Queue& q = queues_[queue];
    while (!q.moves.empty() && q.moves.front().end <= time) {
        q.moved = q.moves.front().bytes;
        q.moves.pop_front();
    }
    return q.moved;
}

}  // namespace macrame::verif
