#include "verif/systolic/files/network_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "verif/common/json.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/files/case_file.hpp"
#include "verif/systolic/files/program_file.hpp"
#include "verif/systolic/isa/rules.hpp"

namespace macrame::systolic::files {

namespace {

using verif::Json;
using verif::text::shortest;

constexpr std::int64_t kMostLayers = 65535;

struct PortKey {
    std::string_view name;
    std::int64_t NetworkPort::*member;
    std::int64_t low;
};
constexpr std::array<PortKey, 9> kPortKeys = {{
    {"address", &NetworkPort::address, 0},
    {"height", &NetworkPort::height, 1},
    {"width", &NetworkPort::width, 1},
    {"channels", &NetworkPort::channels, 1},
    {"block", &NetworkPort::block, 1},
    {"first_channel", &NetworkPort::first_channel, 0},
    {"pixel_bytes", &NetworkPort::pixel_bytes, 1},
    {"line_bytes", &NetworkPort::line_bytes, 1},
    {"plane_bytes", &NetworkPort::plane_bytes, 1},
}};

class Reader {
public:
    Reader(const std::string& path, const Architecture& architecture, const Identity& identity,
           std::vector<std::string>& errors)
        : path_(path), architecture_(architecture), identity_(identity), errors_(errors) {}

    std::optional<Network> run() {
        const std::size_t before = errors_.size();
        const auto made_for = read_architecture(path_, errors_);
        if (!made_for) return std::nullopt;
        compare(*made_for);
        std::string problem;
        const auto text = verif::text::read_file(path_, problem).value_or("");
        const auto json = verif::parse_json(text, problem);
        if (json && errors_.size() == before && json->find("identity") != nullptr)
            compare_identity(*json);
        if (!json || errors_.size() > before) return std::nullopt;
        Network out;
        out.name = string(*json, "network");
        const std::string folder = verif::text::directory(path_);
        out.memory = read_bytes(folder + string(*json, "memory"), errors_).value_or(
            std::vector<std::uint8_t>());
        if (errors_.size() > before) return std::nullopt;
        bytes_ = static_cast<std::int64_t>(out.memory.size());
        if (bytes_ > std::int64_t{1} << architecture_.address_width) {
            fail(*json, "memory of " + shortest(bytes_) + " bytes: want at most " +
                            shortest(std::int64_t{1} << architecture_.address_width) +
                            ", the addresses of " + shortest(architecture_.address_width) +
                            " bits");
            return std::nullopt;
        }
        for (const Json& program : items(*json, "programs"))
            out.programs.push_back(read_program(program, out.memory));
        for (const Json& port : items(*json, "inputs"))
            out.inputs.push_back(read_port(port));
        for (const Json& port : items(*json, "outputs"))
            out.outputs.push_back(read_port(port));
        if (errors_.size() > before) return std::nullopt;
        return out;
    }

private:
    void fail(const Json& at, const std::string& text) {
        errors_.push_back(path_ + ":" + shortest(at.line) + ":" + shortest(at.column) + ": " +
                          text);
    }

    void compare(const Architecture& made_for) {
        for (const ConfigKey& key : kConfigKeys) {
            if (made_for.*key.member == architecture_.*key.member) continue;
            errors_.push_back(path_ + ": made for " + std::string(key.name) + " = " +
                              shortest(made_for.*key.member) + ": want " +
                              shortest(architecture_.*key.member) +
                              ", as this configuration has");
        }
        const auto definition = [](const Architecture& a) {
            return std::string(a.exact ? kExact : a.requantise ? "true" : "false");
        };
        if (definition(made_for) != definition(architecture_))
            errors_.push_back(path_ + ": made for " + std::string(kRequantiseKey) + " = " +
                              definition(made_for) + ": want " + definition(architecture_) +
                              ", as this configuration has");
    }

