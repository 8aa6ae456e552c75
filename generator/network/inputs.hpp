#pragma once
/// Inputs of networks from files: raw elements, .npy, pictures, sound.

#include <optional>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace macrame::network {

/// What a network gets in one run.
struct Input {
    std::string name;            ///< of the file; "inputs.i8[3]" where it has several
    std::vector<Bytes> tensors;  ///< one for each input of the network; of states the first values
};

/// An input that may be a picture.
struct PictureShape {
    int height = 0, width = 0, channels = 0;
    bool planes = false;  ///< channels first
};
/// Three axes beside a batch of one, 1 or 3 channels last or first; nothing for others.
std::optional<PictureShape> picture_shape(const graph::Tensor& tensor);

/// The inputs of all files, those of a folder by name; nothing after an error, which is printed.
///
/// | file | holds |
/// |---|---|
/// | .npy | int8: elements; float32: real values; uint8: elements of a uint8 input, else pixels |
/// | .png, .jpg, .jpeg | a picture of the input's height and width, or of any with --resize |
/// | .wav | samples -1 .. 1 for an input that is a vector of samples |
/// | others | elements as the network's file lays them out, inputs back to back |
///
/// Raw inputs are float32 where the network's file has float32, or with --input-type float32, and
/// become the elements by the input's scale; what was taken is printed, in one line.
///
/// Real values are rounded to the nearest element. Pixels 0 to 255 stand for the real values of
/// --pixel-range, else for what the input can hold: int8 is the pixel - 128, uint8 the pixel.
std::optional<std::vector<Input>> read_inputs(const Request& request, const Network& network);

}  // namespace macrame::network
