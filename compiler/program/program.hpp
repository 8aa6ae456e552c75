#pragma once
/// A compiled network: commands, memory image, tensors. The common form of all families; runtime/
/// runs its file, README.md beside this file describes that byte by byte.
///
/// Addresses are offsets into one block of memory of `memory_bytes` that the program owns; whoever
/// runs it chooses the block.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace macrame::program {

enum class Code : std::uint16_t {
    write,        ///< register `address` = value
    write_low,    ///< ... = low word of block + (aux << 32 | value)
    write_high,   ///< ... = high word of that
    poll,         ///< read until (register & aux) == value
    wait,         ///< until all interrupts of the mask `value` have come; they count as used up
    begin_layer,  ///< for reports: what follows belongs to layer `value`
    host,         ///< the host runs operator `value` of its own
    /// First of all, for each unit with two register groups: bit 0 of what is written to `address`
    /// chooses one, bit 16 of what is read there tells which the unit has next. Of `value`, 0 or
    /// two bits one beside the other, the lower cause is of group 0. `aux`: register that reads 0
    /// while the unit is idle. Where it has group 1 next, both groups change their roles.
    unit
};

struct Command {
    Code code = Code::write;
    std::uint32_t address = 0;  ///< byte address of the register
    std::uint32_t value = 0;
    std::uint32_t aux = 0;
};

/// Contents of memory before the run.
struct Segment {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> bytes;
};

enum class Element : std::uint8_t { int8, uint8, int16, int32, float32 };

/// Where the elements of a tensor of height x width x channels lie: element (y, x, c) at
/// offset + c / group * surface_stride + y * line_stride + x * pixel_stride + c % group * element.
/// A file with tensors in the order of the network has them packed y, x, c.
struct Tensor {
    std::string name;
    Element element = Element::int8;
    std::uint32_t height = 1, width = 1, channels = 1;
    std::uint64_t offset = 0;
    std::uint32_t group = 1;
    std::uint32_t surface_stride = 0, line_stride = 0, pixel_stride = 0;
    float scale = 1;
    std::int32_t zero_point = 0;
    std::int8_t filler = 0;  ///< what channels up to a multiple of the group hold in inputs
};

struct Layer {
    std::string name;
    std::uint64_t estimated_cycles = 0;
    std::uint64_t macs = 0;
};

struct Program {
    std::string family, configuration, network;
    std::string name;            ///< among others in the file; empty: it is alone
    std::uint32_t identity = 0;  ///< of what the program depends on; 0: any hardware
    std::string parameters;      ///< that the identity is a hash of: lines "name=value"
    /// Register that tells the identity of the hardware, or 0 where there is none; 0: none.
    std::uint32_t identity_register = 0;
    std::uint32_t address_bits = 0;  ///< of memory addresses: the block lies below; 0: not known
    std::uint64_t memory_bytes = 0;
    std::uint32_t alignment = 64;        ///< of the block
    std::uint32_t interrupt_status = 0;  ///< register: cause bits, a 1 written clears
    std::vector<Command> commands;
    std::vector<Segment> segments;
    std::vector<Tensor> inputs, outputs;
    std::vector<Layer> layers;
};

/// Rules of README.md that the program breaks: one line on the first, empty if there is none. What
/// write() makes of a program with a problem, nobody reads.
std::string problem(const Program& program);

/// The file. Little-endian, the same input gives the same bytes. Of version 1 if the program has
/// nothing that is new in version 2: parameters, identity_register, address_bits; of version 3 if
/// it has commands `unit`.
std::vector<std::uint8_t> write(const Program& program);

/// The same of programs that share memory: each has a name, what the others have beside it is equal
/// in all, and each has its own segments.
std::string problem(const std::vector<Program>& programs);
/// Their file, of version 3.
std::vector<std::uint8_t> write(const std::vector<Program>& programs);

/// The program in a file, or what is wrong with it: one line, then the program is empty.
struct ReadResult {
    Program program;                ///< of a file of one
    std::vector<Program> programs;  ///< of a file of several, by name
    std::string error;
    bool ok() const { return error.empty(); }
};
ReadResult read(const std::uint8_t* bytes, std::size_t size);
ReadResult read(const std::vector<std::uint8_t>& bytes);

/// A readable listing. `name_of` gives names to registers; an empty one leaves the bare address.
using NameOf = std::function<std::string(std::uint32_t address)>;
std::string listing(const Program& program, const NameOf& name_of = {});
/// A line of that.
std::string command_text(const Program& program, const Command& command,
                         const NameOf& name_of = {});

/// C source file with the program file as `const uint8_t NAME[]` and its size as `NAME_bytes`.
/// Characters that a C name cannot have become underscores.
std::string c_array(const Program& program, const std::string& name);

/// Bytes of an element.
int element_bytes(Element element);

/// Bytes from a tensor's first to its last group.
std::uint64_t span(const Tensor& tensor);
/// Elements of a tensor in the program's memory, packed y, x, c, and back, with the filler.
std::vector<std::uint8_t> packed(const Tensor& tensor, const std::uint8_t* memory);
void put(const Tensor& tensor, const std::vector<std::uint8_t>& packed, std::uint8_t* memory);

}  // namespace macrame::program
