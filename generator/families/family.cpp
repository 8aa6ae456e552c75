#include "families/family.hpp"

#include <algorithm>

#include "regs/text.hpp"

namespace macrame {

const Unit* Family::find_unit(std::string_view unit) const {
    const auto at = std::find_if(units.begin(), units.end(),
                                 [&](const Unit* row) { return row->name == unit; });
    return at == units.end() ? nullptr : *at;
}

const Family* find_family(const Families& families, std::string_view name) {
    const auto at = std::find_if(families.begin(), families.end(),
                                 [&](const Family* family) { return family->name == name; });
    return at == families.end() ? nullptr : *at;
}

}  // namespace macrame
