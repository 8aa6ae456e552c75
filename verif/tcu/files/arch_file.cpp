#include "verif/tcu/files/arch_file.hpp"

#include <string>

#include "verif/common/text.hpp"
#include "verif/tcu/files/json_fields.hpp"

namespace macrame::tcu::files {

using verif::Json;

namespace {

constexpr std::int64_t kMaxDram = std::int64_t{1} << 32;
constexpr std::int64_t kMaxOnChip = 65536;

std::string data_type_names() {
    std::vector<std::string> names;
    for (const DataTypeInfo& type : kDataTypes)
        names.emplace_back(type.name);
    return verif::text::join(names, "or");
}

}  // namespace

// clang-format off
const std::vector<ArchKey> kArchKeys = {
    {"array_size", 2, 256, &Architecture::array_size, nullptr, false},
    {"dram0_depth", 2, kMaxDram, nullptr, &Architecture::dram0_depth, false},
    {"dram1_depth", 2, kMaxDram, nullptr, &Architecture::dram1_depth, false},
    {"local_depth", 2, kMaxOnChip, &Architecture::local_depth, nullptr, false},
    {"accumulator_depth", 2, kMaxOnChip, &Architecture::accumulator_depth, nullptr, false},
    {"simd_registers_depth", 0, 16, &Architecture::simd_registers_depth, nullptr, false},
    {"stride0_depth", 1, 16, &Architecture::stride0_depth, nullptr, false},
    {"stride1_depth", 1, 16, &Architecture::stride1_depth, nullptr, false},
    {"number_of_threads", 1, 2, &Architecture::number_of_threads, nullptr, false},
    {"thread_queue_depth", 1, kMaxOnChip, &Architecture::thread_queue_depth, nullptr, false},
    {"lut_tables", 0, 15, &Architecture::lut_tables, nullptr, true},
    {"lut_depth", 0, kMaxOnChip, &Architecture::lut_depth, nullptr, true},
};
// clang-format on

std::optional<Architecture> parse_architecture(const Json& object, const std::string& file,
                                               std::vector<std::string>& errors) {
    const std::size_t before = errors.size();
    Fields fields(object, file, "", errors);
    Architecture out;
    const std::string wanted = data_type_names();
    const Json* type = fields.member("data_type", Json::Kind::string, wanted);
    if (type != nullptr) {
        const DataTypeInfo* known = find_data_type(type->text);
        if (known != nullptr) {
            out.data_type = known->type;
        } else {
            const bool floating = type->text == "FLOAT32";
            errors.push_back(file + ":" + verif::text::shortest(type->line) + ":" +
                             verif::text::shortest(type->column) +
                             ": data_type = " + type->shown() + ": want " + wanted +
                             (floating ? " (no hardware computes FLOAT32)" : ""));
        }
    }
    for (const ArchKey& key : kArchKeys) {
        const std::int64_t value = fields.number(key.name, key.low, key.high, key.optional);
        if (key.number != nullptr) {
            out.*key.number = static_cast<int>(value);
        } else {
            out.*key.large = value;
        }
    }
    fields.finish();
    if (out.lut_tables > 0 && out.lut_depth == 0) {
        errors.push_back(file + ": lut_tables = " + verif::text::shortest(out.lut_tables) +
                         ": want lut_depth of at least 1, too");
    }
    return errors.size() == before ? std::optional<Architecture>(out) : std::nullopt;
}

std::optional<Architecture> read_architecture(const std::string& path,
                                              std::vector<std::string>& errors) {
    const std::optional<Json> json = read_json_object(path, errors);
    if (!json) return std::nullopt;
    const Json* arch = json->find("arch");
    const bool inside = arch != nullptr && arch->is(Json::Kind::object);
    return parse_architecture(inside ? *arch : *json, path, errors);
}

std::string architecture_text(const Architecture& architecture, int indent) {
    const std::string gap =
        indent == 0 ? "" : "\n" + std::string(static_cast<std::size_t>(indent), ' ');
    const std::string colon = indent == 0 ? ":" : ": ";
    std::string out = "{" + gap + "\"data_type\"" + colon + "\"" +
                      std::string(info(architecture.data_type).name) + "\"";
    for (const ArchKey& key : kArchKeys) {
        const std::int64_t value =
            key.number != nullptr ? architecture.*key.number : architecture.*key.large;
        if (key.optional && value == 0) continue;
        out +=
            "," + gap + "\"" + std::string(key.name) + "\"" + colon + verif::text::shortest(value);
    }
    return out + (indent == 0 ? "}" : "\n}\n");
}

}  // namespace macrame::tcu::files
