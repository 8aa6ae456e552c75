#pragma once
/// Operands that were searched already. A network is lowered several times, and a search takes much
/// longer than everything else about an operator.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiled.hpp"
#include "compiler/dla/add.hpp"
#include "compiler/dla/halves.hpp"
#include "compiler/dla/multiply.hpp"
#include "compiler/dla/pointwise.hpp"
#include "compiler/dla/requantise.hpp"
#include "compiler/dla/table_search.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

/// Each as the function of its name, which is called once for the same arguments.
class Searches : public macrame::compiler::Kept {
public:
    const Requantisation& requantise(const LayerTarget& layer, const Stages& stages);
    const std::optional<Halves>& requantise_in_halves(const LayerTarget& layer,
                                                      const Stages& stages);
    const std::optional<Requantisation>& requantise_lines(const LineTarget& target,
                                                          const Stages& stages);
    const std::optional<Pointwise>& pointwise(const std::vector<Table>& tables, int bend);
    const AddMapping& add_parameters(const AddTarget& target, bool ew, bool twice);
    const std::optional<AddParts>& exact_add_in_parts(const AddTarget& target);
    const std::optional<MultiplyMapping>& multiply_parameters(
        const MultiplyTarget& target, bool ew, const std::vector<std::int8_t>& pairs);
    const std::optional<ProductParts>& multiply_in_parts(const MultiplyTarget& target, bool ew,
                                                         const std::vector<std::int8_t>& pairs);
    /// Of a constant; operators that share their weights share these, too.
    const WeightSums& weights(const graph::Tensor& tensor);

private:
    template <class Result>
    using Found = std::map<std::string, Result>;  ///< by all that goes into it

    Found<Requantisation> requantised_;
    Found<std::optional<Halves>> halves_;
    Found<std::optional<Requantisation>> lines_;
    Found<std::optional<Pointwise>> pointwise_;
    Found<AddMapping> sums_;
    Found<std::optional<AddParts>> sums_in_parts_;
    Found<std::optional<MultiplyMapping>> products_;
    Found<std::optional<ProductParts>> parts_;

    /// By the bytes' place, which stays theirs as `data` does, and by all that they mean.
    struct KnownWeights {
        graph::Data data;
        WeightSums sums;
    };
    std::map<std::string, KnownWeights> weights_;
};

}  // namespace macrame::dla::compiler
