#include "program_builder.hpp"

#include <algorithm>
#include <utility>

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;
using dla::model::Architecture;

constexpr std::uint32_t kBdmaIdle = 0x114;  // all slots free
constexpr std::array<const char*, kUnits> kUnitNames = {
    "CDMA",     "CSC", "CMAC_A",   "CMAC_B", "CACC",  "SDP_RDMA", "SDP",
    "CDP_RDMA", "CDP", "PDP_RDMA", "PDP",    "RUBIK", "BDMA",     "ROW"};

std::string name_of(Unit unit) { return kUnitNames[static_cast<std::size_t>(unit)]; }

const trace::RegisterTable& table() {
    static const trace::RegisterTable t = trace::dla_registers();
    return t;
}

std::string event(const std::string& unit, int layer) {
    return unit + "_of_layer_" + std::to_string(layer);
}

/// Registers of a unit, but those through which its tables are accessed.
std::vector<std::string> registers_of(const std::string& unit) {
    std::vector<std::string> names;
    for (const trace::RegisterInfo& info : table().all()) {
        if (info.unit != unit || info.name.find("LUT_ACCESS") != std::string::npos) continue;
        names.push_back(unit + "." + info.name);
    }
    return names;
}

}  // namespace

bool fit_windows(int size, int near, int span, int stride, int& out, int& far) {
    const int reach = near + size - span;
    out = reach <= 0 ? 1 : (reach + stride - 1) / stride + 1;
    far = (out - 1) * stride + span - near - size;
    return far >= 0 && far < span;
}

ProgramBuilder::ProgramBuilder(const Architecture& architecture, const RandomOptions& made_with)
    : sizes(architecture), options(made_with), random(made_with.seed) {
    made_.program.name = "random layers, seed " + std::to_string(options.seed);
    next_addr_ = 0x10000000u + (random.bits() & 0x6FFFFF00u);
}

// ---- commands

std::string ProgramBuilder::where() const {
    return made_.program.name + ", layer " + std::to_string(layer_);
}

trace::Command ProgramBuilder::command(trace::Op op, std::uint32_t addr, std::uint32_t value) {
    trace::Command c;
    c.op = op;
    c.addr = addr;
    c.value = value;
    c.reg = table().name_of(addr);
    c.idle = pause_ + (pace_ > 0 ? random.in(0, pace_) : 0);
    pause_ = 0;
    c.where = where();
    return c;
}

void ProgramBuilder::write(const std::string& name, std::uint32_t value) {
    add(command(trace::Op::write, table().find(name)->addr, value));
}

void ProgramBuilder::read(const std::string& name) {
    add(command(trace::Op::read, table().find(name)->addr, 0));
}

void ProgramBuilder::poll(const std::string& name, std::uint32_t value, std::uint32_t mask) {
    trace::Command c = command(trace::Op::poll, table().find(name)->addr, value);
    c.mask = mask;
    add(std::move(c));
}

void ProgramBuilder::read_words(std::uint32_t address, int words) {
    for (int i = 0; i < words; ++i)
        add(command(trace::Op::read, address + 4 * static_cast<std::uint32_t>(i), 0));
}

// ---- layers in flight

void ProgramBuilder::add_output(const Cube& cube, bool written) {
    output_ = cube;
    has_result_ = written;
}

void ProgramBuilder::begin_layer(Unit writer) {
    layer_ = static_cast<int>(writers_.size());
    writers_.push_back(writer);
    waited_.push_back(false);
    pace_ = !options.plain && random.chance(25) ? random.low(1, 30) : 0;
}

int ProgramBuilder::take(Unit unit) {
    auto& users = users_[static_cast<std::size_t>(unit)];
    const int group = static_cast<int>(users.size() % 2);
    if (users.size() >= 2) {
        wait_layer(users[users.size() - 2]);
        poll(name_of(unit) + ".S_STATUS", 0, group == 0 ? 0x3u : 0x30000u);
    }
    write(name_of(unit) + ".S_POINTER", static_cast<std::uint32_t>(group));
    users.push_back(layer_);
    return group;
}

int ProgramBuilder::take_copies(bool all) {
    const int group = random.in(0, 1);
    const auto wait = [&](int g) {
        const int used_by = copies_[static_cast<std::size_t>(g)];
        if (used_by < 0) return;
        wait_layer(used_by);
        poll("BDMA.STATUS", 0, 0x200u << g);
    };
    wait(group);
    if (all || queue_filled_) wait(1 - group);
    queue_filled_ = all;
    copies_[static_cast<std::size_t>(group)] = layer_;
    users_[static_cast<std::size_t>(Unit::bdma)].push_back(layer_);
    return group;
}

void ProgramBuilder::enable(Unit unit) { write(name_of(unit) + ".D_OP_ENABLE", 1); }

void ProgramBuilder::enable_both(Unit a, Unit b) {
    const bool a_first = random.chance(50);
    enable(a_first ? a : b);
    enable(a_first ? b : a);
}

void ProgramBuilder::expect(const std::string& unit, int bit, int group) {
    trace::Notify n;
    n.bit = bit + group;
    n.unit = unit + "_" + std::to_string(group);
    n.id = event(unit, layer_);
    n.where = made_.program.name;
    made_.program.notifies.push_back(std::move(n));
}

