#pragma once
/// What operators of two tensors have in common.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/builder.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::dla::compiler {

/// How many of all pairs are not as the reference has them.
template <class Apply>
macrame::compiler::Exactness compare(int index, const std::string& mapping,
                                     const std::vector<std::int8_t>& pairs, const Apply& apply) {
    macrame::compiler::Exactness out{index, mapping, 1, 0, 0, 65536, 0};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const int found = apply(static_cast<int>(i / 256) - 128, static_cast<int>(i % 256) - 128);
        const int distance = std::abs(found - pairs[i]);
        out.values += distance != 0 ? 1 : 0;
        out.most = std::max(out.most, distance);
    }
    out.proved = out.values == 0 ? 1 : 0;
    return out;
}

inline std::vector<int> both(const std::vector<int>& a, const std::vector<int>& b) {
    std::vector<int> out = a;
    gather(out, b);
    return out;
}

/// The node without its activation, which a layer behind does.
inline graph::Node plain(const graph::Node& node) {
    graph::Node out = node;
    std::get<graph::Binary>(out.op).activation = graph::Activation::none;
    return out;
}

}  // namespace macrame::dla::compiler
