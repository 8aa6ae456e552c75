#pragma once
/// What the random layers of all units share: commands, cubes in memory, register groups in flight.
/// One program; a unit's file adds its layers to it.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "random_layers.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/precision.hpp"
#include "verif/dla/model/weight_book.hpp"
#include "verif/dla/trace/dla_registers.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

using dla::model::Precision;

/// Units with register groups, and BDMA; the names are in program_builder.cpp.
enum class Unit {
    cdma,
    csc,
    cmac_a,
    cmac_b,
    cacc,
    sdp_rdma,
    sdp,
    cdp_rdma,
    cdp,
    pdp_rdma,
    pdp,
    rubik,
    bdma,
    row,
};
constexpr std::size_t kUnits = 14;

/// A cube in memory.
struct Cube {
    int width = 0, height = 0, channels = 0;
    std::uint64_t base = 0;
    std::uint32_t line_stride = 0, surface_stride = 0;
    std::uint64_t size = 0;  // bytes from the base to the end, with gaps
    bool far = false;        // gaps too large to be filled
    int layer = -1;          // that writes it; -1: loaded
    Precision type = Precision::int8;
    bool pairs = false;  // int16 of int8 layers: two surfaces for each of theirs
    int batches = 1;     // cubes of the same strides
    std::uint32_t batch_stride = 0;
};

/// What memory is filled with.
enum class Noise {
    any,       ///< all bytes alike
    small,     ///< -3 .. 3
    corners,   ///< -128, 127, 0, -1 or 1
    sparse,    ///< half of it 0
    narrow,    ///< a byte, also of an integer of two
    coarse,    ///< multiples of a power of two: sums that are ties
    constant,  ///< -128 or 127 everywhere: the largest sums there are
    moderate,  ///< numbers whose sums saturate nowhere; no special ones
};

/// The size of numbers on their way through a layer.
struct Numbers {
    int bits = 7;        ///< mostly within +-2^bits
    bool exact = false;  ///< their last bit shall reach memory
};

// ---- fields of registers

inline std::uint32_t minus1(int v) { return static_cast<std::uint32_t>(v - 1); }
inline std::uint32_t low_of(std::uint64_t addr) { return static_cast<std::uint32_t>(addr); }
inline std::uint32_t high_of(std::uint64_t addr) { return static_cast<std::uint32_t>(addr >> 32); }

/// Behind the sizes of a layer; int8 goes without saying.
inline const char* type_text(Precision type) {
    return type == Precision::int8 ? "" : type == Precision::int16 ? " int16" : " fp16";
}

/// Output size and far padding of one direction: the last window ends exactly at the padded edge.
/// False if it would lie in the padding.
bool fit_windows(int size, int near, int span, int stride, int& out, int& far);

class ProgramBuilder;
/// A signed number within +-2^bits, 0..31.
std::uint32_t any_number(ProgramBuilder& b, int bits);
/// Registers of a table: what is added beyond its ends, for numbers of `in_bits` bits; the sum has
/// mostly `out_bits`.
struct Slopes {
    std::uint32_t scale = 0, shift = 0;
};
Slopes any_slopes(ProgramBuilder& b, int in_bits, int out_bits);

class ProgramBuilder {
public:
    ProgramBuilder(const dla::model::Architecture& architecture, const RandomOptions& made_with);

    const dla::model::Architecture sizes;
    const RandomOptions options;
    verif::Random random;

    // ---- commands

    template <class Register>
    void put(const Register& reg) {
        add(command(trace::Op::write, Register::kAddress, reg.raw));
    }
    /// Registers by name, "CDMA.S_STATUS".
    void write(const std::string& name, std::uint32_t value);
    void read(const std::string& name);
    void poll(const std::string& name, std::uint32_t value, std::uint32_t mask);
    /// Reads a number of words from a byte address on.
    void read_words(std::uint32_t address, int words);
    /// Cycles before the next command.
    void pause(int cycles) { pause_ = cycles; }

    /// Anything in all registers of layers: those that a layer does not write do not matter to it.
    void scribble_layers();

    // ---- memory

    std::uint64_t atom() const { return static_cast<std::uint64_t>(sizes.atom_bytes); }
    /// Surfaces of a cube in memory.
    int surfaces(const Cube& cube) const;
    /// Bytes that a cube has in memory if nothing lies between its lines.
    int bytes(const Cube& cube) const;
    /// One of the types of the configuration.
    Precision any_type();
    /// A number or a pattern for a register that holds an element of this type.
    std::uint32_t any_word(Precision type);
    /// A pattern of fp32, mostly of a size that calculations with fp16 meet.
    std::uint32_t any_float();
    /// Now and then true: the layer may have a side of up to 8192.
    bool chance_of_huge() { return options.huge && random.chance(2); }
    /// The long side of a huge layer.
    int huge_side() { return random.chance(20) ? 8192 : random.in(1000, 8192); }
    /// Upper address bits of all that is allocated from now on.
    void set_high_address(std::uint64_t high) { high_ = high; }

