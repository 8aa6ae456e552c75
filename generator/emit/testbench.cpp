#include "emit/testbench.hpp"

#include <fmt/format.h>

#include <string>

#include "text/template.hpp"

namespace macrame::emit {

namespace {

constexpr std::string_view kFolder = "tb/";

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Adds the sources below `folder` with the paths that their includes name; returns those of .cpp
/// files, a line each.
std::string add_sources(OutputSet& set, const Assets& assets, std::string_view folder) {
    std::string list;
    for (const std::string& path : assets.list(folder)) {
        const bool below = path.compare(0, kFolder.size(), kFolder) == 0;
        const std::string to = below ? path : std::string(kFolder) + path;
        if (ends_with(to, ".cpp")) list += to.substr(kFolder.size()) + "\n";
        set.add(to, assets.read(path).value_or(""));
    }
    return list;
}

}  // namespace

void add_testbench(OutputSet& set, const Family& family, const Assets& assets,
                   const text::Scope& scope, Diags& diags) {
    std::string sources;
    for (const std::string_view part : {"tb", "verif"}) {
        sources += add_sources(set, assets, fmt::format("{}/common/", part));
        sources += add_sources(set, assets, fmt::format("{}/{}/", part, family.name));
    }
    set.add(std::string(kFolder) + "sources.txt", sources);
    constexpr std::string_view kTemplates = "templates/tb/";
    for (const std::string& path : assets.list(kTemplates)) {
        try {
            const std::string source = assets.read(path).value_or("");
            set.add(std::string(kFolder) + path.substr(kTemplates.size()),
                    text::render(source, assets.display_name(path), scope));
        } catch (const text::TemplateError& e) {
            diags.push_back({e.what()});
        }
    }
}

}  // namespace macrame::emit
