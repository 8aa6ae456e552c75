#include "compiler/systolic/conv.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

#include "compiler/systolic/slots.hpp"
#include "compiler/systolic/steps.hpp"

namespace macrame::systolic::compiler {

namespace {

std::size_t at(int value) { return static_cast<std::size_t>(value); }

class Writer {
public:
    Writer(Stream& stream, Constants& constants, const ConvLayer& layer, const Tiling& tiling)
        : stream_(stream),
          constants_(constants),
          architecture_(stream.architecture()),
          layer_(layer),
          plan_(architecture_, layer, tiling),
          steps_(steps(plan_)),
          inputs_(plan_.input_slots(), keys(&Writer::input_key)),
          weights_(plan_.weight_slots(), keys(&Writer::weight_key)),
          scales_(plan_.scale_slots(), keys(&Writer::scale_key)) {
        ahead_ = std::max(1, architecture_.queue_depth - 1);
    }

    void run() {
        for (int i = 0; i < static_cast<int>(steps_.size()); ++i) {
            while (next_.step <= i)
                load_next(i);
            const int before = stream_.loads();
            while (next_.step < static_cast<int>(steps_.size()) &&
                   stream_.loads() - before < ahead_ && load_next(i)) {
            }
            write_step(i);
        }
        finish();
    }

private:
    /// Input, weights or scales for a step.
    enum class What { scales, input, weights, end };
    struct Request {
        int step = 0;
        What what = What::scales;
    };
    /// A tile whose sums are there but not stored.
    struct Done {
        Tile tile;
        int filters = 0, first_entry = 0, step = 0;
    };

    const Tiling& tiling() const { return plan_.tiling(); }
    const Image& image(const Step& step) const { return tiling().cover[at(step.image)]; }

    std::vector<std::int64_t> keys(std::int64_t (Writer::*key)(const Step&) const) const {
        std::vector<std::int64_t> out;
        for (const Step& step : steps_)
            out.push_back((this->*key)(step));
        return out;
    }
    std::int64_t input_key(const Step& s) const {
        return (std::int64_t{s.tile} * plan_.channel_folds() + s.channels) *
                   static_cast<std::int64_t>(tiling().cover.size()) +
               s.image;
    }
    std::int64_t weight_key(const Step& s) const {
        constexpr int kMostParts = 1 << 16;
        return ((std::int64_t{s.filters} * plan_.channel_folds() + s.channels) *
                    static_cast<std::int64_t>(tiling().cover.size()) +
                s.image) * kMostParts + s.part;
    }
    std::int64_t scale_key(const Step& s) const {
        return layer_.scales.empty() || !s.last ? -1 : s.filters;
    }

    /// Loads what the next step asks for, if there is a slot for it while step `now` runs.
    bool load_next(int now) {
        const Step& step = steps_[at(next_.step)];
        if (next_.what == What::scales && scale_key(step) >= 0) {
            // The slot of a tile that waits for STORE is in use.
            const int first = done_ ? std::min(done_->step, now) : now;
            auto found = scales_.take(next_.step, first);
            if (!found && done_) {
                finish();
                found = scales_.take(next_.step, now);
            }
            if (!found) return false;
            if (found->load) load_scales(step, found->slot);
        } else if (next_.what == What::input) {
            const auto found = inputs_.take(next_.step, now);
            if (!found) return false;
            if (found->load) load_input(step, found->slot);
        } else if (next_.what == What::weights) {
            const auto found = weights_.take(next_.step, now);
            if (!found) return false;
            if (found->load) load_weights(step, found->slot);
        }
        next_.what = static_cast<What>(static_cast<int>(next_.what) + 1);
        if (next_.what == What::end) next_ = {next_.step + 1, What::scales};
        return true;
    }

    void load_scales(const Step& step, int slot);

