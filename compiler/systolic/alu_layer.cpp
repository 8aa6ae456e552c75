#include "compiler/systolic/alu_layer.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace macrame::systolic::compiler {

namespace {

constexpr int kMostSize = 255;  // heights, widths and strides of ALU
constexpr int kMostWindow = 15;

/// Outputs along an axis whose windows lose the same elements to the padding.
struct Run {
    int first = 0, count = 0;     ///< outputs
    int begin = 0, elements = 1;  ///< of each window: input position of the first one's, and
                                  ///< how many
};

std::vector<Run> runs(int outputs, int from, int input, int kernel, int stride, int padding) {
    std::vector<Run> out;
    for (int i = from; i < from + outputs; ++i) {
        const int start = i * stride - padding;
        const int begin = std::max(0, start), end = std::min(input, start + kernel);
        if (!out.empty()) {
            Run& last = out.back();
            if (end - begin == last.elements && begin == last.begin + last.count * stride) {
                ++last.count;
                continue;
            }
        }
        out.push_back({i, 1, begin, end - begin});
    }
    return out;
}

class AluWriter {
public:
    AluWriter(Stream& stream, Constants& constants, const AluLayer& layer)
        : stream_(stream),
          constants_(constants),
          architecture_(stream.architecture()),
          layer_(layer),
          half_(architecture_.obuf_entries / 2) {}

    std::string run() {
        if (!choose_tile()) return "a window with its outputs does not fit into half of OBUF";
        for (const Run& y : runs_y(0, layer_.output.height))
            for (const Run& x : runs_x(0, layer_.output.width))
                counts_.insert(y.elements * x.elements);
        if (layer_.scale && static_cast<int>(counts_.size()) > kScaleSets)
            return "windows of so many sizes want more sets of scales";
        const int folds = ceil_div(layer_.output.channels, architecture_.columns);
        for (int fold = 0; fold < folds; ++fold)
            for (int row = 0; row < layer_.output.height; row += rows_)
                for (int column = 0; column < layer_.output.width; column += columns_)
                    jobs_.push_back({fold, row, column, std::min(rows_, layer_.output.height - row),
                                     std::min(columns_, layer_.output.width - column), 0});
        load(0);
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
            if (i + 1 < jobs_.size()) load(i + 1);
            compute(jobs_[i]);
        }
        return "";
    }

private:
    /// A tile of outputs in a fold of channels.
    struct Job {
        int fold, row, column, rows, columns, entry;
    };
    /// What of the input a tile reads.
    struct Region {
        int row, column, rows, columns;
        int pixels() const { return rows * columns; }
    };

    std::vector<Run> runs_y(int from, int count) const {
        const Window& w = layer_.window;
        return runs(count, from, layer_.inputs[0].height, w.height, w.stride_y, w.top);
    }
    std::vector<Run> runs_x(int from, int count) const {
        const Window& w = layer_.window;
        return runs(count, from, layer_.inputs[0].width, w.width, w.stride_x, w.left);
    }
    bool is_pool() const {
        const Window& w = layer_.window;
        return w.height * w.width * w.stride_y * w.stride_x > 1;
    }

    Region region(int row, int column, int rows, int columns) const {
        const Run top = runs_y(row, 1)[0], bottom = runs_y(row + rows - 1, 1)[0];
        const Run left = runs_x(column, 1)[0], right = runs_x(column + columns - 1, 1)[0];
        return {top.begin, left.begin, bottom.begin + bottom.elements - top.begin,
                right.begin + right.elements - left.begin};
    }
    bool fits(int rows, int columns) const {
        // Away from the border regions are largest.
        const int row = std::min(layer_.window.top, layer_.output.height - rows);
        const int column = std::min(layer_.window.left, layer_.output.width - columns);
        const Region all = region(row, column, rows, columns);
        const int entries = all.pixels() * static_cast<int>(layer_.inputs.size()) +
                            (is_pool() ? rows * columns : 0);
        return entries <= half_ && rows <= kMostSize && columns <= kMostSize &&
               (!is_pool() || rows == 1 || all.columns * layer_.window.stride_y <= kMostSize) &&
               (!is_pool() || layer_.window.height == 1 || all.columns <= kMostSize);
    }
    bool choose_tile() {
        columns_ = layer_.output.width;
        while (columns_ > 0 && !fits(1, columns_))
            --columns_;
        if (columns_ == 0) return false;
        rows_ = 1;
        while (rows_ < layer_.output.height && fits(rows_ + 1, columns_))
            ++rows_;
        rows_ = ceil_div(layer_.output.height, ceil_div(layer_.output.height, rows_));
        return true;
    }

    int channels(const Job& job) const {
        return std::min(architecture_.columns,
                        layer_.output.channels - job.fold * architecture_.columns);
    }
    /// The set of scales for windows of so many elements.
    int set_of(const Job& job, int elements) const {
        const int sizes = static_cast<int>(counts_.size());
        const auto at = std::distance(counts_.begin(), counts_.find(elements));
        return job.fold % (kScaleSets / sizes) * sizes + static_cast<int>(at);
    }

    void load_scales(const Job& job) {
        for (const int elements : counts_) {
            std::vector<Scale> lanes;
            for (int c = 0; c < channels(job); ++c)
                lanes.push_back(layer_.scale(job.fold * architecture_.columns + c, elements));
            load_scale_set(stream_, constants_.add(scale_words(lanes)), channels(job),
                           set_of(job, elements));
        }
    }

