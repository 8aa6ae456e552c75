#include "core/identity.hpp"

#include <fmt/format.h>

#include "verif/common/crc32.hpp"

namespace macrame {

std::string program_parameters(const Params& params, const AnyConfig& config) {
    std::string out;
    for (const Param& param : params) {
        if (param.programs == Programs::depend)
            out += fmt::format("{}={}\n", param.key, value_text(config, param));
    }
    return out;
}

std::uint32_t program_identity(std::string_view family, const Params& params,
                               const AnyConfig& config) {
    const std::string text = fmt::format("{}\n{}", family, program_parameters(params, config));
    const std::uint32_t hash =
        verif::crc32(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    return hash == 0 ? 1 : hash;
}

}  // namespace macrame
