#include "fpga/board.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/toml.hpp"

namespace macrame::fpga {

namespace {

constexpr std::string_view kFolder = "fpga/boards/";
constexpr std::string_view kFile = "/board.toml";

/// Reads what the file has and remembers what it lacks.
class Reader {
public:
    Reader(const toml::table& table, std::string path, Diags& diags)
        : table_(table), path_(std::move(path)), diags_(diags) {}

    std::string text(std::string_view key, bool optional = false) const {
        const auto value = table_.at_path(key).value<std::string>();
        if (!value && !optional) lacks(key, "a text");
        return value.value_or("");
    }
    int number(std::string_view key, bool optional = false) const {
        const auto value = table_.at_path(key).value<int>();
        if (!value && !optional) lacks(key, "a whole number");
        return value.value_or(0);
    }
    std::vector<Pin> pins() const {
        std::vector<Pin> out;
        const toml::table* pins = table_["pins"].as_table();
        if (pins == nullptr) return out;
        for (const auto& [port, node] : *pins) {
            Pin pin;
            pin.port = port.str();
            const toml::table* row = node.as_table();
            const toml::array* sites = row != nullptr ? (*row)["sites"].as_array() : nullptr;
            if (sites == nullptr) {
                lacks(fmt::format("pins.{}.sites", pin.port), "a list of sites");
                continue;
            }
            for (const toml::node& site : *sites)
                pin.sites.push_back(site.value_or(std::string()));
            pin.io = (*row)["io"].value_or(std::string());
            out.push_back(std::move(pin));
        }
        return out;
    }

private:
    void lacks(std::string_view key, std::string_view wanted) const {
        diags_.push_back({fmt::format("{}: {}: want {}", path_, key, wanted)});
    }

    const toml::table& table_;
    std::string path_;
    Diags& diags_;
};

Board board(const std::string& name, const Reader& file) {
    Board out;
    out.name = name;
    out.doc = file.text("doc");
    out.note = file.text("note", true);
    out.flow = file.text("flow");
    out.device = file.text("device");
    out.package = file.text("package");
    out.speed = file.text("speed");
    out.part = file.text("part");
    out.board_part = file.text("board_part", true);
    out.load = file.text("load", true);
    out.memory = file.text("memory.kind");
    out.memory_kib = file.number("memory.kib");
    out.memory_bytes_per_cycle = file.number("memory.bytes_per_cycle", true);
    out.clock_mhz = file.number("clock.mhz");
    out.core_mhz = file.number("clock.core_mhz");
    out.luts = file.number("capacity.lut");
    out.dsps = file.number("capacity.dsp");
    out.brams = file.number("capacity.bram");
    out.baud = file.number("host.baud", true);
    out.reset_level = file.number("host.reset_level", true);
    out.pins = file.pins();
    return out;
}

}  // namespace

int Board::memory_brams() const {
    if (memory != "block") return 0;
    const int bytes = flow == "ice40" ? 512 : flow == "ecp5" ? 2048 : 4096;
    return memory_kib * 1024 / bytes;
}

std::vector<Board> boards(const emit::Assets& assets, Diags& diags) {
    std::vector<Board> out;
    for (const std::string& path : assets.list(kFolder)) {
        const std::size_t end = path.size() - std::min(path.size(), kFile.size());
        if (path.substr(end) != kFile) continue;
        const std::string name = path.substr(kFolder.size(), end - kFolder.size());
        try {
            const toml::table table = toml::parse(assets.read(path).value_or(""), path);
            out.push_back(board(name, Reader(table, path, diags)));
        } catch (const toml::parse_error& e) {
            diags.push_back({fmt::format("{}:{}: {}", path, e.source().begin.line,
                                         e.description())});
        }
    }
    return out;
}

}  // namespace macrame::fpga
