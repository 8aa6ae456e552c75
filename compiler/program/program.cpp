#include "compiler/program/program.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstring>
#include <map>

#include "compiler/program/format.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::program {

namespace {

using namespace format;

/// Little-endian numbers at the end of a run of bytes.
struct FileBytes {
    std::vector<std::uint8_t> out;

    void put(std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            out.push_back(static_cast<std::uint8_t>(value >> 8 * i));
    }
    void put8(std::uint32_t value) { put(value & 0xFFu, 1); }
    void put16(std::uint32_t value) { put(value, 2); }
    void put32(std::uint64_t value) { put(value, 4); }
    void put64(std::uint64_t value) { put(value, 8); }
    void pad() { out.resize(static_cast<std::size_t>(round_up_8(out.size()))); }
};

/// Strings one behind the other, each once, each with a NUL; the empty one is the first.
class Strings {
public:
    Strings() { add(""); }
    std::uint32_t add(const std::string& text) {
        const auto at = static_cast<std::uint32_t>(bytes_.size());
        const auto [place, added] = places_.emplace(text, at);
        if (added) {
            bytes_.insert(bytes_.end(), text.begin(), text.end());
            bytes_.push_back(0);
        }
        return place->second;
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::map<std::string, std::uint32_t> places_;
    std::vector<std::uint8_t> bytes_;
};

void put_tensor(FileBytes& to, const Tensor& tensor, Strings& strings) {
    std::uint32_t scale = 0;
    static_assert(sizeof scale == sizeof tensor.scale);
    std::memcpy(&scale, &tensor.scale, sizeof scale);
    to.put32(strings.add(tensor.name));
    to.put8(static_cast<std::uint32_t>(tensor.element));
    to.put8(static_cast<std::uint8_t>(tensor.filler));
    to.put16(0);
    for (const std::uint32_t size : {tensor.height, tensor.width, tensor.channels, tensor.group})
        to.put32(size);
    to.put64(tensor.offset);
    to.put32(tensor.surface_stride);
    to.put32(tensor.line_stride);
    to.put32(tensor.pixel_stride);
    to.put32(scale);
    to.put32(static_cast<std::uint32_t>(tensor.zero_point));
    to.put32(0);
}

using Programs = std::vector<const Program*>;

/// The records of a section, of all programs.
void put_body(FileBytes& to, const Program& program, Strings& strings, std::uint64_t& data_offset,
              Section section) {
    switch (section) {
        case kCommands:
            for (const Command& command : program.commands) {
                to.put16(static_cast<std::uint32_t>(command.code));
                to.put16(0);
                to.put32(command.address);
                to.put32(command.value);
                to.put32(command.aux);
            }
            return;
        case kSegments:
            for (const Segment& segment : program.segments) {
                to.put64(segment.offset);
                to.put64(segment.bytes.size());
                to.put64(data_offset);
                data_offset += round_up_8(segment.bytes.size());
            }
            return;
        case kTensors:
            for (const auto* tensors : {&program.inputs, &program.outputs}) {
                for (const Tensor& tensor : *tensors)
                    put_tensor(to, tensor, strings);
            }
            return;
        case kLayers:
            for (const Layer& layer : program.layers) {
                to.put64(layer.estimated_cycles);
                to.put64(layer.macs);
                to.put32(strings.add(layer.name));
                to.put32(0);
            }
            return;
        case kData:
            for (const Segment& segment : program.segments) {
                to.out.insert(to.out.end(), segment.bytes.begin(), segment.bytes.end());
                to.pad();
            }
            return;
        case kStrings:
        case kSectionCount:
            return;
    }
}

std::uint64_t count_of(const Program& program, Section section) {
    switch (section) {
        case kCommands:
            return program.commands.size();
        case kSegments:
            return program.segments.size();
        case kTensors:
            return program.inputs.size() + program.outputs.size();
        case kLayers:
            return program.layers.size();
        case kData: {
            std::uint64_t bytes = 0;
            for (const Segment& segment : program.segments)
                bytes += round_up_8(segment.bytes.size());
            return bytes;
        }
        case kStrings:
        case kSectionCount:
            break;
    }
    return 0;
}

void put_network(FileBytes& to, const Program& program, Strings& strings) {
    to.put32(strings.add(program.name));
    to.put32(strings.add(program.network));
    for (const std::size_t count :
         {program.commands.size(), program.segments.size(), program.layers.size(),
          program.inputs.size(), program.outputs.size(), std::size_t{0}})
        to.put32(count);
}

/// What the programs have in common is that of the first; `version` is '1' to '3'. `several`: each
/// has a name.
std::vector<std::uint8_t> write_file(const Programs& programs, char version, bool several) {
    const Program& program = *programs.front();
    const std::size_t header_bytes = version == '3'   ? kHeaderBytes3
                                     : version == '2' ? kHeaderBytes2
                                                      : kHeaderBytes;
    Strings strings;
    FileBytes file;
    file.out.insert(file.out.end(), kMagic, kMagic + kMagicBytes);
    file.put8(static_cast<std::uint8_t>(version));
    file.put64(0);  // size, set below
    file.put32(0);  // checksum, set below
    file.put32(header_bytes);
    file.put32(program.identity);
    file.put32(program.interrupt_status);
    file.put64(program.memory_bytes);
    file.put32(program.alignment);
    file.put32(several ? 0 : program.inputs.size());
    file.put32(strings.add(program.family));
    file.put32(strings.add(program.configuration));
    file.put32(several ? 0 : strings.add(program.network));
    file.put32(0);
    assert(file.out.size() == kSections);
    // Names are collected before their section is written.
    for (const Program* one : programs) {
        if (several) {
            strings.add(one->name);
            strings.add(one->network);
        }
        for (const auto* tensors : {&one->inputs, &one->outputs}) {
            for (const Tensor& tensor : *tensors)
                strings.add(tensor.name);
        }
        for (const Layer& layer : one->layers)
            strings.add(layer.name);
    }
    const std::uint32_t parameters = strings.add(program.parameters);
    std::uint64_t offset = header_bytes + (several ? programs.size() * kNetworkBytes : 0);
    for (int i = 0; i < kSectionCount; ++i) {
        std::uint64_t count = i == kStrings ? strings.bytes().size() : 0;
        for (const Program* one : programs)
            count += count_of(*one, static_cast<Section>(i));
        file.put64(offset);
        file.put64(count);
        if (i != kData) offset = round_up_8(offset + count * kSectionTable[i].record_bytes);
    }
    if (version != '1') {
        file.put32(program.address_bits);
        file.put32(program.identity_register);
        file.put32(parameters);
        file.put32(0);
    }
    if (version == '3') {
        file.put64(header_bytes);
        file.put64(several ? programs.size() : 0);
    }
    if (several) {
        for (const Program* one : programs)
            put_network(file, *one, strings);
    }
    for (int i = 0; i < kSectionCount; ++i) {
        for (const Program* one : programs)
            put_body(file, *one, strings, offset, static_cast<Section>(i));
        if (i == kStrings)
            file.out.insert(file.out.end(), strings.bytes().begin(), strings.bytes().end());
        file.pad();
    }
    const auto set = [&](std::size_t at, std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            file.out[at + static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> 8 * i);
    };
    set(kFileBytes, file.out.size(), 8);
    set(kCrc, verif::crc32(file.out), 4);
    return std::move(file.out);
}

}  // namespace

int element_bytes(Element element) {
    switch (element) {
        case Element::int8:
        case Element::uint8:
            return 1;
        case Element::int16:
            return 2;
        case Element::int32:
        case Element::float32:
            return 4;
    }
    return 0;
}

std::vector<std::uint8_t> write(const Program& program) {
    const bool is_new =
        program.address_bits != 0 || program.identity_register != 0 || !program.parameters.empty();
    const bool has_units = !program.commands.empty() && program.commands.front().code == Code::unit;
    return write_file({&program}, has_units ? '3' : is_new ? '2' : '1', false);
}

std::vector<std::uint8_t> write(const std::vector<Program>& programs) {
    assert(!programs.empty());
    Programs all;
    for (const Program& program : programs)
        all.push_back(&program);
    return write_file(all, '3', true);
}

}  // namespace macrame::program
