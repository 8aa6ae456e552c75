#pragma once
/// Options of the command quantise.

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace macrame::network {

struct QuantiseOptions {
    std::string data, check;  ///< folders of inputs
    std::string out;          ///< the int8 network
    std::string method = "mse";
    std::string json;
    int keep_host = 64;
};

}  // namespace macrame::network

namespace macrame {

void add_quantise_options(CLI::App& command, network::QuantiseOptions& options);

}  // namespace macrame
