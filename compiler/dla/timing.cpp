#include "compiler/dla/timing.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <variant>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/fetch.hpp"
#include "compiler/dla/registers.hpp"
#include "compiler/dla/stripes.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

namespace {

using program::Code;
using program::Command;

// Cycles of the driver on CSB and of the pipelines, as in the headers of the units.
constexpr double kServe = 11;       ///< an interrupt until its status is read ...
constexpr double kAccesses = 2.4;   ///< ... and cleared
constexpr double kToBuffer = 11;    ///< enable to first request, answer to CBUF and CSC
constexpr double kNext = 31;        ///< CDMA from all in CBUF to the next layer
constexpr double kToMac = 10;       ///< CSC ...
constexpr double kExpand = 9;       ///< ... and more where weights may be compressed
constexpr double kTurn = 10;        ///< CSC from its last beat to the next layer
constexpr double kMasks = 21;       ///< more until the first weights, where they are compressed
constexpr double kToSdp = 8;        ///< CACC
constexpr double kStage = 7;        ///< each of SDP's
constexpr double kTableStage = 26;  ///< EW with a table, on top
constexpr double kPooled = 45;      ///< PDP
constexpr double kRowStages = 30;   ///< ROW
constexpr double kWritten = 12;     ///< last element to memory, answer to interrupt
constexpr double kSdpTurn = 27;     ///< SDP between two layers ...
constexpr double kEwTurn = 13;      ///< ... and more where it has EW
constexpr double kPdpFetch = 20;    ///< PDP: more from a request to room for the next one
constexpr double kSdpFetch = 9;     ///< SDP alone: enable to first request, answer to SDP
/// Rows of CBUF that are clear when the first command is accepted: behind a reset the register
/// files write their reset values first, tables take longer.
constexpr int kFlushedWithTable = 253, kFlushed = 123;

/// How far the units behind CBUF are.
struct Progress {
    double beat = 0;       ///< the last beat has left CSC
    double last_step = 0;  ///< its step has begun: weights of the next one may be loaded
    double drained = 0;    ///< SDP has all positions
    double loaded = 0;     ///< weights of the next step

    void move(double cycles) {
        for (double* time : {&beat, &last_step, &drained, &loaded})
            *time += cycles;
    }
    bool operator==(const Progress& other) const {
        return beat == other.beat && last_step == other.last_step && drained == other.drained &&
               loaded == other.loaded;
    }
};

/// A convolution behind CBUF.
class Convolution {
public:
    Convolution(const model::Architecture& sizes, const ConvLayer& c)
        : sizes_(sizes), c_(c), steps_(steps_of(sizes, c)) {
        const Pixels* pixels = std::get_if<Pixels>(&c.input);
        height_ = pixels != nullptr ? pixels->height : std::get<Cube>(c.input).height;
        per_position_ = std::max<double>(div_up(sizes.atomic_k, sdp_throughput(sizes, c.post)),
                                         atom_cycles(sizes));
        if (c.pool) {  // PDP behind SDP takes the positions at its own pace
            per_position_ = std::max<double>(
                per_position_, static_cast<double>(sizes.atomic_k) / sizes.pdp_throughput);
        }
    }

    int groups() const { return div_up(c_.kernels, sizes_.atomic_k); }

