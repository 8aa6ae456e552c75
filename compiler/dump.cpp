#include "compiler/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace macrame::compiler {

namespace {

constexpr int kMostColumns = 64;

/// When it is there: '=' all the time, '#' from its first to its last use.
std::string bar(const BufferReport& buffer, int columns, int each) {
    std::string out;
    for (int column = 0; column < columns; ++column) {
        const bool used =
            buffer.first < (column + 1) * each && buffer.last >= column * each && buffer.first >= 0;
        out += buffer.keep ? '=' : used ? '#' : '.';
    }
    return out;
}

}  // namespace

std::string memory_picture(std::vector<BufferReport> buffers, int layers, std::string_view unit) {
    std::stable_sort(buffers.begin(), buffers.end(),
                     [](const BufferReport& a, const BufferReport& b) {
                         return std::tie(a.offset, a.first) < std::tie(b.offset, b.first);
                     });
    const int each = std::max(1, (layers + kMostColumns - 1) / kMostColumns);
    const int columns = (layers + each - 1) / each;
    std::uint64_t end = 0, sum = 0;
    for (const BufferReport& buffer : buffers) {
        end = std::max(end, buffer.offset + buffer.bytes);
        sum += buffer.bytes;
    }
    std::string out = fmt::format("{} {} of memory for buffers of {}\n", end, unit, sum);
    out +=
        fmt::format("from left to right {} layers, {} in each column; = all the time, # in use\n\n",
                    layers, each);
    out +=
        fmt::format("{:>10} {:>10}  {:{}}  buffer\n", "offset", unit, "time", std::max(columns, 4));
    for (const BufferReport& buffer : buffers)
        out += fmt::format("{:>#10x} {:>10}  {:{}}  {}\n", buffer.offset, buffer.bytes,
                           bar(buffer, columns, each), std::max(columns, 4), buffer.name);
    return out;
}

std::string times_table(const std::vector<LayerReport>& layers, std::string_view post) {
    std::string out = fmt::format("{:>5} {:>8}  {:>9} {:>9} {:>9} {:>9} {:>9}  limit, layer\n",
                                  "layer", "operator", "done", "cycles", "MAC", post, "memory");
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerReport& layer = layers[i];
        done += layer.cycles;
        out += fmt::format("{:5} {:8}  {:9} {:9} {:9} {:9} {:9}  {}, {}\n", i, layer.node, done,
                           layer.cycles, layer.mac_cycles, layer.post_cycles, layer.memory_cycles,
                           layer.limiter, layer.name);
    }
    return out;
}

}  // namespace macrame::compiler
