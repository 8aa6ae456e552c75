/// The families of this program.

#include "families/dla/family.hpp"
#include "families/family.hpp"
#include "families/systolic/family.hpp"
#include "families/tcu/family.hpp"

namespace macrame {

const Families& all_families() {
    static const Families kFamilies = {&dla::family(), &tcu::family(), &systolic::family()};
    return kFamilies;
}

}  // namespace macrame
