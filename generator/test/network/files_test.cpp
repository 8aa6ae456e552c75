// .npy, pictures and sound from files, whole and damaged.
#include <gtest/gtest.h>
#include <turbojpeg.h>

#include <string>

#include "network/files/npy.hpp"
#include "network/files/picture.hpp"
#include "network/files/wav.hpp"

namespace macrame::network {
namespace {

std::string npy(const std::string& header, const std::string& data, char version = 1) {
    std::string out("\x93NUMPY", 6);
    out += {version, 0};
    out += static_cast<char>(header.size() & 255);
    out += static_cast<char>(header.size() >> 8);
    if (version > 1) out += std::string(2, '\0');
    return out + header + data;
}

TEST(Npy, ReadsWhatNumpyWrites) {
    const std::string header =
        "{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }          \n";
    for (const char version : {'\1', '\2', '\3'}) {
        const std::string file = npy(header, "abcdef", version);
        const Array array = parse_npy(file);
        ASSERT_EQ(array.error, "");
        EXPECT_EQ(array.type, Array::Type::int8);
        EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
        EXPECT_EQ(array.data, "abcdef");
    }
    const std::string floats =
        npy("{\"shape\":(2,),\"descr\":\"<f4\",\"fortran_order\":False}", std::string(8, 'x'));
    EXPECT_EQ(parse_npy(floats).elements(), 2u);
    const std::string scalar = npy("{'descr': '|u1', 'fortran_order': False, 'shape': ()}", "x");
    EXPECT_EQ(parse_npy(scalar).elements(), 1u);
    EXPECT_TRUE(parse_npy(scalar).shape.empty());
}

TEST(Npy, SaysWhatIsWrong) {
    const auto error = [](const std::string& type, const std::string& order,
                          const std::string& shape, const std::string& data) {
        return parse_npy(npy("{'descr': '" + type + "', 'fortran_order': " + order +
                                 ", 'shape': " + shape + "}",
                             data))
            .error;
    };
    EXPECT_EQ(error("|i1", "False", "(2, 3)", "abcdef"), "");
    EXPECT_EQ(error("<f8", "False", "(2,)", std::string(16, 'x')),
              "elements '<f8': want int8, uint8 or little-endian int16, int32, int64 or float32");
    EXPECT_EQ(error("|i1", "True", "(2, 3)", "abcdef"),
              "elements by columns: want them by rows (numpy.ascontiguousarray)");
    EXPECT_EQ(error("|i1", "False", "(2, 3)", "abcde"), "5 bytes of elements do not make 2x3");
    EXPECT_EQ(error("|i1", "False", "(2, 3)", "abcdefg"), "7 bytes of elements do not make 2x3");
    // A product that 64 bits do not hold.
    EXPECT_EQ(error("|i1", "False", "(4294967296, 4294967296)", ""),
              "0 bytes of elements do not make 4294967296x4294967296");
    for (const char* shape :
         {"(2", "(-1,)", "(2 3)", "2", "(,)", "(1,1,1,1,1,1,1,1,1)", "(99999999999999999999999,)"})
        EXPECT_EQ(error("|i1", "False", shape, "abcdef"),
                  "the header of the .npy file cannot be read")
            << shape;
    EXPECT_EQ(parse_npy("nothing of the kind").error,
              "no .npy file: want one written by numpy.save()");
    EXPECT_EQ(parse_npy(npy("{}", "", 4)).error, "version 4 of the .npy format: want 1 to 3");
}

TEST(Npy, EveryPrefixIsRefused) {
    const std::string file =
        npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }\n", "abcdef");
    for (std::size_t size = 0; size < file.size(); ++size)
        EXPECT_NE(parse_npy(std::string_view(file).substr(0, size)).error, "") << size;
}

Picture gradient(int width, int height) {
    Picture picture;
    picture.width = width;
    picture.height = height;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (const int value : {x * 255 / width, y * 255 / height, 128})
                picture.rgb.push_back(static_cast<std::uint8_t>(value));
        }
    }
    return picture;
}

std::string jpeg(const Picture& picture) {
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    tjhandle encoder = tjInitCompress();
    tjCompress2(encoder, picture.rgb.data(), picture.width, 0, picture.height, TJPF_RGB, &bytes,
                &size, TJSAMP_444, 98, 0);
    std::string out(reinterpret_cast<char*>(bytes), size);
    tjFree(bytes);
    tjDestroy(encoder);
    return out;
}

