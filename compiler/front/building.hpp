#pragma once
/// What the readers of all formats share while they build a graph.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/graph.hpp"

namespace macrame::front {

/// Something in a file that is wrong or not supported: "what was found: what was wanted".
struct Refusal {
    std::string text;
};

/// Messages of one file.
constexpr std::size_t kMaxErrors = 10;
/// Characters of a name.
constexpr std::size_t kMaxName = 128;

/// Those of each format, in no order.
std::vector<KnownOperator> tflite_operators();
std::vector<KnownOperator> onnx_operators();

/// Letters that can be printed, not too many.
std::string readable(std::string_view text);

/// "; the nearest known: ..." of names that are spelt nearly as this one, or nothing.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// Throws a Refusal if there are shapes or values left, which are of none of these inputs.
void want_none_left(const Shapes& shapes, const Fixed& fixed,
                    const std::vector<std::string>& names);

/// Bytes that are copied out of a file, or made of what is in it: what is made may be many times as
/// large, as parts may be named many times.
class Budget {
public:
    explicit Budget(std::size_t file_bytes)
        : file_bytes_(file_bytes), most_(16 * file_bytes + (std::size_t{1} << 24)) {}
    /// Throws a Refusal if there are more than 16 times the file and 16 MiB.
    void charge(std::size_t bytes);
    bool exceeded() const { return charged_ > most_; }
    /// Bytes of another file that belongs to it.
    void extend(std::size_t bytes) {
        file_bytes_ += bytes;
        most_ += 16 * bytes;
    }

private:
    std::size_t file_bytes_, most_, charged_ = 0;
};

/// Executes a node of constants if it is cheap: its outputs become constants. False: it stays. The
/// node has no problem.
bool fold(graph::Graph& graph, const graph::Node& node, Budget& budget);

/// What a reader returns: the graph without what no output needs, if it has no problem; the
/// messages about the file `name` otherwise.
ReadResult finish(const std::string& name, graph::Graph graph, std::vector<std::string> errors);

/// Elements of a constant of integers, at most so many, limited to 32 bits.
std::vector<std::int64_t> integers_of(const graph::Tensor& tensor, std::size_t most = 64);

/// Number of an axis that may count from behind.
int axis_of(std::int64_t value, std::size_t rank);

/// Elements of one axis that a slice takes.
struct Range {
    std::int64_t begin, count, stride;
};
/// Python's begin:end:stride.
Range range_of(std::int64_t begin, std::int64_t end, std::int64_t stride, std::int64_t size,
               bool no_begin = false, bool no_end = false);

}  // namespace macrame::front
