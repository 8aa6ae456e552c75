#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/value.hpp"

namespace macrame::text {

/// A name that the template itself binds.
struct Local {
    std::string name;
    Value value;
    std::set<std::string> reads;  ///< scope names that the value comes from
};

/// What the expander and its expressions share: where we are and what is known.
struct Context {
    std::string_view file;
    const Scope& scope;
    std::set<std::string> used;  ///< scope names that were read
    std::vector<Local> locals;   ///< of the open blocks: items of `for`, names of `let`
    int depth = 0;               ///< open blocks, parentheses and unary operators

    /// Null if the template has not bound the name.
    const Local* local(std::string_view name) const;

    /// Throws TemplateError; line and column count from 0.
    [[noreturn]] void fail(std::size_t line, std::size_t column, const std::string& what) const;
};

/// One level of nesting, as long as it lives. Fails where a template nests too deeply.
class Level {
public:
    Level(Context& context, std::size_t line, std::size_t column);
    ~Level() { --context_.depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

private:
    Context& context_;
};

/// Parses and evaluates expressions at a position of one template line.
class Expression {
public:
    Expression(Context& context, std::string_view line, std::size_t line_number, std::size_t pos)
        : context_(&context), line_(line), line_number_(line_number), pos_(pos) {}

    /// Evaluates the expression here.
    Value parse();
    /// The same; fails if it is not an integer.
    std::int64_t parse_int();
    /// Reads a name.
    std::string name();
    /// Skips blanks and then `token`, if it is there.
    bool accept(std::string_view token);
    /// Fails unless only blanks are left.
    void expect_end();
    /// Position behind blanks.
    std::size_t pos();
    /// Position.
    std::size_t raw_pos() const { return pos_; }
    [[noreturn]] void fail(std::size_t column, const std::string& what) const {
        context_->fail(line_number_, column, what);
    }

private:
    /// Of a function, and where it stands.
    struct Argument {
        Value value;
        std::size_t column;
    };

    std::int64_t number(const Value& value, std::size_t column) const;
    Value apply(std::string_view op, std::int64_t a, std::int64_t b, std::size_t column) const;
    Value divide(std::string_view op, std::int64_t a, std::int64_t b, std::size_t column) const;
    Value branch(bool taken);
    Value binary(std::size_t level);
    Value unary();
    Value primary();
    Value literal();
    Value call(const std::string& function, std::size_t column);
    std::string text(const Argument& argument) const;
    Value join(const Argument& list, const Argument& between) const;
    static Value fit(const std::string& signal, std::int64_t from, std::int64_t to);
    static Value field(const std::string& signal, std::int64_t at, std::int64_t from,
                       std::int64_t to);
    Value range(std::int64_t from, std::int64_t to, std::size_t column) const;
    Value variable(const std::string& first, std::size_t column);
    void close();

    Context* context_;
    std::string_view line_;
    std::size_t line_number_;
    std::size_t pos_;
    int skipped_ = 0;  ///< branches that are read for their syntax only
};

}  // namespace macrame::text
