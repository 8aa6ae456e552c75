#include "core/unit.hpp"

namespace macrame {

Unit Unit::with_options(const AnyConfig& config) const {
    using Names = std::vector<std::string_view>;
    const auto append = [](Names& to, const Names& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    Unit out = *this;
    out.options.clear();
    for (const UnitOption& option : options) {
        if (!option.enabled(config)) continue;
        append(out.templates, option.templates);
        if (out.regs.empty()) continue;
        RegUse& use = out.regs.front();
        append(use.outputs, option.outputs);
        append(use.inputs, option.inputs);
        append(use.strobes, option.strobes);
    }
    return out;
}

}  // namespace macrame
