/// Recorded operations of the convolution front of the full design: input convertor, Winograd
/// tiles, compressed weights.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "verif/common/json.hpp"
#include "verif/dla/model/convolve.hpp"
#include "verif/dla/test/oracle.hpp"

namespace macrame::dla::model {
namespace {

Precision type_named(const std::string& name) {
    return name == "int8" ? Precision::int8 : name == "int16" ? Precision::int16 : Precision::fp16;
}

/// Digits of a word of `bits` bits (multiple of 4 or not) as a signed number.
std::int64_t number(const std::string& digits, int bits) {
    return wrap(static_cast<std::int64_t>(std::stoull(digits, nullptr, 16)), bits);
}

/// Elements of four digits.
Elements elements(const std::string& digits) {
    Elements out;
    for (std::size_t i = 0; i < digits.size(); i += 4)
        out.push_back(static_cast<std::int16_t>(number(digits.substr(i, 4), 16)));
    return out;
}

std::vector<std::uint8_t> bytes(const std::string& digits) {
    std::vector<std::uint8_t> out;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        out.push_back(static_cast<std::uint8_t>(number(digits.substr(i, 2), 8)));
    return out;
}

TEST(ConvOracle, InputConvertor) {
    NEEDS_ORACLE();
    for (const OracleRow& row : OracleTable("cdma_cvt.csv")) {
        const Precision in = type_named(row.text("in_prec")),
                        out = type_named(row.text("out_prec"));
        const int bits = in == Precision::int8 ? 8 : 16;
        const std::uint32_t raw = row.hex("in") & ((1u << bits) - 1);
        const int value =
            row.number("unsigned") != 0 ? static_cast<int>(raw) : static_cast<int>(wrap(raw, bits));
        const std::int16_t got = cvt(value, signed16(row.hex("offset")), signed16(row.hex("scale")),
                                     row.number("trunc"), out);
        const std::uint32_t mask = out == Precision::int8 ? 0xFFu : 0xFFFFu;
        ASSERT_EQ(static_cast<std::uint32_t>(got) & mask, row.hex("out") & mask)
            << row.text("in_prec") << " to " << row.text("out_prec") << " of " << row.text("in");
    }
}

ChannelTile<std::int16_t> tile(const Elements& from, std::size_t first, std::size_t step) {
    ChannelTile<std::int16_t> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = from.at(first + i * step);
    return out;
}

TEST(ConvOracle, PreAddition) {
    NEEDS_ORACLE();
    for (const OracleRow& row : OracleTable("pra.csv")) {
        ASSERT_EQ(pre_added(tile(elements(row.text("d16")), 0, 1), type_named(row.text("prec")),
                            row.number("trunc")),
                  tile(elements(row.text("o16")), 0, 1))
            << row.text("prec") << " " << row.text("d16");
    }
}

/// Tiles of four channels, from data to sums.
TEST(ConvOracle, WinogradTile) {
    NEEDS_ORACLE();
    for (const OracleRow& row : OracleTable("wino_tile.csv")) {
        const Precision type = type_named(row.text("prec"));
        const Elements data = elements(row.text("data")), u = elements(row.text("u"));
        Elements v(data.size());
        for (std::size_t c = 0; c < kTileChannels; ++c) {
            const auto one = pre_added(tile(data, c, kTileChannels), type, row.number("trunc"));
            for (std::size_t i = 0; i < one.size(); ++i)
                v[i * kTileChannels + c] = one[i];
        }
        ASSERT_EQ(v, elements(row.text("v"))) << row.text("prec");
        TileOf<std::int64_t> sums{};
        if (type == Precision::fp16) {
            const auto words =
                fp16_winograd_psums(reinterpret_cast<const std::uint16_t*>(v.data()),
                                    reinterpret_cast<const std::uint16_t*>(u.data()));
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] = wrap(static_cast<std::int64_t>(words[i]), 44);
        } else {
            sums = winograd_psums(v.data(), u.data());
        }
        std::string want = row.text("m");
        for (const std::int64_t sum : sums) {
            ASSERT_EQ(sum, number(want, type == Precision::int8 ? 22 : 44)) << row.text("prec");
            want.erase(0, want.find(' ') + 1);
        }
    }
}

/// Puts bytes into the ring of a stream, from entry `start` of it on.
void fill(CbufImage& cbuf, const RingBytes& ring, const std::vector<std::uint8_t>& data) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        const auto entry = static_cast<int>(i) / cbuf.entry_bytes;
        cbuf.entry(ring.first + (ring.start + entry) %
                                    ring.region)[static_cast<int>(i) % cbuf.entry_bytes] = data[i];
    }
}

/// All kernel groups of a recorded layer, out of rings that they go round.
void check_layer(const verif::Json& layer) {
    const auto text = [&](const char* name) { return layer.find(name)->text; };
    const auto count = [&](const char* name) { return std::stoll(layer.find(name)->text); };
    const Precision type = type_named(text("precision"));
    CbufImage cbuf({32, 128, 16, 256});
    GroupStream group{{cbuf, 256, 512, 510}, {cbuf, 15 * 256, 256, 255}};
    group.compressed = true;
    fill(cbuf, group.weights, bytes(text("data")));
    fill(cbuf, group.masks, bytes(text("wmb")));
    std::vector<std::uint8_t> stream;
    for (const verif::Json& stored : layer.find("wgs")->items) {
        const std::int64_t first = group.mask / count("elements_per_kernel");
        group.count = std::min(count("kernels_per_group"), count("kernels") - first) *
                      count("elements_per_kernel");
        const std::int64_t end = group.first + group.stored_bytes(type);
        EXPECT_EQ(end - group.first, std::stoll(stored.text));
        for (const std::int16_t element : group.expand(type))
            append_element(stream, element, type);
        group.mask += group.count;
        group.first = end;
    }
    EXPECT_TRUE(stream == bytes(text("stream")));
}

TEST(ConvOracle, CompressedWeights) {
    NEEDS_ORACLE();
    std::ifstream in(oracle_folder() / "decompress.jsonl");
    std::string line, problem;
    int layers = 0;
    for (; std::getline(in, line); ++layers) {
        const auto layer = verif::parse_json(line, problem);
        ASSERT_TRUE(layer) << problem;
        SCOPED_TRACE(layer->find("layer")->text);
        check_layer(*layer);
    }
    EXPECT_GT(layers, 0);
}

}  // namespace
}  // namespace macrame::dla::model
