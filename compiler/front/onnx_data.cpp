/// Data of ONNX files that lie elsewhere or are sparse.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "compiler/front/onnx_form.hpp"

namespace macrame::front {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMost = std::uint64_t{1} << 30;

std::string entry_of(const onnx_schema::Tensor& tensor, const char* key) {
    for (const onnx_schema::Entry& entry : tensor.external_data())
        if (entry.key() == key) return entry.value();
    return {};
}

std::optional<std::uint64_t> number_of(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A file in the folder of the model, or in one below it.
bool is_inside(const fs::path& location) {
    return !location.empty() && location.is_relative() &&
           std::none_of(location.begin(), location.end(),
                        [](const fs::path& part) { return part == ".."; });
}

/// Reads the data of a tensor from another file.
void bring_in(onnx_schema::Tensor& tensor, const fs::path& folder, Budget& budget) {
    if (tensor.data_location() != 1) return;
    const fs::path location = entry_of(tensor, "location");
    std::error_code code;
    if (!is_inside(location) || !fs::is_regular_file(folder / location, code)) return;
    const std::uint64_t there = fs::file_size(folder / location, code);
    const std::string begin_text = entry_of(tensor, "offset");
    const std::string size_text = entry_of(tensor, "length");
    const auto begin = begin_text.empty() ? std::uint64_t{0} : number_of(begin_text);
    if (code || !begin || *begin > there) return;
    const auto size = size_text.empty() ? there - *begin : number_of(size_text);
    if (!size || *size > there - *begin || *size > kMost) return;
    std::ifstream file(folder / location, std::ios::binary);
    std::string data(*size, '\0');
    file.seekg(static_cast<std::streamoff>(*begin));
    file.read(data.data(), static_cast<std::streamsize>(data.size()));
    if (!file) return;
    budget.extend(data.size());
    tensor.set_raw_data(std::move(data));
    tensor.clear_data_location();
    tensor.clear_external_data();
}

/// Bytes of an element, of the types that are read.
std::size_t bytes_of(int type) {
    switch (type) {
        case 2:
        case 3:
            return 1;
        case 5:
        case 10:
            return 2;
        case 1:
        case 6:
            return 4;
        case 7:
        case 11:
            return 8;
        default:
            return 0;
    }
}

/// The same with all elements; nothing where the reader will say why not.
std::optional<onnx_schema::Tensor> dense(const onnx_schema::SparseTensor& from, Budget& budget) {
    const onnx_schema::Tensor& values = from.values();
    const std::size_t size = bytes_of(values.data_type());
    std::uint64_t elements = 1;
    for (const std::int64_t n : from.dims()) {
        if (n < 1 || elements > kMost / static_cast<std::uint64_t>(n)) return std::nullopt;
        elements *= static_cast<std::uint64_t>(n);
    }
    if (size == 0 || elements > kMost / size || !values.has_raw_data()) return std::nullopt;
    const std::size_t count = values.raw_data().size() / size;
    std::vector<std::int64_t> places(from.indices().int64_data().begin(),
                                     from.indices().int64_data().end());
    if (const std::string& raw = from.indices().raw_data(); !raw.empty()) {
        places.resize(raw.size() / sizeof(std::int64_t));
        std::memcpy(places.data(), raw.data(), places.size() * sizeof(std::int64_t));
    }
    // Places along each axis, or in the order of elements.
    const auto axes =
        static_cast<std::size_t>(from.indices().dims_size() == 2 ? from.dims_size() : 1);
    if (places.size() != count * axes) return std::nullopt;
    budget.charge(elements * size);
    std::string data(elements * size, '\0');
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t place = 0;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const auto room = axes == 1
                                  ? elements
                                  : static_cast<std::uint64_t>(from.dims(static_cast<int>(axis)));
            const std::int64_t at = places[i * axes + axis];
            if (at < 0 || static_cast<std::uint64_t>(at) >= room) return std::nullopt;
            place = (axes == 1 ? 0 : place * room) + static_cast<std::uint64_t>(at);
        }
        data.replace(place * size, size, values.raw_data(), i * size, size);
    }
    onnx_schema::Tensor to;
    to.set_name(values.name());
    to.set_data_type(values.data_type());
    *to.mutable_dims() = from.dims();
    to.set_raw_data(std::move(data));
    return to;
}

}  // namespace

void settle_data(onnx_schema::Model& model, const std::string& path, Budget& budget) {
    const fs::path folder = fs::path(path).parent_path();
    onnx_schema::Graph& graph = *model.mutable_graph();
    for (onnx_schema::Tensor& tensor : *graph.mutable_initializer())
        bring_in(tensor, folder, budget);
    for (onnx_schema::Node& node : *graph.mutable_node()) {
        for (onnx_schema::Attribute& attribute : *node.mutable_attribute())
            if (attribute.has_t()) bring_in(*attribute.mutable_t(), folder, budget);
    }
    google::protobuf::RepeatedPtrField<onnx_schema::SparseTensor> left;
    for (const onnx_schema::SparseTensor& tensor : graph.sparse_initializer()) {
        if (auto whole = dense(tensor, budget))
            *graph.add_initializer() = std::move(*whole);
        else
            *left.Add() = tensor;
    }
    graph.mutable_sparse_initializer()->Swap(&left);
}

std::string data_problem(const onnx_schema::Tensor& tensor) {
    if (tensor.data_location() == 0 && tensor.external_data_size() == 0) return {};
    const std::string location = entry_of(tensor, "location");
    if (!is_inside(location))
        return fmt::format("data in the file '{}': want one in the folder of the network, or below",
                           readable(location));
    return fmt::format("data in the file '{}', {} bytes from {}: cannot be read: want them there",
                       readable(location), readable(entry_of(tensor, "length")),
                       readable(entry_of(tensor, "offset")));
}

}  // namespace macrame::front
