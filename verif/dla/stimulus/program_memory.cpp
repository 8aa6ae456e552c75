/// Memory of random programs: addresses, contents, cubes.

#include <algorithm>
#include <utility>

#include "program_builder.hpp"

namespace macrame::dla::stimulus {

static constexpr int kGuard = 32;  // untouched bytes around every output cube
static constexpr std::uint64_t kPage = 4096;

std::uint64_t ProgramBuilder::allocate(std::uint64_t size, std::uint64_t align, trace::Port port) {
    if (options.plain)
        align = kPage;
    else
        next_addr_ += static_cast<std::uint64_t>(random.low(0, 200));
    next_addr_ = (next_addr_ + align - 1) / align * align;
    const std::uint64_t addr = next_addr_ | high_;
    next_addr_ += size;
    regions_.push_back({addr, size, port});
    return addr;
}

Noise ProgramBuilder::any_noise() {
    if (random.chance(5)) return Noise::constant;
    const int kind = random.in(0, 4);
    return kind < 4 ? static_cast<Noise>(kind) : Noise::coarse;
}

/// Corner values are common in all. Coarse numbers are multiples of 2^step.
std::uint8_t ProgramBuilder::noise_byte(Noise noise, int step) {
    switch (noise) {
        case Noise::any:
        case Noise::narrow:
        case Noise::moderate:
            break;
        case Noise::small:
            return static_cast<std::uint8_t>(random.in(-3, 3));
        case Noise::sparse:
            if (random.chance(50)) return 0;
            break;
        case Noise::coarse:
            return static_cast<std::uint8_t>(random.in(-128 >> step, 127 >> step) << step);
        case Noise::corners:
            return static_cast<std::uint8_t>(random.pick({-128, 127, 0, -1, 1}));
        case Noise::constant:
            return static_cast<std::uint8_t>(random.pick({-128, 127}));
    }
    return static_cast<std::uint8_t>(random.in(0, 255));
}

trace::Port ProgramBuilder::any_port() {
    return sizes.secondary && !options.plain && random.chance(50) ? trace::Port::secondary
                                                                  : trace::Port::primary;
}

std::uint32_t ProgramBuilder::ram_type(std::uint64_t base) const {
    for (const Region& region : regions_) {
        if (base >= region.base && base - region.base < region.size) {
            return region.port == trace::Port::primary ? 1 : 0;
        }
    }
    return 1;
}

/// Infinite and denormal numbers, NaN, the largest and the smallest.
static constexpr std::uint32_t kSpecials[] = {0x7C00, 0xFC00, 0x7E01, 0xFD55, 0x0001,
                                              0x8203, 0x7BFF, 0xFBFF, 0x0400, 0x8000};

/// An element of 16 bits. Numbers of fp16 are mostly of a size at which sums depend on all of them.
std::uint32_t ProgramBuilder::noise_element(Noise noise, Precision type, int step) {
    if (noise == Noise::sparse && random.chance(50)) return 0;
    if (noise == Noise::moderate) {
        if (type == Precision::int16) return static_cast<std::uint32_t>(random.in(-2048, 2047));
        return static_cast<std::uint32_t>(random.in(0x2800, 0x4600)) | (random.word() & 0x8000u);
    }
    if (type == Precision::fp16) {
        if (noise == Noise::constant) {
            return static_cast<std::uint32_t>(random.pick({0x7BFF, 0xFBFF, 0x3C00, 0xC400}));
        }
        if (noise == Noise::small)
            return static_cast<std::uint32_t>(
                random.pick({0, 0x3C00, 0xBC00, 0x4000, 0xC200, 0x3800}));
        if (random.chance(noise == Noise::corners ? 20 : 1)) return kSpecials[random.in(0, 9)];
        const int least = random.chance(95) ? 0x2800 : 0, most = least == 0 ? 0x7BFF : 0x4600;
        return static_cast<std::uint32_t>(random.in(least, most)) | (random.word() & 0x8000u);
    }
    if (noise == Noise::small) return static_cast<std::uint32_t>(random.in(-3, 3));
    if (noise == Noise::narrow) return static_cast<std::uint32_t>(random.in(-128, 127));
    if (noise == Noise::corners)
        return static_cast<std::uint32_t>(random.pick({-32768, 32767, 0, -1, 1}));
    if (noise == Noise::constant) return static_cast<std::uint32_t>(random.pick({-32768, 32767}));
    if (noise == Noise::coarse) return random.word() << step;
    return random.word();
}

Precision ProgramBuilder::any_type() {
    if (!sizes.types16()) return Precision::int8;
    for (;;) {
        const auto type = static_cast<Precision>(random.in(0, 2));
        if (sizes.has(type)) return type;
    }
}

std::uint32_t ProgramBuilder::any_word(Precision type) {
    if (type != Precision::fp16) return random.word() & 0xFFFFu;
    return noise_element(Noise::any, type) & 0xFFFFu;
}

std::uint32_t ProgramBuilder::any_float() {
    if (random.chance(2)) return random.word();
    const auto exponent = static_cast<std::uint32_t>(random.in(118, 136));
    return exponent << 23 | (random.word() & 0x807FFFFFu);
}

std::vector<std::uint8_t> ProgramBuilder::random_bytes(std::uint64_t size, Noise noise,
                                                       Precision type) {
    if (type != Precision::int8) {
        const int step = noise == Noise::coarse ? random.in(1, 14) : 0;
        std::vector<std::uint8_t> out;
        std::uint32_t element = noise_element(noise, type, step);
        while (out.size() < size) {
            if (noise != Noise::constant) element = noise_element(noise, type, step);
            out.push_back(static_cast<std::uint8_t>(element));
            out.push_back(static_cast<std::uint8_t>(element >> 8));
        }
        out.resize(size);
        return out;
    }
    if (noise == Noise::constant) return std::vector<std::uint8_t>(size, noise_byte(noise, 0));
    const int step = noise == Noise::coarse ? random.in(1, 6) : 0;
    std::vector<std::uint8_t> bytes;
    for (std::uint64_t i = 0; i < size; ++i)
        bytes.push_back(noise_byte(noise, step));
    return bytes;
}

std::uint64_t ProgramBuilder::load_random(std::uint64_t size, std::uint64_t align, trace::Port port,
                                          Noise noise, Precision type) {
    trace::MemoryInit init;
    init.port = port;
    init.base = allocate(size, align, port);
    init.segments.push_back({0, random_bytes(size, noise, type)});
    made_.program.memory.push_back(std::move(init));
    return made_.program.memory.back().base;
}

std::uint64_t ProgramBuilder::load_bytes(std::vector<std::uint8_t> bytes, std::uint64_t align,
                                         trace::Port port) {
    trace::MemoryInit init;
    init.port = port;
    init.base = allocate(bytes.size(), align, port);
    init.segments.push_back({0, std::move(bytes)});
    made_.program.memory.push_back(std::move(init));
    return made_.program.memory.back().base;
}

std::uint64_t ProgramBuilder::load_cube(const Cube& cube, int record, Noise noise) {
    const trace::Port port = any_port();
    if (!cube.far) return load_random(cube.size, atom(), port, noise, cube.type);
    trace::MemoryInit init;
    init.port = port;
    init.base = allocate(cube.size, atom(), port);
    for (int surface = 0; surface < surfaces(cube); ++surface) {
        for (int line = 0; line < cube.height; ++line) {
            const std::uint64_t offset =
                std::uint64_t{cube.surface_stride} * static_cast<unsigned>(surface) +
                std::uint64_t{cube.line_stride} * static_cast<unsigned>(line);
            const auto size = static_cast<std::uint64_t>(cube.width * record);
            init.segments.push_back({offset, random_bytes(size, noise, cube.type)});
        }
    }
    made_.program.memory.push_back(std::move(init));
    return made_.program.memory.back().base;
}

int ProgramBuilder::surfaces(const Cube& cube) const {
    const int elements = cube.pairs ? sizes.atom_bytes : sizes.elements(cube.type);
    return (cube.channels + elements - 1) / elements * (cube.pairs ? 2 : 1);
}

int ProgramBuilder::bytes(const Cube& cube) const {
    return cube.width * cube.height * surfaces(cube) * sizes.atom_bytes;
}

/// Cubes behind each other, with gaps of so many bytes or none.
void ProgramBuilder::set_batch_strides(Cube& cube, int align) {
    const auto gap = [&] {
        return options.plain || random.chance(50) ? 0 : random.low(1, 3) * align;
    };
    const auto stride = [&](int size) {
        return static_cast<std::uint32_t>((size + align - 1) / align * align + gap());
    };
    cube.line_stride = stride(cube.width * sizes.atom_bytes);
    cube.surface_stride = stride(static_cast<int>(cube.line_stride) * cube.height);
    cube.batch_stride = stride(static_cast<int>(cube.surface_stride) * surfaces(cube));
    cube.size = std::uint64_t{cube.batch_stride} * static_cast<unsigned>(cube.batches);
}

void ProgramBuilder::set_strides(Cube& cube, int record) {
    constexpr std::uint64_t kFarthest = 1 << 26, kAddressesForFar = 0xC0000000;
    const int all_surfaces = surfaces(cube), gap = sizes.atom_bytes;
    const bool single = cube.width == 1 && cube.height == 1;
    const auto place = [&](int line_gap, int surface_gap) {
        cube.line_stride = static_cast<std::uint32_t>(cube.width * record + line_gap * gap);
        cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(cube.height) +
                              static_cast<std::uint32_t>(surface_gap * gap);
        cube.size = std::uint64_t{cube.surface_stride} * static_cast<std::uint64_t>(all_surfaces);
    };
    if (options.plain) {
        place(0, 0);
        return;
    }
    if (!single && cube.height * all_surfaces <= 256 && random.chance(6)) {
        const int line_gap = random.low(0, 1 << 12);
        place(line_gap, random.low(0, 1 << 14));
        cube.far = cube.size <= kFarthest && next_addr_ < kAddressesForFar;
    }
    if (cube.far) return;
    const int line_gap = single || random.chance(50) ? 0 : random.low(1, 4);
    place(line_gap, single || random.chance(50) ? 0 : random.low(1, 6));
}

Cube ProgramBuilder::any_cube(int channels, Precision type) {
    for (;;) {
        Cube cube{random.low(1, 24), random.low(1, 16), random.low(1, channels)};
        const bool huge = chance_of_huge();
        const int kind = random.in(0, huge ? 2 : 15);
        if (kind == 0) {
            cube.width = huge ? huge_side() : random.in(32, 200);
            cube.height = huge ? 1 : random.low(1, 4);
        } else if (kind == 1) {
            cube.width = huge ? 1 : random.low(1, 4);
            cube.height = huge ? huge_side() : random.in(32, 120);
        } else if (huge) {
            cube = {random.low(1, 2), 1, huge_side()};
        }
        if (huge && kind < 2) cube.channels = random.in(1, sizes.atom_bytes);
        cube.type = type;
        if (huge || bytes(cube) <= options.max_elements) return cube;
    }
}

/// What only sizes and type of another cube are of.
static Cube plain(const Cube& cube) {
    Cube out{cube.width, cube.height, cube.channels};
    out.type = cube.type;
    out.pairs = cube.pairs;
    out.batches = cube.batches;
    return out;
}

Cube ProgramBuilder::input_cube(const Cube& sizes_of, Noise noise) {
    Cube cube = plain(sizes_of);
    if (cube.batches > 1) {
        set_batch_strides(cube, sizes.atom_bytes);
    } else {
        set_strides(cube, sizes.atom_bytes);
    }
    cube.base = load_cube(cube, sizes.atom_bytes, noise);
    return cube;
}

std::uint64_t ProgramBuilder::guarded(std::uint64_t size, trace::Port port) {
    constexpr std::uint64_t kEdge = 2 * kGuard;  // aligned for all units
    trace::MemoryInit init;
    init.port = port;
    init.size = size + 2 * kEdge;
    init.base = allocate(init.size, kEdge, port);
    init.pattern = random.pick({0x00, 0xFF, 0xA5, 0x5A});
    made_.program.memory.push_back(init);
    return init.base + kEdge;
}

Cube ProgramBuilder::output_cube(const Cube& sizes_of) {
    Cube cube = plain(sizes_of);
    if (cube.batches > 1) {  // pairs of atoms
        set_batch_strides(cube, 2 * sizes.atom_bytes);
    } else {
        set_strides(cube, sizes.atom_bytes);
    }
    trace::MemoryInit init;
    init.port = any_port();
    const int guard = cube.batches > 1 || options.plain ? 2 * kGuard : kGuard;
    init.size = cube.size + 2 * static_cast<unsigned>(guard);
    const int unit = std::max(sizes.atom_bytes, kGuard) * (cube.batches > 1 ? 2 : 1);
    const auto align = static_cast<std::uint64_t>(unit);
    init.base = allocate(init.size, align, init.port);
    init.pattern = random.pick({0x00, 0xFF, 0xA5, 0x5A});
    cube.base = init.base + static_cast<unsigned>(guard);
    cube.layer = layer_;
    if (!cube.far) made_.program.memory.push_back(std::move(init));
    return cube;
}

}  // namespace macrame::dla::stimulus
