#include "compiler/systolic/conv.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "compiler/graph/at.hpp"
#include "compiler/systolic/operand.hpp"
#include "compiler/systolic/slots.hpp"
#include "compiler/systolic/steps.hpp"

namespace macrame::systolic::compiler {

namespace {

class ConvWriter {
public:
    ConvWriter(Stream& stream, Constants& constants, const ConvLayer& layer, const Tiling& tiling)
        : stream_(stream),
          constants_(constants),
          architecture_(stream.architecture()),
          layer_(layer),
          plan_(architecture_, layer, tiling),
          steps_(steps(plan_)),
          operand_(stream, constants, layer),
          inputs_(plan_.input_slots(), keys(&ConvWriter::input_key)),
          weights_(plan_.weight_slots(), keys(&ConvWriter::weight_key)),
          scales_(plan_.scale_slots(), keys(&ConvWriter::scale_key)) {
        ahead_ = std::max(1, architecture_.queue_depth - 1);
    }

    double run(std::size_t most) {
        for (int i = 0; i < static_cast<int>(steps_.size()); ++i) {
            if (stream_.size() >= most)
                return static_cast<double>(i) / static_cast<double>(steps_.size());
            while (next_.step <= i)
                load_next(i);
            const int before = stream_.loads();
            while (next_.step < static_cast<int>(steps_.size()) &&
                   stream_.loads() - before < ahead_ && load_next(i)) {
            }
            write_step(i);
        }
        finish();
        return 1;
    }

private:
    /// Input or weights for a step.
    enum class What { input, weights, end };
    struct Request {
        int step = 0;
        What what = What::input;
    };
    /// A tile whose sums are there but not stored.
    struct Done {
        Tile tile;
        int filters = 0, first_entry = 0, step = 0;
    };

    const Tiling& tiling() const { return plan_.tiling(); }
    const Image& image(const Step& step) const { return tiling().cover[at(step.image)]; }

    std::vector<std::int64_t> keys(std::int64_t (ConvWriter::*key)(const Step&) const) const {
        std::vector<std::int64_t> out;
        for (const Step& step : steps_)
            out.push_back((this->*key)(step));
        return out;
    }
    std::int64_t input_key(const Step& s) const {
        return (std::int64_t{s.tile} * plan_.channel_groups() + s.channels) *
                   static_cast<std::int64_t>(tiling().cover.size()) +
               s.image;
    }
    std::int64_t weight_key(const Step& s) const {
        constexpr int kMostParts = 1 << 16;
        return ((std::int64_t{s.filters} * plan_.channel_groups() + s.channels) *
                    static_cast<std::int64_t>(tiling().cover.size()) +
                s.image) *
                   kMostParts +
               s.part;
    }
    std::int64_t scale_key(const Step& s) const {
        return layer_.scales.empty() || !s.last ? -1 : s.filters;
    }

    /// Loads what the next step asks for, if there is a slot for it while step `now` runs.
    bool load_next(int now) {
        const Step& step = steps_[at(next_.step)];
        if (next_.what == What::input) {
            if (next_.step <= end_of_next(now)) take_scales(next_.step, now);
            const auto found = inputs_.take(next_.step, now);
            if (!found) return false;
            if (found->load) load_input(step, found->slot);
        } else {
            const auto found = weights_.take(next_.step, now);
            if (!found) return false;
            if (found->load) load_weights(step, found->slot);
        }
        next_.what = static_cast<What>(static_cast<int>(next_.what) + 1);
        if (next_.what == What::end) next_ = {next_.step + 1, What::input};
        return true;
    }

    /// Scales of the tile that ends with a step, if there is a slot while step `now` runs; that of
    /// a tile that waits for STORE is in use. Nobody waits for a slot: GEMM, which hands on that
    /// STORE is done with it, would wait, too.
    bool take_scales(int last, int now) {
        if (scale_key(steps_[at(last)]) < 0) return true;
        const auto found = scales_.take(last, done_ ? std::min(done_->step, now) : now);
        if (found && found->load) load_scales(steps_[at(last)], found->slot);
        return found.has_value();
    }
    int end_of_tile(int step) const {
        while (!steps_[at(step)].last)
            ++step;
        return step;
    }
    /// Of the tile behind that of a step.
    int end_of_next(int step) const {
        const int end = end_of_tile(step);
        return end + 1 == static_cast<int>(steps_.size()) ? end : end_of_tile(end + 1);
    }
    /// The last moment is the begin of the tile.
    void need_scales(int first) {
        const int last = end_of_tile(first);
        if (take_scales(last, first)) return;
        finish();
        take_scales(last, first);
    }
    void load_scales(const Step& step, int slot);

