#include "compiler/dla/memory.hpp"

#include <algorithm>
#include <cstddef>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/memory.hpp"

namespace macrame::dla::compiler {

namespace {

/// What a layer does with what lies at a place.
enum class Use { read, written };

/// Calls `see(place, use)` for every place in a layer.
template <class See>
void for_places(PostProcess& post, See&& see) {
    for (XRegisters* x : {&post.bs, &post.bn})
        if (x->memory) see(x->memory->place, Use::read);
    if (post.ew.memory) see(post.ew.memory->place, Use::read);
    see(post.output.place, Use::written);
}

template <class See>
void for_places(Layer& layer, See&& see) {
    const auto see_ends = [&](auto& work) {
        see(work.input.place, Use::read);
        see(work.output.place, Use::written);
    };
    if (ConvLayer* conv = std::get_if<ConvLayer>(&layer.work)) {
        std::visit([&](auto& input) { see(input.place, Use::read); }, conv->input);
        see(conv->weights, Use::read);
        if (conv->masks) {
            see(conv->masks->bits, Use::read);
            see(conv->masks->groups, Use::read);
        }
        for_places(conv->post, see);
        if (conv->pool) see(conv->pool->output.place, Use::written);
    } else if (SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) {
        see(sdp->input.place, Use::read);
        for_places(sdp->post, see);
    } else if (PdpLayer* pdp = std::get_if<PdpLayer>(&layer.work)) {
        see_ends(*pdp);
    } else if (RubikLayer* rubik = std::get_if<RubikLayer>(&layer.work)) {
        see_ends(*rubik);
    } else if (RowLayer* row = std::get_if<RowLayer>(&layer.work)) {
        see_ends(*row);
        see(row->records, Use::read);
    } else if (HostLayer* host = std::get_if<HostLayer>(&layer.work)) {
        // Which of them the host writes is not told here.
        for (Place& place : host->places)
            see(place, Use::written);
    } else {
        see_ends(std::get<CdpLayer>(layer.work));
    }
}

/// Does the layer end in SDP?
bool ends_in_sdp(const Layer& layer) {
    return std::holds_alternative<ConvLayer>(layer.work) ||
           std::holds_alternative<SdpLayer>(layer.work);
}

/// Where the same lies already, for all programs.
std::optional<std::uint64_t> place_there(const Buffer& buffer,
                                         const macrame::compiler::Shared* there) {
    if (there == nullptr) return std::nullopt;
    if (buffer.state) {
        for (const auto& state : there->states)
            if (state.name == buffer.name && state.bytes == buffer.bytes) return state.offset;
    } else if (buffer.is_constant()) {
        for (const auto& segment : there->contents)
            if (segment.bytes == buffer.contents) return segment.offset;
    }
    return std::nullopt;
}

}  // namespace

macrame::compiler::Ends plan_memory(std::vector<Buffer>& buffers, std::vector<Layer>& layers,
                                    std::optional<std::uint64_t> own_begin,
                                    const macrame::compiler::Shared* there) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for_places(layers[i], [&](Place& place, Use use) {
            if (place.buffer == Place::kPlaced) return;
            Buffer& buffer = buffers[static_cast<std::size_t>(place.buffer)];
            const int now = static_cast<int>(i);
            if (buffer.first < 0) buffer.first = now;
            buffer.last = now;
            buffer.written |= use == Use::written;
        });
    }
    const int end_of_time = static_cast<int>(layers.size());
    std::vector<macrame::compiler::Block> blocks;
    std::vector<bool> own;
    std::uint64_t end_there = 0;
    for (Buffer& buffer : buffers) {
        buffer.keep |= !buffer.contents.empty();
        if (const auto offset = place_there(buffer, there)) {
            buffer.there = true;
            buffer.offset = *offset;
            end_there = std::max(end_there, buffer.offset + buffer.bytes);
            continue;
        }
        // In front of the first layer, too: what nobody uses (-1) stays away from it.
        blocks.push_back({buffer.bytes, kWeightAlignment, buffer.keep ? -1 : buffer.first,
                          buffer.keep ? end_of_time : buffer.last, 0});
        own.push_back(!buffer.contents.empty() || buffer.state);
    }
    macrame::compiler::Ends ends;
    if (own_begin)
        ends = macrame::compiler::plan_apart(blocks, own, *own_begin);
    else
        ends.own = macrame::compiler::plan(blocks);
    ends.own = std::max(ends.own, end_there);
    std::size_t next = 0;
    for (Buffer& buffer : buffers)
        if (!buffer.there) buffer.offset = blocks[next++].offset;
    for (Layer& layer : layers) {
        for_places(layer, [&](Place& place, Use) {
            if (place.buffer == Place::kPlaced) return;
            place.offset += buffers[static_cast<std::size_t>(place.buffer)].offset;
            place.buffer = Place::kPlaced;
        });
    }
    // SDP works in order, so what it overwrites has been read. PDP, CDP, RUBIK and ROW are on
    // their own: they wait for all layers before them, and those behind them wait for them.
    for (std::size_t i = 1; i < layers.size(); ++i) {
        if (!ends_in_sdp(layers[i]) || !ends_in_sdp(layers[i - 1]))
            layers[i].after.push_back(static_cast<int>(i) - 1);
    }
    return {round_up(ends.shared, kWeightAlignment), round_up(ends.own, kWeightAlignment)};
}

}  // namespace macrame::dla::compiler
