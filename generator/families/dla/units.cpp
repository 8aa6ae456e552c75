#include "families/dla/units.hpp"

namespace macrame::dla {

const std::vector<const Unit*>& units() {
    static const std::vector<const Unit*> kUnits = {
#include "dla_unit_rows.inc"
    };
    return kUnits;
}

}  // namespace macrame::dla
