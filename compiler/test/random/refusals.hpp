#pragma once
/// What messages of back ends have to name.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/graph/graph.hpp"

namespace macrame::test {

/// Of a network of one operator: its place, its name, a reason, and what would help. Not `named`:
/// its name is that of the file, which is a part of the place.
inline void expect_reasons(const graph::Graph& graph, const std::vector<std::string>& errors,
                           bool named = true) {
    const graph::Node& node = graph.nodes[0];
    for (const std::string& error : errors) {
        const auto has = [&](const std::string& text) {
            return error.find(text) != std::string::npos;
        };
        EXPECT_TRUE(has(node.where)) << error;
        EXPECT_TRUE(!named || has(std::string(name_of(node.op)) + ": ")) << error;
        EXPECT_TRUE(has(": want ") || has(", want ")) << error;
        EXPECT_FALSE(has("not supported")) << error;
    }
}

}  // namespace macrame::test
