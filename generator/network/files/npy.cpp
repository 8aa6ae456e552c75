#include "network/files/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace macrame::network {

namespace {

constexpr std::size_t kMostAxes = 8;

/// A Python literal, from left to right; blanks between words count for nothing.
class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    bool take(char c) {
        skip();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        skip();
        if (text_.substr(0, word.size()) != word) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    /// 'text' or "text".
    std::optional<std::string_view> quoted() {
        skip();
        if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return std::nullopt;
        const std::size_t end = text_.find(text_.front(), 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view inside = text_.substr(1, end - 1);
        text_.remove_prefix(end + 1);
        return inside;
    }
    std::optional<std::size_t> number() {
        skip();
        std::size_t value = 0;
        const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (code != std::errc()) return std::nullopt;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }
    bool at_end() {
        skip();
        return text_.empty();
    }

private:
    void skip() {
        const std::size_t begin = text_.find_first_not_of(" \n\t");
        text_.remove_prefix(begin == std::string_view::npos ? text_.size() : begin);
    }

    std::string_view text_;
};

bool take_shape(Words& words, std::vector<std::size_t>& shape) {
    if (!words.take('(')) return false;
    while (!words.take(')')) {
        const std::optional<std::size_t> size = words.number();
        if (!size || shape.size() == kMostAxes) return false;
        shape.push_back(*size);
        if (!words.take(',')) return words.take(')');
    }
    return true;
}

struct Header {
    std::string_view type;
    bool by_columns = false;
    std::vector<std::size_t> shape;
};

/// {'descr': '|i1', 'fortran_order': False, 'shape': (1, 49, 10, 1), }, each key once.
std::optional<Header> parse_header(std::string_view text) {
    Header header;
    Words words(text);
    bool type = false, order = false, shape = false;
    if (!words.take('{')) return std::nullopt;
    while (!words.take('}')) {
        const std::optional<std::string_view> key = words.quoted();
        if (!key || !words.take(':')) return std::nullopt;
        if (*key == "descr" && !type) {
            const std::optional<std::string_view> value = words.quoted();
            if (!value) return std::nullopt;
            header.type = *value;
            type = true;
        } else if (*key == "fortran_order" && !order) {
            header.by_columns = words.take(std::string_view("True"));
            if (!header.by_columns && !words.take(std::string_view("False"))) return std::nullopt;
            order = true;
        } else if (*key == "shape" && !shape) {
            if (!take_shape(words, header.shape)) return std::nullopt;
            shape = true;
        } else {
            return std::nullopt;
        }
        if (words.take(',')) continue;
        if (words.take('}')) break;
        return std::nullopt;
    }
    if (!words.at_end() || !type || !order || !shape) return std::nullopt;
    return header;
}

struct TypeName {
    Array::Type type;
    std::string_view name;
    std::size_t bytes;
};
constexpr TypeName kTypes[] = {{Array::Type::int8, "|i1", 1},    {Array::Type::uint8, "|u1", 1},
                               {Array::Type::float32, "<f4", 4}, {Array::Type::int16, "<i2", 2},
                               {Array::Type::int32, "<i4", 4},   {Array::Type::int64, "<i8", 8}};

const TypeName& known(Array::Type type) {
    return *std::find_if(std::begin(kTypes), std::end(kTypes),
                         [&](const TypeName& one) { return one.type == type; });
}

std::optional<Array::Type> type_of(std::string_view name) {
    // Bytes have no order.
    const bool byte = name == "<i1" || name == "i1" || name == "<u1" || name == "u1";
    for (const TypeName& one : kTypes) {
        const bool same = name == one.name || (byte && name.back() == one.name.back() &&
                                               name[name.size() - 2] == one.name[1]);
        if (same) return one.type;
    }
    return std::nullopt;
}

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

Array no_array(std::string text) {
    Array array;
    array.error = std::move(text);
    return array;
}

/// Bytes of the elements; nothing if no file can be so large.
std::optional<std::size_t> bytes_of(const std::vector<std::size_t>& shape, std::size_t element) {
    std::size_t bytes = element;
    for (const std::size_t size : shape) {
        if (size != 0 && bytes > (std::size_t{1} << 40) / size) return std::nullopt;
        bytes *= size;
    }
    return bytes;
}

}  // namespace

std::size_t size_of(Array::Type type) { return known(type).bytes; }

std::string_view name_of(Array::Type type) {
    constexpr std::string_view kNames[] = {"int8", "uint8", "float32", "int16", "int32", "int64"};
    return kNames[static_cast<std::size_t>(type)];
}

std::size_t Array::elements() const { return data.size() / size_of(type); }

std::string shape_text(const std::vector<std::size_t>& shape) {
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

std::string npy_text(Array::Type type, const std::vector<std::size_t>& shape,
                     std::string_view data) {
    std::string axes;
    for (const std::size_t size : shape)
        axes += fmt::format("{}, ", size);
    if (shape.size() > 1) axes.resize(axes.size() - 2);
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", known(type).name,
                    shape.size() == 1 ? axes.substr(0, axes.size() - 1) : axes);
    // The data begin at a multiple of 64 bytes.
    constexpr std::size_t kFront = 10, kAlignment = 64;
    header.resize((kFront + header.size() + kAlignment) / kAlignment * kAlignment - kFront, ' ');
    header.back() = '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(header.size() & 0xff);
    out += static_cast<char>(header.size() >> 8);
    out += header;
    return out += data;
}

Array parse_npy(std::string_view file) {
    constexpr std::string_view kMagic("\x93NUMPY", 6);
    if (file.substr(0, kMagic.size()) != kMagic || file.size() < 12)
        return no_array("no .npy file: want one written by numpy.save()");
    const unsigned version = static_cast<unsigned char>(file[6]);
    if (version < 1 || version > 3)
        return no_array(fmt::format("version {} of the .npy format: want 1 to 3", version));
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t length = little_endian(file.substr(8, width));
    if (length > file.size() - 8 - width)
        return no_array(fmt::format("the header has {} bytes, the file {}", length, file.size()));
    const std::optional<Header> header = parse_header(file.substr(8 + width, length));
    if (!header) return no_array("the header of the .npy file cannot be read");
    const std::optional<Array::Type> type = type_of(header->type);
    if (!type) {
        return no_array(
            fmt::format("elements '{}': want int8, uint8 or little-endian int16, int32, "
                        "int64 or float32",
                        header->type));
    }
    if (header->by_columns && header->shape.size() > 1)
        return no_array("elements by columns: want them by rows (numpy.ascontiguousarray)");
    Array array;
    array.type = *type;
    array.shape = header->shape;
    array.data = file.substr(8 + width + length);
    const auto want = bytes_of(array.shape, size_of(*type));
    if (!want || array.data.size() != *want) {
        return no_array(fmt::format("{} bytes of elements do not make {}", array.data.size(),
                                    shape_text(array.shape)));
    }
    return array;
}

}  // namespace macrame::network
