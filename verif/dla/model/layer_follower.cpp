/// Follows a register program and hands its layers to the rules. What it waits for is in
/// layer_waits.cpp.

#include <algorithm>
#include <iterator>
#include <utility>

#include "bdma.hpp"
#include "glb.hpp"
#include "layer_checker.hpp"
#include "layer_rules.hpp"

namespace macrame::dla::model {

namespace {

const char* const kConvUnits[] = {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"};
const char* const kMemoryPorts[] = {"MCIF", "CVIF"};

/// Rules of how the units of a program find each other.
const LayerRule kIdleRdma{
    "idle-rdma", dla_regs::sdp_rdma::D_OP_ENABLE::kAddress, "NVDLA enable order", {}, Level::error};
const LayerRule kEnableOrder{
    "enable-order", dla_regs::csc::D_OP_ENABLE::kAddress, "NVDLA enable order", {}, Level::warning};

const LayerRule kBusyGroup{"busy-group", 0, "NVDLA register sets", {}, Level::error};

/// Rules of the queue of BDMA.
const LayerRule kFullQueue{
    "full-queue", dla_regs::bdma::CFG_OP::kAddress, "NVDLA limits", {}, Level::error};
const LayerRule kOnePort{
    "one-port", dla_regs::bdma::CFG_CMD::kAddress, "NVDLA limits", {}, Level::error};
const LayerRule kEmptyLaunch{"empty-launch", 0, "NVDLA limits", {}, Level::error};

/// What the original hardware answers to reads of a legal program.
constexpr const char* kOriginal = "defects of the original hardware";
const LayerRule kTableRead{"original-table-read", 0, kOriginal, {}, Level::info};
const LayerRule kSaturation{"original-saturation",
                            dla_regs::sdp::D_PERF_OUT_SATURATION::kAddress,
                            kOriginal,
                            {},
                            Level::info};

}  // namespace

LayerFollower::LayerFollower(const Architecture& sizes, bool tells_waits)
    : sizes_(sizes), tells_waits_(tells_waits) {
    const dla_regs::RegisterTable table = dla_regs::table();
    for (const char* name :
         {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC", "SDP_RDMA", "SDP", "PDP_RDMA", "PDP",
          "CDP_RDMA", "CDP", "RUBIK", "ROW", "BDMA", "MCIF", "CVIF"}) {
        Unit unit;
        unit.name = name;
        unit.base = table.unit(name)->base;
        for (std::size_t i = 0; i < table.register_count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            if (r.unit != name) continue;
            registers_[r.address] = &r;
            if (r.name == "D_OP_ENABLE") unit.enable = r.address;
            if (r.grouped) {
                for (RegisterWords& words : unit.group)
                    words.set(r.address, r.reset);
            } else {
                unit.single.set(r.address, r.reset);
            }
        }
        units_.push_back(std::move(unit));
    }
}

LayerFollower::Unit* LayerFollower::unit_of(std::uint32_t byte_addr) {
    for (Unit& unit : units_) {
        if (unit.base >> 12 == byte_addr >> 12) return &unit;
    }
    return nullptr;
}

std::size_t LayerFollower::index(std::string_view name) const {
    const auto found = std::find_if(units_.begin(), units_.end(),
                                    [name](const Unit& unit) { return unit.name == name; });
    return static_cast<std::size_t>(found - units_.begin());
}

std::vector<Finding> LayerFollower::write(std::uint32_t byte_addr, std::uint32_t value,
                                          bool posted) {
    std::vector<Finding> out;
    const bool table = byte_addr == dla_regs::sdp::S_LUT_ACCESS_CFG::kAddress ||
                       byte_addr == dla_regs::cdp::S_LUT_ACCESS_CFG::kAddress;
    table_address_ = posted && table ? byte_addr : 0;
    write_glb(byte_addr, value);
    const auto found = registers_.find(byte_addr);
    Unit* unit = unit_of(byte_addr);
    if (unit == nullptr || found == registers_.end()) return out;
    const dla_regs::RegisterInfo* info = found->second;
    if (info->name == "S_POINTER") {
        unit->producer = value & 1u;
        return out;
    }
    if (lost(*unit, *info, value, out)) return out;
    RegisterWords& words = info->grouped ? unit->group[unit->producer] : unit->single;
    if (byte_addr != unit->enable) {
        words.set(byte_addr,
                  (words.word(byte_addr) & ~info->write_mask) | (value & info->write_mask));
        if ((value & 1u) == 0 || !sizes_.bdma) return out;
        if (byte_addr == dla_regs::bdma::CFG_OP::kAddress) push_copy(out);
        if (byte_addr == dla_regs::bdma::CFG_LAUNCH0::kAddress ||
            byte_addr == dla_regs::bdma::CFG_LAUNCH1::kAddress) {
            launch_copies(byte_addr, out);
        }
        return out;
    }
    if ((value & 1u) == 0) return out;
    enable(*unit);
    while (take(out)) {
    }
    return out;
}

std::vector<Finding> LayerFollower::read(std::uint32_t byte_addr) {
    std::vector<Finding> out;
    const std::uint32_t written = std::exchange(table_address_, 0);
    const auto reads_table = [&](std::uint32_t cfg, std::uint32_t data, bool exists) {
        if (!exists || written != cfg || byte_addr != data) return;
        LayerRule rule = kTableRead;
        rule.address = data;
        out.push_back(rules::finding(
            rule, 0,
            "another access behind the posted write of the address: it reads the old one"));
    };
    reads_table(dla_regs::sdp::S_LUT_ACCESS_CFG::kAddress,
                dla_regs::sdp::S_LUT_ACCESS_DATA::kAddress, sizes_.sdp_lut);
    reads_table(dla_regs::cdp::S_LUT_ACCESS_CFG::kAddress,
                dla_regs::cdp::S_LUT_ACCESS_DATA::kAddress, sizes_.cdp);
    if (byte_addr == kSaturation.address && stale_saturation_[unit("SDP").producer]) {
        out.push_back(rules::finding(
            kSaturation, 0, "PERF_SAT_EN in this layer, too: it reads the count of one before"));
    }
    return out;
}

/// Hardware drops writes to a group whose layer has not ended. True if this one is dropped for
/// sure.
bool LayerFollower::lost(Unit& unit, const dla_regs::RegisterInfo& reg, std::uint32_t value,
                         std::vector<Finding>& out) const {
    const std::uint32_t group = unit.producer;
    if (!reg.grouped || unit.enable == 0) return false;
    const bool waits = unit.enabled[group].has_value();
    if ((!waits && !unit.runs[group]) || !is_built(unit.name)) return false;
    const bool enables = reg.address == unit.enable;
    const bool changes =
        enables ? (value & 1u) != 0
                : ((unit.group[group].word(reg.address) ^ value) & reg.write_mask) != 0;
    if (changes && !unit.told[group]) {
        LayerRule rule = kBusyGroup;
        rule.address = reg.address;
        out.push_back(rules::finding(
            rule, value,
            rules::say(
                "no write to group ", group, " before its layer has ended: it is enabled, ",
                waits ? "and the write is lost" : "and the write is lost if it still runs")));
        unit.told[group] = true;
    }
    return waits;
}

void LayerFollower::enable(Unit& unit) {
    Enabled now{unit.group[unit.producer], unit.producer, ++enables_};
    now.words.set_all(unit.single);
    now.words.set(unit.enable, 1);
    unit.enabled[unit.producer] = std::move(now);
    unit.runs[unit.producer] = unit.told[unit.producer] = false;
    if (unit.name == "CDMA") {  // brings the input without any other
        raise(kCdmaDataBit, unit.producer);
        raise(kCdmaWeightBit, unit.producer);
    }
}

/// The layer of the group that is next begins.
void LayerFollower::begin(Unit& unit) {
    const std::uint32_t group = unit.consumer;
    unit.enabled[group].reset();
    unit.runs[group] = tells_waits_;
    ++unit.begun[group];
    unit.consumer ^= 1u;
}

/// Takes one complete layer off the enabled units, if there is one.
bool LayerFollower::take(std::vector<Finding>& out) {
    if (waits("SDP_RDMA")) {
        // A read DMA with nothing to fetch is done at once and belongs to no layer.
        const LayerRegisters l = front({"SDP_RDMA"});
        if (!rules::offline(l) && !rules::bs_stream(l).on && !rules::bn_stream(l).on &&
            !rules::ew_stream(l).on) {
            begin(unit("SDP_RDMA"));
            out.push_back(
                rules::finding(kIdleRdma, 1, "0 on the fly without operands from memory"));
            return true;
        }
    }
    if (waits("RUBIK")) {
        check({"RUBIK"}, out);
        return true;
    }
    if (waits("ROW")) {
        check({"ROW"}, out);
        return true;
    }
    if (waits("CDP") && waits("CDP_RDMA")) {
        check({"CDP_RDMA", "CDP"}, out);
        return true;
    }
    if (waits("PDP") && waits("PDP_RDMA") && !rules::Pool(front({"PDP"})).flying) {
        check({"PDP_RDMA", "PDP"}, out);
        return true;
    }
    if (!waits("SDP")) return false;
    const std::vector<std::string> names = units_with_sdp(front({"SDP"}));
    for (const std::string& name : names) {
        if (!waits(name)) return false;
    }
    check(names, out);
    return true;
}

/// The units that an SDP layer works with.
std::vector<std::string> LayerFollower::units_with_sdp(const LayerRegisters& sdp) const {
    const auto mode = sdp.get<dla_regs::sdp::D_FEATURE_MODE_CFG>();
    const bool flying = mode.FLYING_MODE() != 0;
    std::vector<std::string> names = {"SDP"};
    if (flying) names.insert(names.end(), std::begin(kConvUnits), std::end(kConvUnits));
    if (!flying || rules::bs_stage(sdp).memory() || rules::bn_stage(sdp).memory() ||
        rules::ew_stage(sdp).memory()) {
        names.emplace_back("SDP_RDMA");
    }
    if (mode.OUTPUT_DST() != 0 && (sizes_.pdp || waits("PDP"))) names.emplace_back("PDP");
    return names;
}

/// The oldest waiting registers of some units.
LayerRegisters LayerFollower::front(const std::vector<std::string>& names) const {
    LayerRegisters layer;
    for (const std::string& name : names) {
        layer.add(name);
        layer.set_all(next(unit(name)).words);
    }
    for (const char* name : kMemoryPorts) {
        layer.add(name);
        layer.set_all(unit(name).single);
    }
    return layer;
}

/// CSC needs CMAC and CACC, and starts when it finds the last of them.
void LayerFollower::check_order(const std::vector<std::string>& names,
                                std::vector<Finding>& out) const {
    const auto number = [&](const char* name) { return next(unit(name)).number; };
    if (std::find(names.begin(), names.end(), "CSC") == names.end()) return;
    for (const char* name : {"CMAC_A", "CMAC_B", "CACC"}) {
        if (number(name) < number("CSC")) continue;
        out.push_back(rules::finding(
            kEnableOrder, 1, rules::say("1 behind that of ", name, ": the layer waits for it")));
        return;
    }
}

/// The original clears the count of saturated results only for layers that count.
void LayerFollower::follow_saturation(const LayerRegisters& layer) {
    if (!layer.has("SDP")) return;
    const bool counts = layer.get<dla_regs::sdp::D_PERF_ENABLE>().PERF_SAT_EN() != 0;
    stale_saturation_[next(unit("SDP")).group] = !counts && counted_saturation_;
    counted_saturation_ = counted_saturation_ || counts;
}

void LayerFollower::check(const std::vector<std::string>& names, std::vector<Finding>& out) {
    LayerRegisters layer = front(names);
    layer.before = kept_;
    check_order(names, out);
    follow_saturation(layer);
    for (const std::string& name : names) {
        raise_end(unit(name));
        begin(unit(name));
    }
    ++layers_;
    const std::vector<Finding> found = check_layer(sizes_, layer);
    out.insert(out.end(), found.begin(), found.end());
    if (layer.has("CDMA")) kept_ = kept_after(sizes_, layer);
}

/// A copy has no partners: it is checked where it is pushed.
void LayerFollower::push_copy(std::vector<Finding>& out) {
    LayerRegisters layer;
    layer.add("BDMA");
    layer.set_all(unit("BDMA").single);
    ++layers_;
    const std::vector<Finding> found = check_layer(sizes_, layer);
    out.insert(out.end(), found.begin(), found.end());
    const auto cmd = layer.get<dla_regs::bdma::CFG_CMD>();
    if (copies_ == static_cast<int>(kBdmaSlots)) {
        out.push_back(rules::finding(
            kFullQueue, 1, rules::say("a launch before: the queue holds ", kBdmaSlots, " copies")));
        return;
    }
    if (copies_ > 0 && cmd.DST_RAM_TYPE() != copies_to_) {
        out.push_back(rules::finding(
            kOnePort, cmd.raw, "one DST_RAM_TYPE in a group: its interrupt may come too early"));
    }
    copies_to_ = cmd.DST_RAM_TYPE();
    ++copies_;
}

void LayerFollower::launch_copies(std::uint32_t byte_addr, std::vector<Finding>& out) {
    if (copies_ == 0) {
        LayerRule rule = kEmptyLaunch;
        rule.address = byte_addr;
        out.push_back(rules::finding(rule, 1, "copies before it: it has no effect"));
    } else {
        raise(kBdmaBit, byte_addr == dla_regs::bdma::CFG_LAUNCH1::kAddress ? 1 : 0);
    }
    copies_ = 0;
}

}  // namespace macrame::dla::model