    void load_input(const Step& step, int slot) {
        const Tile tile = plan_.tile(step.tile);
        const Line y = plan_.line_y(tile, image(step)), x = plan_.line_x(tile, image(step));
        if (y.count * x.count == 0) return;
        const Surface& from = layer_.input;
        const int channels = plan_.channels(step.channels);
        const int first = step.channels * architecture_.rows;
        for (int tap = 0; tap < image(step).taps(); ++tap) {
            const int row = y.first + tap / image(step).width * layer_.window.dilation_y;
            const int column = x.first + tap % image(step).width * layer_.window.dilation_x;
            // A piece for each plane.
            for (int c = first; c < first + channels;) {
                const int size = from.together(c, first + channels);
                const Vectors vectors{from.address(row, column, c), y.count,           x.count, size,
                                      y.step * from.line,           x.step * from.pixel};
                Transfer narrow;
                narrow.bitwidth = 1;
                stream_.transfer(Module::load, vectors,
                                 {Buffer::ibuf, slot * plan_.input_slot(),
                                  tap * channels + c - first},
                                 narrow);
                c += size;
            }
        }
    }

    /// Folds of an image in a part.
    std::vector<Fold> folds(const Step& step) const {
        const std::vector<Fold>& all = image(step).folds;
        const auto first = all.begin() + step.part * tiling().folds;
        const auto size = std::min<std::ptrdiff_t>(tiling().folds, all.end() - first);
        return {first, first + size};
    }

    /// Folds of filters of a group that have weights in this step.
    std::vector<int> filter_folds(const Step& step) const {
        std::vector<int> out;
        const int first = step.filters * tiling().filter_folds;
        const int end = std::min(first + tiling().filter_folds, plan_.filter_folds());
        for (int m = first; m < end; ++m)
            if (plan_.meet(m, step.channels)) out.push_back(m);
        return out;
    }

