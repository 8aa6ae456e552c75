#pragma once
/// What the executor makes of the inputs that a layer of the machine had.

#include <map>
#include <optional>
#include <set>

#include "network/layers/tensors.hpp"

namespace macrame::network::layers {

class OwnInputs {
public:
    /// Both have to stay.
    OwnInputs(const Network& network, const Values& values);

    struct Result {
        Bytes elements;
        std::optional<int> declared;  ///< largest difference that the back end has told of
        std::set<int> nodes;          ///< of the graph that are one layer
    };
    /// Of a tensor that exists.
    Result of(const FileTensor& tensor);

private:
    /// What a node makes: of inputs that exist, or of what others make that have no tensor.
    struct Made {
        std::vector<Bytes> outputs;
        std::optional<int> declared;
        std::set<int> nodes;
    };
    const Made& made(int node);

    const Network& network_;
    const Values& values_;
    std::vector<int> writer_;  ///< by tensor
    std::map<int, Made> made_;
};

}  // namespace macrame::network::layers
