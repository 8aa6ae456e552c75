#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "compiler/program/format.hpp"
#include "compiler/program/program.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::program {

namespace {

using namespace format;

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
        if (header() && sections() && checksum() && contents())
            error_ = has_several() ? problem(programs_) : problem(programs_.front());
        if (error_.empty() && has_several()) result.programs = std::move(programs_);
        if (error_.empty() && !has_several()) result.program = std::move(programs_.front());
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
        if (std::memcmp(bytes_, kMagic, kMagicBytes) != 0 || version < '1' || version > '3')
            return fail(fmt::format(
                "does not begin with {0}1 to {0}3: want a program of these versions", kMagic));
        header_bytes_ = version == '1'   ? kHeaderBytes
                        : version == '2' ? kHeaderBytes2
                                         : kHeaderBytes3;
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

    bool is_new() const { return header_bytes_ != kHeaderBytes; }
    bool has_units() const { return header_bytes_ == kHeaderBytes3; }
    bool has_several() const { return networks_ != 0; }

    bool sections() {
        std::uint64_t end = header_bytes_;
        if (has_units()) {
            const std::uint64_t offset = get64(bytes_ + kNetworks);
            networks_ = get64(bytes_ + kNetworks + 8);
            if (offset != end || networks_ > (size_ - end) / kNetworkBytes)
                return fail(
                    fmt::format("section networks of {} records at {:#x}: want it "
                                "at {:#x}, within the {} bytes of the file",
                                networks_, offset, end, size_));
            end += networks_ * kNetworkBytes;
        }
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
        Program common;
        common.identity = get32(bytes_ + kIdentity);
        common.interrupt_status = get32(bytes_ + kInterruptStatus);
        common.memory_bytes = get64(bytes_ + kMemoryBytes);
        common.alignment = get32(bytes_ + kAlignment);
        if (!string(get32(bytes_ + kFamily), common.family)) return false;
        if (!string(get32(bytes_ + kConfiguration), common.configuration)) return false;
        if (!string(get32(bytes_ + kNetwork), common.network)) return false;
        if (is_new()) {
            common.address_bits = get32(bytes_ + kAddressBits);
            common.identity_register = get32(bytes_ + kIdentityRegister);
            if (!string(get32(bytes_ + kParameters), common.parameters)) return false;
        }
        if (has_several()) return several(common);
        const std::uint32_t inputs = get32(bytes_ + kInputs);
        if (inputs > count_[kTensors])
            return fail(
                fmt::format("{} inputs: want at most the {} tensors", inputs, count_[kTensors]));
        programs_ = {std::move(common)};
        return records({count_[kCommands], count_[kSegments], count_[kLayers], inputs,
                        count_[kTensors] - inputs}) &&
               all_data_read();
    }

    /// Records of a network.
    struct Counts {
        std::size_t commands = 0, segments = 0, layers = 0, inputs = 0, outputs = 0;
    };

    bool several(const Program& common) {
        if (get32(bytes_ + kInputs) != 0 || get32(bytes_ + kNetwork) != 0)
            return fail("inputs and network of the header: want 0, they are in section networks");
        for (std::uint64_t i = 0; i < networks_; ++i) {
            const std::uint8_t* at = bytes_ + kHeaderBytes3 + i * kNetworkBytes;
            programs_.push_back(common);
            if (!string(get32(at), programs_.back().name)) return false;
            if (!string(get32(at + 4), programs_.back().network)) return false;
            if (get32(at + 28) != 0) return fail(fmt::format("network {}: unused bits are set", i));
            const Counts counts = {get32(at + 8), get32(at + 12), get32(at + 16), get32(at + 20),
                                   get32(at + 24)};
            const bool there = counts.commands <= count_[kCommands] - commands_ &&
                               counts.segments <= count_[kSegments] - segments_ &&
                               counts.layers <= count_[kLayers] - layers_ &&
                               counts.inputs + counts.outputs <= count_[kTensors] - tensors_;
            if (!there) return fail(fmt::format("network {}: more records than sections have", i));
            if (!records(counts)) return false;
        }
        if (commands_ != count_[kCommands] || segments_ != count_[kSegments] ||
            layers_ != count_[kLayers] || tensors_ != count_[kTensors])
            return fail("networks: want all records of the sections in them");
        return all_data_read();
    }

