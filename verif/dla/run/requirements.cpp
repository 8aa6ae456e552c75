#include "verif/dla/run/requirements.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "verif/common/text.hpp"
#include "verif/dla/model/precision.hpp"

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

bool is_absent(const std::string& unit, const model::Architecture& sizes) {
    return (!sizes.pdp && unit.rfind("PDP", 0) == 0) || (!sizes.cdp && unit.rfind("CDP", 0) == 0);
}

/// Only a program that waits for these units needs them: to all others their registers read 0.
bool is_absent_mover(const std::string& unit, const model::Architecture& sizes) {
    return (!sizes.bdma && unit == "BDMA") || (!sizes.rubik() && unit == "RUBIK") ||
           (!sizes.row && unit == "ROW");
}

/// A field of a unit's registers whose value asks for a feature.
struct Need {
    const char* unit;
    const char* name;
    int msb, lsb;
    bool (*lacks)(const model::Architecture& sizes, std::uint64_t value);
    const char* what;
};
using S = const model::Architecture&;
using V = std::uint64_t;
constexpr Need kNeeds[] = {
    {"CDMA", "D_DATAIN_FORMAT", 0, 0, [](S s, V v) { return v != 0 && !s.image; }, "image input"},
    {"CDMA", "D_MISC_CFG", 0, 0, [](S s, V v) { return v != 0 && !s.winograd; }, "Winograd"},
    {"CDMA", "D_BATCH_NUMBER", 4, 0, [](S s, V v) { return v != 0 && !s.batch; }, "batches"},
    {"CDMA", "D_WEIGHT_FORMAT", 0, 0, [](S s, V v) { return v != 0 && !s.compression; },
     "compressed weights"},
    {"SDP", "D_DP_EW_CFG", 0, 0, [](S s, V v) { return v == 0 && !s.sdp_ew; }, "SDP EW"},
    {"RUBIK", "D_MISC_CFG", 1, 0, [](S s, V v) { return v == 0 && !s.rubik_contract; },
     "contract mode of RUBIK"},
    {"RUBIK", "D_MISC_CFG", 1, 0, [](S s, V v) { return v != 0 && !s.rubik_reshape; },
     "split and merge of RUBIK"},
};

/// A field of two bits with an element type.
struct TypeField {
    const char* unit;
    const char* name;
    int lsb;
};
constexpr TypeField kTypes[] = {
    {"CDMA", "D_MISC_CFG", 12},  {"SDP", "D_DATA_FORMAT", 0}, {"SDP", "D_DATA_FORMAT", 2},
    {"PDP", "D_DATA_FORMAT", 0}, {"CDP", "D_DATA_FORMAT", 0}, {"RUBIK", "D_MISC_CFG", 8},
};

std::string_view type_name(model::Precision precision) {
    return precision == model::Precision::int8    ? "INT8"
           : precision == model::Precision::int16 ? "INT16"
                                                  : "FP16";
}

/// What a layer of this unit needs and the configuration has not.
std::set<std::string> missing_in_layer(const std::string& unit, RegisterShadow& shadow,
                                       const model::Architecture& sizes) {
    if (is_absent(unit, sizes)) return {unit.substr(0, unit.find('_'))};
    std::set<std::string> lacks;
    if (is_absent_mover(unit, sizes)) return lacks;
    for (const Need& need : kNeeds) {
        if (unit == need.unit &&
            need.lacks(sizes, shadow.field(unit, need.name, need.msb, need.lsb))) {
            lacks.insert(need.what);
        }
    }
    for (const TypeField& type : kTypes) {
        if (unit != type.unit) continue;
        const auto precision = model::precision_of(
            static_cast<std::uint32_t>(shadow.field(unit, type.name, type.lsb + 1, type.lsb)));
        if (!sizes.has(precision)) lacks.emplace(type_name(precision));
    }
    return lacks;
}

/// Memory contents or checks at the second port.
bool uses_second_port(const trace::Trace& program) {
    const auto second = [](const auto& item) { return item.port == trace::Port::secondary; };
    const auto checks = [&](const trace::Command& command) {
        return command.op == trace::Op::check_region && second(command.check);
    };
    const auto loads = [&](const trace::Command& command) {
        return command.op == trace::Op::load && second(command.contents);
    };
    return std::any_of(program.commands.begin(), program.commands.end(), loads) ||
           std::any_of(program.memory.begin(), program.memory.end(), second) ||
           std::any_of(program.checks.begin(), program.checks.end(), second) ||
           std::any_of(program.commands.begin(), program.commands.end(), checks);
}

}  // namespace