    void load_input(const Step& step, int slot) {
        const Tile tile = plan_.tile(step.tile);
        const Line y = plan_.line_y(tile, image(step)), x = plan_.line_x(tile, image(step));
        const int pixels = y.count * x.count;
        if (pixels == 0) return;
        int entry = slot * plan_.input_slot();
        if (load_planes(step, y, x, entry)) return;
        const Group channels = plan_.channels_of(step.channels);
        for (int fold = channels.first; fold < channels.end; ++fold) {
            for (int tap = 0; tap < image(step).taps(); ++tap)
                load_tap(y.first + tap / image(step).width * layer_.window.dilation_y,
                         x.first + tap % image(step).width * layer_.window.dilation_x,
                         {0, y.count, x.count, 0, y.step * layer_.input.line,
                          x.step * layer_.input.pixel},
                         fold, entry, tap * plan_.channels(fold));
            entry += pixels;
        }
    }

    /// The pixels of one tap, a piece for each plane.
    void load_tap(int row, int column, Vectors vectors, int fold, int entry, int bank) {
        const TensorLayout& from = layer_.input;
        const int first = fold * architecture_.rows, end = first + plan_.channels(fold);
        for (int c = first; c < end; c += vectors.elements) {
            vectors.address = from.address(row, column, c);
            vectors.elements = from.together(c, end);
            stream_.transfer(Module::load, vectors, {Buffer::ibuf, entry, bank + c - first},
                             narrow());
        }
    }

    /// All folds at once, if each is a plane and its pixels follow each other.
    bool load_planes(const Step& step, const Line& y, const Line& x, int entry) {
        const TensorLayout& from = layer_.input;
        const Group folds = plan_.channels_of(step.channels);
        const bool planes =
            from.block == architecture_.rows && from.first == 0 && from.repeats == 1 &&
            plan_.channels(folds.end - 1) == architecture_.rows && image(step).taps() == 1;
        const std::int64_t column_step = x.step * from.pixel, row_step = y.step * from.line;
        if (!planes || folds.size() == 1 || (y.count > 1 && row_step != x.count * column_step))
            return false;
        const Vectors vectors{from.address(y.first, x.first, folds.first * architecture_.rows),
                              folds.size(),
                              y.count * x.count,
                              architecture_.rows,
                              from.plane,
                              column_step};
        stream_.transfer(Module::load, vectors, {Buffer::ibuf, entry, 0}, narrow());
        return true;
    }

    static Transfer narrow() {
        Transfer out;
        out.bitwidth = 1;
        return out;
    }

    /// Folds of an image in a part.
    class Part {
    public:
        using Each = std::vector<Fold>::const_iterator;
        Part(Each first, Each end) : first_(first), end_(end) {}

        Each begin() const { return first_; }
        Each end() const { return end_; }
        int size() const { return static_cast<int>(end_ - first_); }

    private:
        Each first_, end_;
    };
    Part folds(const Step& step) const {
        const std::vector<Fold>& all = image(step).folds;
        const auto first = all.begin() + step.part * tiling().folds;
        return {first, first + std::min<std::ptrdiff_t>(tiling().folds, all.end() - first)};
    }

    /// Folds of filters and channels of a step that have weights, in their order.
    struct Pair {
        int filters, channels;
    };
    /// They are there until the next call.
    const std::vector<Pair>& pairs(const Step& step) {
        pairs_.clear();
        const Group filters = plan_.filters_of(step.filters);
        const Group channels = plan_.channels_of(step.channels);
        for (int m = filters.first; m < filters.end; ++m)
            for (int c = channels.first; c < channels.end; ++c)
                if (plan_.meet(m, c)) pairs_.push_back({m, c});
        return pairs_;
    }

    void append_weights(const Step& step, const Pair& pair, std::vector<std::uint8_t>& out) const {
        const int bytes = element_bytes(architecture_.weight_width);
        const int first = pair.filters * architecture_.columns;
        const int first_channel = pair.channels * architecture_.rows;
        for (const Fold& fold : folds(step)) {
            for (int tap = 0; tap < image(step).taps(); ++tap) {
                const int row = fold.row + tap / image(step).width;
                const int column = fold.column + tap % image(step).width;
                for (int c = 0; c < plan_.channels(pair.channels); ++c) {
                    for (int m = 0; m < plan_.filters(pair.filters); ++m) {
                        const int weight =
                            fold.own[at(tap)]
                                ? layer_.weights(first + m, row, column, first_channel + c)
                                : 0;
                        for (int byte = 0; byte < bytes; ++byte)
                            out.push_back(static_cast<std::uint8_t>(weight >> 8 * byte));
                    }
                }
            }
        }
    }

