#include "verif/tcu/run/transfers.hpp"

#include <algorithm>
#include <numeric>

#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/layout.hpp"
#include "verif/tcu/run/stream.hpp"

namespace macrame::tcu::run {

namespace {

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& to, const Bytes& bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

Bytes ended(const Architecture& architecture, const TransferOptions& options, const Bytes& bytes) {
    const Layout layout = layout_of(architecture);
    Bytes out = padded(layout, options.beat_bytes, bytes);
    const auto block = static_cast<std::size_t>(std::lcm(layout.bytes, options.beat_bytes));
    const bool more = options.padding == Padding::and_block ||
                      (options.padding == Padding::block && out.size() == bytes.size());
    out.resize(out.size() + (more ? block : 0));
    return out;
}

}  // namespace

Bytes start_transfer(const Architecture& architecture, const TransferOptions& options) {
    const Layout layout = layout_of(architecture);
    const bool samples = options.sample_interval > 0;
    Bytes out;
    if (samples) append(out, configure(layout, kProgramCounter, 1));
    append(out, configure(layout, kDram0Offset, options.dram0_offset));
    append(out, configure(layout, kDram1Offset, options.dram1_offset));
    if (options.timeout > 0)
        append(out, configure(layout, kTimeout, static_cast<std::uint32_t>(options.timeout)));
    if (samples) {
        const auto interval = static_cast<std::uint32_t>(options.sample_interval);
        append(out, configure(layout, kSampleInterval, interval));
    }
    append(out, flush_probe(architecture));
    return ended(architecture, options, out);
}

Bytes program_transfer(const Architecture& architecture, const Bytes& stream,
                       const TransferOptions& options) {
    Bytes out = stream;
    append(out, flush_probe(architecture));
    return ended(architecture, options, out);
}

std::vector<Bytes> pieces(const Bytes& transfer, int beat_bytes, verif::Random& random) {
    std::vector<Bytes> out;
    const int beats = static_cast<int>(transfer.size()) / beat_bytes;
    auto at = transfer.begin();
    for (int left = beats; left > 0;) {
        const int now = random.mostly(1, std::min(left, 9), 1, left);
        out.emplace_back(at, at + now * beat_bytes);
        at += now * beat_bytes;
        left -= now;
    }
    return out;
}

std::vector<Bytes> driver_transfers(const Architecture& architecture, const Bytes& stream,
                                    int beat_bytes, bool samples, verif::Random& random) {
    TransferOptions options;
    options.beat_bytes = beat_bytes;
    options.padding = static_cast<Padding>(random.in(0, 2));
    options.timeout = random.pick({0, 100, 1000});
    options.sample_interval = samples ? random.pick({0, 1, 7, 1000}) : 0;
    std::vector<Bytes> out = {start_transfer(architecture, options)};
    if (random.chance(50)) out.push_back(program_transfer(architecture, {}, options));
    out.push_back(program_transfer(architecture, stream, options));
    if (random.chance(50)) return out;
    std::vector<Bytes> cut;
    for (const Bytes& transfer : out)
        for (const Bytes& piece : pieces(transfer, beat_bytes, random))
            cut.push_back(piece);
    return cut;
}

}  // namespace macrame::tcu::run
