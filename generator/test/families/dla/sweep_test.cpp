#include "../sweep.hpp"

#include "support.hpp"

namespace macrame::dla {
namespace {

const std::vector<sweep::Line>& lines() {
    static const std::vector<sweep::Line> kLines = sweep::lines_of("dla");
    return kLines;
}

TEST(Sweep, EveryConfigurationIsLegalAndNoneIsThereTwice) {
    sweep::expect_legal_and_different(lines());
}

TEST(Sweep, IsLargeEnough) {
    std::size_t custom = 0;
    std::size_t random = 0;
    for (const sweep::Line& line : lines()) {
        custom += line.text.rfind("--preset", 0) != 0 || line.text.find(' ', 9) != line.text.npos;
        random += line.random;
    }
    EXPECT_GE(custom, 60u);
    EXPECT_GE(random, 20u);
}

TEST(Sweep, HasEveryPreset) { sweep::expect_every_preset(lines()); }

TEST(Sweep, HasEveryValueOfWhatIsBuilt) {
    const std::set<std::string_view> others = {"num_dma_read_clients", "num_dma_write_clients"};
    for (const Param& param : params()) {
        if (others.count(param.key) != 0) continue;
        for (const std::string& value : sweep::values_to_see(param))
            sweep::expect_value(lines(), param, value);
    }
}

TEST(Sweep, EveryVerilogFileButTheTopIsInstantiated) { sweep::expect_all_instantiated(lines()); }

TEST(Sweep, EveryVerilogFileBeginsAlike) { sweep::expect_alike_beginnings(lines()); }

}  // namespace
}  // namespace macrame::dla
