#include "compiler/program/program.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cstring>
#include <map>
#include <utility>

#include "compiler/program/format.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::program {

namespace {

using namespace format;

// ---------------------------------------------------------------- writing

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

void put_body(FileBytes& to, const Program& program, Strings& strings, std::uint64_t data_offset,
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
        case kStrings:
            to.out.insert(to.out.end(), strings.bytes().begin(), strings.bytes().end());
            return;
        case kData:
            for (const Segment& segment : program.segments) {
                to.out.insert(to.out.end(), segment.bytes.begin(), segment.bytes.end());
                to.pad();
            }
            return;
        case kSectionCount:
            return;
    }
}

std::uint64_t count_of(const Program& program, const Strings& strings, Section section) {
    switch (section) {
        case kCommands:
            return program.commands.size();
        case kSegments:
            return program.segments.size();
        case kTensors:
            return program.inputs.size() + program.outputs.size();
        case kLayers:
            return program.layers.size();
        case kStrings:
            return strings.bytes().size();
        case kData: {
            std::uint64_t bytes = 0;
            for (const Segment& segment : program.segments)
                bytes += round_up_8(segment.bytes.size());
            return bytes;
        }
        case kSectionCount:
            break;
    }
    return 0;
}

// ---------------------------------------------------------------- reading

std::uint64_t get(const std::uint8_t* at, int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value |= std::uint64_t{at[i]} << 8 * i;
    return value;
}
std::uint32_t get32(const std::uint8_t* at) { return static_cast<std::uint32_t>(get(at, 4)); }
std::uint64_t get64(const std::uint8_t* at) { return get(at, 8); }

/// Takes a file apart; stops at the first thing that is wrong.
class Reader {
public:
    Reader(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes), size_(size) {}

    ReadResult run() {
        ReadResult result;
        if (header() && sections() && checksum() && contents()) error_ = problem(program_);
        if (error_.empty()) result.program = std::move(program_);
        result.error = std::move(error_);
        return result;
    }

private:
    bool fail(std::string error) {
        error_ = "program file: " + std::move(error);
        return false;
    }

    bool header() {
        if (size_ < kHeaderBytes)
            return fail(fmt::format("{} bytes: want at least {}", size_, kHeaderBytes));
        const char version = static_cast<char>(bytes_[kMagicBytes]);
        if (std::memcmp(bytes_, kMagic, kMagicBytes) != 0 || version < '1' || version > '2')
            return fail(fmt::format(
                "does not begin with {0}1 or {0}2: want a program of these versions", kMagic));
        header_bytes_ = version == '1' ? kHeaderBytes : kHeaderBytes2;
        if (get64(bytes_ + kFileBytes) != size_) {
            return fail(fmt::format("{} bytes: want {} as its header says", size_,
                                    get64(bytes_ + kFileBytes)));
        }
        if (get32(bytes_ + kHeaderSize) != header_bytes_ || size_ < header_bytes_) {
            return fail(fmt::format("header of {} bytes: want {}", get32(bytes_ + kHeaderSize),
                                    header_bytes_));
        }
        if (get32(bytes_ + kReserved) != 0 || (is_new() && get32(bytes_ + kReserved2) != 0))
            return fail("reserved word of the header: want 0");
        return true;
    }

    bool is_new() const { return header_bytes_ == kHeaderBytes2; }

    bool sections() {
        std::uint64_t end = header_bytes_;
        for (int i = 0; i < kSectionCount; ++i) {
            const std::uint8_t* row = bytes_ + kSections + 16 * i;
            const std::uint64_t offset = get64(row), count = get64(row + 8);
            const SectionRow& section = kSectionTable[i];
            if (offset != end) {
                return fail(
                    fmt::format("section {} at {:#x}: want {:#x}", section.name, offset, end));
            }
            if (offset > size_ || count > (size_ - offset) / section.record_bytes) {
                return fail(
                    fmt::format("section {} of {} records at {:#x}: want it within the "
                                "{} bytes of the file",
                                section.name, count, offset, size_));
            }
            start_[i] = bytes_ + offset;
            count_[i] = static_cast<std::size_t>(count);
            end = round_up_8(offset + count * section.record_bytes);
        }
        if (end != size_)
            return fail(fmt::format("sections end at {:#x}: want {:#x}, the size", end, size_));
        return true;
    }

    bool checksum() {
        std::vector<std::uint8_t> copy(bytes_, bytes_ + size_);
        const std::uint32_t wanted = get32(bytes_ + kCrc);
        for (std::size_t i = 0; i < 4; ++i)
            copy[kCrc + i] = 0;
        const std::uint32_t found = verif::crc32(copy);
        if (found == wanted) return true;
        return fail(
            fmt::format("checksum {:#010x}: want {:#010x} as its header says", found, wanted));
    }

    bool contents() {
        if (count_[kStrings] == 0 || start_[kStrings][count_[kStrings] - 1] != 0)
            return fail("strings: want a NUL at the end");
        const std::uint32_t inputs = get32(bytes_ + kInputs);
        if (inputs > count_[kTensors])
            return fail(
                fmt::format("{} inputs: want at most the {} tensors", inputs, count_[kTensors]));
        program_.identity = get32(bytes_ + kIdentity);
        program_.interrupt_status = get32(bytes_ + kInterruptStatus);
        program_.memory_bytes = get64(bytes_ + kMemoryBytes);
        program_.alignment = get32(bytes_ + kAlignment);
        if (!string(get32(bytes_ + kFamily), program_.family)) return false;
        if (!string(get32(bytes_ + kConfiguration), program_.configuration)) return false;
        if (!string(get32(bytes_ + kNetwork), program_.network)) return false;
        if (is_new()) {
            program_.address_bits = get32(bytes_ + kAddressBits);
            program_.identity_register = get32(bytes_ + kIdentityRegister);
            if (!string(get32(bytes_ + kParameters), program_.parameters)) return false;
        }
        return commands() && segments() && tensors(inputs) && layers();
    }

