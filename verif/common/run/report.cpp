#include "verif/common/run/report.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "verif/common/text.hpp"

namespace macrame::verif::run {

namespace {

using text::shortest;

/// Replaces characters that mean something in the format; `name(c)` is empty for all others.
template <class F>
std::string escape(const std::string& s, F name) {
    std::string out;
    for (const char c : s) {
        const std::string other = name(c);
        out += other.empty() ? std::string(1, c) : other;
    }
    return out;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

// ---- CSV

std::string csv_field(const std::string& s) {
    if (s.find_first_of(",\"\n") == s.npos) return s;
    return '"' + escape(s, [](char c) { return c == '"' ? "\"\"" : ""; }) + '"';
}

std::string csv_head(const std::string&, const Summary&) {
    return "trace,result,cycles,macs,read_stalls,write_stalls,read_bytes,write_bytes,total_cycles,"
           "cpu_s\n";
}

std::string csv_row(const std::string&, const Row& row, bool) {
    std::string out = csv_field(row.name) + "," + csv_field(result_text(row));
    for (const std::uint64_t n : {row.cycles, row.macs, row.read_stalls, row.write_stalls,
                                  row.read_bytes, row.write_bytes, row.total_cycles}) {
        out += "," + shortest(n);
    }
    return out + "," + text::fixed(row.cpu_s, 6) + "\n";
}

std::string csv_tail(const Summary&) { return {}; }

// ---- JSON

std::string json_text(const std::string& s) {
    return '"' +
           escape(s,
                  [](char c) -> std::string {
                      if (c == '"') return "\\\"";
                      if (c == '\\') return "\\\\";
                      return is_control(c)
                                 ? "\\u00" + text::hex_digits(static_cast<unsigned char>(c), 2)
                                 : "";
                  }) +
           '"';
}

std::string json_list(const std::vector<std::uint64_t>& numbers) {
    std::string out = "[";
    for (std::size_t i = 0; i < numbers.size(); ++i)
        out += (i == 0 ? "" : ", ") + shortest(numbers[i]);
    return out + "]";
}

/// Five numbers for each.
std::vector<std::uint64_t> flat(const std::vector<PortSample>& samples) {
    std::vector<std::uint64_t> out;
    for (const PortSample& s : samples)
        for (const std::uint64_t number :
             {s.cycle, s.read_bytes, s.write_bytes, s.read_stalls, s.write_stalls})
            out.push_back(number);
    return out;
}

std::string json_head(const std::string& title, const Summary&) {
    return "{\n  \"configuration\": " + json_text(title) + ",\n  \"programs\": [";
}

std::string json_row(const std::string&, const Row& row, bool first) {
    const char* verdict = row.verdict == Verdict::passed   ? "passed"
                          : row.verdict == Verdict::failed ? "failed"
                                                           : "skipped";
    std::string out = std::string(first ? "" : ",") + "\n    {\"name\": " + json_text(row.name) +
                      ", \"verdict\": \"" + verdict + "\"";
    if (!row.reason.empty()) out += ", \"reason\": " + json_text(row.reason);
    const std::pair<const char*, std::uint64_t> numbers[] = {
        {"cycles", row.cycles},           {"total_cycles", row.total_cycles},
        {"layers", row.layers},           {"macs", row.macs},
        {"read_bytes", row.read_bytes},   {"write_bytes", row.write_bytes},
        {"read_stalls", row.read_stalls}, {"write_stalls", row.write_stalls}};
    for (const auto& [name, number] : numbers)
        out += std::string(", \"") + name + "\": " + shortest(number);
    if (row.layer_times) {
        out += ", \"layer_begins\": " + json_list(row.layer_times->begins) +
               ", \"layer_ends\": " + json_list(row.layer_times->ends) +
               ", \"port_samples\": " + json_list(flat(row.layer_times->samples));
    }
    if (!row.moved.empty()) out += ", \"moved\": " + json_list(row.moved);
    if (row.first_difference) out += ", \"first_difference\": " + shortest(*row.first_difference);
    out += ", \"cpu_s\": " + text::fixed(row.cpu_s, 6) + ", \"failures\": [";
    for (std::size_t i = 0; i < row.failures.size(); ++i)
        out += (i == 0 ? "" : ", ") + json_text(row.failures[i]);
    return out + "]}";
}

std::string json_tail(const Summary& sum) {
    return "\n  ],\n  \"passed\": " + shortest(sum.passed) +
           ",\n  \"failed\": " + shortest(sum.failed) +
           ",\n  \"skipped\": " + shortest(sum.skipped) + "\n}\n";
}

// ---- JUnit XML

std::string xml_text(const std::string& s) {
    return escape(s, [](char c) {
        return c == '&'        ? "&amp;"
               : c == '<'      ? "&lt;"
               : c == '>'      ? "&gt;"
               : c == '"'      ? "&quot;"
               : is_control(c) ? " "
                               : "";
    });
}

/// ` name="12"` and blanks up to a fixed length.
std::string padded_attribute(const std::string& name, std::size_t n) {
    return text::pad_right(" " + name + "=\"" + shortest(n) + "\"", name.size() + 12);
}

std::string junit_head(const std::string& title, const Summary& sum) {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"" +
           xml_text(title) + "\"" + padded_attribute("tests", sum.done()) +
           padded_attribute("failures", sum.failed) + padded_attribute("skipped", sum.skipped) +
           ">\n";
}

std::string junit_row(const std::string& title, const Row& row, bool) {
    std::string out = "<testcase classname=\"" + xml_text(title) + "\" name=\"" +
                      xml_text(row.name) + "\" time=\"" + text::fixed(row.cpu_s, 3) + "\"";
    if (row.verdict == Verdict::passed) return out + "/>\n";
    if (row.verdict == Verdict::skipped) {
        return out + "><skipped message=\"" + xml_text(row.reason) + "\"/></testcase>\n";
    }
    const std::string first = row.failures.empty() ? row.reason : row.failures[0];
    out += "><failure message=\"" + xml_text(first) + "\">";
    for (const std::string& failure : row.failures)
        out += xml_text(failure) + "\n";
    return out + "</failure></testcase>\n";
}

std::string junit_tail(const Summary&) { return "</testsuite>\n</testsuites>\n"; }

// ---- files

/// True if the path can be written; a file that was not there is not there afterwards.
bool can_write(const std::string& path) {
    struct stat before {};
    const bool existed = stat(path.c_str(), &before) == 0;
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) return false;
    close(file);
    if (!existed) unlink(path.c_str());
    return true;
}

/// What is wrong with a file or folder that an option names; empty if nothing is.
std::string output_mistake(const Option& option, const std::string& path) {
    struct stat found {};
    const bool exists = stat(path.c_str(), &found) == 0;
    if (option.value == "FOLDER") {
        const bool good = exists && S_ISDIR(found.st_mode) && access(path.c_str(), W_OK) == 0;
        return good ? "" : "want a folder that can be written";
    }
    if (!can_write(path)) return "want a file that can be written";
    const bool rewritten = option.name == "json" || option.name == "junit";
    if (rewritten && exists && !S_ISREG(found.st_mode)) return "want a plain file";
    return {};
}

}  // namespace

const ReportFormat kCsv = {csv_head, csv_row, csv_tail};
const ReportFormat kJson = {json_head, json_row, json_tail};
const ReportFormat kJunit = {junit_head, junit_row, junit_tail};

Report::Report(std::string path, const ReportFormat& format, std::string title)
    : path_(std::move(path)),
      format_(format),
      title_(std::move(title)),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
      good_(file_ >= 0) {
    const std::string head = format_.head(title_, sum_);
    write(head + format_.tail(sum_), 0);
    end_of_rows_ = head.size();
}

Report::~Report() {
    if (file_ >= 0) close(file_);
}

void Report::add(const Row& row) {
    const bool first = sum_.done() == 0;
    sum_.add(row);
    const std::string text = format_.row(title_, row, first);
    // One write each: the new row with the tail over the old tail, then the head over the head.
    write(text + format_.tail(sum_), end_of_rows_);
    end_of_rows_ += text.size();
    const std::string head = format_.head(title_, sum_);
    if (head != format_.head(title_, {})) write(head, 0);
}

void Report::write(const std::string& text, std::size_t at) {
    if (!good_) return;
    // A file that cannot be positioned (a pipe) takes what only grows.
    const bool plain = lseek(file_, static_cast<off_t>(at), SEEK_SET) >= 0;
    good_ = (plain || &format_ == &kCsv) &&
            ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

std::vector<std::string> check_outputs(const OptionRows& rows) {
    std::vector<std::string> errors;
    std::map<std::string, std::string> named;
    for (const Option& row : rows) {
        if (!row.output) continue;
        const std::string& path = *std::get<std::string*>(row.to);
        if (path.empty() || path == "-") continue;
        const std::string option = "--" + std::string(row.name);
        const std::string mistake = output_mistake(row, path);
        if (!mistake.empty()) errors.push_back(option + " = " + path + ": " + mistake);
        const auto [other, is_new] = named.emplace(path, option);
        if (!is_new) {
            errors.push_back(option + " = " + path + ": want a file of its own, " + other->second +
                             " names it, too");
        }
    }
    return errors;
}

}  // namespace macrame::verif::run
