#include "verif/systolic/model/machine.hpp"

#include <array>

#include "verif/systolic/isa/rules.hpp"
#include "verif/systolic/isa/walk.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic::model {

namespace {

constexpr std::array<Buffer, 4> kBuffers = {Buffer::ibuf, Buffer::wbuf, Buffer::obuf,
                                             Buffer::scale};

/// A number in memory, little-endian.
std::int64_t read_element(const verif::Memory& memory, std::int64_t address, std::int64_t bytes) {
    std::uint64_t bits = 0;
    for (std::int64_t i = 0; i < bytes; ++i) {
        const std::uint64_t byte = memory.read(static_cast<std::uint64_t>(address + i));
        bits |= byte << 8 * i;
    }
    return static_cast<std::int64_t>(bits);
}

void write_element(verif::Memory& memory, std::int64_t address, std::int64_t bytes,
                   std::int64_t value) {
    for (std::int64_t i = 0; i < bytes; ++i) {
        memory.write(static_cast<std::uint64_t>(address + i),
                     static_cast<std::uint8_t>(value >> 8 * i & 0xff));
    }
}

std::int64_t combine(AluOp op, std::int64_t a, std::int64_t b) {
    if (op == AluOp::max) return std::max(a, b);
    if (op == AluOp::min) return std::min(a, b);
    return a + b;
}

}  // namespace

Machine::Machine(const Architecture& architecture, verif::Memory& memory)
    : architecture_(architecture), memory_(memory) {
    for (const Buffer name : kBuffers) {
        buffers_.emplace_back(static_cast<std::size_t>(entries(architecture, name)) *
                              static_cast<std::size_t>(banks(architecture, name)));
    }
}

std::size_t Machine::index(const Place& place) const {
    return static_cast<std::size_t>(place.entry) *
               static_cast<std::size_t>(banks(architecture_, place.buffer)) +
           static_cast<std::size_t>(place.bank);
}

void Machine::set(const Place& place, std::int64_t value) {
    const int width = element_width(architecture_, place.buffer);
    buffers_[static_cast<std::size_t>(place.buffer)][index(place)] =
        static_cast<std::int32_t>(wrap(value, width));
}

std::vector<std::int32_t> Machine::entry(Buffer name, int entry) const {
    const auto first = buffer(name).begin() +
                       static_cast<std::ptrdiff_t>(index({name, entry, 0}));
    return {first, first + banks(architecture_, name)};
}

std::int64_t Machine::output(std::int64_t entry, std::int64_t lane) const {
    return value({Buffer::obuf, static_cast<int>(entry), static_cast<int>(lane)});
}

std::string Machine::execute(const Instruction& instruction) {
    const std::string reason = problem(architecture_, instruction);
    if (!reason.empty() || is_nop(instruction)) return reason;
    switch (instruction.module) {
        case Module::load:
            load(instruction.transfer);
            break;
        case Module::gemm:
            gemm(instruction.gemm);
            break;
        case Module::alu:
            alu(instruction.alu);
            break;
        case Module::store:
            store(instruction.transfer);
            break;
    }
    return "";
}

void Machine::load(const Transfer& t) {
    const Place start = *place_of(architecture_, t.sram_address);
    const bool narrow = t.bitwidth != 0;
    const std::int64_t bytes = transfer_bytes(architecture_, start.buffer, narrow);
    const int width = !narrow                         ? architecture_.accumulator_width
                      : start.buffer == Buffer::wbuf ? architecture_.weight_width
                                                     : architecture_.input_width;
    for_vectors(t, bytes, [&](std::int64_t address, std::int64_t n) {
        for (std::int64_t k = 0; k < t.z_size; ++k) {
            const std::int64_t found = read_element(memory_, address + k * bytes, bytes);
            set({start.buffer, start.entry + static_cast<int>(n), start.bank + static_cast<int>(k)},
                wrap(found, width));
        }
    });
}

