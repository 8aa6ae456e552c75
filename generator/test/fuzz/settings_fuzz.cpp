/// Configuration files of any kind end in settings or in messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/settings.hpp"
#include "families/family.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view toml(reinterpret_cast<const char*>(data), size);
    macrame::Diags diags;
    for (const std::string_view key : macrame::kTomlChoices)
        macrame::choice_of_toml(toml, key, "f.toml", diags);
    for (const macrame::Family* family : macrame::all_families()) {
        macrame::Settings settings(*family);
        macrame::apply_toml(settings, toml, "f.toml", macrame::Origin::Level::kFile, diags);
        macrame::apply_derived_defaults(settings);
        for (const macrame::Diag& diag : macrame::check(settings))
            diags.push_back(diag);
        if (diags.empty()) family->derive(settings.config());
    }
    for (const macrame::Diag& diag : diags) {
        if (diag.text.empty()) std::abort();
    }
    return 0;
}
