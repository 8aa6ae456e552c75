#include <fmt/format.h>

#include <cmath>
#include <set>

#include "compiler/program/format.hpp"
#include "compiler/program/program.hpp"

namespace macrame::program {

namespace {

using format::kMostUnits;

/// a * b, or the largest number if it does not fit.
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > ~std::uint64_t{0} / b ? ~std::uint64_t{0} : a * b;
}

bool fits(std::uint64_t offset, std::uint64_t bytes, std::uint64_t room) {
    return offset <= room && bytes <= room - offset;
}

/// A register for the group, causes of both groups, a register that tells that it is idle.
std::string unit_problem(const Program& program, std::size_t number) {
    const Command& command = program.commands[number];
    const bool first = number == 0 || program.commands[number - 1].code == Code::unit;
    if (!first || number >= kMostUnits)
        return fmt::format("a unit: want units in front of other commands, at most {}", kMostUnits);
    std::uint32_t causes = command.value;
    while (causes != 0 && causes % 2 == 0)
        causes /= 2;
    if (causes != 0 && causes != 3)
        return fmt::format("causes {:#x} of a unit: want none or two, one beside the other",
                           command.value);
    if (command.aux % 4 == 0) return {};
    return fmt::format("register {:#x}: want a multiple of 4", command.aux);
}

std::string command_problem(const Program& program, std::size_t number) {
    const Command& command = program.commands[number];
    const std::uint64_t offset = std::uint64_t{command.aux} << 32 | command.value;
    switch (command.code) {
        case Code::write_low:
        case Code::write_high:
            if (offset > program.memory_bytes) {
                return fmt::format("address of block + {:#x}: want at most {:#x}", offset,
                                   program.memory_bytes);
            }
            break;
        case Code::poll:
            if ((command.value & ~command.aux) != 0) {
                return fmt::format("polls for {:#x} in the bits {:#x}: can never hold",
                                   command.value, command.aux);
            }
            break;
        case Code::begin_layer:
            if (command.value >= program.layers.size()) {
                return fmt::format("begins layer {}: want less than {}", command.value,
                                   program.layers.size());
            }
            return {};
        case Code::write:
            break;
        case Code::unit:
            if (std::string text = unit_problem(program, number); !text.empty()) return text;
            break;
        case Code::wait:
        case Code::host:
            return {};
        default:
            return fmt::format("code {}: want 0..7", static_cast<int>(command.code));
    }
    if (command.address % 4 == 0) return {};
    return fmt::format("register {:#x}: want a multiple of 4", command.address);
}

/// Rooms of whole groups: the last byte of the last group of the last pixel is inside.
std::string tensor_problem(const Program& program, const Tensor& tensor) {
    const int element = element_bytes(tensor.element);
    if (element == 0) return fmt::format("element {}: want 0..4", static_cast<int>(tensor.element));
    if (tensor.height == 0 || tensor.width == 0 || tensor.channels == 0 || tensor.group == 0) {
        return fmt::format("{} x {} x {} in groups of {}: want no 0", tensor.height, tensor.width,
                           tensor.channels, tensor.group);
    }
    if (!(tensor.scale > 0) || !std::isfinite(tensor.scale))
        return fmt::format("scale {}: want a number above 0", tensor.scale);
    if (tensor.element == Element::float32 && tensor.filler != 0)
        return fmt::format("filler {}: want 0 for float32", tensor.filler);
    const std::uint64_t surfaces = (tensor.channels - 1) / tensor.group + 1;
    const std::uint64_t with_filler =
        product(product(product(tensor.height, tensor.width), product(surfaces, tensor.group)),
                static_cast<std::uint64_t>(element));
    bool inside = with_filler <= program.memory_bytes && tensor.offset <= program.memory_bytes;
    std::uint64_t room = inside ? program.memory_bytes - tensor.offset : 0;
    const std::uint64_t steps[] = {product(surfaces - 1, tensor.surface_stride),
                                   product(tensor.height - 1, tensor.line_stride),
                                   product(tensor.width - 1, tensor.pixel_stride),
                                   product(tensor.group, static_cast<std::uint64_t>(element))};
    for (const std::uint64_t step : steps) {
        inside = inside && step <= room;
        room -= inside ? step : 0;
    }
    if (inside) return {};
    return fmt::format("reaches beyond the {} bytes of memory", program.memory_bytes);
}

bool has_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

}  // namespace

std::string problem(const Program& program) {
    const auto found = [](const std::string& what, std::size_t i, const std::string& text) {
        return fmt::format("program: {} {}: {}", what, i, text);
    };
    if (program.alignment == 0 || (program.alignment & (program.alignment - 1)) != 0)
        return fmt::format("program: alignment {}: want a power of two", program.alignment);
    if (program.interrupt_status % 4 != 0) {
        return fmt::format("program: interrupt status {:#x}: want a multiple of 4",
                           program.interrupt_status);
    }
    if (program.address_bits > 64)
        return fmt::format("program: {} address bits: want at most 64", program.address_bits);
    if (program.identity_register % 4 != 0) {
        return fmt::format("program: identity register {:#x}: want a multiple of 4",
                           program.identity_register);
    }
    if (has_nul(program.parameters)) return "program: want no NUL in parameters";
    if (has_nul(program.family) || has_nul(program.configuration) || has_nul(program.network))
        return "program: want no NUL in names";
    for (std::size_t i = 0; i < program.commands.size(); ++i) {
        const std::string text = command_problem(program, i);
        if (!text.empty()) return found("command", i, text);
    }
    for (std::size_t i = 0; i < program.segments.size(); ++i) {
        const Segment& segment = program.segments[i];
        if (fits(segment.offset, segment.bytes.size(), program.memory_bytes)) continue;
        return found("segment", i,
                     fmt::format("{} bytes at {:#x}: want them within {} bytes of memory",
                                 segment.bytes.size(), segment.offset, program.memory_bytes));
    }
    for (const auto* tensors : {&program.inputs, &program.outputs}) {
        const char* what = tensors == &program.inputs ? "input" : "output";
        for (std::size_t i = 0; i < tensors->size(); ++i) {
            std::string text = tensor_problem(program, (*tensors)[i]);
            if (text.empty() && has_nul((*tensors)[i].name)) text = "want no NUL in names";
            if (!text.empty()) return found(what, i, text);
        }
    }
    for (std::size_t i = 0; i < program.layers.size(); ++i) {
        if (has_nul(program.layers[i].name)) return found("layer", i, "want no NUL in names");
    }
    return {};
}

std::string problem(const std::vector<Program>& programs) {
    if (programs.empty()) return "program: no networks: want at least 1";
    std::set<std::string> names;
    const Program& first = programs.front();
    for (const Program& program : programs) {
        const std::string in = fmt::format("network {}: ", program.name);
        if (program.name.empty() || has_nul(program.name))
            return "program: a network without a name, or with NUL in it: want one";
        if (!names.insert(program.name).second)
            return fmt::format("program: two networks {}: want different names", program.name);
        const bool same =
            program.family == first.family && program.configuration == first.configuration &&
            program.identity == first.identity && program.parameters == first.parameters &&
            program.identity_register == first.identity_register &&
            program.address_bits == first.address_bits &&
            program.memory_bytes == first.memory_bytes && program.alignment == first.alignment &&
            program.interrupt_status == first.interrupt_status;
        if (!same) return in + "other hardware or memory than the first: want the same";
        if (std::string text = problem(program); !text.empty()) return in + text;
    }
    return {};
}

}  // namespace macrame::program