    /// Those that come next, for the last program.
    bool records(const Counts& counts) {
        return commands(counts.commands) && segments(counts.segments) &&
               tensors(counts.inputs, counts.inputs + counts.outputs) && layers(counts.layers);
    }

    bool string(std::uint32_t at, std::string& to) {
        if (at >= count_[kStrings])
            return fail(
                fmt::format("string {:#x}: want one within {} bytes", at, count_[kStrings]));
        to = reinterpret_cast<const char*>(start_[kStrings] + at);
        return true;
    }

    bool commands(std::size_t count) {
        Program& program = programs_.back();
        program.commands.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* at = start_[kCommands] + 16 * commands_++;
            if (get(at + 2, 2) != 0) return fail(fmt::format("command {}: unused bits are set", i));
            if (static_cast<Code>(get(at, 2)) == Code::unit && !has_units())
                return fail(fmt::format("command {}: a unit: want a file of version 3", i));
            program.commands.push_back(
                {static_cast<Code>(get(at, 2)), get32(at + 4), get32(at + 8), get32(at + 12)});
        }
        return true;
    }

    /// Where the contents of the next segment are.
    std::uint64_t place() const {
        return static_cast<std::uint64_t>(start_[kData] - bytes_) + data_read_;
    }

    bool segments(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* at = start_[kSegments] + 24 * segments_++;
            const std::uint64_t bytes = get64(at + 8), data = get64(at + 16);
            if (data != place() || bytes > size_ - place())
                return fail(
                    fmt::format("segment {}: {} bytes at {:#x} of the file: want all in "
                                "section data, one behind the other",
                                i, bytes, data));
            programs_.back().segments.push_back(
                {get64(at), std::vector<std::uint8_t>(bytes_ + data, bytes_ + data + bytes)});
            data_read_ += round_up_8(bytes);
        }
        return true;
    }

    bool all_data_read() {
        return place() == size_ || fail("data: want nothing behind the last segment");
    }

    bool tensors(std::size_t inputs, std::size_t count) {
        Program& program = programs_.back();
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* at = start_[kTensors] + 56 * tensors_++;
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
            (i < inputs ? program.inputs : program.outputs).push_back(std::move(tensor));
        }
        return true;
    }

    bool layers(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* at = start_[kLayers] + 24 * layers_++;
            if (get32(at + 20) != 0) return fail(fmt::format("layer {}: unused bits are set", i));
            Layer layer;
            layer.estimated_cycles = get64(at);
            layer.macs = get64(at + 8);
            if (!string(get32(at + 16), layer.name)) return false;
            programs_.back().layers.push_back(std::move(layer));
        }
        return true;
    }

    const std::uint8_t* bytes_;
    std::size_t size_;
    std::size_t header_bytes_ = 0;
    const std::uint8_t* start_[kSectionCount] = {};
    std::size_t count_[kSectionCount] = {};
    std::uint64_t networks_ = 0;
    // Records and bytes of data that have been read.
    std::size_t commands_ = 0, segments_ = 0, tensors_ = 0, layers_ = 0;
    std::uint64_t data_read_ = 0;
    std::vector<Program> programs_;
    std::string error_;
};

}  // namespace

ReadResult read(const std::uint8_t* bytes, std::size_t size) { return Reader(bytes, size).run(); }

ReadResult read(const std::vector<std::uint8_t>& bytes) { return read(bytes.data(), bytes.size()); }

}  // namespace macrame::program
