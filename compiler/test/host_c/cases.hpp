#pragma once
/// Networks of one operator, in C and on the reference executor.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/host_c/compiled_c.hpp"

namespace macrame::compiler::host_c {

using namespace graph;
using graph::test::Builder;

/// Networks of one operator, with their names.
class Cases {
public:
    /// Each with the rounding of both executors.
    void add(const std::string& name, const std::function<void(Builder&)>& build) {
        for (const Rounding rounding : {Rounding::tflite, Rounding::onnx})
            add(name, rounding, build);
    }
    void add(const std::string& name, Rounding rounding,
             const std::function<void(Builder&)>& build) {
        Builder b(rounding);
        build(b);
        graphs_.push_back(std::move(b.graph));
        names_.push_back(name + (rounding == Rounding::onnx ? ", onnx" : ""));
    }
    /// One input and one output.
    void add(const std::string& name, const Operator& op, const Tensor& from, const Tensor& to) {
        add(name, [&](Builder& b) {
            b.graph.tensors = {from, to};
            b.graph.inputs = {0};
            b.graph.outputs = {1};
            b.node(op, {0}, {1});
        });
    }
    void expect_reference() { host_c::expect_reference(graphs_, names_); }

private:
    std::vector<Graph> graphs_;
    std::vector<std::string> names_;
};

inline Tensor tensor(Type type, std::vector<int> shape, float scale = 0, int zero_point = 0) {
    Builder b;
    b.tensor(type, std::move(shape), scale, zero_point);
    return b.graph.tensors[0];
}
inline Tensor bytes(std::vector<int> shape, float scale = 0.05F, int zero_point = -3) {
    return tensor(Type::int8, std::move(shape), scale, zero_point);
}

}  // namespace macrame::compiler::host_c
