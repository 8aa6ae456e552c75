#include "emit/top.hpp"

#include <fmt/format.h>

#include "emit/names.hpp"
#include "emit/units.hpp"

namespace macrame::emit {

std::string top_name(const Design& design) {
    return emitted_name(design, top_module(design));
}

std::vector<PortGroup> top_ports(const Design& design, const OutputSet& set) {
    const std::string path = fmt::format("rtl/{}.v", top_name(design));
    for (const OutputFile& file : set.files()) {
        if (file.path == path) return port_groups(file.bytes);
    }
    return {};
}

std::vector<std::string> verilog_files(const OutputSet& set) {
    std::vector<std::string> paths;
    for (const OutputFile& file : set.files()) {
        if (file.path.compare(0, 4, "rtl/") == 0) paths.push_back(file.path);
    }
    return paths;
}

std::string description(const Design& design) {
    return fmt::format("{}: {}", design.name, design.family.size_text(design.config));
}

}  // namespace macrame::emit
