#include "txn_reader.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "dat_reader.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla::trace {

namespace {

using verif::text::shown;

constexpr std::size_t kMaxTxnErrors = 20;

class TxnReader {
public:
    TxnReader(const std::string& name, const std::string& directory, const RegisterTable& registers)
        : name_(name), directory_(directory), registers_(registers) {
        result_.program.name = name;
        result_.program.glb_base = 0x0;
        result_.program.flush_status = 0x500C;
        result_.program.serves_interrupts = false;
    }

    ReadResult read(std::string_view rest) {
        for (int number = 1; !rest.empty(); ++number) {
            std::string_view line = verif::text::next_line(rest);
            line = verif::text::trim(line.substr(0, line.find('#')));
            if (line.empty()) continue;
            where_ = name_ + ":" + std::to_string(number);
            split(line);
            execute();
        }
        if (result_.ok() && result_.program.commands.empty()) {
            result_.errors.push_back(name_ + kNoCommand);
        }
        return std::move(result_);
    }

private:
    void split(std::string_view line) {
        words_.clear();
        while (!line.empty()) {
            std::size_t end = 0;
            while (end < line.size() && !std::isspace(static_cast<unsigned char>(line[end])))
                ++end;
            words_.emplace_back(line.substr(0, end));
            line = verif::text::trim(line.substr(end));
        }
    }

    void error(const std::string& what) {
        if (result_.errors.size() < kMaxTxnErrors) result_.errors.push_back(where_ + ": " + what);
    }

    bool want_words(std::size_t least, std::size_t most) {
        if (words_.size() > least && words_.size() <= most + 1) return true;
        error(words_[0] + " with " + std::to_string(words_.size() - 1) + " operands: want " +
              std::to_string(least) +
              (least == most ? std::string() : ".." + std::to_string(most)));
        return false;
    }

    bool number(std::size_t word, std::uint32_t& out) {
        const auto value = verif::text::number(words_[word]);
        if (!value || *value > 0xFFFFFFFFu || words_[word].compare(0, 2, "0x") != 0) {
            error(shown(words_[word]) + ": want a 32-bit number with 0x");
            return false;
        }
        out = static_cast<std::uint32_t>(*value);
        return true;
    }

    void execute() {
        if (words_[0] == "write_reg") return write_reg();
        if (words_[0] == "read_reg") return read_reg();
        if (words_[0] == "load_mem") return load_mem();
        if (words_[0] == "dump_mem") return dump_mem();
        if (words_[0] == "wait") return wait();
        error("unknown command " + shown(words_[0]) +
              ": want write_reg, read_reg, load_mem, dump_mem or wait");
    }

    Command command(Op op, std::uint32_t addr) {
        Command out;
        out.op = op;
        out.addr = (addr & 0xFFFFu) * 4;  // ADDR[31:16] are side-band bits
        out.reg = registers_.name_of(out.addr);
        out.where = where_;
        return out;
    }

    void write_reg() {
        std::uint32_t addr = 0, data = 0;
        if (!want_words(2, 2) || !number(1, addr) || !number(2, data)) return;
        Command out = command(Op::write, addr);
        out.value = data;
        result_.program.commands.push_back(std::move(out));
    }

    void read_reg() {
        std::uint32_t addr = 0, mask = 0, expected = 0;
        if (!want_words(3, 5) || !number(1, addr) || !number(2, mask)) return;
        Compare compare = Compare::equal;
        if (words_.size() > 4) {  // read_reg ADDR MASK CMP EXPECT [TRIES]
            if (words_[3] == "<=")
                compare = Compare::less_equal;
            else if (words_[3] == ">=")
                compare = Compare::greater_equal;
            else if (words_[3] != "==")
                return error(shown(words_[3]) + ": want ==, <= or >=");
        }
        if (!number(words_.size() > 4 ? 4 : 3, expected)) return;
        if (words_.size() > 5 && !verif::text::number(words_[5])) {
            return error(shown(words_[5]) + ": want a number of tries");
        }
        Command out = command(Op::poll, addr);
        out.mask = mask;
        out.value = expected;
        out.compare = compare;
        result_.program.commands.push_back(std::move(out));
    }

    bool region(std::uint32_t& base, std::uint32_t& size, std::vector<Segment>& content) {
        if (!want_words(3, 3) || !number(1, base) || !number(2, size)) return false;
        const std::size_t errors = result_.errors.size();
        content = read_dat(directory_ + words_[3], where_, result_.errors);
        std::uint64_t held = 0;
        for (Segment& s : content) {
            if (s.offset + s.bytes.size() > size) {
                s.bytes.resize(s.offset >= size ? 0 : static_cast<std::size_t>(size - s.offset));
            }
            held = std::max(held, s.offset + s.bytes.size());
        }
        if (result_.errors.size() == errors && held < size) {
            error(shown(words_[3]) + " holds " + verif::text::hex(held) + " bytes: want " +
                  verif::text::hex(size));
        }
        return true;
    }

    static Port port_of(std::uint32_t addr) {
        return (addr & 0x80000000u) != 0 ? Port::primary : Port::secondary;
    }

    void load_mem() {
        std::uint32_t base = 0, size = 0;
        MemoryInit out;
        if (!region(base, size, out.segments)) return;
        out.port = port_of(base);
        out.base = base;
        out.where = where_;
        result_.program.memory.push_back(std::move(out));
    }

    void dump_mem() {
        std::uint32_t base = 0, size = 0;
        Command out;
        if (!region(base, size, out.check.expected)) return;
        out.op = Op::check_region;
        out.check.kind = RegionCheck::Kind::bytes;
        out.check.command = "dump_mem";
        out.check.port = port_of(base);
        out.check.base = base;
        out.check.size = size;
        out.where = out.check.where = where_;
        result_.program.commands.push_back(std::move(out));
    }

    void wait() {
        if (words_.size() != 1) return error("wait with operands: want none");
        Command out;
        out.op = Op::wait_pin;
        out.where = where_;
        result_.program.commands.push_back(std::move(out));
    }

    std::string name_, directory_, where_;
    const RegisterTable& registers_;
    std::vector<std::string> words_;
    ReadResult result_;
};

}  // namespace

ReadResult parse_txn(const std::string& content, const std::string& name,
                     const std::string& directory, const RegisterTable& registers) {
    return TxnReader(name, directory, registers).read(content);
}

ReadResult read_txn(const std::string& path, const RegisterTable& registers) {
    std::string problem;
    const auto content = verif::text::read_file(path, problem);
    if (!content) return unreadable(path, problem);
    return parse_txn(*content, path, verif::text::directory(path), registers);
}

}  // namespace macrame::dla::trace
