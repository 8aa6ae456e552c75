/// JSON with parameters of any kind ends in settings or in messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/json_settings.hpp"
#include "families/family.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    const macrame::Families& families = macrame::all_families();
    macrame::json_family(families, json, "f.json");
    for (const macrame::Family* family : families) {
        macrame::Diags diags;
        macrame::Settings settings(*family);
        macrame::apply_json(settings, json, "f.json", diags);
        macrame::apply_derived_defaults(settings);
        const macrame::Diags more = macrame::check(settings);
        diags.insert(diags.end(), more.begin(), more.end());
        if (diags.empty()) {
            const macrame::Design& design = settings.design;
            design.sizes();
            if (family->documents != nullptr) family->documents(design);
        }
        for (const macrame::Diag& diag : diags) {
            if (diag.text.empty()) std::abort();
        }
    }
    return 0;
}
