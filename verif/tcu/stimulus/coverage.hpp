#pragma once
/// Functional coverage: which instructions, shapes, flags and dependences have the programs used?
/// A bin is "group.what". Bins that the architecture cannot reach do not exist.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "verif/common/bins.hpp"
#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/model/machine.hpp"

namespace macrame::tcu::stimulus {

/// Vectors that an instruction touches: first, first + step, ...
struct Access {
    Space space = Space::none;
    bool write = false;
    std::uint64_t first = 0;
    std::uint64_t step = 1;
    std::uint64_t count = 0;

    bool overlaps(const Access& other) const;
};

/// What an instruction reads and writes; registers, tables and weights are none.
std::vector<Access> accesses(const Architecture& architecture, const Instruction& instruction);

class Coverage {
public:
    explicit Coverage(const Architecture& architecture);

    /// Follows a program from reset to its end.
    void play(const std::vector<std::uint8_t>& program);
    /// What only data tells.
    void data(const model::Saturations& saturations);

    verif::Bins& bins() { return bins_; }
    const verif::Bins& bins() const { return bins_; }

private:
    struct Done {
        int kind = 0;
        std::vector<Access> accesses;
    };

    void make_bins();
    /// The bins of an instruction of this kind.
    void sample(const Instruction& i);
    void sample_matmul(const Instruction& i);
    void sample_move(const Instruction& i);
    void sample_weights(const Instruction& i);
    void sample_simd(const Instruction& i);
    void sample_lut(const Instruction& i);
    void sample_configure(const Instruction& i);
    void size_bins(std::uint64_t size);
    void stride_bins(std::string_view name, int code, int depth);

    // What comes behind what.
    void sample_order(const Instruction& i);
    void sample_accumulators(const Instruction& i);
    int kind_of(const Instruction& i) const;

    Architecture architecture_;
    Layout layout_;
    verif::Bins bins_;
    std::deque<Done> done_;  ///< the last instructions, the newest first
    bool looked_ = false;    ///< the last one was a lookup
    bool offset_[2] = {false, false};
    std::deque<std::uint64_t> written_;  ///< accumulators last written, the newest first
};

}  // namespace macrame::tcu::stimulus