void Machine::store(const Transfer& t) {
    const Place start = *place_of(architecture_, t.sram_address);
    const bool narrow = t.bitwidth != 0;
    const std::int64_t bytes = transfer_bytes(architecture_, start.buffer, narrow);
    for_vectors(t, bytes, [&](std::int64_t address, std::int64_t n) {
        for (std::int64_t k = 0; k < t.z_size; ++k) {
            const int lane = start.bank + static_cast<int>(k);
            const std::int64_t found = output(start.entry + n, lane);
            write_element(memory_, address + k * bytes, bytes,
                          t.requantise != 0 ? requantised(found, lane, t.scale_set)
                          : narrow          ? clamp(found, architecture_.input_width)
                                            : found);
        }
    });
}

std::int64_t Machine::requantised(std::int64_t found, int lane, std::int64_t set) const {
    const auto word = [&](int number) {
        const int entry = static_cast<int>(set) * kScaleWords + number;
        return std::int64_t{value({Buffer::scale, entry, lane})};
    };
    const bool exact = architecture_.exact;
    const std::int64_t product =
        wrap(found + word(0), 32) * wrap(word(1), exact ? kExactMultiplierWidth : kMultiplierWidth);
    const std::int64_t scaled =
        scaled_down(product, static_cast<int>(word(2) & 63),
                    exact ? static_cast<Rounding>(word(2) >> 6 & 3) : Rounding::half_up);
    const std::int64_t zero_point = word(2) >> 16;
    const std::int64_t lowest = wrap(word(3), 16);
    const std::int64_t highest = word(3) >> 16;
    // The lowest value first, should the limits be the wrong way round.
    const std::int64_t shifted = scaled + zero_point;
    return shifted < lowest ? lowest : std::min(highest, shifted);
}

void Machine::gemm(const Gemm& g) {
    const Values& inputs = buffer(Buffer::ibuf);
    const Values& weights = buffer(Buffer::wbuf);
    const std::int64_t rows = g.active_rows;
    const std::int64_t columns = g.active_cols;
    for_pixels(architecture_, g, [&](std::int64_t t, std::int64_t entry, bool padded) {
        const std::size_t input = index({Buffer::ibuf, static_cast<int>(entry), 0});
        for (std::int64_t m = 0; m < columns; ++m) {
            std::int64_t sum = g.preload_output != 0 ? output(g.output_address + t, m) : 0;
            for (std::int64_t c = 0; c < rows && !(padded && g.pad_value == 0); ++c) {
                const std::size_t weight = index({Buffer::wbuf,
                                                  static_cast<int>(g.weight_address + c),
                                                  static_cast<int>(m)});
                const std::int64_t found =
                    padded ? g.pad_value : inputs[input + static_cast<std::size_t>(c)];
                sum += found * weights[weight];
            }
            set({Buffer::obuf, static_cast<int>(g.output_address + t), static_cast<int>(m)}, sum);
        }
    });
    macs_ += static_cast<std::uint64_t>(g.ofmap_height * g.ofmap_width * rows * columns);
}

std::int64_t Machine::window(const Alu& alu, std::int64_t pixel, std::int64_t start,
                             std::int64_t lane) const {
    const auto op = static_cast<AluOp>(alu.alu_opcode);
    const int width = architecture_.accumulator_width;
    if (op == AluOp::shift) return shift(output(start, lane), alu.immediate_value, width);
    bool begun = alu.use_immediate != 0 || alu.accumulate != 0;
    std::int64_t sum = alu.accumulate != 0 ? output(alu.output_address + pixel, lane)
                       : alu.multiply != 0 ? 0
                                           : wrap(alu.immediate_value, width);
    for (std::int64_t k = 0; k < alu.window_height; ++k) {
        for (std::int64_t l = 0; l < alu.window_width; ++l) {
            const std::int64_t entry = start + k * alu.mem_stride_s + l;
            const std::int64_t element = alu.multiply != 0
                                             ? wrap(output(entry, lane), 16) * alu.immediate_value
                                             : output(entry, lane);
            sum = begun ? wrap(combine(op, sum, element), width) : element;
            begun = true;
        }
    }
    return sum;
}

void Machine::alu(const Alu& alu) {
    for_windows(alu, [&](std::int64_t pixel, std::int64_t start) {
        for (std::int64_t lane = 0; lane < alu.num_active; ++lane) {
            set({Buffer::obuf, static_cast<int>(alu.output_address + pixel),
                 static_cast<int>(lane)},
                window(alu, pixel, start, lane));
        }
    });
}

}  // namespace macrame::systolic::model
