#include "verif/dla/run/trace_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "verif/common/text.hpp"

namespace macrame::dla::run {

namespace fs = std::filesystem;
namespace text = verif::text;

std::string trace_name(const std::string& path) {
    const fs::path file(path);
    return file.filename() == "input.txn" ? file.parent_path().filename().string()
                                          : file.stem().string();
}

std::string other_register_map(const std::string& path, const trace::RegisterTable& registers) {
    std::string unreadable;
    const std::string whole = text::read_file(path, unreadable).value_or("");
    std::string_view rest = whole;
    while (!rest.empty()) {
        const std::string_view line = text::trim(text::next_line(rest));
        const std::size_t comment = line.find("#NVDLA_");
        const std::size_t address = line.find("0xffff");
        if (comment == line.npos || address > comment) continue;
        const auto in_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        };
        const auto* const name_end =
            std::find_if_not(line.begin() + comment + 1, line.end(), in_name);
        const std::string name(line.begin() + comment + 1, name_end);
        const auto word = text::number(line.substr(address, line.find(' ', address) - address));
        const auto byte = static_cast<std::uint32_t>(word.value_or(0) & 0xffffu) << 2;
        // A field or a value may stand behind the name without a gap.
        const auto begins = [&](const std::string& reg) { return name.rfind(reg, 0) == 0; };
        const trace::RegisterInfo* there = registers.at(byte);
        if (!word || (there != nullptr && begins("NVDLA_" + there->unit + "." + there->name))) {
            continue;
        }
        return name + " at " + text::hex(byte);
    }
    return {};
}

}  // namespace macrame::dla::run
