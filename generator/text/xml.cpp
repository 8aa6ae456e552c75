#include "text/xml.hpp"

#include <cassert>

namespace macrame::text {

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

void Xml::begin(std::string_view tag, std::string_view attributes) {
    body_ += std::string(2 * open_.size(), ' ') + "<" + prefix_ + std::string(tag);
    if (!attributes.empty()) body_ += " " + std::string(attributes);
}

void Xml::open(std::string_view tag, std::string_view attributes) {
    begin(tag, attributes);
    body_ += ">\n";
    open_.emplace_back(tag);
}

void Xml::close() {
    assert(!open_.empty());
    const std::string tag = open_.back();
    open_.pop_back();
    body_ += std::string(2 * open_.size(), ' ') + "</" + prefix_ + tag + ">\n";
}

void Xml::leaf(std::string_view tag, std::string_view text, std::string_view attributes) {
    begin(tag, attributes);
    body_ += ">" + xml_escaped(text) + "</" + prefix_ + std::string(tag) + ">\n";
}

void Xml::empty(std::string_view tag, std::string_view attributes) {
    begin(tag, attributes);
    body_ += "/>\n";
}

std::string Xml::finish() const {
    assert(open_.empty());
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + body_;
}

}  // namespace macrame::text
