/// Writes small random programs as plain text for a testbench in Verilog, which plays them in a
/// simulator with four states: program_listing FOLDER COUNT SEED
///
/// FOLDER/fourstate_sizes.vh has the widths of this configuration. FOLDER/<number>/ has
///     listing.txt                 a command per line: a letter and three hexadecimal numbers
///         m BASE SIZE 0           the part of both memories that is in the files
///         w ADDR VALUE 0          register write
///         r ADDR VALUE MASK       register read, these bits must be VALUE
///         p ADDR VALUE MASK       register read until these bits are VALUE
///         i BIT COUNT 0           wait until this interrupt has come so often
///     primary.hex, secondary.hex  the memories before the program, a byte per line
///     primary_want.hex, ...       and after it, by the golden model
///     about.txt                   the layers, one per line

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "dla_params.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/sizes.hpp"
#include "verif/dla/stimulus/random_layers.hpp"
#include "verif/dla/trace/player.hpp"

namespace {

using namespace macrame;
using dla::model::Architecture;
using dla::stimulus::RandomOptions;
using dla::stimulus::RandomProgram;

constexpr std::uint64_t kMostBytes = 1 << 16;  // of a memory: what is simulated slowly is small
constexpr std::uint64_t kPage = 1 << 12;
constexpr int kAttempts = 4000;  // seeds to try for a program of one kind

/// A kind of program: what one of its layers must look like.
struct Kind {
    const char* layer;  ///< regular expression for its description
    bool built;         ///< the configuration has it
};

std::vector<Kind> kinds_of(const Architecture& s) {
    const bool stages = s.sdp_bs || s.sdp_bn;
    return {{"^image .*, 4 rows.* kernel [0-9]+x[12] ", s.image && s.atomic_c >= 8},
            {"^conv ", true},
            {"^sdp .*EW.* lut", s.sdp_ew && s.sdp_lut},
            {"^pdp ", s.pdp},
            {"^cdp ", s.cdp},
            {"^image .*, 2 rows.* kernel [0-9]+x1 ", s.image},
            {"^sdp .*B[SN].*mem", stages},
            {"^conv .*EW", s.sdp_ew},
            {"^image .*, 1 rows", s.image},
            {"^conv .*PDP", s.pdp},
            {"^image .* skip-|^conv .* skip-", true},
            {"^conv .*B[SN].*mem", stages},
            {"^image .*, [24] rows.* kernel [0-9]+x[3-9] ", s.image},
            {"^sdp .*EW.*mem", s.sdp_ew},
            {"-reuse", true},
            {" int16", s.int16},
            {" fp16", s.fp16},
            {"^compressed ", s.compression},
            {" times conv ", s.batch && s.max_batch > 1},
            {"^rubik ", s.rubik()},
            {"^bdma ", s.bdma}};
}

/// The addresses of a program: all in one range of few bytes.
struct Window {
    std::uint64_t base = 0, size = 0;
};

/// Nothing if the program's memory is too large or was not declared.
std::optional<Window> window_of(const dla::trace::Trace& program,
                                const std::vector<verif::MemoryRange>& written) {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    const auto add = [&](std::uint64_t base, std::uint64_t size) {
        low = std::min(low, base);
        high = std::max(high, base + size);
    };
    for (const dla::trace::MemoryInit& init : program.memory) {
        add(init.base, init.size);
        for (const dla::trace::Segment& s : init.segments)
            add(init.base + s.offset, s.bytes.size());
    }
    for (const verif::MemoryRange& range : written)
        add(range.addr, range.size);
    if (high <= low) return std::nullopt;
    // What is read around the data, up to the next page.
    low = low / kPage * kPage;
    high = (high + kPage - 1) / kPage * kPage;
    if (high - low > kMostBytes) return std::nullopt;
    return Window{low, high - low};
}

/// A program and the golden model's run of it.
struct Run {
    RandomProgram random;
    verif::Memory before[2], after[2];  // primary, secondary
    Window window;
    dla::trace::PlayResult result;
};

std::optional<Run> run_program(const Architecture& sizes, const RandomOptions& options,
                               const std::regex& layer) {
    Run run;
    run.random = dla::stimulus::random_layers(sizes, options);
    bool found = false;
    for (const std::string& text : run.random.layers)
        found = found || std::regex_search(text, layer);
    if (!found) return std::nullopt;
    const dla::trace::Trace& program = run.random.program;
    if (!window_of(program, {})) return std::nullopt;
    dla::trace::prepare_memory(program, run.before[0], run.before[1]);
    for (verif::Memory& memory : run.after)
        memory.log_writes(true);
    dla::model::Device model(sizes, run.after[0], &run.after[1]);
    run.result = dla::trace::play(program, model, run.after[0], run.after[1], {});
    std::vector<verif::MemoryRange> written = run.after[0].written();
    for (const verif::MemoryRange& range : run.after[1].written())
        written.push_back(range);
    const std::optional<Window> window = window_of(program, written);
    if (!run.result.passed || !window) return std::nullopt;
    run.window = *window;
    return run;
}

/// The next seed whose program is of the kind and small.
std::optional<Run> find_program(const Architecture& sizes, const Kind& kind, std::uint64_t& seed) {
    RandomOptions options;
    options.huge = false;
    options.layers = 1;
    options.max_macs = 3000;
    options.max_elements = 300;
    const std::regex layer(kind.layer);
    if (std::string(kind.layer).find("-reuse") != std::string::npos) options.layers = 3;
    for (int i = 0; i < kAttempts; ++i) {
        options.seed = seed++;
        if (std::optional<Run> run = run_program(sizes, options, layer)) return run;
    }
    return std::nullopt;
}

std::string line(char letter, std::uint64_t addr, std::uint64_t value, std::uint64_t mask) {
    const auto digits = [](std::uint64_t v) { return " " + verif::text::hex(v).substr(2); };
    return letter + digits(addr) + digits(value) + digits(mask) + "\n";
}

/// Cycles differ between the model and a design.
bool is_timing(const std::string& reg) {
    return reg.find("STALL") != std::string::npos || reg.find("LATENCY") != std::string::npos;
}

/// The interrupts that the commands wait for, in the order of their declaration.
class Interrupts {
public:
    explicit Interrupts(const dla::trace::Trace& program) {
        std::vector<std::uint64_t> counts(32, 0);
        for (const dla::trace::Notify& n : program.notifies) {
            const auto bit = static_cast<std::size_t>(n.bit);
            lines_.emplace_back(n.id, line('i', bit, ++counts[bit], 0));
        }
    }
    /// All with this event; all there are if it is empty.
    std::string wait(const std::string& id) const {
        std::string out;
        for (const auto& [event, text] : lines_) {
            if (id.empty() || event == id) out += text;
        }
        return out;
    }

private:
    std::vector<std::pair<std::string, std::string>> lines_;
};

std::string listing(const Run& run) {
    const dla::trace::Trace& program = run.random.program;
    const Interrupts interrupts(program);
    std::string out = line('m', run.window.base, run.window.size, 0);
    std::size_t reads = 0;
    for (const dla::trace::Command& c : program.commands) {
        switch (c.op) {
            case dla::trace::Op::write:
                out += line('w', c.addr, c.value, 0);
                break;
            case dla::trace::Op::read:
            case dla::trace::Op::read_check:
                out += line('r', c.addr, run.result.reads[reads++].value,
                            is_timing(c.reg) ? 0 : 0xFFFFFFFFu);
                break;
            case dla::trace::Op::poll:
                ++reads;
                out += line('p', c.addr, c.value, c.mask);
                break;
            case dla::trace::Op::sync_wait:
                out += interrupts.wait(c.id);
                break;
            case dla::trace::Op::sync_notify:
            case dla::trace::Op::wait_pin:
            case dla::trace::Op::check_region:
            case dla::trace::Op::load:
            case dla::trace::Op::reset:
                break;  // random programs have none
        }
    }
    return out + interrupts.wait("");
}

std::string image(const verif::Memory& memory, const Window& window) {
    std::string out;
    for (const std::uint8_t byte : memory.dump(window.base, window.size)) {
        out += "0123456789abcdef"[byte >> 4];
        out += "0123456789abcdef"[byte & 15u];
        out += '\n';
    }
    return out;
}

void save(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

void save_program(const std::filesystem::path& folder, const Run& run) {
    std::filesystem::create_directories(folder);
    std::string about = run.random.program.name + "\n";
    for (const std::string& text : run.random.layers)
        about += text + "\n";
    save(folder / "about.txt", about);
    save(folder / "listing.txt", listing(run));
    const char* const names[2] = {"primary", "secondary"};
    for (std::size_t i = 0; i < 2; ++i) {
        const std::string name = names[i];
        save(folder / (name + ".hex"), image(run.before[i], run.window));
        save(folder / (name + "_want.hex"), image(run.after[i], run.window));
    }
}

std::string widths(const Architecture& sizes) {
    const auto define = [](const std::string& name, std::uint64_t value) {
        return "`define " + name + " " + std::to_string(value) + "\n";
    };
    std::string out = define("ADDR_W", static_cast<std::uint64_t>(sizes.addr_w)) +
                      define("BUS_BITS", static_cast<std::uint64_t>(8 * sizes.bus_bytes)) +
                      define("MEMORY_BYTES", kMostBytes);
    if (!sizes.secondary) return out;
    return out + define("SECOND_BITS", static_cast<std::uint64_t>(8 * sizes.secondary_bus_bytes));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::filesystem::path folder = argv[1];
    const int count = std::atoi(argv[2]);
    auto seed = static_cast<std::uint64_t>(std::atoll(argv[3]));
    const Architecture sizes = dla::model::architecture_of(dla_params::sizes);
    std::filesystem::create_directories(folder);
    save(folder / "fourstate_sizes.vh", widths(sizes));
    std::vector<Kind> kinds;
    for (const Kind& kind : kinds_of(sizes)) {
        if (kind.built) kinds.push_back(kind);
    }
    for (int i = 0; i < count; ++i) {
        const Kind& kind = kinds[static_cast<std::size_t>(i) % kinds.size()];
        const std::optional<Run> run = find_program(sizes, kind, seed);
        if (!run) {
            save(folder / "error.txt", std::string("no small program with a layer ") + kind.layer);
            return 1;
        }
        save_program(folder / std::to_string(i), *run);
    }
    return 0;
}
