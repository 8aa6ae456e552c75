#include "emit/output_set.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace macrame::emit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kColumns = 100;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void error(Diags& diags, const std::string& where, const std::string& what) {
    diags.push_back({where + ": " + what});
}

bool path_is_inside(const std::string& path) {
    const fs::path p(path);
    return !path.empty() && p.is_relative() && p.lexically_normal() == p &&
           *p.begin() != fs::path("..");
}

/// Faults of one line of a Verilog file.
void check_line(std::string_view line, const std::string& where, Diags& diags) {
    if (std::any_of(line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; })) {
        error(diags, where, "want printable ASCII without tabs");
    }
    if (!line.empty() && line.back() == ' ') {
        error(diags, where, "trailing blank");
    }
    if (line.size() > kColumns) {
        error(diags, where, std::to_string(line.size()) + " columns: want at most 100");
    }
    if (line.find("${") != std::string_view::npos) {
        error(diags, where, "leftover ${");
    }
}

/// Name in a line "module name ...", else empty. Modules start in the first column.
std::string module_name(std::string_view line) {
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
void check_verilog(const OutputFile& file, std::map<std::string, std::string>& modules,
                   Diags& diags) {
    std::size_t line_number = 0;
    int count = 0;
    std::string_view rest = file.bytes;
    if (!ends_with(rest, "\n")) {
        error(diags, file.path, "want a newline at the end");
    }
    while (!rest.empty()) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const std::string where = file.path + ":" + std::to_string(++line_number);
        check_line(line, where, diags);
        const std::string name = module_name(line);
        if (name.empty()) {
            continue;
        }
        ++count;
        if (fs::path(file.path).stem() != name) {
            error(diags, where, "module " + name + ": want the name of the file");
        }
        const auto [other, fresh] = modules.emplace(name, file.path);
        if (!fresh) {
            error(diags, where, "module " + name + " is also in " + other->second);
        }
    }
    if (count != 1) {
        error(diags, file.path, std::to_string(count) + " modules: want one");
    }
}

std::optional<std::string> read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        return std::nullopt;
    }
    return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Temporary name of a file while its contents are being written.
fs::path temporary(const fs::path& path) { return path.string() + ".new"; }

bool write_temporary(const fs::path& path, const std::string& bytes) {
    std::error_code code;
    fs::create_directories(path.parent_path(), code);
    std::ofstream out(temporary(path), std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    return !code && out.good();
}

}  // namespace

void OutputSet::add(std::string path, std::string bytes) {
    const auto at = std::upper_bound(
        files_.begin(), files_.end(), path,
        [](const std::string& p, const OutputFile& file) { return p < file.path; });
    files_.insert(at, {std::move(path), std::move(bytes)});
}

Diags OutputSet::check() const {
    Diags diags;
    std::map<std::string, std::string> modules;
    const std::string* previous = nullptr;
    for (const OutputFile& file : files_) {
        if (!path_is_inside(file.path)) {
            error(diags, file.path, "want a path inside the output folder");
        }
        if (previous != nullptr && *previous == file.path) {
            error(diags, file.path, "made twice");
        }
        previous = &file.path;
        if (ends_with(file.path, ".v")) {
            check_verilog(file, modules, diags);
        }
    }
    return diags;
}

WriteReport write(const OutputSet& set, const fs::path& folder,
                  const std::vector<std::string>& stale) {
    WriteReport report;
    std::vector<fs::path> changed;
    std::error_code code;
    for (const OutputFile& file : set.files()) {
        const fs::path path = folder / file.path;
        if (read_file(path) == file.bytes) {
            ++report.unchanged;
            continue;
        }
        changed.push_back(path);
        if (!write_temporary(path, file.bytes)) {
            error(report.diags, path.string(), "cannot write");
            break;
        }
    }
    for (const fs::path& path : changed) {
        if (!report.diags.empty()) {
            fs::remove(temporary(path), code);
            continue;
        }
        fs::rename(temporary(path), path, code);
        if (code) {
            error(report.diags, path.string(), "cannot write: " + code.message());
        } else {
            ++report.written;
        }
    }
    for (const std::string& path : stale) {
        if (report.diags.empty() && path_is_inside(path) && fs::remove(folder / path, code)) {
            ++report.removed;
        }
    }
    return report;
}

}  // namespace macrame::emit
