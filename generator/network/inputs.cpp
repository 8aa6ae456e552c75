#include "network/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <utility>

#include "cli.hpp"
#include "emit/file_io.hpp"
#include "network/elements.hpp"
#include "network/files/npy.hpp"
#include "network/files/picture.hpp"
#include "network/files/wav.hpp"

namespace macrame::network {

namespace {

namespace fs = std::filesystem;
using graph::Type;

constexpr std::size_t kLargestInput = std::size_t{1} << 30;

std::string ending(const fs::path& path) {
    std::string text = path.extension().string();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<std::size_t> without_ones(const std::vector<std::size_t>& shape) {
    std::vector<std::size_t> out;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(out),
                 [](std::size_t n) { return n != 1; });
    return out;
}

std::vector<std::size_t> shape_of(const graph::Tensor& tensor) {
    return {tensor.shape.begin(), tensor.shape.end()};
}

class Reader {
public:
    Reader(const Request& request, const Network& network) : request_(request), network_(network) {}

    std::optional<std::vector<Input>> read() {
        for (const std::string& argument : request_.input) {
            std::string_view path = argument;
            alone_ = named(path);
            add_path(path);
            if (!error_.empty()) break;
        }
        if (error_.empty() && !columns_.empty()) join();
        if (error_.empty() && !open_.tensors.empty()) {
            error_ =
                fmt::format("{} files: want {} for each run, one for each input of the network",
                            open_.tensors.size(), network_.graph.own_inputs());
        }
        if (error_.empty() && request_.count && inputs_.size() < wanted())
            error_ = fmt::format("--count = {}: want at most {}, the inputs given", wanted(),
                                 inputs_.size());
        if (error_.empty()) error_ = idle_option();
        if (report_all(error_.empty() ? std::vector<std::string>{} : std::vector{error_}))
            return std::nullopt;
        print_taken();
        for (Input& input : inputs_)
            for (const graph::Data& first : network_.graph.states)
                input.tensors.push_back(first.bytes());
        return std::move(inputs_);
    }

private:
    std::size_t wanted() const { return static_cast<std::size_t>(request_.count.value_or(0)); }
    bool full() const { return request_.count && inputs_.size() == wanted(); }

    void fail(const fs::path& path, std::string_view text) {
        if (error_.empty()) error_ = fmt::format("{}: {}", path.string(), text);
    }

    const graph::Tensor& input(std::size_t number) const {
        return network_.graph.tensor(network_.graph.inputs[number]);
    }
    /// The input of the network that an argument NAME=FILE is for; leaves the file.
    std::optional<std::size_t> named(std::string_view& argument) const {
        for (std::size_t i = 0; i < network_.graph.own_inputs(); ++i) {
            const std::string begin = input(i).name + "=";
            if (argument.substr(0, begin.size()) != begin) continue;
            argument.remove_prefix(begin.size());
            return i;
        }
        return std::nullopt;
    }
    /// What was given by name becomes runs.
    void join() {
        const std::size_t runs = columns_.begin()->second.size();
        for (std::size_t i = 0; i < network_.graph.own_inputs(); ++i) {
            const std::size_t found = columns_[i].size();
            if (found == runs && inputs_.empty() && open_.tensors.empty()) continue;
            error_ =
                inputs_.empty() && open_.tensors.empty()
                    ? fmt::format("input {}: {} values by name, {} of input {}: want as many",
                                  input(i).name, found, runs, input(columns_.begin()->first).name)
                    : "inputs by name and without: want all by name, or none";
            return;
        }
        for (std::size_t run = 0; run < runs; ++run) {
            Input& made = inputs_.emplace_back();
            made.name = columns_[0][run].name;
            for (auto& [number, column] : columns_)
                made.tensors.push_back(std::move(column[run].tensors[0]));
        }
    }

    /// The tensor that the next contents are for.
    std::size_t number() const { return alone_.value_or(open_.tensors.size()); }
    const graph::Tensor& next() const { return input(number()); }
    void add(const std::string& name, Bytes bytes) {
        if (alone_) {
            std::vector<Input>& column = columns_[*alone_];
            if (request_.count && column.size() == wanted()) return;
            column.push_back({name, {std::move(bytes)}});
            return;
        }
        if (full()) return;
        if (open_.tensors.empty()) open_.name = name;
        open_.tensors.push_back(std::move(bytes));
        if (open_.tensors.size() == network_.graph.own_inputs())
            inputs_.push_back(std::exchange(open_, {}));
    }

