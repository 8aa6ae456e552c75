#include "compiler/dla/overlap.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/tiling.hpp"

namespace macrame::dla::compiler {

namespace {

using Count = std::uint64_t;

class Splitter {
public:
    /// `whole` are numbers of operators that are not to be cut.
    Splitter(const model::Architecture& sizes, const std::vector<Layer>& layers,
             const std::vector<bool>& whole)
        : sizes_(sizes), layers_(layers), whole_(whole), parts_of_(layers_.size()) {}

    std::vector<Layer> run() {
        for (std::size_t first = 0; first < layers_.size();) {
            const std::size_t end = end_of_group(first);
            add_group(first, end);
            first = end;
        }
        return std::move(out_);
    }

    /// Which groups are in parts.
    const std::vector<bool>& cut_groups() const { return cut_groups_; }

private:
    /// Of layers that can be cut into lines.
    const Cube* output(const Layer& layer) const {
        if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work))
            return conv->pool ? nullptr : &conv->post.output;
        if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) return &sdp->post.output;
        return nullptr;
    }

    static Count line_in_buffer(const Place& place, std::uint32_t line, std::uint32_t surface) {
        return place.offset % std::max<Count>(surface, line) / line;
    }
    static Count line_in_buffer(const Cube& cube) {
        return line_in_buffer(cube.place, cube.line_stride, cube.surface_stride);
    }

    /// Layers of one operator for the same lines, of which none waits for another.
    std::size_t end_of_group(std::size_t first) const {
        const Layer& head = layers_[first];
        std::size_t end = first + 1;
        const Cube* out = output(head);
        if (out == nullptr) return end;
        for (; end < layers_.size(); ++end) {
            const Layer& layer = layers_[end];
            const Cube* other = output(layer);
            if (other == nullptr || layer.node != head.node ||
                layer.work.index() != head.work.index() || other->height != out->height ||
                line_in_buffer(*other) != line_in_buffer(*out) ||
                std::any_of(layer.after.begin(), layer.after.end(),
                            [&](int index) { return static_cast<std::size_t>(index) >= first; }))
                break;
        }
        return end;
    }

    /// Lines of an input that the first parts before have written; none if it is not in parts.
    std::optional<int> early_lines(const Place& place, std::uint32_t line,
                                   std::uint32_t surface) const {
        const auto found = early_.find(place.buffer);
        if (found == early_.end() || line == 0) return std::nullopt;
        return static_cast<int>(found->second) -
               static_cast<int>(line_in_buffer(place, line, surface));
    }

    /// Lines of the first part; 0: none.
    int cut(const Layer& layer) const {
        const int height = output(layer)->height;
        if (height < 2) return 0;
        std::optional<int> lines;
        if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) {
            const Cube* in = std::get_if<Cube>(&conv->input);
            if (in != nullptr) lines = early_lines(in->place, in->line_stride, in->surface_stride);
            const int span = (conv->kernel_h - 1) * conv->dilation_h + 1;
            if (lines && *lines + conv->top >= span)
                lines = (*lines + conv->top - span) / conv->stride_h + 1;
        } else {
            const SdpLayer& sdp = std::get<SdpLayer>(layer.work);
            lines = early_lines(sdp.input.place, sdp.input.line_stride, sdp.input.surface_stride);
            for (const auto* o : {&sdp.post.bs.memory, &sdp.post.bn.memory, &sdp.post.ew.memory}) {
                if (!*o || !(*o)->per_element) continue;
                const std::optional<int> more =
                    early_lines((*o)->place, (*o)->line_stride, (*o)->surface_stride);
                lines = lines && more ? std::min(*lines, *more) : more;
            }
        }
        if (lines && *lines < height && *lines * 4 >= height) return *lines;
        return std::min(height / 2 + 1, height - 1);
    }

    /// A part of the layer; nothing if the hardware does not take it.
    std::optional<Layer> part(const Layer& whole, int first, int count) const {
        Layer out = whole;
        const int height = output(whole)->height;
        out.macs = whole.macs * static_cast<Count>(count) / static_cast<Count>(height);
        if (const ConvLayer* conv = std::get_if<ConvLayer>(&whole.work)) {
            ConvLayer lines = lines_of(*conv, first, count);
            const std::optional<CbufPlan> plan = plan_cbuf(sizes_, lines);
            if (!plan || !is_legal(sizes_, lines)) return std::nullopt;
            lines.buffer = *plan;
            out.work = std::move(lines);
        } else {
            SdpLayer lines = lines_of(std::get<SdpLayer>(whole.work), first, count);
            if (!is_legal(sizes_, lines)) return std::nullopt;
            out.work = std::move(lines);
        }
        return out;
    }

    void add_group(std::size_t first, std::size_t end) {
        const Cube* out = output(layers_[first]);
        const int lines = out == nullptr ? 0 : cut(layers_[first]);
        std::vector<Layer> parts;
        const bool wanted = groups_ >= whole_.size() || !whole_[groups_];
        ++groups_;
        if (lines > 0 && wanted) {
            for (const auto& [begin, count] :
                 {std::pair{0, lines}, std::pair{lines, out->height - lines}}) {
                for (std::size_t i = first; i < end; ++i) {
                    std::optional<Layer> made = part(layers_[i], begin, count);
                    if (!made) break;
                    made->after = parts_of(layers_[i].after);
                    parts.push_back(std::move(*made));
                }
            }
            if (parts.size() != 2 * (end - first)) parts.clear();
        }
        if (out != nullptr) {
            if (parts.empty()) {
                early_.erase(out->place.buffer);
            } else {
                early_[out->place.buffer] = line_in_buffer(*out) + static_cast<Count>(lines);
            }
        }
        const bool whole = parts.empty();
        cut_groups_.push_back(!whole);
        for (std::size_t i = first; whole && i < end; ++i) {
            parts.push_back(layers_[i]);
            parts.back().after = parts_of(layers_[i].after);
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            parts_of_[first + i % (end - first)].push_back(static_cast<int>(out_.size()));
            out_.push_back(std::move(parts[i]));
        }
    }

    std::vector<int> parts_of(const std::vector<int>& layers) const {
        std::vector<int> out;
        for (const int layer : layers)
            for (const int made : parts_of_[static_cast<std::size_t>(layer)])
                out.push_back(made);
        return out;
    }

    const model::Architecture& sizes_;
    const std::vector<Layer>& layers_;
    const std::vector<bool>& whole_;
    std::size_t groups_ = 0;
    std::vector<bool> cut_groups_;
    std::vector<std::vector<int>> parts_of_;  ///< of a layer, in out_
    std::map<int, Count> early_;              ///< lines of a buffer that first parts write
    std::vector<Layer> out_;
};

}  // namespace

