/// Convolution layers of pixels: what random_conv.cpp asks for where the input is an image.

#include <algorithm>

#include "random_conv.hpp"

namespace macrame::dla::stimulus {

namespace {

/// What an image layer has beside its geometry and the lines of a step.
void choose_pixels(ProgramBuilder& b, Conv& c) {
    c.image.is_signed = b.random.chance(50);
    c.image.pad_value = static_cast<std::int8_t>(b.random.chance(20) ? 0 : b.random.in(-128, 127));
    if (c.type != Precision::int8) {
        c.image.pad_value = static_cast<std::int16_t>(b.any_word(c.type));
    }
}

/// Padding and size of the output.
bool place_windows(ProgramBuilder& b, Conv& c, int line) {
    c.pt = b.random.chance(50) ? b.random.in(0, std::min(31, c.r - 1)) : 0;
    if (!fit_windows(c.height, c.pt, c.r, c.sy, c.out_height, c.pb)) return false;
    if (line > 0) {
        c.pl = c.image.pad_left;
        c.pr = c.image.pad_right;
        if (c.s > line || (line - c.s) % c.sx != 0) return false;
        if (c.pl >= c.s || c.pr >= c.s) return false;  // no window of padding alone
        c.out_width = (line - c.s) / c.sx + 1;
    } else {
        c.pl = b.random.chance(50) ? b.random.in(0, std::min(31, c.s - 1)) : 0;
        if (!fit_windows(c.width, c.pl, c.s, c.sx, c.out_width, c.pr)) return false;
        c.image.pad_left = c.pl;
        c.image.pad_right = c.pr;
    }
    return true;
}

/// Lines per step that the kernel may have; its weights are stored accordingly.
void choose_rows(ProgramBuilder& b, Conv& c) {
    const int lanes = b.sizes.atomic_c;
    c.rows_per_step = 1;
    for (const int rows : {2, 4}) {
        if (c.channels * c.s <= lanes / rows && c.sx * c.channels <= lanes / rows &&
            b.random.chance(50)) {
            c.rows_per_step = rows;
        }
    }
}

/// A format of 8 bits.
int any_byte_format(ProgramBuilder& b) {
    return b.random.chance(15) ? 0
                               : b.random.pick({0, 12, 13, 14, 15, 16, 17, 18, 19, 26, 27, 28, 29});
}

/// A format of any type that the layer can take, and its type.
void choose_format16(ProgramBuilder& b, Conv& c) {
    for (;;) {
        c.image.format = b.random.chance(45) ? any_byte_format(b) : b.random.in(0, 35);
        const bool floats = dla::model::is_float_format(c.image.format);
        if (floats && !b.sizes.fp16) continue;
        if (floats) c.type = Precision::fp16;
        c.in = floats                    ? Precision::fp16
               : c.image.pixels().bits16 ? Precision::int16
                                         : Precision::int8;
        return;
    }
}

}  // namespace

void choose_image(ProgramBuilder& b, Conv& c) {
    c.is_image = true;
    c.image.types16 = b.sizes.types16();
    if (c.image.types16) {
        choose_format16(b, c);
    } else {
        c.image.format = any_byte_format(b);
    }
    const dla::model::PixelFormat format = c.image.pixels();
    c.channels = format.components;
    c.image.x_offset =
        b.random.chance(30) ? 0 : b.random.in(0, b.sizes.atom_bytes / format.bytes[0] - 1);
    c.width = b.random.low(1, b.random.chance(15) ? 300 : 40);
    c.height = b.random.low(1, b.random.chance(15) ? 60 : 16);
    if (b.chance_of_huge()) {
        c.huge = true;
        c.width = b.huge_side();
        c.height = b.random.in(1, 2);
    }
    c.new_lines = c.height;
}

bool choose_image_kernel(ProgramBuilder& b, Conv& c, int line) {
    c.s = b.random.low(1, b.random.chance(10) ? 12 : 6);
    c.r = b.random.low(1, b.random.chance(10) ? 12 : 6);
    if (b.random.chance(15)) {  // lines that just fill one or two steps, or just do not
        c.s = std::clamp(b.sizes.atomic_c * b.random.in(1, 2) / c.channels + b.random.low(0, 2), 1,
                         32);
        c.r = b.random.low(1, 3);
    }
    c.sx = b.random.chance(50) ? any_stride(b) : 1;
    c.sy = b.random.chance(50) ? any_stride(b) : 1;
    if (!place_windows(b, c, line)) return false;
    choose_rows(b, c);
    choose_pixels(b, c);
    return true;
}

bool keep_image_kernel(ProgramBuilder& b, const Conv& before, Conv& c, int line) {
    c.s = before.s;
    c.r = before.r;
    c.sx = before.sx;
    c.sy = before.sy;
    c.rows_per_step = before.rows_per_step;
    choose_pixels(b, c);
    return place_windows(b, c, line);
}

Cube image_planes(ProgramBuilder& b, Conv& c) {
    const dla::model::PixelFormat format = c.image.pixels();
    Cube cube{c.width, c.new_lines, c.channels};
    const int am = b.sizes.atom_bytes;
    const trace::Port port = b.any_port();  // of both planes
    const Noise noise = b.any_noise();
    const auto load = [&](int plane, std::uint32_t& stride) {
        const int bytes = (c.image.x_offset + c.width) * format.bytes[plane];
        stride = static_cast<std::uint32_t>(
            ((bytes + am - 1) / am + (b.random.chance(50) ? 0 : b.random.low(1, 6))) * am);
        return b.load_random(std::uint64_t{stride} * static_cast<unsigned>(c.new_lines), b.atom(),
                             port, noise, c.in == Precision::fp16 ? c.in : Precision::int8);
    };
    cube.base = load(0, cube.line_stride);
    if (format.bytes[1] != 0) c.image.addr_1 = load(1, c.image.uv_stride);
    return cube;
}

}  // namespace macrame::dla::stimulus
