#include "core/params.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace macrame {

namespace {

Allowed choices(std::vector<int> numbers) { return {0, 0, false, false, std::move(numbers), {}}; }
Allowed choices_or_none(std::vector<int> numbers) {
    return {0, 0, false, true, std::move(numbers), {}};
}
Allowed power_of_two(int low, int high) { return {low, high, true, false, {}, {}}; }
Allowed range(int low, int high) { return {low, high, false, false, {}, {}}; }
Allowed range_or_none(int low, int high) { return {low, high, false, true, {}, {}}; }
Allowed words(std::vector<std::string_view> list) {
    return {0, 0, false, false, {}, std::move(list)};
}

bool assign_int(int& member, const Allowed& allowed, std::string_view text) {
    if (allowed.or_none && text == "none") {
        member = 0;
        return true;
    }
    int value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) {
        return false;
    }
    member = value;
    return true;
}

bool assign_bool(bool& member, std::string_view text) {
    for (const std::string_view yes : {"true", "1", "on", "yes"}) {
        if (text == yes) {
            member = true;
            return true;
        }
    }
    for (const std::string_view no : {"false", "0", "off", "no"}) {
        if (text == no) {
            member = false;
            return true;
        }
    }
    return false;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t same = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, same});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

const std::vector<Param>& params() {
    static const std::vector<Param> kParams = {
        {"mac_atomic_c_size", &Config::mac_atomic_c_size, choices({8, 16, 32, 64}), "channels",
         "input channels multiplied in parallel by each MAC cell"},
        {"mac_atomic_k_size", &Config::mac_atomic_k_size, choices({8, 16, 32}), "kernels",
         "kernels computed in parallel: MAC cells of both halves"},
        {"memory_atomic_size", &Config::memory_atomic_size, choices({8, 16, 32}), "bytes",
         "memory atom: alignment of addresses and strides; equals mac-atomic-k-size"},
        {"cbuf_bank_number", &Config::cbuf_bank_number, power_of_two(2, 32), "banks",
         "banks of the convolution buffer"},
        {"cbuf_bank_width", &Config::cbuf_bank_width, choices({8, 16, 32, 64}), "bytes",
         "bytes of a convolution buffer entry; equals mac-atomic-c-size"},
        {"cbuf_bank_depth", &Config::cbuf_bank_depth, power_of_two(64, 1024), "entries",
         "entries of a bank; a bank holds 512 bytes to 32 KiB"},
        {"primary_memif_width", &Config::primary_memif_width, power_of_two(64, 512), "bits",
         "data width of the memory port; at least one memory atom; units take one atom per cycle"},
        {"primary_memif_latency", &Config::primary_memif_latency, range(1, 65535), "cycles",
         "memory latency that the read channels cover at full rate"},
        {"primary_memif_max_burst_length", &Config::primary_memif_max_burst_length, choices({1, 4}),
         "beats", "longest AXI transaction"},
        {"mem_address_width", &Config::mem_address_width, range(32, 64), "bits",
         "memory address width"},
        {"sdp_bs_enable", &Config::sdp_bs_enable, {}, "", "SDP BS (X1) stage: bias, scale, ReLU"},
        {"sdp_bs_throughput", &Config::sdp_bs_throughput, choices_or_none({1, 2, 4, 8, 16}),
         "elements/cycle", "speed of the SDP BS stage; the SDP runs at the larger of its stages"},
        {"sdp_bn_enable", &Config::sdp_bn_enable, {}, "", "SDP BN (X2) stage: bias, scale, ReLU"},
        {"sdp_bn_throughput", &Config::sdp_bn_throughput, choices_or_none({1, 2, 4, 8, 16}),
         "elements/cycle", "speed of the SDP BN stage; the SDP runs at the larger of its stages"},
        {"sdp_ew_enable", &Config::sdp_ew_enable, {}, "", "SDP EW (Y) stage: element-wise"},
        {"sdp_ew_throughput", &Config::sdp_ew_throughput, choices_or_none({1, 2, 4, 8, 16}),
         "elements/cycle", "speed of layers that use the SDP EW stage"},
        {"sdp_lut_enable", &Config::sdp_lut_enable, {}, "", "lookup table in the SDP EW stage"},
        {"image_enable", &Config::image_enable, {}, "", "image (pixel) input of CDMA and CSC"},
        {"pdp_enable", &Config::pdp_enable, {}, "", "pooling unit"},
        {"pdp_throughput", &Config::pdp_throughput, power_of_two(1, 8), "elements/cycle",
         "speed of the pooling unit"},
        {"cdp_enable", &Config::cdp_enable, {}, "", "local response normalisation unit"},
        {"cdp_throughput", &Config::cdp_throughput, power_of_two(1, 8), "elements/cycle",
         "speed of the local response normalisation unit"},
        {"secondary_memif_enable",
         &Config::secondary_memif_enable,
         {},
         "",
         "second memory port for an on-chip SRAM"},
        {"secondary_memif_width", &Config::secondary_memif_width,
         choices_or_none({64, 128, 256, 512}), "bits", "data width of the second memory port"},
        {"secondary_memif_latency", &Config::secondary_memif_latency, range_or_none(1, 65535),
         "cycles", "memory latency of the second memory port"},
        {"secondary_memif_max_burst_length", &Config::secondary_memif_max_burst_length,
         choices_or_none({1, 4}), "beats", "longest AXI transaction of the second memory port"},
        {"bdma_enable", &Config::bdma_enable, {}, "", "bridge DMA between the two memory ports"},
        {"rubik_enable", &Config::rubik_enable, {}, "", "reshape unit"},
        {"rubik_contract_enable",
         &Config::rubik_contract_enable,
         {},
         "",
         "contract mode of the reshape unit"},
        {"rubik_reshape_enable",
         &Config::rubik_reshape_enable,
         {},
         "",
         "split and merge modes of the reshape unit"},
        {"feature_data_types", &Config::feature_data_types, words({"INT8"}), "",
         "element types of features"},
        {"weight_data_types", &Config::weight_data_types, words({"INT8"}), "",
         "element types of weights"},
        {"weight_compression_enable",
         &Config::weight_compression_enable,
         {},
         "",
         "sparse weight format"},
        {"winograd_enable", &Config::winograd_enable, {}, "", "Winograd convolution"},
        {"batch_enable", &Config::batch_enable, {}, "", "several inputs per layer"},
        {"max_batch_size", &Config::max_batch_size, range_or_none(1, 32), "inputs",
         "largest batch"},
        {"retiming_enable",
         &Config::retiming_enable,
         {},
         "",
         "extra registers between the partitions of a chip"},
        {"num_dma_read_clients", &Config::num_dma_read_clients, range(3, 10), "clients",
         "read clients of a memory port; follows from the enabled units"},
        {"num_dma_write_clients", &Config::num_dma_write_clients, range(1, 5), "clients",
         "write clients of a memory port; follows from the enabled units"},
        {"clock_gating",
         &Config::clock_gating,
         {},
         "",
         "stop the datapath clock of idle units (cell clkgate)"},
        {"cfgrom_words", &Config::cfgrom_words, words({"reference", "derived"}), "",
         "capability words: those of the reference hardware, or computed from the parameters"},
    };
    return kParams;
}

