#include "verif/systolic/run/step_check.hpp"

#include <utility>

#include "verif/common/text.hpp"
#include "verif/systolic/model/arithmetic.hpp"

namespace macrame::systolic::run {

namespace {

using verif::text::shortest;

constexpr std::size_t kMostDifferences = 10;

/// Bits of an element that the hardware keeps: of two words of a set of scales not all.
std::int64_t kept(const Architecture& a, const Place& place, std::int64_t value) {
    if (place.buffer != Buffer::scale) return value;
    const int word = place.entry % kScaleWords;
    if (word == 1) return model::wrap(value, a.exact ? kExactMultiplierWidth : kMultiplierWidth);
    if (word == 2) return value & ~std::int64_t{a.exact ? 0xff00 : 0xffc0};
    return value;
}

}  // namespace

StepCheck::StepCheck(const Architecture& architecture, std::vector<Instruction> program,
                     verif::Memory& wanted, const verif::Memory& found)
    : program_(std::move(program)),
      wanted_(wanted),
      found_(found),
      machine_(architecture, wanted),
      seen_(static_cast<std::size_t>(architecture.columns)) {
    for (std::size_t i = 0; i < program_.size(); ++i)
        waiting_[number(program_[i].module)].push_back(i);
}

std::size_t StepCheck::take(Module module) {
    auto& waiting = waiting_[number(module)];
    if (waiting.empty()) {
        tell(std::string(module_name(module)) +
             " has ended more instructions than the program has");
        return program_.size();
    }
    const std::size_t index = waiting.front();
    waiting.pop_front();
    return index;
}

void StepCheck::execute(std::size_t index) {
    const std::string reason = machine_.execute(program_[index]);
    if (!reason.empty()) tell(index, reason);
}

void StepCheck::ended(Module module) {
    const std::size_t index = take(module);
    if (index == program_.size()) return;
    execute(index);
    const Accesses touched = accesses(machine_.architecture(), program_[index]);
    compare_buffers(index, touched);
    if (touched.memory_write) compare_memory(index, touched);
}

void StepCheck::column_ended(int column) {
    std::size_t& seen = seen_[static_cast<std::size_t>(column)];
    if (seen == sums_.size()) {
        const std::size_t index = take(Module::gemm);
        if (index == program_.size()) return;
        execute(index);
        const Gemm& gemm = program_[index].gemm;
        Sums sums{index, gemm.output_address, {}, static_cast<int>(gemm.active_cols)};
        for (std::int64_t t = 0; t < gemm.ofmap_height * gemm.ofmap_width; ++t)
            sums.entries.push_back(
                machine_.entry(Buffer::obuf, static_cast<int>(gemm.output_address + t)));
        sums_.push_back(std::move(sums));
    }
    const Sums& sums = sums_[seen++];
    if (column < sums.columns) {
        for (std::size_t t = 0; t < sums.entries.size(); ++t)
            compare(sums.index,
                    {Buffer::obuf, static_cast<int>(sums.first_entry + static_cast<int>(t)),
                     column},
                    sums.entries[t][static_cast<std::size_t>(column)]);
    }
    if (column + 1 < machine_.architecture().columns) return;
    sums_.pop_front();
    for (std::size_t& count : seen_)
        --count;
}

void StepCheck::compare_buffers(std::size_t index, const Accesses& touched) {
    for (const BufferAccess& access : touched.buffers) {
        if (!access.write) continue;
        for (const Interval& entries : access.entries)
            for (std::int64_t entry = entries.begin; entry < entries.end; ++entry)
                for (std::int64_t bank = access.banks.begin; bank < access.banks.end; ++bank) {
                    const Place place{access.buffer, static_cast<int>(entry),
                                      static_cast<int>(bank)};
                    compare(index, place, machine_.value(place));
                }
    }
}

void StepCheck::compare_memory(std::size_t index, const Accesses& touched) {
    for (const Interval& bytes : touched.memory)
        for (std::int64_t i = bytes.begin; i < bytes.end; ++i) {
            const auto address = static_cast<std::uint64_t>(i);
            const std::uint8_t wanted = wanted_.peek(address), found = found_.peek(address);
            ++values_;
            if (found != wanted)
                tell(index, "memory at " + verif::text::hex(address) + ": found " +
                                shortest(found) + ", want " + shortest(wanted));
        }
}

void StepCheck::compare(std::size_t index, const Place& place, std::int64_t wanted) {
    const std::int64_t found = value_(place);
    ++values_;
    const Architecture& a = machine_.architecture();
    if (kept(a, place, found) == kept(a, place, wanted)) return;
    tell(index, std::string(buffer_name(place.buffer)) + " entry " + shortest(place.entry) +
                    ", bank " + shortest(place.bank) + ": found " + shortest(found) + ", want " +
                    shortest(wanted));
}

void StepCheck::tell(std::size_t index, const std::string& text) {
    tell("after instruction " + shortest(index) + " (" +
         std::string(module_name(program_[index].module)) + "): " + text);
}

void StepCheck::tell(const std::string& text) {
    if (differences_.size() < kMostDifferences) differences_.push_back(text);
}

void StepCheck::finish() {
    std::size_t left = sums_.size();
    for (const auto& waiting : waiting_)
        left += waiting.size();
    if (left > 0) tell(shortest(left) + " instructions have not ended");
}

}  // namespace macrame::systolic::run
