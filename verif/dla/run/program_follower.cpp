#include "verif/dla/run/program_follower.hpp"

#include <algorithm>
#include <iterator>

#include "dla_regs.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/trace/cfg_reader.hpp"

namespace macrame::dla::run {

namespace {

using model::Finding;
using trace::Command;
using trace::Op;
using verif::text::hex;
namespace glb = dla_regs::glb;

void append(std::vector<Finding>& out, std::vector<Finding> found) {
    out.insert(out.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
}

/// "CSC group 0, CACC group 0": groups that are enabled and whose layer is not done.
std::string enabled_groups(std::string_view variant, verif::Device& device) {
    const dla_regs::RegisterTable table = dla_regs::table(variant);
    std::string out;
    for (std::size_t i = 0; i < table.register_count; ++i) {
        const dla_regs::RegisterInfo& r = table.registers[i];
        if (r.name != "S_STATUS") continue;
        const std::uint32_t status = device.csb_read(r.address);
        for (int group = 0; group < 2; ++group) {
            if ((status >> (16 * group) & 3u) == 0) continue;
            out +=
                (out.empty() ? "" : ", ") + std::string(r.unit) + " group " + std::to_string(group);
        }
    }
    return out;
}

}  // namespace

ProgramFollower::ProgramFollower(const model::Architecture& sizes, const trace::Trace& program)
    : sizes_(sizes), program_(program), layers_(sizes, true) {}

std::vector<Finding> ProgramFollower::next() {
    const Command& c = program_.commands[at_++];
    if (c.idle > 0) layers_.wait();
    std::vector<Finding> out;
    switch (c.op) {
        case Op::write:
            return layers_.write(c.addr, c.value, program_.serves_interrupts);
        case Op::read:
        case Op::read_check:
            return layers_.read(c.addr);
        case Op::poll:
            out = layers_.read(c.addr);
            if (c.addr == program_.flush_status) return out;  // tells of no layer
            if (c.addr == glb::S_INTR_STATUS::kAddress && c.compare == trace::Compare::equal) {
                for (int bit = 0; bit < 32; ++bit) {
                    if ((c.value & c.mask) >> bit & 1u)
                        append(out, layers_.wait_for(bit, 0, false));
                }
            }
            break;
        case Op::sync_wait:
            out = wait_for(c.id);
            take(c.id);
            break;
        case Op::wait_pin:
            out = layers_.wait_for_pin();
            break;
        case Op::sync_notify:
        case Op::check_region:
        case Op::load:
            return out;
        case Op::reset:
            layers_ = model::LayerFollower(sizes_, true);
            before_ = taken_;
            return out;
    }
    layers_.wait();
    return out;
}

/// The interrupts of an event, those behind the last reset.
std::vector<Finding> ProgramFollower::wait_for(const std::string& event) const {
    std::vector<Finding> out;
    std::array<int, 32> declared{};
    for (const trace::Notify& notify : program_.notifies) {
        const auto bit = static_cast<std::size_t>(notify.bit);
        const int before = declared[bit]++ - before_[bit];
        if (notify.id == event && before >= 0)
            append(out, layers_.wait_for(notify.bit, before, true));
    }
    return out;
}

/// The program has waited for an event.
void ProgramFollower::take(const std::string& event) {
    std::array<int, 32> declared{};
    for (const trace::Notify& notify : program_.notifies) {
        const auto bit = static_cast<std::size_t>(notify.bit);
        ++declared[bit];
        if (notify.id == event) taken_[bit] = std::max(taken_[bit], declared[bit]);
    }
}

std::vector<Finding> ProgramFollower::finish() const {
    std::vector<Finding> out;
    for (const trace::Notify& notify : program_.notifies)
        append(out, wait_for(notify.id));
    append(out, layers_.finish());
    return out;
}

std::string explain(const model::Architecture& sizes, const model::LayerFollower& layers, int bit,
                    bool pin, verif::Device& device) {
    const std::string_view variant = model::register_variant(sizes.v1_map);
    const auto read = [&](std::uint32_t address) {
        return device.csb_read(model::register_address(address, "", variant));
    };
    const std::uint32_t status = read(glb::S_INTR_STATUS::kAddress);
    const std::uint32_t mask = read(glb::S_INTR_MASK::kAddress);
    const std::uint32_t wanted = bit >= 0 ? 1u << bit : ~0u;
    if (pin && (status & mask & wanted) != 0) {
        return "S_INTR_MASK = " + hex(mask) + " keeps S_INTR_STATUS = " + hex(status) +
               " from the pin";
    }
    std::string stopped;
    for (const std::string& violation : device.violations())
        stopped += (stopped.empty() ? "" : "; ") + violation;
    if (!stopped.empty()) return stopped;
    std::string why = bit >= 0 ? layers.why(bit) : layers.why();
    if (why.empty()) {
        const std::string groups = enabled_groups(variant, device);
        why = groups.empty() ? "no unit is enabled, all layers have ended"
                             : "all that they need is enabled, but these do not end: " + groups;
    }
    if (bit >= 0 && (status >> (bit ^ 1) & 1u) != 0) {
        why += "; " + trace::interrupt_name(bit ^ 1) + " has come";
    }
    return why;
}

std::string explain(const model::Architecture& sizes, const trace::Trace& program,
                    std::string_view variant, const trace::Stuck& stuck, verif::Device& device) {
    const trace::Trace mapped = trace::in_map(program, variant, "");
    ProgramFollower follower(sizes, mapped);
    for (std::size_t i = 0; i < stuck.commands && i < mapped.commands.size(); ++i)
        follower.next();
    return explain(sizes, follower.layers(), stuck.bit, stuck.pin, device);
}

}  // namespace macrame::dla::run
