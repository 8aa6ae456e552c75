#pragma once
/// Random convolution layers: fresh ones, and those that use what the layer before left in the
/// convolution buffer.

#include <cstdint>
#include <optional>

#include "program_builder.hpp"
#include "random_sdp.hpp"
#include "verif/dla/model/cdma.hpp"

namespace macrame::dla::stimulus {

/// The numbers of a convolution layer that later layers depend on.
struct Conv {
    int width = 0, height = 0, channels = 0;  // height with reused lines
    int new_lines = 0;                        // that CDMA fetches
    int s = 1, r = 1, kernels = 1;
    int sx = 1, sy = 1, dx = 1, dy = 1;
    int pl = 0, pr = 0, pt = 0, pb = 0;
    int out_width = 0, out_height = 0;
    int data_banks = 0, weight_banks = 0;
    int release = 1;
    bool data_reuse = false, weight_reuse = false, skip_data = false, skip_weight = false;
    std::uint32_t weight_bytes = 0;
    bool is_image = false;  // channels: components of a pixel
    dla::model::ImageInput image;
    int rows_per_step = 1;  // post-extension
    bool deep = false;      // a single sum over as much as fits
    bool huge = false;      // one side is long

    Precision in = Precision::int8, type = Precision::int8;  // of memory; computed
    int batches = 1;
    // Winograd: sizes, channels and kernel are those of the extended plane; this is in memory.
    bool winograd = false;
    int raw_width = 0, raw_height = 0, raw_channels = 0;
    // Compressed weights: which are stored follows from a seed.
    bool compressed = false;
    std::uint64_t mask_seed = 0;
    int density = 100;  // of stored weights, percent
    std::uint32_t stored_bytes = 0, mask_bytes = 0;
    // Numbers: random_truncate.cpp.
    struct {
        bool on = false;
        std::uint32_t offset = 0, scale = 0;
        int shift = 0;
    } convertor;                         // of the input
    int data_bits = 6, weight_bits = 6;  // mostly within +-2^bits
    bool constant = false;               // all data the same, and all weights
    int truncate = 0;
    Numbers left;  // behind it
    // Chosen sums: all data are `sum_data`, but 1 in the last channel; results go down to
    // -most_result.
    bool sums = false;
    int sum_data = 0, most_result = 0;

    int bytes() const { return dla::model::bytes_of(type); }
    std::int64_t kernel_elements() const { return std::int64_t{1} * channels * s * r; }

    int span_x() const { return (s - 1) * dx + 1; }
    int span_y() const { return (r - 1) * dy + 1; }
    /// Winograd needs 16 for four results.
    std::int64_t macs() const {
        return std::int64_t{1} * batches * out_width * out_height * kernels * channels * s * r /
               (winograd ? 4 : 1);
    }
};

/// A layer with all units from CDMA to SDP. `before`: the convolution before it, which becomes this
/// one. `sums`: its sums are chosen. False: no layer is found that the original hardware runs, if
/// that is asked for.
bool make_conv(ProgramBuilder& b, std::optional<Conv>& before, bool sums);

// ---- parts with a file of their own

int any_stride(ProgramBuilder& b);
/// CBUF entries of a line of the input.
int entries(const ProgramBuilder& b, const Conv& c);

/// random_modes.cpp: Winograd on a cube that is chosen, or on any.
void choose_winograd(ProgramBuilder& b, Conv& c);
/// Several inputs, if the layer can have them.
void choose_batches(ProgramBuilder& b, Conv& c);
/// Which weights are stored, and sets their bytes.
void choose_masks(ProgramBuilder& b, Conv& c);
/// The same of so many percent of all, as c.mask_seed has them.
void set_masks(Conv& c, int density);
/// Weights of a layer in memory and, if they are compressed, their masks and sizes of groups.
struct WeightPlaces {
    std::uint64_t weights = 0, masks = 0, group_sizes = 0;
};
WeightPlaces load_weights(ProgramBuilder& b, const Conv& c, Noise noise);
/// Kernels of a group.
inline int group_kernels(const ProgramBuilder& b, const Conv& c) {
    return c.type == Precision::int8 ? b.sizes.atomic_k : b.sizes.elements(c.type);
}
/// Banks for data and weights; the last one has the masks of compressed weights.
inline int usable_banks(const ProgramBuilder& b, const Conv& c) {
    return b.sizes.cbuf_banks - (c.compressed ? 1 : 0);
}

/// random_truncate.cpp: convertor of the input and truncate of the sums.
void choose_convertor(ProgramBuilder& b, Conv& c);
void choose_truncate(ProgramBuilder& b, Conv& c, Noise data, Noise weights);

/// random_sums.cpp: a layer of one output whose sums are ties of CACC or near. False: the sum is
/// more than the buffer has products for.
bool choose_sums(ProgramBuilder& b, Conv& c);
Cube load_sum_data(ProgramBuilder& b, const Conv& c);
std::uint64_t load_sum_weights(ProgramBuilder& b, const Conv& c);

/// random_image.cpp: an image of any format.
void choose_image(ProgramBuilder& b, Conv& c);
/// Kernel of an image layer; `line` > 0: the stored line of the layer before is used again. False
/// if its windows do not fit.
bool choose_image_kernel(ProgramBuilder& b, Conv& c, int line);
/// The same with the kernel of the layer before, whose weights stay.
bool keep_image_kernel(ProgramBuilder& b, const Conv& before, Conv& c, int line);
/// Lines of pixels; a second plane has its address and stride in c.image.
Cube image_planes(ProgramBuilder& b, Conv& c);

/// random_conv_registers.cpp: CACC, CMAC, CSC and CDMA; the output is the last of the builder.
void conv_registers(ProgramBuilder& b, const Conv& c, const Cube& input,
                    const WeightPlaces& weights);

}  // namespace macrame::dla::stimulus
