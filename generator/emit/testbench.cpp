#include "emit/testbench.hpp"

#include <string>

#include "text/template.hpp"

namespace macrame::emit {

namespace {

/// Files whose path starts with `source` are delivered under `destination`.
struct Delivered {
    std::string_view source;
    std::string_view destination;
    bool is_template;
};

constexpr std::string_view kFolder = "tb/";

constexpr Delivered kDelivered[] = {
    {"tb/common/", "tb/common/", false},
    {"tb/dla/system/", "tb/dla/system/", false},
    {"verif/common/", "tb/verif/common/", false},
    {"verif/dla/model/", "tb/verif/dla/model/", false},
    {"verif/dla/trace/", "tb/verif/dla/trace/", false},
    {"verif/dla/stimulus/", "tb/verif/dla/stimulus/", false},
    {"verif/dla/run/", "tb/verif/dla/run/", false},
    {"templates/tb/", "tb/", true},
};

}  // namespace

void add_testbench(OutputSet& set, const Assets& assets, const text::Scope& scope, Diags& diags) {
    std::string sources;
    for (const Delivered& row : kDelivered) {
        for (const std::string_view path : assets.list(row.source)) {
            std::string bytes = assets.read(path).value_or("");
            try {
                if (row.is_template) {
                    bytes = text::render(bytes, assets.display_name(path), scope);
                }
            } catch (const text::TemplateError& e) {
                diags.push_back({e.what()});
            }
            const std::string to =
                std::string(row.destination) + std::string(path.substr(row.source.size()));
            if (to.size() > 4 && to.compare(to.size() - 4, 4, ".cpp") == 0) {
                sources += to.substr(kFolder.size()) + "\n";
            }
            set.add(to, std::move(bytes));
        }
    }
    set.add(std::string(kFolder) + "sources.txt", sources);
}

}  // namespace macrame::emit
