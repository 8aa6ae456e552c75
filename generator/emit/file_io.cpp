#include "emit/file_io.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace macrame::emit {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor::~Descriptor() {
    if (is_open()) close(number_);
}

FileText read_file(const std::filesystem::path& path, std::size_t limit) {
    FileText out;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    ssize_t size = file.is_open() ? 1 : -1;
    std::array<char, 65536> buffer;
    while (size > 0) {
        size = read(file.number(), buffer.data(), buffer.size());
        if (size > 0) out.bytes.append(buffer.data(), static_cast<std::size_t>(size));
        if (size < 0 && errno == EINTR) size = 1;
        if (out.bytes.size() > limit) {
            return {"", fmt::format("more than {} MiB: want a smaller file", limit >> 20), false};
        }
    }
    if (size < 0) {
        const int error = errno;
        if (error == EISDIR) return {"", "a folder: want a file", false};
        return {"", fmt::format("cannot read: {}", error_text(error)), error == ENOENT};
    }
    return out;
}

std::string write_file(const std::filesystem::path& path, std::string_view bytes) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.is_open()) return error_text(errno);
    while (!bytes.empty()) {
        const ssize_t size = write(file.number(), bytes.data(), bytes.size());
        if (size < 0 && errno != EINTR) return error_text(errno);
        bytes.remove_prefix(size < 0 ? 0 : static_cast<std::size_t>(size));
    }
    return "";
}

std::string error_text(int number) { return std::generic_category().message(number); }

}  // namespace macrame::emit
