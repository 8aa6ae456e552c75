#pragma once
/// A program while it is written: instructions in their order, tokens as they need them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verif/systolic/check/token_placer.hpp"
#include "verif/systolic/isa/sram_map.hpp"

namespace macrame::systolic::compiler {

/// Vectors in memory, `rows` times `columns` of them. Steps count bytes.
struct Vectors {
    std::int64_t address = 0;
    int rows = 1, columns = 1;
    int elements = 1;  ///< of a vector
    std::int64_t row_step = 0, column_step = 0;
};

class Stream {
public:
    explicit Stream(const Architecture& architecture)
        : architecture_(architecture), placer_(architecture) {}

    const Architecture& architecture() const { return architecture_; }

    /// To or from the entries that begin at a place, row by row, in as many instructions as their
    /// fields ask for. The other fields, as width and scales, are those of `like`.
    void transfer(Module module, const Vectors& vectors, const Place& place, const Transfer& like);
    void gemm(const Gemm& gemm);
    void alu(const Alu& alu);

    /// LOAD instructions so far.
    int loads() const { return loads_; }
    const std::vector<Instruction>& program() const { return placer_.program(); }
    std::size_t size() const { return placer_.size(); }
    /// Of the next instructions only the number is asked for.
    void only_count() { placer_.only_count(); }
    /// Begins another program, in the memory of this one.
    void clear() {
        placer_.clear();
        loads_ = 0;
    }

private:
    void add_transfer(Module module, const Vectors& vectors, Place place, const Transfer& like);

    Architecture architecture_;
    check::TokenPlacer placer_;
    int loads_ = 0;
};

}  // namespace macrame::systolic::compiler
