#include "compiler/host_c/images.hpp"

#include <fmt/format.h>

namespace macrame::compiler::host_c {

namespace {

/// Adds a table and returns its name; there is none without rows.
template <class Row, class Text>
std::string add_table(std::string& out, const std::string& type, const std::string& name,
                      const std::vector<Row>& rows, const Text& text) {
    if (rows.empty()) return "0";
    out += fmt::format("static const struct macrame_systolic_{} {}[] = {{\n", type, name);
    for (const Row& row : rows)
        out += fmt::format("    {{{}}},\n", text(row));
    out += "};\n";
    return name;
}

std::string start_text(const ImageProgram::Start& start) {
    return fmt::format("{}u, {}", start.offset, start.count);
}

std::string tensor_text(const ImageProgram::Tensor& t) {
    return fmt::format("{}u, {}, {}, {}, {}, {}, {}u, {}u, {}u", t.offset, t.height, t.width,
                       t.channels, t.group, t.first, t.pixel_stride, t.line_stride, t.plane_stride);
}

}  // namespace

std::string image_tables(const std::vector<ImageProgram>& images, const std::string& name,
                         const std::string& upper) {
    std::string out, programs;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const ImageProgram& image = images[i];
        const std::string starts =
            add_table(out, "start", fmt::format("{}_starts{}", name, i), image.starts, start_text);
        const std::string inputs = add_table(out, "tensor", fmt::format("{}_inputs{}", name, i),
                                             image.inputs, tensor_text);
        const std::string outputs = add_table(out, "tensor", fmt::format("{}_outputs{}", name, i),
                                              image.outputs, tensor_text);
        programs +=
            fmt::format("    {{{}u, {}, {}u, {}u, {}, {}, {}, {}, {}, {}}},\n", image.identity,
                        image.address_bits, image.bytes, image.begin, image.starts.size(),
                        image.inputs.size(), image.outputs.size(), starts, inputs, outputs);
    }
    return out + fmt::format(
                     "const struct macrame_systolic_program {}_programs[{}_PROGRAMS] = {{\n{}}};\n",
                     name, upper, programs);
}

}  // namespace macrame::compiler::host_c
