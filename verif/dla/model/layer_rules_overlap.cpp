/// Rules of layers that write over what they read. The hardware reads ahead as far as it has room,
/// so of a byte that is replaced before its turn nobody knows which one is read. What is read up to
/// the results that replace it is safe: many layers can run in place.

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "bdma.hpp"
#include "cdp.hpp"
#include "cdp_rdma.hpp"
#include "layer_rules.hpp"
#include "pdp.hpp"
#include "pdp_rdma.hpp"
#include "row.hpp"
#include "rubik.hpp"
#include "sdp.hpp"
#include "sdp_rdma.hpp"

namespace macrame::dla::model::rules {

namespace {

/// A layer with more atoms in question takes too long to look at.
constexpr std::size_t kMostAtoms = std::size_t{1} << 23;
constexpr std::uint64_t kAtTheEnd = std::numeric_limits<std::uint64_t>::max();

std::uint64_t u64(std::int64_t v) { return static_cast<std::uint64_t>(v); }

/// Surfaces of one pixel lie one behind the other, whatever the stride.
std::uint64_t at_least(std::uint64_t stride, std::uint64_t bytes) {
    return std::max(stride, bytes);
}

/// Where something is read or written: no byte of it lies elsewhere.
struct Box {
    std::uint32_t ram_type = 1;
    std::uint64_t begin = 0, size = 0;
};

Box box(std::uint32_t ram_type, std::uint64_t base, std::int64_t line_bytes,
        std::initializer_list<std::pair<std::int64_t, std::uint64_t>> counts_and_strides) {
    Box out{ram_type, base, u64(line_bytes)};
    for (const auto& [count, stride] : counts_and_strides)
        out.size += u64(count - 1) * stride;
    return out;
}

/// The atoms that a layer reads and writes, each with a step: a result of a step is written when
/// all is read up to this step, and perhaps more.
class Accesses {
public:
    explicit Accesses(S s)
        : atom_(u64(s.atom_bytes)),
          second_(s.secondary),
          mask_(s.addr_w >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << s.addr_w) - 1) {}

    /// Is there something to look at? The boxes have a byte in common.
    bool meet(const Box& a, const Box& b) const {
        if (port(a) != port(b)) return false;
        return ((b.begin - a.begin) & mask_) < a.size || ((a.begin - b.begin) & mask_) < b.size ||
               a.size > mask_ || b.size > mask_;
    }
    void read(std::uint64_t addr, std::uint64_t bytes, std::uint64_t step) {
        add(reads_, addr, bytes, step);
    }
    void write(std::uint64_t addr, std::uint64_t bytes, std::uint64_t step) {
        add(writes_, addr, bytes, step);
    }
    bool empty() const { return reads_.empty(); }
    /// Is something written that may still have to be read?
    bool race() {
        if (reads_.size() > kMostAtoms || writes_.size() > kMostAtoms) return false;
        // The last read of an atom and its first write.
        std::sort(reads_.begin(), reads_.end());
        std::sort(writes_.begin(), writes_.end());
        auto read = reads_.begin();
        for (std::size_t i = 0; i < writes_.size(); ++i) {
            const auto [atom, step] = writes_[i];
            if (i > 0 && writes_[i - 1].first == atom) continue;
            while (read != reads_.end() && read->first < atom)
                ++read;
            while (read != reads_.end() && std::next(read) != reads_.end() &&
                   std::next(read)->first == atom)
                ++read;
            if (read != reads_.end() && read->first == atom && read->second > step) return true;
        }
        return false;
    }

private:
    using Atoms = std::vector<std::pair<std::uint64_t, std::uint64_t>>;  ///< with their steps

    std::uint32_t port(const Box& box) const { return second_ ? box.ram_type & 1u : 1u; }
    void add(Atoms& to, std::uint64_t addr, std::uint64_t bytes, std::uint64_t step) const {
        const std::uint64_t last = addr + bytes - 1;
        for (std::uint64_t a = addr / atom_; a <= last / atom_; ++a) {
            if (to.size() > kMostAtoms) return;
            to.emplace_back((a * atom_ & mask_) / atom_, step);
        }
    }

    std::uint64_t atom_;
    bool second_;
    std::uint64_t mask_;
    Atoms reads_, writes_;
};

/// Units with the registers of a layer, as the golden model reads them.
class Units {
public:
    Units(S s, L l) : layer_(l), machine_{s, memory_} { machine_.sizes.v1_map = false; }

