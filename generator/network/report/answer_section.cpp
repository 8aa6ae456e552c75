#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstddef>

#include "network/files/picture.hpp"
#include "network/report/parts.hpp"
#include "text/xml.hpp"

namespace macrame::network::report {

namespace {

using text::xml_escaped;

std::string base64(const std::string& bytes) {
    std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                       reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<int>(bytes.size()));
    out.resize(static_cast<std::size_t>(length));
    return out;
}

/// The first input as a picture, if it is one or a map of values: elements from dark to light.
Picture picture_of(const Network& network, const Input& input) {
    const graph::Tensor& tensor = network.graph.tensor(network.graph.inputs.front());
    const std::optional<PictureShape> shape = picture_shape(tensor);
    Picture out;
    if (!shape || shape->width < 2 || shape->height < 2 || graph::size_of(tensor.type) != 1)
        return out;
    out.width = shape->width;
    out.height = shape->height;
    const int flip = tensor.type == graph::Type::int8 ? 128 : 0;
    const std::size_t pixels =
        static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height);
    const auto channels = static_cast<std::size_t>(shape->channels);
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t channel = channels == 1 ? 0 : c;
            const std::size_t at =
                shape->planes ? channel * pixels + pixel : pixel * channels + channel;
            out.rgb.push_back(static_cast<std::uint8_t>(input.tensors.front()[at] ^ flip));
        }
    }
    return out;
}

/// The longer side becomes `size` times the letters' height.
std::string image(const ReportInput& input, const Answered& answered, double size) {
    const Picture picture = picture_of(input.network, answered.input);
    if (picture.rgb.empty()) return "";
    const double scale = size / std::max(picture.width, picture.height);
    return fmt::format(
        "<img alt=\"{}\" style=\"width:{:.2f}rem;height:{:.2f}rem\" "
        "src=\"data:image/png;base64,{}\">\n",
        xml_escaped(answered.input.name), scale * picture.width, scale * picture.height,
        base64(write_png(picture)));
}

std::string class_text(const ReportInput& input, int index) {
    return xml_escaped(input.classes == nullptr ? fmt::to_string(index)
                                                : input.classes->text(index));
}

std::string verdict(const Answered& answered) {
    if (!answered.label || !answered.answer) return "";
    return answered.answer->ranking.front() == *answered.label ? "right" : "wrong";
}

/// The best classes with bars.
std::string bars(const ReportInput& input, const Answer& answer) {
    constexpr std::size_t kShown = 5;
    const double best = answer.values[static_cast<std::size_t>(answer.ranking.front())];
    std::string out = "<table class=\"bars\">\n";
    for (std::size_t i = 0; i < std::min(kShown, answer.ranking.size()); ++i) {
        const int index = answer.ranking[i];
        const double value = answer.values[static_cast<std::size_t>(index)];
        const double part = answer.probabilities ? value
                            : best > 0           ? std::max(0.0, value / best)
                                                 : 0.0;
        out += fmt::format(
            "<tr><th>{}</th><td class=\"bar\"><i style=\"width:{:.1f}%\"></i></td><td "
            "class=\"n\">{}</td></tr>\n",
            class_text(input, index), 100 * std::min(1.0, part), answer.value_text(index));
    }
    return out + "</table>\n";
}

std::string one(const ReportInput& input, const Answered& answered) {
    std::string out = "<div class=\"answer\">\n" + image(input, answered, 14);
    out += "<div>\n";
    if (answered.answer) {
        out += fmt::format("<p class=\"big\">{}</p>\n",
                           class_text(input, answered.answer->ranking.front()));
        out += bars(input, *answered.answer);
    } else {
        out += "<p>The output is no vector of classes; --output writes it to a file.</p>\n";
    }
    out += fmt::format("<p class=\"dim\">{}", xml_escaped(answered.input.name));
    if (answered.label)
        out +=
            fmt::format(", labelled {}: {}", class_text(input, *answered.label), verdict(answered));
    return out + "</p>\n</div>\n</div>\n";
}

std::string several(const ReportInput& input) {
    std::string out = "<div class=\"gallery\">\n";
    for (const Answered& answered : input.answers) {
        out += "<figure>" + image(input, answered, 6) + "<figcaption>";
        if (answered.answer) {
            const int best = answered.answer->ranking.front();
            out += fmt::format("<b>{}</b> {}<br>", class_text(input, best),
                               answered.answer->value_text(best));
        }
        out += fmt::format("<span class=\"dim\">{}</span>", xml_escaped(answered.input.name));
        const std::string said = verdict(answered);
        if (!said.empty()) out += fmt::format(" <span class=\"{0}\">{0}</span>", said);
        out += "</figcaption></figure>\n";
    }
    return out + "</div>\n";
}

}  // namespace

std::string answer_section(const ReportInput& input) {
    if (input.answers.empty()) return "";
    std::string out = "<section id=\"answer\"><h2>Answer</h2>\n";
    if (input.inputs == 1) return out + one(input, input.answers.front()) + "</section>\n";
    if (input.accuracy.known > 0)
        out += fmt::format("<p class=\"big\">{}</p>\n", xml_escaped(input.accuracy.text()));
    if (input.answers.size() < input.inputs)
        out += fmt::format("<p>The first {} of {} inputs:</p>\n", input.answers.size(),
                           number(input.inputs));
    return out + several(input) + "</section>\n";
}

}  // namespace macrame::network::report
