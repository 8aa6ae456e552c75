#include "text/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "text/expression.hpp"

namespace macrame::text {

namespace {

// Bounds of one template: far above any design, and a mistake ends in seconds.
constexpr std::size_t kMaxLines = 1'000'000;
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;
constexpr std::int64_t kMaxWidth = 1000;

/// Walks over the lines of a template and collects the output.
class Renderer {
public:
    /// `expanded`: lines that were expanded before.
    Renderer(std::string_view source, Context& context, const Fragments& fragments,
             std::size_t expanded = 0)
        : context_(context), fragments_(fragments), expanded_(expanded) {
        while (!source.empty()) {
            const std::size_t end = std::min(source.find('\n'), source.size());
            lines_.push_back(source.substr(0, end));
            source.remove_prefix(std::min(end + 1, source.size()));
        }
    }

    std::string run() {
        const std::size_t end = block(0, true);
        if (end != lines_.size()) {
            context_.fail(end, directive(lines_[end]), "no open block");
        }
        return std::move(out_);
    }

    std::size_t expanded() const { return expanded_; }

private:
    /// Forgets what a block has bound when it ends.
    class Bindings {
    public:
        explicit Bindings(Context& context) : context_(context), known_(context.locals.size()) {}
        ~Bindings() { context_.locals.resize(known_); }
        Bindings(const Bindings&) = delete;
        Bindings& operator=(const Bindings&) = delete;

    private:
        Context& context_;
        std::size_t known_;
    };

    /// Position behind the marker if the line is a directive, else npos.
    static std::size_t directive(std::string_view line) {
        const std::size_t start = std::min(line.find_first_not_of(" \t"), line.size());
        if (line.substr(start, 3) == "//%") {
            return start + 3;
        }
        return line.substr(start, 2) == "#%" ? start + 2 : std::string_view::npos;
    }

    /// Expands lines from `i` to the elif, else or end of the enclosing block; returns its index.
    std::size_t block(std::size_t i, bool active) {
        const Level level(context_, i == 0 ? 0 : i - 1, 0);
        const Bindings bindings(context_);
        for (; i < lines_.size(); ++i) {
            if (++expanded_ > kMaxLines || out_.size() > kMaxBytes) {
                const bool lines = expanded_ > kMaxLines;
                context_.fail(
                    i, 0,
                    fmt::format("more than {} {} to expand: want a smaller loop",
                                lines ? kMaxLines : kMaxBytes, lines ? "lines" : "bytes"));
            }
            const std::size_t pos = directive(lines_[i]);
            if (pos == std::string_view::npos) {
                if (active) {
                    text_line(i);
                }
                continue;
            }
            Expression rest(context_, lines_[i], i, pos);
            const std::string word = rest.name();
            if (word == "elif" || word == "else" || word == "end") {
                return i;
            }
            if (word == "if") {
                i = if_block(i, rest, active);
            } else if (word == "for") {
                i = for_block(i, rest, active);
            } else if (word == "include") {
                include(rest, active);
            } else if (word == "let") {
                let(rest, active);
            } else {
                rest.fail(pos, "want if, elif, else, for, let, include or end");
            }
        }
        return i;
    }

    /// Names a value up to the end of the block; `rest` stands behind the word.
    void let(Expression& rest, bool active) {
        if (!active) return;
        const std::size_t column = rest.pos();
        Local local{rest.name(), {}, {}};
        if (context_.local(local.name) != nullptr || context_.scope.find(local.name) != nullptr) {
            rest.fail(column, fmt::format("'{}' has a value already", local.name));
        }
        if (!rest.accept("=")) {
            rest.fail(rest.pos(), "want =");
        }
        // What a name comes from counts as read where the name is.
        std::swap(local.reads, context_.used);
        local.value = rest.parse();
        std::swap(local.reads, context_.used);
        rest.expect_end();
        context_.locals.push_back(std::move(local));
    }

    /// Expands another file in place of the line; `rest` stands behind the word.
    void include(Expression& rest, bool active) {
        if (!active) return;
        const std::size_t column = rest.pos();
        const Value value = rest.parse();
        rest.expect_end();
        const auto* path = std::get_if<std::string>(&value.data);
        if (path == nullptr) {
            rest.fail(column, "want the path of a file as text");
        }
        const std::optional<Fragment> found = fragments_ ? fragments_(*path) : std::nullopt;
        if (!found) {
            rest.fail(column, fmt::format("\"{}\": no such file to include", *path));
        }
        const std::string_view outside = context_.file;
        context_.file = found->file;
        Renderer inner(found->bytes, context_, fragments_, expanded_);
        out_ += inner.run();
        expanded_ = inner.expanded();
        context_.file = outside;
    }

    /// `first` is the line of the if, `rest` stands behind the word. Returns the line of the end.
    std::size_t if_block(std::size_t first, Expression& rest, bool active) {
        bool open = active;  // no branch was taken yet
        std::string word = "if";
        Expression at = rest;
        for (std::size_t i = first;;) {
            const bool hit = open && (word == "else" || at.parse_int() != 0);
            if (open || word == "else") {
                at.expect_end();
            }
            open = open && !hit;
            i = block(i + 1, hit);
            if (i == lines_.size()) {
                context_.fail(first, directive(lines_[first]), "if without end");
            }
            at = Expression(context_, lines_[i], i, directive(lines_[i]));
            const bool was_else = word == "else";
            word = at.name();
            if (word == "end") {
                at.expect_end();
                return i;
            }
            if (was_else) {
                at.fail(directive(lines_[i]), "want end after else");
            }
        }
    }

