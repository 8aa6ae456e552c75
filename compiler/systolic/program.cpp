#include "compiler/systolic/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "verif/common/json.hpp"
#include "verif/common/memory.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/files/case_file.hpp"
#include "verif/systolic/model/machine.hpp"

namespace macrame::systolic::compiler {

namespace {

constexpr std::uint64_t kProgramAlignment = 4096;

std::size_t elements(const Port& port) {
    const TensorLayout& s = port.surface;
    return static_cast<std::size_t>(s.height) * static_cast<std::size_t>(s.width) *
           static_cast<std::size_t>(s.channels);
}

/// Calls with the number of an element and its address.
template <typename Visit>
void for_elements(const TensorLayout& s, const Visit& visit) {
    std::size_t element = 0;
    for (int y = 0; y < s.height; ++y)
        for (int x = 0; x < s.width; ++x)
            for (int c = 0; c < s.channels; ++c)
                visit(element++, static_cast<std::uint64_t>(s.address(y, x, c)));
}

std::string port_text(const Port& port) {
    const TensorLayout& s = port.surface;
    return fmt::format(
        "{{\"name\": {}, \"address\": {}, \"height\": {}, \"width\": {}, \"channels\": {}, "
        "\"block\": {}, \"first_channel\": {}, \"pixel_bytes\": {}, \"line_bytes\": {}, "
        "\"plane_bytes\": {}}}",
        verif::json_string(port.name), s.base, s.height, s.width, s.channels, s.block, s.first,
        s.pixel, s.line, s.plane);
}

std::string config_text(const Architecture& architecture) {
    std::string out;
    for (const files::ConfigKey& key : files::kConfigKeys)
        out += fmt::format("{}\"{}\": {}", out.empty() ? "" : ", ", key.name,
                           architecture.*key.member);
    if (architecture.exact)
        out += fmt::format(", \"{}\": \"{}\"", files::kRequantiseKey, files::kExact);
    return out;
}

/// What the programs depend on, if that is known.
std::string identity_text(const SystolicProgram& program) {
    if (program.identity == 0) return "";
    std::string parameters;
    std::string_view left = program.parameters;
    while (!left.empty())
        parameters += fmt::format("{}{}", parameters.empty() ? "" : ", ",
                                  verif::json_string(verif::text::next_line(left)));
    return fmt::format("  \"identity\": {},\n  \"parameters\": [{}],\n", program.identity,
                       parameters);
}

std::string layers_text(const std::vector<files::NetworkLayer>& layers) {
    std::string out;
    for (const files::NetworkLayer& one : layers)
        out += fmt::format("{}{{\"layer\": {}, \"instructions\": {}}}", out.empty() ? "" : ", ",
                           one.layer, one.instructions);
    return out;
}

template <typename Items, typename Text>
std::string list(const Items& items, const Text& text) {
    std::string out;
    for (const auto& item : items)
        out += fmt::format("{}\n    {}", out.empty() ? "" : ",", text(item));
    return out;
}

/// Its bytes from here to there.
std::string text_of(const InitialMemory& memory, std::uint64_t begin, std::uint64_t end) {
    std::string out(static_cast<std::size_t>(end - begin), '\0');
    const auto at = [&](std::uint64_t address) {
        return out.begin() + static_cast<std::ptrdiff_t>(std::clamp(address, begin, end) - begin);
    };
    for (const InitialMemory::Fill& fill : memory.fills)
        std::fill(at(fill.address), at(fill.address + fill.bytes), static_cast<char>(fill.value));
    const std::uint64_t first = std::max(begin, memory.constants_begin);
    if (first < end) {
        const auto from =
            memory.constants.begin() - static_cast<std::ptrdiff_t>(memory.constants_begin);
        std::copy(from + static_cast<std::ptrdiff_t>(first),
                  from + static_cast<std::ptrdiff_t>(end), at(first));
    }
    return out;
}

/// A file of instructions, and where these lie in memory.
struct PlacedFile {
    std::string file;
    std::uint64_t address = 0;
};

std::vector<PlacedFile> placed_files(const SystolicProgram& program, const std::string& name) {
    std::vector<PlacedFile> out;
    std::uint64_t end = program.memory.size();
    for (std::size_t i = 0; i < program.programs.size(); ++i) {
        out.push_back(
            {i == 0 ? name + ".hex" : fmt::format("{}.{}.hex", name, i), program_begin(end)});
        end = out.back().address + program.programs[i].size() * kWordBytes;
    }
    return out;
}

/// JSON.
std::vector<std::string> texts_of(const SystolicProgram& program, const std::string& name) {
    std::vector<std::string> out;
    const std::vector<PlacedFile> placed = placed_files(program, name);
    for (std::size_t i = 0; i < placed.size(); ++i)
        out.push_back(
            fmt::format("{{\"file\": {}, \"address\": {}, \"count\": {}, \"layers\": [{}]}}",
                        verif::json_string(placed[i].file), placed[i].address,
                        program.programs[i].size(), layers_text(program.programs[i].layers)));
    return out;
}

/// The memory with the instructions behind it, in pieces; false: one was not taken.
template <typename Take>
bool for_pieces(const SystolicProgram& program, const Take& take) {
    constexpr std::uint64_t kPiece = 1 << 20;
    std::uint64_t at = 0;
    for (const std::uint64_t end = program.memory.size(); at < end;) {
        const std::uint64_t next = std::min(at + kPiece, end);
        if (!take(text_of(program.memory, at, next))) return false;
        at = next;
    }
    const std::vector<PlacedFile> placed = placed_files(program, "");
    for (std::size_t i = 0; i < placed.size(); ++i) {
        std::string piece(static_cast<std::size_t>(placed[i].address - at), '\0');
        piece.reserve(piece.size() + program.programs[i].size() * kWordBytes);
        for (const Word& word : program.programs[i].words) {
            const auto bytes = word_bytes(word);
            piece.append(bytes.begin(), bytes.end());
        }
        at += piece.size();
        if (!take(piece)) return false;
    }
    return true;
}

std::string hex_text(const Program& program) {
    std::string out;
    out.reserve(program.size() * (2 * kWordBytes + 1));
    for (const Word& word : program.words)
        out.append(word_text(word)).push_back('\n');
    return out;
}

std::string program_text(const SystolicProgram& program, const std::string& name,
                         const std::vector<std::string>& programs, const std::string& memory,
                         std::size_t bytes) {
    return fmt::format(
        "{{\n  \"network\": {},\n  \"config\": {{{}}},\n{}  \"memory\": {},\n  \"bytes\": {},\n"
        "  \"programs\": [{}],\n  \"inputs\": [{}],\n  \"outputs\": [{}]\n}}\n",
        verif::json_string(name), config_text(program.architecture), identity_text(program),
        verif::json_string(memory), bytes,
        list(programs, [](const std::string& text) { return text; }),
        list(program.inputs, port_text), list(program.outputs, port_text));
}

}  // namespace

Program::Program(const std::vector<Instruction>& instructions, std::vector<files::NetworkLayer> its)
    : layers(std::move(its)) {
    words.reserve(instructions.size());
    for (const Instruction& instruction : instructions)
        words.push_back(encode(instruction));
}

std::vector<Instruction> Program::instructions() const {
    std::vector<Instruction> out;
    out.reserve(words.size());
    for (const Word& word : words)
        out.push_back(*decode(word));
    return out;
}

std::uint64_t program_begin(std::uint64_t bytes) {
    return (bytes + kProgramAlignment - 1) / kProgramAlignment * kProgramAlignment;
}

std::optional<macrame::compiler::ImageProgram> SystolicProgram::image() const {
    macrame::compiler::ImageProgram out;
    out.identity = identity;
    out.address_bits = architecture.address_width;
    out.begin = own_begin;
    out.bytes = memory.size();
    for (const Program& one : programs) {
        const std::uint64_t offset = program_begin(out.bytes);
        out.starts.push_back({offset, one.size()});
        out.bytes = offset + one.size() * kWordBytes;
    }
    const auto add = [](const std::vector<Port>& ports, auto& tensors) {
        const auto bytes = [](std::int64_t count) { return static_cast<std::uint64_t>(count); };
        for (const Port& port : ports) {
            const TensorLayout& s = port.surface;
            tensors.push_back({bytes(s.base), s.height, s.width, s.channels, s.block, s.first,
                               bytes(s.pixel), bytes(s.line), bytes(s.plane)});
        }
    };
    add(inputs, out.inputs);
    add(outputs, out.outputs);
    return out;
}

std::uint64_t image_bytes(const SystolicProgram& program) { return program.image()->bytes; }

bool write_files(const SystolicProgram& program, const std::string& name, const Write& write) {
    const std::vector<PlacedFile> placed = placed_files(program, name);
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (!write(placed[i].file, hex_text(program.programs[i]))) return false;
    const std::string memory = name + ".bin";
    return for_pieces(program, [&](const std::string& piece) { return write(memory, piece); }) &&
           write(name + ".json", program_text(program, name, texts_of(program, name), memory,
                                              image_bytes(program)));
}

std::map<std::string, std::string> files(const SystolicProgram& program, const std::string& name) {
    std::map<std::string, std::string> out;
    write_files(program, name, [&](const std::string& file, std::string_view piece) {
        out[file] += piece;
        return true;
    });
    return out;
}

std::map<std::string, std::string> files(
    const std::vector<std::pair<std::string, const SystolicProgram*>>& programs,
    const std::string& name) {
    std::map<std::string, std::string> out;
    std::string memory;
    for (const auto& [own, program] : programs) {
        std::string image;
        for_pieces(*program, [&](const std::string& piece) {
            image += piece;
            return true;
        });
        memory.resize(std::max(memory.size(), image.size()));
        const auto begin = static_cast<std::ptrdiff_t>(program->own_begin);
        std::copy(image.begin() + begin, image.end(), memory.begin() + begin);
        const std::vector<PlacedFile> placed = placed_files(*program, own);
        for (std::size_t i = 0; i < placed.size(); ++i)
            out[placed[i].file] = hex_text(program->programs[i]);
    }
    for (const auto& [own, program] : programs)
        out[own + ".json"] =
            program_text(*program, own, texts_of(*program, own), name + ".bin", memory.size());
    out[name + ".bin"] = std::move(memory);
    return out;
}

std::vector<std::uint8_t> encode_inputs(const std::vector<graph::Bytes>& inputs) {
    std::vector<std::uint8_t> out;
    for (const graph::Bytes& input : inputs)
        out.insert(out.end(), input.begin(), input.end());
    return out;
}

std::vector<graph::Bytes> decode_outputs(const SystolicProgram& program,
                                         const std::vector<std::uint8_t>& bytes) {
    std::vector<graph::Bytes> out;
    auto at = bytes.begin();
    for (const Port& port : program.outputs) {
        const auto size = static_cast<std::ptrdiff_t>(elements(port));
        out.emplace_back(at, at + size);
        at += size;
    }
    return out;
}

std::size_t output_bytes(const SystolicProgram& program) {
    std::size_t sum = 0;
    for (const Port& port : program.outputs)
        sum += elements(port);
    return sum;
}

std::vector<graph::Bytes> run(const SystolicProgram& program,
                              const std::vector<graph::Bytes>& inputs, std::string& error) {
    verif::Memory memory;
    for (const InitialMemory::Fill& fill : program.memory.fills)
        memory.fill(fill.address, fill.bytes, fill.value);
    memory.load(program.memory.constants_begin, program.memory.constants);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for_elements(program.inputs[i].surface, [&](std::size_t element, std::uint64_t address) {
            memory.load(address, &inputs[i][element], 1);
        });
    for (const Program& one : program.programs) {
        model::Machine machine(program.architecture, memory);
        const std::vector<Instruction> instructions = one.instructions();
        for (std::size_t n = 0; n < instructions.size() && error.empty(); ++n) {
            error = machine.execute(instructions[n]);
            if (!error.empty()) error = fmt::format("instruction {}: {}", n, error);
        }
    }
    std::vector<graph::Bytes> out;
    for (const Port& port : program.outputs) {
        graph::Bytes bytes(elements(port));
        for_elements(port.surface, [&](std::size_t element, std::uint64_t address) {
            bytes[element] = memory.peek(address);
        });
        out.push_back(std::move(bytes));
    }
    return out;
}

}  // namespace macrame::systolic::compiler
