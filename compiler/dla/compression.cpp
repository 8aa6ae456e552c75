#include "compiler/dla/compression.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/passes.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr std::size_t kUnit = 128;  // of WEIGHT_BYTES and WMB_BYTES
/// Layers that are looked at in all trials together, as in overlap.cpp.
constexpr std::size_t kCompressionLayers = 100'000;

std::vector<std::uint8_t> words(const std::vector<std::uint32_t>& of) {
    std::vector<std::uint8_t> out;
    for (const std::uint32_t word : of)
        for (int byte = 0; byte < 4; ++byte)
            out.push_back(static_cast<std::uint8_t>(word >> 8 * byte));
    out.resize(round_up(out.size(), kUnit), 0);
    return out;
}

/// Weights that several layers may share, the lines of an operator.
struct Candidate {
    int buffer = 0;
    std::vector<std::size_t> layers;
    CompressedWeights weights;
    Masks masks;  ///< with buffers of the trials
};

class CompressionChoice {
public:
    CompressionChoice(const model::Architecture& sizes, std::vector<Layer>& layers,
                      std::vector<Buffer>& buffers)
        : sizes_(sizes), layers_(layers), buffers_(buffers), empty_(without_contents(buffers)) {
        std::map<int, std::vector<std::size_t>> users;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const ConvLayer* conv = std::get_if<ConvLayer>(&layers[i].work);
            if (conv != nullptr && is_constant(conv->weights))
                users[conv->weights.buffer].push_back(i);
        }
        for (const auto& [buffer, of] : users)
            if (std::optional<Candidate> made = candidate(buffer, of))
                candidates_.push_back(std::move(*made));
    }

    void run() {
        if (candidates_.empty()) return;
        const std::vector<bool> none(candidates_.size(), false);
        std::vector<bool> best(candidates_.size(), true);
        std::uint64_t least = cycles(best);
        std::size_t trials = 1 + kCompressionLayers / layers_.size();
        for (std::size_t i = candidates_.size(); i-- > 0 && trials > 0; --trials) {
            best[i] = false;
            const std::uint64_t now = cycles(best);
            best[i] = now >= least;
            least = std::min(least, now);
        }
        if (cycles(none) < least) return;
        for (std::size_t i = 0; i < candidates_.size(); ++i)
            if (best[i]) keep(candidates_[i]);
    }

