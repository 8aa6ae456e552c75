#pragma once
/// Real numbers as codes of a fixed-point format, and back.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::compiler {

class Format {
public:
    explicit Format(DataType type)
        : one_(std::int64_t{1} << info(type).binary_point),
          most_((std::int64_t{1} << (info(type).width - 1)) - 1) {}

    /// The code of 1.0.
    std::int64_t one() const { return one_; }
    std::int64_t most() const { return most_; }
    std::int64_t least() const { return -most_ - 1; }
    /// Real numbers go up to this one.
    double range() const { return static_cast<double>(most_) / static_cast<double>(one_); }

    /// Rounded half up, before it saturates.
    double steps(double real) const { return std::floor(real * static_cast<double>(one_) + 0.5); }
    bool holds(double real) const {
        return steps(real) >= static_cast<double>(least()) &&
               steps(real) <= static_cast<double>(most_);
    }
    std::int32_t code(double real) const {
        return static_cast<std::int32_t>(
            std::clamp(steps(real), static_cast<double>(least()), static_cast<double>(most_)));
    }
    double real(std::int64_t code) const {
        return static_cast<double>(code) / static_cast<double>(one_);
    }

private:
    std::int64_t one_, most_;
};

}  // namespace macrame::tcu::compiler
