#include <fmt/format.h>

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

}  // namespace

Formula Formula::read(const std::string& json, const Family& family) {
    const nlohmann::json data = nlohmann::json::parse(json);
    Formula out;
    out.power_ = data.value("log", false);
    out.error_ = data.value("error", 0.0);
    for (const nlohmann::json& row : data.at("terms")) {
        Term term{row.at(0).get<double>(), {}};
        for (std::size_t i = 1; i < row.size(); ++i) {
            const std::string text = row[i].get<std::string>();
            const std::size_t blank = text.find(' ');
            const std::string word = blank == std::string::npos ? "" : text.substr(0, blank);
            const std::string rest = text.substr(blank + 1);
            const std::size_t second = rest.find(' ');
            if (word.empty())
                term.factors.push_back({Kind::value, number_param(family, text), nullptr});
            else if (word == "log")
                term.factors.push_back({Kind::log, number_param(family, rest), nullptr});
            else if (word == "rams" && second != std::string::npos)
                term.factors.push_back({Kind::rams, number_param(family, rest.substr(0, second)),
                                        number_param(family, rest.substr(second + 1))});
            else
                throw std::runtime_error(
                    fmt::format("{}: want KEY, log KEY or rams BYTES DEPTH", text));
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
                                                std::llround(value_of(config, *factor.depth)),
                                                fpga::kHalfRamb36);
                    break;
            }
        }
        sum += product;
    }
    return power_ ? std::exp(sum) : sum;
}

}  // namespace macrame::explore
