#include "api/configuration.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/or_error.hpp"
#include "core/design.hpp"
#include "core/param.hpp"
#include "core/words.hpp"
#include "emit/assets.hpp"
#include "resolve.hpp"
#include "simulate.hpp"
#include "write_folder.hpp"

namespace macrame::api {

const emit::Assets& assets() {
    static const emit::Assets all;
    return all;
}

std::vector<std::string> families() {
    std::vector<std::string> names;
    for (const Family* family : all_families())
        names.emplace_back(family->name);
    return names;
}

std::vector<std::string> presets(const std::string& family) {
    const Family* const found = find_family(all_families(), family);
    if (found == nullptr)
        throw Error(finding("family", family, join_or(families()), "family") +
                    suggestion(family, families()));
    return preset_names(*found, assets());
}

Configuration::Configuration(const Choice& choice)
    : design_(std::make_shared<const Design>(or_error([&] {
          Request request;
          const auto given = [](const std::string& text) {
              return text.empty() ? std::nullopt : std::optional<std::string>(text);
          };
          request.family = given(choice.family);
          request.preset = given(choice.preset);
          request.config_file = given(choice.file);
          request.values = choice.values;
          return design_of(request, assets());
      }))) {}

std::string Configuration::name() const { return design_->name; }
std::string Configuration::family() const { return std::string(design_->family.name); }

std::vector<std::pair<std::string, std::string>> Configuration::values() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const Param& param : design_->family.params)
        all.emplace_back(param.key, value_text(design_->config, param));
    return all;
}

std::map<std::string, std::string> Configuration::files() const {
    std::map<std::string, std::string> all;
    const emit::OutputSet set = or_error([&] { return files_of(*design_, assets()); });
    for (const emit::OutputFile& file : set.files())
        all.emplace(file.path, file.bytes);
    return all;
}

void Configuration::generate(const std::string& folder) const {
    or_error([&] {
        const auto files = files_of(*design_, assets());
        return files ? write_folder(*files, folder) : std::nullopt;
    });
}

}  // namespace macrame::api
