#pragma once
/// From operators to layers of the hardware.

#include <map>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/layer.hpp"
#include "compiler/dla/memory.hpp"
#include "compiler/dla/requantise.hpp"
#include "compiler/graph/quantised.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// An operator that cannot be built; the text names what was found and what is possible.
struct Unsupported {
    std::string text;
};

/// Layers, buffers and tensors of a program while it grows.
class Lowering {
public:
    Lowering(const graph::Graph& graph, const model::DeviceSizes& sizes);

    /// Everything up to the operators that the host has to run behind it.
    void run();

    std::vector<Layer> layers;
    std::vector<Buffer> buffers;
    std::vector<macrame::compiler::Exactness> exactness;
    std::vector<int> host_nodes;
    std::vector<std::string> errors;
    std::vector<graph::TensorId> outputs;

    /// Where a tensor lies; `image` if the first layer reads it as pixels.
    struct Location {
        Cube cube;
        Pixels pixels;
        bool image = false;
        std::vector<int> writers;  ///< layers
    };
    const Location& location(graph::TensorId id) const { return locations_.at(id); }

private:
    // One per operator; throw Unsupported.
    void lower(int index, const graph::Conv& op);
    void lower(int index, const graph::FullyConnected& op);
    void lower(int index, const graph::Pool& op);
    void lower(int index, const graph::Mean& op);
    void lower(int index, const graph::Binary& op);
    void lower(int index, const graph::Reshape& op);
    template <class Other>
    void lower(int index, const Other& op);

    const graph::Node& node(int index) const {
        return graph_.nodes[static_cast<std::size_t>(index)];
    }
    const graph::Tensor& tensor(graph::TensorId id) const { return graph_.tensor(id); }
    bool used_only_by(graph::TensorId id, int index) const;
    void place_inputs();
    bool wants_pixels(graph::TensorId id) const;

    int add_buffer(const std::string& name, std::uint64_t bytes, bool keep = false);
    Place add_constant(const std::string& name, std::vector<std::uint8_t> contents);
    Cube new_cube(const std::string& name, int width, int height, int channels);
    Cube block(const Cube& cube, int first, int channels) const;
    Location& add_output(int index, int width, int height, int channels);

    /// SDP registers for these values; remembers how exact they are.
    PostProcess post_process(int index, const LayerTarget& target, const Cube& output);
    /// Adds a convolution, cut into parts of its height where the buffer is too small. `weights`
    /// are [kernel][row][column][channel].
    void add_conv(int index, ConvLayer conv, std::vector<std::int8_t> weights,
                  const std::vector<int>& after, std::uint64_t macs);
    void add_layer(Layer layer);
    /// Sums over windows with equal weights, as convolutions of blocks of channels.
    void add_average(int index, const graph::Window& window, const ChannelTarget& channel,
                     LayerTarget target);
    ConvLayer geometry(int index, const graph::Window& window, const Location& in, int out_h,
                       int out_w) const;
    int block_channels(int channels, int kernel) const;

    const graph::Graph& graph_;
    const model::DeviceSizes& sizes_;
    std::map<graph::TensorId, Location> locations_;
};

/// Weights of a convolution that are all the same where input and output channel belong together:
/// [kernel][row][column][channel] with zeros elsewhere.
std::vector<std::int8_t> diagonal(int channels, int positions);

}  // namespace macrame::dla::compiler