void ProgramBuilder::wait_layer(int layer) {
    if (layer < 0 || waited_[static_cast<std::size_t>(layer)]) return;
    waited_[static_cast<std::size_t>(layer)] = true;
    trace::Command c;
    c.op = trace::Op::sync_wait;
    c.id = event(name_of(writers_[static_cast<std::size_t>(layer)]), layer);
    c.where = where();
    add(std::move(c));
}

// ---- end

void ProgramBuilder::finish() {
    pace_ = 0;
    layer_ = static_cast<int>(writers_.size());
    for (int i = 0; i < layer_; ++i)
        wait_layer(i);
    std::vector<std::string> used;
    for (std::size_t u = 0; u < kUnits; ++u) {
        if (!users_[u].empty()) used.emplace_back(kUnitNames[u]);
    }
    for (const std::string& unit : used) {
        if (unit == "BDMA") {
            poll("BDMA.STATUS", kBdmaIdle, 0xFFFFFFFFu);
        } else {
            poll(unit + ".S_STATUS", 0, 0xFFFFFFFFu);
        }
    }
    if (!options.plain && random.chance(20)) read_constants();
    // Everything declared has come when the status has no unmasked bit; masked ones stay.
    read("GLB.S_INTR_STATUS");
    read("GLB.S_INTR_MASK");
    for (const std::string& unit : used)
        read_registers(unit);
    if (options.plain) return;
    if (sizes.sdp_lut && random.chance(20)) read_tables("SDP");
    if (!users(Unit::cdp).empty() && random.chance(20)) read_tables("CDP");
    if (!random.chance(15)) return;
    for (const std::string& unit : used) {
        if (unit == "BDMA") continue;  // a write may launch
        scribble(unit, true);
        read_registers(unit);
    }
}

/// All registers of both groups, from any of them on.
void ProgramBuilder::read_registers(const std::string& unit) {
    std::vector<std::string> names = registers_of(unit);
    const std::uint32_t groups = unit == "BDMA" ? 1 : 2;
    for (std::uint32_t group = 0; group < groups; ++group) {
        const int first = random.in(0, static_cast<int>(names.size()) - 1);
        std::rotate(names.begin(), names.begin() + first, names.end());
        if (groups > 1) write(unit + ".S_POINTER", group);
        for (const std::string& name : names)
            read(name);
    }
}

/// Anything in all registers of layers and, if `single`, in those of the unit; it is idle.
void ProgramBuilder::scribble(const std::string& unit, bool single) {
    for (std::uint32_t group = 0; group < 2; ++group) {
        write(unit + ".S_POINTER", group);
        for (const std::string& name : registers_of(unit)) {
            const bool of_layer = name.compare(unit.size(), 3, ".D_") == 0;
            if (name == unit + ".S_POINTER" || name == unit + ".D_OP_ENABLE") continue;
            if (of_layer || single) write(name, random.chance(10) ? 0xFFFFFFFFu : random.word());
        }
    }
}

void ProgramBuilder::scribble_layers() {
    for (const char* name : kUnitNames) {
        const std::string unit = name;
        if (unit.compare(0, 3, "PDP") == 0 && !sizes.pdp) continue;
        if (unit.compare(0, 3, "CDP") == 0 && !sizes.cdp) continue;
        if (unit == "BDMA" || (unit == "RUBIK" && !sizes.rubik())) continue;
        if (unit == "ROW" && !sizes.row) continue;
        scribble(unit, false);
    }
}

/// Some entries of the tables of SDP or CDP.
void ProgramBuilder::read_tables(const std::string& unit) {
    for (int i = random.in(1, 3); i > 0; --i) {
        const bool lo = random.chance(50);
        const int entries = lo ? 257 : 65, first = random.in(0, entries - 1);
        write(unit + ".S_LUT_ACCESS_CFG", (lo ? 0x10000u : 0u) | static_cast<std::uint32_t>(first));
        if (options.original_safe) read(unit + ".S_STATUS");
        for (int n = std::min(random.low(1, 20), entries - first); n > 0; --n)
            read(unit + ".S_LUT_ACCESS_DATA");
    }
}

/// The capability words, the version, addresses between and behind them, memory interfaces. What
/// cannot be written stays.
void ProgramBuilder::read_constants() {
    constexpr int kCfgromWords = 0x70, kMemifWords = 8;
    for (int i = 0; i < 3; ++i) {
        write_word(regs::cfgrom::kBase +
                   4 * static_cast<std::uint32_t>(random.in(0, kCfgromWords - 1)));
        write_word(regs::mcif::kBase + 4 * static_cast<std::uint32_t>(random.in(6, 7)));
    }
    read_words(regs::cfgrom::kBase, kCfgromWords);
    read_words(regs::glb::kBase, 5);
    read_words(regs::mcif::kBase, kMemifWords);  // weights, limits, idle
    if (sizes.secondary) {
        write_word(regs::cvif::kBase + 4 * static_cast<std::uint32_t>(random.in(6, 7)));
        read_words(regs::cvif::kBase, kMemifWords);
    }
}

void ProgramBuilder::write_word(std::uint32_t address) {
    const std::uint32_t value = random.word();
    add(command(trace::Op::write, address, value));
}

}  // namespace macrame::dla::stimulus