private:
    /// Averages take values of the network for weights, products of matrices some of them.
    bool is_constant(const Place& weights) const {
        const auto writes = [&](const Layer& layer) {
            const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work);
            const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work);
            const PostProcess* post = sdp != nullptr    ? &sdp->post
                                      : conv != nullptr ? &conv->post
                                                        : nullptr;
            return post != nullptr && post->output.place.buffer == weights.buffer;
        };
        return !buffers_[static_cast<std::size_t>(weights.buffer)].contents.empty() &&
               std::none_of(layers_.begin(), layers_.end(), writes);
    }

    static ConvLayer& conv(std::vector<Layer>& layers, std::size_t index) {
        return std::get<ConvLayer>(layers[index].work);
    }

    /// Nothing if that makes no fewer bytes, or does not fit.
    std::optional<Candidate> candidate(int buffer, const std::vector<std::size_t>& users) {
        const ConvLayer& first = conv(layers_, users.front());
        const std::vector<std::uint8_t>& stream =
            buffers_[static_cast<std::size_t>(buffer)].contents;
        const auto kernel = static_cast<std::size_t>(kernel_bytes(first));
        const auto group =
            kernel * static_cast<std::size_t>(std::min(sizes_.atomic_k, first.kernels));
        const std::size_t bank = static_cast<std::size_t>(sizes_.cbuf_depth) *
                                 static_cast<std::size_t>(sizes_.entry_bytes);
        if ((group + 7) / 8 + kUnit > bank) return std::nullopt;  // masks of a group
        Candidate out;
        out.buffer = buffer;
        out.layers = users;
        out.weights =
            compressed(stream.data(), kernel * static_cast<std::size_t>(first.kernels), group);
        if (out.weights.bytes() >= stream.size()) return std::nullopt;
        const std::vector<std::uint32_t>& groups = out.weights.groups;
        out.masks.bytes = static_cast<std::uint32_t>(out.weights.masks.size());
        out.masks.largest_group = *std::max_element(groups.begin(), groups.end());
        for (const std::size_t user : users) {
            ConvLayer with = conv(layers_, user);
            compress(with, out);
            if (!plan_cbuf(sizes_, with)) return std::nullopt;
        }
        out.masks.bits = add(empty_, "masks", out.weights.masks.size(), {});
        out.masks.groups = add(empty_, "groups", words(groups).size(), {});
        return out;
    }

    static Place add(std::vector<Buffer>& buffers, const std::string& name, std::size_t bytes,
                     std::vector<std::uint8_t> contents) {
        Buffer buffer;
        buffer.name = name;
        buffer.bytes = bytes;
        buffer.keep = true;
        buffer.contents = std::move(contents);
        buffers.push_back(std::move(buffer));
        return {static_cast<int>(buffers.size()) - 1, 0};
    }

    static void compress(ConvLayer& conv, const Candidate& candidate) {
        conv.masks = candidate.masks;
        conv.weight_bytes = static_cast<std::uint32_t>(candidate.weights.stored.size());
    }

    std::uint64_t cycles(const std::vector<bool>& chosen) const {
        std::vector<Layer> made = layers_;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            for (const std::size_t user : candidates_[i].layers) {
                if (!chosen[i]) continue;
                ConvLayer& with = conv(made, user);
                compress(with, candidates_[i]);
                with.buffer = *plan_cbuf(sizes_, with);
            }
        }
        return finished_cycles(sizes_, empty_, std::move(made));
    }

    void keep(Candidate& candidate) {
        Buffer& weights = buffers_[static_cast<std::size_t>(candidate.buffer)];
        const std::string name = weights.name;
        const std::size_t stored = candidate.weights.stored.size();
        weights.bytes = stored;
        weights.contents = candidate.weights.stored;
        const std::size_t masks = candidate.weights.masks.size();
        candidate.masks.bits =
            add(buffers_, name + " masks", masks, std::move(candidate.weights.masks));
        std::vector<std::uint8_t> groups = words(candidate.weights.groups);
        const std::size_t bytes = groups.size();
        candidate.masks.groups = add(buffers_, name + " groups", bytes, std::move(groups));
        for (const std::size_t user : candidate.layers) {
            ConvLayer& with = conv(layers_, user);
            compress(with, candidate);
            with.buffer = *plan_cbuf(sizes_, with);
            std::string& choice = layers_[user].choice;
            choice += (choice.empty() ? "" : ", ") + std::string("compressed weights");
        }
    }

    const model::Architecture& sizes_;
    std::vector<Layer>& layers_;
    std::vector<Buffer>& buffers_;
    std::vector<Buffer> empty_;
    std::vector<Candidate> candidates_;
};

}  // namespace

CompressedWeights compressed(const std::uint8_t* stream, std::size_t weights,
                             std::size_t group_weights) {
    CompressedWeights out;
    out.masks.resize(round_up((weights + 7) / 8, kUnit), 0);
    for (std::size_t i = 0; i < weights; ++i) {
        if (i % group_weights == 0) out.groups.push_back(0);
        if (stream[i] == 0) continue;
        out.stored.push_back(stream[i]);
        out.masks[i / 8] = static_cast<std::uint8_t>(out.masks[i / 8] | 1u << i % 8);
        ++out.groups.back();
    }
    out.stored.resize(round_up(std::max<std::size_t>(out.stored.size(), 1), kUnit), 0);
    return out;
}

void compress_weights(const model::Architecture& sizes, std::vector<Layer>& layers,
                      std::vector<Buffer>& buffers) {
    if (sizes.compression) CompressionChoice(sizes, layers, buffers).run();
}

}  // namespace macrame::dla::compiler