    void load(std::size_t index) {
        Job& job = jobs_[index];
        job.entry = static_cast<int>(index % 2) * half_;
        if (layer_.scale && (index == 0 || job.fold != jobs_[index - 1].fold)) load_scales(job);
        const Region all = region(job.row, job.column, job.rows, job.columns);
        int entry = job.entry;
        for (const TensorLayout& from : layer_.inputs) {
            const int first = job.fold * architecture_.columns, end = first + channels(job);
            for (int c = first; c < end;) {
                const int size = from.together(c, end);
                Transfer narrow;
                narrow.bitwidth = 1;
                stream_.transfer(Module::load,
                                 {from.address(all.row, all.column, c), all.rows, all.columns, size,
                                  from.line, from.pixel},
                                 {Buffer::obuf, entry, c - first}, narrow);
                c += size;
            }
            entry += all.pixels();
        }
    }

    void compute(const Job& job) {
        const Region all = region(job.row, job.column, job.rows, job.columns);
        if (is_pool()) {
            pool(job, all);
            return;
        }
        // The one that is loaded last comes first: ALU does not write to the half while LOAD does.
        const std::size_t last = layer_.inputs.size() - 1;
        const int output = job.entry + static_cast<int>(last) * all.pixels();
        for (std::size_t i = last + 1; i-- > 0;) {
            if (layer_.factors.empty() && i == last) continue;
            Alu alu = copy_of(job, all, i, output);
            alu.accumulate = i == last ? 0 : 1;
            if (!layer_.factors.empty()) multiply(alu, layer_.factors[i]);
            stream_.alu(alu);
        }
        if (layer_.left > 0) {
            Alu alu = copy_of(job, all, last, output);
            alu.alu_opcode = static_cast<std::int64_t>(AluOp::shift);
            alu.use_immediate = 1;
            alu.immediate_value = -layer_.left;
            stream_.alu(alu);
        }
        if (layer_.correction != 0) {
            Alu alu = copy_of(job, all, 0, output);
            alu.accumulate = 1;
            multiply(alu, layer_.correction);
            stream_.alu(alu);
        }
        store(job, {job.row, job.rows, 0, 1}, {job.column, job.columns, 0, 1}, output);
    }

    /// An operation on all pixels of an input.
    Alu copy_of(const Job& job, const Region& all, std::size_t input, int output) const {
        Alu alu = alu_of(job, all.rows, all.columns);
        alu.input_address = job.entry + static_cast<int>(input) * all.pixels();
        alu.output_address = output;
        alu.mem_stride_ow = all.columns;
        alu.mem_stride_r = 1;
        return alu;
    }
    static void multiply(Alu& alu, int factor) {
        alu.multiply = 1;
        alu.use_immediate = 1;
        alu.immediate_value = factor;
    }

    Alu alu_of(const Job& job, int rows, int columns) const {
        Alu alu;
        alu.alu_opcode = static_cast<std::int64_t>(layer_.op);
        alu.output_height = rows;
        alu.output_width = columns;
        alu.window_height = 1;
        alu.window_width = 1;
        alu.num_active = channels(job);
        return alu;
    }

    void pool(const Job& job, const Region& all) {
        int entry = job.entry + all.pixels();
        for (const Run& y : runs_y(job.row, job.rows)) {
            for (const Run& x : runs_x(job.column, job.columns)) {
                windows(job, all, y, x, entry);
                store(job, y, x, entry);
                entry += y.count * x.count;
            }
        }
    }

    /// In parts, where windows are larger than ALU's.
    void windows(const Job& job, const Region& all, const Run& y, const Run& x, int entry) {
        for (int k = 0; k < y.elements; k += kMostWindow) {
            for (int l = 0; l < x.elements; l += kMostWindow) {
                Alu alu = alu_of(job, y.count, x.count);
                alu.input_address =
                    job.entry + (y.begin + k - all.row) * all.columns + x.begin + l - all.column;
                alu.output_address = entry;
                alu.window_height = std::min(kMostWindow, y.elements - k);
                alu.window_width = std::min(kMostWindow, x.elements - l);
                if (y.count > 1)
                    alu.mem_stride_ow = std::int64_t{layer_.window.stride_y} * all.columns;
                if (x.count > 1) alu.mem_stride_r = layer_.window.stride_x;
                if (alu.window_height > 1) alu.mem_stride_s = all.columns;
                alu.accumulate = k + l > 0 ? 1 : 0;
                stream_.alu(alu);
            }
        }
    }

    void store(const Job& job, const Run& y, const Run& x, int entry) {
        const TensorLayout& to = layer_.output;
        const int first = job.fold * architecture_.columns, end = first + channels(job);
        for (int c = first; c < end;) {
            const int size = to.together(c, end);
            Transfer like;
            like.bitwidth = 1;
            if (layer_.scale) {
                like.requantise = 1;
                like.scale_set = set_of(job, y.elements * x.elements);
            }
            stream_.transfer(
                Module::store,
                {to.address(y.first, x.first, c), y.count, x.count, size, to.line, to.pixel},
                {Buffer::obuf, entry, c - first}, like);
            c += size;
        }
    }

    Stream& stream_;
    Constants& constants_;
    const Architecture architecture_;
    const AluLayer& layer_;
    int half_;
    int rows_ = 1, columns_ = 1;  ///< of a tile
    std::set<int> counts_;        ///< elements in windows
    std::vector<Job> jobs_;
};

}  // namespace

std::string write_alu_layer(Stream& stream, Constants& constants, const AluLayer& layer) {
    return AluWriter(stream, constants, layer).run();
}

}  // namespace macrame::systolic::compiler