    /// Runs a group.
    void run(int group, Fetch& fetch, Progress& at) {
        const int kernels = std::min(sizes_.atomic_k, c_.kernels - group * sizes_.atomic_k);
        const int load = least_step(sizes_, c_, kernels);
        const int count = steps_.count();
        const bool late = fetch.weights_at(group, 1.0) > at.beat;
        at.loaded = std::max(std::max(at.last_step, fetch.weights_at(group, 0.0)) + load,
                             fetch.weights_at(group, 1.0 / count));
        const std::vector<double>& cycles = cycles_before_last(load);
        for (std::size_t i = 0; i < steps_.stripes.size(); ++i) {
            Stripe left = steps_.stripes[i];
            while (left.count > 0) {
                Stripe next = left;
                next.count = 1;
                const double begin = std::max(at.beat, at.loaded);
                const bool fresh = next.first == 0;  // loads weights that may not be there
                const bool all_there = group != 0 || begin >= fetch.data_end();
                // Shares of a step of an image are no whole numbers of cycles.
                const bool there =
                    all_there || (next.slots.empty() && begin >= fetch.line_at(last_line(next)));
                if (!there || (fresh && (late || c_.masks))) {
                    run_steps(group, next, load, late, fetch, at);
                } else {
                    if (all_there) next.count = left.count;
                    run_alike(next, load, cycles[i], at);
                }
                left.first += next.count * next.length;
                left.count -= next.count;
            }
        }
    }

private:
    /// Of the input: what a line of the output reads last in a step from a kernel row on. Less than
    /// 0: only borders.
    int line_of(int y, int row) const {
        const int last_row = std::min(row + c_.rows_per_step, c_.kernel_h) - 1;
        return std::min(y * c_.stride_h + last_row * c_.dilation_h - c_.top, height_ - 1);
    }
    /// The last one that a stripe waits for, in all its steps.
    int last_line(const Stripe& stripe) const {
        return std::max(0, line_of((stripe.first + stripe.length - 1) / c_.out_w, c_.kernel_h));
    }

    /// Steps that may have to wait, each of them.
    void run_steps(int group, const Stripe& stripe, int load, bool late, Fetch& fetch,
                   Progress& at) const {
        const bool fresh = stripe.first == 0;
        const int count = steps_.count();
        for (int step = 0; step < count; ++step) {
            at.last_step = std::max(at.beat, at.loaded);
            at.loaded = at.last_step + load;
            if (fresh && late && step + 1 < count)
                at.loaded = std::max(at.loaded, fetch.weights_at(group, (step + 2.0) / count));
            at.beat = group == 0 ? beats(at.last_step, stripe, step, fetch)
                                 : at.last_step + stripe.slots_of(step);
            if (group == 0 && fresh && step == 0 && c_.masks) at.beat += kMasks;
        }
        drain(stripe, at);
    }

    /// Of the steps of each stripe in front of its last one, where nothing is waited for.
    const std::vector<double>& cycles_before_last(int load) {
        std::vector<double>& out = cycles_before_last_[load];
        if (!out.empty()) return out;
        for (const Stripe& stripe : steps_.stripes) {
            out.push_back((steps_.count() - 1.0) * std::max(stripe.length, load));
            if (stripe.slots.empty()) continue;
            out.back() = 0;
            for (std::size_t step = 0; step + 1 < stripe.slots.size(); ++step)
                out.back() += std::max(stripe.slots[step], load);
        }
        return out;
    }

    /// Stripes that wait for nothing; `cycles` are those in front of the last step. As soon as each
    /// is as far behind the one before in all that counts, so are the rest.
    void run_alike(const Stripe& stripe, int load, double cycles, Progress& at) const {
        for (int left = stripe.count; left > 0; --left) {
            Progress before = at;
            at.last_step = std::max(at.beat, at.loaded) + cycles;
            at.loaded = at.last_step + load;
            at.beat = at.last_step + stripe.slots_of(steps_.count() - 1);
            drain(stripe, at);
            const double later = at.beat - before.beat;
            before.move(later);
            if (!(before == at)) continue;
            at.move(later * (left - 1));
            return;
        }
    }

    /// The last step waits for room in CACC: SDP takes a position after the other.
    void drain(const Stripe& stripe, Progress& at) const {
        const double length = stripe.length;
        at.beat = std::max(at.beat, at.drained - (cacc_depth(sizes_) - length) * per_position_);
        at.drained = std::max({at.drained + length * per_position_,
                               at.last_step + to_sdp() + length * per_position_,
                               at.beat + to_sdp() + per_position_});
    }

