/// Writes the register header of a family, so that golden models and testbenches can be compiled
/// before the generator. MAPS_HEADER, MAPS and FAMILY: where its register maps are, see
/// cmake/family.cmake.

#include <fmt/format.h>

#include <fstream>

#include MAPS_HEADER
#include "regs/to_cpp.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: {} <output file>\n", argv[0]);
        return 2;
    }
    std::ofstream file(argv[1], std::ios::binary);
    file << macrame::regs::to_cpp(MAPS(), FAMILY);
    return file.flush() ? 0 : 1;
}
