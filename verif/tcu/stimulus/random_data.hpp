#pragma once
/// Random vectors in DRAM coding.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::stimulus {

/// What the scalars of a vector look like.
enum class Data { small, any, corners, sparse };

inline std::int64_t random_code(verif::Random& random, Data data, const DataTypeInfo& type) {
    const std::int64_t one = std::int64_t{1} << type.binary_point;
    const std::int64_t limit = std::int64_t{1} << (type.width - 1);
    const std::int64_t any =
        static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(2 * limit)) - limit;
    const std::int64_t corners[] = {0,         1,           -1,         one,      -one,
                                    limit - 1, -limit,      one / 2,    -one / 2, limit - 2,
                                    1 - limit, one / 2 + 1, 3 * one / 2};
    switch (data) {
        case Data::any:
            return any;
        case Data::corners:
            return corners[random.in(0, 12)];
        case Data::sparse:
            return random.chance(70) ? 0 : any >> random.in(0, type.width - 1);
        default:  // halves make ties of products
            return random.chance(40) ? one / 2 * random.in(-3, 3) : any % (2 * one);
    }
}

inline void append_code(std::int64_t code, const DataTypeInfo& type,
                        std::vector<std::uint8_t>& out) {
    const auto bits = static_cast<std::uint64_t>(code) & ((std::uint64_t{1} << type.width) - 1);
    for (int i = 0; i < type.storage_bytes; ++i)
        out.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
}

/// So many vectors, each with its kind of data.
inline std::vector<std::uint8_t> random_vectors(verif::Random& random, const Architecture& a,
                                                std::uint64_t count) {
    const DataTypeInfo& type = info(a.data_type);
    std::vector<std::uint8_t> out;
    const int usual = random.in(0, 3);  // most vectors of a program are alike
    for (std::uint64_t v = 0; v < count; ++v) {
        const auto data = static_cast<Data>(random.chance(70) ? usual : random.in(0, 3));
        for (int lane = 0; lane < a.array_size; ++lane)
            append_code(random_code(random, data, type), type, out);
    }
    return out;
}

/// Vectors that ascend in every lane, for the keys of lookup tables.
inline std::vector<std::uint8_t> ascending_vectors(verif::Random& random, const Architecture& a,
                                                   int count) {
    const DataTypeInfo& type = info(a.data_type);
    std::vector<std::vector<std::int64_t>> lanes;
    for (int lane = 0; lane < a.array_size; ++lane) {
        lanes.emplace_back();
        for (int i = 0; i < count; ++i)
            lanes.back().push_back(
                random_code(random, random.chance(50) ? Data::any : Data::small, type));
        std::sort(lanes.back().begin(), lanes.back().end());
    }
    std::vector<std::uint8_t> out;
    for (int i = 0; i < count; ++i)
        for (const std::vector<std::int64_t>& lane : lanes)
            append_code(lane[static_cast<std::size_t>(i)], type, out);
    return out;
}

}  // namespace macrame::tcu::stimulus
