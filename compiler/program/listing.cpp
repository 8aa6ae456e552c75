#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "compiler/program/program.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::program {

namespace {

const char* element_name(Element element) {
    switch (element) {
        case Element::int8:
            return "int8";
        case Element::uint8:
            return "uint8";
        case Element::int16:
            return "int16";
        case Element::int32:
            return "int32";
        case Element::float32:
            return "float32";
    }
    return "?";
}

void list_tensors(std::string& to, const char* title, const std::vector<Tensor>& tensors) {
    if (tensors.empty()) return;
    to += fmt::format("\n{}\n", title);
    for (const Tensor& t : tensors) {
        to += fmt::format("  {}: {} {} x {} x {}, scale {}, zero point {}\n", t.name,
                          element_name(t.element), t.height, t.width, t.channels, t.scale,
                          t.zero_point);
        to += fmt::format("    at {:#x}: groups of {}, strides surface {} line {} pixel {}",
                          t.offset, t.group, t.surface_stride, t.line_stride, t.pixel_stride);
        to += t.channels % t.group == 0 ? "\n" : fmt::format(", filler {}\n", t.filler);
    }
}

/// Lines with two blanks in front of each.
std::string indented(const std::string& lines) {
    std::string out;
    for (std::size_t at = 0; at < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
        out += "  " + lines.substr(at, end - at);
        at = end;
    }
    return out;
}

/// A name that C takes.
std::string c_name(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        const bool digit = c >= '0' && c <= '9';
        if (digit && out.empty()) out += '_';
        out += letter || digit ? c : '_';
    }
    return out.empty() ? "program" : out;
}

/// Text that does not end a comment.
std::string comment(std::string text) {
    for (char& c : text) {
        if (c == '*' || c == '\\' || c < ' ' || c > '~') c = '_';
    }
    return text;
}

}  // namespace

std::string command_text(const Program& program, const Command& c, const NameOf& name_of) {
    std::string reg = fmt::format("{:#06x}", c.address);
    if (const std::string name = name_of ? name_of(c.address) : ""; !name.empty())
        reg += " " + name;
    const std::uint64_t offset = std::uint64_t{c.aux} << 32 | c.value;
    switch (c.code) {
        case Code::write:
            return fmt::format("{} = {:#x}", reg, c.value);
        case Code::write_low:
            return fmt::format("{} = low(block + {:#x})", reg, offset);
        case Code::write_high:
            return fmt::format("{} = high(block + {:#x})", reg, offset);
        case Code::poll:
            return fmt::format("poll {} & {:#x} = {:#x}", reg, c.aux, c.value);
        case Code::wait:
            return fmt::format("wait {:#x}", c.value);
        case Code::begin_layer:
            return fmt::format(
                "layer {} {}", c.value,
                c.value < program.layers.size() ? program.layers[c.value].name : "?");
        case Code::host:
            return fmt::format("host {}", c.value);
        case Code::unit:
            return fmt::format("unit {}, causes {:#x}, idle {:#06x}", reg, c.value, c.aux);
    }
    return fmt::format("code {}?", static_cast<int>(c.code));
}

std::string listing(const Program& program, const NameOf& name_of) {
    std::string out = fmt::format("{} for {} {}, identity {:#x}", program.network, program.family,
                                  program.configuration, program.identity);
    out += program.identity_register == 0
               ? "\n"
               : fmt::format(", told by register {:#x}\n", program.identity_register);
    out += fmt::format("{} bytes of memory at a multiple of {}, interrupt status {:#06x}\n",
                       program.memory_bytes, program.alignment, program.interrupt_status);
    if (program.address_bits != 0)
        out += fmt::format("addresses of {} bits\n", program.address_bits);
    if (!program.parameters.empty())
        out += fmt::format("\ndepends on\n{}", indented(program.parameters));
    list_tensors(out, "inputs", program.inputs);
    list_tensors(out, "outputs", program.outputs);
    if (!program.segments.empty()) out += "\nmemory\n";
    for (const Segment& segment : program.segments) {
        out += fmt::format("  {:#x}: {} bytes, checksum {:08x}\n", segment.offset,
                           segment.bytes.size(), verif::crc32(segment.bytes));
    }
    if (!program.layers.empty()) out += "\nlayers\n";
    for (std::size_t i = 0; i < program.layers.size(); ++i) {
        const Layer& layer = program.layers[i];
        out += fmt::format("  {} {}: {} cycles, {} MACs\n", i, layer.name, layer.estimated_cycles,
                           layer.macs);
    }
    if (!program.commands.empty()) out += "\ncommands\n";
    for (std::size_t i = 0; i < program.commands.size(); ++i) {
        const bool layer = program.commands[i].code == Code::begin_layer;
        out += fmt::format("{:5} {}{}\n", i, layer ? "" : "  ",
                           command_text(program, program.commands[i], name_of));
    }
    return out;
}

std::string c_array(const Program& program, const std::string& name) {
    const std::vector<std::uint8_t> file = write(program);
    const std::string id = c_name(name);
    std::string out = fmt::format("/* {} for {} {}: a program for runtime/macrame.h. */\n",
                                  comment(program.network), comment(program.family),
                                  comment(program.configuration));
    out += "#include <stdint.h>\n\n";
    out += fmt::format("extern const uint8_t {}[];\nextern const uint32_t {}_bytes;\n\n", id, id);
    out += fmt::format("const uint32_t {}_bytes = {}u;\n", id, file.size());
    out += fmt::format("const uint8_t {}[{}] = {{", id, file.size());
    std::size_t column = 100;
    for (const std::uint8_t byte : file) {
        const std::string number = fmt::format("{},", byte);
        if (column + number.size() > 98) {
            out += "\n    ";
            column = 4;
        }
        out += number;
        column += number.size();
    }
    return out + "\n};\n";
}

}  // namespace macrame::program
