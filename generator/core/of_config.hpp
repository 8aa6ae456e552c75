#pragma once
/// A family keeps its configuration and its derived sizes in structs of its own. The core passes
/// them around in a box and lets the family's rows look inside.

#include <any>
#include <cstddef>
#include <functional>
#include <type_traits>

namespace macrame {

/// A family's configuration: its scalability parameters.
using AnyConfig = std::any;

/// What a family derives from its configuration: widths, depths, latencies.
using AnySizes = std::any;

namespace detail {
template <class F>
struct Argument;
template <class R, class F, class C>
struct Argument<R (F::*)(const C&) const> {
    using type = C;
};
template <class R, class F, class C, class S>
struct Argument<R (F::*)(const C&, const S&) const> {
    using type = C;
    using second = S;
};
}  // namespace detail

/// A function of a family's configuration, made from `R f(const TheConfig&)` or a lambda like it;
/// empty if made from null.
template <class R>
class OfConfig {
public:
    OfConfig(std::nullptr_t = nullptr) {}
    template <class Q, class C>
    OfConfig(Q (*function)(const C&)) {
        if (function == nullptr) return;
        call_ = [function](const AnyConfig& c) { return function(std::any_cast<const C&>(c)); };
    }
    template <class F, class C = typename detail::Argument<decltype(&F::operator())>::type>
    OfConfig(F function) {
        call_ = [function](const AnyConfig& c) { return function(std::any_cast<const C&>(c)); };
    }

    explicit operator bool() const { return call_ != nullptr; }
    R operator()(const AnyConfig& config) const { return call_(config); }

private:
    std::function<R(const AnyConfig&)> call_;
};

/// A function of a configuration and its derived sizes, `R f(const TheConfig&, const TheSizes&)`.
template <class R>
class OfSizes {
public:
    OfSizes(std::nullptr_t = nullptr) {}
    template <class C, class S>
    OfSizes(R (*function)(const C&, const S&)) {
        if (function == nullptr) return;
        call_ = [function](const AnyConfig& c, const AnySizes& s) {
            return function(std::any_cast<const C&>(c), std::any_cast<const S&>(s));
        };
    }

    template <class F, class A = detail::Argument<decltype(&F::operator())>,
              class C = typename A::type, class S = typename A::second>
    OfSizes(F function) {
        call_ = [function](const AnyConfig& c, const AnySizes& s) {
            return function(std::any_cast<const C&>(c), std::any_cast<const S&>(s));
        };
    }

    explicit operator bool() const { return call_ != nullptr; }
    R operator()(const AnyConfig& config, const AnySizes& sizes) const {
        return call_(config, sizes);
    }

private:
    std::function<R(const AnyConfig&, const AnySizes&)> call_;
};

}  // namespace macrame
