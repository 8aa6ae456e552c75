#include "core/unit.hpp"

#include <algorithm>

namespace macrame {

Unit Unit::with_options(const AnyConfig& config) const {
    using Names = std::vector<std::string_view>;
    const auto append = [](Names& to, const Names& from) {
        to.insert(to.end(), from.begin(), from.end());
    };
    Unit out = *this;
    out.options.clear();
    const auto absent = [&](const RegUse& use) { return use.enabled && !use.enabled(config); };
    out.regs.erase(std::remove_if(out.regs.begin(), out.regs.end(), absent), out.regs.end());
    for (const UnitOption& option : options) {
        if (!option.enabled(config)) continue;
        for (const std::string_view left : option.without)
            out.templates.erase(std::remove(out.templates.begin(), out.templates.end(), left),
                                out.templates.end());
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
