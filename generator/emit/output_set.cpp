#include "emit/output_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>

#include "text/ends.hpp"

namespace macrame::emit {

namespace fs = std::filesystem;

namespace {

void error(Diags& diags, const std::string& where, const std::string& what) {
    diags.push_back({fmt::format("{}: {}", where, what)});
}

/// Faults of one line of a Verilog file.
void check_line(std::string_view line, const std::string& where, std::size_t columns,
                Diags& diags) {
    if (std::any_of(line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; })) {
        error(diags, where, "want printable ASCII without tabs");
    }
    if (!line.empty() && line.back() == ' ') {
        error(diags, where, "trailing blank");
    }
    if (line.size() > columns) {
        error(diags, where, fmt::format("{} columns: want at most {}", line.size(), columns));
    }
    if (line.find("${") != std::string_view::npos) {
        error(diags, where, "leftover ${");
    }
}

/// Name in a line "module name ...", else empty. Modules start in the first column.
std::string module_of_line(std::string_view line) {
    constexpr std::string_view kModule = "module ";
    if (line.substr(0, kModule.size()) != kModule) {
        return "";
    }
    line.remove_prefix(kModule.size());
    const auto end = std::find_if(line.begin(), line.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_';
    });
    return std::string(line.begin(), end);
}

/// Faults of one Verilog file; enters its modules in `modules`.
void check_verilog(const OutputFile& file, std::size_t columns,
                   std::map<std::string, std::string>& modules, Diags& diags) {
    std::size_t line_number = 0;
    int count = 0;
    std::string_view rest = file.bytes;
    if (!text::ends_with(rest, "\n")) {
        error(diags, file.path, "want a newline at the end");
    }
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::string where = fmt::format("{}:{}", file.path, ++line_number);
        check_line(line, where, columns, diags);
        const std::string name = module_of_line(line);
        if (name.empty()) {
            continue;
        }
        ++count;
        if (fs::path(file.path).stem() != name) {
            error(diags, where, fmt::format("module {}: want the name of the file", name));
        }
        const auto [other, fresh] = modules.emplace(name, file.path);
        if (!fresh) {
            error(diags, where, fmt::format("module {} is also in {}", name, other->second));
        }
    }
    if (count != 1) {
        error(diags, file.path, fmt::format("{} modules: want one", count));
    }
}

}  // namespace

bool is_inside(const std::string& path) {
    const fs::path p(path);
    return !path.empty() && p.has_filename() && path != "." && p.is_relative() &&
           p.lexically_normal().string() == path && *p.begin() != fs::path("..");
}

void OutputSet::add(std::string path, std::string bytes) {
    const auto at = std::upper_bound(
        files_.begin(), files_.end(), path,
        [](const std::string& p, const OutputFile& file) { return p < file.path; });
    files_.insert(at, {std::move(path), std::move(bytes)});
}

Diags OutputSet::check(std::size_t columns) const {
    Diags diags;
    std::map<std::string, std::string> modules;
    const std::string* previous = nullptr;
    for (const OutputFile& file : files_) {
        if (!is_inside(file.path)) {
            error(diags, file.path, "want a path inside the output folder");
        }
        if (previous != nullptr && *previous == file.path) {
            error(diags, file.path, "made twice");
        }
        previous = &file.path;
        if (text::ends_with(file.path, ".v")) {
            check_verilog(file, columns, modules, diags);
        }
    }
    return diags;
}

}  // namespace macrame::emit
