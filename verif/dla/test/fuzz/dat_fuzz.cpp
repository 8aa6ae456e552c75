/// Data files of any kind end in bytes at bounded offsets or in messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "verif/dla/trace/dat_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace macrame::dla::trace;
    std::vector<std::string> errors;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::vector<Segment> segments = parse_dat(text, "t.dat", errors);
    if (segments.empty() && errors.empty()) std::abort();
    std::uint64_t bytes = 0;
    for (const Segment& s : segments) {
        bytes += s.bytes.size();
        if (s.offset > kMaxBytes || s.offset + s.bytes.size() > kMaxBytes) std::abort();
    }
    if (bytes > size) std::abort();
    return 0;
}
