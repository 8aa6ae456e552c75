#include "test/source_dir.hpp"

#include <fstream>
#include <iterator>

namespace macrame {

std::string source_dir() { return SOURCE_DIR; }

std::string source_text(const std::string& path) {
    std::ifstream in(source_dir() + "/" + path);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace macrame
