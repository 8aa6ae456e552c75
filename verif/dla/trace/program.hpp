#pragma once
/// A test program in the form the player executes: memory contents, commands in order, expected
/// interrupts and the checks that hang on them. Every trace language becomes one of these.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::dla::trace {

/// Bytes of memory that a program may prepare, size of a region that it may check, and where the
/// last byte of a data file may lie. The largest traces need an eighth of this.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

/// The two memory ports; each is an address space of its own.
enum class Port { primary, secondary };

/// A run of bytes at an offset.
struct Segment {
    std::uint64_t offset = 0;
    std::vector<std::uint8_t> bytes;
};

/// Content of a memory before the run. Applied in program order.
struct MemoryInit {
    Port port = Port::primary;
    std::uint64_t base = 0;
    std::uint64_t size = 0;         ///< bytes to fill; 0: nothing is filled
    int pattern = 0;                ///< fill byte 0..255, or one of the two below
    std::vector<Segment> segments;  ///< contents, offsets relative to base
    std::string where;              ///< "file:line"
};
constexpr int kPatternAddress = -1;  ///< low byte of each address
constexpr int kPatternRandom = -2;   ///< reproducible noise

/// What one command does.
enum class Op {
    write,         ///< register write
    read,          ///< register read, any value
    read_check,    ///< register read, must equal value under mask
    poll,          ///< register read until `compare` holds under mask
    sync_wait,     ///< wait until event `id` happened
    sync_notify,   ///< event `id` happens
    wait_pin,      ///< wait until the interrupt pin is high; nothing is cleared
    check_region,  ///< compare memory now with `check`
    load,          ///< put `contents` into memory now
    reset          ///< reset pulse; memory keeps its contents
};
enum class Compare { equal, less_equal, greater_equal };

/// A comparison of a memory region.
struct RegionCheck {
    enum class Kind { nothing, crc, bytes };
    Kind kind = Kind::nothing;
    std::string command = "check_nothing";  ///< of the file
    std::string id;                         ///< event that triggers it; empty for Op::check_region
    Port port = Port::primary;
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    std::vector<Segment> expected;  ///< Kind::bytes
    std::string where;
};

struct Command {
    Op op = Op::write;
    std::uint32_t addr = 0;  ///< byte address of the register
    std::uint32_t value = 0;
    std::uint32_t mask = 0xFFFFFFFFu;
    Compare compare = Compare::equal;
    int idle = 0;         ///< cycles of pause before the command
    std::string id;       ///< event
    std::string reg;      ///< register name for messages
    RegionCheck check;    ///< Op::check_region
    MemoryInit contents;  ///< Op::load
    std::string where;
};

/// Declaration that an interrupt comes once more than declared so far.
struct Notify {
    int bit = 0;       ///< of S_INTR_STATUS
    std::string unit;  ///< "SDP_0"
    std::string id;    ///< event that it fires
    std::string where;
};

struct Trace {
    std::string name;
    std::vector<MemoryInit> memory;
    std::vector<Command> commands;
    std::vector<Notify> notifies;
    std::vector<RegionCheck> checks;
    std::uint32_t glb_base = 0x1000;  ///< byte address of the GLB page
    /// Byte address of S_CBUF_FLUSH_STATUS in CDMA.
    std::uint32_t flush_status = 0x300C;
    bool serves_interrupts = true;  ///< the player services the pin between commands
};

/// The program for the registers of another map; `from` and `to` as in register_address().
Trace in_map(Trace program, std::string_view from, std::string_view to);

/// Outcome of reading a trace. The program is usable only if there are no errors.
struct ReadResult {
    Trace program;
    std::vector<std::string> errors;  ///< "file:line: what was found, what was wanted"
    bool ok() const { return errors.empty(); }
};

/// Behind the name of a trace that would pass because it does nothing.
constexpr const char* kNoCommand =
    ": no command: want at least one register access, interrupt or check";

/// Result for a trace that cannot be read.
inline ReadResult unreadable(const std::string& path, const std::string& problem) {
    ReadResult result;
    result.errors.push_back(path + ": " + problem + ": want a trace");
    return result;
}

}  // namespace macrame::dla::trace