/// Layers that are looked at in all trials together: those of networks with very many stay in parts
/// from some operator on towards the first.
constexpr std::size_t kOverlapLayers = 100'000;

std::vector<Layer> overlap(const model::Architecture& sizes, const std::vector<Layer>& layers,
                           const std::function<Count(const std::vector<Layer>&)>& cycles) {
    std::vector<bool> whole, in_parts;
    const auto made = [&] {
        Splitter splitter(sizes, layers, whole);
        std::vector<Layer> out = splitter.run();
        in_parts = splitter.cut_groups();
        whole.resize(in_parts.size());
        return out;
    };
    // From all in parts on, one after the other as a whole where that is faster; so few changes of
    // the rest come of it that a second round is not worth its time.
    std::vector<Layer> best = made();
    Count least = cycles(best);
    std::size_t trials = 1 + kOverlapLayers / std::max<std::size_t>(best.size(), 1);
    const std::vector<bool> candidates = in_parts;
    for (std::size_t i = whole.size(); i-- > 0 && trials > 0;) {
        if (!candidates[i]) continue;
        --trials;
        whole[i] = true;
        std::vector<Layer> other = made();
        const Count now = cycles(other);
        if (now <= least) {
            least = now;
            best = std::move(other);
        } else {
            whole[i] = false;
        }
    }
    return best;
}

}  // namespace macrame::dla::compiler
