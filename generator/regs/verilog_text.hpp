#pragma once
/// Pieces of Verilog that register files are written with.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// Verilog literal: "32'h00001100".
std::string literal(std::uint32_t value, int width);

/// "[12:0] " or nothing, padded to the width of a port range.
std::string range(int width);

/// "wdata[28:16]", "wdata[4]" or "wdata".
std::string slice(std::string_view name, int msb, int lsb, int name_width);
std::string slice(std::string_view name, const Field& field, int name_width);

/// The pieces, most significant first, as one expression.
std::string concat(const std::vector<std::string>& pieces);

/// Comment lines of at most 100 columns.
void comment(std::string& out, std::string_view text, std::string_view indent = "    ");

/// An empty line and a comment.
void title(std::string& out, std::string_view text);

/// `<head>{a, b, c};`, in as many lines as it takes.
void assign(std::string& out, const std::string& head, const std::vector<std::string>& pieces);

/// Names bits that nothing uses, for linters: those of a 32-bit word outside `used`, and `more`.
void unused_bits(std::string& out, std::string_view name, std::uint32_t used,
                 const std::vector<std::string>& more = {});

/// Throws std::invalid_argument if two ports or signals of a module have one name: ports are named
/// by register and field, so they can meet each other and what the register file has inside.
void check_names(std::string_view module, std::string_view text);

/// What follows the ports of a module, to the end of its file; then check_names().
void end_module(std::string& out, std::string_view module, std::string_view body);

/// The ports of a module, one per line, each with its comment.
class Ports {
public:
    void title(std::string_view text);
    /// `kind`: "input  wire", "output wire" or "output reg".
    void add(std::string_view kind, int width, std::string_view name, std::string_view doc = "");
    /// `module <name> ( ... );`
    void write(std::string& out, std::string_view module) const;

private:
    struct Port {
        std::vector<std::string> above;  ///< comment lines before it
        std::string declaration;         ///< empty: only the comment
        std::string doc;                 ///< comment behind it
    };
    std::vector<Port> ports_;
};

}  // namespace macrame::regs