    /// Weights that are computed: all taps have the same ones.
    void load_operand(const Step& step, int slot) {
        int entry = slot * plan_.weight_slot();
        for (const Pair& pair : pairs(step)) {
            const int filter = pair.filters * architecture_.columns;
            const int channel = pair.channels * architecture_.rows;
            const Group filters{filter, filter + plan_.filters(pair.filters)};
            const Group channels{channel, channel + plan_.channels(pair.channels)};
            operand_.load(filters, channels, entry);
            entry += channels.size();
        }
    }

    void load_weights(const Step& step, int slot) {
        if (layer_.operand) return load_operand(step, slot);
        const std::int64_t key = weight_key(step);
        const std::vector<Pair>& all = pairs(step);
        auto known = weight_address_.find(key);
        if (known == weight_address_.end()) {
            std::vector<std::uint8_t> bytes;
            for (std::size_t i = 0; layer_.weights && i < all.size(); ++i)
                append_weights(step, all[i], bytes);
            known = weight_address_.emplace(key, constants_.add(bytes)).first;
        }
        const auto alike = [&](const Pair& a, const Pair& b) {
            return plan_.filters(a.filters) == plan_.filters(b.filters) &&
                   plan_.channels(a.channels) == plan_.channels(b.channels);
        };
        std::int64_t address = known->second;
        int entry = slot * plan_.weight_slot();
        for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
            for (end = i + 1; end < all.size() && alike(all[i], all[end]);)
                ++end;
            const int count = static_cast<int>(end - i) * folds(step).size();
            const int rows = plan_.active_rows(image(step), all[i].channels);
            const int size = plan_.filters(all[i].filters);
            const std::int64_t bytes =
                std::int64_t{size} * element_bytes(architecture_.weight_width);
            stream_.transfer(Module::load, {address, count, rows, size, rows * bytes, bytes},
                             {Buffer::wbuf, entry, 0}, narrow());
            address += count * rows * bytes;
            entry += count * rows;
        }
    }

    void write_step(int index) {
        const Step& step = steps_[at(index)];
        if (!open_) {
            open_ = Done{plan_.tile(step.tile), step.filters, output_entry(), index};
            begun_.assign(at(tiling().filter_folds), false);
            if (plan_.output_slots() == 1) finish();
            need_scales(index);
        }
        const Line lines = plan_.line_y(open_->tile, image(step));
        const Line row = plan_.line_x(open_->tile, image(step));
        int weights = weights_.slot_of(index) * plan_.weight_slot();
        for (const Pair& pair : pairs(step)) {
            const int rows = plan_.active_rows(image(step), pair.channels);
            for (const Fold& fold : folds(step)) {
                stream_.gemm(gemm_of(index, lines, row, pair, fold, weights));
                if (!layer_.operand) weights += rows;
                // Behind the first fold of the next tile, so that ALU passes what it waits for on
                // before it waits for the end of this one.
                finish();
            }
            if (layer_.operand) weights += rows;
        }
        if (!step.last) return;
        open_->step = index;
        done_ = open_;
        open_.reset();
    }

    int output_entry() {
        const int slot = output_++ % plan_.output_slots();
        return slot * architecture_.obuf_entries / 2;
    }

    Gemm gemm_of(int index, const Line& lines, const Line& row, const Pair& pair, const Fold& fold,
                 int weights) {
        const Step& step = steps_[at(index)];
        const Tile& tile = open_->tile;
        const LineFold y = plan_.fold_y(tile, lines, fold), x = plan_.fold_x(tile, row, fold);
        const int own = pair.filters - step.filters * tiling().filter_folds;
        const int number = pair.channels - step.channels * tiling().channel_folds;
        const int entry = inputs_.slot_of(index) * plan_.input_slot() +
                          (number * lines.count + y.begin) * row.count + x.begin;
        const int depth = architecture_.ibuf_entries;
        Gemm g;
        g.input_address = (entry % depth + depth) % depth;
        g.output_address = open_->first_entry + own * tile.sums();
        g.weight_address = weights;
        g.ofmap_height = tile.sum_rows;
        g.ofmap_width = tile.sum_columns;
        g.active_rows = plan_.active_rows(image(step), pair.channels);
        g.active_cols = plan_.filters(pair.filters);
        g.stride_h = y.step * row.count;
        g.stride_w = x.step;
        g.pad_top = y.before;
        g.pad_bottom = y.behind;
        g.pad_left = x.before;
        g.pad_right = x.behind;
        g.pad_value = layer_.pad_value;
        g.preload_output = begun_[at(own)] ? 1 : 0;
        begun_[at(own)] = true;
        return g;
    }

