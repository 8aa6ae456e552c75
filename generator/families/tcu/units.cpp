#include "families/tcu/units.hpp"

#include "families/tcu/derived.hpp"
#include "families/tcu/pins.hpp"
#include "families/tcu/registers.hpp"
#include "families/tcu/tables.hpp"

namespace macrame::tcu {

namespace {

text::Scope top_scope(const Config& config, const Derived& derived) {
    std::string busifs = "instruction:m_axi_dram0:m_axi_dram1";
    if (config.control_port) busifs += ":s_axi";
    if (config.sample_block_size > 0) busifs += ":sample";
    if (config.status_port) busifs += ":status";
    return {{"bus_ports", bus_ports(config, derived)}, {"busifs", busifs}};
}

text::Scope control_scope(const Config&, const Derived&) {
    return {{"control_addr_w", control_address_bits()}};
}

Unit unit(std::string_view name, std::string_view doc, Place place = Place::middle) {
    Unit row{name, doc, nullptr, {}, {}, {}, nullptr};
    row.place = place;
    return row;
}

}  // namespace

std::vector<Unit> unit_rows() {
    std::vector<Unit> rows = {
        unit("control", "end of all work at a bus error; registers and soft reset", Place::control),
        unit("fetch", "instructions from the beats of the stream", Place::control),
        unit("decode", "splits instructions into micro-operations and orders them"),
        unit("validate", "error flag for instructions that break a rule"),
        unit("issue", "queue of micro-operations for array and accumulators"),
        unit("load", "memory banks to local memory", Place::memory),
        unit("store", "local memory to memory banks", Place::memory),
        unit("local", "local memory, two banks shared by all"),
        unit("weights", "rows of weights from local memory to the array"),
        unit("feed", "vectors from local memory to array and accumulators"),
        unit("array", "systolic array: rounds and saturates after each product"),
        unit("acc", "accumulators and SIMD lanes"),
        unit("lut", "lookup tables of a SIMD lane"),
        unit("sample", "samples of program counter and stalls"),
        unit("top", "all units and the links between them"),
    };
    for (Unit& row : rows) {
        if (row.name == "control") {
            row.scope = control_scope;
            row.regs = {
                {"control",
                 {"RESET.SOFT"},
                 {"STATUS.IDLE", "STATUS.TIMEOUT", "STATUS.TRACEPOINT", "STATUS.INSTRUCTION_ERROR",
                  "STATUS.BUS_ERROR", "STATUS.IN_RESET", "STATUS.IRQ", "PROGRAM_COUNTER.COUNT",
                  "BUS_ERROR_CAUSE.WRITE", "BUS_ERROR_CAUSE.BANK", "BUS_ERROR_CAUSE.DECODE",
                  "BUS_ERROR_ADDRESS.ADDRESS", "IDENTITY.IDENTITY"},
                 {},
                 {},
                 [](const Config& c) { return c.control_port; }}};
        }
        if (row.name == "sample")
            row.enabled = [](const Config& c) { return c.sample_block_size > 0; };
        if (row.name == "validate")
            row.enabled = [](const Config& c) { return c.validate_instructions; };
        if (row.name == "decode") {
            row.options = {{[](const Config& c) { return c.order_blocks > 0; },
                            {"tcu_split.v", "tcu_scoreboard.v", "tcu_room.v"}},
                           {[](const Config& c) { return c.order_blocks == 0; }, {"tcu_serial.v"}}};
        }
        if (row.name == "lut") row.enabled = [](const Config& c) { return c.lut_tables > 0; };
        if (row.name == "acc" || row.name == "lut") row.scope = simd_scope;
        if (row.name == "fetch") row.scope = fetch_scope;
        if (row.name == "decode") row.scope = decode_scope;
        if (row.name == "validate") row.scope = validate_scope;
        if (row.name == "top") {
            row.scope = top_scope;
            row.wiring = top_wiring;
        }
    }
    return rows;
}

}  // namespace macrame::tcu
