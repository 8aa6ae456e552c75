/// Templates of any kind end in text or in a TemplateError.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/template.hpp"

using macrame::text::List;
using macrame::text::Scope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Scope kScope = {
        {"n", 4},
        {"name", "unit"},
        {"lines", "a\nb"},
        {"empty", ""},
        {"ports", List{Scope{{"name", "x"}, {"w", 8}}, Scope{{"name", "y"}, {"w", 16}}}}};
    try {
        macrame::text::render({reinterpret_cast<const char*>(data), size}, "t.v", kScope);
    } catch (const macrame::text::TemplateError&) {
    }
    return 0;
}
