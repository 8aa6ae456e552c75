#include "verif/tcu/files/vectors_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "verif/common/text.hpp"
#include "verif/tcu/isa/assembly.hpp"

namespace macrame::tcu::files {

using verif::text::shortest;

namespace {

/// floor(value * 2^B + 0.5), clamped, the high bits zero.
std::uint32_t code_of(double value, const DataTypeInfo& type) {
    const double scaled = std::floor(value * static_cast<double>(1 << type.binary_point) + 0.5);
    const double limit = std::ldexp(1.0, type.width - 1);
    const auto code = static_cast<std::int64_t>(std::clamp(scaled, -limit, limit - 1.0));
    const std::uint64_t mask = (std::uint64_t{1} << type.width) - 1;
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(code) & mask);
}

std::string_view text_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void append(std::uint32_t bits, const DataTypeInfo& type, Bytes& out) {
    for (int i = 0; i < type.storage_bytes; ++i)
        out.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
}

}  // namespace

std::optional<Bytes> read_bytes(const std::string& path, std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (text) return Bytes(text->begin(), text->end());
    errors.push_back(path + ": " + problem);
    return std::nullopt;
}

bool write_bytes(const std::string& path, const Bytes& bytes, std::vector<std::string>& errors) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) errors.push_back(path + ": cannot be written");
    return static_cast<bool>(out);
}

std::optional<Bytes> read_program(const std::string& path, const Layout& layout,
                                  std::vector<std::string>& errors) {
    std::optional<Bytes> out = read_bytes(path, errors);
    if (!out) return std::nullopt;
    if (path.size() > 5 && path.compare(path.size() - 5, 5, ".tasm") == 0)
        return assemble(layout, text_of(*out), path, errors);
    const auto bytes = static_cast<std::size_t>(layout.bytes);
    if (!out->empty() && out->size() % bytes == 0) return out;
    errors.push_back(path + ": found " + shortest(out->size()) +
                     " bytes: want whole instructions, " + shortest(bytes) + " bytes each");
    return std::nullopt;
}

bool is_csv(std::string_view path) {
    return path.size() > 4 && path.substr(path.size() - 4) == ".csv";
}

std::optional<Bytes> parse_csv(std::string_view text, const std::string& file,
                               const Architecture& architecture, std::vector<std::string>& errors) {
    const std::size_t before = errors.size();
    const DataTypeInfo& type = info(architecture.data_type);
    Bytes out;
    for (int line = 1; !text.empty() && errors.size() == before; ++line) {
        std::string_view rest = verif::text::trim(verif::text::next_line(text));
        if (rest.empty()) continue;
        int lanes = 0;
        for (bool more = true; more; ++lanes) {
            const std::size_t comma = rest.find(',');
            const std::string_view field = verif::text::trim(rest.substr(0, comma));
            more = comma != rest.npos;
            rest.remove_prefix(more ? comma + 1 : rest.size());
            const auto value = verif::text::decimal<double>(field);
            if (value && std::isfinite(*value)) {
                append(code_of(*value, type), type, out);
            } else if (errors.size() == before) {
                errors.push_back(file + ":" + shortest(line) + ": found " +
                                 verif::text::shown(field) + ": want a number");
            }
        }
        if (lanes != architecture.array_size && errors.size() == before) {
            errors.push_back(file + ":" + shortest(line) + ": found " + shortest(lanes) +
                             " numbers: want the " + shortest(architecture.array_size) +
                             " of a vector");
        }
    }
    return errors.size() == before ? std::optional<Bytes>(out) : std::nullopt;
}

std::int32_t code_at(const Bytes& vectors, std::size_t scalar, DataType type) {
    const auto bytes = static_cast<std::size_t>(info(type).storage_bytes);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < bytes; ++i)
        bits |= std::uint32_t{vectors[scalar * bytes + i]} << 8 * i;
    const std::uint32_t sign = std::uint32_t{1} << (info(type).width - 1);
    return static_cast<std::int32_t>(((bits & (sign | (sign - 1))) ^ sign) - sign);
}

double value_of(std::int32_t code, DataType type) {
    return std::ldexp(static_cast<double>(code), -info(type).binary_point);
}

std::string csv_text(const Bytes& vectors, const Architecture& architecture) {
    const auto lanes = static_cast<std::size_t>(architecture.array_size);
    const auto bytes = static_cast<std::size_t>(info(architecture.data_type).storage_bytes);
    std::string out;
    for (std::size_t i = 0; i < vectors.size() / bytes; ++i) {
        out +=
            shortest(value_of(code_at(vectors, i, architecture.data_type), architecture.data_type));
        out += (i + 1) % lanes == 0 ? "\n" : ",";
    }
    return out;
}

std::optional<Bytes> read_vectors(const std::string& path, const Architecture& architecture,
                                  std::vector<std::string>& errors) {
    std::optional<Bytes> out = read_bytes(path, errors);
    if (!out) return std::nullopt;
    if (is_csv(path)) {
        return parse_csv(text_of(*out), path, architecture, errors);
    }
    const auto bytes = static_cast<std::size_t>(architecture.vector_bytes());
    if (out->size() % bytes == 0) return out;
    errors.push_back(path + ": found " + shortest(out->size()) + " bytes: want whole vectors, " +
                     shortest(bytes) + " bytes each");
    return std::nullopt;
}

bool write_vectors(const std::string& path, const Bytes& vectors, const Architecture& architecture,
                   std::vector<std::string>& errors) {
    if (!is_csv(path)) return write_bytes(path, vectors, errors);
    const std::string text = csv_text(vectors, architecture);
    return write_bytes(path, {text.begin(), text.end()}, errors);
}

}  // namespace macrame::tcu::files
