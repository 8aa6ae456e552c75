#include "compiler/systolic/steps.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace macrame::systolic::compiler {

namespace {

std::size_t at(int value) { return static_cast<std::size_t>(value); }

/// 0, 1, ... or back.
template <typename Visit>
void each(int count, bool back, const Visit& visit) {
    for (int i = 0; i < count; ++i)
        visit(back ? count - 1 - i : i);
}

class Order {
public:
    explicit Order(const Plan& plan) : plan_(plan), tiling_(plan.tiling()) {}

    std::vector<Step> steps() {
        const int outer = tiling_.filters_outside ? plan_.filter_groups() : plan_.tiles();
        const int inner = tiling_.filters_outside ? plan_.tiles() : plan_.filter_groups();
        bool back = false;
        for (int i = 0; i < outer; ++i) {
            each(inner, back, [&](int j) {
                if (tiling_.filters_outside)
                    add_sums(j, i);
                else
                    add_sums(i, j);
            });
            back = tiling_.snake && !back;
        }
        return std::move(steps_);
    }

private:
    bool meets(int filters, int channels) const {
        const int first = filters * tiling_.filter_folds;
        const int end = std::min(first + tiling_.filter_folds, plan_.filter_folds());
        for (int m = first; m < end; ++m)
            if (plan_.meet(m, channels)) return true;
        return false;
    }

    /// All products of a tile for a group of filters.
    void add_sums(int tile, int filters) {
        std::vector<Step> own;
        const auto for_parts = [&](const auto& visit) {
            for (int image = 0; image < static_cast<int>(tiling_.cover.size()); ++image) {
                const int folds = static_cast<int>(tiling_.cover[at(image)].folds.size());
                for (int part = 0; part < ceil_div(folds, tiling_.folds); ++part)
                    visit(image, part);
            }
        };
        const auto for_channels = [&](const auto& visit) {
            for (int c = 0; c < plan_.channel_folds(); ++c)
                if (meets(filters, c)) visit(c);
        };
        if (tiling_.taps_outside) {
            for_parts([&](int image, int part) {
                for_channels([&](int c) { own.push_back({tile, filters, c, image, part, false}); });
            });
        } else {
            for_channels([&](int c) {
                for_parts([&](int image, int part) {
                    own.push_back({tile, filters, c, image, part, false});
                });
            });
        }
        if (back_) std::reverse(own.begin(), own.end());
        back_ = tiling_.snake && !back_;
        own.back().last = true;
        steps_.insert(steps_.end(), own.begin(), own.end());
    }

    const Plan& plan_;
    const Tiling& tiling_;
    std::vector<Step> steps_;
    bool back_ = false;
};

}  // namespace

std::vector<Step> steps(const Plan& plan) { return Order(plan).steps(); }

}  // namespace macrame::systolic::compiler
