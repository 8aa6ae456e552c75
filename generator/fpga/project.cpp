#include "fpga/project.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emit/generate.hpp"
#include "emit/manifest.hpp"
#include "emit/sizes.hpp"
#include "emit/top.hpp"
#include "emit/units.hpp"
#include "fpga/pll.hpp"
#include "fpga/support.hpp"
#include "text/ends.hpp"
#include "text/template.hpp"
#include "verif/common/crc32.hpp"

namespace macrame::fpga {

namespace {

constexpr int kMinDivider = 4;  // cycles per bit of the line
constexpr int kMaxSdramMhz = 90;
constexpr int kUsualBaud = 1000000;  // of macrame host

int core_mhz(const Board& board, const ProjectOptions& options) {
    return options.core_mhz != 0 ? options.core_mhz : board.core_mhz;
}

/// The bits of all pins, a row each.
text::List pin_list(const Board& board) {
    text::List list;
    for (const Pin& pin : board.pins) {
        for (std::size_t i = 0; i < pin.sites.size(); ++i) {
            const bool vector = pin.sites.size() > 1;
            const std::string name = vector ? fmt::format("{}[{}]", pin.port, i) : pin.port;
            list.emplace_back(text::Scope{{"name", name}, {"site", pin.sites[i]}, {"io", pin.io}});
        }
    }
    return list;
}

void set_clock(text::Scope& scope, const Board& board, int mhz) {
    scope.set("clock_mhz", board.clock_mhz);
    scope.set("clock_ns",
              board.clock_mhz == 0 ? "" : fmt::format("{:.3f}", 1000.0 / board.clock_mhz));
    scope.set("core_mhz", mhz);
    scope.set("clock_khz", 1000 * mhz);
    int input = 1, feedback = 1, output = 1;
    if (board.flow == "ecp5") {
        const Ecp5Pll pll = ecp5_pll(board.clock_mhz, mhz).value_or(Ecp5Pll());
        input = pll.input, feedback = pll.feedback, output = pll.output;
    } else if (board.flow == "ice40") {
        const Ice40Pll pll = ice40_pll(board.clock_mhz, mhz).value_or(Ice40Pll());
        feedback = pll.feedback, output = pll.shift;
    } else if (board.clock_mhz != 0) {
        const Mmcm pll = mmcm(board.clock_mhz, mhz).value_or(Mmcm());
        input = pll.input, feedback = pll.feedback, output = pll.output;
    }
    scope.set("pll_input", input);
    scope.set("pll_feedback", feedback);
    scope.set("pll_output", output);
}

text::Scope project_scope(const Design& design, const Board& board, int mhz) {
    text::Scope scope = emit::base_scope(design);
    const bool sdram = board.memory == "sdram";
    set_clock(scope, board, mhz);
    scope.set("configuration", design.name);
    const auto& options = design.family.boards->options;
    const bool programs = std::find(options.begin(), options.end(), "program") != options.end();
    scope.set("host_program", programs ? "program FILE" : "trace FOLDER");
    scope.set("size_text", design.family.size_text(design.config));
    scope.set("board", board.name);
    scope.set("board_doc", board.doc);
    scope.set("board_note", board.note);
    scope.set("flow", board.flow);
    scope.set("device", board.device);
    scope.set("part", board.part);
    scope.set("board_part", board.board_part);
    scope.set("load", board.load);
    scope.set("memory", board.memory);
    scope.set("memory_kib", board.memory_kib);
    scope.set("baud", board.baud);
    scope.set("uart_div", board.baud == 0 ? 0 : (1000000 * mhz + board.baud / 2) / board.baud);
    scope.set("reset_level", board.reset_level);
    scope.set("led_level", board.led_level);
    scope.set("leds", board.leds());
    scope.set("host_baud", board.baud == kUsualBaud ? "" : fmt::format(" --baud {}", board.baud));
    scope.set("design_id", std::int64_t{design_id(design)});
    scope.set("system", emit::module_name(design.family, "system"));
    scope.set("pins", pin_list(board));
    scope.set("dsps", board.dsps);
    scope.set("synth_options", board.dsps > 0 ? " -dsp" : "");
    scope.set("nextpnr_options", std::string(design.family.boards->nextpnr_options));
    scope.set("yosys_family", board.memory == "ps8" ? "xcup" : "xc7");
    scope.set("is_sdram", sdram);
    scope.set("sim_sources", sdram ? " fpga/sim/sdram_model.cpp" : "");
    return scope;
}

/// What the processor of a board has for the programmable logic; numbers of Linux's device tree.
struct ProcessorSystem {
    std::uint32_t control_base;    ///< of its first AXI master
    int interrupt;                 ///< the first one, as a shared interrupt of its controller
    std::string_view clock;        ///< the first one
    std::int64_t most_memory_kib;  ///< from address 0 on without a gap
};
constexpr ProcessorSystem kZynq7000 = {0x43c00000, 29, "&clkc 15", 1024 * 1024};
constexpr ProcessorSystem kZynqMp = {0xa0000000, 89, "&zynqmp_clk 71", 2048 * 1024};

/// The accelerator's share of the processor's memory: an eighth, from its middle on, where neither
/// boot loader nor kernel lies.
void set_reserved(text::Scope& scope, const Board& board, const ProcessorSystem& system) {
    const std::int64_t bytes =
        1024 * std::min<std::int64_t>(board.memory_kib, system.most_memory_kib);
    scope.set("reserved_base", fmt::format("{:x}", bytes / 2));
    scope.set("reserved_bytes", fmt::format("0x{:x}", bytes / 8));
}

/// Names for a block design and its device tree.
void set_processor(text::Scope& scope, const Design& design, const Board& board) {
    const ProcessorPort port = design.family.boards->processor_port(design);
    const ProcessorSystem& system = board.memory == "ps7" ? kZynq7000 : kZynqMp;
    const std::uint32_t bytes = static_cast<std::uint32_t>(port.register_kib) * 1024;
    scope.set("interrupt", port.interrupt);
    scope.set("control_kib", port.register_kib);
    scope.set("control_bytes", fmt::format("0x{:x}", bytes));
    scope.set("hp_bits", port.memory_bits);
    scope.set("control_base", fmt::format("0x{:08X}", system.control_base));
    scope.set("control_unit", fmt::format("{:x}", system.control_base));
    scope.set("second_base", fmt::format("0x{:08X}", system.control_base + bytes));
    scope.set("first_interrupt", system.interrupt);
    scope.set("core_clock", std::string(system.clock));
    scope.set("reset_property",
              port.reset < 0 ? "" : fmt::format("macrame,reset = <0x{:x}>;", port.reset));
    set_reserved(scope, board, system);
}

/// Renders all files below `folder` to the same paths below `to`. What they include is below fpga/.
void add_rendered(emit::OutputSet& set, const emit::Assets& assets, const std::string& folder,
                  const std::string& to, const text::Scope& scope, Diags& diags) {
    const auto fragments = [&](std::string_view name) -> std::optional<text::Fragment> {
        const std::string path = fmt::format("fpga/{}", name);
        std::optional<std::string> bytes = assets.read(path);
        if (!bytes) return std::nullopt;
        return text::Fragment{assets.display_name(path), std::move(*bytes)};
    };
    for (const std::string& path : assets.list(folder)) {
        try {
            set.add(to + path.substr(folder.size()),
                    text::render(assets.read(path).value_or(""), assets.display_name(path), scope,
                                 nullptr, fragments));
        } catch (const text::TemplateError& e) {
            diags.push_back({e.what()});
        }
    }
}

/// The simulator of the board, with the sources that it includes.
void add_simulator(emit::OutputSet& set, const emit::Assets& assets, const text::Scope& scope,
                   const Board& board, Diags& diags) {
    for (const char* name : {"Makefile", "board_sim.v"})
        add_rendered(set, assets, fmt::format("fpga/sim/{}", name), fmt::format("sim/{}", name),
                     scope, diags);
    const auto copy = [&](const std::string& from, const std::string& to) {
        set.add(to, assets.read(from).value_or(""));
    };
    copy("fpga/sim/board_sim.cpp", "sim/board_sim.cpp");
    if (board.memory != "sdram") return;
    for (const char* path :
         {"fpga/sim/sdram_model.hpp", "fpga/sim/sdram_model.cpp", "verif/common/memory.hpp"})
        copy(path, fmt::format("sim/{}", path));
}

/// Paths of the Verilog files of the design, a line each.
std::string file_list(const emit::OutputSet& set) {
    std::string list;
    for (const std::string& path : emit::verilog_files(set))
        list += path + "\n";
    return list;
}

/// What is found and how much there is, for everything that is not enough.
void compare(const Resources& need, const Board& board, std::vector<std::string>& out) {
    const auto row = [&](int wanted, int there, const char* what) {
        if (wanted > there)
            out.push_back(
                fmt::format("needs about {} {}, the {} has {}", wanted, what, board.device, there));
    };
    row(need.luts, board.luts, "LUTs");
    row(need.dsps, board.dsps, "multipliers");
    row(need.brams + board.memory_brams(), board.brams, "block RAMs");
}

std::vector<std::string> clock_objections(const Board& board, int mhz) {
    const bool made = board.clock_mhz == 0    ? true
                      : board.flow == "ecp5"  ? ecp5_pll(board.clock_mhz, mhz).has_value()
                      : board.flow == "ice40" ? ice40_pll(board.clock_mhz, mhz).has_value()
                                              : mmcm(board.clock_mhz, mhz).has_value();
    if (!made) {
        return {fmt::format("mhz = {}: want a frequency that can be made from {} MHz", mhz,
                            board.clock_mhz)};
    }
    if (board.memory == "sdram" && mhz > kMaxSdramMhz)
        return {fmt::format("mhz = {}: want at most {}, the SDRAM runs at it", mhz, kMaxSdramMhz)};
    if (board.baud != 0 && 1000000LL * mhz < 1LL * kMinDivider * board.baud)
        return {
            fmt::format("mhz = {}: want at least {} cycles per bit of the line", mhz, kMinDivider)};
    return {};
}

}  // namespace

std::uint32_t design_id(const Design& design) {
    std::string text(design.family.name);
    for (const Size& size : emit::numbers(design))
        text += fmt::format(" {}={}", size.name, size.value);
    return verif::crc32(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

Diags refusal(const Design& design, const Board& board, const ProjectOptions& options) {
    std::vector<std::string> reasons;
    const BoardSupport* support = design.family.boards;
    if (support == nullptr) {
        reasons.push_back(fmt::format("the family {} is not built for boards", design.family.name));
    } else if (board.is_soc() && support->firmware_files.empty()) {
        reasons.push_back(fmt::format("the family {} has no system", design.family.name));
    } else {
        if (!board.has_processor() && board.baud == 0)
            reasons.emplace_back("it has no serial line: want host.baud and pins of the board");
        if (!board.is_soc()) compare(support->need(design, board), board, reasons);
        for (const std::string& reason : support->objections(design, board))
            reasons.push_back(reason);
    }
    if (reasons.empty()) reasons = clock_objections(board, core_mhz(board, options));
    Diags diags;
    for (const std::string& reason : reasons)
        diags.push_back({fmt::format("{} on {}: {}", design.name, board.name, reason)});
    return diags;
}

Design on_board(const Design& design, const Board& board) {
    Design out = design;
    if (design.family.boards != nullptr && board.has_processor())
        out.config = design.family.boards->beside_processor(design, board);
    return out;
}

emit::OutputSet project(const Design& design, const Board& board, const ProjectOptions& options,
                        const emit::Assets& assets, Diags& diags) {
    emit::OutputSet set;
    const emit::OutputSet core = emit::generate(design, assets, diags);
    // Modules that an FPGA makes in its own way: of the family, and cells.
    const std::string technology =
        fmt::format("templates/{}/fpga/{}/", design.family.name, board.flow);
    const std::string cells = fmt::format("fpga/flows/{}/rtl/", board.flow);
    for (const emit::OutputFile& file : core.files()) {
        for (const char* folder : {"rtl/", "include/", "doc/"}) {
            if (!text::starts_with(file.path, folder)) continue;
            const std::string name = file.path.substr(std::string_view(folder).size());
            if (!assets.read(technology + name) && !assets.read(cells + name))
                set.add(file.path, file.bytes);
        }
    }
    text::Scope scope = project_scope(design, board, core_mhz(board, options));
    add_rendered(set, assets, technology, "rtl/", scope, diags);
    std::string kind = board.flow == "ice40" ? "small" : "uart";
    if (board.has_processor()) {
        set_processor(scope, design, board);
        kind = design.family.boards->processor_port(design).kind;
    }
    scope.set("kind", kind);
    add_rendered(set, assets, fmt::format("templates/{}/fpga/{}/", design.family.name, kind),
                 "rtl/", scope, diags);
    for (const std::string& flow : {board.flow, board.flow + "-" + kind})
        add_rendered(set, assets, fmt::format("fpga/flows/{}/", flow), "", scope, diags);
    if (board.has_processor())
        add_rendered(set, assets, "fpga/system/board.dtsi", "board.dtsi", scope, diags);
    else
        add_simulator(set, assets, scope, board, diags);
    emit::add_cells(set, assets, diags, "fpga/rtl/");
    emit::add_cells(set, assets, diags);
    set.add("filelist.f", file_list(set));
    set.add(emit::kManifest, emit::manifest(design, set));
    return set;
}

const Board& soc() {
    static const Board kSoc = [] {
        Board out;
        out.name = "a SoC";
        out.flow = "litex";
        out.memory = "soc";
        return out;
    }();
    return kSoc;
}

emit::OutputSet soc_project(const Design& design, const emit::Assets& assets, Diags& diags) {
    emit::OutputSet set;
    const emit::OutputSet core = emit::generate(design, assets, diags);
    for (const emit::OutputFile& file : core.files())
        for (const char* folder : {"rtl/", "include/", "doc/"})
            if (text::starts_with(file.path, folder)) set.add(file.path, file.bytes);
    text::Scope scope = emit::base_scope(design);
    const ProcessorPort port = design.family.boards->processor_port(design);
    scope.set("configuration", design.name);
    scope.set("size_text", design.family.size_text(design.config));
    scope.set("interrupt", port.interrupt);
    scope.set("control_kib", port.register_kib);
    scope.set("memory_bits", port.memory_bits);
    add_rendered(set, assets, "fpga/soc/", "", scope, diags);
    add_rendered(set, assets, fmt::format("templates/{}/soc/", design.family.name), "", scope,
                 diags);
    for (const std::string& folder : {std::string("runtime/macrame"), std::string("runtime/host/"),
                                      fmt::format("runtime/{}/", design.family.name)})
        for (const std::string& path : assets.list(folder))
            set.add(path, assets.read(path).value_or(""));
    set.add("filelist.f", file_list(set));
    set.add(emit::kManifest, emit::manifest(design, set));
    return set;
}

}  // namespace macrame::fpga
