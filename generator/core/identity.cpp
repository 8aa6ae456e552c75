#include "core/identity.hpp"

#include <fmt/format.h>

#include "verif/common/crc32.hpp"

namespace macrame {

namespace {

bool is_set(const ParamValue& value) {
    const auto* flag = std::get_if<bool>(&value);
    const auto* number = std::get_if<int>(&value);
    return flag != nullptr ? *flag : number == nullptr || *number != 0;
}

bool is_part(const Param& param, const AnyConfig& config) {
    return param.programs == Programs::depend ||
           (param.programs == Programs::depend_if_set && is_set(param.get(config)));
}

}  // namespace

std::string program_parameters(const Params& params, const AnyConfig& config) {
    std::string out;
    for (const Param& param : params) {
        if (is_part(param, config))
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
