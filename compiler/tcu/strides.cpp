#include "compiler/tcu/strides.hpp"

#include <cstddef>
#include <optional>

namespace macrame::tcu::compiler {

namespace {

/// The code of a stride; nothing if there is none.
std::optional<int> stride_code(int step, int codes) {
    for (int code = 0; code < codes; ++code)
        if (step == 1 << code) return code;
    return std::nullopt;
}

}  // namespace

void Strides::append(std::vector<Instruction>& to, const Instruction& like,
                     const std::vector<Pair>& pairs) const {
    for (std::size_t first = 0; first < pairs.size();) {
        Instruction run = like;
        run.address0 = static_cast<std::uint64_t>(pairs[first].address0);
        run.address1 = static_cast<std::uint64_t>(pairs[first].address1);
        std::size_t end = first + 1;
        if (end < pairs.size()) {
            const int step0 = pairs[end].address0 - pairs[first].address0;
            const int step1 = pairs[end].address1 - pairs[first].address1;
            const auto code0 = stride_code(step0, codes0_), code1 = stride_code(step1, codes1_);
            if (code0 && code1) {
                run.stride0 = *code0;
                run.stride1 = *code1;
                while (end < pairs.size() &&
                       pairs[end].address0 - pairs[end - 1].address0 == step0 &&
                       pairs[end].address1 - pairs[end - 1].address1 == step1)
                    ++end;
            }
        }
        run.size = end - first;
        to.push_back(run);
        first = end;
    }
}

}  // namespace macrame::tcu::compiler
