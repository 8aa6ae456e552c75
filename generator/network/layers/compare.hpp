#pragma once
/// Tensors of a run against those of the reference, layer by layer.
///
/// The reference is the executor of compiler/graph, or a folder of .npy files. Differences of
/// integers are steps of their scale. What a layer makes of other inputs than those of the
/// reference differs, too, so each is also held against the executor on its own inputs:
///
/// | number | between |
/// |---|---|
/// | largest | machine and reference |
/// | own | machine and executor, for the inputs that the machine had |
/// | carried | executor for these inputs and for those of the reference |
///
/// A layer is right if own is at most what was declared, and largest, where the reference is a
/// folder, at most declared + carried. Where nothing was declared, the noise of its own has to be a
/// step in the mean, or 20 dB below the signal.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "network/layers/tensors.hpp"

namespace macrame::network::layers {

/// Sums of squares, real values or steps.
struct Noise {
    double signal = 0, noise = 0;
    std::uint64_t values = 0;

    /// Signal to noise in dB; nothing where there is no noise.
    std::optional<double> decibels() const;
};

/// Of one tensor, all runs together.
struct Difference {
    FileTensor tensor;
    bool compared = false;  ///< false: it does not exist, or the folder has no file of it
    std::uint64_t values = 0, differing = 0;
    double largest = 0, own = 0, carried = 0;
    std::optional<int> declared;  ///< nothing: the back end declares nothing
    Noise to_reference, of_its_own;
    std::optional<std::uint64_t> saturated;  ///< values that the number format did not hold
    std::string fault;                       ///< what is wrong; empty: nothing

    bool integers() const { return !tensor.scale.empty() || tensor.type != Array::Type::float32; }
};

class Comparison {
public:
    /// `folder`: of reference tensors, those of several `runs` in folders of it; empty: the
    /// executor.
    Comparison(const Network& network, std::filesystem::path folder, std::size_t runs);

    /// The next run. Returns what is wrong with the folder, one line; empty if nothing is.
    std::string add(const std::vector<FileTensor>& tensors, const std::vector<Bytes>& inputs,
                    const Values& values);
    /// Values that saturated, by layer of the hardware, of all runs.
    void set_saturated(const std::vector<std::uint64_t>& by_layer);
    /// Judges all tensors, in the order of the file; afterwards they may be asked for.
    void finish();

    const std::vector<Difference>& differences() const { return rows_; }
    /// The first tensor that is wrong; null: none is.
    const Difference* first_fault() const;
    bool declares() const { return network_.compiled.exact_otherwise; }
    /// "the reference executor", "the tensors in DIR"
    std::string reference() const;

private:
    class Own;
    struct Group;  ///< operators whose layers are one

    std::optional<Bytes> reference_of(const FileTensor& tensor, std::string& error) const;
    void count(Difference& row, const Bytes& machine, const Bytes& reference, const Bytes& executor,
               const Bytes& own) const;
    std::string judged(const Difference& row) const;

    const Network& network_;
    std::filesystem::path folder_;
    std::size_t runs_, run_ = 0;
    std::vector<Difference> rows_;
    std::vector<std::set<int>> groups_;  ///< of the rows: their nodes
};

/// Of elements of a tensor of the graph, in steps or real values.
Noise noise_of(const graph::Tensor& tensor, const Bytes& wanted, const Bytes& found);

/// A table for people, and in a sentence what is wrong first.
void print(const Comparison& comparison);

}  // namespace macrame::network::layers
