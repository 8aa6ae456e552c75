#include "compiler/tcu/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/tcu/format.hpp"
#include "verif/common/json.hpp"
#include "verif/tcu/files/model_file.hpp"
#include "verif/tcu/files/vectors_file.hpp"
#include "verif/tcu/isa/assembly.hpp"
#include "verif/tcu/run/stream.hpp"

namespace macrame::tcu::compiler {

namespace {

/// Scalars of a tensor among those of the vectors of its port: calls with the number of an element
/// and its place.
template <typename Visit>
void for_elements(const Port& port, int lanes, const Visit& visit) {
    const int blocks = port.blocks(lanes);
    const int columns = (port.width + port.pack - 1) / port.pack;
    std::size_t element = 0;
    for (int y = 0; y < port.height; ++y)
        for (int x = 0; x < port.width; ++x)
            for (int c = 0; c < port.channels; ++c)
                visit(element++, at((y * columns + x / port.pack) * blocks * lanes +
                                    x % port.pack * port.channels + c));
}

std::vector<std::int32_t> to_codes(const graph::Graph& graph, const Architecture& architecture,
                                   const Port& port, const graph::Bytes& elements) {
    const Format format(architecture.data_type);
    graph::Node reader;
    reader.inputs = {port.tensor};
    const std::vector<const graph::Bytes*> bytes = {&elements};
    const std::vector<float> reals = graph::Call{graph, reader, bytes}.reals();
    std::vector<std::int32_t> codes(port.vectors.size() * at(architecture.array_size));
    for_elements(port, architecture.array_size, [&](std::size_t element, std::size_t place) {
        codes[place] = format.code(static_cast<double>(reals[element]) * port.factor);
    });
    return codes;
}

graph::Bytes from_codes(const graph::Graph& graph, const Architecture& architecture,
                        const Port& port, const std::vector<std::int32_t>& codes) {
    const Format format(architecture.data_type);
    std::vector<float> reals(graph.tensor(port.tensor).elements());
    for_elements(port, architecture.array_size, [&](std::size_t element, std::size_t place) {
        reals[element] = static_cast<float>(format.real(codes[place]) / port.factor);
    });
    graph::Node writer;
    writer.outputs = {port.tensor};
    const std::vector<const graph::Bytes*> none;
    return graph::pack(graph::Call{graph, writer, none}, reals);
}

/// Vectors in DRAM coding.
std::vector<std::uint8_t> coded(const std::vector<std::int32_t>& codes, DataType type) {
    const DataTypeInfo& data = info(type);
    const std::uint32_t mask = data.width == 32 ? ~0U : (1U << data.width) - 1;
    std::vector<std::uint8_t> out;
    for (const std::int32_t code : codes)
        for (int byte = 0; byte < data.storage_bytes; ++byte)
            out.push_back(
                static_cast<std::uint8_t>((static_cast<std::uint32_t>(code) & mask) >> (8 * byte)));
    return out;
}

std::vector<files::Segment> segments(const std::vector<Port>& ports) {
    std::vector<files::Segment> out;
    for (const Port& port : ports) {
        for (std::size_t i = 0; i < port.vectors.size(); ++i) {
            if (port.vectors[i] == Port::kNowhere) continue;
            if (i > 0 && port.vectors[i - 1] != Port::kNowhere &&
                port.vectors[i] == port.vectors[i - 1] + 1) {
                ++out.back().size;
            } else {
                out.push_back({port.name, static_cast<std::uint64_t>(port.vectors[i]), 1});
            }
        }
    }
    return out;
}

/// JSON of what the scalars of inputs and outputs mean; no other file says it.
std::string scales_text(const TcuProgram& program, const std::string& name) {
    const double one = static_cast<double>(Format(program.architecture.data_type).one());
    const auto list = [&](const std::vector<Port>& ports) {
        std::string out;
        for (const Port& port : ports) {
            out += fmt::format(
                "{}\n    {{\"name\": {}, \"height\": {}, \"width\": {}, \"channels\": {}, "
                "\"vectors\": {}, \"factor\": {}, \"step\": {}}}",
                out.empty() ? "" : ",", verif::json_string(port.name), port.height, port.width,
                port.channels, port.vectors.size(), port.factor, 1 / (one * port.factor));
        }
        return out;
    };
    return fmt::format(
        "{{\n  \"network\": {},\n  \"data_type\": \"{}\",\n  \"array_size\": {},\n"
        "  \"inputs\": [{}],\n  \"outputs\": [{}]\n}}\n",
        verif::json_string(name), info(program.architecture.data_type).name,
        program.architecture.array_size, list(program.inputs), list(program.outputs));
}

/// What a driver does when it loads the model.
Instruction constants_to_local(const TcuProgram& program) {
    Instruction move;
    move.opcode = kDataMove;
    move.flags = kDram1ToLocal;
    move.size = program.constants.size() / at(program.architecture.array_size);
    return move;
}

void append(std::vector<std::uint8_t>& to, const Layout& layout, const Instruction& instruction) {
    to.resize(to.size() + at(layout.bytes));
    encode(layout, instruction, to.data() + to.size() - at(layout.bytes));
}

/// Nothing if vectors of one of them lie nowhere.
std::vector<macrame::compiler::CodedTensor> coded_tensors(const std::vector<Port>& ports,
                                                          const Architecture& architecture) {
    const DataTypeInfo& data = info(architecture.data_type);
    std::vector<macrame::compiler::CodedTensor> out;
    for (const Port& port : ports) {
        if (port.stored() != port.vectors.size()) return {};
        macrame::compiler::CodedTensor tensor;
        tensor.height = port.height;
        tensor.width = port.width;
        tensor.channels = port.channels;
        tensor.pack = port.pack;
        tensor.pixel_codes = static_cast<std::uint64_t>(port.blocks(architecture.array_size)) *
                             static_cast<std::uint64_t>(architecture.array_size);
        tensor.vectors = port.vectors.size();
        tensor.code_bytes = data.storage_bytes;
        tensor.code_bits = data.width;
        tensor.factor = port.factor;
        tensor.one = static_cast<double>(Format(architecture.data_type).one());
        out.push_back(tensor);
    }
    return out;
}

std::uint64_t constant_count(const TcuProgram& program) {
    return program.constants.size() / at(program.architecture.array_size);
}

/// Of programs that share DRAM1, as it holds them.
std::vector<std::uint8_t> placed_constants(
    const std::vector<std::pair<std::string, const TcuProgram*>>& programs) {
    std::vector<std::int32_t> out;
    for (const auto& [own, program] : programs) {
        const std::size_t begin = static_cast<std::size_t>(program->constants_begin) *
                                  at(program->architecture.array_size);
        out.resize(std::max(out.size(), begin + program->constants.size()));
        std::copy(program->constants.begin(), program->constants.end(),
                  out.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    return coded(out, programs.front().second->architecture.data_type);
}

std::string_view view(const std::vector<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What is of a program alone; `data` is the name of what has the constants of all, so many
/// vectors.
bool write_own(const TcuProgram& program, const std::string& name, const std::string& data,
               std::uint64_t constants, const Write& write) {
    constexpr std::size_t kPiece = 1 << 14;  // instructions as text
    const std::vector<std::uint8_t>& code = program.instructions.bytes();
    files::Model model;
    model.name = name;
    model.program_file = name + ".tprog";
    model.program_bytes = code.size();
    model.constants = {{data + ".tdata", 0, constants}};
    model.inputs = segments(program.inputs);
    model.outputs = segments(program.outputs);
    model.architecture = program.architecture;
    model.constants_to_local = program.constants_in_local;
    if (!write(name + ".tmodel", files::model_text(model)) ||
        !write(model.program_file, view(code)))
        return false;
    const Layout layout = layout_of(program.architecture);
    for (std::size_t first = 0; first < program.instructions.size(); first += kPiece)
        if (!write(name + ".tasm", disassemble(layout, code, first, kPiece))) return false;
    return write(name + ".scales.json", scales_text(program, name));
}

}  // namespace

std::vector<macrame::compiler::CodedTensor> TcuProgram::coded_inputs() const {
    return coded_tensors(inputs, architecture);
}

std::vector<macrame::compiler::CodedTensor> TcuProgram::coded_outputs() const {
    return coded_tensors(outputs, architecture);
}

std::vector<std::uint64_t> layer_ends(const TcuProgram& program, int local_block,
                                      const std::vector<std::uint64_t>& moved) {
    const auto block = static_cast<std::uint64_t>(local_block);
    std::vector<std::uint64_t> ends;
    std::size_t number = 0;
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        const Instruction& i = program.instructions[n];
        if (!i.is(kDataMove) || i.flags != kAccumulatorToLocal) continue;
        const auto layer = at(program.layers[n]);
        if (ends.size() <= layer) ends.resize(layer + 1, ends.empty() ? 0 : ends.back());
        for (std::uint64_t v = 0; v < i.size; ++v) {
            const std::uint64_t address = i.address0 + (v << i.stride0);
            const std::uint64_t before = address - (std::uint64_t{1} << i.stride0);
            if (v == 0 || address / block != before / block) ++number;
        }
        if (number > moved.size()) return {};
        ends[layer] = moved[number - 1];
    }
    return number == moved.size() ? ends : std::vector<std::uint64_t>{};
}

std::vector<std::uint8_t> stream(const TcuProgram& program) { return program.instructions.bytes(); }

bool write_files(const TcuProgram& program, const std::string& name, const Write& write) {
    return write_own(program, name, name, program.constants_begin + constant_count(program),
                     write) &&
           write(name + ".tdata", view(placed_constants({{name, &program}})));
}

std::map<std::string, std::string> files(const TcuProgram& program, const std::string& name) {
    return files({{name, &program}}, name);
}

std::map<std::string, std::string> files(
    const std::vector<std::pair<std::string, const TcuProgram*>>& programs,
    const std::string& name) {
    std::map<std::string, std::string> out;
    const auto add = [&](const std::string& file, std::string_view piece) {
        out[file] += piece;
        return true;
    };
    std::uint64_t constants = 0;
    for (const auto& [own, program] : programs)
        constants = std::max(constants, program->constants_begin + constant_count(*program));
    for (const auto& [own, program] : programs)
        write_own(*program, own, name, constants, add);
    add(name + ".tdata", view(placed_constants(programs)));
    return out;
}

std::vector<std::uint8_t> encode_inputs(const graph::Graph& graph, const TcuProgram& program,
                                        const std::vector<graph::Bytes>& inputs) {
    std::vector<std::uint8_t> out;
    for (std::size_t i = 0; i < program.inputs.size(); ++i) {
        const auto more = coded(to_codes(graph, program.architecture, program.inputs[i], inputs[i]),
                                program.architecture.data_type);
        out.insert(out.end(), more.begin(), more.end());
    }
    return out;
}

std::vector<graph::Bytes> decode_outputs(const graph::Graph& graph, const TcuProgram& program,
                                         const std::vector<std::uint8_t>& vectors) {
    std::vector<graph::Bytes> out;
    std::size_t scalar = 0;
    for (const Port& port : program.outputs) {
        const std::size_t lanes = at(program.architecture.array_size);
        std::vector<std::int32_t> codes(port.vectors.size() * lanes);
        for (std::size_t i = 0; i < codes.size(); ++i) {
            if (port.vectors[i / lanes] == Port::kNowhere) continue;
            codes[i] = files::code_at(vectors, scalar++, program.architecture.data_type);
        }
        out.push_back(from_codes(graph, program.architecture, port, codes));
    }
    return out;
}

std::vector<graph::Bytes> run(const graph::Graph& graph, const TcuProgram& program,
                              tcu::run::Device& device, tcu::run::Banks banks,
                              const std::vector<graph::Bytes>& inputs, std::string& error,
                              const AfterLayer& after) {
    const Architecture& architecture = program.architecture;
    const auto bytes = static_cast<std::uint64_t>(architecture.vector_bytes());
    banks.dram1.load(program.constants_begin * bytes,
                     coded(program.constants, architecture.data_type));
    const std::vector<std::uint8_t> in = encode_inputs(graph, program, inputs);
    const std::uint8_t* next = in.data();
    for (const Port& port : program.inputs) {
        for (const int vector : port.vectors) {
            banks.dram0.load(static_cast<std::uint64_t>(vector) * bytes, next, bytes);
            next += bytes;
        }
    }
    const Layout layout = layout_of(architecture);
    error.clear();
    device.reset();
    const auto run_these = [&](std::vector<std::uint8_t>& code) {
        device.send(tcu::run::padded(layout, 1, std::exchange(code, {})));
        if (!device.run(~std::uint64_t{0})) error = "the program does not end";
    };
    std::vector<std::uint8_t> code;
    if (program.constants_in_local && !program.constants.empty())
        append(code, layout, constants_to_local(program));
    for (std::size_t n = 0; n < program.instructions.size(); ++n) {
        append(code, layout, program.instructions[n]);
        const bool ends = n + 1 == program.instructions.size();
        if (!ends && (after == nullptr || program.layers[n + 1] == program.layers[n])) continue;
        run_these(code);
        if (after != nullptr) after(program.layers[n]);
    }
    if (const std::vector<std::string> broken = device.violations(); !broken.empty())
        error = broken.front();
    std::vector<std::uint8_t> out;
    for (const Port& port : program.outputs) {
        for (const int vector : port.vectors) {
            if (vector == Port::kNowhere) continue;
            const auto more = banks.dram0.dump(static_cast<std::uint64_t>(vector) * bytes, bytes);
            out.insert(out.end(), more.begin(), more.end());
        }
    }
    return decode_outputs(graph, program, out);
}

}  // namespace macrame::tcu::compiler
