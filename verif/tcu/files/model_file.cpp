#include "verif/tcu/files/model_file.hpp"

#include <limits>
#include <string_view>

#include "verif/common/json.hpp"
#include "verif/common/text.hpp"
#include "verif/tcu/files/arch_file.hpp"
#include "verif/tcu/files/json_fields.hpp"

namespace macrame::tcu::files {

using verif::Json;
using verif::json_string;
using verif::text::shortest;

namespace {

constexpr std::int64_t kMaxVectors = std::int64_t{1} << 32;

std::uint64_t total(const std::vector<Segment>& segments) {
    std::uint64_t sum = 0;
    for (const Segment& segment : segments)
        sum += segment.size;
    return sum;
}

class Reader {
public:
    Reader(const std::string& path, std::vector<std::string>& errors)
        : path_(path), errors_(errors) {}

    Model read(const Json& json) {
        Model out;
        Fields fields(json, path_, "", errors_);
        out.name = fields.string("name");
        if (const Json* prog = fields.member("prog", Json::Kind::object, "an object")) {
            Fields program(*prog, path_, "prog.", errors_);
            out.program_file = program.string("file_name");
            out.program_bytes = static_cast<std::uint64_t>(
                program.number("size", 0, std::numeric_limits<std::int64_t>::max()));
            program.finish();
        }
        out.constants = segments(fields, "consts", "file_name");
        out.inputs = segments(fields, "inputs", "name");
        out.outputs = segments(fields, "outputs", "name");
        if (const Json* arch = fields.member("arch", Json::Kind::object, "an object")) {
            if (const auto read = parse_architecture(*arch, path_, errors_))
                out.architecture = *read;
        }
        out.constants_to_local = fields.boolean("load_consts_to_local", false);
        fields.finish();
        return out;
    }

    /// What parts say of each other.
    void check(const Model& model) {
        const Architecture& a = model.architecture;
        const auto fits = [&](std::string_view what, const std::vector<Segment>& segments,
                              std::int64_t depth, std::string_view memory) {
            for (const Segment& s : segments) {
                if (s.base + s.size <= static_cast<std::uint64_t>(depth)) continue;
                errors_.push_back(path_ + ": " + std::string(what) + " " +
                                  verif::text::shown(s.name) + ", base " + shortest(s.base) +
                                  ", size " + shortest(s.size) + ": want it below the " +
                                  shortest(depth) + " vectors of " + std::string(memory));
            }
        };
        fits("input", model.inputs, a.dram0_depth, "DRAM0");
        fits("output", model.outputs, a.dram0_depth, "DRAM0");
        fits("constants", model.constants, a.dram1_depth, "DRAM1");
        if (model.constants_to_local)
            fits("constants", model.constants, a.local_depth, "local memory");
        if (model.constants.size() != 1) {
            errors_.push_back(path_ + ": consts with " + shortest(model.constants.size()) +
                              " entries: want one");
        }
    }

private:
    std::vector<Segment> segments(Fields& fields, std::string_view key, std::string_view name) {
        std::vector<Segment> out;
        const Json* array = fields.member(key, Json::Kind::array, "an array");
        for (std::size_t i = 0; array != nullptr && i < array->items.size(); ++i) {
            const std::string where = std::string(key) + "[" + shortest(i) + "]";
            const Json& item = array->items[i];
            if (!item.is(Json::Kind::object)) {
                errors_.push_back(path_ + ":" + shortest(item.line) + ":" + shortest(item.column) +
                                  ": " + where + " = " + item.shown() + ": want an object");
                continue;
            }
            Fields entry(item, path_, where + ".", errors_);
            Segment segment;
            segment.name = entry.string(name);
            segment.base = static_cast<std::uint64_t>(entry.number("base", 0, kMaxVectors));
            segment.size = static_cast<std::uint64_t>(entry.number("size", 0, kMaxVectors));
            entry.finish();
            out.push_back(segment);
        }
        return out;
    }

    const std::string& path_;
    std::vector<std::string>& errors_;
};

std::string segments_text(const std::vector<Segment>& segments, std::string_view name) {
    std::string out = "[";
    for (const Segment& s : segments) {
        out += std::string(out.size() > 1 ? "," : "") + "{\"" + std::string(name) +
               "\":" + json_string(s.name) + ",\"base\":" + shortest(s.base) +
               ",\"size\":" + shortest(s.size) + "}";
    }
    return out + "]";
}

}  // namespace

std::uint64_t Model::input_vectors() const { return total(inputs); }
std::uint64_t Model::output_vectors() const { return total(outputs); }

std::optional<Model> parse_model(std::string_view text, const std::string& file,
                                 std::vector<std::string>& errors) {
    const std::size_t before = errors.size();
    const std::optional<Json> json = parse_json_object(text, file, errors);
    if (!json) return std::nullopt;
    Reader reader(file, errors);
    Model model = reader.read(*json);
    if (errors.size() == before) reader.check(model);
    return errors.size() == before ? std::optional<Model>(model) : std::nullopt;
}

std::optional<Model> read_model(const std::string& path, std::vector<std::string>& errors) {
    std::string problem;
    const auto text = verif::text::read_file(path, problem);
    if (text) return parse_model(*text, path, errors);
    errors.push_back(path + ": " + problem);
    return std::nullopt;
}

std::string model_text(const Model& m) {
    return "{\"name\":" + json_string(m.name) +
           ",\"prog\":{\"file_name\":" + json_string(m.program_file) +
           ",\"size\":" + shortest(m.program_bytes) +
           "},\"consts\":" + segments_text(m.constants, "file_name") +
           ",\"inputs\":" + segments_text(m.inputs, "name") +
           ",\"outputs\":" + segments_text(m.outputs, "name") +
           ",\"arch\":" + architecture_text(m.architecture, 0) +
           ",\"load_consts_to_local\":" + (m.constants_to_local ? "true" : "false") + "}";
}

}  // namespace macrame::tcu::files
