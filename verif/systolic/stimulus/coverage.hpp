#pragma once
/// Functional coverage: which instructions, shapes, flags and dependences have the programs used?
/// A bin is "group.what". Bins that the architecture cannot reach do not exist.

#include <deque>
#include <string>
#include <vector>

#include "verif/common/bins.hpp"
#include "verif/systolic/isa/accesses.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::stimulus {

class Coverage {
public:
    explicit Coverage(const Architecture& architecture);

    /// Follows a program of legal instructions to its end.
    void play(const std::vector<Instruction>& program);

    verif::Bins& bins() { return bins_; }
    const verif::Bins& bins() const { return bins_; }

private:
    struct Done {
        Module module;
        Accesses accesses;
    };

    void make_bins();
    void sample(const Instruction& i);
    void sample_flags(const Instruction& i);
    void sample_transfer(const Instruction& i);
    void sample_gemm(const Gemm& g);
    void sample_alu(const Alu& alu);
    /// 1, some and all of `most`.
    void part_bins(const std::string& name, std::int64_t value, std::int64_t most);
    /// Conflicts with instructions at most some before.
    void sample_order(const Instruction& i);

    Architecture architecture_;
    verif::Bins bins_;
    std::deque<Done> done_;  ///< the last instructions, the newest first
};

}  // namespace macrame::systolic::stimulus
