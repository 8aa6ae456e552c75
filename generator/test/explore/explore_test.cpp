/// The command explore, its front and its files.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "emit/file_io.hpp"
#include "explore/evaluate.hpp"
#include "explore/front.hpp"
#include "explore/lowered.hpp"
#include "explore/output.hpp"
#include "explore/units.hpp"
#include "test/source_dir.hpp"

namespace macrame::explore {
namespace {

namespace fs = std::filesystem;

const Family& dla() { return *find_family(all_families(), "dla"); }

Scored scored(const std::string& name, int luts, double goal, int brams = 1) {
    Scored out{{name, {dla(), name, dla().defaults, {}}}, {}};
    out.result.area.luts = luts;
    out.result.area.brams = brams;
    out.goal = goal;
    return out;
}

TEST(Front, IsWhatNothingBeats) {
    std::vector<Scored> points = {scored("slow", 100, 10), scored("fast", 200, 5),
                                  scored("large", 300, 5), scored("never", 90, 1),
                                  scored("preset", 150, 11, 2)};
    points[3].unfit = "too large";
    points[4].point.kind = Point::Kind::preset;
    find_front(points);
    std::vector<std::string> names;
    for (const Scored* one : front_of(points))
        names.push_back(one->point.name);
    EXPECT_EQ(names, (std::vector<std::string>{"slow", "fast"}));
    EXPECT_EQ(points[2].dominated_by, "fast");
    EXPECT_EQ(points[4].dominated_by, "slow");
    EXPECT_EQ(points[0].dominated_by, "");
    EXPECT_EQ(chosen(points, "time")->point.name, "fast");
    points[1].goal = 6;
    EXPECT_EQ(chosen(points, "area")->point.name, "slow");
}

TEST(Front, LimitsAndRefusalsAreReasons) {
    Scoring scoring;
    scoring.weights = {1};
    scoring.of_host = {{}};
    scoring.limits.luts = 99;
    Result result;
    result.networks.emplace_back();
    result.networks[0].cycles = 100'000;
    result.area.luts = 100;
    result.area.ns = 8.5;
    const Point point{"p", {dla(), "p", dla().defaults, {}}};
    EXPECT_EQ(score(point, result, scoring).unfit, "100 LUTs of 99");
    EXPECT_DOUBLE_EQ(score(point, result, scoring).ms[0], 1);
    scoring.limits = {};
    EXPECT_EQ(score(point, result, scoring).unfit, "");
    scoring.own_clock = true;
    EXPECT_EQ(score(point, result, scoring).mhz, 100);
    result.networks[0].refused = {{3, "conv", "too large", 2048}};
    EXPECT_EQ(score(point, result, scoring).unfit,
              "operator 3 (conv): too large (a buffer of 2 KiB would do)");
    scoring.of_host = {{3}};
    EXPECT_EQ(score(point, result, scoring).unfit, "");
}

TEST(Evaluate, ALineIsItsResult) {
    Result result;
    result.networks.emplace_back();
    result.networks[0].cycles = 7;
    result.networks[0].refused = {{1, "a", "b", 2}};
    result.area.slowest = "cdma";
    result.area.ns = 1.25;
    const Point point{"p", {dla(), "p", dla().defaults, {}}};
    const std::string line = line_of(point.name, result);
    EXPECT_EQ(line_of(point.name, result_of(line)), line);
}

/// A point over the limits has an area alone, until there are limits that it is within.
TEST(Evaluate, PointsOverTheLimitsAreNotEstimated) {
    const fs::path file =
        fs::temp_directory_path() / ("macrame_limits_" + std::to_string(getpid()));
    std::vector<std::string> errors;
    const std::vector<NetworkFile> networks = read_networks(
        {source_dir() + "/compiler/examples/digits/digits.tflite"}, *dla().target, errors);
    const emit::Assets assets;
    Diags diags;
    const auto costs = CostTable::read(dla(), "xc7", assets, diags);
    ASSERT_TRUE(costs && errors.empty());
    const std::vector<Point> all = points_of(dla(), {0, 0, 0, 0});
    std::vector<Point> points = {all.front(), all.back(), all.back()};
    points[2].name = "preset";
    points[2].kind = Point::Kind::preset;
    const auto results = [&](int luts) {
        Job job{networks, *costs, assets};
        job.limits.luts = luts;
        return evaluate(points, job, file, "{}", diags);
    };
    std::vector<Result> made = results(20000);
    ASSERT_TRUE(diags.empty());
    EXPECT_TRUE(made[0].estimated);
    EXPECT_GT(made[0].networks[0].cycles, 0U);
    EXPECT_FALSE(made[1].estimated);
    EXPECT_GT(made[1].area.luts, 20000);
    EXPECT_TRUE(made[2].estimated);
    const std::string line = line_of(points[1].name, made[1]);
    EXPECT_EQ(line_of(points[1].name, result_of(line)), line);
    const Scoring scoring{{1}, 100, false, 1000, "time", {20000, {}, {}}, {{}}};
    const Scored over = score(points[1], made[1], scoring);
    EXPECT_EQ(over.goal, 0);
    EXPECT_NE(over.unfit.find("LUTs of 20000"), std::string::npos) << over.unfit;
    made = results(1000000);
    EXPECT_TRUE(made[1].estimated);
    EXPECT_GT(made[1].networks[0].cycles, 0U);
    fs::remove(file);
}

/// Points with less than the networks want are within the limits, and their names say what is less.
TEST(Lowered, PointsWithLessFit) {
    const emit::Assets assets;
    Diags diags;
    const auto costs = CostTable::read(dla(), "xc7", assets, diags);
    ASSERT_TRUE(costs);
    const Limits limits{12000, 70, {}};
    const std::vector<Point> points =
        lowered_points(dla(), {0, 0, 1, 0}, limits, *costs, assets, diags);
    ASSERT_TRUE(diags.empty());
    ASSERT_FALSE(points.empty());
    for (const Point& point : points) {
        EXPECT_NE(point.name.find("-no_sdp_ew"), std::string::npos) << point.name;
        EXPECT_EQ(toml_of(point).find("sdp_ew_enable"), std::string::npos);
        const auto area = costs->area(units_of(point.design, assets, diags), point.design, diags);
        EXPECT_EQ(over_limits(*area, limits), "") << point.name;
    }
    // None of those that fit is left out.
    std::size_t fit = 0;
    for (const Point& point : points_of(dla(), {0, 0, 0, 0})) {
        if (point.values.front() != 0) continue;  // the smallest array
        const auto area = costs->area(units_of(point.design, assets, diags), point.design, diags);
        fit += over_limits(*area, limits).empty() ? 1U : 0U;
    }
    EXPECT_EQ(fit, static_cast<std::size_t>(std::count_if(
                       points.begin(), points.end(),
                       [](const Point& point) { return point.values.front() == 0; })));
}

/// The command in a folder of its own.
class ExploreCommand : public testing::Test {
protected:
    void SetUp() override {
        base_ = fs::temp_directory_path() / ("macrame_explore_" + std::to_string(getpid()));
        fs::create_directories(base_);
    }
    void TearDown() override { fs::remove_all(base_); }