    /// Rows of weights of one fold of filters.
    std::vector<std::uint8_t> weight_rows(const Step& step, int filter_fold) const {
        const int bytes = element_bytes(architecture_.weight_width);
        const int first = filter_fold * architecture_.columns;
        const int first_channel = step.channels * architecture_.rows;
        std::vector<std::uint8_t> out;
        for (const Fold& fold : folds(step)) {
            for (int tap = 0; tap < image(step).taps(); ++tap) {
                const int row = fold.row + tap / image(step).width;
                const int column = fold.column + tap % image(step).width;
                for (int c = 0; c < plan_.channels(step.channels); ++c) {
                    for (int m = 0; m < plan_.filters(filter_fold); ++m) {
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
        return out;
    }

    void load_weights(const Step& step, int slot) {
        const std::int64_t key = weight_key(step);
        auto known = weight_address_.find(key);
        if (known == weight_address_.end()) {
            std::vector<std::uint8_t> bytes;
            for (const int m : layer_.weights ? filter_folds(step) : std::vector<int>()) {
                const std::vector<std::uint8_t> rows = weight_rows(step, m);
                bytes.insert(bytes.end(), rows.begin(), rows.end());
            }
            known = weight_address_.emplace(key, constants_.add(bytes)).first;
        }
        // Folds of filters of the same size are one piece.
        const std::vector<int> filters = filter_folds(step);
        const int rows = plan_.active_rows(image(step), step.channels);
        const int folds_of_each = static_cast<int>(folds(step).size());
        std::int64_t address = known->second;
        int entry = slot * plan_.weight_slot();
        for (std::size_t i = 0; i < filters.size();) {
            std::size_t end = i + 1;
            while (end < filters.size() && plan_.filters(filters[end]) == plan_.filters(filters[i]))
                ++end;
            const int size = plan_.filters(filters[i]);
            const int count = static_cast<int>(end - i) * folds_of_each;
            const std::int64_t bytes = std::int64_t{size} * element_bytes(architecture_.weight_width);
            Transfer narrow;
            narrow.bitwidth = 1;
            stream_.transfer(Module::load, {address, count, rows, size, rows * bytes, bytes},
                             {Buffer::wbuf, entry, 0}, narrow);
            address += count * rows * bytes;
            entry += count * rows;
            i = end;
        }
    }

    void write_step(int index) {
        const Step& step = steps_[at(index)];
        const Tile tile = plan_.tile(step.tile);
        if (!open_) {
            open_ = Done{tile, step.filters, output_entry(), index};
            begun_.assign(at(tiling().filter_folds), false);
            if (plan_.output_slots() == 1) finish();
        }
        int weights = weights_.slot_of(index) * plan_.weight_slot();
        for (const int m : filter_folds(step)) {
            const int own = m - step.filters * tiling().filter_folds;
            for (const Fold& fold : folds(step)) {
                stream_.gemm(gemm_of(index, tile, fold, weights, own));
                weights += plan_.active_rows(image(step), step.channels);
                // Behind the first fold of the next tile, so that ALU passes what it waits for on
                // before it waits for the end of this one.
                finish();
            }
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

    Gemm gemm_of(int index, const Tile& tile, const Fold& fold, int weights, int own) {
        const Step& step = steps_[at(index)];
        const Line lines = plan_.line_y(tile, image(step)), row = plan_.line_x(tile, image(step));
        const LineFold y = plan_.fold_y(tile, lines, fold), x = plan_.fold_x(tile, row, fold);
        const int entry = inputs_.slot_of(index) * plan_.input_slot() + y.begin * row.count + x.begin;
        const int depth = architecture_.ibuf_entries;
        Gemm g;
        g.input_address = (entry % depth + depth) % depth;
        g.output_address = open_->first_entry + own * tile.sums();
        g.weight_address = weights;
        g.ofmap_height = tile.sum_rows;
        g.ofmap_width = tile.sum_columns;
        g.active_rows = plan_.active_rows(image(step), step.channels);
        g.active_cols = plan_.filters(step.filters * tiling().filter_folds + own);
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
        const int first = done.filters * tiling().filter_folds;
        const int end = std::min(first + tiling().filter_folds, plan_.filter_folds());
        for (int m = first; m < end; ++m) {
            const int entry = done.first_entry + (m - first) * done.tile.sums();
            for (const PostOperation& operation : layer_.post)
                stream_.alu(alu_of(done.tile, entry, m, operation));
            if (layer_.pool) stream_.alu(pool_of(done.tile, entry, m));
            store(done, entry, m);
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
    Slots inputs_, weights_, scales_;
    std::map<std::int64_t, std::int64_t> weight_address_;
    std::map<int, std::int64_t> scale_address_;  ///< by fold of filters
    Request next_;
    int ahead_ = 1;
    std::optional<Done> open_, done_;
    int output_ = 0;
    std::vector<bool> begun_;  ///< by fold of filters of the tile
};

void Writer::load_scales(const Step& step, int slot) {
    const int first = step.filters * tiling().filter_folds;
    const int end = std::min(first + tiling().filter_folds, plan_.filter_folds());
    for (int m = first; m < end; ++m) {
        auto known = scale_address_.find(m);
        if (known == scale_address_.end()) {
            const auto begin = layer_.scales.begin() + m * architecture_.columns;
            const std::vector<Scale> lanes(begin, begin + plan_.filters(m));
            known = scale_address_.emplace(m, constants_.add(scale_words(lanes))).first;
        }
        load_scale_set(stream_, known->second, plan_.filters(m),
                       slot * tiling().filter_folds + m - first);
    }
}

void Writer::store(const Done& done, int entry, int filter_fold) {
    const Surface& to = layer_.output;
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
        const Vectors vectors{to.address(done.tile.row, done.tile.column, m), done.tile.rows,
                              done.tile.columns, size, to.line, to.pixel};
        stream_.transfer(Module::store, vectors, {Buffer::obuf, entry, m - first}, like);
        m += size;
    }
}

}  // namespace

void write_conv(Stream& stream, Constants& constants, const ConvLayer& layer,
                const Tiling& tiling) {
    Writer(stream, constants, layer, tiling).run();
}

}  // namespace macrame::systolic::compiler
