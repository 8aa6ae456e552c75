#pragma once
/// What the hardware runs in one go, with addresses as offsets into the block of a program.
/// lower/ makes these of a graph, registers.cpp makes register values of them.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compiler/dla/requantise.hpp"
#include "verif/dla/model/row_math.hpp"

namespace macrame::dla::compiler {

/// Where something lies: in a buffer that memory.cpp places, or (kPlaced) at an offset of the
/// block.
struct Place {
    int buffer = kPlaced;
    std::uint64_t offset = 0;

    static constexpr int kPlaced = -1;
};

/// A feature cube in memory (NVDLA memory formats), or a part of one.
struct Cube {
    int width = 1, height = 1, channels = 1;
    Place place;
    std::uint32_t line_stride = 0, surface_stride = 0;
};

/// An image in memory: pixels of one or four bytes, lines one after the other.
struct Pixels {
    int width = 1, height = 1, components = 1;  ///< components: 1 or 4
    Place place;
    std::uint32_t line_stride = 0;
};

/// Operands of an SDP stage in memory.
struct Operands {
    bool alu = false, mul = false;  ///< what they are for; ALU first where both
    bool two_byte = false;
    bool per_element = false;  ///< else per channel, and the strides mean nothing
    Place place;
    std::uint32_t line_stride = 0, surface_stride = 0;
};

/// SDP's BS or BN.
struct XRegisters {
    bool bypass = true;
    bool alu_bypass = true, mul_bypass = true, prelu = false, relu = false;
    AluFunction function = AluFunction::sum;
    int alu_shift = 0, mul_shift = 0;
    int alu_value = 0, mul_value = 0;  ///< where the operands are not in memory
    std::optional<Operands> memory;
};

/// A function of int8 as a table of SDP or CDP: values[0] up to `start`, then one for each integer.
struct Lookup {
    std::int32_t start = -128;
    std::array<std::int8_t, 256> values{};
};
inline bool operator==(const Lookup& a, const Lookup& b) {
    return a.start == b.start && a.values == b.values;
}

/// SDP's EW.
struct YRegisters {
    bool bypass = true;
    bool alu_bypass = true, mul_bypass = true;
    AluFunction function = AluFunction::sum;
    int truncate = 0;
    std::int32_t alu_value = 0, mul_value = 0;
    std::int32_t mul_zero = 0;  ///< is subtracted from MUL operands of memory
    // ALU operands of memory become (operand - alu_zero) * alu_scale / 2^alu_shift.
    std::int32_t alu_zero = 0;
    int alu_scale = 1, alu_shift = 0;
    std::optional<Operands> memory;
    std::optional<Lookup> lookup;  ///< comes last
};

/// SDP behind a convolution or on its own, and where its output goes.
struct PostProcess {
    XRegisters bs, bn;
    YRegisters ew;
    std::int32_t offset = 0;  ///< of the output convertor
    int scale = 1, shift = 0;
    Cube output;
};

/// PDP from memory, or on the fly behind a convolution.
struct PdpLayer {
    Cube input, output;
    bool average = false;
    int kernel_h = 1, kernel_w = 1;
    int stride_h = 1, stride_w = 1;
    int top = 0, left = 0, bottom = 0, right = 0;
    int padding = 0;
};

/// How a convolution lies in CBUF.
struct CbufPlan {
    int entries_per_slice = 1;
    int data_banks = 1, weight_banks = 1;
};

/// What compressed weights have beside those that are not 0.
struct Masks {
    Place bits;                       ///< one per weight: is it there?
    std::uint32_t bytes = 0;          ///< of these, a multiple of 128
    Place groups;                     ///< bytes of each kernel group, words of 32 bits
    std::uint32_t largest_group = 0;  ///< of these
};

/// A convolution with what SDP makes of it.
struct ConvLayer {
    std::variant<Cube, Pixels> input;
    Place weights;
    std::uint32_t weight_bytes = 0;  ///< a multiple of 128
    std::optional<Masks> masks;      ///< then the weights are compressed
    int kernels = 1;
    int kernel_h = 1, kernel_w = 1;
    int stride_h = 1, stride_w = 1;
    int dilation_h = 1, dilation_w = 1;
    int top = 0, left = 0, bottom = 0, right = 0;
    int padding = 0;        ///< value
    int rows_per_step = 1;  ///< post-extension of images: 1, 2 or 4
    int out_h = 1, out_w = 1;
    CbufPlan buffer;
    PostProcess post;
    std::optional<PdpLayer> pool;  ///< takes the output from SDP; then post.output is its output

    bool is_image() const { return std::holds_alternative<Pixels>(input); }
};

/// SDP alone.
struct SdpLayer {
    Cube input;
    PostProcess post;
};

/// CDP as a table: every value of its own, without its neighbours.
struct CdpLayer {
    Cube input, output;
    Lookup lookup;
};

/// RUBIK's contract: phases of a cube, of whole atoms each, become lines and columns between each
/// other. Phase y * stride_w + x of the input has what is at line y, column x of each square.
struct RubikLayer {
    Cube input, output;  ///< output.channels: of one phase
    int stride_h = 1, stride_w = 1;
};

/// ROW: a function of all channels of a pixel.
struct RowLayer {
    Cube input, output;
    model::RowSettings settings;  ///< without records
    Place records;                ///< one per difference of a softmax, per channel of a norm
};

/// An operator that the host runs between others.
struct HostLayer {
    int number = 0;             ///< in Lowering::host
    std::vector<Place> places;  ///< of what it reads and writes
};

struct Layer {
    std::variant<ConvLayer, SdpLayer, PdpLayer, CdpLayer, RubikLayer, RowLayer, HostLayer> work;
    std::string name;
    int node = -1;             ///< of the graph
    std::vector<int> after;    ///< layers whose results or reads have to be done
    std::uint64_t macs = 0;    ///< that the network asks for
    std::uint64_t cycles = 0;  ///< estimated
    std::string choice;        ///< which way it is done, where cycles decide between several
};

}  // namespace macrame::dla::compiler
