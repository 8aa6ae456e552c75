#include "races.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::dla::model {

namespace {

const char* name_of(DmaClient client) {
    switch (client) {
        case DmaClient::kBdma:
            return "BDMA";
        case DmaClient::kSdp:
        case DmaClient::kSdpB:
        case DmaClient::kSdpN:
        case DmaClient::kSdpE:
            return "SDP";
        case DmaClient::kPdp:
            return "PDP";
        case DmaClient::kCdp:
            return "CDP";
        case DmaClient::kRubik:
            return "RUBIK";
        case DmaClient::kRow:
            return "ROW";
        case DmaClient::kCdmaData:
        case DmaClient::kCdmaWeights:
            return "CDMA";
    }
    return "";
}

bool is_cdma(const MemoryStream& s) {
    return s.client == DmaClient::kCdmaData || s.client == DmaClient::kCdmaWeights;
}
bool is_sdp(const MemoryStream& s) { return std::string_view(name_of(s.client)) == "SDP"; }
/// Written in the order of the layers of SDP.
bool is_behind_sdp(const MemoryStream& s) { return is_sdp(s) || s.flying; }

}  // namespace

std::size_t Races::open(const MemoryStream& stream) {
    const auto found = std::find_if(step_.begin(), step_.end(),
                                    [&](const Record& r) { return r.stream.same(stream); });
    if (found != step_.end()) return static_cast<std::size_t>(found - step_.begin());
    step_.emplace_back();
    step_.back().stream = stream;
    return step_.size() - 1;
}

void Races::add(std::size_t stream, std::uint64_t addr, std::size_t count) {
    std::vector<Run>& runs = step_[stream].runs;
    if (!runs.empty() && runs.back().end == addr) {
        runs.back().end += count;
    } else {
        runs.push_back({addr, addr + count});
    }
}

void Races::clear() {
    step_.clear();
    before_.clear();
}

/// Is one always done with a byte before the other begins with it, though both run at a time?
bool Races::ordered(const MemoryStream& first, const MemoryStream& then, std::uint64_t convolved) {
    if (first.write != then.write && first.write) return false;
    if (first.write || !is_sdp(first)) {
        if (is_cdma(first)) return is_behind_sdp(then) && first.layer <= convolved;
        return first.client == then.client;
    }
    return is_behind_sdp(then);
}

/// An address that both touch, or nothing.
std::string Races::meeting(Record& a, Record& b) {
    if (a.begin >= b.end || b.begin >= a.end) return {};
    for (Record* r : {&a, &b}) {
        if (!r->sorted) std::sort(r->runs.begin(), r->runs.end());
        r->sorted = true;
    }
    auto at = a.runs.begin();
    for (const Run& run : b.runs) {
        for (; at != a.runs.end() && at->begin < run.end; ++at) {
            if (at->end > run.begin) return verif::text::hex(std::max(at->begin, run.begin));
        }
    }
    return {};
}

std::string Races::end_step(std::uint64_t now, std::uint64_t begun, std::uint64_t convolved,
                            std::uint64_t oldest) {
    step_.erase(
        std::remove_if(step_.begin(), step_.end(), [](const Record& r) { return r.runs.empty(); }),
        step_.end());
    std::string found;
    const auto look = [&](Record& first, Record& then) {
        const MemoryStream &a = first.stream, &b = then.stream;
        if (!found.empty() || (!a.write && !b.write) || a.secondary != b.secondary) return;
        if (ordered(a, b, convolved)) return;
        const std::string place = meeting(first, then);
        if (place.empty()) return;
        found = std::string("race: ") + name_of(a.client) + (a.write ? " writes" : " reads") +
                " what " + name_of(b.client) + (b.write ? " writes" : " reads") + " at " + place +
                (a.secondary ? " of the second port" : "") +
                ": want that enabled when this has ended";
    };
    for (Record& r : step_) {
        r.time = now;
        if (r.stream.write && begun != 0) r.stream.enabled = begun;
        r.begin = std::min_element(r.runs.begin(), r.runs.end())->begin;
        r.end = std::max_element(r.runs.begin(), r.runs.end(), [](const Run& a, const Run& b) {
                    return a.end < b.end;
                })->end;
    }
    for (Record& r : step_) {
        for (Record& other : step_) {
            // CDMA is ahead.
            if (is_cdma(other.stream) && other.stream.layer > convolved && r.stream.write)
                look(other, r);
        }
    }
    for (Record& r : step_)
        for (Record& earlier : before_)
            if (r.stream.enabled <= earlier.time) look(earlier, r);
    before_.insert(before_.end(), std::make_move_iterator(step_.begin()),
                   std::make_move_iterator(step_.end()));
    step_.clear();
    before_.erase(std::remove_if(before_.begin(), before_.end(),
                                 [&](const Record& r) { return r.time < oldest; }),
                  before_.end());
    return found;
}

}  // namespace macrame::dla::model
