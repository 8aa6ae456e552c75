#include "emit/diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "emit/names.hpp"
#include "emit/structure.hpp"
#include "emit/svg.hpp"
#include "emit/units.hpp"

namespace macrame::emit {

namespace {

// Pixels.
constexpr int kMargin = 20;
constexpr int kColumn = 440;  // width of the boxes in the middle
constexpr int kEdge = 170;    // width of a box at an edge
constexpr int kEdgeGap = 16;  // between two of these
constexpr int kPad = 10;      // text in a box
constexpr int kName = 14;     // font sizes
constexpr int kText = 11;
constexpr int kLine = 14;   // height of a line of text
constexpr int kSlot = 18;   // between two lines that end at a box
constexpr int kTrack = 12;  // between two lines beside the boxes
constexpr int kRail = 28;   // bus of an edge unit: from the inner side of its box
constexpr int kHead = 16;   // heads of arrows and air

constexpr std::string_view kBox = "#f4f6fa";
constexpr std::string_view kEdgeBox = "#e4ebf7";
constexpr std::string_view kInk = "#333";
constexpr std::string_view kColours[] = {"#2060b0", "#c06010", "#207050", "#8040a0", "#a02040"};

std::vector<std::string> wrapped(std::string_view text, int width) {
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string word(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (!lines.back().empty() && Svg::text_width(longer, kText) > width) {
            lines.push_back(word);
        } else {
            lines.back() = longer;
        }
    }
    return lines;
}

/// "sdp2pdp" of the signal sdp2pdp_valid; the name itself if it is none of a link. A unit in
/// `nodes` has a name that may be longer than a word.
std::string link_name(const std::string& net, const std::vector<Node>& nodes = {}) {
    const std::size_t two = net.find('2');
    if (two == net.npos) return net;
    std::size_t end = std::min(net.find('_', two), net.size());
    for (const Node& node : nodes) {
        for (const std::string& name : node.names) {
            if (net.compare(two + 1, name.size() + 1, name + "_") == 0)
                end = std::max(end, two + 1 + name.size());
        }
    }
    return net.substr(0, end);
}

std::vector<std::string> link_names(const std::vector<std::string>& nets,
                                    const std::vector<Node>& nodes) {
    std::vector<std::string> names;
    for (const std::string& net : nets) {
        const std::string name = link_name(net, nodes);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names;
}

/// Channels of a unit to a memory unit: "rd: sdp, sdp_b  wr: pdp" of sdp2mcif_rd_req_valid ...
std::string channels(const std::vector<std::string>& nets) {
    std::map<std::string, std::vector<std::string>> clients;  // by what they do
    for (const std::string& net : nets) {
        const std::size_t two = net.find('2');
        const std::size_t what = two == net.npos ? net.npos : net.find('_', two);
        if (what == net.npos || net.find("_req_", what) == net.npos) continue;
        auto& list = clients[net.substr(what + 1, net.find('_', what + 1) - what - 1)];
        const std::string client = net.substr(0, two);
        if (std::find(list.begin(), list.end(), client) == list.end()) list.push_back(client);
    }
    std::string text;
    for (const auto& [what, list] : clients)
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, fmt::join(list, ", "));
    return text;
}

/// "m_axi" of a port with the interface "xilinx.com:interface:aximm:1.0 m_axi AWADDR".
std::string bus_name(const Port& port) {
    const std::size_t begin = port.interface.find(' ');
    if (begin == port.interface.npos) return "";
    return port.interface.substr(begin + 1, port.interface.rfind(' ') - begin - 1);
}

struct Box {
    int x = 0, y = 0, width = 0, height = 0;
    std::vector<std::string> doc;
    int left = 0, right = 0;  ///< lines that end at the sides, counted while they are drawn
    int lefts = 0, rights = 0;
    int rail = 0;  ///< of an edge unit: x of its bus

    int slot(int used, int all) const { return y + height * (used + 1) / (all + 1); }
    int next_left() { return slot(left++, lefts); }
    int next_right() { return slot(right++, rights); }
};

/// Computes where everything is, then draws it.
class Diagram {
public:
    Diagram(const Design& design, Structure structure)
        : design_(design),
          nodes_(std::move(structure.nodes)),
          links_(std::move(structure.links)),
          boxes_(nodes_.size()) {}

