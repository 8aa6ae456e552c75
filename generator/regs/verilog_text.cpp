#include "verilog_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "regs/text.hpp"
#include "verif/common/text.hpp"

namespace macrame::regs {

std::string literal(std::uint32_t value, int width) {
    return fmt::format("{}'h{:0{}x}", width, value, (width + 3) / 4);
}

std::string range(int width) {
    return fmt::format("{:<6} ", width == 1 ? "" : fmt::format("[{}:0]", width - 1));
}

std::string slice(std::string_view name, int msb, int lsb, int name_width) {
    if (msb - lsb + 1 == name_width) return std::string(name);
    if (msb == lsb) return fmt::format("{}[{}]", name, lsb);
    return fmt::format("{}[{}:{}]", name, msb, lsb);
}

std::string slice(std::string_view name, const Field& field, int name_width) {
    return slice(name, field.msb, field.lsb, name_width);
}

std::string concat(const std::vector<std::string>& pieces) {
    if (pieces.size() == 1) return pieces.front();
    return fmt::format("{{{}}}", fmt::join(pieces, ", "));
}

void comment(std::string& out, std::string_view text, std::string_view indent) {
    for (const std::string& part : verif::text::wrap(text, 96 - indent.size()))
        line(out, "{}// {}", indent, part);
}

void title(std::string& out, std::string_view text) {
    line(out, "");
    comment(out, text);
}

void assign(std::string& out, const std::string& head, const std::vector<std::string>& pieces) {
    const std::string one = head + concat(pieces) + ";";
    if (one.size() <= 100) {
        line(out, "{}", one);
        return;
    }
    std::string text = head + "{";
    const std::string indent(8 + head.find_first_not_of(' '), ' ');
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::string piece = pieces[i] + (i + 1 < pieces.size() ? "," : "};");
        if (text.size() + 1 + piece.size() > 100) {
            line(out, "{}", text);
            text = indent + piece;
        } else {
            text += (text.back() == '{' ? "" : " ") + piece;
        }
    }
    line(out, "{}", text);
}

void unused_bits(std::string& out, std::string_view name, std::uint32_t used,
                 const std::vector<std::string>& more) {
    std::vector<std::string> pieces = {"1'b0"};
    pieces.insert(pieces.end(), more.begin(), more.end());
    for (int msb = 31; msb >= 0; --msb) {
        if ((used >> msb) & 1u) continue;
        int lsb = msb;
        while (lsb > 0 && !((used >> (lsb - 1)) & 1u))
            --lsb;
        pieces.push_back(slice(name, msb, lsb, 32));
        msb = lsb;
    }
    if (pieces.size() == 1) return;
    assign(out, "    wire unused = &", pieces);
    line(out, "");
}

void check_names(std::string_view module, std::string_view text) {
    constexpr std::string_view kKinds[] = {"input  wire ", "output wire ", "output reg  ",
                                           "reg ",         "wire ",        "localparam "};
    std::set<std::string_view> names;
    while (!text.empty()) {
        std::string_view rest = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(rest.size() + 1, text.size()));
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const auto kind = std::find_if(
            std::begin(kKinds), std::end(kKinds),
            [&](std::string_view word) { return rest.substr(0, word.size()) == word; });
        if (kind == std::end(kKinds)) continue;
        rest.remove_prefix(kind->size());
        if (const std::size_t end = rest.find("] "); end != rest.npos && rest.find('[') < 2)
            rest.remove_prefix(end + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        const std::string_view name = rest.substr(0, rest.find_first_of(" ,;"));
        if (!names.insert(name).second)
            throw std::invalid_argument(fmt::format("{}: two signals named {}", module, name));
    }
}

void end_module(std::string& out, std::string_view module, std::string_view body) {
    out += body;
    line(out, "endmodule");
    line(out, "");
    line(out, "`default_nettype wire");
    check_names(module, out);
}

void Ports::title(std::string_view text) { ports_.push_back({{std::string(text)}, "", ""}); }

void Ports::add(std::string_view kind, int width, std::string_view name, std::string_view doc) {
    Port port;
    port.declaration = fmt::format("{:<11} {}{}", kind, range(width), name);
    const std::size_t head = std::max<std::size_t>(48, port.declaration.size() + 5);
    if (head + 4 + doc.size() <= 100) {
        port.doc = doc;
    } else {
        port.above = verif::text::wrap(doc, 92);
    }
    ports_.push_back(std::move(port));
}

void Ports::write(std::string& out, std::string_view module) const {
    line(out, "module {} (", module);
    for (const Port& port : ports_) {
        for (const std::string& text : port.above)
            line(out, "    // {}", text);
        if (port.declaration.empty()) continue;
        const std::string text =
            fmt::format("    {}{}", port.declaration, &port == &ports_.back() ? "" : ",");
        if (port.doc.empty()) {
            line(out, "{}", text);
        } else {
            line(out, "{:<48} // {}", text, port.doc);
        }
    }
    line(out, ");");
}

}  // namespace macrame::regs
