#include <set>

#include "core/param.hpp"
#include "support.hpp"
#include "test/source_dir.hpp"
#include "verif/tcu/run/simulate_options.hpp"

namespace macrame::tcu {
namespace {

TEST(TcuParams, KeysAreUniqueAndDocumented) {
    std::set<std::string_view> keys;
    for (const Param& param : params()) {
        EXPECT_TRUE(keys.insert(param.key).second) << param.key;
        EXPECT_FALSE(param.doc.empty()) << param.key;
        EXPECT_LE(param.doc.size(), 90u) << param.key;
        EXPECT_TRUE(in_range(family().defaults, param)) << param.key;
    }
}

/// The keys of architecture files come first and are all there.
TEST(TcuParams, AreThoseOfArchitectureFiles) {
    const std::vector<std::string_view>& keys = family().json->keys;
    ASSERT_EQ(keys.size(), 11u);
    for (std::size_t i = 0; i < keys.size(); ++i)
        EXPECT_EQ(params()[i].key, keys[i]);
}

TEST(TcuParams, DocumentsHaveTheTables) {
    const std::string table = markdown_table(params(), family().defaults);
    EXPECT_NE(source_text("docs/parameters.md").find(table), std::string::npos)
        << "want this in docs/parameters.md:\n"
        << table;
    run::SimulateOptions options;
    const std::string more = verif::run::markdown_table(run::option_rows(options));
    EXPECT_NE(source_text("docs/simulate.md").find(more), std::string::npos)
        << "want this in docs/simulate.md:\n"
        << more;
}

}  // namespace
}  // namespace macrame::tcu
