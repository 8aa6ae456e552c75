/// macrame with the miniature family: what the tests of the seam run.

#include "cli.hpp"
#include "families/mini/family.hpp"

int main(int argc, char** argv) {
    return macrame::run({argv + 1, argv + argc}, {&macrame::mini::family()});
}
