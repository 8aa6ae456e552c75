/// What a register program waits for, and why it does not come.

#include <algorithm>
#include <iterator>

#include "glb.hpp"
#include "layer_checker.hpp"
#include "layer_rules.hpp"

namespace macrame::dla::model {

namespace {

/// An interrupt, as its bit of group 0.
struct Source {
    int bit;
    const char* unit;
    const char* name;
};
constexpr Source kSources[] = {
    {kSdpBit, "SDP", "SDP"},
    {kCdpBit, "CDP", "CDP"},
    {kPdpBit, "PDP", "PDP"},
    {kBdmaBit, "BDMA", "BDMA"},
    {kRubikBit, "RUBIK", "RUBIK"},
    {kRowBit, "ROW", "ROW"},
    {kCdmaDataBit, "CDMA", "CDMA_DAT"},
    {kCdmaWeightBit, "CDMA", "CDMA_WT"},
    {kCaccBit, "CACC", "CACC"},
};

const Source* source_of(int bit) {
    const auto* const found = std::find_if(std::begin(kSources), std::end(kSources),
                                           [bit](const Source& s) { return s.bit == (bit & ~1); });
    return found == std::end(kSources) ? nullptr : found;
}

const std::vector<std::string> kConv = {"CDMA", "CSC", "CMAC_A", "CMAC_B", "CACC"};

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_once(std::vector<std::string>& out, const std::string& text) {
    if (!contains(out, text)) out.push_back(text);
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
    std::string out;
    for (const std::string& text : texts)
        out += (out.empty() ? "" : between) + text;
    return out;
}

constexpr const char* kOrder = "NVDLA enable order";
const LayerRule kIncomplete{"incomplete", 0, kOrder, {}, Level::error};
const LayerRule kWrongGroup{"wrong-group", 0, kOrder, {}, Level::error};
const LayerRule kNoInterrupt{
    "no-interrupt", dla_regs::glb::S_INTR_STATUS::kAddress, kOrder, {}, Level::error};
const LayerRule kMasked{"masked-interrupt",
                        dla_regs::glb::S_INTR_MASK::kAddress,
                        "NVDLA register sets",
                        {},
                        Level::error};

}  // namespace

// ---- what comes

void LayerFollower::wait() {
    for (Unit& unit : units_)
        unit.runs = {};
}

void LayerFollower::write_glb(std::uint32_t byte_addr, std::uint32_t value) {
    if (byte_addr == dla_regs::glb::S_INTR_SET::kAddress) {
        for (int bit = 0; bit < 32; ++bit) {
            if ((value >> bit & 1u) != 0) raise(bit & ~1, static_cast<std::uint32_t>(bit & 1));
        }
    }
    if (byte_addr != dla_regs::glb::S_INTR_MASK::kAddress) return;
    intr_mask_ = value;
    for (std::size_t bit = 0; bit < raised_.size(); ++bit) {
        if ((value >> bit & 1u) == 0) reaches_[bit] = raised_[bit];
    }
}

void LayerFollower::raise(int bit, std::uint32_t group) {
    const std::size_t at = static_cast<std::size_t>(bit) + group;
    ++raised_[at];
    if ((intr_mask_ >> at & 1u) == 0) reaches_[at] = raised_[at];
}

/// The layer of a unit raises its interrupt when it is done.
void LayerFollower::raise_end(const Unit& unit) {
    for (const Source& source : kSources) {
        if (unit.name == source.unit && unit.name != "CDMA") raise(source.bit, unit.consumer);
    }
}

std::vector<Finding> LayerFollower::wait_for(int bit, int before, bool pin) const {
    const auto at = static_cast<std::size_t>(bit);
    const Source* const source = source_of(bit);
    const std::string name = source == nullptr
                                 ? rules::say("bit ", bit)
                                 : rules::say(source->name, (bit & 1) != 0 ? "_1" : "_0");
    if (raised_[at] <= before) {
        const std::string cause = why(bit);
        return {rules::finding(
            kNoInterrupt, 0,
            rules::say(name, ", for which the program waits", cause.empty() ? "" : ": ", cause))};
    }
    if (!pin || reaches_[at] > before) return {};
    return {rules::finding(kMasked, intr_mask_,
                           rules::say("0 in bit ", bit, ": the program waits for interrupt ", name,
                                      ", which it masks"))};
}

std::vector<Finding> LayerFollower::wait_for_pin() const {
    const auto some = [](const std::array<int, 32>& counts) {
        return std::any_of(counts.begin(), counts.end(), [](int n) { return n > 0; });
    };
    if (some(reaches_)) return {};
    if (some(raised_)) {
        return {
            rules::finding(kMasked, intr_mask_,
                           "a bit 0: the program waits for an interrupt and masks all that come")};
    }
    const std::string cause = why();
    return {rules::finding(kNoInterrupt, 0,
                           rules::say("an interrupt, for which the program waits: ",
                                      cause.empty() ? "no unit was enabled" : cause))};
}

// ---- what is missing

bool LayerFollower::is_built(std::string_view name) const {
    if (name == "PDP" || name == "PDP_RDMA") return sizes_.pdp;
    if (name == "CDP" || name == "CDP_RDMA") return sizes_.cdp;
    if (name == "BDMA") return sizes_.bdma;
    if (name == "ROW") return sizes_.row;
    return name != "RUBIK" || sizes_.rubik();
}

/// The units without which the layer of one does not begin, as far as those that are enabled tell.
std::vector<std::string> LayerFollower::partners(const Unit& unit) const {
    if (unit.name == "CDP") return {"CDP_RDMA"};
    if (unit.name == "CDP_RDMA") return {"CDP"};
    if (unit.name == "PDP_RDMA") return {"PDP"};
    if (unit.name == "RUBIK" || unit.name == "BDMA" || unit.name == "ROW") return {};
    if (unit.name == "PDP" && !rules::Pool(front({"PDP"})).flying) return {"PDP_RDMA"};
    std::vector<std::string> out = {"SDP"};
    if (contains(kConv, unit.name)) out.insert(out.end(), kConv.begin(), kConv.end());
    if (waits("SDP")) {
        for (const std::string& name : units_with_sdp(front({"SDP"})))
            add_once(out, name);
    }
    out.erase(std::remove(out.begin(), out.end(), unit.name), out.end());
    return out;
}

/// Why a unit that others wait for is not there.
std::string LayerFollower::missing(std::string_view name) const {
    if (!is_built(name)) return rules::say(name, " is not built");
    const Unit& u = unit(name);
    const std::uint32_t other = u.consumer ^ 1u;
    if (u.enabled[other]) {
        return rules::say(name, " is enabled in group ", other, " (S_POINTER ", other,
                          "), but its group ", u.consumer, " is next");
    }
    const int layers = u.begun[0] + u.begun[1];
    if (layers == 0) return rules::say(name, " was never enabled");
    return rules::say(name, " is not enabled again in group ", u.consumer, " behind ", layers,
                      layers == 1 ? " layer" : " layers");
}

/// Why a unit that is enabled is no partner; empty if it is one.
std::string LayerFollower::other_mode(const Unit& unit, std::string_view partner) const {
    if (partner == "PDP") {
        const bool flying = rules::Pool(front({"PDP"})).flying;
        if (flying == (unit.name != "PDP_RDMA")) return "";
        return flying ? "PDP takes the output of SDP (FLYING_MODE 0)"
                      : "PDP reads memory (FLYING_MODE 1), not the output of SDP";
    }
    if (partner != "SDP") return "";
    const LayerRegisters sdp = front({"SDP"});
    const auto mode = sdp.get<dla_regs::sdp::D_FEATURE_MODE_CFG>();
    if (contains(kConv, unit.name) && mode.FLYING_MODE() == 0) {
        return "SDP takes its input from memory (FLYING_MODE 0), not from the convolution";
    }
    if (unit.name == "PDP" && mode.OUTPUT_DST() == 0) {
        return "SDP writes to memory (OUTPUT_DST 0), not to PDP";
    }
    if (unit.name == "SDP_RDMA" && !contains(units_with_sdp(sdp), "SDP_RDMA")) {
        return "SDP takes nothing from memory";
    }
    return "";
}

std::vector<std::string> LayerFollower::waits_for(const Unit& unit) const {
    std::vector<std::string> out;
    if (!waits(unit)) return {missing(unit.name)};
    for (const std::string& partner : partners(unit)) {
        const std::string why = waits(partner) ? other_mode(unit, partner) : missing(partner);
        if (!why.empty()) add_once(out, why);
    }
    return out;
}

std::string LayerFollower::why(int bit) const {
    const Source* const source = source_of(bit);
    if (source == nullptr) return rules::say("no unit raises bit ", bit);
    const std::string name = source->unit;
    const std::uint32_t group = static_cast<std::uint32_t>(bit) & 1u;
    if (!is_built(name)) return name + " is not built";
    if (name == "BDMA") {
        return copies_ > 0 ? rules::say("BDMA has ", copies_, " copies that were not launched")
                           : rules::say("no copy was launched as group ", group);
    }
    const Unit& u = unit(name);
    if (u.enabled[group]) {
        if (name == "CDMA" && u.consumer == group) return "";
        const std::vector<std::string> reasons = waits_for(u);
        if (reasons.empty()) return "";
        return (waits(u) ? name + " waits: " : "") + joined(reasons, "; ");
    }
    const std::uint32_t other = group ^ 1u;
    if (!u.enabled[other] && u.begun[0] + u.begun[1] == 0) return name + " was never enabled";
    const int here = u.begun[group], there = u.begun[other] + (u.enabled[other] ? 1 : 0);
    return rules::say(name, " was enabled for ", here, here == 1 ? " layer" : " layers",
                      " in group ", group, " and for ", there, " in group ", other);
}

std::string LayerFollower::why() const {
    std::vector<std::string> reasons, waiting;
    for (const Unit& u : units_) {
        if (!u.enabled[0] && !u.enabled[1]) continue;
        const std::vector<std::string> found = waits_for(u);
        for (const std::string& reason : found)
            add_once(reasons, reason);
        if (waits(u) && !found.empty()) waiting.push_back(u.name);
    }
    if (copies_ > 0) reasons.push_back(rules::say("BDMA has ", copies_, " copies not launched"));
    if (waiting.empty()) return joined(reasons, "; ");
    return joined(waiting, ", ") + (waiting.size() == 1 ? " waits: " : " wait: ") +
           joined(reasons, "; ");
}

std::vector<Finding> LayerFollower::finish() const {
    std::vector<Finding> out;
    for (const Unit& unit : units_) {
        if (!unit.enabled[0] && !unit.enabled[1]) continue;
        LayerRule rule = waits(unit) ? kIncomplete : kWrongGroup;
        rule.address = unit.enable;
        out.push_back(rules::finding(
            rule, 1,
            waits(unit) ? "all units of the layer enabled: it never starts"
                        : rules::say("S_POINTER ", unit.consumer, " before it: group ",
                                     unit.consumer, " is next, and it never starts")));
    }
    return out;
}

}  // namespace macrame::dla::model
