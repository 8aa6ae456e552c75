#pragma once
/// How the rules of the layer checker are written, and the rules that recur: alignment, address
/// width, memory port, strides. One file of rules per unit, layer_rules_<unit>.cpp.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "layer_checker.hpp"
#include "layer_view.hpp"

namespace macrame::dla::model::rules {

using Rules = std::vector<LayerRule>;
using Broken = std::optional<std::string>;
using Check = std::function<Broken(S, L)>;
using Applies = std::function<bool(L)>;
using CubeOf = std::function<Cube(L)>;
using RecordOf = std::function<std::int64_t(L)>;

// Each adds the rules of its registers, in the order of the documents.
void add_conv_units(Rules& out);
void add_conv_memory(Rules& out);
void add_conv_sizes(Rules& out);
void add_conv_weights(Rules& out);
void add_conv_buffer(Rules& out);
void add_image(Rules& out);
void add_winograd(Rules& out);
void add_batch(Rules& out);
void add_compression(Rules& out);
void add_sdp(Rules& out);
void add_sdp_rdma(Rules& out);
void add_pdp(Rules& out);
void add_pdp_rdma(Rules& out);
void add_cdp(Rules& out);
void add_row(Rules& out);
void add_rubik(Rules& out);
void add_bdma(Rules& out);
void add_ends(Rules& out);
void add_overlap(Rules& out);
void add_original(Rules& out);

/// What is reported of a broken rule.
Finding finding(const LayerRule& rule, std::uint32_t value, const std::string& want);

/// Texts and numbers as one text.
template <class... Parts>
std::string say(const Parts&... parts) {
    const auto text = [](const auto& part) {
        if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>) {
            return std::to_string(part);
        } else {
            return std::string(part);
        }
    };
    std::string out;
    (out.append(text(parts)), ...);
    return out;
}

/// Result of a rule: nothing if `ok`, else what the register should be.
template <class... Parts>
Broken want(bool ok, const Parts&... parts) {
    if (ok) return std::nullopt;
    return say(parts...);
}

inline Broken int8_only(bool ok, const char* fields) { return want(ok, fields, " 0: int8 only"); }
/// Types of the configuration, as fields name them: "0 (int8), 1 (int16)".
inline std::string types(S s) {
    std::string out;
    for (const auto& [type, name] :
         {std::pair(Precision::int8, "int8"), std::pair(Precision::int16, "int16"),
          std::pair(Precision::fp16, "fp16")}) {
        if (!s.has(type)) continue;
        out += say(out.empty() ? "" : ", ", static_cast<int>(type), " (", name, ")");
    }
    return out;
}
/// A field names a type that the configuration has.
inline bool is_type(S s, std::uint32_t field) { return field <= 2 && s.has(precision_of(field)); }
inline Broken of_types(S s, std::uint32_t found, const char* field) {
    return want(is_type(s, found), field, " ", types(s));
}
inline bool always(L) { return true; }

/// A rule about a register. Its source: the part of the NVDLA documents that states it.
template <class Register>
void add(Rules& out, const char* name, const char* source, Check check) {
    out.push_back({name, Register::kAddress, source, std::move(check), Level::error});
}
/// The same of one without which the hardware does something else than the golden model computes.
template <class Register>
void stop(Rules& out, const char* name, const char* source, Check check) {
    out.push_back({name, Register::kAddress, source, std::move(check), Level::error, true});
}
/// A documented rule that programs break that work.
template <class Register>
void warn(Rules& out, const char* name, const char* source, Check check) {
    out.push_back({name, Register::kAddress, source, std::move(check), Level::warning});
}
/// What the original hardware may fail although it is legal.
template <class Register>
void hint(Rules& out, const char* name, const char* source, Check check) {
    out.push_back({name, Register::kAddress, source, std::move(check), Level::info});
}

/// Address or stride that must be a multiple of the memory atom.
template <class Register>
void add_aligned(Rules& out, const Applies& applies) {
    add<Register>(out, "alignment", "NVDLA memory formats", [applies](S s, L l) {
        const auto atom = static_cast<std::uint32_t>(s.atom_bytes);
        return want(!applies(l) || l.word(Register::kAddress) % atom == 0, "a multiple of ", atom,
                    " (memory atom)");
    });
}

/// Upper address word within the address width.
template <class Register>
void add_high(Rules& out, const Applies& applies) {
    add<Register>(out, kAddressWidth, "NVDLA memory formats", [applies](S s, L l) {
        const int bits = s.addr_w - 32;
        return want(!applies(l) || bits >= 32 || (l.word(Register::kAddress) >> bits) == 0,
                    "an address of ", s.addr_w, " bits");
    });
}