    /// What follows on the sums of a tile.
    void finish() {
        if (!done_) return;
        const Done done = *done_;
        done_.reset();
        int entry = done.first_entry;
        const Group filters = plan_.filters_of(done.filters);
        for (int m = filters.first; m < filters.end; ++m) {
            for (const PostOperation& operation : layer_.post)
                stream_.alu(alu_of(done.tile, entry, m, operation));
            if (layer_.pool) stream_.alu(pool_of(done.tile, entry, m));
            store(done, entry, m);
            entry += done.tile.sums();
        }
    }

    Alu alu_of(const Tile& tile, int entry, int filter_fold, const PostOperation& operation) const {
        Alu alu;
        alu.alu_opcode = static_cast<std::int64_t>(operation.op);
        alu.input_address = entry;
        alu.output_address = entry;
        alu.output_height = tile.sum_rows;
        alu.output_width = tile.sum_columns;
        alu.window_height = 1;
        alu.window_width = 1;
        alu.mem_stride_ow = tile.sum_columns;
        alu.mem_stride_r = 1;
        alu.num_active = plan_.filters(filter_fold);
        alu.use_immediate = 1;
        alu.immediate_value = operation.immediate;
        return alu;
    }

    Alu pool_of(const Tile& tile, int entry, int filter_fold) const {
        const Window pool = *layer_.pool;
        Alu alu = alu_of(tile, entry, filter_fold, {});
        alu.output_height = tile.rows;
        alu.output_width = tile.columns;
        alu.window_height = pool.height;
        alu.window_width = pool.width;
        alu.mem_stride_ow = std::int64_t{pool.stride_y} * tile.sum_columns;
        alu.mem_stride_r = pool.stride_x;
        alu.mem_stride_s = tile.sum_columns;
        alu.use_immediate = 0;
        return alu;
    }

    void store(const Done& done, int entry, int filter_fold);

    Stream& stream_;
    Constants& constants_;
    const Architecture architecture_;
    const ConvLayer& layer_;
    Plan plan_;
    std::vector<Step> steps_;
    std::vector<Pair> pairs_;  ///< of a step
    OperandLoader operand_;
    Slots inputs_, weights_, scales_;
    std::map<std::int64_t, std::int64_t> weight_address_;
    std::map<int, std::int64_t> scale_address_;  ///< by fold of filters
    Request next_;
    int ahead_ = 1;
    std::optional<Done> open_, done_;
    int output_ = 0;
    std::vector<bool> begun_;  ///< by fold of filters of the tile
};

void ConvWriter::load_scales(const Step& step, int slot) {
    int set = slot * tiling().filter_folds;
    const Group filters = plan_.filters_of(step.filters);
    for (int m = filters.first; m < filters.end; ++m) {
        auto known = scale_address_.find(m);
        if (known == scale_address_.end()) {
            const auto begin = layer_.scales.begin() + m * architecture_.columns;
            const std::vector<Scale> lanes(begin, begin + plan_.filters(m));
            known = scale_address_.emplace(m, constants_.add(scale_words(lanes))).first;
        }
        load_scale_set(stream_, known->second, plan_.filters(m), set++);
    }
}

void ConvWriter::store(const Done& done, int entry, int filter_fold) {
    const TensorLayout& to = layer_.output;
    const int first = filter_fold * architecture_.columns;
    const int end = first + plan_.filters(filter_fold);
    for (int m = first; m < end;) {
        const int size = to.together(m, end);
        Transfer like;
        if (!layer_.scales.empty()) {
            like.bitwidth = 1;
            like.requantise = 1;
            like.scale_set = scales_.slot_of(done.step) * tiling().filter_folds + filter_fold -
                             done.filters * tiling().filter_folds;
        }
        const Vectors vectors{to.address(done.tile.row, done.tile.column, m),
                              done.tile.rows,
                              done.tile.columns,
                              size,
                              to.line,
                              to.pixel};
        stream_.transfer(Module::store, vectors, {Buffer::obuf, entry, m - first}, like);
        m += size;
    }
}

}  // namespace

double write_conv(Stream& stream, Constants& constants, const ConvLayer& layer,
                  const Tiling& tiling, std::size_t most) {
    return ConvWriter(stream, constants, layer, tiling).run(most);
}

}  // namespace macrame::systolic::compiler
