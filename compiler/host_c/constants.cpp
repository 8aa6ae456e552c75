#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "compiler/host_c/calls.hpp"

namespace macrame::compiler::host_c {

namespace {

template <typename Element>
std::vector<std::string> texts(const graph::Bytes& bytes) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Element)) {
        Element element;
        std::memcpy(&element, &bytes[at], sizeof(Element));
        if constexpr (std::is_same_v<Element, float>) {
            out.push_back(c_text(element));
        } else if constexpr (sizeof(Element) == 8) {
            // The least one has no literal of its own.
            out.push_back(element == INT64_MIN ? "INT64_MIN" : fmt::format("INT64_C({})", element));
        } else if constexpr (sizeof(Element) == 4) {
            out.push_back(element == INT32_MIN ? "INT32_MIN" : fmt::format("{}", element));
        } else {
            out.push_back(fmt::format("{}", element));
        }
    }
    return out;
}

std::vector<std::string> texts(graph::Type type, const graph::Bytes& bytes) {
    switch (type) {
        case graph::Type::int8:
            return texts<std::int8_t>(bytes);
        case graph::Type::uint8:
            return texts<std::uint8_t>(bytes);
        case graph::Type::int16:
            return texts<std::int16_t>(bytes);
        case graph::Type::int32:
            return texts<std::int32_t>(bytes);
        case graph::Type::int64:
            return texts<std::int64_t>(bytes);
        default:
            return texts<float>(bytes);
    }
}

/// What C99 has no literal for is a macro of math.h.
template <typename Real>
std::string real_text(Real value, std::string_view suffix) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
    return fmt::format("{:a}{}", value, suffix);
}

}  // namespace

std::string c_text(float value) { return real_text(value, "F"); }
std::string c_text(double value) { return real_text(value, ""); }

std::string_view c_type(graph::Type type) {
    constexpr std::string_view kNames[] = {"int8_t",  "uint8_t", "int16_t",
                                           "int32_t", "int64_t", "float"};
    return kNames[static_cast<std::size_t>(type)];
}

std::string_view c_element(graph::Type type) {
    constexpr std::string_view kNames[] = {"MACRAME_HOST_INT8",  "MACRAME_HOST_UINT8",
                                           "MACRAME_HOST_INT16", "MACRAME_HOST_INT32",
                                           "MACRAME_HOST_INT64", "MACRAME_HOST_FLOAT32"};
    return kNames[static_cast<std::size_t>(type)];
}

std::string Constants::add(graph::Type type, const graph::Bytes& bytes) {
    return add(std::string(c_type(type)), texts(type, bytes));
}

std::string Constants::add(const std::vector<std::int32_t>& values) {
    std::vector<std::string> out;
    for (const std::int32_t value : values)
        out.push_back(value == INT32_MIN ? "INT32_MIN" : fmt::format("{}", value));
    return add("int32_t", out);
}

std::string Constants::add(const std::vector<float>& values) {
    std::vector<std::string> out;
    for (const float value : values)
        out.push_back(c_text(value));
    return add("float", out);
}

std::string Constants::add(const std::string& type, const std::vector<std::string>& elements) {
    constexpr std::size_t kColumns = 100;
    std::string body, line = "   ";
    for (const std::string& element : elements) {
        if (line.size() + element.size() + 2 > kColumns) body += std::exchange(line, "   ") + "\n";
        line += " " + element + ",";
    }
    body += line + "\n";
    const auto [found, added] = names_.emplace(type + body, "");
    if (!added) return found->second;
    found->second = fmt::format("{}c{}", prefix_, names_.size() - 1);
    text_ += fmt::format("static const {} {}[{}] = {{\n{}}};\n", type, found->second,
                         elements.size(), body);
    return found->second;
}

}  // namespace macrame::compiler::host_c
