#pragma once
/// Compares what each instruction of a design has written with the golden model, when it ends.
///
/// The model executes an instruction when the design has ended it: what both have read by then is
/// the same if tokens order all that touch the same place. Only the order within a module is taken
/// from the stream. A column of OBUF is compared as soon as the last sum of an instruction is in
/// it, as the next instruction of GEMM may be in front of the columns to the left already.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/systolic/isa/accesses.hpp"
#include "verif/systolic/model/machine.hpp"

namespace macrame::systolic::run {

class StepCheck {
public:
    /// What the design holds, as a signed number.
    using Found = std::function<std::int64_t(const Place&)>;

    /// `wanted` is memory of the model, `found` that of the design. Of several programs the
    /// instructions are counted through.
    StepCheck(const Architecture& architecture, std::vector<Instruction> program,
              verif::Memory& wanted, const verif::Memory& found);

    void look_with(Found value) { value_ = std::move(value); }

    /// The oldest instruction of LOAD, ALU or STORE has ended.
    void ended(Module module);
    /// The last sum of the oldest instruction of GEMM that this column has not seen is in it.
    /// Columns are told in their order, the first one first.
    void column_ended(int column);

    /// Values that were compared.
    std::uint64_t values() const { return values_; }
    /// What was different, the first few.
    const std::vector<std::string>& differences() const { return differences_; }
    /// It is different if not all instructions have ended.
    void finish();

private:
    /// An instruction of GEMM on its way through the columns, with what it is to write.
    struct Sums {
        std::size_t index;
        std::int64_t first_entry;
        std::vector<std::vector<std::int32_t>> entries;
        int columns;  ///< active ones
    };

    std::size_t take(Module module);
    void execute(std::size_t index);
    void compare_buffers(std::size_t index, const Accesses& touched);
    void compare_memory(std::size_t index, const Accesses& touched);
    void compare(std::size_t index, const Place& place, std::int64_t wanted);
    void tell(std::size_t index, const std::string& text);
    void tell(const std::string& text);

    const std::vector<Instruction> program_;
    verif::Memory& wanted_;
    const verif::Memory& found_;
    model::Machine machine_;
    Found value_;
    std::array<std::deque<std::size_t>, kModuleCount> waiting_;  ///< instructions, by module
    std::deque<Sums> sums_;                                      ///< the oldest one first
    std::vector<std::size_t> seen_;  ///< by column: instructions of GEMM, less those that all saw
    std::uint64_t values_ = 0;
    std::vector<std::string> differences_;
};

}  // namespace macrame::systolic::run