    /// From CSC to SDP.
    double to_sdp() const {
        return kToMac + (sizes_.compression ? kExpand : 0) + to_accumulator() + kToSdp;
    }
    /// CMAC; a mix of types takes a cycle more of CSC.
    double to_accumulator() const {
        if (!sizes_.types16()) return 3 + sizes_.atomic_c / 4.0;
        return (sizes_.fp16 ? 13 : 6) + (sizes_.atomic_c > 16 ? 1 : 0) + 1;
    }

    /// A step; each position waits for its line.
    double beats(double t, const Stripe& stripe, int step, const Fetch& fetch) const {
        const double slots = stripe.slots_of(step);
        if (t >= fetch.data_end()) return t + slots;
        const int row = steps_.row(step) * c_.rows_per_step;
        const int stripe_end = stripe.first + stripe.length;
        for (int p = stripe.first; p < stripe_end;) {
            const int y = p / c_.out_w;
            const int end = std::min(stripe_end, (y + 1) * c_.out_w);
            const int line = line_of(y, row);
            if (line >= 0) t = std::max(t, fetch.line_at(line));
            t += slots * (end - p) / stripe.length;
            p = end;
        }
        return t;
    }

    const model::Architecture& sizes_;
    const ConvLayer& c_;
    const ConvSteps steps_;
    std::map<int, std::vector<double>> cycles_before_last_;  ///< by cycles that loading takes
    int height_ = 0;
    double per_position_ = 1;
};

double sdp_stages(const model::Architecture& sizes, const PostProcess& post) {
    return 7 + (post.bs.bypass ? 0 : kStage) + (post.bn.bypass ? 0 : kStage) +
           (post.ew.bypass ? 0 : kStage + (sizes.sdp_lut ? kTableStage : 0));
}

/// A layer of SDP alone and what it asks of the memory port.
struct Streams {
    std::size_t layer = 0;
    double end = 0;     ///< of its reads
    double slack = 0;   ///< SDP works for so long behind it
    double demand = 0;  ///< share of the port's cycles
    int count = 0;      ///< read channels
    int in_flight = 1;  ///< atoms of each
};

/// Atoms in flight of a read channel of SDP with so many elements per cycle.
int in_flight(const model::Architecture& sizes, int throughput) {
    const int latency =
        std::max(sizes.memif_latency, sizes.secondary ? sizes.secondary_latency : 0) + 8;
    const int atoms = std::min(latency, div_up(latency * throughput, sizes.atom_bytes));
    int out = 16;
    while (out < atoms && out < 512)
        out *= 2;
    return out;
}

/// Share of the port that streams get while CDMA asks for all it can have. Where it asks for more
/// than a beat per cycle the answers queue up, and a stream gets what it may have in flight out of
/// all that is in flight; else turns are fair.
double share_beside_cdma(const model::Architecture& sizes, const Streams& streams) {
    const bool bridge = sizes.axi_bytes != 0 && sizes.axi_bytes < sizes.atom_bytes;
    double out = std::min(streams.demand, streams.count / (streams.count + 2.0));
    if (sizes.max_burst > 1 || bridge)
        out = std::min(out, streams.count * streams.in_flight / (bridge ? 128.0 : 256.0));
    return out;
}

class Simulation {
public:
    Simulation(const model::Architecture& sizes, const std::vector<Layer>& layers, int latency)
        : sizes_(sizes), layers_(layers), memory_(latency), ends_(layers.size(), 0.0) {}

    std::vector<std::uint64_t> run(const std::vector<Command>& commands) {
        std::size_t current = 0, waited = 0;
        bool polled = false;
        const int flushed = sizes_.cdp || sizes_.sdp_lut ? kFlushedWithTable : kFlushed;
        for (const Command& command : commands) {
            switch (command.code) {
                case Code::begin_layer:
                    current = command.value;
                    break;
                case Code::poll:
                    if (!polled)
                        now_ = std::max<double>(now_ + kServe, sizes_.cbuf_depth - flushed);
                    polled = true;
                    break;
                case Code::wait:
                    while (waited < current && is_host(waited))
                        ++waited;
                    serve(ends_[std::min(waited++, ends_.size() - 1)]);
                    break;
                case Code::host:
                    ends_[current] = now_;
                    break;
                case Code::unit:
                    break;
                default:
                    now_ += sizes_.control_cycles;
                    if (starts(current, command)) begin(current);
            }
        }
        std::vector<std::uint64_t> out;
        for (const double end : ends_)
            out.push_back(static_cast<std::uint64_t>(end + 0.5));
        return out;
    }

private:
    bool is_host(std::size_t layer) const {
        return std::holds_alternative<HostLayer>(layers_[layer].work);
    }

