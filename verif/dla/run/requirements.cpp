#include "verif/dla/run/requirements.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace macrame::dla::run {

namespace {

/// Register contents as the program leaves them at each enable of a unit, per register group.
class RegisterShadow {
public:
    explicit RegisterShadow(const trace::RegisterTable& registers) : registers_(registers) {}

    /// Follows one command; returns the unit that it enables, empty if none.
    std::string write(const trace::Command& command) {
        const trace::RegisterInfo* info = registers_.at(command.addr);
        if (info == nullptr || command.op != trace::Op::write) return {};
        if (info->name == "S_POINTER") producer_[info->unit] = command.value & 1u;
        values_[info->unit][producer_[info->unit]][info->name] = command.value;
        return info->name == "D_OP_ENABLE" && (command.value & 1u) != 0 ? info->unit : "";
    }

    /// Field of the group that the program is writing.
    std::uint64_t field(const std::string& unit, const std::string& name, int msb, int lsb) {
        return values_[unit][producer_[unit]][name] >> lsb & ((2u << (msb - lsb)) - 1u);
    }

private:
    const trace::RegisterTable& registers_;
    std::map<std::string, std::uint32_t> producer_;
    std::map<std::string, std::map<std::uint32_t, std::map<std::string, std::uint32_t>>> values_;
};

bool is_absent(const std::string& unit, const Platform& platform) {
    return (!platform.has_pdp && unit.rfind("PDP", 0) == 0) ||
           (!platform.has_cdp && unit.rfind("CDP", 0) == 0);
}

/// Only a program that waits for these units needs them: to all others their registers read 0.
bool is_absent_mover(const std::string& unit, const Platform& platform) {
    return (!platform.has_bdma && unit == "BDMA") || (!platform.has_rubik && unit == "RUBIK");
}

/// What a layer of this unit needs and the configuration has not.
std::string missing_in_layer(const std::string& unit, RegisterShadow& shadow,
                             const Platform& platform) {
    if (is_absent(unit, platform)) return unit.substr(0, unit.find('_'));
    if (unit == "CDMA" && !platform.has_image &&
        shadow.field("CDMA", "D_DATAIN_FORMAT", 0, 0) != 0) {
        return "image input";
    }
    if (unit == "SDP" && !platform.has_ew && shadow.field("SDP", "D_DP_EW_CFG", 0, 0) == 0) {
        return "SDP EW";
    }
    return {};
}

}  // namespace

Work count_work(const trace::Program& program, const trace::RegisterTable& registers) {
    RegisterShadow shadow(registers);
    Work work;
    for (const trace::Command& command : program.commands) {
        const std::string unit = shadow.write(command);
        const bool on_the_fly =
            unit == "SDP" && shadow.field("SDP", "D_FEATURE_MODE_CFG", 0, 0) != 0;
        work.layers += unit == "CSC" || unit == "PDP" || unit == "CDP" || unit == "RUBIK" ||
                       (unit == "SDP" && !on_the_fly);
        if (unit != "CSC") continue;
        const auto size = [&](const char* name, int msb, int lsb) {
            return shadow.field("CSC", name, msb, lsb) + 1;
        };
        work.macs += size("D_DATAOUT_SIZE_0", 12, 0) * size("D_DATAOUT_SIZE_0", 28, 16) *
                     size("D_WEIGHT_SIZE_EXT_1", 28, 16) * size("D_WEIGHT_SIZE_EXT_1", 12, 0) *
                     size("D_WEIGHT_SIZE_EXT_0", 4, 0) * size("D_WEIGHT_SIZE_EXT_0", 20, 16);
    }
    return work;
}

std::size_t count_checks(const trace::Program& program) {
    const auto checks = [](const trace::Command& command) {
        return command.op != trace::Op::write && command.op != trace::Op::read &&
               command.op != trace::Op::sync_notify;
    };
    const auto n = std::count_if(program.commands.begin(), program.commands.end(), checks);
    return static_cast<std::size_t>(n) + program.notifies.size();
}

std::string missing(const trace::Program& program, const Platform& platform) {
    RegisterShadow shadow(platform.registers);
    std::set<std::string> lacks;
    for (const trace::Command& command : program.commands) {
        const std::string unit = shadow.write(command);
        if (!unit.empty()) lacks.insert(missing_in_layer(unit, shadow, platform));
    }
    for (const trace::Notify& notify : program.notifies) {
        const std::string unit = notify.unit.substr(0, notify.unit.find('_'));
        if (is_absent(unit, platform) || is_absent_mover(unit, platform)) lacks.insert(unit);
    }
    lacks.erase("");
    std::string text;
    for (const std::string& what : lacks)
        text += (text.empty() ? "" : ", ") + what;
    return text;
}

std::size_t drop_absent_units(trace::Program& program, const Platform& platform) {
    const auto absent = [&](const trace::Command& command) {
        const trace::RegisterInfo* info = platform.registers.at(command.addr);
        return info != nullptr && is_absent(info->unit, platform);
    };
    const auto end = std::remove_if(program.commands.begin(), program.commands.end(), absent);
    const auto dropped = static_cast<std::size_t>(program.commands.end() - end);
    program.commands.erase(end, program.commands.end());
    return dropped;
}

}  // namespace macrame::dla::run