    void add_path(const fs::path& path) {
        std::error_code code;
        if (!fs::is_directory(path, code)) return add_file(path);
        std::vector<fs::path> files;
        for (const fs::directory_entry& entry : fs::directory_iterator(path, code)) {
            const std::string type = ending(entry.path());
            for (const char* known : {".npy", ".png", ".jpg", ".jpeg", ".wav", ".i8", ".bin"})
                if (type == known) files.push_back(entry.path());
        }
        if (code) return fail(path, code.message());
        if (files.empty())
            return fail(path, "no inputs in this folder: want .npy, .png, .jpg, .wav, .i8 or .bin");
        std::sort(files.begin(), files.end());
        for (const fs::path& file : files) {
            add_file(file);
            if (!error_.empty()) return;
        }
    }

    void add_file(const fs::path& path) {
        if (full()) return;
        const emit::FileText file = emit::read_file(path, kLargestInput);
        if (!file.error.empty()) return fail(path, file.error);
        const std::string type = ending(path);
        if (type == ".npy") return add_array(path, parse_npy(file.bytes));
        if (type == ".png") return add_picture(path, read_png(file.bytes));
        if (type == ".jpg" || type == ".jpeg") return add_picture(path, read_jpeg(file.bytes));
        if (type == ".wav") return add_sound(path, read_wav(file.bytes));
        add_raw(path, file.bytes);
    }

    /// Whether raw elements of an input are float32 that become its own.
    bool converts(std::size_t number) const {
        const Type type = input(number).type;
        if (type != Type::int8 && type != Type::uint8 && type != Type::int16) return false;
        if (!request_.input_type.empty()) return request_.input_type == "float32";
        return is_real(network_.real_inputs, number);
    }
    std::size_t raw_bytes(std::size_t number) const {
        const graph::Tensor& tensor = input(number);
        return converts(number) ? tensor.elements() * sizeof(float) : tensor.bytes();
    }
    /// "float32 1x8x8x3"
    std::string input_text(std::size_t number, bool raw) const {
        const graph::Tensor& tensor = input(number);
        return fmt::format("{} {}",
                           raw && converts(number) ? "float32" : graph::name_of(tensor.type),
                           fmt::join(tensor.shape, "x"));
    }
    std::string inputs_text(bool raw) const {
        std::string text;
        for (std::size_t i = 0; i < network_.graph.own_inputs(); ++i)
            text += (i == 0 ? "" : " and ") + input_text(i, raw);
        return text;
    }

    /// An option that none of the inputs has a use for.
    std::string idle_option() const {
        if (request_.resize && !pictures_)
            return "--resize: none of the inputs is a picture: want it left out";
        if (request_.pixel_range && !pixels_)
            return "--pixel-range: none of the inputs has pixels: want it left out";
        if (!request_.input_type.empty() && !raw_)
            return fmt::format(
                "--input-type {}: none of the inputs is raw elements: want it "
                "left out",
                request_.input_type);
        if (request_.input_type == "float32" && !reals_)
            return fmt::format("--input-type float32: the inputs are {}: want elements",
                               inputs_text(true));
        return {};
    }

    /// So many inputs, and as what the elements were taken.
    void print_taken() const {
        std::string text = fmt::format("inputs: {} of {}", inputs_.size(), inputs_text(raw_));
        if (raw_ && inputs_text(true) != inputs_text(false)) text += ", made " + inputs_text(false);
        if (like_float_) text += "; the bytes look like float32: --input-type float32 converts";
        fmt::print("{}\n", text);
    }

    /// Nearly all groups of four bytes are ordinary float32, which integers hardly ever are.
    static bool looks_like_float(std::string_view bytes) {
        const std::size_t count = std::min<std::size_t>(bytes.size() / sizeof(float), 4096);
        std::size_t usual = 0, other = 0;
        for (std::size_t i = 0; i < count; ++i) {
            float value = 0;
            std::memcpy(&value, bytes.data() + i * sizeof(float), sizeof(float));
            const float size = std::fabs(value);
            usual += size == 0 || (size > 1e-6F && size < 1e6F);
            other += size > 0;
        }
        return bytes.size() % sizeof(float) == 0 && other >= 8 && 50 * usual >= 49 * count;
    }

