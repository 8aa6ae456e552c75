/// Layers of the conformance data, compiled by the mapper.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "compiler/test/systolic/example.hpp"
#include "verif/common/json.hpp"
#include "verif/common/text.hpp"
#include "verif/systolic/files/case_file.hpp"
#include "verif/systolic/files/program_file.hpp"

namespace macrame::systolic::compiler {
namespace {

int number(const verif::Json& object, std::string_view key) {
    const verif::Json* const found = object.find(key);
    return found == nullptr ? 0 : verif::text::decimal<int>(found->text).value_or(0);
}

std::vector<PostOperation> post_of(const verif::Json& layer) {
    std::vector<PostOperation> out;
    for (const verif::Json& item : layer.find("post")->items) {
        const std::string& name = item.items[0].text;
        if (name == "relu") {
            out.push_back({AluOp::max, 0});
        } else {
            out.push_back({name == "add" ? AluOp::add : AluOp::min,
                           verif::text::decimal<int>(item.items[1].text).value_or(0)});
        }
    }
    return out;
}

/// The layer of a case with its memory, weights as the file has them.
void read_layer(Example& e, const verif::Json& json, const std::vector<std::uint8_t>& before) {
    const verif::Json& layer = *json.find("layer");
    const verif::Json& memory = *json.find("memory");
    const verif::Json& output = *json.find("output");
    ConvLayer& l = e.layer;
    const int channels = number(layer, "C"), filters = number(layer, "M");
    const int width = number(layer, "S");
    l.input =
        dense_layout(number(memory, "input"), number(layer, "H"), number(layer, "W"), channels, 1);
    l.output = dense_layout(number(memory, "output"), number(output, "H"), number(output, "W"),
                            filters, 4);
    l.window = {number(layer, "R"),
                width,
                number(layer, "sy"),
                number(layer, "sx"),
                1,
                1,
                number(layer, "pt"),
                number(layer, "pl")};
    l.out_height = number(layer, "OH");
    l.out_width = number(layer, "OW");
    l.post = post_of(layer);
    if (const verif::Json* pool = layer.find("pool"); !pool->items.empty()) {
        std::vector<int> sizes;
        for (const verif::Json& item : pool->items)
            sizes.push_back(verif::text::decimal<int>(item.text).value_or(0));
        l.pool = Window{sizes[0], sizes[1], sizes[2], sizes[3], 1, 1, 0, 0};
    }
    const auto weights = static_cast<std::size_t>(number(memory, "weights"));
    l.weights = [before, weights, channels, filters, width](int m, int r, int s, int c) {
        return static_cast<int>(static_cast<std::int8_t>(
            before[weights +
                   static_cast<std::size_t>(((r * width + s) * channels + c) * filters + m)]));
    };
    e.memory.load(0, before);
}

TEST(Cases, LayersOfConformanceData) {
    const char* const folder = std::getenv("MACRAME_SYSTOLIC");
    if (folder == nullptr)
        GTEST_SKIP() << "no conformance data: want MACRAME_SYSTOLIC to name its folder";
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(folder) + "/cases")) {
        const std::string path = entry.path().string();
        SCOPED_TRACE(path);
        std::vector<std::string> errors;
        std::string problem;
        Example e;
        const auto text = verif::text::read_file(path + "/case.json", problem);
        ASSERT_TRUE(text) << problem;
        const auto json = verif::parse_json(*text, problem);
        ASSERT_TRUE(json) << problem;
        e.architecture = *files::read_architecture(path + "/case.json", errors);
        const auto before = *files::read_bytes(path + "/memory_before.bin", errors);
        const auto after = *files::read_bytes(path + "/memory_after.bin", errors);
        read_layer(e, *json, before);
        Constants constants(kConstants);
        const Tiling tiling = best_tiling(e.architecture, e.layer, Goal::cycles).tiling;
        ASSERT_FALSE(tiling.cover.empty());
        run(e, compile(e, tiling, constants), constants, 1);
        EXPECT_TRUE(e.memory.dump(0, after.size()) == after);
        ++count;
    }
    EXPECT_GE(count, 34);
}

}  // namespace
}  // namespace macrame::systolic::compiler
