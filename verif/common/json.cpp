#include "verif/common/json.hpp"

#include <algorithm>

#include "verif/common/text.hpp"

namespace macrame::verif {

namespace {

constexpr int kMaxDepth = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::optional<Json> parse(std::string& problem) {
        Json out;
        if (value(out, 0)) {
            skip_blanks();
            if (at_ != text_.size()) fail("the end of the text");
        }
        problem = problem_;
        return problem_.empty() ? std::optional<Json>(std::move(out)) : std::nullopt;
    }

private:
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool fail(std::string_view wanted) {
        if (!problem_.empty()) return false;
        const std::string found = at_ == text_.size()
                                      ? "found the end of the text"
                                      : "found " + text::shown(text_.substr(at_, 1));
        return fail_with(found + ": want " + std::string(wanted));
    }
    bool fail_with(const std::string& what) {
        const auto [line, column] = position();
        if (problem_.empty()) {
            problem_ = text::shortest(line) + ":" + text::shortest(column) + ": " + what;
        }
        return false;
    }
    /// Asked for values in the order of the text.
    std::pair<int, int> position() {
        for (; counted_ < at_; ++counted_) {
            if (text_[counted_] != '\n') continue;
            ++line_;
            line_start_ = counted_ + 1;
        }
        return {line_, static_cast<int>(at_ - line_start_) + 1};
    }

    void skip_blanks() {
        while (at_ < text_.size() &&
               (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
            ++at_;
    }
    bool take(char c) {
        skip_blanks();
        if (at_ == text_.size() || peek() != c) return false;
        ++at_;
        return true;
    }

    bool value(Json& out, int depth) {
        skip_blanks();
        const auto [line, column] = position();
        out.line = line;
        out.column = column;
        if (depth > kMaxDepth) return fail("at most 64 values inside each other");
        const char c = peek();
        if (c == '{') return object(out, depth);
        if (c == '[') return array(out, depth);
        if (c == '"') {
            out.kind = Json::Kind::string;
            return string(out.text);
        }
        if (c == '-' || is_digit(c)) return number(out);
        for (const std::string_view word : {"true", "false", "null"}) {
            if (text_.substr(at_, word.size()) != word) continue;
            at_ += word.size();
            out.kind = word == "null" ? Json::Kind::null : Json::Kind::boolean;
            out.boolean = word == "true";
            return true;
        }
        return fail("a value");
    }

    bool object(Json& out, int depth) {
        out.kind = Json::Kind::object;
        ++at_;
        if (take('}')) return true;
        do {
            skip_blanks();
            if (peek() != '"') return fail("a key in quotes");
            const std::size_t start = at_;
            std::string key;
            if (!string(key)) return false;
            if (out.find(key) != nullptr) {
                at_ = start;
                return fail_with("key " + text::shown(key) + " for the second time: want it once");
            }
            if (!take(':')) return fail("`:`");
            out.members.emplace_back(std::move(key), Json());
            if (!value(out.members.back().second, depth + 1)) return false;
        } while (take(','));
        return take('}') || fail("`,` or `}`");
    }

    bool array(Json& out, int depth) {
        out.kind = Json::Kind::array;
        ++at_;
        if (take(']')) return true;
        do {
            out.items.emplace_back();
            if (!value(out.items.back(), depth + 1)) return false;
        } while (take(','));
        return take(']') || fail("`,` or `]`");
    }

    bool digits() {
        if (!is_digit(peek())) return fail("a digit");
        while (is_digit(peek()))
            ++at_;
        return true;
    }
    bool number(Json& out) {
        out.kind = Json::Kind::number;
        const std::size_t start = at_;
        if (peek() == '-') ++at_;
        if (peek() == '0') {
            ++at_;
            if (is_digit(peek())) return fail("no digit behind a leading 0");
        } else if (!digits()) {
            return false;
        }
        if (peek() == '.') {
            ++at_;
            if (!digits()) return false;
        }
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            if (!digits()) return false;
        }
        out.text = text_.substr(start, at_ - start);
        return true;
    }

    bool string(std::string& out) {
        ++at_;
        while (true) {
            if (at_ == text_.size()) return fail("the `\"` that ends a string");
            const char c = peek();
            if (static_cast<unsigned char>(c) < 0x20)
                return fail("no control character in a string");
            ++at_;
            if (c == '"') return true;
            if (c != '\\') {
                out += c;
            } else if (!escape(out)) {
                return false;
            }
        }
    }
    bool escape(std::string& out) {
        constexpr std::string_view kNames = "\"\\/bfnrt";
        constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        const std::size_t at = kNames.find(peek());
        if (at_ < text_.size() && at != kNames.npos) {
            ++at_;
            out += kMeanings[at];
            return true;
        }
        std::uint32_t code = 0;
        if (!unicode(code)) return false;
        if (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
            std::uint32_t low = 0;
            if (peek() != '\\') return fail("the second half of a pair, \\uDC00..\\uDFFF");
            ++at_;
            if (!unicode(low)) return false;
            if (low < 0xdc00 || low > 0xdfff) return fail("the second half of a pair before it");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else if (code >= 0xdc00 && code <= 0xdfff) {
            return fail("the first half of a pair before it");
        }
        append_utf8(code, out);
        return true;
    }
    bool unicode(std::uint32_t& code) {
        if (peek() != 'u') return fail("one of \" \\ / b f n r t u behind a backslash");
        ++at_;
        for (int i = 0; i < 4; ++i, ++at_) {
            const auto digit = at_ < text_.size()
                                   ? text::number("0x" + std::string(text_.substr(at_, 1)))
                                   : std::nullopt;
            if (!digit) return fail("a hexadecimal digit");
            code = code << 4 | static_cast<std::uint32_t>(*digit);
        }
        return true;
    }
    static void append_utf8(std::uint32_t code, std::string& out) {
        const auto tail = [&](int shift) {
            out += static_cast<char>(0x80u | (code >> shift & 0x3fu));
        };
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xc0u | code >> 6);
            tail(0);
        } else if (code < 0x10000) {
            out += static_cast<char>(0xe0u | code >> 12);
            tail(6);
            tail(0);
        } else {
            out += static_cast<char>(0xf0u | code >> 18);
            tail(12);
            tail(6);
            tail(0);
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string problem_;
    std::size_t counted_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
    const auto at = std::find_if(members.begin(), members.end(),
                                 [&](const auto& member) { return member.first == key; });
    return at == members.end() ? nullptr : &at->second;
}

std::string Json::shown() const {
    switch (kind) {
        case Kind::null:
            return "null";
        case Kind::boolean:
            return boolean ? "true" : "false";
        case Kind::number:
            return text;
        case Kind::string:
            return verif::text::shown(text);
        case Kind::array:
            return "an array";
        case Kind::object:
            return "an object";
    }
    return {};
}

std::optional<Json> parse_json(std::string_view text, std::string& problem) {
    return Parser(text).parse(problem);
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') out += '\\';
        out += byte < 0x20 ? "\\u" + text::hex_digits(byte, 4) : std::string(1, c);
    }
    return out + "\"";
}

}  // namespace macrame::verif
