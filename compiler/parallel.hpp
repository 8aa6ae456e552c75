#pragma once
/// Work on independent items by all processors.

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace macrame::compiler {

/// Calls `work(i)` for i = 0, stride, 2 * stride ... below `count`, at the same time where there
/// are many: it may only write what belongs to its item. The first exception is thrown on.
template <class Work>
void for_each_item(std::size_t count, std::size_t stride, const Work& work) {
    constexpr std::size_t kFew = 64;  // items for which a thread is not worth its start
    const std::size_t items = (count + stride - 1) / stride;
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t threads = std::min(processors, items / kFew);
    if (threads < 2) {
        for (std::size_t i = 0; i < count; i += stride)
            work(i);
        return;
    }
    std::vector<std::future<void>> running;
    for (std::size_t t = 0; t < threads; ++t) {
        running.push_back(std::async(std::launch::async, [&, t] {
            for (std::size_t n = t; n < items; n += threads)
                work(n * stride);
        }));
    }
    for (std::future<void>& one : running)
        one.wait();
    for (std::future<void>& one : running)
        one.get();
}

}  // namespace macrame::compiler