    /// The driver looks for the interrupt of a layer that ended or will end at that time.
    void serve(double end) {
        if (end > seen_) {
            now_ = std::max(now_, end) + kServe + kAccesses * sizes_.control_cycles;
            seen_ = now_;
        }
    }

    /// Does the write start the first unit of the layer, the one that reads memory?
    bool starts(std::size_t layer, const Command& command) const {
        const auto& work = layers_[layer].work;
        const Unit unit = std::holds_alternative<ConvLayer>(work)    ? Unit::cdma
                          : std::holds_alternative<SdpLayer>(work)   ? Unit::sdp_rdma
                          : std::holds_alternative<CdpLayer>(work)   ? Unit::cdp_rdma
                          : std::holds_alternative<RubikLayer>(work) ? Unit::rubik
                          : std::holds_alternative<RowLayer>(work)   ? Unit::row
                                                                     : Unit::pdp_rdma;
        return command.code == Code::write && command.value == 1 &&
               command.address == enable_register(unit);
    }

    void begin(std::size_t layer) {
        const auto& work = layers_[layer].work;
        if (const ConvLayer* conv = std::get_if<ConvLayer>(&work)) {
            ends_[layer] = convolution(*conv);
        } else if (const SdpLayer* sdp = std::get_if<SdpLayer>(&work)) {
            sdp_alone(layer, *sdp);
        } else if (const RowLayer* row = std::get_if<RowLayer>(&work)) {
            const Bounds b = bounds(sizes_, layers_[layer]);
            const double busy = std::max(static_cast<double>(b.most()),
                                         waits(b.read_bytes, sizes_.row_throughput, kSdpFetch));
            // The last row goes through all three passes.
            const auto last = static_cast<double>(2 * row_cycles(sizes_, *row));
            row_free_ = std::max(now_, row_free_) + kSdpFetch + memory_ + busy + last + kRowStages;
            ends_[layer] = row_free_ + kWritten + memory_;
        } else {
            double& free = std::holds_alternative<CdpLayer>(work)     ? cdp_free_
                           : std::holds_alternative<RubikLayer>(work) ? rubik_free_
                                                                      : pdp_free_;
            const Bounds b = bounds(sizes_, layers_[layer]);
            const bool pdp = std::holds_alternative<PdpLayer>(work);
            const int throughput = pdp                                      ? sizes_.pdp_throughput
                                   : std::holds_alternative<CdpLayer>(work) ? sizes_.cdp_throughput
                                                                            : sizes_.atom_bytes;
            const double busy =
                std::max(static_cast<double>(b.most()),
                         waits(b.read_bytes, throughput, kSdpFetch + (pdp ? kPdpFetch : 0)));
            free = std::max(now_, free) + kSdpFetch + memory_ + busy + 2 * kStage;
            ends_[layer] = free + kWritten + memory_;
        }
    }

    /// When SDP can take the first element of a layer.
    double next_sdp() const { return sdp_free_ + kSdpTurn + (sizes_.sdp_ew ? kEwTurn : 0); }

    /// Cycles of a read channel: what is in flight has to last for the latency of memory.
    double waits(std::uint64_t bytes, int throughput, double more) const {
        const double atoms = static_cast<double>(bytes) / sizes_.atom_bytes;
        return atoms * (memory_ + more) / in_flight(sizes_, throughput);
    }

