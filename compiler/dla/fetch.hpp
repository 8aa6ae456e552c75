#pragma once
/// When data and weights of a convolution are in CBUF.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// What a layer leaves in CBUF until CSC is done with it, in bytes.
struct Held {
    double data = 0, weights = 0;
};

/// CDMA and the memory port of one convolution. Times are in cycles.
class Fetch {
public:
    /// The first answer comes at `start`. Until `free` CBUF holds what the layer before left.
    Fetch(const model::Architecture& sizes, const ConvLayer& conv, double start, double free,
          const Held& held);

    /// When input line `line` is there, and all of them.
    double line_at(int line) const { return lines_[static_cast<std::size_t>(line)]; }
    double data_end() const { return lines_.back(); }

    /// When that part (0..1) of the weights of a group is there.
    double weights_at(int group, double part);
    /// From the first answer on it has the port for itself, until all is there that there is room
    /// for.
    double begin() const { return weights_.front().time; }
    double settled();
    /// In its first `cycles` the port gives it only this share of its time.
    void slow_down(double cycles, double share);

    /// CSC is done with the oldest group.
    void release(double time) { released_.push_back(time); }

    /// When everything is there.
    double end() { return std::max(data_end(), stream_at(weight_bytes_)); }
    Held held() const { return {data_bytes_, group_bytes_}; }

private:
    /// Bytes that have come by a time, linear in between.
    struct Point {
        double bytes, time;
    };
    double stream_at(double bytes);
    void share(double start, double data_rate, double weight_rate, double both);

    double data_bytes_, kernel_bytes_, group_bytes_;
    double first_bytes_;  ///< of the weights that do not wait for the data
    int kernels_, group_kernels_;
    double weight_bytes_, weight_room_;
    double rate_, weight_rate_;  ///< bytes per cycle
    std::vector<double> lines_;
    std::vector<Point> weights_;  ///< as far as asked for
    std::vector<double> released_;
    std::size_t releases_ = 0;  ///< that the stream has made use of
};

/// Bytes of weights per cycle.
double weight_rate(const model::Architecture& sizes);

/// Cycles of an atom at the memory port.
double atom_cycles(const model::Architecture& sizes);

}  // namespace macrame::dla::compiler
