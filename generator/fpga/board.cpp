#include "fpga/board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/toml.hpp"
#include "core/words.hpp"
#include "verif/common/text.hpp"

namespace macrame::fpga {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFolder = "fpga/boards/";
constexpr std::string_view kFile = "/board.toml";

/// A value as a message shows it.
std::string shown(const toml::node& node) {
    if (const auto text = node.value_exact<std::string>()) return fmt::format("\"{}\"", *text);
    if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
    if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
    if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
    if (node.is_array()) return "a list";
    return node.is_table() ? "a table" : "a date";
}

/// Reads what the file has and remembers what it lacks, and what nobody asked for.
class Reader {
public:
    Reader(const toml::table& table, std::string path, Diags& diags)
        : table_(table), path_(std::move(path)), diags_(diags) {}

    std::string text(const std::string& key, bool optional = false) {
        const toml::node* node = find(key, optional, "a text");
        if (node == nullptr) return "";
        const auto value = node->value_exact<std::string>();
        if (!value || std::any_of(value->begin(), value->end(), is_control))
            wrong(key, *node, "a text of one line");
        return value.value_or("");
    }
    int number(const std::string& key, int least, int most, bool optional = false,
               int missing = 0) {
        const std::string wanted = fmt::format("a whole number of {} to {}", least, most);
        const toml::node* node = find(key, optional, wanted);
        if (node == nullptr) return missing;
        const auto value = node->value_exact<std::int64_t>();
        if (!value || *value < least || *value > most) {
            wrong(key, *node, wanted);
            return 0;
        }
        return static_cast<int>(*value);
    }
    std::vector<Pin> pins() {
        std::vector<Pin> out;
        const toml::node* node = find("pins", true, "");
        if (node == nullptr) return out;
        if (!node->is_table()) {
            wrong("pins", *node, "a table");
            return out;
        }
        for (const auto& [port, row] : *node->as_table())
            out.push_back(pin(std::string(port.str()), row));
        return out;
    }
    /// Keys that no board has.
    void others() {
        for (const auto& [key, node] : table_)
            other(std::string(key.str()), node);
    }

private:
    static bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

    /// A pin has its list of sites and how the sites work.
    Pin pin(const std::string& port, const toml::node& row) {
        const std::string key = "pins." + port;
        Pin out{port, {}, ""};
        const toml::table* table = row.as_table();
        if (table == nullptr) {
            wrong(key, row, "{ sites = [\"A1\"], io = \"LVCMOS33\" }");
            return out;
        }
        if (const toml::node* sites = find(key + ".sites", false, "a list of sites")) {
            const toml::array* list = sites->as_array();
            for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
                const auto site = (*list)[i].value_exact<std::string>();
                if (!site || site->empty() || !std::all_of(site->begin(), site->end(), is_of_site))
                    wrong(key + ".sites", (*list)[i], "the name of a site, as \"A1\"");
                out.sites.push_back(site.value_or(""));
            }
            if (list == nullptr || list->empty()) wrong(key + ".sites", *sites, "a list of sites");
        }
        out.io = text(key + ".io");
        return out;
    }
    static bool is_of_site(char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '_';
    }

    const toml::node* find(const std::string& key, bool optional, std::string_view wanted) {
        known_.insert(key);
        const toml::node* node = table_.at_path(key).node();
        if (node == nullptr && !optional)
            diags_.push_back({fmt::format("{}: no {}: want {}", path_, key, wanted)});
        return node;
    }
    void wrong(const std::string& key, const toml::node& node, std::string_view wanted) {
        diags_.push_back({fmt::format("{}:{}: {} = {}: want {}", path_, node.source().begin.line,
                                      key, shown(node), wanted)});
    }
    void other(const std::string& key, const toml::node& node) {
        if (node.is_table()) {
            for (const auto& [name, below] : *node.as_table())
                other(fmt::format("{}.{}", key, std::string(name.str())), below);
        } else if (known_.count(key) == 0) {
            const std::vector<std::string> known(known_.begin(), known_.end());
            diags_.push_back({fmt::format("{}:{}: {}: no board has this{}", path_,
                                          node.source().begin.line, key, suggestion(key, known))});
        }
    }

    const toml::table& table_;
    std::string path_;
    Diags& diags_;
    std::set<std::string> known_;
};

