#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "explore/cost.hpp"
#include "fpga/block_ram.hpp"

namespace macrame::explore {

namespace {

double value_of(const AnyConfig& config, const Param& param) {
    const ParamValue value = param.get(config);
    if (const bool* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
    return std::get<int>(value);
}

const Param* number_param(const Family& family, const std::string& key) {
    const Param* param = find_param(family.params, key);
    if (param == nullptr || param->kind == Param::Kind::text)
        throw std::runtime_error(
            fmt::format("{}: want a number or a flag of {}", key, family.name));
    return param;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
        end = text.find(' ', at);
        out.push_back(text.substr(at, end - at));
    }
    return out;
}

}  // namespace

Formula::Factor Formula::factor(const std::vector<std::string>& words, const Family& family) {
    const auto param = [&](std::size_t i) { return number_param(family, words[i]); };
    const std::size_t count = words.size();
    if (count == 1) return {Kind::value, param(0), nullptr};
    if (count == 2 && words[0] == "log") return {Kind::log, param(1), nullptr};
    if (count == 3 && words[0] == "rams") return {Kind::rams, param(1), param(2)};
    if (count == 4 && words[0] == "min")
        return {Kind::least, param(1), param(2), std::stod(words[3])};
    throw std::runtime_error(
        fmt::format("{}: want KEY, log KEY, rams BYTES DEPTH or min KEY KEY DIVISOR",
                    fmt::join(words, " ")));
}

Formula Formula::read(const std::string& json, const Family& family) {
    const nlohmann::json data = nlohmann::json::parse(json);
    Formula out;
    out.power_ = data.value("log", false);
    out.error_ = data.value("error", 0.0);
    for (const nlohmann::json& row : data.at("terms")) {
        Term term{row.at(0).get<double>(), {}};
        for (std::size_t i = 1; i < row.size(); ++i) {
            term.factors.push_back(factor(words_of(row[i].get<std::string>()), family));
        }
        out.terms_.push_back(std::move(term));
    }
    return out;
}

double Formula::at(const AnyConfig& config) const {
    double sum = 0;
    for (const Term& term : terms_) {
        double product = term.weight;
        for (const Factor& factor : term.factors) {
            const double value = value_of(config, *factor.param);
            switch (factor.kind) {
                case Kind::value:
                    product *= value;
                    break;
                case Kind::log:
                    product *= value > 0 ? std::log2(value) : 0;
                    break;
                case Kind::rams:
                    product *= fpga::block_rams(std::int64_t{8} * std::llround(value),
                                                std::llround(value_of(config, *factor.second)),
                                                fpga::kHalfRamb36);
                    break;
                case Kind::least:
                    product *=
                        std::min(value, value_of(config, *factor.second) / factor.divisor);
                    break;
            }
        }
        sum += product;
    }
    return power_ ? std::exp(sum) : sum;
}

}  // namespace macrame::explore
