/// Which parameters compiled programs depend on, and where software finds the identity.

#include "support.hpp"
#include "test/identity_check.hpp"

namespace macrame::systolic {
namespace {

TEST(SystolicIdentity, IsOfWhatProgramsDependOn) {
    expect_identity_of_all_but(family(), {"config_address"});
}

TEST(SystolicIdentity, IsReadBehindTheCounters) {
    Config config;
    config.config_address = 0x1000;
    EXPECT_EQ((Design{family(), "mine", config}).identity_register(), 0x1070u);
}

}  // namespace
}  // namespace macrame::systolic
