/// Writes dla_regs.hpp, so that golden models and testbenches can be compiled before the generator.

#include <fstream>
#include <iostream>

#include "families/dla/registers/registers.hpp"
#include "regs/to_cpp.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: macrame_regs_header <output file>\n";
        return 2;
    }
    std::ofstream file(argv[1], std::ios::binary);
    file << macrame::regs::to_cpp(macrame::dla::all_register_maps(), "dla");
    return file.flush() ? 0 : 1;
}