    void add_raw(const fs::path& path, std::string_view bytes) {
        std::size_t one = 0;
        bool integers = true;
        const std::size_t first = alone_.value_or(0);
        const std::size_t end = alone_ ? first + 1 : network_.graph.own_inputs();
        for (std::size_t i = first; i < end; ++i) {
            one += raw_bytes(i);
            integers &= !converts(i) && input(i).type != Type::float32;
        }
        reals_ |= !integers;
        raw_ = true;
        like_float_ |= integers && request_.input_type.empty() && looks_like_float(bytes);
        if (!open_.tensors.empty())
            return fail(path, "raw elements hold all inputs of a run: want nothing before them");
        if (bytes.empty() || bytes.size() % one != 0) {
            return fail(path,
                        fmt::format("{} bytes: want a multiple of {}, the bytes of an input, {}",
                                    bytes.size(), one,
                                    alone_ ? input_text(first, true) : inputs_text(true)));
        }
        const std::size_t runs = bytes.size() / one;
        for (std::size_t run = 0; run < runs && !full(); ++run) {
            const std::string name = item(path, run, runs);
            for (std::size_t i = first; i < end; ++i) {
                const std::size_t size = raw_bytes(i);
                const std::string_view part = bytes.substr(0, size);
                add(name, converts(i) ? reals(path, part) : Bytes(part.begin(), part.end()));
                if (!error_.empty()) return;
                bytes.remove_prefix(size);
            }
        }
    }

    static std::string item(const fs::path& path, std::size_t index, std::size_t count) {
        const std::string name = path.filename().string();
        return count == 1 ? name : fmt::format("{}[{}]", name, index);
    }

    void add_array(const fs::path& path, const Array& array) {
        if (!array.error.empty()) return fail(path, array.error);
        const graph::Tensor& tensor = next();
        const std::vector<std::size_t> want = without_ones(shape_of(tensor));
        std::vector<std::size_t> have = without_ones(array.shape);
        const bool several = have.size() == want.size() + 1;
        std::size_t count = 1;
        if (several) {
            count = have.front();
            have.erase(have.begin());
        }
        if (have != want || count == 0) {
            return fail(path, fmt::format("{}: want {} or several of them", shape_text(array.shape),
                                          shape_text(shape_of(tensor))));
        }
        if (count > 1 && network_.graph.own_inputs() > 1 && !alone_)
            return fail(path,
                        "several arrays: want one per file where a network has several "
                        "inputs, or NAME=FILE");
        const std::size_t one = array.data.size() / count;
        for (std::size_t i = 0; i < count && error_.empty() && !full(); ++i)
            add(item(path, i, count), elements(path, array.type, array.data.substr(i * one, one)));
    }

    Bytes elements(const fs::path& path, Array::Type type, std::string_view data) {
        const graph::Tensor& tensor = next();
        const bool same =
            (type == Array::Type::int8 && tensor.type == Type::int8) ||
            (type == Array::Type::int16 && tensor.type == Type::int16) ||
            (type == Array::Type::uint8 && tensor.type == Type::uint8 && !request_.pixel_range);
        if (same) return Bytes(data.begin(), data.end());
        if (type == Array::Type::float32) return reals(path, data);
        Elements out(tensor, network_.graph.rounding, request_.pixel_range);
        if (type != Array::Type::uint8) {
            fail(path, fmt::format("{} elements for an input of {}: want float32", name_of(type),
                                   graph::name_of(tensor.type)));
        } else if (takes_pixels(path)) {
            for (const char c : data)
                out.add_pixel(static_cast<unsigned char>(c));
        }
        return out.take();
    }

    /// Elements of the next tensor from float32.
    Bytes reals(const fs::path& path, std::string_view data) {
        Elements out(next(), network_.graph.rounding, request_.pixel_range);
        for (std::size_t i = 0; i < data.size(); i += sizeof(float)) {
            float value = 0;
            std::memcpy(&value, data.data() + i, sizeof(float));
            if (!std::isfinite(value)) {
                fail(path,
                     fmt::format("element {} is {}: want finite values", i / sizeof(float), value));
                return {};
            }
            out.add_real(static_cast<double>(value));
        }
        return out.take();
    }

