/// Reference timing of published programs, compute-only figures of published tools.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "verif/common/json.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/test/slides.hpp"
#include "verif/systolic/test/support.hpp"
#include "verif/systolic/timing/compute_only.hpp"
#include "verif/systolic/timing/reference.hpp"

namespace macrame::systolic {
namespace {

using timing::Timing;
using verif::text::decimal;

/// Begin and end of what a module does; folds of several taps as one.
std::string spans(const test::SlideProgram& p, Module module, std::size_t taps = 1) {
    const Timing timing = timing::reference_timing(p.architecture(), p.program());
    std::vector<timing::Span> list;
    for (std::size_t i = 0; i < p.program().size(); ++i)
        if (p.program()[i].module == module) list.push_back(timing.instructions[i]);
    std::string out;
    for (std::size_t i = 0; i < list.size(); i += taps) {
        out += (out.empty() ? "" : " ") + std::to_string(list[i].begin) + "-" +
               std::to_string(list[i + taps - 1].end);
    }
    return out;
}

void expect_end(const test::SlideProgram& p, std::int64_t end,
                const std::array<std::int64_t, kModuleCount>& busy = {}) {
    const Timing timing = timing::reference_timing(p.architecture(), p.program());
    EXPECT_TRUE(timing.complete);
    EXPECT_EQ(timing.end, end);
    if (busy[0] != 0) {
        EXPECT_EQ(timing.busy, busy);
    }
}

TEST(SystolicTiming, ExampleOne) {
    const auto fits = test::example1(false);
    expect_end(fits, 4568);
    EXPECT_EQ(spans(fits, Module::load), "0-1172 1172-1320 1320-1468");
    EXPECT_EQ(spans(fits, Module::gemm, 9), "1320-2742 2742-4164");
    EXPECT_EQ(spans(fits, Module::alu), "4164-4228 4228-4292");
    const auto small = test::example1(true);
    expect_end(small, 4716);
    EXPECT_EQ(spans(small, Module::load), "0-1172 1172-1320 2742-2890");
    EXPECT_EQ(spans(small, Module::gemm, 9), "1320-2742 2890-4312");
}

TEST(SystolicTiming, ExampleTwo) {
    const auto fits = test::example2();
    expect_end(fits, 4568);
    EXPECT_EQ(spans(fits, Module::store), "2870-3146 4292-4568");
    const auto small = test::example2_small(test::SmallBuffers::weights);
    expect_end(small, 4588);
    EXPECT_EQ(spans(small, Module::load), "0-596 596-744 2166-2762");
    EXPECT_EQ(spans(small, Module::gemm, 9), "744-2166 2762-4184");
    EXPECT_EQ(spans(small, Module::store), "2294-2570 4312-4588");
    expect_end(test::example2_small(test::SmallBuffers::slide_a), 4588);
    const auto corrected = test::example2_small(test::SmallBuffers::slide_b_corrected);
    expect_end(corrected, 4524);
    EXPECT_EQ(spans(corrected, Module::alu), "2166-2230 2506-2507 4184-4248");
    const auto b = test::example2_small(test::SmallBuffers::slide_b);
    EXPECT_FALSE(timing::reference_timing(b.architecture(), b.program()).complete);
}

TEST(SystolicTiming, CaseOne) {
    const auto p = test::case1();
    expect_end(p, 3929, {1696, 2528, 129, 552});
    EXPECT_EQ(spans(p, Module::load),
              "0-276 276-424 424-700 1056-1204 1204-1480 1836-1984 1984-2260 2809-2957");
    EXPECT_EQ(spans(p, Module::gemm, 4), "424-1056 1204-1836 2177-2809 2957-3589");
    EXPECT_EQ(spans(p, Module::alu), "1836-1900 2176-2177 3589-3653");
    EXPECT_EQ(spans(p, Module::store), "1900-2176 3653-3929");
    const auto snake = test::case1_snake();
    expect_end(snake, 3929, {1548, 2528, 129, 552});
    EXPECT_EQ(spans(snake, Module::load),
              "0-276 276-424 424-700 1056-1204 1204-1480 1836-2112 2809-2957");
    // With the hazard the same weights come while they are still needed.
    EXPECT_EQ(spans(test::case1_snake("0000"), Module::load).substr(42), "1480-1756 2809-2957");
}

TEST(SystolicTiming, CaseTwo) {
    const auto p = test::case2_snake();
    expect_end(p, 5866, {1844, 4032, 131, 592});
    EXPECT_EQ(spans(p, Module::load), "0-276 276-424 424-700 928-1076 2265-2413 2917-3193 "
                                      "3193-3469 3697-3845 5034-5182");
    EXPECT_EQ(spans(p, Module::gemm, 4), "424-928 1076-1580 1761-2265 2413-2917 3193-3697 "
                                         "3845-4349 4530-5034 5182-5686");
    EXPECT_EQ(spans(p, Module::alu), "1580-1612 1760-1761 2917-2949 3097-3098 4349-4381 4529-4530 "
                                     "5686-5718");
    EXPECT_EQ(spans(p, Module::store), "1612-1760 2949-3097 4381-4529 5718-5866");
}

TEST(SystolicTiming, WorkedExample) {
    SKIP_WITHOUT_CONFORMANCE();
    const test::Case c = test::read_case(test::worked_example());
    std::string problem;
    const auto text = verif::text::read_file(c.name + "/case.json", problem);
    ASSERT_TRUE(text) << problem;
    const auto json = verif::parse_json(*text, problem);
    ASSERT_TRUE(json) << problem;
    const verif::Json& wanted = *json->find("timing");
    const Timing timing = timing::reference_timing(c.architecture, c.program);
    EXPECT_EQ(timing.end, decimal<std::int64_t>(wanted.find("end")->text));
    for (const Module m : kModules) {
        EXPECT_EQ(timing.busy[number(m)],
                  decimal<std::int64_t>(wanted.find("busy")->find(module_name(m))->text));
    }
    const auto& list = wanted.find("instructions")->items;
    ASSERT_EQ(list.size(), c.program.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        EXPECT_EQ(timing.instructions[i].begin, decimal<std::int64_t>(list[i].find("start")->text));
        EXPECT_EQ(timing.instructions[i].end, decimal<std::int64_t>(list[i].find("end")->text));
    }
}

TEST(SystolicTiming, GemmBusyOfTiles) {
    constexpr std::int64_t kAccumulators = 256 * 1024 / 128;  // bytes, columns
    const timing::ArrayShape array = {32, 128};
    const timing::TiledLayer kDeep = {128, 64, 5, 5, 256, 128, 1, 0, 0};
    const timing::TiledLayer kMiddle = {28, 56, 3, 3, 128, 128, 1, 0, 0};
    const timing::TiledLayer kFirst = {224, 224, 7, 7, 3, 64, 2, 0, 0};
    struct Row {
        timing::TiledLayer layer;
        std::int64_t tile_height, tile_width, folds, reloads, cycles;
    };
    const Row kRows[] = {
        {kDeep, 45, 45, 1200, 42, 1677642},  {kDeep, 23, 60, 1200, 42, 1677642},
        {kMiddle, 37, 37, 72, 0, 61920},     {kMiddle, 26, 7, 288, 0, 96048},
        {kMiddle, 16, 7, 576, 0, 141552},    {kFirst, 45, 45, 441, 0, 651847},
        {kFirst, 58, 2, 5390, 0, 1433789},
    };
    for (const Row& row : kRows) {
        timing::TiledLayer layer = row.layer;
        layer.tile_height = row.tile_height;
        layer.tile_width = row.tile_width;
        const timing::GemmBusy found = timing::gemm_busy(layer, array, kAccumulators);
        EXPECT_EQ(found.folds, row.folds);
        EXPECT_EQ(found.reloads, row.reloads);
        EXPECT_EQ(found.cycles, row.cycles);
    }
}

/// A table with a line of names.
std::vector<std::map<std::string, std::string>> read_csv(std::string_view text) {
    const auto cells = [](std::string_view line) {
        std::vector<std::string> out(1);
        for (const char c : verif::text::trim(line)) {
            if (c == ',') {
                out.emplace_back();
            } else {
                out.back() += c;
            }
        }
        return out;
    };
    const auto names = cells(verif::text::next_line(text));
    std::vector<std::map<std::string, std::string>> rows;
    while (!text.empty()) {
        const auto values = cells(verif::text::next_line(text));
        rows.emplace_back();
        for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
            rows.back()[names[i]] = values[i];
    }
    return rows;
}

TEST(SystolicTiming, ScaleSim) {
    std::string folder = test::folder_of("MACRAME_SYSTOLIC_FACTS");
    if (folder.empty()) folder = test::folder_of("MACRAME_SYSTOLIC") + "/../../reference/systolic";
    std::string problem;
    const auto text = verif::text::read_file(folder + "/scalesim_golden.csv", problem);
    if (!text) {
        GTEST_SKIP() << "no scalesim_golden.csv: want MACRAME_SYSTOLIC_FACTS to name its folder";
    }
    const std::map<std::string, timing::Dataflow> kDataflows = {
        {"ws", timing::Dataflow::weight_stationary},
        {"os", timing::Dataflow::output_stationary},
        {"is", timing::Dataflow::input_stationary}};
    int rows = 0;
    for (auto& row : read_csv(*text)) {
        if (row["mode"] != "CALC") continue;  // the others depend on bandwidth
        const auto whole = [&](const char* name) {
            return decimal<std::int64_t>(row[name]).value();
        };
        const auto real = [&](const char* name) { return decimal<double>(row[name]).value(); };
        const timing::ComputeOnly found = timing::compute_only(
            {whole("M_ofmap_px"), whole("N_filters"), whole("K_window")},
            {whole("array_rows"), whole("array_cols")}, kDataflows.at(row["dataflow"]));
        SCOPED_TRACE(row["topology"] + " " + row["layer_name"] + " " + row["dataflow"]);
        EXPECT_EQ(found.last_cycle, whole("total_cycles"));
        EXPECT_EQ(found.folds, whole("row_folds") * whole("col_folds"));
        EXPECT_EQ(found.cycles_per_fold, whole("cycles_per_fold"));
        EXPECT_NEAR(found.overall_utilisation, real("overall_util_pct"), 1e-6);
        EXPECT_NEAR(found.mapping_efficiency, real("mapping_eff_pct"), 1e-6);
        EXPECT_NEAR(found.compute_utilisation, real("compute_util_pct"), 1e-6);
        ++rows;
    }
    EXPECT_EQ(rows, 534);
}

}  // namespace
}  // namespace macrame::systolic
