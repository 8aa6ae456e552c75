#include "emit/fusesoc.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "emit/top.hpp"

namespace macrame::emit {

std::string fusesoc_name(const Design& design) {
    return fmt::format("{}.core", top_name(design));
}

std::string fusesoc_core(const Design& design, const OutputSet& set) {
    const std::string top = top_name(design);
    std::string files;
    for (const std::string& path : verilog_files(set))
        files += fmt::format("      - {}\n", path);
    const std::string quoted = nlohmann::json(description(design)).dump();
    // The first line is part of the format. A string of JSON is one of YAML, too.
    return fmt::format(R"(CAPI=2:
# Made by macrame {version}. fusesoc library add {top} FOLDER, then depend on the name below.
name: macrame:{family}:{top}:{version}
description: {description}
filesets:
  rtl:
    files:
{files}    file_type: verilogSource
targets:
  default:
    filesets: [rtl]
  lint:
    description: Verilator's view of the design alone
    filesets: [rtl]
    toplevel: {top}
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
)",
                       fmt::arg("version", kVersion), fmt::arg("family", design.family.name),
                       fmt::arg("top", top), fmt::arg("description", quoted),
                       fmt::arg("files", files));
}

}  // namespace macrame::emit
