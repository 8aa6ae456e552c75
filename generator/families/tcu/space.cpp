/// Which configurations of tcu are worth trying.

#include "families/tcu/tables.hpp"

namespace macrame::tcu {

const Space& space() {
    static const Space kSpace = {
        {
            {{"array_size"},
             {{"4"}, {"8"}, {"12"}, {"16"}, {"20"}, {"24"}, {"32"}},
             "cycles of everything; everything that it costs"},
            {{"array_vectors"}, {{"1"}, {"2"}}, "cycles of products; DSP of the array"},
            {{"local_depth"},
             {{"2048"}, {"4096"}, {"8192"}, {"16384"}},
             "what stays on the chip; block RAM"},
            {{"accumulator_depth"},
             {{"512"}, {"1024"}, {"2048"}, {"4096"}},
             "vectors of an output at a time; block RAM"},
            {{"axi_data_width"},
             {{"64"}, {"128"}, {"256"}, {"512"}},
             "cycles of memory; LUT of the DMAs"},
        },
        {},
        {1, 0, 2, 2, 1},
    };
    return kSpace;
}

}  // namespace macrame::tcu
