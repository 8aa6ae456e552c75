#pragma once
/// Vectors outside of the machine: raw files in DRAM coding (.tdata, images of banks, inputs,
/// outputs), and CSV with numbers, one vector per line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu::files {

using Bytes = std::vector<std::uint8_t>;

/// The whole file.
std::optional<Bytes> read_bytes(const std::string& path, std::vector<std::string>& errors);

/// False, with a message in `errors`, if it cannot be written.
bool write_bytes(const std::string& path, const Bytes& bytes, std::vector<std::string>& errors);

/// A .tprog file, whole instructions, or a .tasm file: assembly text.
std::optional<Bytes> read_program(const std::string& path, const Layout& layout,
                                  std::vector<std::string>& errors);

/// Does the name end in .csv?
bool is_csv(std::string_view path);

/// A CSV file as bytes in DRAM coding. Numbers are rounded to the nearest code, half upwards, and
/// clamped to the range of the type.
std::optional<Bytes> parse_csv(std::string_view text, const std::string& file,
                               const Architecture& architecture, std::vector<std::string>& errors);

/// Vectors in DRAM coding as CSV. parse_csv() makes the same bytes of it.
std::string csv_text(const Bytes& vectors, const Architecture& architecture);

/// Vectors from a file, CSV by its name, else raw; whole vectors.
std::optional<Bytes> read_vectors(const std::string& path, const Architecture& architecture,
                                  std::vector<std::string>& errors);
bool write_vectors(const std::string& path, const Bytes& vectors, const Architecture& architecture,
                   std::vector<std::string>& errors);

/// Code of lane or lanes in DRAM coding, and what it stands for.
std::int32_t code_at(const Bytes& vectors, std::size_t scalar, DataType type);
double value_of(std::int32_t code, DataType type);

}  // namespace macrame::tcu::files
