#include "cfg_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "dat_reader.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::trace {

namespace {

using verif::text::hex;
using verif::text::shown;

constexpr std::size_t kMaxCfgErrors = 20;

struct Source {
    const char* name;
    int bit;
};
constexpr std::array<Source, 8> kSources = {{{"SDP", 0},
                                             {"CDP", 2},
                                             {"PDP", 4},
                                             {"BDMA", 6},
                                             {"RUBIK", 8},
                                             {"CDMA_DAT", 16},
                                             {"CDMA_WT", 18},
                                             {"CACC", 20}}};

struct Pattern {
    const char* name;
    int value;
};
constexpr std::array<Pattern, 7> kPatterns = {{{"ALL_ZERO", 0x00},
                                               {"ONES", 0xff},
                                               {"AFIVE", 0xa5},
                                               {"FIVEA", 0x5a},
                                               {"ADDR", kPatternAddress},
                                               {"RANDOM", kPatternRandom},
                                               {"X", kPatternRandom}}};

/// One `name(arg, ...);` line in work.
struct Line {
    std::string command;
    std::vector<std::string> args;
    std::string where;
};

class CfgReader {
public:
    CfgReader(const std::string& name, const std::string& directory, const RegisterTable& registers)
        : name_(name), directory_(directory), registers_(registers) {
        result_.program.name = name;
        result_.program.glb_base = registers.glb_base();
    }

    ReadResult read(std::string_view rest) {
        for (int number = 1; !rest.empty(); ++number) {
            std::string_view line = verif::text::next_line(rest);
            line = verif::text::trim(line.substr(0, line.find("//")));
            if (line.empty()) continue;
            Line parsed;
            parsed.where = name_ + ":" + std::to_string(number);
            if (split(line, parsed)) execute(parsed);
        }
        check_events();
        const Trace& program = result_.program;
        if (result_.ok() && program.commands.empty() && program.notifies.empty()) {
            result_.errors.push_back(name_ + kNoCommand);
        }
        return std::move(result_);
    }

private:
    void error(const std::string& where, const std::string& what) {
        if (result_.errors.size() < kMaxCfgErrors) result_.errors.push_back(where + ": " + what);
    }
    void error(const Line& line, const std::string& what) { error(line.where, what); }

    bool split(std::string_view text_line, Line& out) {
        const std::size_t open = text_line.find('(');
        const std::size_t close = text_line.rfind(')');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open ||
            verif::text::trim(text_line.substr(close + 1)) != ";") {
            error(out, shown(text_line) + ": want `command(arg, ...);`");
            return false;
        }
        out.command = std::string(verif::text::trim(text_line.substr(0, open)));
        std::string_view inside = text_line.substr(open + 1, close - open - 1);
        while (true) {
            const std::size_t comma = inside.find(',');
            std::string_view arg = verif::text::trim(inside.substr(0, comma));
            if (arg.size() >= 2 && arg.front() == '"' && arg.back() == '"') {
                arg = arg.substr(1, arg.size() - 2);
            }
            out.args.emplace_back(arg);
            if (comma == std::string_view::npos) return true;
            inside.remove_prefix(comma + 1);
        }
    }

    bool want_args(const Line& line, std::size_t least, std::size_t most) {
        if (line.args.size() >= least && line.args.size() <= most) return true;
        const std::string wanted = least == most
                                       ? std::to_string(least)
                                       : std::to_string(least) + ".." + std::to_string(most);
        error(line, line.command + " with " + std::to_string(line.args.size()) +
                        " arguments: want " + wanted);
        return false;
    }

    std::optional<std::uint64_t> number(const Line& line, std::size_t arg, const char* what,
                                        std::uint64_t most = ~std::uint64_t{0}) {
        const auto value = verif::text::number(line.args[arg]);
        if (value && *value <= most) return value;
        error(line, std::string(what) + " " + shown(line.args[arg]) + ": want " +
                        (most == 0xFFFFFFFFu ? "a number of 32 bits" : "a number"));
        return std::nullopt;
    }

    std::optional<Port> port(const Line& line, std::size_t arg) {
        const std::string& name = line.args[arg];
        if (name == "pri_mem" || name == "1") return Port::primary;
        if (name == "sec_mem") return Port::secondary;
        error(line, "memory " + shown(name) + ": want pri_mem, sec_mem or 1");
        return std::nullopt;
    }

    std::vector<Segment> data_file(const Line& line, std::size_t arg) {
        return read_dat(directory_ + line.args[arg], line.where, result_.errors);
    }

