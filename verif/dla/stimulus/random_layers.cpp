#include "random_layers.hpp"

#include <optional>
#include <vector>

#include "dla_regs.hpp"
#include "program_builder.hpp"
#include "random_bdma.hpp"
#include "random_cdp.hpp"
#include "random_conv.hpp"
#include "random_pdp.hpp"
#include "random_row.hpp"
#include "random_rubik.hpp"
#include "random_sdp.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

constexpr std::uint32_t kOnlySdp = 0x3F03FC, kCdpBits = 0xC, kPdpBits = 0x30;
constexpr std::uint32_t kBdmaBits = 0xC0, kRubikBits = 0x300, kRowBits = 0xC00;

/// What begins a layer.
enum class Kind { conv, sums, sdp, pdp, cdp, rubik, bdma, row };

/// Arbitration weights and limits of requests in flight of a port.
void memory_port(ProgramBuilder& b, const std::string& unit) {
    for (const char* name : {"CFG_RD_WEIGHT_0", "CFG_RD_WEIGHT_1", "CFG_RD_WEIGHT_2",
                             "CFG_WR_WEIGHT_0", "CFG_WR_WEIGHT_1"}) {
        std::uint32_t value = 0;
        for (int byte = 0; byte < 4; ++byte) {
            const int least = b.options.original_safe ? 1 : 0;
            const int weight = b.random.chance(5) ? least : b.random.low(1, 255);
            value |= static_cast<std::uint32_t>(weight) << (8 * byte);
        }
        b.write(unit + "." + name, value);
    }
    const auto reads = static_cast<std::uint32_t>(b.random.low(3, 255));
    const auto writes = static_cast<std::uint32_t>(b.random.low(3, 255));
    b.write(unit + ".CFG_OUTSTANDING_CNT",
            regs::mcif::CFG_OUTSTANDING_CNT(0).RD_OS_CNT(reads).WR_OS_CNT(writes).raw);
}

/// What has no effect on results.
void memory_interface(ProgramBuilder& b) {
    memory_port(b, "MCIF");
    if (b.sizes.secondary) memory_port(b, "CVIF");
    b.put(regs::cdma::S_ARBITER(0)
              .ARB_WEIGHT(static_cast<std::uint32_t>(b.random.in(1, 15)))
              .ARB_WMB(static_cast<std::uint32_t>(b.random.in(1, 15))));
}

std::vector<Kind> plan(ProgramBuilder& b, int layers) {
    std::vector<Kind> kinds;
    for (int i = 0; i < layers; ++i) {
        const bool conv = b.options.convolution && (!b.options.offline_sdp || b.random.chance(75));
        const bool cdp = b.sizes.cdp && b.options.cdp && b.random.chance(30);
        const bool pdp = !cdp && b.sizes.pdp && b.options.pdp && b.random.chance(25);
        const bool sums = conv && (b.sizes.int8 || b.sizes.int16) && b.random.chance(30);
        // One more layer, unless their number is given; in front it ends no reuse of data.
        if (sums && b.options.layers == 0) {
            kinds.insert(b.random.chance(60) ? kinds.begin() : kinds.end(), Kind::sums);
        }
        const bool instead = sums && b.options.layers > 0 && b.random.chance(50);
        Kind kind = instead ? Kind::sums
                    : cdp   ? Kind::cdp
                    : pdp   ? Kind::pdp
                    : conv  ? Kind::conv
                            : Kind::sdp;
        if (b.sizes.rubik() && b.options.rubik && b.random.chance(20)) kind = Kind::rubik;
        if (b.sizes.bdma && b.options.bdma && b.random.chance(20)) kind = Kind::bdma;
        if (b.sizes.row && b.options.row && b.random.chance(25)) kind = Kind::row;
        kinds.push_back(kind);
    }
    return kinds;
}

/// Before the first layer.
void prepare(ProgramBuilder& b, const std::vector<Kind>& kinds) {
    for (const Kind kind : kinds) {
        if (kind != Kind::conv && kind != Kind::sums) continue;
        b.poll("CDMA.S_CBUF_FLUSH_STATUS", 1, 0xFFFFFFFFu);
        break;
    }
    if (b.sizes.addr_w > 32 && b.random.chance(50)) {
        const std::uint64_t bits = (std::uint64_t{1} << (b.sizes.addr_w - 32)) - 1;
        b.set_high_address((b.random.word() & bits) << 32);
    }
    if (b.random.chance(20)) b.scribble_layers();
    if (b.sizes.sdp_lut) load_sdp_tables(b);
}

Unit writer_of(Kind kind) {
    switch (kind) {
        case Kind::conv:
        case Kind::sums:
        case Kind::sdp:
            break;
        case Kind::pdp:
            return Unit::pdp;
        case Kind::cdp:
            return Unit::cdp;
        case Kind::rubik:
            return Unit::rubik;
        case Kind::bdma:
            return Unit::bdma;
        case Kind::row:
            return Unit::row;
    }
    return Unit::sdp;
}

}  // namespace

RandomProgram random_layers(const dla::model::Architecture& sizes, const RandomOptions& options) {
    ProgramBuilder b(sizes, options);
    b.only_last_units = b.random.chance(60);
    const std::uint32_t last_units = (sizes.cdp ? kCdpBits : 0u) | (sizes.pdp ? kPdpBits : 0u) |
                                     (sizes.rubik() ? kRubikBits : 0u) |
                                     (sizes.bdma ? kBdmaBits : 0u) | (sizes.row ? kRowBits : 0u);
    b.put(regs::glb::S_INTR_MASK(b.only_last_units ? (kOnlySdp | (sizes.row ? kRowBits : 0u)) & ~last_units : 0));
    if (b.random.chance(40)) memory_interface(b);
    const int layers = options.layers > 0 ? options.layers : b.random.in(2, 6);
    const std::vector<Kind> kinds = plan(b, layers);
    prepare(b, kinds);
    std::optional<Conv> before;  // the last convolution
    for (const Kind kind : kinds) {
        b.begin_layer(writer_of(kind));
        switch (kind) {
            case Kind::conv:
            case Kind::sums:
                if (!make_conv(b, before, kind == Kind::sums)) make_sdp(b);
                break;
            case Kind::sdp:
                make_sdp(b);
                break;
            case Kind::pdp:
                make_pdp(b);
                break;
            case Kind::cdp:
                make_cdp(b);
                break;
            case Kind::rubik:
                make_rubik(b);
                break;
            case Kind::bdma:
                make_bdma(b);
                break;
            case Kind::row:
                make_row(b);
                break;
        }
        if (b.random.chance(20)) b.wait_layer(b.layer());
    }
    b.finish();
    return b.take_program();
}

trace::Trace random_program(const dla::model::Architecture& sizes, std::uint64_t seed,
                            bool original_safe) {
    RandomOptions options;
    options.seed = seed;
    options.original_safe = original_safe;
    return random_layers(sizes, options).program;
}

}  // namespace macrame::dla::stimulus
