#include "emit/verilog_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <utility>

namespace macrame::emit {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == text.npos) return "";
    return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

/// Bits of "[msb:lsb]", 1 without a range, 0 if the range has names in it.
int bits_of(const std::string& range) {
    if (range.empty()) return 1;
    static const std::regex kNumbers(R"(\[\s*(\d{1,6})\s*:\s*(\d{1,6})\s*\])");
    std::smatch match;
    if (!std::regex_match(range, match, kNumbers)) return 0;
    return std::stoi(match[1]) - std::stoi(match[2]) + 1;
}

std::optional<Port> port_of(const std::string& line) {
    static const std::regex kPort(
        R"(\s*(input|output)\s+(?:wire|reg)?\s*(?:signed\s*)?(\[[^\]]*\])?\s*(\w+),?\s*(?://\s*(.*))?)");
    std::smatch match;
    if (!std::regex_match(line, match, kPort)) return std::nullopt;
    Port port;
    port.name = match[3];
    port.is_output = match[1] == "output";
    port.bits = bits_of(match[2]);
    if (match[2].matched)
        port.msb = trimmed(match[2].str().substr(1, match[2].str().find(':') - 1));
    port.doc = trimmed(match[4].str());
    return port;
}

/// Takes "(* X_INTERFACE_INFO = "..." *)" for the port that follows.
void take_attribute(const std::string& line, Port& next) {
    static const std::regex kAttribute(R"re(\s*\(\*\s*X_INTERFACE_(\w+)\s*=\s*"(.*)"\s*\*\))re");
    std::smatch match;
    if (!std::regex_match(line, match, kAttribute)) return;
    (match[1] == "INFO" ? next.interface : next.interface_parameters) = match[2];
}

/// Code without comments.
std::string code_of(const std::vector<std::string>& lines) {
    std::string code;
    for (const std::string& line : lines)
        code += line.substr(0, line.find("//")) + "\n";
    return code;
}

/// Index behind the parenthesis that closes the one at `open`.
std::size_t close_of(std::string_view code, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        if (code[i] == '(') ++depth;
        if (code[i] == ')' && --depth == 0) return i + 1;
    }
    return code.size();
}

/// The `.port(expression)` pairs of a connection list.
std::vector<std::pair<std::string, std::string>> pins_of(std::string_view list) {
    std::vector<std::pair<std::string, std::string>> pins;
    for (std::size_t at = 0; (at = list.find('.', at)) != list.npos;) {
        const std::size_t open = list.find('(', at);
        if (open == list.npos) break;
        const std::size_t end = close_of(list, open);
        pins.emplace_back(trimmed(list.substr(at + 1, open - at - 1)),
                          trimmed(list.substr(open + 1, end - open - 2)));
        at = end;
    }
    return pins;
}

}  // namespace

std::vector<PortGroup> port_groups(std::string_view verilog) {
    std::vector<PortGroup> groups;
    bool in_head = false;
    bool behind_port = true;  // the next comment line begins a group
    Port attributes;          // of the next port
    std::string begun;        // an attribute that does not end in its line
    for (const std::string& line : lines_of(verilog)) {
        if (line.compare(0, 7, "module ") == 0) in_head = true;
        if (!in_head) continue;
        if (line.compare(0, 2, ");") == 0) break;
        const std::string text = trimmed(line);
        if (text.compare(0, 2, "//") == 0) {
            if (behind_port) groups.push_back({"", {}});
            std::string& title = groups.back().title;
            title += (title.empty() ? "" : " ") + trimmed(text.substr(2));
            behind_port = false;
        } else if (std::optional<Port> port = port_of(line)) {
            if (groups.empty()) groups.push_back({"", {}});
            port->interface = std::exchange(attributes.interface, "");
            port->interface_parameters = std::exchange(attributes.interface_parameters, "");
            groups.back().ports.push_back(*port);
            behind_port = true;
        } else {
            begun += (begun.empty() ? "" : " ") + text;
            const bool open = begun.compare(0, 2, "(*") == 0 && begun.find("*)") == begun.npos;
            if (!open) take_attribute(std::exchange(begun, ""), attributes);
        }
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const PortGroup& group) { return group.ports.empty(); }),
                 groups.end());
    return groups;
}

std::vector<Instance> instances(std::string_view verilog) {
    const std::string code = code_of(lines_of(verilog));
    static const std::regex kStart(R"((?:^|\n) {4}(\w+)\s+(?:#\(.*\)\s*)?(u_\w+)\s*\()");
    std::vector<Instance> found;
    for (std::sregex_iterator at(code.begin(), code.end(), kStart), end; at != end; ++at) {
        const auto open = static_cast<std::size_t>(at->position() + at->length() - 1);
        const std::size_t close = close_of(code, open);
        found.push_back({(*at)[1], (*at)[2],
                         pins_of(std::string_view(code).substr(open + 1, close - open - 2))});
    }
    return found;
}

std::string base_name(std::string_view expression) {
    const auto end = std::find_if_not(expression.begin(), expression.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    });
    return std::string(expression.begin(), end);
}

}  // namespace macrame::emit
