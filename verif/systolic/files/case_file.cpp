#include "verif/systolic/files/case_file.hpp"

#include "verif/common/json.hpp"
#include "verif/common/text.hpp"

namespace macrame::systolic::files {

using verif::Json;
using verif::text::shortest;

const std::vector<ConfigKey> kConfigKeys = {
    {"rows", 1, 255, &Architecture::rows, false},
    {"cols", 1, 255, &Architecture::columns, false},
    {"in_width", 2, 16, &Architecture::input_width, false},
    {"weight_width", 2, 16, &Architecture::weight_width, true},
    {"out_width", 8, 32, &Architecture::accumulator_width, false},
    {"ibuf_entries", 2, 32768, &Architecture::ibuf_entries, false},
    {"wbuf_entries", 2, 32768, &Architecture::wbuf_entries, false},
    {"obuf_entries", 2, 32768, &Architecture::obuf_entries, false},
    {"queue_depth", 1, 1024, &Architecture::queue_depth, true},
    {"token_depth", 1, 1024, &Architecture::token_depth, true},
    {"address_width", 16, 32, &Architecture::address_width, true},
};

std::optional<Architecture> read_architecture(const std::string& path,
                                              std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (!text) {
        errors.push_back(path + ": " + problem);
        return std::nullopt;
    }
    const auto json = verif::parse_json(*text, problem);
    if (!json) {
        errors.push_back(path + ":" + problem);
        return std::nullopt;
    }
    const Json* const inside = json->find("config");
    const Json& config = inside == nullptr ? *json : *inside;
    const std::size_t before = errors.size();
    Architecture out;
    for (const ConfigKey& key : kConfigKeys) {
        const Json* const found = config.find(key.name);
        if (found == nullptr && key.optional) continue;
        const Json& at = found == nullptr ? config : *found;
        const auto number = verif::text::decimal<int>(at.text);
        if (found == nullptr || !number || *number < key.low || *number > key.high) {
            errors.push_back(path + ":" + shortest(at.line) + ":" + shortest(at.column) + ": " +
                             std::string(key.name) +
                             (found == nullptr ? " is missing" : " = " + at.shown()) +
                             ": want a whole number in " + shortest(key.low) + ".." +
                             shortest(key.high));
            continue;
        }
        out.*key.member = *number;
    }
    if (errors.size() > before) return std::nullopt;
    out.requantise = out.accumulator_width == 32;  // words of its parameters have 32 bits
    if (const Json* const found = config.find(kRequantiseKey)) {
        if (!found->is(Json::Kind::string) || found->text != kExact || !out.requantise) {
            errors.push_back(path + ":" + shortest(found->line) + ":" + shortest(found->column) +
                             ": " + std::string(kRequantiseKey) + " = " + found->shown() +
                             ": want \"" + std::string(kExact) + "\", or no such key");
            return std::nullopt;
        }
        out.exact = true;
    }
    return out;
}

}  // namespace macrame::systolic::files