TEST(PictureFile, Png) {
    const Picture picture = gradient(7, 5);
    const std::string file = write_png(picture);
    const Picture back = read_png(file);
    ASSERT_EQ(back.error, "");
    EXPECT_EQ(back.width, 7);
    EXPECT_EQ(back.height, 5);
    EXPECT_EQ(back.rgb, picture.rgb);
    for (std::size_t size = 0; size + 12 < file.size(); ++size)  // IEND has 12 bytes
        EXPECT_NE(read_png(std::string_view(file).substr(0, size)).error, "") << size;
    EXPECT_NE(read_png("no picture").error.find("want a PNG picture"), std::string::npos);
}

TEST(PictureFile, Jpeg) {
    const Picture picture = gradient(40, 24);
    const std::string file = jpeg(picture);
    const Picture back = read_jpeg(file);
    ASSERT_EQ(back.error, "");
    ASSERT_EQ(back.rgb.size(), picture.rgb.size());
    for (std::size_t i = 0; i < back.rgb.size(); ++i)
        EXPECT_NEAR(back.rgb[i], picture.rgb[i], 6) << i;
    EXPECT_NE(read_jpeg(std::string_view(file).substr(0, file.size() / 2)).error, "");
    EXPECT_NE(read_jpeg("no picture").error.find("want a JPEG picture"), std::string::npos);
}

TEST(PictureFile, AClaimOfGigapixelsIsRefused) {
    std::string file = write_png(gradient(7, 5));
    // Width of IHDR; its CRC is read before the size is believed.
    file[16] = 0x00;
    file[17] = 0x7f;
    EXPECT_NE(read_png(file).error, "");
    std::string large = jpeg(gradient(8, 8));
    const std::size_t frame = large.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    for (std::size_t i = 5; i < 9; ++i)
        large[frame + i] = i % 2 == 1 ? '\x7f' : '\xff';
    EXPECT_EQ(read_jpeg(large).error, "32767 x 32767 pixels: want at most 64 million");
}

TEST(PictureFile, Resize) {
    const Picture picture = gradient(8, 6);
    EXPECT_EQ(resized(picture, 8, 6).rgb, picture.rgb);
    Picture two;
    two.width = 2;
    two.height = 1;
    two.rgb = {0, 0, 0, 100, 200, 40};
    // Centres at -0.25, 0.25, 0.75 and 1.25 of the pixels.
    const Picture wide = resized(two, 4, 1);
    EXPECT_EQ(wide.rgb,
              (std::vector<std::uint8_t>{0, 0, 0, 25, 50, 10, 75, 150, 30, 100, 200, 40}));
    EXPECT_EQ(resized(two, 1, 1).rgb, (std::vector<std::uint8_t>{50, 100, 20}));
}

TEST(PictureFile, Grey) {
    const std::uint8_t white[3] = {255, 255, 255}, red[3] = {255, 0, 0}, mid[3] = {77, 77, 77};
    EXPECT_EQ(grey(white), 255);
    EXPECT_EQ(grey(red), 76);
    EXPECT_EQ(grey(mid), 77);
}

std::string word(unsigned value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i) & 255);
    return out;
}

std::string wav(unsigned channels, unsigned bits, const std::string& data) {
    const std::string format = word(1, 2) + word(channels, 2) + word(16000, 4) +
                               word(16000 * channels * bits / 8, 4) + word(channels * bits / 8, 2) +
                               word(bits, 2);
    const std::string chunks = "fmt " + word(16, 4) + format + "LIST" + word(3, 4) + "abc" +
                               std::string(1, '\0') + "data" +
                               word(static_cast<unsigned>(data.size()), 4) + data;
    return "RIFF" + word(static_cast<unsigned>(chunks.size()) + 4, 4) + "WAVE" + chunks;
}

TEST(Wav, ReadsSamplesOfOneChannel) {
    const std::string file = wav(1, 16, word(0x8000, 2) + word(0xffff, 2) + word(5, 2));
    const Sound sound = read_wav(file);
    ASSERT_EQ(sound.error, "");
    EXPECT_EQ(sound.rate, 16000);
    EXPECT_EQ(sound.samples, (std::vector<std::int16_t>{-32768, -1, 5}));
    for (std::size_t size = 0; size < file.size(); ++size)
        EXPECT_NE(read_wav(std::string_view(file).substr(0, size)).error, "") << size;
}

TEST(Wav, SaysWhatIsWrong) {
    EXPECT_EQ(read_wav(wav(2, 16, "abcd")).error,
              "2 channels of 16-bit samples, code 1: want one channel of 16-bit PCM");
    EXPECT_EQ(read_wav(wav(1, 8, "abcd")).error,
              "1 channels of 8-bit samples, code 1: want one channel of 16-bit PCM");
    EXPECT_EQ(read_wav("something else").error, "no WAV file: want RIFF, WAVE at its begin");
}

}  // namespace
}  // namespace macrame::network
