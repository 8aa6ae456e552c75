#include "../sweep.hpp"

#include "support.hpp"

namespace macrame::tcu {
namespace {

const std::vector<sweep::Line>& lines() {
    static const std::vector<sweep::Line> kLines = sweep::lines_of("tcu");
    return kLines;
}

TEST(TcuSweep, EveryConfigurationIsLegalAndNoneIsThereTwice) {
    sweep::expect_legal_and_different(lines());
}

TEST(TcuSweep, IsLargeEnough) {
    EXPECT_GE(lines().size(), 40u);
    EXPECT_GE(std::count_if(lines().begin(), lines().end(),
                            [](const sweep::Line& line) { return line.random; }),
              18);
}

TEST(TcuSweep, HasEveryPreset) { sweep::expect_every_preset(lines()); }

TEST(TcuSweep, HasEveryValueOfWhatIsBuilt) {
    // Refused, or so large that tools take hours.
    const std::set<std::string> others = {"data_type = FLOAT32", "number_of_threads = 2",
                                          "array_size = 256"};
    for (const Param& param : params()) {
        for (const std::string& value : sweep::values_to_see(param)) {
            if (others.count(std::string(param.key) + " = " + value) == 0)
                sweep::expect_value(lines(), param, value);
        }
    }
}

TEST(TcuSweep, EveryVerilogFileBeginsAlike) { sweep::expect_alike_beginnings(lines()); }

}  // namespace
}  // namespace macrame::tcu
