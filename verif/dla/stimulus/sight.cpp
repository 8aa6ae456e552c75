#include "sight.hpp"

#include <algorithm>

#include "verif/dla/model/device.hpp"
#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/trace/player.hpp"

namespace macrame::dla::stimulus {

namespace {

constexpr int kMostTruncate = 31;
constexpr std::size_t kMostTries = 24;  // of a program

/// Most products of a sum: weights take at most so much of the buffer, data and padding the rest.
std::int64_t most_products(const dla::model::Architecture& sizes) {
    return std::int64_t{sizes.cbuf_banks} * sizes.cbuf_depth * sizes.entry_bytes * 11 / 20;
}

/// The largest CLIP_TRUNCATE that a sum can be a negative tie of.
int largest_truncate(const dla::model::Architecture& sizes) {
    if (sizes.int16) return kMostTruncate;
    if (!sizes.int8) return 0;
    constexpr std::int64_t kLeast = 127 * -128;  // of a product
    const std::int64_t products = std::min<std::int64_t>(most_products(sizes), 140'000);
    int truncate = 0;
    while (truncate < kMostTruncate &&
           products * kLeast <= -(std::int64_t{1} << truncate))  // the guard bit
        ++truncate;
    return truncate;
}

void hit_tie(verif::Bins& bins, int truncate, bool yes) {
    bins.group("CACC");
    bins.hit("negative tie seen of truncate " + std::to_string(truncate), yes);
}

std::uint32_t field_mask(int width) { return width >= 32 ? ~0u : (std::uint32_t{1} << width) - 1; }

}  // namespace

int Sight::class_of(std::size_t parameter, int value) const {
    int out = 0;
    for (const int least : seen_parameters()[parameter].lowest)
        out += value >= least ? 1 : 0;
    return out;
}

void Sight::hit(verif::Bins& bins, std::size_t parameter, int value) const {
    const SeenParameter& row = seen_parameters()[parameter];
    const std::string name = std::string(row.name) + " seen";
    bins.group(row.unit);
    if (row.lowest.empty()) {
        bins.hit(name, true);
    } else {
        bins.range(name, value, row.lowest);
    }
}

void Sight::bins(verif::Bins& bins) const {
    for (std::size_t i = 0; i < seen_parameters().size(); ++i) {
        if (seen_parameters()[i].exists(sizes_)) hit(bins, i, 0);
    }
    for (int truncate = 1; truncate <= largest_truncate(sizes_); ++truncate)
        hit_tie(bins, truncate, false);
}

void Sight::layer(std::string_view unit, const dla::model::RegisterWords& now,
                  std::size_t command) {
    for (std::size_t i = 0; i < seen_parameters().size(); ++i) {
        const SeenParameter& row = seen_parameters()[i];
        if (row.unit != unit || !row.exists(sizes_) || !row.used(sizes_, now)) continue;
        const std::uint32_t word = now.word(row.address), mask = field_mask(row.width);
        const std::uint32_t field = word >> row.low & mask;
        const auto value = static_cast<int>(field);
        if (done_.count({i, class_of(i, value)}) != 0) continue;
        const std::uint32_t other = row.other(field) & mask;
        if (other == field) continue;
        tries_.push_back({i, command, value, (word & ~(mask << row.low)) | other << row.low});
    }
}

/// Plays the program. `like`: takes the bytes that another run has written, else those of this one.
void Sight::run(const trace::Trace& program, const std::function<void(int, bool)>& ties,
                const Written* like, Written& out) const {
    verif::Memory primary("pri_mem"), secondary("sec_mem");
    dla::model::Device device(sizes_, primary, &secondary);
    if (ties) device.watch_ties(ties);
    primary.log_writes(like == nullptr);
    secondary.log_writes(like == nullptr);
    if (sizes_.v1_map) {
        trace::play(trace::in_map(program, "", dla::model::register_variant(true)), device, primary,
                    secondary);
    } else {
        trace::play(program, device, primary, secondary);
    }
    if (like == nullptr) {
        out.primary = primary.written();
        out.secondary = secondary.written();
    }
    const auto take = [&](const verif::Memory& memory, const std::vector<verif::MemoryRange>& all) {
        for (const verif::MemoryRange& range : all) {
            const std::vector<std::uint8_t> bytes = memory.dump(range.addr, range.size);
            out.bytes.insert(out.bytes.end(), bytes.begin(), bytes.end());
        }
    };
    take(primary, like == nullptr ? out.primary : like->primary);
    take(secondary, like == nullptr ? out.secondary : like->secondary);
}

void Sight::play(const trace::Trace& program, verif::Bins& bins) {
    Written right;
    run(
        program,
        [&](int truncate, bool seen) {
            if (seen && truncate <= largest_truncate(sizes_)) hit_tie(bins, truncate, true);
        },
        nullptr, right);
    std::stable_sort(tries_.begin(), tries_.end(), [this](const Try& a, const Try& b) {
        return tried_[key_of(a)] < tried_[key_of(b)];
    });
    if (tries_.size() > kMostTries) tries_.resize(kMostTries);
    trace::Trace changed = program;
    for (const Try& one : tries_) {
        const Key key = key_of(one);
        if (done_.count(key) != 0) continue;
        ++tried_[key];
        trace::Command write;
        write.addr = seen_parameters()[one.parameter].address;
        write.value = one.word;
        const auto at = changed.commands.begin() + static_cast<std::ptrdiff_t>(one.command);
        changed.commands.insert(at, write);
        Written other;
        run(changed, {}, &right, other);
        changed.commands.erase(changed.commands.begin() + static_cast<std::ptrdiff_t>(one.command));
        if (other.bytes == right.bytes) continue;
        done_.insert(key);
        hit(bins, one.parameter, one.value);
    }
    tries_.clear();
}

}  // namespace macrame::dla::stimulus
