#include "verif/common/run/options.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

constexpr std::size_t kHelpColumn = 30;
constexpr std::size_t kHelpWidth = 98;

/// Calls one function per kind of member.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

std::string dashed(std::string_view name) { return "--" + std::string(name); }

const Option* find(const OptionRows& rows, std::string_view name) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const Option& r) { return r.name == name; });
    return row == rows.end() ? nullptr : &*row;
}

/// Stores a number that is in range; false if the text is none.
template <class T>
bool set_number(T& to, std::string_view text, const Range& range) {
    const std::optional<T> number = text::decimal<T>(text);
    if (!number) return false;
    const auto value = static_cast<double>(*number);
    if (range.high > range.low && !(value >= range.low && value <= range.high)) return false;
    to = *number;
    return true;
}

bool set_value(const Option& option, const std::string& text) {
    return std::visit(Overloaded{[](bool* to) { return *to = true; },
                                 [](SubjectFlag flag) {
                                     *flag.to = flag.value;
                                     return true;
                                 },
                                 [&](std::string* to) {
                                     *to = text;
                                     return true;
                                 },
                                 [&](std::vector<std::string>* to) {
                                     to->push_back(text);
                                     return true;
                                 },
                                 [&](auto* to) { return set_number(*to, text, option.range); }},
                      option.to);
}

/// The mistake in one option as it was written, empty if there is none.
std::string set_one(const Option& option, const Given& given) {
    const std::string name = dashed(option.name);
    if (option.is_flag()) {
        if (given.value) return name + " = " + *given.value + ": want no value";
        set_value(option, {});
        return {};
    }
    if (given.value.value_or("").empty())
        return name + ": found no value: want " + allowed_text(option);
    if (set_value(option, *given.value)) return {};
    return name + " = " + *given.value + ": want " + allowed_text(option);
}

/// As the user writes it; several words for a list.
std::vector<std::string> value_words(const Option& option) {
    using Words = std::vector<std::string>;
    return std::visit(
        Overloaded{[](const bool* flag) { return *flag ? Words{""} : Words{}; },
                   [](SubjectFlag flag) { return *flag.to == flag.value ? Words{""} : Words{}; },
                   [](const std::string* text) { return text->empty() ? Words{} : Words{*text}; },
                   [](const std::vector<std::string>* list) { return *list; },
                   [](const auto* number) { return Words{text::shortest(*number)}; }},
        option.to);
}

/// "--trace PATH"
std::string usage(const Option& option) {
    return dashed(option.name) + (option.is_flag() ? "" : " " + std::string(option.value));
}

/// What is wrong with the options together.
void check_together(const OptionRows& rows, const std::set<std::string>& given,
                    std::vector<std::string>& errors) {
    const auto has = [&](std::string_view name) { return given.count(std::string(name)) != 0; };
    std::vector<std::string> work;
    bool works = false;
    for (const Option& row : rows) {
        if (row.work) work.push_back(usage(row));
        works = works || (row.work && has(row.name));
        if (!has(row.name)) continue;
        for (const std::string_view other : row.needs) {
            if (!has(other))
                errors.push_back(dashed(row.name) + ": want " + dashed(other) + ", too");
        }
        for (const std::string_view other : row.excludes) {
            if (!has(other)) continue;
            errors.push_back(dashed(other) + " and " + dashed(row.name) + ": want one of them");
        }
    }
    if (!works && !work.empty()) errors.push_back("nothing to run: want " + text::join(work, "or"));
}

}  // namespace

// clang-format off
OptionRows option_rows(Options& o) {
    return {
        {"trace", &o.traces, "PATH", {}, "run programs: traces, their folders, or folders of these",
         {}, {}, Offered::everywhere, true},
        {"random", &o.random_layers, "N", {1, 1000000}, "run that many random programs",
         {}, {"trace"}, Offered::everywhere, true},
        {"program", &o.program, "FILE", {}, "run a compiled network, made by macrame compile",
         {"input"}, {"trace", "random"}, Offered::everywhere, true},
        {"network", &o.network, "NAME", {}, "which one, of a program of several networks",
         {"program"}},
        {"input", &o.input, "FILE", {}, "its inputs, raw, one behind the other", {"program"}},
        {"output", &o.output, "FILE", {}, "write its outputs the same way", {"program"}, {},
         Offered::everywhere, false, true},
        {"count", &o.count, "N", {1, 1000000000}, "so many of the inputs; default: all",
         {"program"}},
        {"model", SubjectFlag{&o.subject, Subject::model}, "", {},
         "run the golden model instead of the design"},
        {"both", SubjectFlag{&o.subject, Subject::both}, "", {},
         "run both; every register read and written byte must agree", {}, {"model"}},
        {"latency", &o.latency, "N", {1, 100000}, "memory latency in cycles", {}, {"model"}},
        {"stall", &o.stall, "P", {0.0, 0.95}, "probability of a stall, per channel and cycle", {},
         {"model"}},
        {"interleave", &o.interleave, "", {},
         "answers to different clients overtake each other", {}, {"model"}},
        {"seed", &o.seed, "N", {}, "of stalls and random programs"},
        {"jobs", &o.jobs, "N", {1, 256}, "programs that run at the same time"},
        {"strict", &o.strict, "", {},
         "do not run programs that break a programming rule: they fail"},
        {"verbose", &o.verbose, "", {}, "show every check, warnings and infos about programs"},
        {"quiet", &o.quiet, "", {}, "show failures and the summary only", {}, {"verbose"}},
        {"csv", &o.csv, "FILE", {}, "write the table to this file, too", {}, {},
         Offered::everywhere, false, true},
        {"json", &o.json, "FILE", {}, "the same as JSON, with the texts of failures", {}, {},
         Offered::everywhere, false, true},
        {"junit", &o.junit, "FILE", {}, "the same as JUnit XML", {}, {}, Offered::everywhere,
         false, true},
        {"coverage", &o.coverage, "FILE", {},
         "functional coverage: add to this table; - only prints it", {}, {}, Offered::everywhere,
         false, true},
        {"wave", &o.wave, "FILE", {},
         "waves (FST) of the design; of several programs one file each: FILE-program.fst", {},
         {"model"}, Offered::everywhere, false, true},
        {"counts", &o.counts, "FOLDER", {},
         "line and toggle counts, a file per program (make COVERAGE=1)", {}, {"model"},
         Offered::delivered, false, true},
        {"build-dir", &o.build_folder, "FOLDER", {},
         "where to generate and build; default: in the cache folder of the user", {},
         {"model"}, Offered::generator},
    };
}
// clang-format on

