#pragma once
/// Layers and buffers of a program while it grows. It knows the hardware and no graph.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/context.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/dla/pointwise.hpp"
#include "compiler/dla/requantise.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Functions that add layers return them. Those that the registers have no room for throw
/// Unsupported; what lies in `after` has to be done before they begin.
class Builder {
public:
    explicit Builder(const model::Architecture& sizes) : sizes_(sizes) {}

    std::vector<Layer> layers;
    std::vector<Buffer> buffers;
    std::vector<macrame::compiler::Exactness> exactness;

    /// What follows belongs to this operator, and has its name.
    void begin(int node, std::string name);

    /// What there was at some time, for what is tried and then undone.
    struct Snapshot {
        std::size_t layers, buffers, exactness;
    };
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);
    /// Cycles of the layers since then, on their own; values that differ from the reference.
    std::uint64_t cycles_since(const Snapshot& snapshot) const;
    std::int64_t wrong_since(const Snapshot& snapshot) const;

    int add_buffer(const std::string& name, std::uint64_t bytes, bool keep = false);
    Place add_constant(const std::string& name, std::vector<std::uint8_t> contents);
    Cube new_cube(const std::string& name, int width, int height, int channels);
    /// A cube whose lines RUBIK can address.
    Cube new_rubik_cube(const std::string& name, int width, int height, int channels);

    /// SDP registers, and what it reads per channel. For `channels` of them.
    PostProcess post_process(const Requantisation& made, std::size_t channels, const Cube& output);
    PostProcess post_process(const Pointwise& made, const Cube& output);

    /// The last step of all others.
    int add_layer(Layer layer);
    /// A layer of the operator.
    using Work = decltype(Layer::work);
    int add(Work work, std::vector<int> after);

    /// Adds a convolution, cut into parts of its height and width where the buffer is too small.
    /// `weights` are [kernel][row][column][channel], `whole` is the cube of which the input is a
    /// part. A pool that it has was planned.
    std::vector<int> add_conv(ConvLayer conv, const Cube& whole, std::vector<std::int8_t> weights,
                              const std::vector<int>& after, std::uint64_t macs);
    /// A convolution whose weights are there: `macs` of each value of the output.
    std::vector<int> add_tiles(const ConvLayer& conv, const std::vector<int>& after, double macs);
    /// SDP alone, in pieces that registers have room for.
    std::vector<int> add_sdp(const Cube& from, PostProcess post, const std::vector<int>& after);
    /// A table of CDP, in such pieces.
    std::vector<int> add_cdp(const Cube& from, const Lookup& lookup, const Cube& to,
                             const std::vector<int>& after);
    /// ROW, in such pieces, with these records.
    std::vector<int> add_row(const Cube& from, const model::RowSettings& row, const Cube& to,
                             const std::vector<int>& after);
    /// Copies a cube to another of its size.
    std::vector<int> add_copy(const Cube& from, const Cube& to, const std::vector<int>& after);
    /// Puts line y, column x to y0 + y * stride_h, x0 + x * stride_w.
    std::vector<int> add_scatter(const Cube& from, const Cube& to, int y0, int x0, int stride_h,
                                 int stride_w, const std::vector<int>& after);
    std::vector<int> add_pdp(const PdpLayer& whole, const std::vector<int>& after);
    /// Clamps behind layers that do not.
    std::vector<int> add_clamp(const Cube& in, const Cube& out, int low, int high,
                               const std::vector<int>& after);
    /// RUBIK brings phases of a cube together.
    int add_contract(const Cube& phases, const Cube& to, int stride_h, int stride_w,
                     const std::vector<int>& after);

private:
    const model::Architecture& sizes_;
    int node_ = -1;
    std::string name_;
};

/// Adds the layers of `more`.
inline void gather(std::vector<int>& layers, const std::vector<int>& more) {
    layers.insert(layers.end(), more.begin(), more.end());
}

}  // namespace macrame::dla::compiler
