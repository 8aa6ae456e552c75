/// Work on independent items by all processors.

#include "compiler/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace macrame::test {

namespace {

TEST(Parallel, EveryItemIsDoneOnce) {
    for (const std::size_t count : {0U, 1U, 63U, 500U, 4001U})
        for (const std::size_t stride : {1U, 3U}) {
            std::vector<int> done(count, 0);
            compiler::for_each_item(count, stride, [&](std::size_t i) { ++done[i]; });
            for (std::size_t i = 0; i < count; ++i)
                EXPECT_EQ(done[i], i % stride == 0 ? 1 : 0) << i << " of " << count;
        }
}

TEST(Parallel, ExceptionsAreThrownOn) {
    std::atomic<int> done = 0;
    const auto work = [&](std::size_t i) {
        if (i == 777) throw std::runtime_error("item 777");
        ++done;
    };
    EXPECT_THROW(compiler::for_each_item(1000, 1, work), std::runtime_error);
    EXPECT_LT(done, 1000);
}

}  // namespace

}  // namespace macrame::test