    /// The first parameter that differs, or the hashes.
    void compare_identity(const Json& json) {
        const std::int64_t hash = number(json, "identity", 0, 0xffffffff);
        if (identity_.hash == 0 || hash == 0 || hash == std::int64_t{identity_.hash}) return;
        std::string found = "identity=" + verif::text::hex(static_cast<std::uint64_t>(hash));
        std::string wanted = "identity=" + verif::text::hex(identity_.hash);
        std::string_view ours = identity_.parameters;
        for (const Json& their : items(json, "parameters")) {
            const std::string_view our = verif::text::next_line(ours);
            if (their.text == our) continue;
            found = their.text;
            wanted = our;
            break;
        }
        errors_.push_back(path_ + ": made for " + found + ": want " + wanted +
                          ", as this configuration has");
    }

    std::string string(const Json& object, std::string_view key) {
        const Json* const found = object.find(key);
        if (found != nullptr && found->is(Json::Kind::string)) return found->text;
        fail(object, std::string(key) + ": want a text");
        return "";
    }

    std::int64_t number(const Json& object, std::string_view key, std::int64_t low,
                        std::int64_t high) {
        const Json* const found = object.find(key);
        const auto value = found == nullptr ? std::nullopt
                                            : verif::text::decimal<std::int64_t>(found->text);
        if (value && *value >= low && *value <= high) return *value;
        fail(found == nullptr ? object : *found,
             std::string(key) + ": want a whole number in " + shortest(low) + ".." +
                 shortest(high));
        return low;
    }

    const std::vector<Json>& items(const Json& object, std::string_view key) {
        static const std::vector<Json> kNone;
        const Json* const found = object.find(key);
        if (found != nullptr && found->is(Json::Kind::array)) return found->items;
        fail(object, std::string(key) + ": want a list");
        return kNone;
    }

    NetworkProgram read_program(const Json& json, const std::vector<std::uint8_t>& memory) {
        NetworkProgram out;
        const std::int64_t address = number(json, "address", 0, bytes_);
        const std::int64_t most =
            std::min(std::int64_t{kMostInstructions}, (bytes_ - address) / kWordBytes);
        const std::int64_t count = number(json, "count", 0, most);
        out.address = static_cast<std::uint64_t>(address);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto instruction =
                decode(word_of_bytes(memory.data() + address + kWordBytes * i));
            const std::string reason =
                instruction ? problem(architecture_, *instruction) : "an unknown opcode";
            if (!reason.empty()) {
                fail(json, "instruction " + shortest(i) + ": " + reason);
                break;
            }
            out.instructions.push_back(*instruction);
        }
        std::size_t sum = 0;
        for (const Json& layer : items(json, "layers")) {
            const auto index = static_cast<std::size_t>(number(layer, "layer", 0, kMostLayers));
            const auto part = static_cast<std::size_t>(number(layer, "instructions", 0, count));
            out.layers.push_back({index, part});
            sum += part;
        }
        if (sum != static_cast<std::size_t>(count))
            fail(json, "layers: found " + shortest(sum) + " instructions: want " +
                           shortest(count));
        return out;
    }

    NetworkPort read_port(const Json& json) {
        NetworkPort out;
        out.name = string(json, "name");
        for (const PortKey& key : kPortKeys)
            out.*key.member = number(json, key.name, key.low, bytes_);
        const std::int64_t most = bytes_ / out.height / out.width;
        if (out.channels > most) fail(json, "more elements than the memory has bytes");
        return out;
    }

    const std::string& path_;
    const Architecture& architecture_;
    const Identity& identity_;
    std::vector<std::string>& errors_;
    std::int64_t bytes_ = 0;  ///< of the memory
};

}  // namespace

std::vector<std::uint64_t> NetworkPort::addresses() const {
    std::vector<std::uint64_t> out;
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (std::int64_t c = first_channel; c < first_channel + channels; ++c)
                out.push_back(static_cast<std::uint64_t>(address + y * line_bytes +
                                                         x * pixel_bytes +
                                                         c / block * plane_bytes + c % block));
    return out;
}

std::optional<Network> read_network(const std::string& path, const Architecture& architecture,
                                    std::vector<std::string>& errors, const Identity& identity) {
    return Reader(path, architecture, identity, errors).run();
}

}  // namespace macrame::systolic::files