    std::string draw() {
        sort_units();
        count_slots();
        place();
        draw_rails();
        for (const Link& link : links_)
            draw_link(link);
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            draw_box(i);
        draw_title();
        const int height = bottom_ + 2 * kMargin + kLine;
        svg_.text(kMargin, height - kMargin, kText,
                  "Signals between units are called <from>2<to>_<what>; widths are those of the "
                  "widest one. Clocks and resets are not drawn.",
                  "#777");
        return svg_.finish(width_, height, fmt::format("Block diagram of {}", top()));
    }

private:
    using Indices = std::vector<std::size_t>;

    std::string top() const { return emitted_name(design_, module_name(design_.family, "top")); }

    Place place_of(std::size_t node) const { return nodes_[node].unit->place; }
    bool at_edge(std::size_t node) const { return place_of(node) != Place::middle; }

    /// Position in the column; links between neighbours there are arrows between the boxes.
    int row(std::size_t node) const {
        const auto at = std::find(middle_.begin(), middle_.end(), node);
        return static_cast<int>(at - middle_.begin());
    }

    bool adjacent(const Link& link) const {
        return !at_edge(link.a) && !at_edge(link.b) && std::abs(row(link.a) - row(link.b)) == 1;
    }

    void sort_units() {
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            Indices& list = place_of(i) == Place::middle    ? middle_
                            : place_of(i) == Place::control ? control_
                                                            : memory_;
            list.push_back(i);
        }
        // The control unit with most links is the outer one: nothing crosses its bus.
        const auto degree = [this](std::size_t node) {
            return std::count_if(links_.begin(), links_.end(), [node](const Link& link) {
                return link.a == node || link.b == node;
            });
        };
        std::stable_sort(control_.begin(), control_.end(),
                         [&](std::size_t a, std::size_t b) { return degree(a) > degree(b); });
    }

    void count_slots() {
        for (const Link& link : links_) {
            if (at_edge(link.a) && at_edge(link.b)) continue;
            if (at_edge(link.a) || at_edge(link.b)) {
                const std::size_t edge = at_edge(link.a) ? link.a : link.b;
                Box& box = boxes_[at_edge(link.a) ? link.b : link.a];
                ++(place_of(edge) == Place::control ? box.lefts : box.rights);
                if (place_of(edge) == Place::memory)
                    labels_ = std::max(labels_, Svg::text_width(channels(link.nets), kText));
            } else if (!adjacent(link)) {
                ++boxes_[link.a].rights;
                ++boxes_[link.b].rights;
                ++tracks_;
            }
        }
    }

    void place() {
        const auto edges = [](const Indices& list) {
            return static_cast<int>(list.size()) * (kEdge + kEdgeGap);
        };
        column_x_ = kMargin + edges(control_) + kHead;
        first_track_ = column_x_ + kColumn + kHead;
        const int memory_x = first_track_ + tracks_ * kTrack + labels_ + 2 * kHead;
        width_ = memory_x + std::max(edges(memory_) - kEdgeGap, 0) + kMargin;
        int height = 0;
        for (std::size_t i = 0; i < control_.size(); ++i) {
            Box& box = boxes_[control_[i]];
            box.x = kMargin + static_cast<int>(i) * (kEdge + kEdgeGap);
            box.rail = box.x + kEdge - kRail;
            height = std::max(height, size_edge(control_[i]));
        }
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            Box& box = boxes_[memory_[i]];
            box.x = memory_x + static_cast<int>(i) * (kEdge + kEdgeGap);
            box.rail = box.x + kRail;
            height = std::max(height, size_edge(memory_[i]));
        }
        const int edge_y = 2 * kMargin + 2 * kName + pin_lines_ * kLine + 2 * kHead;
        for (const Indices* list : {&control_, &memory_}) {
            for (const std::size_t node : *list) {
                boxes_[node].y = edge_y;
                boxes_[node].height = height;
            }
        }
        bus_y_ = edge_y + height + kHead;
        place_column(control_.empty() && memory_.empty()
                         ? edge_y
                         : bus_y_ + static_cast<int>(control_.size()) * kTrack + kHead);
    }

    /// Wraps the text of a box at an edge; returns the height that it needs.
    int size_edge(std::size_t node) {
        Box& box = boxes_[node];
        box.width = kEdge;
        box.doc = wrapped(nodes_[node].unit->doc, kEdge - 2 * kPad);
        pin_lines_ = std::max(pin_lines_, static_cast<int>(pin_text(nodes_[node]).size()));
        return kName + static_cast<int>(box.doc.size()) * kLine + 2 * kPad;
    }

