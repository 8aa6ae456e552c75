/// Where inputs of the network lie: as images or as cubes.

#include <algorithm>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

/// Form of an input of the network as an image; none where it is better a cube. Only a convolution
/// without groups reads images.
std::optional<Lowering::PixelForm> Lowering::pixel_form(TensorId id) const {
    const int channels = shape_of(tensor(id)).channels;
    if (!sizes_.image) return std::nullopt;
    const std::vector<int>& readers = readers_[at(id)];
    if (readers.empty() || !used_only_by(id, readers[0])) return std::nullopt;
    const graph::Node& user = node(readers[0]);
    const graph::Conv* conv = std::get_if<graph::Conv>(&user.op);
    if (conv == nullptr || conv->groups != 1 || user.inputs[0] != id ||
        conv->window.dilation_h != 1 || conv->window.dilation_w != 1 ||
        terms_of(distances(tensor(user.inputs[1]))) > 1)
        return std::nullopt;
    // Pixels of any size are as many columns of one byte, if the stride reaches over them.
    const graph::Window& w = conv->window;
    std::vector<PixelForm> forms;
    if (channels <= 4 && w.stride_w * channels <= kMaxStride &&
        std::max(w.left, w.right) * channels < kMaxKernel)
        forms.push_back({1, channels});
    if (channels == 3 || channels == 4) forms.push_back({4, 1});
    for (const PixelForm& form : forms)
        if (image_fits(readers[0], form)) return form;
    return std::nullopt;
}

/// A picture of that form, to be placed.
Lowering::Location Lowering::image(const Shape& shape, const PixelForm& form) const {
    Location out;
    const int width = shape.width * form.columns;
    const std::uint64_t line = round_up(at(width) * at(form.components), at(sizes_.atom_bytes));
    out.form = form;
    out.pixels = {width, shape.height, form.components, {}, static_cast<std::uint32_t>(line)};
    return out;
}

/// Do registers and buffer have room for some lines of that form in front of a convolution?
bool Lowering::image_fits(int index, const PixelForm& form) const {
    const graph::Node& n = node(index);
    const Shape in = shape_of(tensor(n.inputs[0])), out = shape_of(tensor(n.outputs[0]));
    try {
        ConvLayer conv = geometry(index, std::get<graph::Conv>(n.op).window, image(in, form),
                                  out.height, out.width);
        if (wants_border(conv)) return false;
        conv.kernels = std::min(out.channels, sizes_.atomic_k);
        conv.post.output = {out.width, out.height, conv.kernels, {}, 0, 0};
        return largest_tile(sizes_, conv).has_value();
    } catch (const Unsupported&) {
        return false;  // is told when it is its turn
    }
}

void Lowering::place_inputs() {
    const auto others =
        std::stable_partition(program_inputs.begin(), program_inputs.end(),
                              [&](TensorId id) { return tensor(id).type == graph::Type::int8; });
    on_host_.insert(others, program_inputs.end());
    program_inputs.erase(others, program_inputs.end());
    for (const TensorId id : program_inputs) {
        const graph::Tensor& tensor = graph_.tensor(id);
        const Shape shape = shape_of(tensor);
        Location& location = locations_[id];
        if (const std::optional<PixelForm> form = pixel_form(id)) {
            location = image(shape, *form);
            const std::uint64_t line = location.pixels.line_stride;
            location.pixels.place = {add_buffer(tensor.name, line * at(shape.height), true), 0};
        } else {
            location.cube = new_cube(tensor.name, shape.width, shape.height, shape.channels);
            buffers[at(location.cube.place.buffer)].keep = true;
        }
    }
}

}  // namespace macrame::dla::compiler