Work count_work(const trace::Trace& program, const Platform& platform) {
    RegisterShadow shadow(platform.registers);
    Work work;
    for (const trace::Command& command : program.commands) {
        const std::string unit = shadow.write(command);
        const bool on_the_fly =
            unit == "SDP" && shadow.field("SDP", "D_FEATURE_MODE_CFG", 0, 0) != 0;
        work.layers += unit == "CSC" || unit == "PDP" || unit == "CDP" || unit == "RUBIK" ||
                       unit == "ROW" ||
                       (unit == "SDP" && !on_the_fly);
        if (unit != "CSC") continue;
        const auto size = [&](const char* name, int msb, int lsb) {
            return shadow.field("CSC", name, msb, lsb) + 1;
        };
        const std::uint64_t products =
            size("D_DATAOUT_SIZE_0", 12, 0) * size("D_DATAOUT_SIZE_0", 28, 16) *
            size("D_WEIGHT_SIZE_EXT_1", 28, 16) * size("D_WEIGHT_SIZE_EXT_1", 12, 0) *
            size("D_WEIGHT_SIZE_EXT_0", 4, 0) * size("D_WEIGHT_SIZE_EXT_0", 20, 16) *
            size("D_BATCH_NUMBER", 4, 0);
        // Transformed kernels of 4 x 4 stand for 3 x 3.
        const bool winograd = shadow.field("CSC", "D_MISC_CFG", 0, 0) != 0;
        const std::uint64_t macs = winograd ? products / 16 * 9 : products;
        const bool narrow = shadow.field("CSC", "D_MISC_CFG", 13, 12) == 0;
        work.macs += macs;
        work.wide_macs += platform.sizes.int8 && platform.sizes.types16() && !narrow ? macs : 0;
    }
    return work;
}

std::size_t count_checks(const trace::Trace& program) {
    const auto checks = [](const trace::Command& command) {
        return command.op != trace::Op::write && command.op != trace::Op::read &&
               command.op != trace::Op::sync_notify && command.op != trace::Op::load &&
               command.op != trace::Op::reset;
    };
    const auto n = std::count_if(program.commands.begin(), program.commands.end(), checks);
    return static_cast<std::size_t>(n) + program.notifies.size();
}

std::string missing(const trace::Trace& program, const Platform& platform) {
    RegisterShadow shadow(platform.registers);
    std::set<std::string> lacks;
    for (const trace::Command& command : program.commands) {
        const std::string unit = shadow.write(command);
        if (!unit.empty()) lacks.merge(missing_in_layer(unit, shadow, platform.sizes));
    }
    for (const trace::Notify& notify : program.notifies) {
        const std::string unit = notify.unit.substr(0, notify.unit.find('_'));
        if (is_absent(unit, platform.sizes) || is_absent_mover(unit, platform.sizes)) {
            lacks.insert(unit);
        }
    }
    if (!platform.sizes.secondary && uses_second_port(program)) lacks.insert("second memory port");
    std::string text;
    for (const std::string& what : lacks)
        text += (text.empty() ? "" : ", ") + what;
    return text;
}

std::vector<std::string> unreachable_memory(const trace::Trace& program, const Platform& platform) {
    std::vector<std::string> out;
    const int bits = platform.sizes.addr_w;
    const auto look = [&](const std::string& where, std::uint64_t base, std::uint64_t bytes) {
        const std::uint64_t last = base + (bytes == 0 ? 0 : bytes - 1);
        if (last >= base && (bits >= 64 || last >> bits == 0)) return;
        out.push_back(where + ": " + verif::text::shortest(bytes) + " bytes of memory at " +
                      verif::text::hex(base) + ": want them below the end of addresses of " +
                      verif::text::shortest(bits) + " bits");
    };
    for (const trace::MemoryInit& init : program.memory) {
        std::uint64_t bytes = init.size;
        for (const trace::Segment& segment : init.segments)
            bytes = std::max(bytes, segment.offset + segment.bytes.size());
        look(init.where, init.base, bytes);
    }
    for (const trace::RegionCheck& check : program.checks)
        look(check.where, check.base, check.size);
    for (const trace::Command& command : program.commands)
        if (command.op == trace::Op::check_region)
            look(command.where, command.check.base, command.check.size);
    return out;
}

std::size_t drop_absent_units(trace::Trace& program, const Platform& platform) {
    const auto absent = [&](const trace::Command& command) {
        const trace::RegisterInfo* info = platform.registers.at(command.addr);
        return info != nullptr && is_absent(info->unit, platform.sizes);
    };
    const auto end = std::remove_if(program.commands.begin(), program.commands.end(), absent);
    const auto dropped = static_cast<std::size_t>(program.commands.end() - end);
    program.commands.erase(end, program.commands.end());
    return dropped;
}

}  // namespace macrame::dla::run