    void execute(const Line& line) {
        using Handler = void (CfgReader::*)(const Line&);
        static const std::map<std::string, Handler> handlers = {
            {"reg_write", &CfgReader::reg_command},
            {"reg_read", &CfgReader::reg_command},
            {"reg_read_check", &CfgReader::reg_command},
            {"poll_reg_equal", &CfgReader::reg_command},
            {"mem_init", &CfgReader::mem_init},
            {"mem_load", &CfgReader::mem_load},
            {"mem_hex", &CfgReader::mem_hex},
            {"mem_write", &CfgReader::mem_hex},
            {"mem_check", &CfgReader::mem_check},
            {"reset", &CfgReader::reset},
            {"mem_reserve", &CfgReader::ignored},
            {"mem_release", &CfgReader::ignored},
            {"sync_wait", &CfgReader::sync},
            {"sync_notify", &CfgReader::sync},
            {"intr_notify", &CfgReader::intr_notify},
            {"check_crc", &CfgReader::check},
            {"check_file", &CfgReader::check},
            {"check_hex", &CfgReader::check_hex},
            {"check_nothing", &CfgReader::check}};
        const auto it = handlers.find(line.command);
        if (it == handlers.end()) {
            error(line, "unknown command " + shown(line.command) +
                            ": want reg_write, reg_read, "
                            "reg_read_check, poll_reg_equal, mem_init, _load, _hex, _write or "
                            "_check, reset, sync_wait, sync_notify, intr_notify, check_crc, _file, "
                            "_hex or _nothing");
            return;
        }
        (this->*it->second)(line);
    }

    void ignored(const Line&) {}

    void reg_command(const Line& line) {
        const bool poll = line.command == "poll_reg_equal";  // of some bits: with a mask
        if (!want_args(line, 2, poll ? 3 : 2)) return;
        Command out;
        out.where = line.where;
        if (const auto address = verif::text::number(line.args[0])) {
            if (*address > 0x3FFFF || *address % 4 != 0) {
                error(line, "register address " + shown(line.args[0]) +
                                ": want a multiple of 4 below 0x40000");
                return;
            }
            out.addr = static_cast<std::uint32_t>(*address);
        } else if (const RegisterInfo* found = registers_.find(line.args[0])) {
            out.addr = found->addr;
        } else if (line.args[0].rfind("NVDLA_GEC.", 0) == 0) {
            out.addr = registers_.gec_base();
        } else {
            error(line, "unknown register " + shown(line.args[0]) +
                            ": want NVDLA_<UNIT>.<REGISTER>_0 or a byte address");
            return;
        }
        out.reg = registers_.name_of(out.addr);
        out.op = line.command == "reg_write"        ? Op::write
                 : line.command == "reg_read"       ? Op::read
                 : line.command == "reg_read_check" ? Op::read_check
                                                    : Op::poll;
        if (out.op != Op::read) {
            const auto value = number(line, 1, "value", 0xFFFFFFFFu);
            if (!value) return;
            out.value = static_cast<std::uint32_t>(*value);
        }
        if (line.args.size() == 3) {
            const auto mask = number(line, 2, "mask", 0xFFFFFFFFu);
            if (!mask) return;
            out.mask = static_cast<std::uint32_t>(*mask);
        }
        result_.program.commands.push_back(std::move(out));
    }

    /// Where a memory command begins to write; false if that is not understood.
    bool destination(const Line& line, MemoryInit& out) {
        const auto memory = port(line, 0);
        const auto base = number(line, 1, "base");
        if (!memory || !base) return false;
        out.where = line.where;
        out.port = *memory;
        out.base = *base;
        return true;
    }

    /// Size of a region, in bytes.
    std::optional<std::uint64_t> region_size(const Line& line, std::size_t arg) {
        const auto size = number(line, arg, "size");
        if (size && (*size == 0 || *size > kMaxBytes)) {
            error(line, "size " + shown(line.args[arg]) + ": want 1.." + hex(kMaxBytes));
            return std::nullopt;
        }
        return size;
    }

    /// True if `size` bytes from `base` are addresses.
    bool fits(const Line& line, std::uint64_t base, std::uint64_t size) {
        if (size == 0 || base + (size - 1) >= base) return true;
        error(line, "base " + shown(hex(base)) + " and " + hex(size) +
                        " bytes: want an end within 64 bits");
        return false;
    }

