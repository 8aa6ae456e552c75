#include "compiler/front/front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>
#include <tuple>

#include "compiler/front/building.hpp"

namespace macrame::front {
namespace {

constexpr std::streamoff kMaxFile = std::streamoff{1} << 30;

ReadResult failure(std::string message) {
    ReadResult result;
    result.errors.push_back(std::move(message));
    return result;
}

bool is_tflite(const std::vector<std::uint8_t>& bytes) {
    constexpr std::string_view kMark = "TFL3";
    constexpr std::size_t kPlace = 4;
    return bytes.size() >= kPlace + kMark.size() &&
           std::equal(kMark.begin(), kMark.end(), bytes.begin() + kPlace);
}

/// A protobuf whose first field is number 1, an integer: the version of the ONNX format. Where it
/// is another, the file has to be whole.
bool looks_like_onnx(const std::vector<std::uint8_t>& bytes) {
    return bytes.size() >= 2 && bytes[0] == 0x08 && bytes[1] < 0x80;
}

}  // namespace

std::vector<KnownOperator> known_operators() {
    std::vector<KnownOperator> all = tflite_operators(), onnx = onnx_operators();
    all.insert(all.end(), onnx.begin(), onnx.end());
    std::sort(all.begin(), all.end(), [](const KnownOperator& a, const KnownOperator& b) {
        const bool other = (a.format == "TFLite") != (b.format == "TFLite");
        return other ? a.format == "TFLite"
                     : std::tie(a.name, a.format) < std::tie(b.name, b.format);
    });
    const auto same = [](const KnownOperator& a, const KnownOperator& b) {
        return a.name == b.name && a.format == b.format;
    };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

ReadResult read(const std::string& path, const Shapes& shapes, const Fixed& fixed) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
    // Folders have a size of all ones.
    if (size < 0 || size == std::numeric_limits<std::streamoff>::max())
        return failure(fmt::format("{}: cannot be read: want a network file", path));
    if (size > kMaxFile)
        return failure(fmt::format("{}: {} bytes: want at most {}", path, size, kMaxFile));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(bytes.data()), size);
    if (!file) return failure(fmt::format("{}: cannot be read: want a network file", path));
    if (is_tflite(bytes)) return read_tflite(path, bytes, shapes, fixed);
    if (looks_like_onnx(bytes) || is_onnx(bytes)) return read_onnx(path, bytes, shapes, fixed);
    return failure(fmt::format("{}: an unknown kind of file: want TFLite or ONNX", path));
}

}  // namespace macrame::front
