#include "compiler/front/fixed.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "compiler/front/building.hpp"

namespace macrame::front {
namespace {

using Kind = ElementForm::Kind;

/// All of the text as a number.
template <typename Number>
bool take(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [rest, code] = std::from_chars(text.data(), end, number);
    return code == std::errc() && rest == end;
}

bool take_real(const std::string& text, float& number) {
    char* rest = nullptr;
    errno = 0;
    number = std::strtof(text.c_str(), &rest);
    return !text.empty() && std::isspace(static_cast<unsigned char>(text[0])) == 0 &&
           *rest == '\0' && std::isfinite(number);
}

/// What texts of this kind are, for messages.
std::string wanted(ElementForm form) {
    const std::size_t bits = 8 * form.bytes;
    switch (form.kind) {
        case Kind::integer:
            return fmt::format("a whole number of {} bits", bits);
        case Kind::natural:
            return fmt::format("a whole number of {} bits, 0 or more", bits);
        case Kind::real:
            return "a number";
        case Kind::truth:
            break;
    }
    return "0, 1, false or true";
}

/// The lowest bytes of what the text says; nothing if it is none of the kind.
std::optional<std::uint64_t> bits_of(const std::string& text, ElementForm form) {
    const std::size_t unused = 64 - 8 * form.bytes;
    if (form.kind == Kind::real) {
        float value = 0;
        std::uint32_t bits = 0;
        if (!take_real(text, value)) return std::nullopt;
        std::memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (form.kind == Kind::truth) {
        if (text == "0" || text == "false") return 0;
        if (text == "1" || text == "true") return 1;
        return std::nullopt;
    }
    if (form.kind == Kind::natural) {
        std::uint64_t value = 0;
        if (!take(text, value) || value << unused >> unused != value) return std::nullopt;
        return value;
    }
    std::int64_t value = 0;
    if (!take(text, value)) return std::nullopt;
    const std::int64_t most = static_cast<std::int64_t>(~std::uint64_t{0} >> 1 >> unused);
    if (value > most || value < -most - 1) return std::nullopt;
    return static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> fixed_elements(Fixed& fixed, const std::string& name,
                                                        ElementForm form,
                                                        const std::vector<int>& shape) {
    const Fixed::node_type given = fixed.extract(name);
    if (given.empty()) return std::nullopt;
    const std::vector<std::string>& texts = given.mapped();
    graph::Tensor like;
    like.shape = shape;
    const std::string problem = graph::problem_of(like);
    if (!problem.empty()) throw Refusal{fmt::format("input {}: {}", readable(name), problem)};
    const std::size_t count = like.elements();
    if (texts.size() != 1 && texts.size() != count)
        throw Refusal{fmt::format("input {}: {} values are given: want {}{}", readable(name),
                                  texts.size(), count, count == 1 ? "" : ", or one for all")};
    std::vector<std::uint8_t> out;
    out.reserve(count * form.bytes);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& text = texts.size() == 1 ? texts[0] : texts[i];
        const std::optional<std::uint64_t> bits = bits_of(text, form);
        if (!bits)
            throw Refusal{fmt::format("input {}: value '{}': want {}", readable(name),
                                      readable(text), wanted(form))};
        for (std::size_t k = 0; k < form.bytes; ++k)
            out.push_back(static_cast<std::uint8_t>(*bits >> 8 * k));
    }
    return out;
}

}  // namespace macrame::front