    int call(const std::string& out, const std::vector<std::string>& more) {
        std::vector<std::string> words = {"explore",
                                          source_dir() + "/compiler/examples/digits/digits.tflite",
                                          "--out", (base_ / out).string()};
        words.insert(words.end(), more.begin(), more.end());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const int status = run(words, all_families());
        said_ = testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
        return status;
    }
    std::string text(const std::string& name) const { return emit::read_file(base_ / name).bytes; }

    fs::path base_;
    std::string said_;
};

/// A part that was interrupted goes on to the same file; a file of something else stops it.
TEST_F(ExploreCommand, GoesOnWhereItWas) {
    ASSERT_EQ(call("a", {"--part", "1/400", "--jobs", "1"}), kPassed) << said_;
    const std::string whole = text("a/.points_dla.jsonl");
    EXPECT_GE(std::count(whole.begin(), whole.end(), '\n'), 3);
    const std::string cut = whole.substr(0, whole.size() - 20);
    std::ofstream(base_ / "a" / ".points_dla.jsonl", std::ios::trunc) << cut;
    ASSERT_EQ(call("a", {"--part", "1/400", "--jobs", "1"}), kPassed) << said_;
    EXPECT_EQ(text("a/.points_dla.jsonl"), whole);
    std::ofstream(base_ / "a" / ".points_dla.jsonl", std::ios::trunc) << "{}\n";
    EXPECT_EQ(call("a", {"--part", "1/400"}), kUserError);
    EXPECT_NE(said_.find("of other networks, options or another program: want another folder"),
              std::string::npos)
        << said_;
}

/// Results of other parts are taken, and what is written loads nothing.
TEST_F(ExploreCommand, WritesTablesAndAPage) {
    std::vector<std::string> errors;
    const std::vector<NetworkFile> networks = read_networks(
        {source_dir() + "/compiler/examples/digits/digits.tflite"}, *dla().target, errors);
    const emit::Assets assets;
    Diags diags;
    const auto costs = CostTable::read(dla(), "xc7", assets, diags);
    ASSERT_TRUE(costs && errors.empty());
    std::vector<Point> points = points_of(dla(), {0, 0, 0, 0});
    std::vector<Point> some = {points[0], points[points.size() / 2], points.back()};
    const auto results = [&](const std::string& file, int part, int parts) {
        return evaluate(some, {networks, *costs, assets, 2, part, parts}, base_ / file, "{}",
                        diags);
    };
    results("parts", 1, 2);
    results("parts", 2, 2);
    results("parts", 1, 1);  // puts the lines in order
    results("one", 1, 2);
    results("two", 2, 2);
    const Job merging{networks, *costs, assets, 1, 1, 1, 0, {}, {base_ / "one", base_ / "two"}};
    testing::internal::CaptureStdout();
    EXPECT_EQ(evaluate(some, merging, base_ / "merged", "{}", diags).size(), some.size());
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");  // none of them twice
    results("whole", 1, 1);
    std::vector<Result> made = results("whole", 1, 1);
    ASSERT_TRUE(diags.empty());
    EXPECT_EQ(text("parts"), text("whole"));
    EXPECT_EQ(text("merged"), text("whole"));
    const explore::Setup setup{{&dla()}, "xc7", {}, 100, false, {1}};
    Outcome outcome{dla(), networks, setup, "time", "", {"pooling"}, {}, {}};
    const Scoring scoring{{1}, 100, false, 1000, "time", {}, {{}}};
    for (std::size_t i = 0; i < some.size(); ++i)
        outcome.points.push_back(score(some[i], made[i], scoring));
    find_front(outcome.points);
    const std::size_t front = front_of(outcome.points).size();
    EXPECT_GE(front, 2U);
    const auto lines = [](const std::string& csv) {
        return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
    };
    EXPECT_EQ(lines(csv_of(outcome, true)), front + 1);
    EXPECT_EQ(lines(csv_of(outcome, false)), some.size() + 1);
    const auto json = nlohmann::json::parse(json_of(outcome));
    EXPECT_EQ(json.at("front").size(), front);
    EXPECT_EQ(json.at("networks")[0].at("input_bytes"), 28 * 28);
    const std::string page = page_of(outcome);
    EXPECT_NE(page.find("<svg"), std::string::npos);
    EXPECT_NE(page.find(some.back().name), std::string::npos);
    for (const char* loads : {"http:", "https:", "src=", "@import", "url("})
        EXPECT_EQ(page.find(loads), std::string::npos) << loads;
}

TEST_F(ExploreCommand, RefusesWhatItDoesNotKnow) {
    EXPECT_EQ(call("b", {"--limit", "luts=3"}), kUserError);
    EXPECT_NE(said_.find("luts=3: want lut=N, dsp=N or bram=N above 0"), std::string::npos)
        << said_;
    EXPECT_EQ(call("b", {"--weights", "1,2"}), kUserError);
    EXPECT_NE(said_.find("--weights: 2 numbers: want a number above 0 for each of 1 networks"),
              std::string::npos)
        << said_;
    EXPECT_EQ(call("b", {"--board", "ulx3"}), kUserError);
    EXPECT_NE(said_.find("did you mean ulx3s-85f?"), std::string::npos) << said_;
    EXPECT_EQ(call("b", {"--board", "icebreaker"}), kUserError);
    EXPECT_NE(said_.find("want one with a 7-series FPGA or an ECP5"), std::string::npos) << said_;
    EXPECT_EQ(call("b", {"--family", "none"}), kUserError);
    EXPECT_EQ(call("b", {"--clock", "fast"}), kUserError);
    EXPECT_EQ(call("b", {"--part", "3/2"}), kUserError);
    EXPECT_EQ(call("b", {"--merge", "parts/1"}), kUserError);
    EXPECT_NE(said_.find("parts/1/.points_dla.jsonl: not there: want the folder of a part"),
              std::string::npos)
        << said_;
    EXPECT_EQ(call("b", {"--merge", "parts/1", "--part", "1/2"}), kUserError);
    EXPECT_NE(said_.find("--merge: with --part: want one of them"), std::string::npos) << said_;
}

}  // namespace
}  // namespace macrame::explore
