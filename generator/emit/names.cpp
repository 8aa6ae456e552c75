#include "emit/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "core/words.hpp"
#include "emit/units.hpp"
#include "text/ends.hpp"

namespace macrame::emit {

namespace {

constexpr std::size_t kLongest = 64;
constexpr const char* kIdentifier =
    "letters, digits and _, not a digit first, at most 64 characters";

/// Words of Verilog and SystemVerilog, which most tools take for reserved in both.
constexpr std::string_view kReserved =
    " accept_on alias always always_comb always_ff always_latch and assert assign assume"
    " automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex"
    " casez cell chandle checker class clocking cmos config const constraint context continue"
    " cover covergroup coverpoint cross deassign default defparam design disable dist do edge"
    " else end endcase endchecker endclass endclocking endconfig endfunction endgenerate"
    " endgroup endinterface endmodule endpackage endprimitive endprogram endproperty"
    " endsequence endspecify endtable endtask enum event eventually expect export extends"
    " extern final first_match for force foreach forever fork forkjoin function generate"
    " genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies"
    " import incdir include initial inout input inside instance int integer interconnect"
    " interface intersect join join_any join_none large let liblist library local localparam"
    " logic longint macromodule matches medium modport module nand negedge nettype new"
    " nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed"
    " parameter pmos posedge primitive priority program property protected pull0 pull1"
    " pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase"
    " randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos"
    " rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with"
    " scalared sequence shortint shortreal showcancelled signed small soft solve specify"
    " specparam static string strong strong0 strong1 struct super supply0 supply1"
    " sync_accept_on sync_reject_on table tagged task this throughout time timeprecision"
    " timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union"
    " unique unique0 unsigned until until_with untyped use uwire var vectored virtual void"
    " wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor"
    " ";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_word(char c) { return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_identifier(std::string_view name) {
    return !name.empty() && name.size() <= kLongest && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), is_word);
}

using Renames = std::map<std::string, std::string, std::less<>>;

/// Verilog with other names for modules.
class Renamer {
public:
    Renamer(std::string_view text, const Renames& renames) : left_(text), renames_(renames) {}

    std::string run() {
        while (!left_.empty()) {
            if (is_word(left_.front())) {
                word();
            } else if (text::starts_with(left_, "//")) {
                comment();
            } else if (left_.front() == '"') {
                copy(std::min(left_.find('"', 1), left_.size() - 1) + 1);
            } else {
                copy(1);
            }
        }
        return out_;
    }

private:
    void copy(std::size_t count) {
        out_ += left_.substr(0, count);
        left_.remove_prefix(std::min(count, left_.size()));
    }

    /// An identifier, number or keyword. Ports and macros, .name and `name, stay.
    void word() {
        const auto end = std::find_if_not(left_.begin(), left_.end(), is_word);
        const auto size = static_cast<std::size_t>(end - left_.begin());
        const char before = out_.empty() ? ' ' : out_.back();
        const auto at =
            before == '.' || before == '`' ? renames_.end() : renames_.find(left_.substr(0, size));
        if (at == renames_.end()) return copy(size);
        out_ += at->second;
        left_.remove_prefix(size);
    }

    /// Up to the end of the line. The path of a template stays what it is.
    void comment() {
        while (!left_.empty() && left_.front() != '\n') {
            if (text::starts_with(left_, "templates/")) {
                copy(std::min(left_.find_first_of(" \n"), left_.size()));
            } else if (is_word(left_.front())) {
                word();
            } else {
                copy(1);
            }
        }
    }

    std::string_view left_;
    const Renames& renames_;
    std::string out_;
};

/// Name of the module in a Verilog file of the output, empty for other files.
std::string module_of(const OutputFile& file) {
    const std::filesystem::path path(file.path);
    return path.extension() == ".v" ? path.stem().string() : "";
}

}  // namespace

Diags check(const ModuleNames& names) {
    Diags diags;
    const auto look = [&](std::string_view option, const std::optional<std::string>& name) {
        if (!name) return;
        const std::string where = fmt::format("--{}", option);
        if (!is_identifier(*name)) {
            diags.push_back({finding(option, *name, kIdentifier, where)});
        } else if (option == "top" &&
                   kReserved.find(fmt::format(" {} ", *name)) != kReserved.npos) {
            diags.push_back({finding(option, *name, "no reserved word of Verilog", where)});
        }
    };
    look("prefix", names.prefix);
    look("top", names.top);
    return diags;
}

std::string emitted_name(const Design& design, std::string_view module) {
    const ModuleNames& names = design.names;
    if (names.top && module == top_module(design)) return *names.top;
    return names.prefix.value_or("") + std::string(module);
}

void rename_modules(OutputSet& set, const Design& design, Diags& diags) {
    if (!design.names.prefix && !design.names.top) return;
    Renames renames;
    std::set<std::string> taken;
    for (const OutputFile& file : set.files()) {
        const std::string module = module_of(file);
        if (module.empty()) continue;
        const std::string name = emitted_name(design, module);
        renames.emplace(module, name);
        if (taken.insert(name).second) continue;
        diags.push_back({finding("top", name, "a name that no other module has", "--top")});
        return;
    }
    OutputSet renamed;
    for (const OutputFile& file : set.files()) {
        const auto at = renames.find(module_of(file));
        if (at == renames.end()) {
            renamed.add(file.path, file.bytes);
            continue;
        }
        const auto path = std::filesystem::path(file.path).replace_filename(at->second + ".v");
        renamed.add(path.string(), Renamer(file.bytes, renames).run());
    }
    set = std::move(renamed);
}

}  // namespace macrame::emit
