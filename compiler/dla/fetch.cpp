#include "compiler/dla/fetch.hpp"

#include <cstddef>

#include "compiler/dla/cbuf_plan.hpp"

namespace macrame::dla::compiler {

namespace {

/// From the release of CBUF to what is fetched into its place.
constexpr double kAgain = 40;

/// Bytes of the memory port per cycle.
int beat_bytes(const model::Architecture& sizes) {
    return sizes.axi_bytes == 0 ? sizes.bus_bytes : std::min(sizes.bus_bytes, sizes.axi_bytes);
}

}  // namespace

double atom_cycles(const model::Architecture& sizes) {
    return std::max(1.0, static_cast<double>(sizes.atom_bytes) / beat_bytes(sizes));
}

double weight_rate(const model::Architecture& sizes) {
    return std::min(sizes.wt_atoms * sizes.atom_bytes, beat_bytes(sizes));
}

Fetch::Fetch(const model::Architecture& sizes, const ConvLayer& conv, double start, double free,
             const Held& held) {
    kernels_ = conv.kernels;
    group_kernels_ = std::min(sizes.atomic_k, conv.kernels);
    kernel_bytes_ =
        static_cast<double>(conv.kernel_h) * kernel_columns(conv) * kernel_channels(conv);
    group_bytes_ = first_bytes_ = kernel_bytes_ * group_kernels_;
    weight_bytes_ = conv.weight_bytes;
    const double bank = static_cast<double>(sizes.cbuf_depth) * sizes.entry_bytes;
    weight_room_ = bank * conv.buffer.weight_banks;
    if (conv.masks) {  // both streams as one, the same for every kernel
        const double all = fetched_weight_bytes(conv);
        weight_room_ =
            std::min(weight_room_ * all / conv.weight_bytes, bank * all / conv.masks->bytes);
        weight_bytes_ = all;
        // CDMA takes the size of the first group before compression for both.
        first_bytes_ = std::min<double>(group_bytes_, conv.weight_bytes) +
                       std::min<double>(group_bytes_ / 8, conv.masks->bytes);
        kernel_bytes_ = all / conv.kernels;
        group_bytes_ = kernel_bytes_ * group_kernels_;
    }
    rate_ = sizes.atom_bytes / atom_cycles(sizes);
    weight_rate_ = weight_rate(sizes);
    // A line: atoms of all channels, or pixels, one per cycle and one more at the end.
    int height = 0;
    double line_bytes = 0, line_cycles = 0;
    if (const Pixels* pixels = std::get_if<Pixels>(&conv.input)) {
        height = pixels->height;
        line_bytes = static_cast<double>(
            round_up(static_cast<std::uint64_t>(pixels->width * pixels->components),
                     static_cast<std::uint64_t>(sizes.atom_bytes)));
        const int padding = conv.left + conv.right;
        line_cycles =
            1 + padding + (pixels->components == 1 ? div_up(pixels->width, 4) : pixels->width);
    } else {
        const Cube& cube = std::get<Cube>(conv.input);
        height = cube.height;
        line_bytes =
            static_cast<double>(cube.width * static_cast<double>(round_up(
                                                 static_cast<std::uint64_t>(cube.channels),
                                                 static_cast<std::uint64_t>(sizes.atom_bytes))));
        line_cycles = 0;
    }
    data_bytes_ = line_bytes * height;
    const double both = weight_rate_;  // a beat has as many atoms as weights take, at least one
    const double data_rate = std::min(rate_, line_cycles > 0 ? line_bytes / line_cycles : rate_);
    const bool waits = conv.is_image() && !sizes.secondary;
    lines_.assign(static_cast<std::size_t>(height), line_bytes);
    share(start, data_rate, waits ? weight_rate_ / 2 : weight_rate_, both);
    // Lines for which the layer before has left no room.
    const double entries = bank * conv.buffer.data_banks;
    const double slice = static_cast<double>(conv.buffer.entries_per_slice) * sizes.entry_bytes;
    const int room = static_cast<int>(std::max(0.0, entries - held.data) / slice);
    for (int y = room; y < height && free > start; ++y) {
        double& line = lines_[static_cast<std::size_t>(y)];
        line = std::max(line, free + kAgain + (y - room + 1) * line_bytes / data_rate);
    }
    // What comes behind the first group waits for the data.
    weights_.push_back({first_bytes_, std::max(weights_.back().time, data_end())});
}

void Fetch::share(double start, double data_rate, double weight_rate, double both) {
    // Both ask for memory; what one cannot use, the other may.
    double data = data_rate, weights = weight_rate;
    if (data + weights > both) {
        const double half = both / 2;
        if (data <= half)
            weights = both - data;
        else if (weights <= half)
            data = both - weights;
        else
            data = weights = half;
    }
    const double data_first = data_bytes_ / data, weights_first = first_bytes_ / weights;
    const double one_done = std::min(data_first, weights_first);
    weights_ = {{0, start}, {one_done * weights, start + one_done}};
    if (weights_first > one_done) {
        const double left = first_bytes_ - one_done * weights;
        weights_.push_back({first_bytes_, start + one_done + left / std::min(weight_rate, both)});
    }
    double bytes = 0;
    for (double& line : lines_) {
        bytes += line;
        const double together = std::min(bytes, one_done * data);
        line = start + together / data + (bytes - together) / data_rate;
    }
}

double Fetch::settled() {
    return std::max(data_end(), stream_at(std::min(weight_bytes_, weight_room_)));
}

void Fetch::slow_down(double cycles, double share) {
    const double start = begin();
    const auto later = [&](double& time) {
        if (time <= start) return;
        const double alone = std::min(time - start, cycles * share);
        time += alone / share - alone;
    };
    for (double& line : lines_)
        later(line);
    for (Point& point : weights_)
        later(point.time);
}

double Fetch::weights_at(int group, double part) {
    const int kernels = std::min(group_kernels_, kernels_ - group * group_kernels_);
    return stream_at(group * group_bytes_ + part * kernels * kernel_bytes_);
}

double Fetch::stream_at(double wanted) {
    while (weights_.back().bytes < wanted) {
        Point next = weights_.back();
        const double room = static_cast<double>(releases_) * group_bytes_ + weight_room_;
        const double end = std::min(weight_bytes_, room);
        if (end > next.bytes) {
            next.time += (end - next.bytes) / weight_rate_;
            next.bytes = end;
        } else {
            if (releases_ >= released_.size()) break;
            next.time = std::max(next.time, released_[releases_++] + kAgain);
        }
        weights_.push_back(next);
    }
    const auto b = std::lower_bound(weights_.begin(), weights_.end(), wanted,
                                    [](const Point& p, double bytes) { return p.bytes < bytes; });
    if (b == weights_.begin()) return b->time;
    if (b == weights_.end()) return weights_.back().time;
    const Point& a = *(b - 1);
    return a.time + (wanted - a.bytes) / (b->bytes - a.bytes) * (b->time - a.time);
}

}  // namespace macrame::dla::compiler
