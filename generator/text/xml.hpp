#pragma once
/// A writer of indented XML.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrame::text {

/// The text with the four characters replaced that mean something in XML and HTML.
std::string xml_escaped(std::string_view text);

class Xml {
public:
    /// `prefix` goes before all tags: "ipxact:".
    explicit Xml(std::string prefix) : prefix_(std::move(prefix)) {}

    /// An element with elements in it, until close(). Attributes as they are written.
    void open(std::string_view tag, std::string_view attributes = "");
    void close();
    /// An element with a text, or nothing, in it.
    void leaf(std::string_view tag, std::string_view text, std::string_view attributes = "");
    void empty(std::string_view tag, std::string_view attributes = "");

    /// The document, once all elements are closed.
    std::string finish() const;

private:
    /// "    <ipxact:tag attributes"
    void begin(std::string_view tag, std::string_view attributes);

    std::string prefix_;
    std::string body_;
    std::vector<std::string> open_;  ///< tags
};

}  // namespace macrame::text