const Param* find_param(std::string_view key) {
    for (const Param& param : params()) {
        if (flag_name(param.key) == flag_name(key)) {
            return &param;
        }
    }
    return nullptr;
}

std::string flag_name(std::string_view key) {
    std::string result(key);
    std::replace(result.begin(), result.end(), '_', '-');
    return result;
}

std::string value_text(const Config& config, const Param& param) {
    if (const auto* flag = std::get_if<bool Config::*>(&param.member)) {
        return config.*(*flag) ? "true" : "false";
    }
    if (const auto* text = std::get_if<std::string Config::*>(&param.member)) {
        return config.*(*text);
    }
    const int value = config.*std::get<int Config::*>(param.member);
    return value == 0 && param.allowed.or_none ? "none" : std::to_string(value);
}

std::string join_or(const std::vector<std::string>& items) {
    std::string result;
    for (std::size_t i = 0; i < items.size(); ++i) {
        result += i == 0 ? "" : i + 1 == items.size() ? " or " : ", ";
        result += items[i];
    }
    return result;
}

std::string allowed_text(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) {
        return "true or false";
    }
    std::vector<std::string> items(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices) {
        items.push_back(std::to_string(number));
    }
    if (items.empty()) {
        items.push_back((allowed.power_of_two ? "a power of two in " : "a number in ") +
                        std::to_string(allowed.low) + ".." + std::to_string(allowed.high));
    }
    if (allowed.or_none) {
        items.emplace_back("none");
    }
    return join_or(items);
}

std::string markdown_table() {
    std::string out = "| parameter | values | default | meaning |\n|---|---|---|---|\n";
    for (const Param& param : params()) {
        out += "| `" + flag_name(param.key) + "` | " + allowed_text(param);
        out += (param.unit.empty() ? "" : " " + std::string(param.unit)) + " | " +
               value_text(Config{}, param) + " | " + std::string(param.doc) + " |\n";
    }
    return out;
}

bool assign(Config& config, const Param& param, std::string_view text) {
    if (const auto* flag = std::get_if<bool Config::*>(&param.member)) {
        return assign_bool(config.*(*flag), text);
    }
    if (const auto* number = std::get_if<int Config::*>(&param.member)) {
        return assign_int(config.*(*number), param.allowed, text);
    }
    config.*std::get<std::string Config::*>(param.member) = text;
    return true;
}

bool in_range(const Config& config, const Param& param) {
    const Allowed& allowed = param.allowed;
    if (const auto* text = std::get_if<std::string Config::*>(&param.member)) {
        const auto& list = allowed.words;
        return std::find(list.begin(), list.end(), config.*(*text)) != list.end();
    }
    const auto* member = std::get_if<int Config::*>(&param.member);
    if (member == nullptr) {
        return true;
    }
    const int value = config.*(*member);
    if (value == 0 && allowed.or_none) {
        return true;
    }
    if (!allowed.choices.empty()) {
        const auto& list = allowed.choices;
        return std::find(list.begin(), list.end(), value) != list.end();
    }
    return value >= allowed.low && value <= allowed.high &&
           (!allowed.power_of_two || (value & (value - 1)) == 0);
}

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(3, name.size() / 3 + 1);
    for (const std::string& candidate : candidates) {
        const std::size_t distance = std::min(
            edit_distance(name, candidate), edit_distance(name, candidate.substr(0, name.size())));
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

}  // namespace macrame
