/// Reading assembly text.

#include <algorithm>
#include <cctype>
#include <string>

#include "verif/common/text.hpp"
#include "verif/tcu/isa/assembly.hpp"

namespace macrame::tcu {

namespace {

using verif::text::shortest;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// One line, read from left to right. After the first mistake all readers fail.
class Line {
public:
    Line(const Layout& layout, std::string_view text) : layout_(layout), text_(text) {}

    /// True if the line holds an instruction, number `index` of its program.
    bool read(std::size_t index, std::vector<std::uint8_t>& program) {
        skip();
        if (done()) return false;
        if (take("[")) {
            const std::size_t at = at_;
            const std::uint64_t found = number();
            if (found != index) return fail_at(at, shortest(found), shortest(index));
            want("]");
            const std::size_t thread = at_;
            if (number() != 0) return fail_at(thread, "another thread", "thread 0");
        }
        const std::size_t start = at_;
        Instruction instruction;
        fields(instruction);
        const std::vector<std::uint8_t> stray = take("|") ? bits() : std::vector<std::uint8_t>();
        if (!done()) fail("the end of the line");
        const std::string large = problem_.empty() ? unfit(layout_, instruction) : "";
        if (!large.empty()) return fail_at(start, large);
        if (!problem_.empty()) return false;
        append(instruction, stray, start, program);
        return problem_.empty();
    }

