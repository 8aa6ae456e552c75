#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace macrame::text {

struct Value;
struct Binding;

/// Names a template can use. Setting a name twice replaces its value.
class Scope {
public:
    Scope();
    Scope(std::initializer_list<Binding> bindings);
    Scope(const Scope&);
    Scope(Scope&&) noexcept;
    Scope& operator=(const Scope&);
    Scope& operator=(Scope&&) noexcept;
    ~Scope();

    void set(std::string_view name, Value value);
    /// All names of `other`, replacing those already here.
    void merge(const Scope& other);
    /// Null if the name is unknown.
    const Value* find(std::string_view name) const;
    const std::vector<Binding>& bindings() const { return bindings_; }

private:
    std::vector<Binding> bindings_;
};

using List = std::vector<Value>;

/// Integer, string, list (for `for`) or record (for `a.b`).
struct Value {
    std::variant<std::int64_t, std::string, List, Scope> data;

    Value() = default;
    Value(std::int64_t number) : data(number) {}
    Value(int number) : data(std::int64_t{number}) {}
    Value(bool flag) : data(std::int64_t{flag}) {}
    Value(std::string text) : data(std::move(text)) {}
    Value(std::string_view text) : data(std::string(text)) {}
    Value(const char* text) : data(std::string(text)) {}
    Value(List items) : data(std::move(items)) {}
    Value(Scope fields) : data(std::move(fields)) {}
};

/// A name and its value.
struct Binding {
    std::string name;
    Value value;
};

}  // namespace macrame::text
