/// Where the original hardware fails a legal program. What has to do with reading registers is in
/// layer_follower.cpp.

#include "layer_rules.hpp"

namespace macrame::dla::model::rules {

namespace {

constexpr const char* kSource = "defects of the original hardware";

/// A client of a memory port.
struct Client {
    const char* weight;  ///< field
    unsigned lsb;
    bool (*used)(L);
    std::uint32_t (*ram_type)(L);
};

const Client kReadClients0[] = {
    {"RD_WEIGHT_SDP", 8, [](L l) { return l.has("SDP_RDMA") && offline(l); },
     [](L l) { return l.get<rdma::D_SRC_DMA_CFG>().SRC_RAM_TYPE(); }},
    {"RD_WEIGHT_PDP", 16, [](L l) { return l.has("PDP_RDMA"); },
     [](L l) { return l.get<pdp_rdma::D_SRC_RAM_CFG>().SRC_RAM_TYPE(); }},
    {"RD_WEIGHT_CDP", 24, [](L l) { return l.has("CDP_RDMA"); },
     [](L l) { return l.get<cdp_rdma::D_SRC_DMA_CFG>().SRC_RAM_TYPE(); }},
};
const Client kReadClients1[] = {
    {"RD_WEIGHT_SDP_B", 0, [](L l) { return l.has("SDP_RDMA") && bs_stream(l).on; },
     [](L l) { return l.get<rdma::D_BRDMA_CFG>().BRDMA_RAM_TYPE(); }},
    {"RD_WEIGHT_SDP_N", 8, [](L l) { return l.has("SDP_RDMA") && bn_stream(l).on; },
     [](L l) { return l.get<rdma::D_NRDMA_CFG>().NRDMA_RAM_TYPE(); }},
    {"RD_WEIGHT_SDP_E", 16, [](L l) { return l.has("SDP_RDMA") && ew_stream(l).on; },
     [](L l) { return l.get<rdma::D_ERDMA_CFG>().ERDMA_RAM_TYPE(); }},
    {"RD_WEIGHT_CDMA_DAT", 24, [](L l) { return l.has("CDMA") && !data_kept(l); },
     [](L l) { return l.get<cdma::D_DAIN_RAM_TYPE>().DATAIN_RAM_TYPE(); }},
};
const Client kReadClients2[] = {
    {"RD_WEIGHT_CDMA_WT", 0, [](L l) { return l.has("CDMA"); },
     [](L l) { return l.get<cdma::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE(); }},
};
const Client kWriteClients0[] = {
    {"WR_WEIGHT_SDP", 8, [](L l) { return l.has("SDP") && to_memory(l); },
     [](L l) { return l.get<sdp::D_DST_DMA_CFG>().DST_RAM_TYPE(); }},
    {"WR_WEIGHT_PDP", 16, [](L l) { return l.has("PDP"); },
     [](L l) { return l.get<pdp::D_DST_RAM_CFG>().DST_RAM_TYPE(); }},
    {"WR_WEIGHT_CDP", 24, [](L l) { return l.has("CDP"); },
     [](L l) { return l.get<cdp::D_DST_DMA_CFG>().DST_RAM_TYPE(); }},
};

/// The original never grants a client of weight 0.
template <class Weights, std::size_t N>
void add_weights(Rules& out, bool primary, const Client (&clients)[N]) {
    hint<Weights>(out, "original-port-weight", kSource, [primary, &clients](S s, L l) {
        if (!primary && !s.secondary) return Broken();
        for (const Client& c : clients) {
            if (!c.used(l) || (s.secondary && (c.ram_type(l) != 0) != primary)) continue;
            if ((l.word(Weights::kAddress) >> c.lsb & 0xFFu) == 0) {
                return want(false, c.weight, " at least 1: the layer would wait for ever");
            }
        }
        return Broken();
    });
}

}  // namespace

void add_original(Rules& out) {
    hint<cdma::D_BANK>(out, "original-weight-tail", kSource, [](S s, L l) {
        const std::int64_t tail = l.before.weights.tail_before(weight_use(s, l));
        return want(tail == 0, "other banks than before: ", tail,
                    " entries of weight tail would be in front of the weights");
    });
    hint<cdma::D_MISC_CFG>(out, "original-moved-weights", kSource, [](S s, L l) {
        return want(!l.before.weights.asks_for_moved(weight_use(s, l)),
                    "WEIGHT_REUSE 0: weights kept for other banks would stay counted for ever");
    });
    hint<cdma::D_BANK>(out, "original-lost-weights", kSource, [](S s, L l) {
        return want(!l.before.weights.blocked(weight_use(s, l)),
                    "more weight banks: tails and kept weights of layers before would fill these");
    });
    hint<cdma::D_BANK>(out, "original-idle-release", kSource, [](S s, L l) {
        const WeightUse use = weight_use(s, l);
        return want(!l.before.weights.may_block(use) || l.before.weights.blocked(use),
                    "more weight banks: weights given back while CDMA was idle would fill these");
    });
    add_weights<dla_regs::mcif::CFG_RD_WEIGHT_0>(out, true, kReadClients0);
    add_weights<dla_regs::mcif::CFG_RD_WEIGHT_1>(out, true, kReadClients1);
    add_weights<dla_regs::mcif::CFG_RD_WEIGHT_2>(out, true, kReadClients2);
    add_weights<dla_regs::mcif::CFG_WR_WEIGHT_0>(out, true, kWriteClients0);
    add_weights<dla_regs::cvif::CFG_RD_WEIGHT_0>(out, false, kReadClients0);
    add_weights<dla_regs::cvif::CFG_RD_WEIGHT_1>(out, false, kReadClients1);
    add_weights<dla_regs::cvif::CFG_RD_WEIGHT_2>(out, false, kReadClients2);
    add_weights<dla_regs::cvif::CFG_WR_WEIGHT_0>(out, false, kWriteClients0);
}

}  // namespace macrame::dla::model::rules
