#include "compiler/tcu/layer.hpp"

#include <algorithm>

namespace macrame::tcu::compiler {

Terms Patterns::add(std::vector<Term> terms) {
    VectorId from = 0;
    for (const Term& term : terms)
        if (term.source != kZeros) {
            from = term.source;
            break;
        }
    for (Term& term : terms)
        term.source = term.source == kZeros ? Terms::kNowhere : term.source - from;
    const auto equal = [&](const std::vector<Term>& other) {
        return std::equal(
            terms.begin(), terms.end(), other.begin(), other.end(),
            [](const Term& a, const Term& b) { return a.set == b.set && a.source == b.source; });
    };
    const std::size_t recent = std::min(kRecent, made_->size());
    const auto found =
        std::find_if(made_->rbegin(), made_->rbegin() + static_cast<std::ptrdiff_t>(recent), equal);
    if (found != made_->rbegin() + static_cast<std::ptrdiff_t>(recent)) return {&*found, from};
    terms.shrink_to_fit();
    made_->push_back(std::move(terms));
    return {&made_->back(), from};
}

}  // namespace macrame::tcu::compiler
