/// Manifests of networks of any kind end in a model that fits its architecture, or in messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "verif/tcu/files/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::tcu::files;
    std::vector<std::string> errors;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto model = parse_model(text, "f.tmodel", errors);
    if (model.has_value() != errors.empty()) std::abort();
    for (const std::string& error : errors)
        if (error.rfind("f.tmodel:", 0) != 0) std::abort();
    if (!model) return 0;
    const auto depth = static_cast<std::uint64_t>(model->architecture.dram0_depth);
    for (const Segment& segment : model->inputs)
        if (segment.base + segment.size > depth) std::abort();
    // What is written is read again as the same.
    const std::string written = model_text(*model);
    const auto again = parse_model(written, "f.tmodel", errors);
    if (!again || model_text(*again) != written) std::abort();
    return 0;
}
