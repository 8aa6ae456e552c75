#pragma once
/// What a network says of its inputs: classes, and how often they are right.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "network/network.hpp"

namespace macrame::network {

/// True classes of inputs and names of classes, as far as they were given.
struct Classes {
    std::vector<std::optional<int>> labels;  ///< one per input; nothing where it is not known
    std::vector<std::string> names;

    /// "3", "3 cat"
    std::string text(int index) const;
};

/// Reads --labels and --classes, one line each; nothing after an error, which is printed.
std::optional<Classes> read_classes(const Request& request, const Network& network,
                                    std::size_t inputs);

/// One value for each class.
struct Answer {
    std::vector<double> values;  ///< real ones
    std::vector<int> ranking;    ///< classes, the largest value first, equal ones in order
    bool probabilities = false;  ///< values of a softmax

    std::string value_text(int index) const;  ///< "97.3 %", "4.21"
};

/// The first output as an answer, if it is a vector of classes.
std::optional<Answer> answer(const Network& network, const std::vector<Bytes>& outputs);

/// Elements of an output as the request wants them: as they are, or as float32.
std::string raw_output(const Request& request, const Network& network, std::size_t number,
                       const Bytes& elements);

/// Counts answers.
struct Accuracy {
    int known = 0, right = 0;
    void count(const std::optional<int>& label, const Answer& answer);
    std::string text() const;  ///< "top-1: 276 of 300 (92.0 %)"
};

}  // namespace macrame::network