    const std::string& problem() const { return problem_; }

private:
    bool done() const { return at_ == text_.size(); }
    void skip() {
        while (!done() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
            ++at_;
    }
    bool fail_at(std::size_t at, const std::string& what) {
        if (problem_.empty()) problem_ = shortest(at + 1) + ": " + what;
        return false;
    }
    bool fail_at(std::size_t at, const std::string& found, std::string_view wanted) {
        return fail_at(at, "found " + found + ": want " + std::string(wanted));
    }
    bool fail(std::string_view wanted) {
        std::size_t end = at_;
        while (end < text_.size() && is_word(text_[end]))
            ++end;
        const std::string_view found = text_.substr(at_, std::max<std::size_t>(end - at_, 1));
        return fail_at(at_, done() ? "the end of the line" : verif::text::shown(found), wanted);
    }

    /// Takes exactly this, and blanks behind it.
    bool take(std::string_view word) {
        if (!problem_.empty() || text_.substr(at_, word.size()) != word) return false;
        const std::size_t end = at_ + word.size();
        if (is_word(word.back()) && end < text_.size() && is_word(text_[end])) return false;
        at_ = end;
        skip();
        return true;
    }
    bool want(std::string_view word) { return take(word) || fail("`" + std::string(word) + "`"); }

    std::string_view digits() {
        const std::size_t start = at_;
        while (!done() && is_word(text_[at_]))
            ++at_;
        return text_.substr(start, at_ - start);
    }
    std::uint64_t number() {
        const std::size_t start = at_;
        const auto value = verif::text::number(digits());
        if (!value) {
            at_ = start;
            fail("a number");
            return 0;
        }
        skip();
        return *value;
    }
    int small_number() {
        const std::size_t start = at_;
        const std::uint64_t value = number();
        if (value > 255) fail_at(start, shortest(value), "at most 255");
        return static_cast<int>(std::min<std::uint64_t>(value, 255));
    }

    /// "(12)@2^3"
    void place(std::uint64_t& address, int& stride) {
        want("(");
        address = number();
        want(")");
        if (take("@")) {
            want("2");
            want("^");
            stride = small_number();
        }
    }
    void place(std::string_view memory, std::uint64_t& address, int& stride) {
        if (want(memory)) place(address, stride);
    }
    void address(std::string_view memory, std::uint64_t& to) {
        int stride = 0;
        const std::size_t at = at_;
        place(memory, to, stride);
        if (stride != 0) fail_at(at, "a stride", "an address without");
    }
    /// Local memory, or zeros with this flag.
    void local_or_zeroes(Instruction& i, int flag) {
        if (!take("Zeroes")) return place("Local", i.address0, i.stride0);
        i.flags |= flag;
        if (!done() && text_[at_] == '(') place(i.address0, i.stride0);
    }
    /// "15(+1)"
    void size(Instruction& i) {
        i.size = number() + 1;
        want("(+1)");
    }

    void fields(Instruction& i) {
        if (take("Wait")) return;
        if (take("MatMul")) return matmul(i);
        if (take("DataMove")) return move(i);
        if (take("LoadWeights")) {
            i.opcode = kLoadWeights;
            local_or_zeroes(i, kLoadWeightsZeroes);
            return size(i);
        }
        if (take("SIMD")) return simd(i);
        if (take("LoadLUT")) return load_lut(i);
        if (take("Configure")) return configure(i);
        if (take("Invalid")) {
            want("(");
            const std::size_t at = at_;
            i.opcode = small_number();
            const bool known =
                i.opcode < 5 || i.opcode > 14 || (i.opcode == kLoadLut && layout_.simd_op_bits > 4);
            if (known) fail_at(at, shortest(i.opcode), "an opcode that does not exist");
            want(")");
            return;
        }
        fail("an instruction");
    }
    void matmul(Instruction& i) {
        i.opcode = kMatMul;
        if (take("(")) {
            want("Acc");
            want(")");
            i.flags = kMatMulAccumulate;
        }
        local_or_zeroes(i, kMatMulZeroes);
        place("Acc", i.address1, i.stride1);
        size(i);
    }

    void move(Instruction& i) {
        i.opcode = kDataMove;
        want("(");
        const bool to_local = take("<-");
        const bool from_local = !to_local && take("->");
        const bool add = from_local && take(",") && want("Acc");
        const std::size_t at = at_;
        if (!to_local && !from_local) i.flags = small_number();
        want(")");
        place("Local", i.address0, i.stride0);
        if (!to_local && !from_local) {
            if (move_space(i.flags) != Space::none)
                fail_at(at, shortest(i.flags), "the kind by its sign, <- or ->");
            place("Address", i.address1, i.stride1);
        } else if (!add && take("DRAM0")) {
            i.flags = to_local ? kDram0ToLocal : kLocalToDram0;
            place(i.address1, i.stride1);
        } else if (!add && take("DRAM1")) {
            i.flags = to_local ? kDram1ToLocal : kLocalToDram1;
            place(i.address1, i.stride1);
        } else if (take("Acc")) {
            i.flags = to_local ? kAccumulatorToLocal
                      : add    ? kLocalToAccumulatorAdd
                               : kLocalToAccumulator;
            place(i.address1, i.stride1);
        } else {
            fail(add ? "`Acc`" : "`DRAM0`, `DRAM1` or `Acc`");
        }
        size(i);
    }

    void simd(Instruction& i) {
        i.opcode = kSimd;
        if (take("(")) {
            const std::size_t at = at_;
            const std::string_view letters = digits();
            for (const char c : letters)
                i.flags |= c == 'R'   ? kSimdRead
                           : c == 'W' ? kSimdWrite
                           : c == 'A' ? kSimdAccumulate
                                      : 0;
            std::string expected;
            if (i.has(kSimdRead)) expected += 'R';
            if (i.has(kSimdWrite)) expected += 'W';
            if (i.has(kSimdAccumulate)) expected += 'A';
            if (letters.empty() || letters != expected)
                fail_at(at, verif::text::shown(letters), "some of R, W, A in this order");
            want(")");
        }
        i.simd_op = simd_op();
        want("(");
        if (!take(")")) {
            i.simd_left = source("In");
            if (take(",")) i.simd_right = source("In");
            want(")");
        }
        want("->");
        i.simd_dest = source("Out");
        address("Acc", i.address0);
        want("<-");
        address("Acc", i.address1);
    }
    int simd_op() {
        const std::size_t start = at_;
        const std::string_view word = digits();
        for (int op = 0; op <= kSimdLookup; ++op) {
            if (simd_name(op) != word) continue;
            skip();
            return op;
        }
        const auto op =
            word.substr(0, 2) == "Op" ? verif::text::number(word.substr(2)) : std::nullopt;
        if (op && *op > kSimdLookup && *op < 32) return static_cast<int>(*op);
        at_ = start;
        fail("a SIMD operation");
        return 0;
    }
    /// A register, or the name of number 0.
    int source(std::string_view zero) {
        if (take(zero)) return 0;
        const std::size_t start = at_;
        const std::string_view word = digits();
        const auto value =
            word.substr(0, 1) == "R" ? verif::text::number(word.substr(1)) : std::nullopt;
        if (value && *value > 0 && *value < 256) {
            skip();
            return static_cast<int>(*value);
        }
        at_ = start;
        fail("`" + std::string(zero) + "` or a register");
        return 0;
    }

    void load_lut(Instruction& i) {
        i.opcode = kLoadLut;
        if (layout_.simd_op_bits == 4) {
            fail_at(0, "LoadLUT", "an architecture with lookup tables");
            return;
        }
        place("Local", i.address0, i.stride0);
        address("Table", i.address1);
    }
    void configure(Instruction& i) {
        i.opcode = kConfigure;
        config_register(i);
        const std::size_t at = at_;
        const std::uint64_t value = number();
        if (value > ~std::uint32_t{0}) fail_at(at, shortest(value), "at most 32 bits");
        i.config_value = static_cast<std::uint32_t>(value);
    }
    void config_register(Instruction& i) {
        for (int r = 0; r < 16; ++r) {
            if (configure_name(r).empty() || !take(configure_name(r))) continue;
            i.config_register = r;
            return;
        }
        if (!take("Register")) {
            fail("a configuration register");
            return;
        }
        want("(");
        const std::size_t at = at_;
        i.config_register = small_number();
        if (!configure_name(i.config_register).empty())
            fail_at(at, shortest(i.config_register), "this register by its name");
        want(")");
    }

    /// A number of any length as bytes, the lowest first.
    std::vector<std::uint8_t> bits() {
        const std::size_t start = at_;
        std::string_view word = digits();
        std::vector<std::uint8_t> out;
        bool good = word.substr(0, 2) == "0x" && word.size() > 2;
        word.remove_prefix(std::min<std::size_t>(word.size(), 2));
        for (std::size_t n = 0; good && n < word.size(); ++n) {
            const auto digit =
                verif::text::number("0x" + std::string(1, word[word.size() - 1 - n]));
            good = digit.has_value();
            if (!good) break;
            if (n % 2 == 0) out.push_back(0);
            out.back() = static_cast<std::uint8_t>(out.back() | *digit << (n % 2 == 0 ? 0 : 4));
        }
        if (!good) {
            at_ = start;
            fail("a hexadecimal number, 0x1f");
        }
        skip();
        return out;
    }
    /// Encodes the instruction and adds bits that none of its fields has.
    void append(const Instruction& instruction, const std::vector<std::uint8_t>& stray,
                std::size_t at, std::vector<std::uint8_t>& program) {
        const auto bytes = static_cast<std::size_t>(layout_.bytes);
        std::vector<std::uint8_t> code(bytes);
        encode(layout_, instruction, code.data());
        bool fits = stray.size() <= bytes;
        for (std::size_t i = 0; fits && i < stray.size(); ++i) {
            fits = (code[i] & stray[i]) == 0;
            code[i] = static_cast<std::uint8_t>(code[i] | stray[i]);
        }
        // Else it would be read back as something else than what stands here.
        const std::string found = assembly_text(layout_, decode(layout_, code.data()));
        if (!fits || found.substr(0, found.find(" | ")) != assembly_text(layout_, instruction)) {
            fail_at(at, "the bits behind | are also those of a field: want others");
            return;
        }
        program.insert(program.end(), code.begin(), code.end());
    }
    const Layout& layout_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::string problem_;
};

}  // namespace

std::optional<std::vector<std::uint8_t>> assemble(const Layout& layout, std::string_view text,
                                                  const std::string& file,
                                                  std::vector<std::string>& errors) {
    const std::size_t before = errors.size();
    std::vector<std::uint8_t> out;
    int number = 0;
    for (std::size_t index = 0; !text.empty();) {
        std::string_view content = verif::text::next_line(text);
        ++number;
        Line line(layout, content.substr(0, content.find(';')));
        if (line.read(index, out)) ++index;
        if (!line.problem().empty())
            errors.push_back(file + ":" + shortest(number) + ":" + line.problem());
    }
    return errors.size() == before ? std::optional(out) : std::nullopt;
}

}  // namespace macrame::tcu
