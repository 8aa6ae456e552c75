/// Writes the register header of a family, so that golden models and testbenches can be compiled
/// before the generator. REGISTERS_HEADER and REGISTERS: where its registers are, see
/// cmake/family.cmake.

#include <fmt/format.h>

#include <fstream>

#include REGISTERS_HEADER
#include "regs/to_cpp.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        fmt::print(stderr, "usage: {} <output file>\n", argv[0]);
        return 2;
    }
    std::ofstream file(argv[1], std::ios::binary);
    file << macrame::regs::to_cpp(REGISTERS());
    return file.flush() ? 0 : 1;
}