    void place_column(int y) {
        for (const std::size_t node : middle_) {
            Box& box = boxes_[node];
            box.x = column_x_;
            box.y = y;
            box.width = kColumn;
            box.doc = wrapped(nodes_[node].unit->doc, kColumn - 2 * kPad);
            const int text = kName + static_cast<int>(box.doc.size()) * kLine + 2 * kPad;
            box.height = std::max(text, (std::max(box.lefts, box.rights) + 1) * kSlot);
            const bool linked = std::any_of(links_.begin(), links_.end(), [&](const Link& link) {
                return link.a == node && adjacent(link);
            });
            y += box.height + (linked ? 2 * kHead : kHead) + copies_offset(node);
        }
        bottom_ = y - kHead;
        for (const Indices* list : {&control_, &memory_}) {
            for (const std::size_t node : *list)
                bottom_ = std::max(bottom_, boxes_[node].y + boxes_[node].height);
        }
    }

    int copies_offset(std::size_t node) const { return nodes_[node].names.size() > 1 ? 4 : 0; }

    /// What stands above a box at an edge about the ports of the design.
    static std::vector<std::string> pin_text(const Node& node) {
        std::vector<std::string> lines;
        for (const PortGroup& group : node.pins) {
            std::vector<std::string> names;
            int bits = 0;
            for (const Port& port : group.ports) {
                bits = std::max(bits, port.bits);
                const std::string bus = bus_name(port);
                const std::string name = bus.empty() ? link_name(port.name) : bus;
                const std::string text = name == port.name ? name : name + "_*";
                if (std::find(names.begin(), names.end(), text) == names.end())
                    names.push_back(text);
            }
            for (const std::string& name : names)
                lines.push_back(name);
            if (bits > 1) lines.back() += fmt::format(", {} bits", bits);
        }
        return lines;
    }

    std::string_view colour(std::size_t edge) const {
        const auto at = std::find(control_.begin(), control_.end(), edge);
        const std::size_t index =
            at != control_.end()
                ? static_cast<std::size_t>(at - control_.begin())
                : control_.size() +
                      static_cast<std::size_t>(std::find(memory_.begin(), memory_.end(), edge) -
                                               memory_.begin());
        return kColours[index % std::size(kColours)];
    }

    /// The last line that ends at the bus of an edge unit is its end.
    void draw_rails() {
        for (const Link& link : links_) {
            for (const auto& [edge, other] : {std::pair(link.a, link.b), {link.b, link.a}}) {
                if (!at_edge(edge) || at_edge(other)) continue;
                const Box& box = boxes_[other];
                int& end = rail_end_[edge];
                end = std::max(end, box.y + box.height);
            }
        }
        for (const auto& [edge, end] : rail_end_) {
            const Box& box = boxes_[edge];
            svg_.line({{box.rail, box.y + box.height}, {box.rail, end}}, colour(edge), 4);
        }
    }

    void draw_link(const Link& link) {
        if (at_edge(link.a) && at_edge(link.b)) return draw_bus(link);
        if (at_edge(link.a)) return draw_tap(link, link.a, link.b, link.to_a, link.to_b);
        if (at_edge(link.b)) return draw_tap(link, link.b, link.a, link.to_b, link.to_a);
        if (adjacent(link)) return draw_arrow(link);
        draw_track(link);
    }

    static std::string title(const Link& link) {
        return fmt::format("{}", fmt::join(link.nets, " "));
    }

    void arrow(const std::vector<Point>& points, std::string_view ink, bool to_begin, bool to_end,
               const std::string& title) {
        svg_.line(points, ink, 2, title);
        if (to_begin) svg_.head(points[1], points.front(), ink);
        if (to_end) svg_.head(points[points.size() - 2], points.back(), ink);
    }

    /// From the bus of an edge unit to a box of the column.
    void draw_tap(const Link& link, std::size_t edge, std::size_t node, bool to_edge,
                  bool to_node) {
        Box& box = boxes_[node];
        const bool left = place_of(edge) == Place::control;
        const int y = left ? box.next_left() : box.next_right();
        const int x = left ? box.x : box.x + box.width;
        const int rail = boxes_[edge].rail + (left ? 2 : -2);
        arrow({{rail, y}, {x, y}}, colour(edge), to_edge, to_node, title(link));
        if (left) return;
        const std::string label = channels(link.nets);
        if (label.empty()) return;
        svg_.text(first_track_ + tracks_ * kTrack + kHead / 2, y - 4, kText, label);
    }