    void sdp_alone(std::size_t layer, const SdpLayer& sdp) {
        const Bounds b = bounds(sizes_, layers_[layer]);
        Streams streams;
        streams.layer = layer;
        streams.count = 1;
        for (const auto* operands : {&sdp.post.bs.memory, &sdp.post.bn.memory, &sdp.post.ew.memory})
            streams.count += *operands && (*operands)->per_element ? 1 : 0;
        streams.in_flight = in_flight(sizes_, sdp_throughput(sizes_, sdp.post));
        const double atoms = static_cast<double>(b.write_bytes) / sizes_.atom_bytes;
        const double memory = static_cast<double>(b.memory);
        const double busy =
            std::max(static_cast<double>(b.most()),
                     waits(b.write_bytes, sdp_throughput(sizes_, sdp.post), kSdpFetch));
        // Reading begins while SDP is at work for the layer before, and is ahead by what is in
        // flight.
        const double first = std::max(now_, streams_.end) + kSdpFetch + memory_;
        const double done = std::max(first, next_sdp()) + busy;
        streams.end = std::max(first + memory, done - busy / atoms * streams.in_flight);
        streams.demand = memory / std::max(memory, streams.end - first);
        streams.slack = done - streams.end;
        sdp_free_ = done + sdp_stages(sizes_, sdp.post);
        ends_[layer] = sdp_free_ + kWritten + memory_;
        streams_ = streams;
    }

    /// A layer of SDP alone still reads when CDMA begins: both take longer.
    void share_port(Fetch& fetch) {
        const double left = streams_.end - fetch.begin();
        if (left <= 0 || streams_.demand <= 0) return;
        const double share = share_beside_cdma(sizes_, streams_);
        const double pace = share / streams_.demand;
        const double both = std::min((fetch.settled() - fetch.begin()) / (1 - share), left / pace);
        fetch.slow_down(both, 1 - share);
        const double more = both * (1 - pace);
        streams_.end += more;
        const double late = std::max(0.0, more - streams_.slack);
        sdp_free_ += late;
        ends_[streams_.layer] += late;
    }

    double convolution(const ConvLayer& c) {
        double start = std::max(now_, fetched_ + kNext);
        const bool moved = c.buffer.data_banks != banks_.data_banks ||
                           c.buffer.weight_banks != banks_.weight_banks;
        if (moved) start = std::max(start, csc_end_ + 2);
        banks_ = c.buffer;
        Convolution conv(sizes_, c);
        Fetch fetch(sizes_, c, start + kToBuffer + memory_, moved ? start : csc_end_, held_);
        share_port(fetch);
        Progress at{csc_end_ + kTurn, csc_end_ + kTurn, next_sdp(), 0};
        for (int group = 0; group < conv.groups(); ++group) {
            conv.run(group, fetch, at);
            fetch.release(at.beat);
        }
        csc_end_ = std::max(at.beat, fetch.end());
        fetched_ = fetch.end();
        held_ = fetch.held();
        sdp_free_ = at.drained + sdp_stages(sizes_, c.post);
        return sdp_free_ + (c.pool ? kPooled : 0) + kWritten + memory_;
    }

    const model::Architecture& sizes_;
    const std::vector<Layer>& layers_;
    const double memory_;  ///< from a request to its answer, both ways of the port
    std::vector<double> ends_;
    double now_ = 0;                    ///< of the driver
    double seen_ = 0;                   ///< what ended before is known to it
    double fetched_ = 0, csc_end_ = 0;  ///< of the convolution before
    double sdp_free_ = 0, pdp_free_ = 0, cdp_free_ = 0, rubik_free_ = 0, row_free_ = 0;
    Streams streams_;  ///< the last ones
    CbufPlan banks_{0, 0, 0};
    Held held_;
};

}  // namespace

std::vector<std::uint64_t> layer_ends(const model::Architecture& sizes,
                                      const std::vector<Layer>& layers,
                                      const std::vector<Command>& commands, int latency) {
    return Simulation(sizes, layers, latency).run(commands);
}

}  // namespace macrame::dla::compiler
