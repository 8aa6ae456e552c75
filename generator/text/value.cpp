#include "text/value.hpp"

#include <utility>

namespace macrame::text {

Scope::Scope() = default;
Scope::Scope(const Scope&) = default;
Scope::Scope(Scope&&) noexcept = default;
Scope& Scope::operator=(const Scope&) = default;
Scope& Scope::operator=(Scope&&) noexcept = default;
Scope::~Scope() = default;

Scope::Scope(std::initializer_list<Binding> bindings) {
    for (const Binding& binding : bindings) {
        set(binding.name, binding.value);
    }
}

void Scope::set(std::string_view name, Value value) {
    for (Binding& binding : bindings_) {
        if (binding.name == name) {
            binding.value = std::move(value);
            return;
        }
    }
    bindings_.push_back({std::string(name), std::move(value)});
}

void Scope::merge(const Scope& other) {
    for (const Binding& binding : other.bindings()) {
        set(binding.name, binding.value);
    }
}

const Value* Scope::find(std::string_view name) const {
    for (const Binding& binding : bindings_) {
        if (binding.name == name) {
            return &binding.value;
        }
    }
    return nullptr;
}

}  // namespace macrame::text
