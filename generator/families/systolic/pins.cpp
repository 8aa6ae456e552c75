#include "families/systolic/pins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "regs/text.hpp"
#include "verif/systolic/isa/architecture.hpp"

namespace macrame::systolic {

namespace {

// Widths that depend on the port.
constexpr int kId = 4, kAddress = -1, kData = -2, kStrobes = -3;
// Values that depend on it.
constexpr int kNone = -1, kItsId = -2, kItsSize = -3;

enum class Channel { write, read };
constexpr bool kOut = true, kIn = false;

struct Pin {
    Channel channel;
    std::string_view name;
    bool is_output;  ///< of the master
    int bits = 1;
    std::string_view master_doc = "", slave_doc = "";
    int value = kNone;  ///< of the master's output if it never changes
};

// clang-format off
constexpr auto W = Channel::write, R = Channel::read;
constexpr Pin kPins[] = {
    {W, "awid", kOut, kId, "constant", "", kItsId},
    {W, "awaddr", kOut, kAddress, "bytes", "bytes"},
    {W, "awlen", kOut, 8, "beats - 1", "not used: wlast tells"},
    {W, "awsize", kOut, 3, "whole bus", "log2 of the bytes of a beat", kItsSize},
    {W, "awburst", kOut, 2, "INCR", "0: FIXED, else as INCR", 1},
    {W, "awlock", kOut, 1, "0", "not used", 0},
    {W, "awcache", kOut, 4, "normal, not bufferable", "not used", 2},
    {W, "awprot", kOut, 3, "0", "not used", 0},
    {W, "awqos", kOut, 4, "0", "not used", 0},
    {W, "awvalid", kOut}, {W, "awready", kIn},
    {W, "wdata", kOut, kData}, {W, "wstrb", kOut, kStrobes}, {W, "wlast", kOut},
    {W, "wvalid", kOut}, {W, "wready", kIn},
    {W, "bid", kIn, kId, "not used: answers are in order"}, {W, "bresp", kIn, 2, "", "OKAY"},
    {W, "bvalid", kIn}, {W, "bready", kOut},
    {R, "arid", kOut, kId, "constant", "", kItsId},
    {R, "araddr", kOut, kAddress, "bytes", "bytes"},
    {R, "arlen", kOut, 8, "beats - 1", "beats - 1"},
    {R, "arsize", kOut, 3, "whole bus", "log2 of the bytes of a beat", kItsSize},
    {R, "arburst", kOut, 2, "INCR", "0: FIXED, else as INCR", 1},
    {R, "arlock", kOut, 1, "0", "not used", 0},
    {R, "arcache", kOut, 4, "normal, bufferable", "not used", 3},
    {R, "arprot", kOut, 3, "0", "not used", 0},
    {R, "arqos", kOut, 4, "0", "not used", 0},
    {R, "arvalid", kOut}, {R, "arready", kIn},
    {R, "rid", kIn, kId, "not used: answers are in order"}, {R, "rdata", kIn, kData},
    {R, "rresp", kIn, 2, "", "OKAY"}, {R, "rlast", kIn}, {R, "rvalid", kIn}, {R, "rready", kOut},
};
// clang-format on

/// What the pins of a port have in common.
struct Port {
    std::string bus;
    int address_width, data_width, id;
    bool is_slave;
};

int bits_of(const Pin& pin, const Port& port) {
    if (pin.bits == kAddress) return port.address_width;
    if (pin.bits == kData) return port.data_width;
    return pin.bits == kStrobes ? port.data_width / 8 : pin.bits;
}

int value_of(const Pin& pin, const Port& port) {
    if (pin.value == kItsId) return port.id;
    return pin.value == kItsSize ? clog2(port.data_width / 8) : pin.value;
}

text::Scope row(const Pin& pin, const Port& port) {
    return {{"bus", port.bus},
            {"signal", regs::upper(pin.name)},
            {"is_output", pin.is_output != port.is_slave},
            {"bits", bits_of(pin, port)},
            {"name", fmt::format("{}_{}", port.bus, pin.name)},
            {"doc", port.is_slave ? pin.slave_doc : pin.master_doc},
            {"constant", !port.is_slave && pin.value != kNone},
            {"value", value_of(pin, port)}};
}

}  // namespace

const Master* find_master(std::string_view unit) {
    const auto* found = std::find_if(std::begin(kMasters), std::end(kMasters),
                                     [&](const Master& master) { return master.unit == unit; });
    return found == std::end(kMasters) ? nullptr : found;
}

text::List master_pins(const Config& config, const Master& master) {
    const Port port{fmt::format("m_axi_{}", master.unit), config.address_width,
                    config.axi_data_width, master.id, false};
    text::List pins;
    for (const Pin& pin : kPins)
        if ((pin.channel == Channel::write) == master.writes) pins.emplace_back(row(pin, port));
    return pins;
}

text::List slave_pins() {
    const Port port{"s_axi", 32, 128, 0, true};
    text::List pins;
    for (const Pin& pin : kPins)
        pins.emplace_back(row(pin, port));
    return pins;
}

text::Scope master_scope(const Config& config, std::string_view unit) {
    return {{"pins", master_pins(config, *find_master(unit))}};
}

text::Scope top_scope(const Config& config) {
    text::List masters;
    text::Scope scope{{"slave_pins", slave_pins()}};
    std::string busifs = "s_axi";
    for (const Master& master : kMasters) {
        const text::List pins = master_pins(config, master);
        busifs += fmt::format(":m_axi_{}", master.unit);
        masters.emplace_back(text::Scope{{"unit", master.unit}, {"pins", pins}});
        scope.set(fmt::format("{}_pins", master.unit), pins);
    }
    scope.set("masters", masters);
    scope.set("busifs", busifs);
    return scope;
}

}  // namespace macrame::systolic
