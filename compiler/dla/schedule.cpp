#include "compiler/dla/schedule.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "compiler/dla/registers.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

namespace {

namespace regs = dla_regs;
using program::Code;
using program::Command;

class Scheduler {
public:
    Scheduler(const model::Architecture& sizes, const std::vector<Layer>& layers)
        : sizes_(sizes), layers_(layers), done_(layers.size(), 0) {}

    std::vector<Command> run() {
        // SDP (bits 0, 1), CDP (2, 3), PDP (4, 5), RUBIK (8, 9) and ROW (10, 11) tell that they are
        // done.
        const std::uint32_t done =
            0x3Fu | (sizes_.rubik_contract ? 0x300u : 0) | (sizes_.row ? 0xC00u : 0);
        put(regs::glb::S_INTR_MASK::kAddress, regs::glb::S_INTR_MASK::kWriteMask & ~done);
        for (std::size_t i = 0; i < layers_.size(); ++i)
            add(i);
        if (!layers_.empty()) wait_for(static_cast<int>(layers_.size()) - 1);
        return std::move(commands_);
    }

private:
    void put(std::uint32_t address, std::uint32_t value) {
        commands_.push_back({Code::write, address, value, 0});
    }

    /// Everything up to that layer is done; they are asked in order, most end in order.
    void wait_for(int layer) {
        for (; waited_ <= layer; ++waited_) {
            const std::uint32_t done = done_[static_cast<std::size_t>(waited_)];
            if (done == 0) continue;  // of the host
            commands_.push_back({Code::wait, 0, done, 0});
        }
    }

    void add(std::size_t index) {
        const Layer& layer = layers_[index];
        commands_.push_back({Code::begin_layer, 0, static_cast<std::uint32_t>(index), 0});
        if (const HostLayer* host = std::get_if<HostLayer>(&layer.work)) {
            wait_for(static_cast<int>(index) - 1);
            commands_.push_back({Code::host, 0, static_cast<std::uint32_t>(host->number), 0});
            return;
        }
        const std::vector<UnitProgram> units = unit_programs(sizes_, layer);
        for (const UnitProgram& unit : units)
            set_up(unit);
        load_table(layer);
        enable(layer, units);
        for (const Unit unit : done_units(layer))
            done_[index] |= std::uint32_t{1} << (done_interrupt(unit) + group(unit));
        for (const UnitProgram& unit : units)
            users_[static_cast<std::size_t>(unit.unit)].push_back(static_cast<int>(index));
    }

    int group(Unit unit) const {
        return static_cast<int>(users_[static_cast<std::size_t>(unit)].size() % 2);
    }

    void set_up(const UnitProgram& unit) {
        const std::vector<int>& users = users_[static_cast<std::size_t>(unit.unit)];
        if (users.size() >= 2) wait_for(users[users.size() - 2]);
        const int chosen = group(unit.unit);
        change(0,
               {Code::write, pointer_register(unit.unit), static_cast<std::uint32_t>(chosen), 0});
        for (const Command& command : unit.registers)
            change(chosen, command);
    }

    /// A register keeps its value: it is written if that changes.
    void change(int group, const Command& command) {
        std::vector<std::optional<Command>>& values = values_[static_cast<std::size_t>(group)];
        const std::size_t place = command.address / 4;
        if (place >= values.size()) values.resize(place + place / 2 + 1);
        std::optional<Command>& known = values[place];
        if (known && known->code == command.code && known->value == command.value &&
            known->aux == command.aux)
            return;
        known = command;
        commands_.push_back(command);
    }

    /// The table is one for both groups: it changes when the unit is at rest.
    void load_table(const Layer& layer) {
        const Lookup* lookup = lookup_of(layer);
        if (lookup == nullptr) return;
        const Unit unit = std::holds_alternative<CdpLayer>(layer.work) ? Unit::cdp : Unit::sdp;
        std::optional<Lookup>& loaded = tables_[static_cast<std::size_t>(unit)];
        if (loaded == *lookup) return;
        loaded = *lookup;
        const std::vector<int>& users = users_[static_cast<std::size_t>(unit)];
        if (!users.empty()) wait_for(users.back());
        const std::vector<Command> load = table_load(layer);
        commands_.insert(commands_.end(), load.begin(), load.end());
    }

    void enable(const Layer& layer, const std::vector<UnitProgram>& units) {
        const auto wait = [&] {
            if (!layer.after.empty())
                wait_for(*std::max_element(layer.after.begin(), layer.after.end()));
        };
        // A convolution reads results of others in CDMA alone, which comes last.
        const bool early = std::holds_alternative<ConvLayer>(layer.work) && !reads_cubes(layer);
        if (!early) wait();
        for (const UnitProgram& unit : units) {
            if (early && unit.unit == Unit::cdma) wait();
            if (unit.unit == Unit::cdma) wait_for_buffer();
            put(enable_register(unit.unit), 1);
        }
    }

    /// Behind a reset CBUF is cleared, which has to be over when CDMA starts.
    void wait_for_buffer() {
        if (buffer_is_clear_) return;
        commands_.push_back({Code::poll, regs::cdma::S_CBUF_FLUSH_STATUS::kAddress, 1, 1});
        buffer_is_clear_ = true;
    }

    /// Do SDP's stages read what other layers wrote?
    static bool reads_cubes(const Layer& layer) {
        const ConvLayer& conv = std::get<ConvLayer>(layer.work);
        const auto cube = [](const std::optional<Operands>& o) { return o && o->per_element; };
        return cube(conv.post.bs.memory) || cube(conv.post.bn.memory) || cube(conv.post.ew.memory);
    }

    const model::Architecture& sizes_;
    const std::vector<Layer>& layers_;
    std::vector<Command> commands_;
    std::array<std::vector<int>, kUnits> users_;        // layers
    std::vector<std::uint32_t> done_;                   // interrupts, per layer
    std::array<std::optional<Lookup>, kUnits> tables_;  // that are loaded
    bool buffer_is_clear_ = false;
    int waited_ = 0;                                             // layers that are known to be done
    std::array<std::vector<std::optional<Command>>, 2> values_;  // by group and word
};

}  // namespace

std::vector<Command> schedule(const model::Architecture& sizes, const std::vector<Layer>& layers) {
    return Scheduler(sizes, layers).run();
}

std::vector<Command> unit_commands(const std::vector<Command>& commands) {
    std::vector<Command> out;
    for (std::size_t i = 0; i < kUnits; ++i) {
        const Unit unit = static_cast<Unit>(i);
        const bool used = std::any_of(commands.begin(), commands.end(), [&](const Command& c) {
            return c.code == Code::write && c.address == pointer_register(unit);
        });
        const bool tells = unit == Unit::sdp || unit == Unit::pdp || unit == Unit::cdp ||
                           unit == Unit::rubik || unit == Unit::row;
        const std::uint32_t causes = tells ? 3u << done_interrupt(unit) : 0;
        if (used)
            out.push_back({Code::unit, pointer_register(unit), causes, status_register(unit)});
    }
    return out;
}

}  // namespace macrame::dla::compiler
