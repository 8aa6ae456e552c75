/// The program without the refusals of what is not built yet: tests of units use it while their
/// machine is not complete. It takes the same arguments.

#include "cli.hpp"
#include "families/dla/family.hpp"
#include "families/dla/tables.hpp"

int main(int argc, char** argv) {
    const macrame::Family family = macrame::dla::family_with(macrame::dla::rules());
    return macrame::run({argv + 1, argv + argc}, {&family});
}
