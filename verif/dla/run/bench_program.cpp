#include "verif/dla/run/bench_program.hpp"

#include <algorithm>
#include <map>

#include "verif/common/crc32.hpp"

namespace macrame::dla::run {

namespace {

using verif::run::BenchLine;

constexpr std::uint32_t kIntrMask = 0x4, kIntrStatus = 0xC;  // offsets in the GLB page
constexpr std::size_t kPutBytes = 8;                         // of a command

std::uint64_t number_of(trace::Port port) { return port == trace::Port::primary ? 0 : 1; }

class Lister {
public:
    explicit Lister(const trace::Trace& program) : program_(program) {}

    std::vector<BenchLine> list() {
        add({'s', program_.glb_base + kIntrStatus, program_.glb_base + kIntrMask, 0, 0,
             "interrupts"});
        std::map<int, std::uint64_t> counts;
        for (const trace::Notify& notify : program_.notifies) {
            const auto bit = static_cast<std::uint64_t>(notify.bit);
            const std::string name = notify.unit + "." + notify.id;
            add({'e', bit, ++counts[notify.bit], 0, 0, name});
            waits_.push_back({'i', bit, counts[notify.bit], 0, 0, name});
            for (const trace::RegionCheck& check : program_.checks) {
                if (check.id == notify.id) add_check('k', check);
            }
        }
        for (const trace::Command& command : program_.commands) {
            if (command.idle > 0)
                add({'n', static_cast<std::uint64_t>(command.idle), 0, 0, 0, "idle"});
            add_command(command);
        }
        lines_.insert(lines_.end(), waits_.begin(), waits_.end());
        return std::move(lines_);
    }

private:
    void add(BenchLine line) { lines_.push_back(std::move(line)); }

    void add_check(char letter, const trace::RegionCheck& check) {
        const std::string name = check.command + "." + check.id;
        const std::uint64_t port = number_of(check.port);
        if (check.kind == trace::RegionCheck::Kind::crc)
            add({letter, port, check.base, check.size, check.crc, name});
        if (check.kind != trace::RegionCheck::Kind::bytes) return;
        for (const trace::Segment& s : check.expected) {
            if (s.offset >= check.size) continue;
            const std::uint64_t size =
                std::min<std::uint64_t>(s.bytes.size(), check.size - s.offset);
            add({letter, port, check.base + s.offset, size, verif::crc32(s.bytes.data(), size),
                 name});
        }
    }

    void add_load(const trace::MemoryInit& contents) {
        for (const trace::Segment& s : contents.segments) {
            for (std::size_t at = 0; at < s.bytes.size(); at += kPutBytes) {
                const std::size_t count = std::min(kPutBytes, s.bytes.size() - at);
                std::uint64_t value = 0;
                for (std::size_t i = 0; i < count; ++i)
                    value |= std::uint64_t{s.bytes[at + i]} << 8 * i;
                add({'d', number_of(contents.port), contents.base + s.offset + at, value, count,
                     "load"});
            }
        }
    }

    void add_command(const trace::Command& c) {
        switch (c.op) {
            case trace::Op::write:
                return add({'w', c.addr, c.value, 0, 0, c.reg});
            case trace::Op::read:
                return add({'r', c.addr, 0, 0, 0, c.reg});
            case trace::Op::read_check:
                return add({'r', c.addr, c.value, c.mask, 0, c.reg});
            case trace::Op::poll:
                return add({'p', c.addr, c.value, c.mask, 0, c.reg});
            case trace::Op::sync_wait:
                for (std::size_t i = 0; i < program_.notifies.size(); ++i)
                    if (program_.notifies[i].id == c.id) add(waits_[i]);
                return;
            case trace::Op::sync_notify:
                return;  // commands run in their order
            case trace::Op::wait_pin:
                return add({'v', 1, 1, 1, 0, "interrupt_pin"});
            case trace::Op::check_region:
                return add_check('c', c.check);
            case trace::Op::load:
                return add_load(c.contents);
            case trace::Op::reset:
                return add({'x', 0, 0, 0, 0, "reset"});
        }
    }

    const trace::Trace& program_;
    std::vector<BenchLine> lines_;
    std::vector<BenchLine> waits_;  ///< by notify
};

}  // namespace

std::string bench_objection(const trace::Trace& program) {
    const auto has_order = [](const trace::Command& c) {
        return c.compare != trace::Compare::equal;
    };
    if (!program.serves_interrupts)
        return "its polls tell interrupts of before from later ones: want a trace whose interrupts "
               "the player serves (.cfg)";
    if (std::any_of(program.commands.begin(), program.commands.end(), has_order))
        return "it compares a register by its order: want comparisons for equal";
    return "";
}

std::vector<BenchLine> bench_lines(const trace::Trace& program) { return Lister(program).list(); }

}  // namespace macrame::dla::run
