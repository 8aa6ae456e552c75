#include "emit/assets.hpp"

#include "verif/common/text.hpp"

namespace macrame::emit {

namespace {

constexpr std::string_view kTemplates = "templates/";

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

}  // namespace

Assets::Assets(std::string templates_folder) : templates_folder_(std::move(templates_folder)) {}

std::string Assets::display_name(std::string_view path) const {
    if (templates_folder_.empty() || !starts_with(path, kTemplates)) {
        return std::string(path);
    }
    return templates_folder_ + "/" + std::string(path.substr(kTemplates.size()));
}

std::optional<std::string> Assets::read(std::string_view path) const {
    if (!templates_folder_.empty() && starts_with(path, kTemplates)) {
        std::string problem;
        return verif::text::read_file(display_name(path), problem);
    }
    for (const Asset& asset : embedded_assets()) {
        if (asset.path == path) {
            return std::string(asset.bytes);
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> Assets::list(std::string_view prefix) const {
    std::vector<std::string_view> result;
    for (const Asset& asset : embedded_assets()) {
        if (starts_with(asset.path, prefix)) {
            result.push_back(asset.path);
        }
    }
    return result;
}

}  // namespace macrame::emit