    /// Pixels need a rule by which they become elements.
    bool takes_pixels(const fs::path& path) {
        pixels_ = true;
        const Type type = next().type;
        if (type == Type::int8 || type == Type::uint8) return true;
        if (type != Type::float32 && type != Type::int16) {
            fail(path, fmt::format("pixels for an input of {}: want an int8, uint8, int16 or "
                                   "float32 input",
                                   graph::name_of(type)));
        } else if (!request_.pixel_range) {
            fail(path,
                 fmt::format("pixels for an input of {}: want --pixel-range, the real values of 0 "
                             "and 255",
                             type == Type::int16 ? "int16" : "real values"));
        }
        return error_.empty();
    }

    void add_picture(const fs::path& path, Picture picture) {
        if (!picture.error.empty()) return fail(path, picture.error);
        const std::optional<PictureShape> shape = picture_shape(next());
        if (!shape) {
            return fail(path, fmt::format("a picture for an input of {}: want height, width and 1 "
                                          "or 3 channels, or the values as .npy",
                                          shape_text(shape_of(next()))));
        }
        if (!takes_pixels(path)) return;
        pictures_ = true;
        if (picture.width != shape->width || picture.height != shape->height) {
            if (!request_.resize) {
                return fail(path,
                            fmt::format("{} x {} pixels: want {} x {}, or --resize", picture.width,
                                        picture.height, shape->width, shape->height));
            }
            picture = resized(picture, shape->width, shape->height);
        }
        add(path.filename().string(), pixels(picture, *shape));
    }

    Bytes pixels(const Picture& picture, const PictureShape& shape) const {
        Elements out(next(), network_.graph.rounding, request_.pixel_range);
        const auto channel = [&](std::size_t pixel, int c) {
            const std::uint8_t* rgb = &picture.rgb[3 * pixel];
            out.add_pixel(shape.channels == 1 ? grey(rgb) : rgb[c]);
        };
        const std::size_t count = picture.rgb.size() / 3;
        for (int plane = 0; plane < (shape.planes ? shape.channels : 1); ++plane) {
            for (std::size_t pixel = 0; pixel < count; ++pixel) {
                if (shape.planes) {
                    channel(pixel, plane);
                    continue;
                }
                for (int c = 0; c < shape.channels; ++c)
                    channel(pixel, c);
            }
        }
        return out.take();
    }

    void add_sound(const fs::path& path, const Sound& sound) {
        if (!sound.error.empty()) return fail(path, sound.error);
        const std::vector<std::size_t> want = without_ones(shape_of(next()));
        if (want.size() != 1) {
            return fail(path,
                        fmt::format("sound for an input of {}: want its features as .npy, this "
                                    "network takes no samples",
                                    shape_text(shape_of(next()))));
        }
        if (sound.samples.size() != want[0]) {
            return fail(path, fmt::format("{} samples, {} per second: want {}",
                                          sound.samples.size(), sound.rate, want[0]));
        }
        Elements out(next(), network_.graph.rounding, request_.pixel_range);
        for (const std::int16_t sample : sound.samples)
            out.add_real(sample / 32768.0);
        add(path.filename().string(), out.take());
    }

    const Request& request_;
    const Network& network_;
    std::vector<Input> inputs_;
    bool raw_ = false, like_float_ = false;  ///< raw elements were given; integers may be float32
    bool reals_ = false;                     ///< some of these are float32
    bool pictures_ = false, pixels_ = false;
    Input open_;                                         ///< the run whose tensors are not complete
    std::optional<std::size_t> alone_;                   ///< the input that a file was named for
    std::map<std::size_t, std::vector<Input>> columns_;  ///< of each input by name, its values
    std::string error_;
};

}  // namespace

std::optional<PictureShape> picture_shape(const graph::Tensor& tensor) {
    std::vector<int> s = tensor.shape;
    if (s.size() == 4 && s[0] == 1) s.erase(s.begin());
    if (s.size() != 3) return std::nullopt;
    const auto colours = [](int n) { return n == 1 || n == 3; };
    if (colours(s[2])) return PictureShape{s[0], s[1], s[2], false};
    if (colours(s[0])) return PictureShape{s[1], s[2], s[0], true};
    return std::nullopt;
}

std::optional<std::vector<Input>> read_inputs(const Request& request, const Network& network) {
    return Reader(request, network).read();
}

}  // namespace macrame::network
