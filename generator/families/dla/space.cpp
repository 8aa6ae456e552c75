/// Which configurations of dla are worth trying.

#include "families/dla/tables.hpp"

namespace macrame::dla {

const Space& space() {
    static const Space kSpace = {
        {
            {{"mac_atomic_c_size", "mac_atomic_k_size"},
             {{"8", "8"},
              {"16", "8"},
              {"32", "8"},
              {"16", "16"},
              {"32", "16"},
              {"64", "16"},
              {"32", "32"},
              {"64", "32"}},
             "cycles of the MAC array, everything that it costs"},
            {{"sdp_bs_throughput", "sdp_bn_throughput"},
             {{"1", "1"}, {"2", "2"}, {"4", "4"}, {"8", "8"}, {"16", "16"}},
             "cycles of SDP; LUT and DSP of SDP"},
            {{"primary_memif_width"},
             {{"64"}, {"128"}, {"256"}, {"512"}},
             "cycles of memory; LUT of the DMAs"},
            {{"cbuf_bank_number", "cbuf_bank_depth"},
             {{"2", "256"},
              {"2", "512"},
              {"4", "256"},
              {"4", "512"},
              {"8", "256"},
              {"8", "512"},
              {"16", "256"},
              {"16", "512"}},
             "which layers fit, tiles; block RAM, LUT of the banks"},
            {{"image_enable"}, {{"false"}, {"true"}}, "cycles of first layers; LUT"},
        },
        {
            {{"cdp_enable"}, {{"false"}, {"true"}}, "local response normalisation, tables"},
            {{"pdp_enable", "pdp_throughput"},
             {{"false", "1"}, {"true", "1"}, {"true", "2"}, {"true", "4"}, {"true", "8"}},
             "pooling"},
            {{"sdp_ew_enable", "sdp_ew_throughput", "sdp_lut_enable"},
             {{"false", "none", "false"},
              {"true", "1", "false"},
              {"true", "2", "false"},
              {"true", "4", "false"},
              {"true", "1", "true"},
              {"true", "2", "true"},
              {"true", "4", "true"}},
             "element-wise operators, tables"},
            {{"row_enable", "row_throughput", "row_length"},
             {{"false", "1", "none"}, {"true", "1", "512"}, {"true", "4", "512"}},
             "softmax and norms over channels",
             true},
        },
        {3, 2, 1, 5, 1},
    };
    return kSpace;
}

}  // namespace macrame::dla
