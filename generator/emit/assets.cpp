#include "emit/assets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "text/ends.hpp"
#include "verif/common/text.hpp"

namespace macrame::emit {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemplates = "templates/";

}  // namespace

Assets::Assets(std::string templates_folder, const Families& families)
    : templates_folder_(std::move(templates_folder)), families_(families) {
    const auto add = [this](const AssetList& list) {
        for (const Asset& asset : list)
            files_.push_back(&asset);
    };
    add(shared_assets());
    for (const Family* family : families)
        add(family->assets);
    std::sort(files_.begin(), files_.end(),
              [](const Asset* a, const Asset* b) { return a->path < b->path; });
}

bool Assets::from_folder(std::string_view path) const {
    return !templates_folder_.empty() && text::starts_with(path, kTemplates);
}

std::string Assets::display_name(std::string_view path) const {
    if (!from_folder(path)) return std::string(path);
    return fmt::format("{}/{}", templates_folder_, path.substr(kTemplates.size()));
}

std::string Assets::problem() const {
    std::error_code code;
    if (templates_folder_.empty() || fs::is_directory(templates_folder_, code)) return "";
    return fmt::format("{}: {}: want a folder of templates (--templates)", templates_folder_,
                       fs::exists(templates_folder_, code) ? "no folder" : "not there");
}

std::optional<std::string> Assets::read(std::string_view path) const {
    if (from_folder(path)) {
        std::string problem;
        return verif::text::read_file(display_name(path), problem);
    }
    for (const Asset* asset : files_) {
        if (asset->path == path) return std::string(asset->bytes);
    }
    return std::nullopt;
}

std::vector<std::string> Assets::list(std::string_view prefix) const {
    std::vector<std::string> result;
    if (from_folder(prefix)) {
        const fs::path root = templates_folder_;
        std::error_code code;
        fs::recursive_directory_iterator at(root, code);
        for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
            const std::string path =
                std::string(kTemplates) + at->path().lexically_relative(root).generic_string();
            if (text::starts_with(path, prefix) && at->is_regular_file(code))
                result.push_back(path);
        }
        std::sort(result.begin(), result.end());
        return result;
    }
    for (const Asset* asset : files_) {
        if (text::starts_with(asset->path, prefix)) result.emplace_back(asset->path);
    }
    return result;
}

}  // namespace macrame::emit