void add_behind(OptionRows& rows, std::string_view name, OptionRows more) {
    const auto at =
        std::find_if(rows.begin(), rows.end(), [&](const Option& r) { return r.name == name; });
    rows.insert(at == rows.end() ? at : at + 1, more.begin(), more.end());
}

OptionRows offered(OptionRows rows, Offered by) {
    const auto other = [by](const Option& row) {
        return row.offered != Offered::everywhere && row.offered != by;
    };
    rows.erase(std::remove_if(rows.begin(), rows.end(), other), rows.end());
    return rows;
}

std::vector<std::string> set_options(const OptionRows& rows, const std::vector<Given>& given) {
    std::vector<std::string> errors;
    std::set<std::string> seen;
    for (const Given& one : given) {
        const Option* option = find(rows, one.name);
        if (option == nullptr) {
            errors.push_back(dashed(one.name) + ": unknown option; --help lists them");
            continue;
        }
        const bool list = std::holds_alternative<std::vector<std::string>*>(option->to);
        if (!seen.insert(one.name).second && !list) {
            errors.push_back(dashed(one.name) + ": given twice: want it once");
            continue;
        }
        const std::string error = set_one(*option, one);
        if (!error.empty()) errors.push_back(error);
    }
    if (errors.empty()) check_together(rows, seen, errors);
    return errors;
}

std::vector<Given> read_arguments(const OptionRows& rows, const std::vector<std::string>& words) {
    std::vector<Given> out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const std::size_t dashes = word.rfind("--", 0) == 0 ? 2 : word.rfind('-', 0) == 0 ? 1 : 0;
        if (dashes == 0) {
            out.push_back({"trace", word});
            continue;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        Given given{word.substr(dashes, equals - dashes), {}};
        const Option* option = find(rows, given.name);
        if (equals != word.size()) {
            given.value = word.substr(equals + 1);
        } else if (option != nullptr && !option->is_flag() && i + 1 < words.size() &&
                   words[i + 1].rfind("--", 0) != 0) {
            given.value = words[++i];
        }
        out.push_back(std::move(given));
    }
    return out;
}

std::vector<std::string> to_arguments(const OptionRows& rows, const OptionRows& defaults) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::vector<std::string> words = value_words(rows[i]);
        if (words == value_words(defaults[i])) continue;
        for (const std::string& word : words) {
            out.push_back(dashed(rows[i].name));
            if (!rows[i].is_flag()) out.back() += "=" + word;
        }
    }
    return out;
}

std::string allowed_text(const Option& option) {
    const std::string limits =
        text::shortest(option.range.low) + ".." + text::shortest(option.range.high);
    const auto whole = [&](auto max) {
        return "a whole number in " +
               (option.range.high > option.range.low ? limits : "0.." + text::shortest(max));
    };
    return std::visit(
        Overloaded{
            [](const bool*) { return std::string("no value"); },
            [](SubjectFlag) { return std::string("no value"); },
            [&](const int*) { return whole(std::numeric_limits<int>::max()); },
            [&](const std::uint64_t*) { return whole(std::numeric_limits<std::uint64_t>::max()); },
            [&](const double*) { return "a number in " + limits; },
            [&](const auto*) {
                return option.value == "FILE"     ? std::string("the name of a file")
                       : option.value == "FOLDER" ? std::string("the name of a folder")
                       : option.value == "PATH"   ? std::string("a file or folder")
                                                  : std::string("a text");
            }},
        option.to);
}

std::string default_text(const Option& option) {
    const std::vector<std::string> words = value_words(option);
    if (option.is_flag() || words.empty()) return {};
    // A number out of its own range stands for "not given".
    const std::optional<double> number = text::decimal<double>(words[0]);
    if (number && option.range.high > option.range.low &&
        (*number < option.range.low || *number > option.range.high)) {
        return {};
    }
    return words[0];
}

std::string help_text(const OptionRows& rows) {
    std::string out;
    for (const Option& row : rows) {
        const std::string value = default_text(row);
        const std::string doc = std::string(row.doc) + (value.empty() ? "" : " (" + value + ")");
        std::string left = "  " + usage(row);
        for (const std::string& line : text::wrap(doc, kHelpWidth - kHelpColumn)) {
            out += text::pad_right(left, kHelpColumn) + line + "\n";
            left.clear();
        }
    }
    return out;
}

std::string markdown_table(const OptionRows& rows) {
    std::string out = "| option | values | default | meaning |\n|---|---|---|---|\n";
    for (const Option& row : rows) {
        const std::string value = default_text(row);
        const std::string where = row.offered == Offered::delivered ? " (delivered simulator only)"
                                  : row.offered == Offered::generator ? " (macrame only)"
                                                                      : "";
        out += "| `" + usage(row) + "` | " + (row.is_flag() ? "" : allowed_text(row)) + " | " +
               value + " | " + std::string(row.doc) + where + " |\n";
    }
    return out;
}

}  // namespace macrame::verif::run
