#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "network/report/drawing.hpp"
#include "network/report/parts.hpp"

namespace macrame::network::report {

namespace {

// A row for each input, operator and output; boxes below each other, what skips rows at their left.
constexpr double kRow = 54, kBox = 36, kBoxWidth = 250, kLane = 14, kGraphTop = 10;

/// Values that go from the box of a row to that of another.
struct Edge {
    int from = 0, to = 0;
    int lane = -1;  ///< at the left; none where the rows are neighbours
};

struct Row {
    int node = -1;  ///< -1: an input or output of the network
    std::string title, note;
    std::string_view style;
    graph::TensorId tensor = graph::kNone;  ///< that it makes
};

class Picture {
public:
    explicit Picture(const ReportInput& input) : graph_(input.network.graph) {
        make_rows(input.network.compiled);
        make_edges();
        choose_lanes();
    }

    std::string draw() {
        left_ = 10 + kLane * lanes_;
        for (const Edge& edge : edges_)
            draw_edge(edge);
        double width = left_ + kBoxWidth;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            width = std::max(width, draw_row(i));
        const int height = static_cast<int>(kGraphTop + kRow * static_cast<double>(rows_.size()));
        const int whole = static_cast<int>(width) + 12;
        return drawing_.finish(whole, height, "Graph of the network", std::min(whole, 620));
    }

private:
    static double y_of(int row) { return kGraphTop + kRow * row; }

    void add_row(Row row) {
        if (row.tensor != graph::kNone) made_by_[row.tensor] = static_cast<int>(rows_.size());
        rows_.push_back(std::move(row));
    }

    void make_rows(const compiler::Compiled& made) {
        for (const graph::TensorId id : graph_.inputs)
            add_row({-1, "input", graph_.tensor(id).name, "edgebox", id});
        std::map<int, int> runs;
        std::map<int, std::vector<std::string>> units;
        for (const compiler::LayerReport& layer : made.layers) {
            ++runs[layer.node];
            std::vector<std::string>& list = units[layer.node];
            for (const compiler::UnitUse& use : layer.units)
                if (std::find(list.begin(), list.end(), use.unit) == list.end())
                    list.push_back(use.unit);
        }
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const int node = static_cast<int>(i);
            Row row{node, node_text(graph_, node), "no work of its own", "edgebox",
                    graph_.nodes[i].outputs.front()};
            if (runs.count(node) != 0) {
                row.note = fmt::format("{}: {} run{}", fmt::join(units[node], ", "), runs[node],
                                       runs[node] == 1 ? "" : "s");
                row.style = colour(units[node].front());
            } else if (made.on_host(node)) {
                row.note = "host";
                row.style = "other";
            }
            add_row(std::move(row));
            for (const graph::TensorId id : graph_.nodes[i].outputs)
                made_by_[id] = static_cast<int>(rows_.size()) - 1;
        }
        for (const graph::TensorId id : graph_.outputs)
            rows_.push_back({-1, "output", graph_.tensor(id).name, "edgebox", graph::kNone});
    }

    void add_edge(graph::TensorId id, int to) {
        const auto found = made_by_.find(id);
        if (found != made_by_.end() && found->second < to)
            edges_.push_back({found->second, to, -1});
    }

    void make_edges() {
        const int first = static_cast<int>(graph_.inputs.size());
        const int count = static_cast<int>(graph_.nodes.size());
        for (int i = 0; i < count; ++i) {
            std::set<graph::TensorId> seen;
            for (const graph::TensorId id : graph_.nodes[static_cast<std::size_t>(i)].inputs)
                if (seen.insert(id).second) add_edge(id, first + i);
        }
        for (std::size_t i = 0; i < graph_.outputs.size(); ++i)
            add_edge(graph_.outputs[i], first + count + static_cast<int>(i));
    }

    /// The innermost lane that is free between both rows.
    void choose_lanes() {
        std::vector<int> busy_until;
        for (Edge& edge : edges_) {
            if (edge.to == edge.from + 1) continue;
            std::size_t lane = 0;
            while (lane < busy_until.size() && busy_until[lane] > edge.from)
                ++lane;
            if (lane == busy_until.size()) busy_until.push_back(0);
            busy_until[lane] = edge.to;
            edge.lane = static_cast<int>(lane);
        }
        lanes_ = static_cast<int>(busy_until.size());
    }

    void draw_edge(const Edge& edge) {
        if (edge.lane < 0) {
            const double x = left_ + 40;
            drawing_.line(x, y_of(edge.from) + kBox, x, y_of(edge.to) - 1, "wire");
            arrow(x, y_of(edge.to), false);
            return;
        }
        const double x = left_ - kLane * (edge.lane + 1) + 2;
        const double from = y_of(edge.from) + kBox * 0.75, to = y_of(edge.to) + kBox * 0.3;
        drawing_.path({{left_, from}, {x, from}, {x, to}, {left_ - 1, to}}, "wire");
        arrow(left_, to, true);
    }

    void arrow(double x, double y, bool right) {
        if (right) {
            drawing_.path({{x - 5, y - 3.5}, {x, y}, {x - 5, y + 3.5}}, "wire");
        } else {
            drawing_.path({{x - 3.5, y - 5}, {x, y}, {x + 3.5, y - 5}}, "wire");
        }
    }

    /// Where the row ends at the right.
    double draw_row(std::size_t index) {
        const Row& row = rows_[index];
        const double y = y_of(static_cast<int>(index));
        drawing_.rect(left_, y, kBoxWidth, kBox, "box");
        drawing_.rect(left_, y, 6, kBox, row.style);
        drawing_.text(left_ + 14, y + 15, row.title, "t b");
        drawing_.text(left_ + 14, y + 29, shortened(row.note, kBoxWidth - 20), "t d");
        if (row.tensor == graph::kNone) return left_ + kBoxWidth;
        const graph::Tensor& tensor = graph_.tensor(row.tensor);
        const std::string shape =
            fmt::format("{} {}", shape_text(tensor), graph::name_of(tensor.type));
        const graph::Quantisation& q = tensor.quantisation;
        std::string scale;
        if (!q.scale.empty())
            scale = fmt::format("scale {:.6g}, zero {}", q.scale[0],
                                q.zero_point.empty() ? 0 : q.zero_point[0]);
        const double x = left_ + kBoxWidth + 12;
        drawing_.text(x, y + 15, shape);
        drawing_.text(x, y + 29, scale, "t d");
        return x + std::max(Drawing::text_width(shape), Drawing::text_width(scale));
    }

    static std::string shortened(const std::string& text, double width) {
        if (Drawing::text_width(text) <= width) return text;
        std::size_t keep = text.size();
        while (keep > 1 && Drawing::text_width(text.substr(0, keep)) + 12 > width)
            --keep;
        return text.substr(0, keep) + "...";
    }

    const graph::Graph& graph_;
    std::vector<Row> rows_;
    std::map<graph::TensorId, int> made_by_;  ///< rows
    std::vector<Edge> edges_;
    int lanes_ = 0;
    double left_ = 0;
    Drawing drawing_;
};

}  // namespace

std::string graph_section(const ReportInput& input) {
    return "<section id=\"graph\"><h2>Graph</h2>\n<p>Each operator, what it runs on, and the "
           "tensor "
           "that it makes.</p>\n<div class=\"tall\">\n" +
           Picture(input).draw() + "</div>\n</section>\n";
}

}  // namespace macrame::network::report