    template <class U>
    const U& get(std::string_view name) {
        auto unit = std::make_unique<U>(machine_, name);
        const dla_regs::RegisterTable table = dla_regs::table();
        const dla_regs::UnitInfo& info = *table.unit(name);
        for (std::size_t i = info.first; i < info.first + info.count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            if (r.name != "S_POINTER" && r.name != "D_OP_ENABLE")
                unit->regs.write(r.offset, layer_.word(r.address));
        }
        machine_.units.push_back(std::move(unit));
        return *machine_.find<U>(name);
    }

private:
    L layer_;
    verif::Memory memory_;
    DeviceState machine_;
};

// ---- SDP, and PDP behind it

/// Pixels of an SDP layer in its order, with their numbers.
template <class Visit>
void each_pixel(S s, const SdpOrder& order, Visit visit) {
    std::uint64_t step = 0;
    for_each_sdp_pixel(s.atom_bytes, order,
                       [&](int surface, int h, int w, int b) { visit(surface, h, w, b, step++); });
}

int surfaces_of(S s, const SdpOrder& order) {
    return surfaces(order.elements(s.atom_bytes), order.channels);
}

/// The cube that SDP_RDMA reads.
void read_main(S s, const SdpRdmaLayer& in, const Box& to, Accesses& all) {
    const int parts = sdp_atoms_per_pixel(in.proc, in.in);
    const int count = surfaces_of(s, in) * parts;
    const std::uint64_t atom = u64(s.atom_bytes);
    const Box from = box(in.src_ram_type, in.src_addr, in.width * s.atom_bytes,
                         {{in.height, in.line_stride}, {count, at_least(in.surf_stride, atom)}});
    if (in.flying || !all.meet(from, to)) return;
    each_pixel(s, in, [&](int surface, int h, int w, int, std::uint64_t step) {
        for (int a = 0; a < parts; ++a)
            all.read(sdp_atom_addr(s.atom_bytes, in.width, in.height, in.src_addr, in.line_stride,
                                   in.surf_stride, surface * parts + a, h, w),
                     atom, step);
    });
}

/// Operands of a stage, of a pixel or of a whole surface.
void read_operands(S s, const SdpRdmaLayer& in, const SdpOperandSource& op, const Box& to,
                   Accesses& all) {
    const std::uint64_t bytes = u64(in.elements(s.atom_bytes) * op.record_bytes());
    const Box from =
        box(op.ram_type, op.addr, in.width * static_cast<std::int64_t>(bytes),
            {{in.height, op.line_stride}, {surfaces_of(s, in), at_least(op.surf_stride, bytes)}});
    if (!op.enable || !all.meet(from, to)) return;
    std::uint64_t first = 0;  // step of the surface
    each_pixel(s, in, [&](int surface, int h, int w, int b, std::uint64_t step) {
        if (h == 0 && w == 0 && b == 0) first = step;
        all.read(sdp_operand_addr(s.atom_bytes, in, op, surface, h, w, 0), bytes,
                 op.per_element ? step : first);
    });
}

/// Weights of a convolution, which are fetched until its end.
void read_weights(L l, const Box& to, Accesses& all) {
    const auto word = [&](auto reg) { return std::uint64_t{l.get<decltype(reg)>().raw}; };
    const auto port = l.get<cdma::D_WEIGHT_RAM_TYPE>().WEIGHT_RAM_TYPE();
    const auto read = [&](std::uint64_t addr, std::uint64_t bytes) {
        if (bytes != 0 && all.meet({port, addr, bytes}, to)) all.read(addr, bytes, kAtTheEnd);
    };
    read(word(cdma::D_WEIGHT_ADDR_HIGH()) << 32 | word(cdma::D_WEIGHT_ADDR_LOW()),
         word(cdma::D_WEIGHT_BYTES()));
    if (is_compressed(l))
        read(word(cdma::D_WMB_ADDR_HIGH()) << 32 | word(cdma::D_WMB_ADDR_LOW()),
             word(cdma::D_WMB_BYTES()));
}

/// All that is read in front of the results of SDP, as far as it meets them.
void read_for_sdp(S s, L l, const SdpLayer& sdp, Units& units, const Box& to, Accesses& all) {
    if (is_conv(l) && l.get<cdma::D_MISC_CFG>().WEIGHT_REUSE() == 0) read_weights(l, to, all);
    if (!l.has("SDP_RDMA")) return;
    SdpRdmaLayer in = units.get<SdpRdmaUnit>("SDP_RDMA").layer();
    in.batches = sdp.batches;
    read_main(s, in, to, all);
    for (const SdpOperandSource* op : {&in.bs, &in.bn, &in.ew})
        read_operands(s, in, *op, to, all);
}

Broken apart(bool race) {
    return want(!race, "results that replace nothing which the layer still reads");
}

Broken sdp_overlap(S s, L l) {
    Units units(s, l);
    const SdpLayer out = units.get<SdpUnit>("SDP").layer();
    if (out.to_pdp || out.ew.eql()) return std::nullopt;
    const int parts = sdp_atoms_per_pixel(out.proc, out.out);
    const Box to = box(out.dst_ram_type, out.dst_addr, out.width * s.atom_bytes,
                       {{out.height, out.line_stride},
                        {surfaces_of(s, out) * parts, at_least(out.surf_stride, u64(s.atom_bytes))},
                        {out.batches, out.batch_stride}});
    Accesses all(s);
    read_for_sdp(s, l, out, units, to, all);
    if (all.empty()) return std::nullopt;
    const std::vector<std::uint64_t> addrs = sdp_out_addrs(s.atom_bytes, out);
    for (std::size_t i = 0; i < addrs.size(); ++i)
        all.write(addrs[i], u64(s.atom_bytes), i / u64(parts));
    return apart(all.race());
}

// ---- PDP

/// Results of PDP; `step` tells of a line and a column of a strip behind how many reads they are.
void write_pooled(S s, const PdpLayer& out, Accesses& all) {
    const std::uint64_t atom = u64(s.atom_bytes);
    const int elements = s.atom_bytes / bytes_of(out.precision);
    const std::vector<PdpColumns> to = pdp_out_strips(out);
    std::uint64_t before = 0;  // atoms of the strips before
    for (std::size_t i = 0; i < to.size(); ++i) {
        const PdpColumns in = out.strips.empty() ? PdpColumns{0, out.width} : out.strips[i];
        for_each_atom(
            elements, to[i].count, out.out_height, out.channels, [&](int c, int h, int w) {
                const PdpWindow window(out, h, to[i].begin + w);
                const std::int64_t step =
                    std::int64_t{in.count} * (std::int64_t{c} * out.height + window.y1 - 1) +
                    window.x1 - 1 - in.begin;
                all.write(atom_address(s.atom_bytes, out.dst_addr, out.line_stride, out.surf_stride,
                                       c, h, to[i].begin + w),
                          atom, before + u64(step));
            });
        before += u64(std::int64_t{in.count} * out.height * surfaces(elements, out.channels));
    }
}

Broken pdp_overlap(S s, L l) {
    Units units(s, l);
    const PdpLayer out = units.get<PdpUnit>("PDP").layer();
    if (!pdp_objection(out).empty()) return std::nullopt;
    const int count = surfaces(s.atom_bytes / bytes_of(out.precision), out.channels);
    const Box to = box(out.dst_ram_type, out.dst_addr, out.out_width * s.atom_bytes,
                       {{out.out_height, out.line_stride}, {count, out.surf_stride}});
    Accesses all(s);
    if (out.flying && l.has("SDP")) {
        read_for_sdp(s, l, units.get<SdpUnit>("SDP").layer(), units, to, all);
    } else if (!out.flying && l.has("PDP_RDMA")) {
        const PdpRdmaLayer in = units.get<PdpRdmaUnit>("PDP_RDMA").layer();
        const Box from = box(in.src_ram_type, in.src_addr, in.width * s.atom_bytes,
                             {{in.height, in.line_stride}, {count, in.surf_stride}});
        if (!all.meet(from, to)) return std::nullopt;
        std::uint64_t step = 0;
        for (const std::uint64_t addr : pdp_rdma_atoms(s.atom_bytes, in))
            all.read(addr, u64(s.atom_bytes), step++);
    }
    if (all.empty()) return std::nullopt;
    write_pooled(s, out, all);
    return apart(all.race());
}

// ---- CDP, ROW, RUBIK, BDMA

/// A unit that reads and writes pixel by pixel, all surfaces of one before the next.
template <class Layer>
Broken pixels_overlap(S s, const Layer& layer, int count) {
    const std::int64_t line = layer.width * s.atom_bytes;
    Accesses all(s);
    if (!all.meet(box(layer.src_ram_type, layer.src_addr, line,
                      {{layer.height, layer.src_line}, {count, layer.src_surf}}),
                  box(layer.dst_ram_type, layer.dst_addr, line,
                      {{layer.height, layer.dst_line}, {count, layer.dst_surf}})))
        return std::nullopt;
    std::uint64_t step = 0;
    for (int h = 0; h < layer.height; ++h) {
        for (int w = 0; w < layer.width; ++w) {
            for (int c = 0; c < count; ++c, ++step) {
                all.read(atom_address(s.atom_bytes, layer.src_addr, layer.src_line, layer.src_surf,
                                      c, h, w),
                         u64(s.atom_bytes), step);
                all.write(atom_address(s.atom_bytes, layer.dst_addr, layer.dst_line, layer.dst_surf,
                                       c, h, w),
                          u64(s.atom_bytes), step);
            }
        }
    }
    return apart(all.race());
}

Broken cdp_overlap(S s, L l) {
    if (!l.has("CDP_RDMA")) return std::nullopt;
    Units units(s, l);
    units.get<CdpRdmaUnit>("CDP_RDMA");
    const CdpLayer layer = units.get<CdpUnit>("CDP").layer();
    return pixels_overlap(s, layer,
                          surfaces(s.atom_bytes / bytes_of(layer.precision), layer.channels));
}

Broken row_overlap(S s, L l) {
    Units units(s, l);
    const RowLayer layer = units.get<RowUnit>("ROW").layer();
    return pixels_overlap(s, layer, surfaces(s.atom_bytes, layer.channels));
}

Broken rubik_overlap(S s, L l) {
    Units units(s, l);
    const RubikLayer layer = units.get<RubikUnit>("RUBIK").layer();
    const bool contract = layer.mode == RubikMode::contract;
    const int elements = s.atom_bytes / layer.element_bytes;
    const int count = surfaces(elements, layer.channels);
    const std::int64_t line = layer.width * s.atom_bytes;
    const Box features_in = box(layer.src_ram_type, layer.src_addr, line,
                                {{layer.height, layer.src_line},
                                 {count, layer.src_surf},
                                 {contract ? layer.stride_x * layer.stride_y : 1, layer.contract}});
    const Box planes_in = box(layer.src_ram_type, layer.src_addr, line,
                              {{layer.height, layer.src_line}, {layer.channels, layer.src_planar}});
    const Box features_out =
        box(layer.dst_ram_type, layer.dst_addr, line * (contract ? layer.stride_x : 1),
            {{layer.height * (contract ? layer.stride_y : 1), layer.dst_line},
             {count, layer.dst_surf}});
    const Box planes_out =
        box(layer.dst_ram_type, layer.dst_addr, line,
            {{layer.height, layer.dst_line}, {layer.channels, layer.dst_planar}});
    Accesses all(s);
    if (!all.meet(layer.mode == RubikMode::merge ? planes_in : features_in,
                  layer.mode == RubikMode::split ? planes_out : features_out))
        return std::nullopt;
    std::uint64_t step = 0;
    rubik_layer(
        s.atom_bytes, layer,
        [&](std::uint64_t addr, std::uint8_t*, std::size_t bytes) {
            all.read(addr, bytes, ++step);
        },
        [&](std::uint64_t addr, const std::uint8_t*, std::size_t bytes) {
            all.write(addr, bytes, step);
        });
    return apart(all.race());
}

Broken bdma_overlap(S s, L l) {
    Units units(s, l);
    const BdmaCopy copy = units.get<BdmaUnit>("BDMA").described();
    const std::int64_t line = std::int64_t{copy.units} * kBdmaUnit;
    Accesses all(s);
    if (!all.meet(box(copy.src_ram_type, copy.src_addr, line,
                      {{copy.lines, copy.src_line}, {copy.surfaces, copy.src_surf}}),
                  box(copy.dst_ram_type, copy.dst_addr, line,
                      {{copy.lines, copy.dst_line}, {copy.surfaces, copy.dst_surf}})))
        return std::nullopt;
    std::uint64_t step = 0;
    const std::uint64_t atom = u64(s.atom_bytes);
    for_each_line(copy, [&](std::uint64_t from, std::uint64_t to) {
        for (std::uint64_t at = 0; at < u64(line); at += atom, ++step) {
            all.read(from + at, atom, step);
            all.write(to + at, atom, step);
        }
    });
    return apart(all.race());
}

constexpr const char* kOrder = "order of memory accesses";

}  // namespace

void add_overlap(Rules& out) {
    stop<sdp::D_DST_BASE_ADDR_LOW>(out, "overlap", kOrder, sdp_overlap);
    stop<pdp::D_DST_BASE_ADDR_LOW>(out, "overlap", kOrder, pdp_overlap);
    stop<cdp::D_DST_BASE_ADDR_LOW>(out, "overlap", kOrder, cdp_overlap);
    stop<row::D_DST_BASE_ADDR_LOW>(out, "overlap", kOrder, row_overlap);
    stop<rubik::D_DAOUT_ADDR_LOW>(out, "overlap", kOrder, rubik_overlap);
    stop<bdma::CFG_DST_ADDR_LOW>(out, "overlap", kOrder, bdma_overlap);
}

}  // namespace macrame::dla::model::rules
