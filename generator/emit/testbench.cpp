#include "emit/testbench.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

#include "text/ends.hpp"
#include "text/template.hpp"
#include "verif/common/text.hpp"

namespace macrame::emit {

namespace {

constexpr std::string_view kFolder = "tb/";

/// Adds the sources whose paths begin with `folder`, with the paths that their includes name;
/// returns those to be compiled, a line each.
std::string add_sources(OutputSet& set, const Assets& assets, std::string_view folder) {
    std::string list;
    for (const std::string& path : assets.list(folder)) {
        const bool below = path.compare(0, kFolder.size(), kFolder) == 0;
        const std::string to = below ? path : std::string(kFolder) + path;
        if (text::ends_with(to, ".cpp") || text::ends_with(to, ".c"))
            list += to.substr(kFolder.size()) + "\n";
        set.add(to, assets.read(path).value_or(""));
    }
    return list;
}

/// The testbench is compiled into one folder: two sources of one name would be one object file.
void report_equal_names(const std::string& sources, Diags& diags) {
    std::map<std::string, std::string> paths;
    for (std::string_view rest = sources; !rest.empty();) {
        const std::string path(verif::text::next_line(rest));
        const std::string name = path.substr(path.rfind('/') + 1);
        const auto [other, fresh] = paths.emplace(name, path);
        if (!fresh) {
            diags.push_back({fmt::format("{}: a source of the name of {}: want another name", path,
                                         other->second)});
        }
    }
}

}  // namespace

void add_plain_names(OutputSet& set, const Design& design) {
    for (const std::string_view part : {"params", "regs"}) {
        if (part == "regs" && design.family.registers.maps.empty()) continue;
        const std::string plain = fmt::format("{}_{}", design.family.name, part);
        set.add(
            fmt::format("{}include/{}.hpp", kFolder, plain),
            fmt::format("#pragma once\n/// The names of this design as the testbench has them.\n\n"
                        "#include \"../../include/{0}.hpp\"\n\n"
                        "namespace {0} = {1}_{2};\n",
                        plain, design.header_name(), part));
    }
}

void add_testbench(OutputSet& set, const Family& family, const Assets& assets,
                   const text::Scope& scope, Diags& diags) {
    std::string sources;
    for (const std::string_view part : {"tb", "verif"}) {
        sources += add_sources(set, assets, fmt::format("{}/common/", part));
        sources += add_sources(set, assets, fmt::format("{}/{}/", part, family.name));
    }
    for (const std::string_view shared :
         {"tb/verilog/", "runtime/macrame", "runtime/play/play.", "runtime/play/run_inputs."})
        sources += add_sources(set, assets, shared);
    for (const std::string_view part : {"runtime", "runtime/play"})
        sources += add_sources(set, assets, fmt::format("{}/{}/", part, family.name));
    report_equal_names(sources, diags);
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