/// Bytes from a start on, with what lies between; 0: nothing is read or written.
using BytesOf = std::function<std::int64_t(S, L)>;

/// The last byte below the end of addresses, behind which hardware begins again at 0.
template <class Low, class High>
void add_end(Rules& out, const BytesOf& bytes_of) {
    add<Low>(out, kAddressWidth, "NVDLA memory formats", [bytes_of](S s, L l) {
        const auto is_beyond = [&](std::uint64_t at) {
            return s.addr_w < 64 && at >> s.addr_w != 0;
        };
        const std::uint64_t start =
            std::uint64_t{l.word(High::kAddress)} << 32 | l.word(Low::kAddress);
        const std::int64_t bytes = bytes_of(s, l);
        const std::uint64_t last = start + static_cast<std::uint64_t>(bytes) - 1;
        return want(bytes == 0 || is_beyond(start) || (last >= start && !is_beyond(last)), "all ",
                    bytes, " bytes below the end of addresses of ", s.addr_w, " bits");
    });
}

/// Bytes of lines in surfaces.
inline std::int64_t span(std::int64_t line_bytes, std::int64_t lines, std::int64_t line_stride,
                         std::int64_t surfaces, std::int64_t surface_stride) {
    return (surfaces - 1) * surface_stride + (lines - 1) * line_stride + line_bytes;
}

/// Memory port that the configuration has; `bit` is RAM_TYPE.
template <class Register>
void add_port(Rules& out, unsigned bit, const Applies& applies) {
    add<Register>(out, "memory-port", "NVDLA limits", [bit, applies](S s, L l) {
        const bool primary = (l.word(Register::kAddress) >> bit & 1u) != 0;
        return want(!applies(l) || s.secondary || primary,
                    "RAM_TYPE 1: there is no second memory port");
    });
}

/// Start address and memory port of something.
template <class Low, class High, class Port>
void add_address(Rules& out, const Applies& applies, unsigned port_bit = 0) {
    add_aligned<Low>(out, applies);
    add_high<High>(out, applies);
    add_port<Port>(out, port_bit, applies);
}

/// Line and surface strides that keep lines and surfaces of a cube apart. `record` is how many
/// bytes a channel takes, if not those of the element. `again`: all lines may be the same one.
template <class Line, class Surface>
void add_strides(Rules& out, const Applies& applies, const CubeOf& cube,
                 const RecordOf& record = nullptr, bool again = false) {
    const auto line_bytes = [record](S s, L l, const Cube& c) {
        return c.width * s.atom_bytes * (record ? record(l) : c.bytes) / c.bytes;
    };
    add_aligned<Line>(out, applies);
    add_aligned<Surface>(out, applies);
    add<Line>(out, "line-stride", "NVDLA limits", [applies, cube, line_bytes, again](S s, L l) {
        if (!applies(l)) return Broken();
        const Cube c = cube(l);
        const std::int64_t bytes = line_bytes(s, l, c);
        return want(c.height == 1 || (again && l.word(Line::kAddress) == 0) ||
                        l.word(Line::kAddress) >= bytes,
                    "at least ", bytes, " (bytes of a line of ", c.width, ")");
    });
    add<Surface>(out, "surface-stride", "NVDLA limits", [applies, cube, line_bytes](S s, L l) {
        if (!applies(l)) return Broken();
        const Cube c = cube(l);
        const std::int64_t line = l.word(Line::kAddress);
        const std::int64_t surface = l.word(Surface::kAddress);
        const std::int64_t width = line_bytes(s, l, c), bytes = (c.height - 1) * line + width;
        // Or all surfaces of a line lie in front of the next line.
        const bool between = surface >= width && line >= (c.surfaces(s) - 1) * surface + width;
        return want(c.surfaces(s) == 1 || surface >= bytes || between, "at least ", bytes,
                    " (bytes of a surface of ", c.width, " x ", c.height, ")");
    });
}

/// A cube of one pixel is read and written as whole atoms one behind the other.
template <class Surface>
void add_single(Rules& out, const Applies& applies, const CubeOf& cube) {
    add<Surface>(out, "single-packed", "NVDLA limits", [applies, cube](S s, L l) {
        if (!applies(l)) return Broken();
        const Cube c = cube(l);
        const auto atom = static_cast<std::uint32_t>(s.atom_bytes);
        return want(!c.single() || c.surfaces(s) == 1 || l.word(Surface::kAddress) == atom, atom,
                    ": a cube of 1 x 1 is packed");
    });
}

}  // namespace macrame::dla::model::rules
