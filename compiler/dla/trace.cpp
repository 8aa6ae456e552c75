#include "compiler/dla/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "verif/common/crc32.hpp"
#include "verif/dla/trace/dla_registers.hpp"

namespace macrame::dla::compiler {

namespace {

using program::Code;
using program::Command;

/// Bytes as records of 32.
std::string dat(const std::vector<std::uint8_t>& bytes) {
    std::string out = "{\n";
    out.reserve(bytes.size() * 6 + 64);
    for (std::size_t at = 0; at < bytes.size(); at += 32) {
        const std::size_t size = std::min<std::size_t>(32, bytes.size() - at);
        fmt::format_to(std::back_inserter(out), "{{offset:{:#x}, size:{}, payload:", at, size);
        for (std::size_t i = 0; i < size; ++i) {
            constexpr char kDigits[] = "0123456789abcdef";
            out += i == 0 ? "0x" : " 0x";
            out += kDigits[bytes[at + i] >> 4];
            out += kDigits[bytes[at + i] & 15];
        }
        out += "}\n";
    }
    return out + "}\n";
}

/// Unit of an interrupt: bits 0 and 1 are SDP, 2 and 3 CDP, 4 and 5 PDP, 8 and 9 RUBIK, 10 and 11
/// ROW.
const char* unit_of(int bit) {
    return bit < 2 ? "SDP" : bit < 4 ? "CDP" : bit < 6 ? "PDP" : bit < 10 ? "RUBIK" : "ROW";
}

class Writer {
public:
    Writer(const program::Program& program, std::string name, std::uint64_t base)
        : program_(program), name_(std::move(name)), base_(base) {}

    std::map<std::string, std::string> run(const std::vector<TraceData>& inputs,
                                           const std::vector<TraceData>& outputs) {
        line("// {}: {} for {}", name_, program_.network, program_.configuration);
        line("mem_init(pri_mem, {:#x}, {:#x}, ALL_ZERO);", base_, program_.memory_bytes);
        load_constants();
        for (const TraceData& input : inputs)
            load("input", input.offset, input.bytes);
        for (const Command& command : program_.commands)
            add(command);
        for (const TraceData& output : outputs) {
            line("check_crc({}, pri_mem, {:#x}, {:#x}, {:#x});", last_event(),
                 base_ + output.offset, output.bytes.size(), verif::crc32(output.bytes));
        }
        files_[name_ + ".cfg"] = std::move(text_);
        return std::move(files_);
    }

private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }

    void load(const char* what, std::uint64_t offset, const std::vector<std::uint8_t>& bytes) {
        const std::string file = fmt::format("{}_{}_{}.dat", name_, what, files_.size());
        files_[file] = dat(bytes);
        line("mem_load(pri_mem, {:#x}, \"{}\");", base_ + offset, file);
    }

    /// A file for segments that lie one behind the other; small gaps between them are 0.
    void load_constants() {
        constexpr std::uint64_t kGap = 4096;
        std::vector<program::Segment> merged;
        for (const program::Segment& segment : program_.segments) {
            const std::uint64_t end =
                merged.empty() ? 0 : merged.back().offset + merged.back().bytes.size();
            if (merged.empty() || segment.offset < end || segment.offset - end > kGap) {
                merged.push_back(segment);
                continue;
            }
            std::vector<std::uint8_t>& bytes = merged.back().bytes;
            bytes.resize(bytes.size() + segment.offset - end);
            bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
        }
        for (const program::Segment& segment : merged)
            load("constants", segment.offset, segment.bytes);
    }

    std::string register_name(std::uint32_t address) const {
        const trace::RegisterInfo* found = registers_.at(address);
        return fmt::format("NVDLA_{}.{}_0", found->unit, found->name);
    }

    std::string last_event() const { return fmt::format("done_{}", events_ - 1); }

    void add(const Command& c) {
        const std::uint64_t offset = base_ + (std::uint64_t{c.aux} << 32 | c.value);
        switch (c.code) {
            case Code::write:
                line("reg_write({}, {:#x});", register_name(c.address), c.value);
                break;
            case Code::write_low:
                line("reg_write({}, {:#x});", register_name(c.address), offset & 0xFFFFFFFFu);
                break;
            case Code::write_high:
                line("reg_write({}, {:#x});", register_name(c.address), offset >> 32);
                break;
            case Code::poll:
                line("poll_reg_equal({}, {:#x});", register_name(c.address), c.value);
                break;
            case Code::wait:
                wait(c.value);
                break;
            case Code::begin_layer:
                line("// {}", program_.layers[c.value].name);
                break;
            case Code::host:
            case Code::unit:  // a trace begins behind a reset
                break;
        }
    }

    void wait(std::uint32_t mask) {
        for (int bit = 0; bit < 32; ++bit) {
            if ((mask >> bit & 1u) == 0) continue;
            line("intr_notify({}_{}, done_{});", unit_of(bit), bit % 2, events_++);
            line("sync_wait(NVDLA_{}, {});", unit_of(bit), last_event());
        }
    }

    const program::Program& program_;
    std::string name_;
    std::uint64_t base_;
    const trace::RegisterTable registers_ = trace::dla_registers();
    std::map<std::string, std::string> files_;
    std::string text_;
    int events_ = 0;
};

}  // namespace

std::map<std::string, std::string> to_trace(const program::Program& program,
                                            const std::string& name, std::uint64_t base,
                                            const std::vector<TraceData>& inputs,
                                            const std::vector<TraceData>& outputs) {
    return Writer(program, name, base).run(inputs, outputs);
}

}  // namespace macrame::dla::compiler