    /// Accepts a memory command that writes `bytes` bytes to the first `extent` addresses.
    void prepare(const Line& line, MemoryInit out, std::uint64_t extent, std::uint64_t bytes) {
        if (!fits(line, out.base, extent)) return;
        prepared_ += bytes;
        if (prepared_ > kMaxBytes) {
            error(line, hex(prepared_) + " bytes of memory prepared so far: want at most " +
                            hex(kMaxBytes));
            return;
        }
        result_.program.memory.push_back(std::move(out));
    }

    static std::uint64_t extent(const std::vector<Segment>& segments) {
        std::uint64_t end = 0;
        for (const Segment& s : segments)
            end = std::max(end, s.offset + s.bytes.size());
        return end;
    }

    void mem_init(const Line& line) {
        MemoryInit out;
        if (!want_args(line, 4, 5) || !destination(line, out)) return;
        if (verif::text::number(line.args[2])) {
            const auto size = region_size(line, 2);
            if (!size) return;
            out.size = *size;
        } else {
            out.size = extent(data_file(line, 2));
        }
        const auto pattern = std::find_if(kPatterns.begin(), kPatterns.end(),
                                          [&](const Pattern& p) { return line.args[3] == p.name; });
        if (pattern == kPatterns.end()) {
            error(line, "pattern " + shown(line.args[3]) +
                            ": want ALL_ZERO, ONES, AFIVE, FIVEA, ADDR, RANDOM or X");
            return;
        }
        out.pattern = pattern->value;
        const std::uint64_t size = out.size;
        prepare(line, std::move(out), size, size);
    }

    void mem_load(const Line& line) {
        MemoryInit out;
        if (!want_args(line, 3, 4) || !destination(line, out)) return;
        out.segments = data_file(line, 2);
        std::uint64_t bytes = 0;
        for (const Segment& s : out.segments)
            bytes += s.bytes.size();
        const std::uint64_t end = extent(out.segments);
        prepare(line, std::move(out), end, bytes);
    }

