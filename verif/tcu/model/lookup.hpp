#pragma once
/// Lookup tables of the golden model: per lane keys, and values for each of them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/architecture.hpp"
#include "verif/tcu/model/vectors.hpp"

namespace macrame::tcu::model {

template <class F>
class LookupTables {
public:
    using Code = typename F::Code;
    using Wide = typename F::Wide;

    explicit LookupTables(const Architecture& a) : depth_(a.lut_depth) {
        for (int i = 0; a.lut_tables > 0 && i <= a.lut_tables; ++i)
            tables_.emplace_back(a.lut_depth, a.array_size);
    }

    /// Value tables; table 0, the keys, is not counted.
    int count() const { return tables_.empty() ? 0 : static_cast<int>(tables_.size()) - 1; }
    int depth() const { return depth_; }
    Vectors<Code>& table(int number) { return tables_[static_cast<std::size_t>(number)]; }

    /// Entry with the key closest to `code` in this lane; of two the first. Keys have to ascend: the
    /// hardware searches them in another way.
    int closest(Code code, int lane) const {
        int best = 0;
        Wide least = distance(code, 0, lane);
        for (int i = 1; i < depth_; ++i) {
            const Wide here = distance(code, i, lane);
            if (here >= least) continue;
            best = i;
            least = here;
        }
        return best;
    }
    Code value(int table, int entry, int lane) const {
        return tables_[static_cast<std::size_t>(table)].row(
            static_cast<std::uint64_t>(entry))[lane];
    }
    /// Argument minus key.
    Wide difference(Code code, int entry, int lane) const {
        return Wide{code} - Wide{value(0, entry, lane)};
    }

    void clear() {
        for (Vectors<Code>& table : tables_)
            table.clear();
    }

private:
    Wide distance(Code code, int entry, int lane) const {
        const Wide d = difference(code, entry, lane);
        return d < 0 ? -d : d;
    }
    int depth_;
    std::vector<Vectors<Code>> tables_;
};

}  // namespace macrame::tcu::model
