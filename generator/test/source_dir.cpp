#include "test/source_dir.hpp"

namespace macrame {

std::string source_dir() { return SOURCE_DIR; }

}  // namespace macrame