    bool string(std::uint32_t at, std::string& to) {
        if (at >= count_[kStrings])
            return fail(
                fmt::format("string {:#x}: want one within {} bytes", at, count_[kStrings]));
        to = reinterpret_cast<const char*>(start_[kStrings] + at);
        return true;
    }

    bool commands() {
        program_.commands.reserve(count_[kCommands]);
        for (std::size_t i = 0; i < count_[kCommands]; ++i) {
            const std::uint8_t* at = start_[kCommands] + 16 * i;
            if (get(at + 2, 2) != 0) return fail(fmt::format("command {}: unused bits are set", i));
            program_.commands.push_back(
                {static_cast<Code>(get(at, 2)), get32(at + 4), get32(at + 8), get32(at + 12)});
        }
        return true;
    }

    bool segments() {
        std::uint64_t place = static_cast<std::uint64_t>(start_[kData] - bytes_);
        for (std::size_t i = 0; i < count_[kSegments]; ++i) {
            const std::uint8_t* at = start_[kSegments] + 24 * i;
            const std::uint64_t bytes = get64(at + 8), data = get64(at + 16);
            if (data != place || bytes > size_ - place)
                return fail(
                    fmt::format("segment {}: {} bytes at {:#x} of the file: want all in "
                                "section data, one behind the other",
                                i, bytes, data));
            program_.segments.push_back(
                {get64(at), std::vector<std::uint8_t>(bytes_ + data, bytes_ + data + bytes)});
            place = round_up_8(place + bytes);
        }
        if (place != size_) return fail("data: want nothing behind the last segment");
        return true;
    }

    bool tensors(std::uint32_t inputs) {
        for (std::size_t i = 0; i < count_[kTensors]; ++i) {
            const std::uint8_t* at = start_[kTensors] + 56 * i;
            Tensor tensor;
            if (get(at + 6, 2) != 0 || get32(at + 52) != 0)
                return fail(fmt::format("tensor {}: unused bits are set", i));
            if (!string(get32(at), tensor.name)) return false;
            tensor.element = static_cast<Element>(at[4]);
            tensor.filler = static_cast<std::int8_t>(at[5]);
            tensor.height = get32(at + 8);
            tensor.width = get32(at + 12);
            tensor.channels = get32(at + 16);
            tensor.group = get32(at + 20);
            tensor.offset = get64(at + 24);
            tensor.surface_stride = get32(at + 32);
            tensor.line_stride = get32(at + 36);
            tensor.pixel_stride = get32(at + 40);
            const std::uint32_t scale = get32(at + 44);
            std::memcpy(&tensor.scale, &scale, sizeof scale);
            tensor.zero_point = static_cast<std::int32_t>(get32(at + 48));
            (i < inputs ? program_.inputs : program_.outputs).push_back(std::move(tensor));
        }
        return true;
    }

    bool layers() {
        for (std::size_t i = 0; i < count_[kLayers]; ++i) {
            const std::uint8_t* at = start_[kLayers] + 24 * i;
            if (get32(at + 20) != 0) return fail(fmt::format("layer {}: unused bits are set", i));
            Layer layer;
            layer.estimated_cycles = get64(at);
            layer.macs = get64(at + 8);
            if (!string(get32(at + 16), layer.name)) return false;
            program_.layers.push_back(std::move(layer));
        }
        return true;
    }

    const std::uint8_t* bytes_;
    std::size_t size_;
    std::size_t header_bytes_ = 0;
    const std::uint8_t* start_[kSectionCount] = {};
    std::size_t count_[kSectionCount] = {};
    Program program_;
    std::string error_;
};

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
    const std::size_t header_bytes = is_new ? kHeaderBytes2 : kHeaderBytes;
    Strings strings;
    FileBytes file;
    file.out.insert(file.out.end(), kMagic, kMagic + kMagicBytes);
    file.put8(is_new ? '2' : '1');
    file.put64(0);  // size, set below
    file.put32(0);  // checksum, set below
    file.put32(header_bytes);
    file.put32(program.identity);
    file.put32(program.interrupt_status);
    file.put64(program.memory_bytes);
    file.put32(program.alignment);
    file.put32(program.inputs.size());
    file.put32(strings.add(program.family));
    file.put32(strings.add(program.configuration));
    file.put32(strings.add(program.network));
    file.put32(0);
    assert(file.out.size() == kSections);
    // Names are collected before their section is written.
    for (const auto* tensors : {&program.inputs, &program.outputs}) {
        for (const Tensor& tensor : *tensors)
            strings.add(tensor.name);
    }
    for (const Layer& layer : program.layers)
        strings.add(layer.name);
    const std::uint32_t parameters = strings.add(program.parameters);
    std::uint64_t offset = header_bytes;
    for (int i = 0; i < kSectionCount; ++i) {
        const std::uint64_t count = count_of(program, strings, static_cast<Section>(i));
        file.put64(offset);
        file.put64(count);
        if (i != kData) offset = round_up_8(offset + count * kSectionTable[i].record_bytes);
    }
    if (is_new) {
        file.put32(program.address_bits);
        file.put32(program.identity_register);
        file.put32(parameters);
        file.put32(0);
    }
    for (int i = 0; i < kSectionCount; ++i) {
        put_body(file, program, strings, offset, static_cast<Section>(i));
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

ReadResult read(const std::uint8_t* bytes, std::size_t size) { return Reader(bytes, size).run(); }

ReadResult read(const std::vector<std::uint8_t>& bytes) { return read(bytes.data(), bytes.size()); }

}  // namespace macrame::program
