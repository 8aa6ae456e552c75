#include "text/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "text/template.hpp"

namespace macrame::text {

namespace {

constexpr int kMaxDepth = 100;
constexpr std::uint64_t kMaxRange = 65536;
constexpr const char* kOverflow = "result out of range";

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

void Context::fail(std::size_t line, std::size_t column, const std::string& what) const {
    throw TemplateError(fmt::format("{}:{}:{}: {}", file, line + 1, column + 1, what));
}

const Local* Context::local(std::string_view name) const {
    const auto found = std::find_if(locals.rbegin(), locals.rend(),
                                    [&](const Local& local) { return local.name == name; });
    return found == locals.rend() ? nullptr : &*found;
}

Level::Level(Context& context, std::size_t line, std::size_t column) : context_(context) {
    if (context.depth == kMaxDepth) {
        context.fail(line, column,
                     fmt::format("nested too deeply: want at most {} levels", kMaxDepth));
    }
    ++context.depth;
}

std::size_t Expression::pos() {
    pos_ = std::min(line_.find_first_not_of(" \t", pos_), line_.size());
    return pos_;
}

Value Expression::parse() {
    const std::size_t column = pos();
    Value condition = binary(0);
    if (!accept("?")) {
        return condition;
    }
    const Level level(*context_, line_number_, column);
    const bool holds = number(condition, column) != 0;
    Value first = branch(holds);
    if (!accept(":")) {
        fail(pos(), "want : and what holds else");
    }
    Value second = branch(!holds);
    return holds ? first : second;
}

Value Expression::branch(bool taken) {
    const int outside = skipped_;
    skipped_ += taken ? 0 : 1;
    Value value = parse();
    skipped_ = outside;
    return value;
}

std::int64_t Expression::parse_int() {
    const std::size_t start = pos();
    return number(parse(), start);
}

std::string Expression::name() {
    const std::size_t start = pos();
    while (pos_ < line_.size() && (is_name_start(line_[pos_]) || is_digit(line_[pos_]))) {
        ++pos_;
    }
    if (start == pos_ || is_digit(line_[start])) {
        fail(start, "want a name");
    }
    return std::string(line_.substr(start, pos_ - start));
}

bool Expression::accept(std::string_view token) {
    if (line_.substr(pos(), token.size()) != token) {
        return false;
    }
    pos_ += token.size();
    return true;
}

void Expression::expect_end() {
    if (pos() != line_.size()) {
        fail(pos_, "unexpected text");
    }
}

std::int64_t Expression::number(const Value& value, std::size_t column) const {
    if (skipped_ > 0) {
        return 1;  // no operator fails with it
    }
    if (const auto* result = std::get_if<std::int64_t>(&value.data)) {
        return *result;
    }
    fail(column, "want an integer");
}

Value Expression::binary(std::size_t level) {
    static const std::vector<std::vector<std::string_view>> kOperators = {
        {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<"}, {"+", "-"}, {"*", "/", "%"}};
    if (level == kOperators.size()) {
        return unary();
    }
    const std::size_t left_column = pos();
    Value left = binary(level + 1);
    for (;;) {
        const std::size_t column = pos();
        const bool shift = line_.substr(column, 2) == "<<";
        const auto& row = kOperators[level];
        const auto op = std::find_if(row.begin(), row.end(), [&](std::string_view token) {
            return !(shift && token == "<") && accept(token);
        });
        if (op == row.end()) {
            return left;
        }
        const std::size_t right_column = pos();
        const Value right = binary(level + 1);
        const auto* left_text = std::get_if<std::string>(&left.data);
        const auto* right_text = std::get_if<std::string>(&right.data);
        if (level == 2 && left_text != nullptr && right_text != nullptr) {
            left = (*left_text == *right_text) == (*op == "==");
            continue;
        }
        left = apply(*op, number(left, left_column), number(right, right_column), column);
    }
}

Value Expression::apply(std::string_view op, std::int64_t a, std::int64_t b,
                        std::size_t column) const {
    if (op == "||") return a != 0 || b != 0;
    if (op == "&&") return a != 0 && b != 0;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<=") return a <= b;
    if (op == ">=") return a >= b;
    if (op == "<") return a < b;
    if (op == ">") return a > b;
    std::int64_t result = 0;
    if (op == "+" || op == "-" || op == "*") {
        const bool overflow = op == "+"   ? __builtin_add_overflow(a, b, &result)
                              : op == "-" ? __builtin_sub_overflow(a, b, &result)
                                          : __builtin_mul_overflow(a, b, &result);
        if (overflow) fail(column, kOverflow);
        return result;
    }
    if (op == "<<") {
        if (a < 0 || b < 0 || b > 62 || a > (std::numeric_limits<std::int64_t>::max() >> b)) {
            fail(column, "shift out of range");
        }
        return a << b;
    }
    return divide(op, a, b, column);
}

Value Expression::divide(std::string_view op, std::int64_t a, std::int64_t b,
                         std::size_t column) const {
    if (b == 0) {
        fail(column, "division by zero");
    }
    if (b == -1 && a == std::numeric_limits<std::int64_t>::min()) {
        fail(column, kOverflow);
    }
    if (op == "%") {
        return a % b;
    }
    if (a % b != 0) {
        fail(column, fmt::format("inexact division {} / {}", a, b));
    }
    return a / b;
}

Value Expression::unary() {
    const Level level(*context_, line_number_, pos());
    if (accept("!")) {
        const std::size_t column = pos();
        return number(unary(), column) == 0;
    }
    if (accept("-")) {
        const std::size_t column = pos();
        const std::int64_t value = number(unary(), column);
        if (value == std::numeric_limits<std::int64_t>::min()) fail(column, kOverflow);
        return -value;
    }
    return primary();
}

Value Expression::literal() {
    const std::size_t start = pos();
    if (accept("\"")) {
        const std::size_t end = line_.find('"', pos_);
        if (end == std::string_view::npos) {
            fail(start, "string without end");
        }
        std::string text(line_.substr(pos_, end - pos_));
        pos_ = end + 1;
        return text;
    }
    std::int64_t value = 0;
    for (; pos_ < line_.size() && is_digit(line_[pos_]); ++pos_) {
        if (value > (std::int64_t{1} << 58)) {
            fail(start, "number too large");
        }
        value = 10 * value + (line_[pos_] - '0');
    }
    return value;
}

Value Expression::primary() {
    const std::size_t start = pos();
    if (start == line_.size()) {
        fail(start, "want an expression");
    }
    if (accept("(")) {
        Value value = parse();
        close();
        return value;
    }
    if (line_[start] == '"' || is_digit(line_[start])) {
        return literal();
    }
    if (!is_name_start(line_[start])) {
        fail(start, "want an expression");
    }
    const std::string first = name();
    return accept("(") ? call(first, start) : variable(first, start);
}

void Expression::close() {
    if (!accept(")")) {
        fail(pos(), "want )");
    }
}

Value Expression::call(const std::string& function, std::size_t column) {
    std::vector<Argument> args;
    do {
        const std::size_t start = pos();
        args.push_back({parse(), start});
    } while (accept(","));
    close();
    const auto is = [&](const char* name, std::size_t count) {
        return function == name && args.size() == count;
    };
    const auto integer = [&](std::size_t i) { return number(args[i].value, args[i].column); };
    if (is("clog2", 1)) {
        const std::int64_t a = integer(0);
        std::int64_t bits = 0;
        while (bits < 63 && (std::int64_t{1} << bits) < a) {
            ++bits;
        }
        return bits;
    }
    if (is("max", 2)) return std::max(integer(0), integer(1));
    if (is("range", 1)) return range(0, integer(0), column);
    if (is("range", 2)) return range(integer(0), integer(1), column);
    if (is("join", 2)) return join(args[0], args[1]);
    if (is("fit", 3)) return fit(text(args[0]), integer(1), integer(2));
    if (is("field", 4)) return field(text(args[0]), integer(1), integer(2), integer(3));
    fail(column,
         "want clog2(a), max(a, b), range(n), range(from, to), join(list, text), fit(signal, from, "
         "to) or field(signal, at, from, to)");
}

std::string Expression::text(const Argument& argument) const {
    if (skipped_ > 0) {
        return {};
    }
    if (const auto* result = std::get_if<std::string>(&argument.value.data)) {
        return *result;
    }
    fail(argument.column, "want a text");
}

Value Expression::join(const Argument& list, const Argument& between) const {
    const std::string separator = text(between);
    if (skipped_ > 0) {
        return {};
    }
    const auto* items = std::get_if<List>(&list.value.data);
    if (items == nullptr) {
        fail(list.column, "want a list");
    }
    std::string out;
    for (const Value& item : *items) {
        if (&item != &items->front()) out += separator;
        if (const auto* integer = std::get_if<std::int64_t>(&item.data)) {
            out += fmt::format("{}", *integer);
        } else if (const auto* name = std::get_if<std::string>(&item.data)) {
            out += *name;
        } else {
            fail(list.column, "cannot join lists or records");
        }
    }
    return out;
}

Value Expression::fit(const std::string& signal, std::int64_t from, std::int64_t to) {
    return from == to  ? signal
           : from < to ? fmt::format("{{{}'d0, {}}}", to - from, signal)
                       : fmt::format("{}[{}:0]", signal, to - 1);
}

Value Expression::field(const std::string& signal, std::int64_t at, std::int64_t from,
                        std::int64_t to) {
    const std::string part = fmt::format("{}[{}:{}]", signal, at + std::min(from, to) - 1, at);
    return from < to ? fmt::format("{{{}'d0, {}}}", to - from, part) : part;
}

Value Expression::range(std::int64_t from, std::int64_t to, std::size_t column) const {
    const std::uint64_t count =
        from < to ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) : 0;
    if (count > kMaxRange) {
        fail(column, fmt::format("range of {} numbers: want at most {}", count, kMaxRange));
    }
    List items;
    for (std::int64_t i = from; i < to; ++i) {
        items.emplace_back(i);
    }
    return items;
}

Value Expression::variable(const std::string& first, std::size_t column) {
    if (skipped_ > 0) {
        while (accept("."))
            name();
        return {};
    }
    const Local* local = context_->local(first);
    const Value* value = local != nullptr ? &local->value : context_->scope.find(first);
    if (value == nullptr) {
        fail(column, fmt::format("unknown name '{}'", first));
    }
    if (local == nullptr) {
        context_->used.insert(first);
    } else {
        context_->used.insert(local->reads.begin(), local->reads.end());
    }
    while (accept(".")) {
        const std::size_t field_column = pos();
        const std::string field = name();
        const auto* record = std::get_if<Scope>(&value->data);
        const Value* next = record != nullptr ? record->find(field) : nullptr;
        if (next == nullptr) {
            fail(field_column, fmt::format("no field '{}'", field));
        }
        value = next;
    }
    return *value;
}

}  // namespace macrame::text