    /// From the bus of an edge unit to another edge unit, below the boxes.
    void draw_bus(const Link& link) {
        const auto rank = [this](std::size_t node) {
            return std::find(control_.begin(), control_.end(), node) - control_.begin();
        };
        const bool from_a = rank(link.a) < rank(link.b);
        const std::size_t from = from_a ? link.a : link.b;
        const std::size_t to = from_a ? link.b : link.a;
        const int y = bus_y_ + static_cast<int>(rank(from)) * kTrack;
        const Box& target = boxes_[to];
        const int x = target.x + (place_of(to) == Place::control ? kRail : kEdge - kRail);
        const int bottom = target.y + target.height;
        arrow({{boxes_[from].rail, y}, {x, y}, {x, bottom}}, colour(from), false, true,
              title(link));
    }

    /// Between two boxes that are neighbours in the column.
    void draw_arrow(const Link& link) {
        const bool down = row(link.a) < row(link.b);
        const Box& above = boxes_[down ? link.a : link.b];
        const Box& below = boxes_[down ? link.b : link.a];
        const int x = column_x_ + kColumn / 4;
        const int y = above.y + above.height + copies_offset(down ? link.a : link.b);
        arrow({{x, y}, {x, below.y}}, kInk, down ? link.to_a : link.to_b,
              down ? link.to_b : link.to_a, title(link));
        svg_.text(x + kHead, (y + below.y) / 2 + 4, kText,
                  fmt::format("{}, {} bit{}", fmt::join(link_names(link.nets, nodes_), ", "),
                              link.bits, link.bits == 1 ? "" : "s"));
    }

    /// Between two boxes with others between them, beside the column.
    void draw_track(const Link& link) {
        const int x = first_track_ + used_tracks_++ * kTrack;
        Box& a = boxes_[link.a];
        Box& b = boxes_[link.b];
        const int from = a.next_right(), to = b.next_right();
        arrow({{a.x + a.width, from}, {x, from}, {x, to}, {b.x + b.width, to}}, kInk, link.to_a,
              link.to_b, title(link));
    }

    void draw_box(std::size_t node) {
        const Box& box = boxes_[node];
        const std::string_view fill = at_edge(node) ? kEdgeBox : kBox;
        if (const int offset = copies_offset(node); offset != 0)
            svg_.box(box.x + offset, box.y + offset, box.width, box.height, fill);
        svg_.box(box.x, box.y, box.width, box.height, fill);
        const int text = kName + static_cast<int>(box.doc.size()) * kLine;
        int y = box.y + (box.height - text) / 2 + kName - 3;
        svg_.bold(box.x + kPad, y, kName, fmt::format("{}", fmt::join(nodes_[node].names, ", ")));
        for (const std::string& line : box.doc)
            svg_.text(box.x + kPad, y += kLine, kText, line);
        draw_pins(node);
    }

    /// The ports of the design that a box at an edge has, above it.
    void draw_pins(std::size_t node) {
        const std::vector<std::string> lines = pin_text(nodes_[node]);
        if (lines.empty() || !at_edge(node)) return;
        const Box& box = boxes_[node];
        int y = box.y - 2 * kHead - static_cast<int>(lines.size()) * kLine + kLine - 3;
        for (const std::string& line : lines) {
            svg_.text(box.x + kPad, y, kText, line);
            y += kLine;
        }
        bool in = false, out = false;
        for (const PortGroup& group : nodes_[node].pins) {
            for (const Port& port : group.ports)
                (port.is_output ? out : in) = true;
        }
        const int x = box.x + kEdge / 2;
        arrow({{x, box.y - 2 * kHead + 4}, {x, box.y}}, kInk, out, in, "");
    }

    void draw_title() {
        svg_.bold(kMargin, kMargin + kName, kName + 2, top());
        svg_.text(kMargin, kMargin + 2 * kName + 4, kText + 1,
                  fmt::format("{}: {}", design_.name, design_.family.size_text(design_.config)));
    }

    const Design& design_;
    std::vector<Node> nodes_;
    std::vector<Link> links_;
    std::vector<Box> boxes_;
    Indices middle_, control_, memory_;
    std::map<std::size_t, int> rail_end_;
    int labels_ = 0;  ///< width of the widest label at a memory bus
    int tracks_ = 0;  ///< links beside the column
    int used_tracks_ = 0;
    int pin_lines_ = 0;
    int column_x_ = 0, first_track_ = 0, bus_y_ = 0, width_ = 0, bottom_ = 0;
    Svg svg_;
};

}  // namespace

std::string block_diagram(const Design& design, const OutputSet& set) {
    const Structure structure = structure_of(design, set);
    return structure.nodes.empty() ? "" : Diagram(design, structure).draw();
}

}  // namespace macrame::emit
