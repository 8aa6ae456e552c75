#include "simulate.hpp"

#include <iostream>

namespace macrame {

int simulate(const std::vector<std::string>&) {
    std::cerr << "macrame: simulate is not built yet\n";
    return 2;
}

}  // namespace macrame
