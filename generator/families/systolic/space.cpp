/// Which configurations of systolic are worth trying.

#include "families/systolic/tables.hpp"

namespace macrame::systolic {

const Space& space() {
    static const Space kSpace = {
        {
            {{"rows", "cols"},
             {{"4", "4"},
              {"8", "8"},
              {"16", "8"},
              {"8", "16"},
              {"16", "16"},
              {"32", "16"},
              {"16", "32"},
              {"32", "32"},
              {"64", "32"}},
             "cycles of the array; everything that it costs"},
            {{"ibuf_entries"}, {{"256"}, {"512"}, {"1024"}}, "tiles of inputs; block RAM"},
            {{"wbuf_entries"}, {{"256"}, {"512"}, {"1024"}}, "tiles of weights; block RAM"},
            {{"obuf_entries"}, {{"256"}, {"512"}, {"1024"}}, "tiles of outputs; block RAM"},
            {{"axi_data_width"},
             {{"64"}, {"128"}, {"256"}},
             "cycles of memory; LUT of loads and stores"},
        },
        {},
        {4, 0, 0, 0, 1},
    };
    return kSpace;
}

}  // namespace macrame::systolic