    /// The body is expanded once per item; without items it is only skipped.
    std::size_t for_block(std::size_t first, Expression& rest, bool active) {
        const std::string item = rest.name();
        if (rest.name() != "in") {
            rest.fail(rest.pos(), "want: for name in list");
        }
        List items;
        if (active) {
            const std::size_t column = rest.pos();
            const Value value = rest.parse();
            if (!std::holds_alternative<List>(value.data)) {
                rest.fail(column, "want a list");
            }
            rest.expect_end();
            items = std::get<List>(value.data);
        }
        std::size_t end = items.empty() ? block(first + 1, false) : first;
        const Bindings bindings(context_);
        context_.locals.push_back({item, {}, {}});
        const std::size_t at = context_.locals.size() - 1;
        for (Value& value : items) {
            context_.locals[at].value = std::move(value);
            end = block(first + 1, true);
        }
        expect_end_of_for(first, end);
        return end;
    }

    /// Line `last` must be the end of the `for` in line `first`.
    void expect_end_of_for(std::size_t first, std::size_t last) {
        if (last != lines_.size()) {
            Expression at(context_, lines_[last], last, directive(lines_[last]));
            if (at.name() == "end") {
                return at.expect_end();
            }
        }
        context_.fail(first, directive(lines_[first]), "for without end");
    }

    /// Where the guard of a line of text begins, else npos: `text  //% if condition`.
    static std::size_t guard(std::string_view line) {
        return std::min(line.find(" //%"), line.find(" #% "));
    }

    /// Does the guard at `at` hold?
    bool holds(std::size_t i, std::size_t at) {
        const std::size_t start = directive(lines_[i].substr(at)) + at;
        Expression condition(context_, lines_[i], i, start);
        if (condition.name() != "if") {
            condition.fail(start, "want if behind text");
        }
        const bool result = condition.parse_int() != 0;
        condition.expect_end();
        return result;
    }

    /// One output line. A line of one empty `${text}` vanishes, and one whose guard does not hold.
    void text_line(std::size_t i) {
        std::string_view line = lines_[i];
        const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
        if (line.substr(indent, 3) == "//#") {
            return;
        }
        if (const std::size_t at = guard(line); at != std::string_view::npos) {
            if (!holds(i, at)) {
                return;
            }
            line = line.substr(0, line.find_last_not_of(" \t", at) + 1);
        }
        std::string result;
        std::size_t pos = 0;
        std::size_t over = 0;  // columns by which values were wider than their fields
        for (std::size_t next; (next = line.find("${", pos)) != std::string_view::npos;) {
            if (next > pos && line[next - 1] == '$') {
                result += in_column(line.substr(pos, next - 1 - pos), over) + "${";
                pos = next + 2;
                continue;
            }
            result += in_column(line.substr(pos, next - pos), over);
            Expression at(context_, line, i, next + 2);
            result += printed(at, std::string(indent, ' '), over);
            pos = at.raw_pos();
        }
        if (pos != 0 && line.substr(pos).empty() && result.size() == indent) {
            return;
        }
        out_ += result + in_column(line.substr(pos), over) + "\n";
    }

    /// The text with `over` blanks less where it has several in a row, so that what follows stands
    /// where the template has it; `over` becomes what is still to go.
    static std::string in_column(std::string_view text, std::size_t& over) {
        std::string result(text);
        for (std::size_t at = 0; over > 0 && (at = result.find("  ", at)) != std::string::npos;) {
            const std::size_t end = std::min(result.find_first_not_of(' ', at), result.size());
            const std::size_t gone = std::min(over, end - at - 1);
            result.erase(at, gone);
            over -= gone;
            at = end - gone;
        }
        return result;
    }

    /// Text of `expr}` or `expr:width}`, to the left if the width is negative.
    /// `over` grows by what the text is wider than that.
    static std::string printed(Expression& at, const std::string& indent, std::size_t& over) {
        const std::size_t column = at.pos();
        const Value value = at.parse();
        std::string text;
        if (const auto* number = std::get_if<std::int64_t>(&value.data)) {
            text = fmt::format("{}", *number);
        } else if (const auto* string = std::get_if<std::string>(&value.data)) {
            text = *string;
        } else {
            at.fail(column, "cannot print a list or record");
        }
        if (at.accept(":")) {
            const std::size_t width_column = at.pos();
            const std::int64_t width = at.parse_int();
            if (width > kMaxWidth || width < -kMaxWidth) {
                at.fail(width_column, fmt::format("width {}: want at most {}", width, kMaxWidth));
            }
            const auto columns = static_cast<std::size_t>(width < 0 ? -width : width);
            over += text.size() - std::min(columns, text.size());
            text.insert(width < 0 ? text.size() : 0, columns - std::min(columns, text.size()), ' ');
        }
        if (!at.accept("}")) {
            at.fail(at.pos(), "want }");
        }
        for (std::size_t nl = 0; (nl = text.find('\n', nl)) != std::string::npos; ++nl) {
            text.insert(nl + 1, nl + 1 < text.size() ? indent : "");
        }
        return text;
    }

    Context& context_;
    const Fragments& fragments_;
    std::vector<std::string_view> lines_;
    std::string out_;
    std::size_t expanded_;  ///< lines, again in each pass of a loop
};

}  // namespace

std::string render(std::string_view source, std::string_view file, const Scope& scope,
                   std::set<std::string>* used, const Fragments& fragments) {
    Context context{file, scope, {}, {}, 0};
    std::string text = Renderer(source, context, fragments).run();
    if (used != nullptr) {
        used->insert(context.used.begin(), context.used.end());
    }
    return text;
}

}  // namespace macrame::text
