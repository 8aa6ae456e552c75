#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace macrame::emit {

/// An open file of the operating system, closed at the end of its life.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }

private:
    int number_;
};

/// More than any file that a person or this program writes.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;

/// Contents of a file, or why there are none.
struct FileText {
    std::string bytes;
    std::string error;     ///< empty: the file was read
    bool missing = false;  ///< the error is that there is no such file
};

/// Reads a file, also a pipe. A folder and more than `limit` bytes are errors.
FileText read_file(const std::filesystem::path& path, std::size_t limit = kLargestFile);

/// Writes a new file. Returns what went wrong, empty if nothing did.
std::string write_file(const std::filesystem::path& path, std::string_view bytes);

/// What the operating system says about an error number.
std::string error_text(int number);

}  // namespace macrame::emit
