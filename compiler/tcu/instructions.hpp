#pragma once
/// The instructions of a program while it is compiled.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu::compiler {

/// As the stream has them: a tenth of the memory that they take apart, and programs have millions.
class Instructions {
public:
    Instructions() = default;  ///< of no machine: there are none
    explicit Instructions(const Architecture& architecture) : layout_(layout_of(architecture)) {}

    bool empty() const { return bytes_.empty(); }
    std::size_t size() const { return empty() ? 0 : bytes_.size() / size_of_one(); }
    Instruction operator[](std::size_t number) const {
        return decode(layout_, bytes_.data() + number * size_of_one());
    }
    void reserve(std::size_t count) { bytes_.reserve(count * size_of_one()); }
    void push_back(const Instruction& instruction) {
        bytes_.resize(bytes_.size() + size_of_one());
        set(size() - 1, instruction);
    }
    void set(std::size_t number, const Instruction& instruction) {
        encode(layout_, instruction, bytes_.data() + number * size_of_one());
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::size_t size_of_one() const { return static_cast<std::size_t>(layout_.bytes); }

    Layout layout_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace macrame::tcu::compiler
