#include "compiler/systolic/steps.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "compiler/graph/at.hpp"

namespace macrame::systolic::compiler {

namespace {

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
        const Group own = plan_.filters_of(filters), read = plan_.channels_of(channels);
        for (int m = own.first; m < own.end; ++m)
            for (int c = read.first; c < read.end; ++c)
                if (plan_.meet(m, c)) return true;
        return false;
    }

    /// All products of a tile for a group of filters.
    void add_sums(int tile, int filters) {
        std::vector<Step> own;
        for (int c = 0; c < plan_.channel_groups(); ++c) {
            if (!meets(filters, c)) continue;
            for (int image = 0; image < static_cast<int>(tiling_.cover.size()); ++image) {
                const int folds = static_cast<int>(tiling_.cover[at(image)].folds.size());
                for (int part = 0; part < ceil_div(folds, tiling_.folds); ++part)
                    own.push_back({tile, filters, c, image, part, false});
            }
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
