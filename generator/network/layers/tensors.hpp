#pragma once
/// Tensors at the ends of layers, as the network's file has them.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "network/files/npy.hpp"
#include "network/network.hpp"

namespace macrame::network::layers {

/// Elements of the graph's tensors that a run has left in memory.
using Values = std::map<graph::TensorId, Bytes>;

/// An input of the network, or a value that an operator of its file writes.
struct FileTensor {
    static constexpr int kInput = -1;

    int place = kInput;  ///< of the operator in the file
    std::string kind;    ///< of the operator: "CONV_2D"; of inputs "input"
    std::string name;
    graph::TensorId id = graph::kNone;
    int node = -1;   ///< of the graph, which writes it
    int layer = -1;  ///< the last one of the hardware that writes it; -1: none
    Array::Type type = Array::Type::int8;
    std::vector<std::size_t> shape;
    std::vector<std::size_t> planes;  ///< C, H, W, if the file has elements in that order
    bool unsigned_bytes = false;      ///< the file has uint8, the graph less by 128
    std::vector<float> scale;         ///< empty: real values
    std::vector<int> zero_point;      ///< of the file's integers
    std::string absent;               ///< why it is nowhere in memory; empty: it is
    std::string file;                 ///< name of its file, if it has one

    bool exists() const { return absent.empty(); }
    /// "operator 3 (CONV_2D), tensor conv1/Relu"
    std::string text() const;
};

Array::Type array_type(graph::Type type);

/// Inputs, then all values of the file in its order. `values`: what there is, of any run.
std::vector<FileTensor> file_tensors(const Network& network, const Values& values);

/// Elements of the graph's tensor in the order and type of the file, and back.
Bytes to_file(const FileTensor& tensor, const Bytes& elements);
Bytes from_file(const FileTensor& tensor, const Bytes& elements);

/// Letters, digits, '.', '-' and '_' of a name, '_' for all others; at most 100.
std::string file_name(const std::string& name);

}  // namespace macrame::network::layers
