#include "dat_reader.hpp"

#include <utility>

#include "verif/common/text.hpp"

namespace macrame::dla::trace {

namespace {

using verif::text::shown;

constexpr std::size_t kMaxDatErrors = 10;
constexpr const char* kRecord = "want `{offset:.., size:.., payload:..}`";

/// Appends bytes, joined to the last segment where they continue it.
void append(std::vector<Segment>& segments, std::uint64_t offset,
            const std::vector<std::uint8_t>& bytes) {
    if (!segments.empty() && segments.back().offset + segments.back().bytes.size() == offset) {
        segments.back().bytes.insert(segments.back().bytes.end(), bytes.begin(), bytes.end());
    } else {
        segments.push_back({offset, bytes});
    }
}

/// Reads blank separated bytes such as `0x1f`. False: `bad` is what was found.
bool parse_bytes(std::string_view s, std::vector<std::uint8_t>& out, std::string& bad) {
    for (s = verif::text::trim(s); !s.empty(); s = verif::text::trim(s)) {
        std::size_t end = 0;
        while (end < s.size() && !std::isspace(static_cast<unsigned char>(s[end])))
            ++end;
        const std::string_view word = s.substr(0, end);
        const auto value = verif::text::number(word);
        if (!value || *value > 255 || word.substr(0, 2) != "0x") {
            bad = std::string(word);
            return false;
        }
        out.push_back(static_cast<std::uint8_t>(*value));
        s.remove_prefix(end);
    }
    return true;
}

/// The text behind `key:` up to a comma, brace or blank, in a record; empty if absent.
std::string_view field(std::string_view record, std::string_view key) {
    const std::size_t at = record.find(key);
    if (at == std::string_view::npos) return {};
    std::string_view rest = record.substr(at + key.size());
    while (!rest.empty() && (rest.front() == '\'' || rest.front() == ' '))
        rest.remove_prefix(1);
    if (rest.empty() || rest.front() != ':') return {};
    rest = verif::text::trim(rest.substr(1));
    return verif::text::trim(rest.substr(0, rest.find_first_of(",} ")));
}

/// One `{offset:.., size:.., payload:..}` record. Empty result: fine.
std::string parse_record(std::string_view line, std::vector<Segment>& out) {
    const std::size_t open = line.find('{');
    const std::size_t close = line.rfind('}');
    if (close == std::string_view::npos || close < open)
        return "record without `}`: want a complete file";
    const std::string_view record = line.substr(open, close - open + 1);
    const auto offset = verif::text::number(field(record, "offset"), true);
    if (!offset) return "offset " + shown(field(record, "offset")) + ": want a number";
    const auto size = verif::text::number(field(record, "size"), true);
    if (!size) return "size " + shown(field(record, "size")) + ": want a number";
    std::size_t at = record.find("payload");
    std::size_t skip = 7;
    if (at == std::string_view::npos) {
        at = record.find("value");
        skip = 5;
    }
    if (at == std::string_view::npos) return std::string("record without payload: ") + kRecord;
    std::string_view payload = record.substr(at + skip, record.size() - at - skip - 1);
    while (!payload.empty() && (payload.front() == ':' || payload.front() == '\'')) {
        payload.remove_prefix(1);
    }
    std::vector<std::uint8_t> bytes;
    std::string bad;
    if (!parse_bytes(payload, bytes, bad))
        return "payload byte " + shown(bad) + ": want 0x00..0xff";
    if (bytes.size() != *size) {
        return "payload of " + std::to_string(bytes.size()) +
               " bytes: want size = " + std::to_string(*size);
    }
    if (*offset > kMaxBytes || *offset + bytes.size() > kMaxBytes) {
        return "offset " + shown(field(record, "offset")) + " and " + std::to_string(bytes.size()) +
               " bytes: want an end of at most " + verif::text::hex(kMaxBytes);
    }
    append(out, *offset, bytes);
    return {};
}

}  // namespace

std::vector<Segment> parse_dat(const std::string& content, const std::string& name,
                               std::vector<std::string>& errors) {
    std::vector<Segment> out;
    std::string_view rest = content;
    std::uint64_t plain_offset = 0;
    const std::size_t first_error = errors.size();
    bool open = false;
    for (int line_number = 1; !rest.empty(); ++line_number) {
        const std::string_view line = verif::text::trim(verif::text::next_line(rest));
        if (line.empty() || line.front() == '#') continue;
        if (line == "{") {
            open = true;
            continue;
        }
        if (line.front() == '}') {
            open = false;
            continue;
        }
        std::string error;
        if (line.front() == '{') {
            error = parse_record(line, out);
        } else if (line.substr(0, 2) == "0x") {
            std::vector<std::uint8_t> bytes;
            std::string bad;
            if (!parse_bytes(line, bytes, bad)) {
                error = "byte " + shown(bad) + ": want 0x00..0xff";
            } else if (bytes.size() != 32) {
                error = "line of " + std::to_string(bytes.size()) + " bytes: want 32";
            }
            append(out, plain_offset, bytes);
            plain_offset += bytes.size();
        }
        // Any other line is header or footer text.
        if (error.empty()) continue;
        if (errors.size() - first_error < kMaxDatErrors) {
            errors.push_back(name + ":" + std::to_string(line_number) + ": " + error);
        }
    }
    if (open) errors.push_back(name + ": no `}` at the end: want a complete file");
    if (out.empty() && errors.size() == first_error) {
        errors.push_back(name + ": no data: " + kRecord + " records or lines of 32 bytes");
    }
    return out;
}

std::vector<Segment> read_dat(const std::string& path, const std::string& where,
                              std::vector<std::string>& errors) {
    std::string problem;
    const auto content = verif::text::read_file(path, problem);
    if (!content) {
        errors.push_back(where + ": " + path + ": " + problem + ": want a data file");
        return {};
    }
    return parse_dat(*content, path, errors);
}

}  // namespace macrame::dla::trace
