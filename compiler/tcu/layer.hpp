#pragma once
/// A network as layers of vector operations, before memory and order are chosen.
///
/// A vector has a scalar for each lane of the array. What goes through the array is a sum of terms:
/// an input vector times a set of weights. A layer makes each of its outputs of terms like these,
/// then changes it in steps of the SIMD unit.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace macrame::tcu::compiler {

/// Index into Layers::vectors.
using VectorId = int;
/// A vector of zeros, which lies nowhere.
constexpr VectorId kZeros = -1;

/// Where a vector lies for good.
struct Vector {
    bool constant = false;  ///< of DRAM1, else of DRAM0
    int index = 0;          ///< of the constants or of the variables
};

/// Weights for the array: a bias row if `bias`, then a row for each of the first `rows` lanes.
struct WeightSet {
    VectorId first = 0;  ///< of vectors one behind the other
    int rows = 0;
    bool bias = false;

    int vectors() const { return rows + (bias ? 1 : 0); }
};

/// An input of an output; `set` counts for sums alone.
struct Term {
    int set = 0;  ///< index into Layer::sets
    VectorId source = kZeros;
};

/// The inputs of an output, in little memory: most outputs of a layer read what lies in the same
/// way around vectors of their own.
class Terms {
public:
    Terms() = default;

    std::size_t size() const { return shifts_ == nullptr ? 0 : shifts_->size(); }
    Term operator[](std::size_t number) const { return moved((*shifts_)[number]); }

    class Iterator {
    public:
        Iterator(const Terms& of, std::size_t number) : of_(&of), number_(number) {}
        Term operator*() const { return (*of_)[number_]; }
        Iterator& operator++() {
            ++number_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return number_ != other.number_; }

    private:
        const Terms* of_;
        std::size_t number_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    friend class Patterns;
    /// In place of a shift: zeros, wherever the others lie.
    static constexpr VectorId kNowhere = std::numeric_limits<VectorId>::min();

    Terms(const std::vector<Term>* shifts, VectorId from) : shifts_(shifts), from_(from) {}
    Term moved(const Term& shift) const {
        return {shift.set, shift.source == kNowhere ? kZeros : from_ + shift.source};
    }

    const std::vector<Term>* shifts_ = nullptr;  ///< sources behind `from_`
    VectorId from_ = 0;
};

/// The shifts of the outputs of a layer; copies of a layer share them.
class Patterns {
public:
    Terms add(std::vector<Term> terms);

private:
    static constexpr std::size_t kRecent = 16;  ///< those of a line of pixels

    std::shared_ptr<std::deque<std::vector<Term>>> made_ =
        std::make_shared<std::deque<std::vector<Term>>>();
};

/// What becomes of the terms of an output.
enum class Combine {
    sum,      ///< of the terms, each through its weights
    copy,     ///< of the only one
    maximum,  ///< of all
    minimum,
    product  ///< of two
};

/// A step of the SIMD unit on every output of a layer.
enum class StepKind {
    relu,
    minimum,   ///< with a constant
    maximum,   ///< with a constant
    multiply,  ///< with a constant
    leaky      ///< the larger of the value and constant * value
};

struct Step {
    StepKind kind = StepKind::relu;
    std::vector<VectorId> constants;  ///< by group of outputs
};

struct Output {
    VectorId vector = 0;
    int group = 0;
    Terms terms;
};

struct Layer {
    std::string name;
    int node = 0;  ///< of the graph
    std::uint64_t macs = 0;
    Combine combine = Combine::sum;
    std::vector<WeightSet> sets;
    /// Group after group; those of a group use the same weights, positions in the same order.
    std::vector<Output> outputs;
    int line = 1;  ///< outputs that should stay together: a line of pixels
    /// In front of a product: what its first factor is multiplied with, by group; empty: nothing.
    std::vector<VectorId> before;
    std::vector<Step> steps;

    void add_output(VectorId vector, int group, std::vector<Term> terms) {
        outputs.push_back({vector, group, patterns_.add(std::move(terms))});
    }

private:
    Patterns patterns_;
};

/// All that becomes a program.
struct Layers {
    int array_size = 0;
    std::vector<Vector> vectors;
    std::vector<std::int32_t> constants;  ///< codes, array_size for each constant
    int variables = 0;
    std::vector<Layer> layers;
    std::vector<std::vector<VectorId>> inputs, outputs;  ///< vectors in the order of the files
    std::vector<std::vector<VectorId>> kept;             ///< the same of tensors that stay in DRAM0

    const Vector& at(VectorId id) const { return vectors[static_cast<std::size_t>(id)]; }
    int constant_count() const {
        return array_size == 0 ? 0 : static_cast<int>(constants.size()) / array_size;
    }
};

}  // namespace macrame::tcu::compiler
