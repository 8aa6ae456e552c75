#include "verif/dla/run/driver_recorder.hpp"

#include <algorithm>

#include "verif/common/crc32.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/trace/cfg_reader.hpp"

namespace macrame::dla::run {

using verif::text::hex;

namespace {

constexpr std::uint32_t kMask = 0x4, kStatus = 0xC;  // offsets in the GLB page
constexpr std::size_t kBytesPerLine = 4096;

const char* port(bool secondary) { return secondary ? "sec_mem" : "pri_mem"; }

}  // namespace

DriverRecorder::DriverRecorder(const std::string& path, const std::string& from,
                               const trace::RegisterTable& registers, verif::Device& device)
    : out_(path, std::ios::binary),
      registers_(registers),
      device_(device),
      glb_(registers.glb_base()) {
    out_ << "// " << from << "\n";
}

std::string DriverRecorder::name(std::uint32_t address) const {
    const trace::RegisterInfo* const info = registers_.at(address);
    return info == nullptr ? hex(address) : "NVDLA_" + info->unit + "." + info->name + "_0";
}

void DriverRecorder::reset() {
    if (!begun_) return;
    clear(~0u);
    end_reads();
    line("reset()");
}

/// Events in S_INTR_STATUS: those that reached the pin are served by the player, in which the
/// others are polled and cleared.
void DriverRecorder::clear(std::uint32_t bits) {
    const std::uint32_t status = device_.csb_read(glb_ + kStatus) & bits;
    const std::uint32_t mask = device_.csb_read(glb_ + kMask);
    if (status != 0) end_reads();
    for (int bit = 0; bit < 32; ++bit) {
        if (((status & ~mask) >> bit & 1u) == 0) continue;
        const std::string interrupt = trace::interrupt_name(bit);
        const std::string event = "event_" + std::to_string(events_++);
        line("intr_notify(" + interrupt + ", " + event + ")");
        line("sync_wait(" + interrupt + ", " + event + ")");
    }
    const std::uint32_t polled = status & mask;
    if (polled == 0) return;
    const std::string reg = name(glb_ + kStatus);
    line("poll_reg_equal(" + reg + ", " + hex(polled) + ", " + hex(polled) + ")");
    line("reg_write(" + reg + ", " + hex(polled) + ")");
}

std::string DriverRecorder::write(std::uint32_t address, std::uint32_t value) {
    if (address == glb_ + kStatus) {
        clear(value);
        return "";
    }
    end_reads();
    begun_ = true;
    line("reg_write(" + name(address) + ", " + hex(value) + ")");
    return "";
}

void DriverRecorder::read(std::uint32_t address, std::uint32_t value) {
    if (address == glb_ + kStatus) return;  // clear() tells of it
    if (reads_ == 0 || address != address_) {
        end_reads();
        address_ = address;
        first_ = value;
    }
    last_ = value;
    ++reads_;
}

/// A register that changed while the driver read it: it waited for that.
void DriverRecorder::end_reads() {
    if (reads_ > 0 && first_ != last_) {
        line("poll_reg_equal(" + name(address_) + ", " + hex(last_) + ")");
    } else if (reads_ > 0) {
        line("reg_read(" + name(address_) + ", 0x0)");
    }
    reads_ = 0;
}

void DriverRecorder::load(bool secondary, std::uint64_t address,
                          const std::vector<std::uint8_t>& bytes) {
    end_reads();
    static const char* const kDigits = "0123456789abcdef";
    for (std::size_t done = 0; done < bytes.size(); done += kBytesPerLine) {
        const std::size_t end = std::min(bytes.size(), done + kBytesPerLine);
        std::string digits;
        for (std::size_t i = done; i < end; ++i)
            digits += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15u]};
        line((begun_ ? "mem_write(" : "mem_hex(") + std::string(port(secondary)) + ", " +
             hex(address + done) + ", " + digits + ")");
    }
}

void DriverRecorder::look(bool secondary, std::uint64_t address,
                          const std::vector<std::uint8_t>& bytes) {
    if (!begun_ || bytes.empty()) return;
    end_reads();
    line("mem_check(" + std::string(port(secondary)) + ", " + hex(address) + ", " +
         hex(bytes.size()) + ", " + hex(verif::crc32(bytes)) + ")");
}

bool DriverRecorder::finish() {
    clear(~0u);
    end_reads();
    out_.flush();
    return static_cast<bool>(out_);
}

}  // namespace macrame::dla::run