    /// Bytes written as digits, the first byte first; none if that is not understood.
    std::vector<std::uint8_t> bytes_of(const Line& line, std::size_t arg) {
        const std::string& digits = line.args[arg];
        std::vector<std::uint8_t> bytes;
        for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
            const auto byte = verif::text::number("0x" + digits.substr(i, 2));
            if (!byte) break;
            bytes.push_back(static_cast<std::uint8_t>(*byte));
        }
        if (!bytes.empty() && 2 * bytes.size() == digits.size()) return bytes;
        error(line, "bytes " + shown(digits) + ": want two hexadecimal digits for each");
        return {};
    }

    void mem_hex(const Line& line) {
        MemoryInit out;
        if (!want_args(line, 3, 3) || !destination(line, out)) return;
        std::vector<std::uint8_t> bytes = bytes_of(line, 2);
        const std::uint64_t size = bytes.size();
        out.segments.push_back({0, std::move(bytes)});
        if (size == 0) return;
        if (line.command == "mem_hex") return prepare(line, std::move(out), size, size);
        if (!fits(line, out.base, size)) return;
        Command now;  // in its turn
        now.op = Op::load;
        now.contents = std::move(out);
        now.where = line.where;
        result_.program.commands.push_back(std::move(now));
    }

    /// Memory as it is now.
    void mem_check(const Line& line) {
        if (!want_args(line, 4, 4)) return;
        Command out;
        out.op = Op::check_region;
        out.where = out.check.where = line.where;
        out.check.command = line.command;
        out.check.kind = RegionCheck::Kind::crc;
        const auto memory = port(line, 0);
        const auto base = number(line, 1, "base");
        const auto size = region_size(line, 2);
        const auto crc = number(line, 3, "checksum", 0xFFFFFFFFu);
        if (!memory || !base || !size || !crc || !fits(line, *base, *size)) return;
        out.check.port = *memory;
        out.check.base = *base;
        out.check.size = *size;
        out.check.crc = static_cast<std::uint32_t>(*crc);
        result_.program.commands.push_back(std::move(out));
    }

    void reset(const Line& line) {
        if (!line.args.front().empty()) return error(line, "reset with arguments: want none");
        Command out;
        out.op = Op::reset;
        out.where = line.where;
        result_.program.commands.push_back(std::move(out));
    }

    void check_hex(const Line& line) {
        if (!want_args(line, 4, 4)) return;
        RegionCheck out;
        out.kind = RegionCheck::Kind::bytes;
        out.command = line.command;
        out.id = line.args[0];
        out.where = line.where;
        const auto memory = port(line, 1);
        const auto base = number(line, 2, "base");
        std::vector<std::uint8_t> bytes = bytes_of(line, 3);
        if (!memory || !base || bytes.empty() || !fits(line, *base, bytes.size())) return;
        out.port = *memory;
        out.base = *base;
        out.size = bytes.size();
        out.expected.push_back({0, std::move(bytes)});
        result_.program.checks.push_back(std::move(out));
    }

    void sync(const Line& line) {
        if (!want_args(line, 2, 2)) return;
        Command out;
        out.op = line.command == "sync_wait" ? Op::sync_wait : Op::sync_notify;
        out.id = line.args[1];
        out.where = line.where;
        result_.program.commands.push_back(std::move(out));
    }

    void intr_notify(const Line& line) {
        if (!want_args(line, 2, 2)) return;
        Notify out;
        out.bit = interrupt_bit(line.args[0]);
        out.unit = line.args[0];
        out.id = line.args[1];
        out.where = line.where;
        if (out.bit < 0) {
            error(line, "interrupt " + shown(line.args[0]) +
                            ": want SDP, CDP, PDP, BDMA, RUBIK, CDMA_DAT, CDMA_WT or CACC with "
                            "_0 or _1");
            return;
        }
        result_.program.notifies.push_back(std::move(out));
    }

    void check(const Line& line) {
        const bool nothing = line.command == "check_nothing";
        if (!want_args(line, nothing ? 1 : 5, nothing ? 1 : 5)) return;
        RegionCheck out;
        out.command = line.command;
        out.id = line.args[0];
        out.where = line.where;
        if (!nothing) {
            const auto memory = port(line, 1);
            const auto base = number(line, 2, "base");
            const auto size = region_size(line, 3);
            if (!memory || !base || !size || !fits(line, *base, *size)) return;
            out.port = *memory;
            out.base = *base;
            out.size = *size;
        }
        if (line.command == "check_crc") {
            const auto crc = number(line, 4, "checksum", 0xFFFFFFFFu);
            if (!crc) return;
            out.kind = RegionCheck::Kind::crc;
            out.crc = static_cast<std::uint32_t>(*crc);
        } else if (line.command == "check_file") {
            out.kind = RegionCheck::Kind::bytes;
            out.expected = data_file(line, 4);
        }
        result_.program.checks.push_back(std::move(out));
    }

    /// Every event that is waited for or checked must be declared somewhere.
    void check_events() {
        std::set<std::string> known;
        for (const Notify& n : result_.program.notifies)
            known.insert(n.id);
        for (const RegionCheck& c : result_.program.checks) {
            if (known.count(c.id) != 0) continue;
            error(c.where,
                  "check of event " + shown(c.id) + ": want an intr_notify with this name");
        }
        for (const Command& c : result_.program.commands) {
            if (c.op == Op::sync_notify) known.insert(c.id);
        }
        for (const Command& c : result_.program.commands) {
            if (c.op != Op::sync_wait || known.count(c.id) != 0) continue;
            error(c.where, "sync_wait for event " + shown(c.id) +
                               ": want an intr_notify or sync_notify with this name");
        }
    }

    std::string name_, directory_;
    std::uint64_t prepared_ = 0;  ///< bytes of all memory commands
    const RegisterTable& registers_;
    ReadResult result_;
};

}  // namespace

int interrupt_bit(const std::string& unit) {
    if (unit.size() < 3 || unit[unit.size() - 2] != '_') return -1;
    const char group = unit.back();
    if (group != '0' && group != '1') return -1;
    std::string source = unit.substr(0, unit.size() - 2);
    std::transform(source.begin(), source.end(), source.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    for (const Source& s : kSources) {
        if (source == s.name) return s.bit + (group - '0');
    }
    return -1;
}

std::string interrupt_name(int bit) {
    for (const Source& s : kSources) {
        if (bit == s.bit || bit == s.bit + 1)
            return s.name + std::string(bit == s.bit ? "_0" : "_1");
    }
    return "bit " + std::to_string(bit);
}

ReadResult parse_cfg(const std::string& content, const std::string& name,
                     const std::string& directory, const RegisterTable& registers) {
    return CfgReader(name, directory, registers).read(content);
}

ReadResult read_cfg(const std::string& path, const RegisterTable& registers) {
    std::string problem;
    const auto content = verif::text::read_file(path, problem);
    if (!content) return unreadable(path, problem);
    return parse_cfg(*content, path, verif::text::directory(path), registers);
}

}  // namespace macrame::dla::trace
