#pragma once
/// What readers accept of quantisation, for every operator: back ends use it or refuse it.

#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::test {

struct PropertyCase {
    std::string name;  ///< "conv, weights with a zero point"
    graph::Graph graph;
};

/// Networks of one operator that have passed check(), each with one property.
std::vector<PropertyCase> property_cases();

}  // namespace macrame::test