    /// Any port of the configuration.
    trace::Port any_port();
    /// RAM_TYPE of the memory that holds `base`.
    std::uint32_t ram_type(std::uint64_t base) const;

    Noise any_noise();
    /// Address of new random bytes.
    std::uint64_t load_random(std::uint64_t size, std::uint64_t align, trace::Port port,
                              Noise noise, Precision type = Precision::int8);
    /// The same of given bytes.
    std::uint64_t load_bytes(std::vector<std::uint8_t> bytes, std::uint64_t align,
                             trace::Port port);
    std::vector<std::uint8_t> random_bytes(std::uint64_t size, Noise noise, Precision type);
    /// Strides of a cube of `record` bytes per pixel and surface: packed, with gaps or far apart.
    void set_strides(Cube& cube, int record);
    /// Address of the random contents of a cube that has its strides.
    std::uint64_t load_cube(const Cube& cube, int record, Noise noise);
    /// Sizes of a cube of at most `channels`: around ten by ten, long lines or many of them; now
    /// and then huge.
    Cube any_cube(int channels, Precision type = Precision::int8);
    /// A cube of these sizes and this type.
    Cube input_cube(const Cube& sizes_of) { return input_cube(sizes_of, any_noise()); }
    Cube input_cube(const Cube& sizes_of, Noise noise);
    /// Address of memory that this layer writes, with a guard of untouched bytes around it.
    std::uint64_t guarded(std::uint64_t size, trace::Port port);
    /// A cube with a guard of untouched bytes around it, written by this layer.
    Cube output_cube(const Cube& sizes_of);

    // ---- layers in flight

    /// Everything from here on belongs to the next layer; `writer` is the unit whose interrupt says
    /// that its results are in memory.
    void begin_layer(Unit writer);
    void set_writer(Unit writer) { writers_.back() = writer; }
    int layer() const { return layer_; }

    /// Takes the next register group of a unit; waits until it is free.
    int take(Unit unit);
    /// The same for BDMA: a group that is not busy; waits until the queue is empty if `all` of it
    /// is wanted.
    int take_copies(bool all);
    void enable(Unit unit);
    /// In any order.
    void enable_both(Unit a, Unit b);
    /// Declares an interrupt of the unit in this layer.
    void expect(const std::string& unit, int bit, int group);
    /// The commands behind this wait until the layer's results are in memory.
    void wait_layer(int layer);
    /// Layers that used the unit so far.
    const std::vector<int>& users(Unit unit) const {
        return users_[static_cast<std::size_t>(unit)];
    }

    /// Interrupts of convolution units are masked.
    bool only_last_units = true;
    /// Tables: their numbers, and those that they are made for.
    struct {
        Numbers in, out;
    } sdp_tables, cdp_tables;
    /// The last SDP layer counts saturated results.
    bool counts_saturation = false;
    /// Weights of the convolutions so far, as the original hardware counts them.
    dla::model::WeightBook weight_book;

    /// What this layer writes; not `written` if it only compares.
    void add_output(const Cube& cube, bool written = true);
    const Cube& output() const { return output_; }
    /// The output of the layer before as input for this one; null if there is none.
    const Cube* result() const { return has_result_ ? &output_ : nullptr; }

    // ---- result

    void describe(const std::string& text) { made_.layers.push_back(text); }
    /// Waits for all layers and reads all registers of the used units.
    void finish();
    RandomProgram take_program() { return std::move(made_); }

private:
    trace::Command command(trace::Op op, std::uint32_t addr, std::uint32_t value);
    void add(trace::Command c) { made_.program.commands.push_back(std::move(c)); }
    std::string where() const;
    std::uint64_t allocate(std::uint64_t size, std::uint64_t align, trace::Port port);
    std::uint8_t noise_byte(Noise noise, int step);
    std::uint32_t noise_element(Noise noise, Precision type, int step = 0);
    void set_batch_strides(Cube& cube, int align);
    void read_registers(const std::string& unit);
    void read_tables(const std::string& unit);
    void read_constants();
    void scribble(const std::string& unit, bool single);
    void write_word(std::uint32_t address);

    RandomProgram made_;
    std::uint64_t next_addr_ = 0, high_ = 0;
    struct Region {
        std::uint64_t base, size;
        trace::Port port;
    };
    std::vector<Region> regions_;  // all that is allocated
    int layer_ = 0, pace_ = 0, pause_ = 0;
    Cube output_;
    bool has_result_ = false;
    std::vector<Unit> writers_;  // per layer
    std::vector<bool> waited_;   // per layer
    std::array<std::vector<int>, kUnits> users_;
    std::array<int, 2> copies_ = {-1, -1};  // last layer of each group of BDMA
    bool queue_filled_ = false;             // by the last of them
};

}  // namespace macrame::dla::stimulus
