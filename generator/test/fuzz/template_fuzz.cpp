/// Templates of any kind end in text or in a TemplateError.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "text/template.hpp"

using macrame::text::Fragment;
using macrame::text::List;
using macrame::text::Scope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Scope kScope = {
        {"n", 4},
        {"name", "unit"},
        {"lines", "a\nb"},
        {"empty", ""},
        {"ports", List{Scope{{"name", "x"}, {"w", 8}}, Scope{{"name", "y"}, {"w", 16}}}}};
    // A template that may include itself.
    const std::string_view source{reinterpret_cast<const char*>(data), size};
    const auto files = [&](std::string_view path) -> std::optional<Fragment> {
        if (path != "t") return std::nullopt;
        return Fragment{"t", std::string(source)};
    };
    try {
        macrame::text::render(source, "t.v", kScope, nullptr, files);
    } catch (const macrame::text::TemplateError&) {
    }
    return 0;
}
