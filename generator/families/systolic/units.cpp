#include <algorithm>

#include "families/systolic/derived.hpp"
#include "families/systolic/pins.hpp"
#include "families/systolic/registers.hpp"
#include "families/systolic/tables.hpp"
#include "regs/text.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic {

namespace {

Unit unit(std::string_view name, std::string_view doc, Place place = Place::middle) {
    Unit row{name, doc, nullptr, {}, {}, {}, nullptr};
    row.place = place;
    return row;
}

/// The word of the bus where a register is.
int word_of(std::string_view register_name) {
    return static_cast<int>(control_registers().find(register_name)->offset) / kControlWordBytes;
}

/// `pins`, `words` by what they hold, and `page_w`, bits of an address in the registers.
text::Scope control_scope(const Config&, const Derived&) {
    return {{"pins", slave_pins()},
            {"page_w", clog2(kControlBytes)},
            {"words", text::Scope{{"program", word_of("PROGRAM_ADDRESS")},
                                  {"status", word_of("STATUS")},
                                  {"cycles", word_of("CYCLES_LOW")},
                                  {"running", word_of("LOAD_CYCLES")},
                                  {"ended", word_of("LOAD_ENDED")},
                                  {"waiting", word_of("LOAD_WAITS")},
                                  {"command", word_of("GO")},
                                  {"identity", word_of("IDENTITY")}}}};
}

/// `modules` in their line, and `opcodes` by their names.
text::Scope resolver_scope(const Config&, const Derived&) {
    text::List modules;
    text::Scope opcodes;
    for (const Module module : kModules) {
        const std::string name = regs::lower(module_name(module));
        modules.emplace_back(name);
        opcodes.set(name, opcode(module));
    }
    return {{"modules", modules}, {"opcodes", opcodes}};
}

/// `pins`; `entry_w`, bits of an entry of any buffer; `depth`, beats of the two longest bursts.
text::Scope load_scope(const Config& c, const Derived& d) {
    constexpr int kBurstBeats = 256, kBurstBytes = 4096, kScaleEntryBits = 4;
    text::Scope scope = master_scope(c, "load");
    scope.set("entry_w", std::max({d.ibuf_entry_w, d.wbuf_entry_w, d.obuf_entry_w,
                                   d.scales != 0 ? kScaleEntryBits : 1}));
    scope.set("depth", 2 * std::min(kBurstBeats, kBurstBytes / d.axi_bytes));
    return scope;
}

/// `pins`; `groups`, banks of a lane of narrow elements; the module of a lane; beats
/// that wait and bursts without an answer.
text::Scope store_scope(const Config& c, const Derived& d) {
    constexpr int kPlaces = 16, kBursts = 64;
    const int lanes = d.axi_bytes / d.in_bytes;
    text::Scope scope = master_scope(c, "store");
    scope.set("groups", (c.cols + lanes - 1) / lanes);
    scope.set("scale_module", d.exact_scales != 0 ? "systolic_exact_scale" : "systolic_scale");
    scope.set("store_places", kPlaces);
    scope.set("store_bursts", kBursts);
    return scope;
}

}  // namespace

std::vector<Unit> unit_rows() {
    std::vector<Unit> rows = {
        unit("control", "start, status, interrupt and counters behind an AXI4 slave",
             Place::control),
        unit("fetch", "instructions from memory", Place::memory),
        unit("resolver", "instruction queues and tokens of the modules"),
        unit("load", "memory to buffers", Place::memory),
        unit("gemm", "addresses and flags of each fold, for buffers and array"),
        unit("array", "weight-stationary systolic array between IBUF, WBUF and OBUF"),
        unit("obuf", "accumulators, shared by all modules"),
        unit("alu", "windows and element-wise operations on OBUF"),
        unit("store", "OBUF to memory, clamped or requantised", Place::memory),
        unit("top", "all units and the links between them"),
    };
    for (Unit& row : rows) {
        if (find_master(row.name) != nullptr) {
            row.scope = [unit = row.name](const Config& c, const Derived&) {
                return master_scope(c, unit);
            };
        }
        if (row.name == "load") row.scope = load_scope;
        if (row.name == "store") {
            row.scope = store_scope;
            row.options = {{[](const Config& c) { return c.requantise == kPlainScales; },
                            {"systolic_scale.v"}},
                           {[](const Config& c) { return c.requantise == kExactScales; },
                            {"systolic_exact_scale.v"}}};
        }
        if (row.name == "resolver") row.scope = resolver_scope;
        if (row.name == "control") {
            row.scope = control_scope;
            row.maps = {control_registers().unit};
        }
        if (row.name == "top")
            row.scope = [](const Config& c, const Derived&) { return top_scope(c); };
    }
    return rows;
}

}  // namespace macrame::systolic