Board board(const std::string& name, Reader& file) {
    constexpr int kMostMhz = 1000, kMostLuts = 10000000, kMostBlocks = 100000;
    constexpr int kMostKib = 64 * 1024 * 1024, kMostBytes = 4096, kMostBaud = 12000000;
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
    out.memory_kib = file.number("memory.kib", 1, kMostKib);
    out.memory_bytes_per_cycle = file.number("memory.bytes_per_cycle", 1, kMostBytes, true);
    out.clock_mhz = file.number("clock.mhz", 0, kMostMhz);
    out.core_mhz = file.number("clock.core_mhz", 1, kMostMhz);
    out.luts = file.number("capacity.lut", 1, kMostLuts);
    out.dsps = file.number("capacity.dsp", 0, kMostBlocks);
    out.brams = file.number("capacity.bram", 0, kMostBlocks);
    out.baud = file.number("host.baud", 1, kMostBaud, true);
    out.reset_level = file.number("host.reset_level", 0, 1, true);
    out.led_level = file.number("host.led_level", 0, 1, true, 1);
    out.pins = file.pins();
    file.others();
    return out;
}

/// What one file has, with all its mistakes as diagnostics.
Board read_board(const std::string& name, const std::string& path, const std::string& bytes,
                 Diags& diags) {
    Diags found;
    Board out;
    try {
        const toml::table table = toml::parse(bytes, path);
        Reader reader(table, path, found);
        out = board(name, reader);
        if (found.empty()) found = check(out, path);
    } catch (const toml::parse_error& e) {
        found.push_back({fmt::format("{}:{}: {}", path, e.source().begin.line, e.description())});
    }
    diags.insert(diags.end(), found.begin(), found.end());
    return out;
}

/// Boards of the user. A folder that holds none is a mistake.
std::vector<Board> read_folder(const std::string& folder, Diags& diags) {
    std::vector<Board> out;
    const auto wants = [&](std::string_view found, std::string_view wanted) {
        diags.push_back({fmt::format("{}: {}: want {} (--board-dir)", folder, found, wanted)});
    };
    std::error_code code;
    if (!fs::is_directory(folder, code)) {
        wants(fs::exists(folder, code) ? "no folder" : "not there", "a folder of boards");
        return out;
    }
    std::vector<fs::path> files;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
        if (fs::exists(at->path() / "board.toml", code)) files.push_back(at->path());
    if (code) {
        wants(code.message(), "a folder that can be read");
        return out;
    }
    if (files.empty()) {
        const bool is_board = fs::exists(fs::path(folder) / "board.toml", code);
        wants(is_board ? "it is a board" : "no board in it",
              is_board ? "the folder that it is in" : "NAME/board.toml");
    }
    for (const fs::path& file : files) {
        const std::string path = (file / "board.toml").generic_string();
        std::string problem;
        const std::optional<std::string> bytes = verif::text::read_file(path, problem);
        if (bytes)
            out.push_back(read_board(file.filename().string(), path, *bytes, diags));
        else
            diags.push_back({fmt::format("{}: {}", path, problem)});
    }
    return out;
}

}  // namespace

int Board::leds() const {
    for (const Pin& pin : pins)
        if (pin.port == "led") return static_cast<int>(pin.sites.size());
    return 0;
}

int Board::memory_brams() const {
    if (memory != "block") return 0;
    const int bytes = flow == "ice40" ? 512 : flow == "ecp5" ? 2048 : 4096;
    return memory_kib * 1024 / bytes;
}

std::vector<Board> boards(const emit::Assets& assets, Diags& diags, const std::string& folder) {
    std::vector<Board> out;
    if (!folder.empty()) out = read_folder(folder, diags);
    std::set<std::string> theirs;
    for (const Board& board : out)
        theirs.insert(board.name);
    for (const std::string& path : assets.list(kFolder)) {
        const std::size_t end = path.size() - std::min(path.size(), kFile.size());
        if (path.substr(end) != kFile) continue;
        const std::string name = path.substr(kFolder.size(), end - kFolder.size());
        if (theirs.count(name) == 0)
            out.push_back(read_board(name, path, assets.read(path).value_or(""), diags));
    }
    std::sort(out.begin(), out.end(),
              [](const Board& a, const Board& b) { return a.name < b.name; });
    return out;
}

std::optional<Board> find_board(const std::string& name, const std::string& folder,
                                const emit::Assets& assets, Diags& diags) {
    std::vector<std::string> names;
    Diags found;
    for (const Board& board : boards(assets, found, folder)) {
        if (board.name == name && found.empty()) return board;
        names.push_back(board.name);
    }
    if (found.empty())
        found.push_back(
            {finding("board", name, join_or(names), "--board") + suggestion(name, names)});
    diags.insert(diags.end(), found.begin(), found.end());
    return std::nullopt;
}

}  // namespace macrame::fpga
